//! Target panel: a line with the chosen target, which opens a gallery of all targets, and the parameters of the chosen one.

use std::cell::RefCell;

use egui::{
    Align, Image, Label, Layout, Popup, PopupCloseBehavior, Rect, Response, RichText, Sense, StrokeKind, Ui, vec2,
};

use crate::app::action::{Action, EditAction};
use crate::app::controls::{self, Around};
use crate::app::folding::Side;
use crate::app::locks::{Locks, guard};
use crate::app::param_edit::ParamEdit;
use crate::app::state::Ctx;
use crate::app::view::PAINTED;
use crate::draw::numbers;
use crate::params::{KindSpec, message};
use crate::targets::{TARGETS, idle_parameters, named_files};
use crate::topics::LeftOut;

use super::formula::{self, FORMULA, PARAMETERS};
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
    let chosen = ctx.model.asked_target().kind;
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
    let writing = formula::editor(ctx, ui, actions);
    refusal(ctx, ui, writing.is_some(), actions);
    parameters(ctx, ui, writing.as_deref().unwrap_or_default(), actions);
    left_out(ctx, ui);
    unknown_truth(ctx, ui);
}

/// Why the truth about the target is not known, if it is not, or what of it does not exist.
fn unknown_truth(ctx: &Ctx<'_>, ui: &mut Ui) {
    if ctx.model.opening().is_some() {
        return;
    }
    let truth = &ctx.model.frame().truth;
    let not_known = truth.why_unknown().map(|why| format!("Truth not known: {why}."));
    let Some(words) = not_known.or_else(|| truth.lacks().map(|what| format!("Of the truth: {what}."))) else { return };
    let words = RichText::new(words).font(ctx.theme.small()).color(ctx.theme.soft);
    ui.add(Label::new(words).wrap()).on_hover_text(
        "The density is drawn, and runs go on as ever. Measures against the truth, modes, exact marginals and exact draws need a truth \
         that is known.",
    );
}

/// The parameters; an edit takes what is being written of a formula with it.
fn parameters(ctx: &mut Ctx<'_>, ui: &mut Ui, writing: &[ParamEdit], actions: &mut Vec<Action>) {
    let target = with_components(ctx.model.asked_target());
    let chosen = target.kind;
    let scenario = ctx.model.scenario().clone();
    let locks = Locks::of_target(&scenario.view);
    // The editor shows the formula, the canvases show the picture.
    let hidden: &[&str] = match chosen.name {
        FORMULA => &["density"],
        PAINTED => &["picture"],
        _ => idle_parameters(&target),
    };
    let columns = named_files(&target).first().and_then(|path| scenario.folder.columns(path));
    let (aim, browsed) = (ctx.view.aim(None), RefCell::new(None));
    let columns = columns.as_deref().unwrap_or_default();
    let around = Around { hidden, locks, aim, columns, browsed: Some(&browsed) };
    for edit in ui.push_id(("target", chosen.name), |ui| controls::settings(ui, &target, around)).inner {
        // Its numbers have names of the text that is in use.
        let writing = if edit.path == PARAMETERS { &[] } else { writing };
        actions.push(Action::Edit(EditAction::Target(writing.iter().cloned().chain([edit]).collect())));
    }
    actions.extend(browsed.take().map(Action::Browse));
}

/// Why the target that was asked for is refused. While another formula is being written the reasons are not told: they are those of the
/// text before.
fn refusal(ctx: &Ctx<'_>, ui: &mut Ui, writing: bool, actions: &mut Vec<Action>) {
    let Some(refused) = ctx.model.refused_target() else { return };
    let theme = ctx.theme;
    for error in refused.errors.iter().filter(|_| !writing) {
        ui.label(RichText::new(format!("▲ {}", message(&error.to_string()))).color(theme.error));
    }
    ui.horizontal_wrapped(|ui| {
        let words = format!("The runs keep the target {}.", ctx.model.target().kind.label);
        ui.label(RichText::new(words).font(theme.small()).color(theme.soft));
        let help = "Show the target of the runs again; undo brings this one back";
        if ui.small_button("Give up").on_hover_text(help).clicked() {
            actions.push(Action::GiveUpTarget);
        }
    });
    ui.add_space(theme.space(1.0));
}

/// How many words of the documents are left out, with the rules under the pointer.
fn left_out(ctx: &Ctx<'_>, ui: &mut Ui) {
    let target = ctx.model.frame().target.clone();
    let Some(dropped) = target.topics().map(|model| &model.corpus.dropped) else { return };
    let left = dropped.tokens();
    if left == 0 {
        return;
    }
    let all = left + dropped.kept;
    #[expect(clippy::cast_precision_loss, reason = "a share to be shown")]
    let share = numbers::percent(left as f64 / all as f64);
    let words = format!("{} of {} words left out ({share})", numbers::count(left as u64), numbers::count(all as u64));
    let rules: Vec<String> = dropped.words.iter().map(LeftOut::in_words).collect();
    let label = ui.label(RichText::new(words).font(ctx.theme.small()).color(ctx.theme.soft));
    label.on_hover_text(format!(
        "By choice, with the number of words and the most frequent ones:\n{}",
        rules.join("\n")
    ));
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
