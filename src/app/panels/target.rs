//! The target: a gallery to choose from, and the parameters of the one that was chosen.

use egui::{Image, RichText, Sense, StrokeKind, Ui, vec2};

use crate::app::App;
use crate::app::actions::Action;
use crate::app::controls;
use crate::params::KindSpec;
use crate::targets::TARGETS;

/// Width of a picture in the gallery, in units of the theme; its height is three quarters of it.
const TILE: f32 = 15.5;

/// Shows the target.
pub fn show(app: &mut App, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = app.theme.clone();
    super::section(ui, &theme, "Target");
    let chosen = app.model.target().kind;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(theme.space(1.5), theme.space(1.5));
        for kind in &TARGETS {
            if tile(app, ui, kind, kind == chosen) && kind != chosen {
                actions.push(Action::ChooseTarget(kind));
            }
        }
    });
    ui.add_space(theme.space(1.0));
    ui.label(RichText::new(chosen.label).font(theme.strong())).on_hover_text(chosen.help);
    let target = super::mixture::spelt_out(app.model.target());
    for edit in ui.push_id(("target", chosen.name), |ui| controls::settings(ui, &target, &[])).inner {
        actions.push(Action::EditTarget(edit));
    }
    ui.checkbox(&mut app.prefs.go_on, "runs go on when it changes").on_hover_text(
        "While you watch, a change of the target becomes an event: chains go on from where they are, and their draws are \
         counted anew. Otherwise the runs are made again with the new target from their first step.",
    );
}

/// A picture of a target; returns whether it was clicked.
fn tile(app: &mut App, ui: &mut Ui, kind: &'static KindSpec, chosen: bool) -> bool {
    let theme = &app.theme;
    let size = vec2(theme.space(TILE), theme.space(TILE * 0.75));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let radius = theme.space(0.75);
    ui.painter().rect_filled(rect, radius, theme.paper);
    match app.gallery.texture(ui.ctx(), theme, kind.name) {
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
