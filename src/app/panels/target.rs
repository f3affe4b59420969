//! Target panel: a line with the chosen target, which opens a gallery of all targets, and the parameters of the chosen one.

use egui::{
    Align, Image, Label, Layout, Popup, PopupCloseBehavior, Rect, Response, RichText, Sense, StrokeKind, Ui, vec2,
};

use crate::app::action::{Action, EditAction};
use crate::app::controls::{self, Around};
use crate::app::folding::Side;
use crate::app::locks::{Locks, guard};
use crate::app::state::Ctx;
use crate::app::view::PAINTED;
use crate::params::KindSpec;
use crate::targets::{TARGETS, idle_parameters, named_files};

use super::formula::{self, FORMULA};
use super::mixture::{self, with_components};
use super::painting;
use super::strips::fold_button;

/// Width of a picture in the gallery and in the line, in units of the theme; the height is three quarters of it.
const TILE: f32 = 26.0;
const SMALL: f32 = 8.0;

/// Pictures in a row of the gallery.
const COLUMNS: usize = 5;

/// Shows the target.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let chosen = ctx.model.target().kind;
    let line = ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            fold_button(ctx, ui, Side::Left);
            guard(ui, ctx.locks("target"), |ui| line(ctx, ui, chosen))
        })
        .inner
    });
    Popup::menu(&line.inner).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        gallery(ctx, ui, chosen, actions);
    });
    ui.add_space(theme.space(0.5));
    mixture::tool(ctx, ui);
    painting::tools(ctx, ui, actions);
    formula::editor(ctx, ui, actions);
    let target = with_components(ctx.model.target());
    let scenario = ctx.model.scenario().clone();
    let locks = Locks::of_target(&scenario.view);
    // The editor shows the formula, the canvases show the picture.
    let hidden: &[&str] = match chosen.name {
        FORMULA => &["density"],
        PAINTED => &["picture"],
        _ => idle_parameters(&target),
    };
    let columns = named_files(&target).first().and_then(|path| scenario.folder.columns(path));
    let around = Around { hidden, locks, aim: ctx.view.aim(None), columns: columns.as_deref().unwrap_or_default() };
    for edit in ui.push_id(("target", chosen.name), |ui| controls::settings(ui, &target, around)).inner {
        actions.push(Action::Edit(EditAction::Target(vec![edit])));
    }
}

/// The small picture and the name of the target; a click opens the gallery.
fn line(ctx: &mut Ctx<'_>, ui: &mut Ui, chosen: &'static KindSpec) -> Response {
    let theme = ctx.theme;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme.space(SMALL * 0.75)), Sense::click());
    let info = format!("Target: {}", chosen.label);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &info));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme.space(0.75), theme.rule);
    }
    let (picture, rest) = rect.split_left_right_at_x(rect.left() + theme.space(SMALL));
    paint_picture(ctx, ui, chosen, picture);
    let rest = rest.with_min_x(rest.left() + theme.space(1.5));
    ui.scope_builder(egui::UiBuilder::new().max_rect(rest).layout(Layout::left_to_right(Align::Center)), |ui| {
        let name = RichText::new(format!("{} ▾", chosen.label)).font(theme.strong());
        ui.add(Label::new(name).selectable(false).truncate());
    });
    response.on_hover_text(format!("{}\nClick to choose another target.", chosen.help))
}

/// All targets with their names.
fn gallery(ctx: &mut Ctx<'_>, ui: &mut Ui, chosen: &'static KindSpec, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    ui.spacing_mut().item_spacing = vec2(theme.space(2.0), theme.space(1.5));
    for row in TARGETS.chunks(COLUMNS) {
        ui.horizontal_top(|ui| {
            for kind in row {
                if tile(ctx, ui, kind, kind == chosen) {
                    if kind != chosen {
                        actions.push(Action::ChooseTarget(kind));
                    }
                    ui.close();
                }
            }
        });
    }
    ui.checkbox(&mut ctx.prefs.keep_chains, "Keep chains when the target changes").on_hover_text(
        "On: in Watch, a change of the target is an event. The chains continue from their present positions, and \
         collection of draws starts again. Off: the runs start again from step 0 with the new target.",
    );
}

/// The picture of a target with its name below; returns whether it was clicked.
fn tile(ctx: &mut Ctx<'_>, ui: &mut Ui, kind: &'static KindSpec, chosen: bool) -> bool {
    let theme = ctx.theme;
    let picture = vec2(theme.space(TILE), theme.space(TILE * 0.75));
    let size = picture + vec2(0.0, 2.6 * theme.text.small);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let info = || egui::WidgetInfo::selected(egui::Role::Button, true, chosen, kind.label);
    response.widget_info(info);
    let (above, below) = rect.split_top_bottom_at_y(rect.top() + picture.y);
    paint_picture(ctx, ui, kind, above);
    let stroke = if chosen {
        egui::Stroke::new(theme.space(0.6), theme.accent)
    } else if response.hovered() || response.has_focus() {
        egui::Stroke::new(1.0, theme.soft)
    } else {
        theme.hairline()
    };
    ui.painter().rect_stroke(above, theme.space(0.75), stroke, StrokeKind::Inside);
    let name = ui.painter().layout(kind.label.to_owned(), theme.small(), theme.ink, below.width());
    ui.painter().with_clip_rect(below.intersect(ui.clip_rect())).galley(below.min, name, theme.ink);
    response.on_hover_text(kind.help).clicked()
}

/// Paints the density of a target, or dots while it is not drawn yet.
fn paint_picture(ctx: &mut Ctx<'_>, ui: &Ui, kind: &'static KindSpec, rect: Rect) {
    let theme = ctx.theme;
    let radius = theme.space(0.75);
    ui.painter().rect_filled(rect, radius, theme.paper);
    match ctx.gallery.texture(ui.ctx(), theme, kind) {
        Some(texture) => Image::new(texture).corner_radius(radius).paint_at(ui, rect),
        None => {
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, "…", theme.small(), theme.faint);
        }
    }
}
