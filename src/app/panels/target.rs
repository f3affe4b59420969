//! Target panel: a gallery of all targets, and the parameters of the chosen one.

use egui::{Align, Image, Layout, RichText, Sense, StrokeKind, Ui, vec2};

use crate::app::action::{Action, EditAction};
use crate::app::controls;
use crate::app::folding::Side;
use crate::app::state::Ctx;
use crate::params::KindSpec;
use crate::targets::TARGETS;

use super::mixture::with_components;
use super::strips::fold_button;

/// Width of a picture in the gallery, in units of the theme; the height is three quarters of it.
const TILE: f32 = 15.5;

/// Shows the target.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    ui.horizontal(|ui| {
        ui.heading("Target");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| fold_button(ctx, ui, Side::Left));
    });
    let chosen = ctx.model.target().kind;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme.space(1.5), theme.space(1.5));
        for kind in &TARGETS {
            if tile(ctx, ui, kind, kind == chosen) && kind != chosen {
                actions.push(Action::ChooseTarget(kind));
            }
        }
    });
    ui.add_space(theme.space(1.0));
    ui.label(RichText::new(chosen.label).font(theme.strong())).on_hover_text(chosen.help);
    let target = with_components(ctx.model.target());
    for edit in ui.push_id(("target", chosen.name), |ui| controls::settings(ui, &target)).inner {
        actions.push(Action::Edit(EditAction::Target(edit)));
    }
    ui.checkbox(&mut ctx.prefs.keep_chains, "Keep chains at a change").on_hover_text(
        "On: in Watch, a change of the target is an event. The chains continue from their present positions, and \
         collection of draws starts again. Off: the runs start again from step 0 with the new target.",
    );
}

/// The picture of a target; returns whether it was clicked.
fn tile(ctx: &mut Ctx<'_>, ui: &mut Ui, kind: &'static KindSpec, chosen: bool) -> bool {
    let theme = ctx.theme;
    let size = vec2(theme.space(TILE), theme.space(TILE * 0.75));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let radius = theme.space(0.75);
    ui.painter().rect_filled(rect, radius, theme.paper);
    match ctx.gallery.texture(ui.ctx(), theme, kind.name) {
        Some(texture) => Image::new(texture).corner_radius(radius).paint_at(ui, rect),
        None => {
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, "…", theme.small(), theme.faint);
        }
    }
    let stroke = if chosen {
        egui::Stroke::new(theme.space(0.6), theme.accent)
    } else if response.hovered() || response.has_focus() {
        egui::Stroke::new(1.0, theme.soft)
    } else {
        theme.hairline()
    };
    ui.painter().rect_stroke(rect, radius, stroke, StrokeKind::Inside);
    let info = || egui::WidgetInfo::selected(egui::Role::Button, true, chosen, kind.label);
    response.widget_info(info);
    response
        .on_hover_ui(|ui| {
            ui.label(RichText::new(kind.label).font(theme.strong()));
            ui.label(kind.help);
        })
        .clicked()
}
