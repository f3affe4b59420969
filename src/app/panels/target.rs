//! Target panel: a line with the chosen target, which opens a gallery of all targets, and the parameters of the chosen one.

use std::cell::RefCell;

use egui::text::LayoutJob;
use egui::{
    Align, Image, Label, Layout, Popup, PopupCloseBehavior, Rect, Response, RichText, Sense, StrokeKind, Ui, UiBuilder,
    vec2,
};

use crate::app::action::{Action, DataAction, EditAction};
use crate::app::commands::{Command, spec, tip};
use crate::app::controls::locks::Locks;
use crate::app::controls::{self, Around};
use crate::app::experiment::param_edit::{Browsed, ParamEdit};
use crate::app::state::Ctx;
use crate::app::view::folding::Side;
use base::params::{KindSpec, ParamError, Settings, Value, message};
use draw::kit::named::part;
use draw::theme::Theme;
use draw::words::numbers;
use draw::words::settings::TARGET_HIDDEN;
use engine::scenario::from_data::Question;
use models::lda::LeftOut;
use models::targets::{Editor, PathChoice, TARGETS, editor_of, idle_parameters, named_files, path_choice};

use super::formula::{self, PARAMETERS};
use super::mixture::{self, with_components};
use super::painting;
use super::strips::fold_button;

/// Width of a picture in the gallery and in the line, in units of the theme; the height is three quarters of it.
const TILE: f32 = 26.0;
const SMALL: f32 = 8.0;

/// Pictures in a row of the gallery.
const COLUMNS: usize = 5;

/// Rows for why a target is refused.
const REFUSAL_ROWS: u8 = 3;

/// Signs that a formula has, and hardly a path.
const OF_FORMULAS: [char; 4] = ['(', ')', '^', '*'];

/// The choice of the data of a target.
const OF_DATA: &str = "data";

/// Letters of folders up to which a path is told whole.
const SHORT_PATH: usize = 6;

/// Shows the target.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    if ctx.view.hides_target(ctx.model.scenario()) {
        return hidden(ctx, ui, actions);
    }
    let chosen = ctx.model.asked_target().kind;
    let line = ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            fold_button(ctx, ui, Side::Left);
            line(ctx, ui, chosen)
        })
        .inner
    });
    if !ctx.locks("target") {
        Popup::menu(&line.inner).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            gallery(ctx, ui, chosen, actions);
        });
    }
    ui.add_space(theme.space(0.5));
    mixture::tool(ctx, ui);
    painting::tools(ctx, ui, actions);
    let writing = formula::editor(ctx, ui, actions);
    refusal(ctx, ui, writing.is_some(), actions);
    parameters(ctx, ui, writing.as_deref().unwrap_or_default(), actions);
    left_out(ctx, ui);
    rows_of_file(ctx, ui);
    unknown_truth(ctx, ui);
}

/// That the target is hidden: neither its name nor its picture, and a button that reveals it, unless questions are to be answered first.
fn hidden(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            fold_button(ctx, ui, Side::Left);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(RichText::new(TARGET_HIDDEN).font(ctx.theme.strong()));
            });
        });
    });
    // The head of a hand-out without menus has the button.
    if ctx.view.studies.challenge.asks() || !ctx.offers("menu") {
        return;
    }
    let help = tip(Command::Truth);
    if ui.button("Reveal").on_hover_text(help).clicked() {
        spec(Command::Truth).run(ctx, &ui.ctx().clone(), actions);
    }
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
    let edited = editor_of(chosen).and_then(Editor::replaces);
    let hidden = [idle_parameters(&target), edited.as_slice()].concat();
    let columns = named_files(&target).first().and_then(|path| scenario.folder.columns(path));
    let (aim, browsed) = (ctx.view.window.aim(None), RefCell::new(None));
    let columns = columns.as_deref().unwrap_or_default();
    let alone = ctx.knobs().free == 1;
    // A target that was refused stays in the panel, with its reason below.
    let around = Around { hidden: &hidden, locks, alone, aim, columns, browsed: Some(&browsed), refusal: None };
    for edit in part(ui, ("target", chosen.name), |ui| controls::settings(ui, &target, around)) {
        if asks_of_table(&target, &edit) {
            actions.push(Action::Data(DataAction::Choose));
            continue;
        }
        // Its numbers have names of the text that is in use.
        let writing = if edit.path == PARAMETERS { &[] } else { writing };
        actions.push(Action::Edit(EditAction::Target(writing.iter().cloned().chain([edit]).collect())));
    }
    actions.extend(browsed.take().map(|parameter| Action::Browse(Browsed { run: None, parameter })));
}

/// Whether an edit takes data from a file of which a scenario can be made: the dialog of data asks what its table is.
fn asks_of_table(target: &Settings, edit: &ParamEdit) -> bool {
    let Some(Value::Group(group)) = &edit.value else { return false };
    let is_file = |kind: &KindSpec| kind.params.iter().any(|spec| path_choice(spec) == Some(PathChoice::File));
    let was_file = target.group(&edit.path).is_some_and(|before| is_file(before.kind));
    Question::makes(target.kind.name) && edit.path == OF_DATA && is_file(group.kind) && !was_file
}

