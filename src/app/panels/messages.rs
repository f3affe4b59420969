//! Messages above the transport, and the failure of the session. They lie over the panels: nothing moves under the pointer when one comes or
//! goes, and they come on the side where the pointer is not.

use std::time::Duration;

use egui::{Align2, Area, Id, Order, RichText, Ui};

use crate::app::action::{Action, PlaylistAction};
use crate::app::files::drawing::Drawing;
use crate::app::state::Ctx;
use crate::app::view::messages::{Kind, Offer};
use draw::kit::named::{named, part};

/// Time between two looks at how far a figure is.
const LOOK: Duration = Duration::from_millis(100);

/// The most of the width of the window that messages take, and their width at most in units of the theme.
const SHARE: f32 = 0.48;
const WIDTH: f32 = 150.0;

/// Shows messages, if there are any.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let failure = ctx.model.status().failure.clone();
    let reading = ctx.view.files.reading.in_words();
    let drawing = ctx.view.files.drawing.as_ref().map(Drawing::in_words);
    if ctx.view.messages.all().is_empty() && failure.is_none() && reading.is_none() && drawing.is_none() {
        ctx.view.messages.held = false;
        ctx.view.messages.right = None;
        return;
    }
    let theme = ctx.theme;
    let space = ui.available_rect_before_wrap().shrink(theme.space(1.5));
    let width = theme.space(WIDTH).min(SHARE * space.width());
    let right = *ctx.view.messages.right.get_or_insert_with(|| {
        let pointer = ui.input(|input| input.pointer.latest_pos());
        pointer.is_some_and(|at| space.contains(at) && at.x < space.center().x)
    });
    let frame = egui::Frame::new().fill(theme.raised).stroke(theme.hairline()).corner_radius(theme.space(1.0));
    let frame = frame.inner_margin(theme.space(2.0));
    // What a dialog has done is told above it.
    let order = if ctx.view.forms.dialog.is_some() { Order::Tooltip } else { Order::Middle };
    let show = |ui: &mut Ui| {
        ui.set_max_width(width);
        if let Some(failure) = failure {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new("✗ The session has failed.").font(theme.strong()).color(theme.error));
                ui.label(failure);
                if ui.button("Start again").on_hover_text("Start the scenario again from step 0").clicked() {
                    actions.push(Action::Restart);
                }
            });
        }
        if let Some(words) = reading {
            ui.horizontal_wrapped(|ui| {
                ui.label(words);
                if ui.button("Cancel").on_hover_text("Read no further; what is in the window stays").clicked() {
                    actions.push(Action::StopReading);
                }
            });
        }
        if let Some(drawn) = drawing {
            ui.ctx().request_repaint_after(LOOK);
            ui.horizontal(|ui| {
                ui.label(format!("Drawing a figure that moves: {drawn}"));
                if ui.button("Cancel").on_hover_text("Draw no further pictures; no file is written").clicked() {
                    actions.push(Action::StopFigure);
                }
            });
        }
        list(ctx, ui, actions);
    };
    let corner = if right { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
    let area = Area::new(Id::unique(("messages", order == Order::Middle)));
    let area = area.order(order).pivot(corner).fixed_pos(corner.pos_in_rect(&space));
    let shown = area.show(ui.ctx(), |ui| frame.show(ui, show));
    ctx.view.messages.held = shown.response.contains_pointer();
}

/// All messages, each with a button that closes it and what it offers.
fn list(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let mut closed = None;
    for (index, message) in ctx.view.messages.all().iter().enumerate() {
        let row = |ui: &mut Ui| {
            let (sign, colour) = match message.kind {
                Kind::News => ("✓", theme.accent),
                Kind::Problem => ("⚠", theme.warning),
            };
            let close = named(ui.small_button("✕"), "Close this message");
            if close.on_hover_text("Close this message").clicked() {
                closed = Some(index);
            }
            ui.label(RichText::new(sign).color(colour).strong());
            let label = egui::Label::new(&message.text);
            let Some(offer) = message.offer else {
                ui.add(label.wrap());
                return;
            };
            ui.add(label);
            let (name, help, action) = match offer {
                Offer::Back(number) => ("Back", "Show it again, as it was", Action::Restore(number)),
                Offer::Playlist => ("Back", "Follow the playlist again", Action::Playlist(PlaylistAction::Return)),
                Offer::Trials => ("Trials", "All trials that you have kept", Action::Trials),
                Offer::StartPage => ("Start page", "Lessons and recent files", Action::StartPage),
            };
            if ui.small_button(name).on_hover_text(help).clicked() {
                closed = Some(index);
                actions.push(action);
            }
        };
        part(ui, message.number, |ui| ui.horizontal_top(row));
    }
    if let Some(index) = closed {
        ctx.view.messages.close(index);
    }
}
