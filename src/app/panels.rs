//! Panels of the window and their layout: menu, target and runs, canvases, plots, readout and lesson, transport.

mod bottom;
mod canvases;
mod lesson;
mod menu;
mod messages;
mod mixture;
mod readout;
mod runs;
mod target;
mod transport;
mod widgets;

use egui::{CentralPanel, Panel, ScrollArea, Ui};

use super::action::Action;
use super::start_page;
use super::state::Ctx;
use crate::draw::theme::{Scale, Theme};

/// Widths of the panels at the sides, in units of the theme: initial, smallest, largest.
const LEFT: (f32, f32, f32) = (84.0, 62.0, 140.0);
const RIGHT: (f32, f32, f32) = (104.0, 50.0, 150.0);

/// The initial width on the right while presenting, where type is larger.
const RIGHT_PRESENT: f32 = 120.0;

/// The largest share of the window that a panel at the side, or at the bottom, may take.
const SIDE_SHARE: f32 = 0.29;
/// The largest share of a panel at the side while presenting, when only one is open.
const PRESENT_SHARE: f32 = 0.38;
const BOTTOM_SHARE: f32 = 0.45;

/// Heights of the plots at the bottom, in units of the theme: initial, smallest, largest.
const BOTTOM: (f32, f32, f32) = (66.0, 40.0, 130.0);

/// Lays out the whole window.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let frame = |margin: f32| egui::Frame::new().fill(theme.panel).inner_margin(theme.space(margin));
    if ctx.offers("menu") || ctx.view.start_page {
        Panel::top("menu").frame(frame(1.5)).show(ui, |ui| menu::show(ctx, ui, actions));
    }
    if ctx.offers("transport") && !ctx.view.start_page {
        Panel::bottom("transport").frame(frame(2.0)).show(ui, |ui| transport::show(ctx, ui, actions));
    }
    messages::show(ctx, ui, actions);
    if ctx.view.start_page {
        return start_page::show(ctx, ui, actions);
    }
    // Panels remember one size at the desk and one while presenting.
    let present = theme.scale == Scale::Present;
    let mut folded = *ctx.folded();
    if present {
        // While presenting the controls are folded.
        folded.left = true;
    }
    let [target_and_runs, readout, lesson, plots] =
        ["target-and-runs", "readout", "lesson", "plots"].map(|panel| ctx.offers(panel));
    let mut left = !folded.left && target_and_runs;
    let side = if present { PRESENT_SHARE } else { SIDE_SHARE } * ui.available_width();
    let height = BOTTOM_SHARE * ui.available_height();
    sized(Panel::left(("left", present)), theme, LEFT, side).frame(frame(3.0)).show_collapsible(ui, &mut left, |ui| {
        scrolling(ui, "left", |ui| {
            target::show(ctx, ui, actions);
            ui.add_space(theme.space(4.0));
            runs::show(ctx, ui, actions);
        });
    });
    let mut right = !folded.right && (readout || lesson);
    let wide = (if present { RIGHT_PRESENT } else { RIGHT.0 }, RIGHT.1, RIGHT.2);
    sized(Panel::right(("right", present)), theme, wide, side).frame(frame(3.0)).show_collapsible(
        ui,
        &mut right,
        |ui| {
            scrolling(ui, "right", |ui| {
                if readout {
                    ui.scope(|ui| {
                        ctx.fade_if_stale(ui);
                        readout::show(ctx, ui);
                    });
                    ui.add_space(theme.space(5.0));
                }
                if lesson {
                    lesson::show(ctx, ui, actions);
                }
            });
        },
    );
    let mut bottom = !folded.bottom && plots;
    sized(Panel::bottom(("plots", present)), theme, BOTTOM, height).resizable(true).frame(frame(2.0)).show_collapsible(
        ui,
        &mut bottom,
        |ui| {
            bottom::show(ctx, ui, actions);
        },
    );
    // A hidden panel stays folded or not, for the next scenario.
    let kept = ctx.folded();
    if !present && target_and_runs {
        kept.left = !left;
    }
    if readout || lesson {
        kept.right = !right;
    }
    if plots {
        kept.bottom = !bottom;
    }
    let paper = egui::Frame::new().fill(theme.paper).inner_margin(theme.space(2.0));
    CentralPanel::default().frame(paper).show(ui, |ui| canvases::show(ctx, ui, actions));
}

fn sized(panel: Panel, theme: &Theme, (initial, smallest, largest): (f32, f32, f32), room: f32) -> Panel {
    let smallest = theme.space(smallest).min(room);
    panel.default_size(theme.space(initial)).size_range(smallest..=theme.space(largest).min(room))
}

fn scrolling(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt(name).auto_shrink(false).show(ui, |ui| {
        // The scroll bar floats over the right edge; contents must not lie below it.
        ui.set_max_width(ui.available_width() - ui.spacing().scroll.bar_width * 0.5);
        contents(ui);
    });
}