/// Why the target that was asked for is refused. While another formula is being written the reasons are not told: they are those of the
/// text before.
fn refusal(ctx: &Ctx<'_>, ui: &mut Ui, writing: bool, actions: &mut Vec<Action>) {
    let refused = ctx.model.refused_target().map(|refused| Refusal {
        errors: if writing { &[] } else { &refused.errors },
        kept: ctx.model.target().kind.label,
        missing: ctx.model.refused_target().and_then(|refused| missing(ctx.model.asked_target(), &refused.errors)),
    });
    if refused.is_none() && !is_typed(ctx.model.asked_target()) {
        return;
    }
    if refusal_rows(ui, ctx.theme, refused) {
        actions.push(Action::GiveUpTarget);
    }
}

/// What is told of a target that is refused.
#[derive(Clone, Copy, Debug)]
struct Refusal<'a> {
    errors: &'a [ParamError],
    /// The target that the runs keep.
    kept: &'a str,
    /// What nobody has typed yet, if nothing else is wrong.
    missing: Option<&'a str>,
}

/// What is allowed for a text that is still empty, if nothing else of a target is wrong: a hint, and no fault of somebody who is about to
/// type it.
fn missing<'a>(asked: &Settings, errors: &'a [ParamError]) -> Option<&'a str> {
    let [error] = errors else { return None };
    let value = asked.at(error.path.strip_prefix("target.").unwrap_or(&error.path));
    matches!(value, Some(Value::Text(text)) if text.trim().is_empty()).then_some(error.allowed.as_str())
}

/// Whether anything of a target is typed, and so may be refused.
fn is_typed(target: &Settings) -> bool {
    target.iter().any(|(_, value)| match value {
        Value::Text(_) | Value::Named(_) => true,
        Value::Group(group) => is_typed(group),
        _ => false,
    })
}

/// A problem with the names of files alone, where there is little space.
fn without_folders(problem: &str) -> String {
    let short = |word: &str| match word.rsplit_once(['/', '\\']) {
        Some((folders, name)) if folders.len() > SHORT_PATH && !word.contains(OF_FORMULAS) => format!("…/{name}"),
        _ => word.to_owned(),
    };
    problem.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// Rows that are there with and without a refusal, so that what is below them stays in its place: the first error, as far as there is space,
/// and all of them under the pointer. Returns whether the target is given up.
fn refusal_rows(ui: &mut Ui, theme: &Theme, refused: Option<Refusal<'_>>) -> bool {
    let row = ui.fonts_mut(|fonts| fonts.row_height(&theme.small()));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), f32::from(REFUSAL_ROWS) * row), Sense::hover());
    let Some(Refusal { errors, kept, missing }) = refused else { return false };
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Min)));
    let help = "Show the target of the runs again; undo brings this one back";
    let given_up = ui.small_button("Give up").on_hover_text(help).clicked();
    let kept = format!("The runs keep the target {kept}.");
    let (words, colour) = match (errors, missing) {
        ([], _) => (kept.clone(), theme.soft),
        (_, Some(missing)) => (format!("Still to write: {}. {kept}", message(missing)), theme.soft),
        ([first, ..], None) => {
            let (problem, allowed) = (message(&without_folders(&first.problem)), message(&first.allowed));
            (format!("▲ {problem}; allowed: {allowed}. {kept}"), theme.error)
        }
    };
    let mut job = LayoutJob::simple(words, theme.small(), colour, ui.available_width());
    job.wrap.max_rows = usize::from(REFUSAL_ROWS);
    let whole: Vec<String> = errors.iter().map(|error| message(&error.to_string())).chain([kept]).collect();
    ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
        ui.add(Label::new(job).wrap().show_tooltip_when_elided(false)).on_hover_text(whole.join("\n"));
    });
    given_up
}

/// How many words of the documents are left out, with the rules under the pointer.
fn left_out(ctx: &Ctx<'_>, ui: &mut Ui) {
    let target = ctx.model.frame().target.clone();
    let Some(dropped) = target.left_out() else { return };
    let left = dropped.tokens();
    if left == 0 {
        return;
    }
    let all = left + dropped.kept;
    let share = numbers::percent(left as f64 / all as f64);
    let words = format!("{} of {} words left out ({share})", numbers::count(left as u64), numbers::count(all as u64));
    let rules: Vec<String> = dropped.words.iter().map(LeftOut::in_words).collect();
    let label = ui.label(RichText::new(words).font(ctx.theme.small()).color(ctx.theme.soft));
    label.on_hover_text(format!(
        "By choice, with the number of words and the most frequent ones:\n{}",
        rules.join("\n")
    ));
}

/// How many rows of a file are used and left out, with the file under the pointer.
fn rows_of_file(ctx: &Ctx<'_>, ui: &mut Ui) {
    let target = ctx.model.frame().target.clone();
    let Some(note) = target.data_note() else { return };
    let label = ui.label(RichText::new(note.in_words()).font(ctx.theme.small()).color(ctx.theme.soft));
    label.on_hover_text(message(&format!("{}\nSHA-256 {}", note.file, note.sha256)));
}

/// The small picture and the name of the target; a click opens the gallery.
fn line(ctx: &mut Ctx<'_>, ui: &mut Ui, chosen: &'static KindSpec) -> Response {
    let theme = ctx.theme;
    let locked = ctx.locks("target");
    let sense = if locked { Sense::hover() } else { Sense::click() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme.space(SMALL * 0.75)), sense);
    let info = format!("Target: {}", chosen.label);
    let role = if locked { egui::Role::Label } else { egui::Role::Button };
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, &info));
    if !locked && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, theme.space(0.75), theme.rule);
    }
    let (picture, rest) = rect.split_left_right_at_x(rect.left() + theme.space(SMALL));
    paint_picture(ctx, ui, chosen, picture);
    let rest = rest.with_min_x(rest.left() + theme.space(1.5));
    ui.scope_builder(egui::UiBuilder::new().max_rect(rest).layout(Layout::left_to_right(Align::Center)), |ui| {
        let name = if locked { chosen.label.to_owned() } else { format!("{} ▾", chosen.label) };
        let name = RichText::new(name).font(theme.strong());
        ui.add(Label::new(name).selectable(false).truncate());
    });
    let more = if locked { "" } else { "\nClick to choose another target." };
    response.on_hover_text(format!("{}{more}", chosen.help))
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

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;

    use super::*;
    use base::params::{ParamType, find_kind};
    use draw::theme;

    /// How far the cursor of a panel moves over the rows, where these errors are told in them.
    fn height(errors: Option<&[ParamError]>) -> f32 {
        let (look, errors) = (Theme::default(), errors.map(<[ParamError]>::to_vec));
        let builder = Harness::builder().with_size(vec2(280.0, 600.0)).with_context_setup(theme::install_fonts);
        let mut harness = builder.build_ui_state(
            move |ui, height: &mut f32| {
                theme::apply(ui.ctx(), &look);
                let before = ui.cursor().top();
                refusal_rows(
                    ui,
                    &look,
                    errors.as_deref().map(|errors| Refusal { errors, kept: "Gaussian", missing: None }),
                );
                *height = ui.cursor().top() - before;
            },
            0.0,
        );
        harness.run();
        *harness.state()
    }

    #[test]
    fn files_are_told_without_their_folders_where_there_is_little_space() {
        let short = without_folders("/home/somebody/data/numbers.csv: the file cannot be read");
        assert_eq!(short, "…/numbers.csv: the file cannot be read");
        assert_eq!(without_folders("data/a.csv, line 3 has (x^2+y^2+1)/2"), "data/a.csv, line 3 has (x^2+y^2+1)/2");
    }

    #[test]
    fn an_empty_text_is_a_hint_and_a_wrong_one_an_error() {
        let mut settings = Settings::defaults(find_kind(&TARGETS, "normal-gamma").unwrap());
        let Some(ParamType::Group(kinds)) = settings.kind.param("data").map(|spec| spec.ty) else { panic!() };
        let mut csv = Settings::defaults(find_kind(kinds, "csv").unwrap());
        let mut asked = |path: &str| {
            csv.set("path", Value::Text(path.to_owned())).unwrap();
            settings.set("data", Value::Group(csv.clone())).unwrap();
            settings.clone()
        };
        let errors = [ParamError::new("target.data.path", "no file is named", "the path of a CSV file")];
        assert_eq!(missing(&asked(""), &errors), Some("the path of a CSV file"));
        assert_eq!(missing(&asked("gone.csv"), &errors), None);
        let two = [errors[0].clone(), ParamError::new("target.data.column", "is missing", "a name")];
        assert_eq!(missing(&asked(""), &two), None);
    }

    #[test]
    fn what_is_below_a_refusal_stays_in_its_place() {
        let error = |problem: &str| ParamError::new("target.data.path", problem, "0 or 1 on every line ".repeat(9));
        let short = [error("no file is named")];
        let long: Vec<ParamError> = (0..6).map(|line| error(&format!("line {line} is wrong ").repeat(12))).collect();
        let empty = height(None);
        assert!(empty > 10.0);
        for errors in [&[][..], &short, &long] {
            approx::assert_relative_eq!(height(Some(errors)), empty);
        }
    }

    #[test]
    fn only_targets_with_something_typed_have_space_for_a_refusal() {
        let typed = |name: &str, edit: fn(&mut Settings)| {
            let mut settings = Settings::defaults(find_kind(&TARGETS, name).unwrap());
            edit(&mut settings);
            is_typed(&settings)
        };
        assert!(typed("formula", |_| {}));
        assert!(!typed("gaussian", |_| {}) && !typed("normal-gamma", |_| {}));
        assert!(typed("normal-gamma", |settings| {
            let Some(ParamType::Group(kinds)) = settings.kind.param("data").map(|spec| spec.ty) else { panic!() };
            let csv = crate::app::experiment::param_edit::with_required(&Settings::defaults(
                find_kind(kinds, "csv").unwrap(),
            ));
            settings.set("data", Value::Group(csv)).unwrap();
        }));
    }
}
