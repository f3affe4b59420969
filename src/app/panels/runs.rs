//! Runs panel: a card per run with its name, method, parameters and remarks.

use std::cell::RefCell;

use egui::epaint::QuadraticBezierShape;
use egui::{Button, Color32, DragValue, Frame, Label, RichText, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};

use crate::app::action::{Action, EditAction, MAX_RUNS};
use crate::app::controls::locks::Locks;
use crate::app::controls::{self, Around, aimed, committed_name, labelled};
use crate::app::experiment::param_edit::Browsed;
use crate::app::state::Ctx;
use base::params::{KindSpec, Settings, printable};
use draw::kit::named::{named, part};
use draw::kit::{run_marker, shortened, warnings};
use draw::step_notations::StepNotations;
use draw::theme::Theme;
use draw::words::fit_remarks::{self, Weight};
use engine::scenario::METHOD;
use engine::scenario::budget::{LEAST, MOST};
use engine::session::Clock;
use engine::session::RunFrame;
use models::targets::Target;
use samplers::methods;

use super::widgets::{note, section};

/// The budget that is offered before anything is spent.
const USUAL_BUDGET: f64 = 20_000.0;

/// Side of the eye of a run, in units of the theme.
const EYE: f32 = 4.5;

/// Shows the cards.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    section(ui, theme, "Runs");
    let runs = ctx.model.scenario().runs.len();
    for run in 0..runs {
        let frame = Frame::new().fill(theme.raised).stroke(theme.hairline()).corner_radius(theme.space(1.5));
        frame.inner_margin(theme.space(1.5)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.x = theme.space(1.5);
            part(ui, ("run", run), |ui| card(ctx, ui, run, actions));
        });
        ui.add_space(theme.space(1.0));
    }
    let may_add = runs < MAX_RUNS;
    if !ctx.locks("runs") {
        ui.add_enabled_ui(may_add, |ui| {
            let add = ui.menu_button("+ Add run", |ui| {
                if let Some(method) = controls::methods(ui, theme, |kind| offered(ctx, kind), None) {
                    actions.push(Action::Edit(EditAction::AddRun(method)));
                    ui.close();
                }
            });
            add.response.on_disabled_hover_text(format!("The window shows at most {MAX_RUNS} runs"));
        });
    }
    budget(ctx, ui, actions);
    fixed(ctx, ui);
}

/// The budget that several runs have in common, if they have one.
fn budget(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let scenario = ctx.model.scenario();
    let cost = ctx.model.frame().target.family().cost.spent.to_lowercase();
    if ctx.locks("runs") || scenario.budget.is_none() && scenario.runs.len() < 2 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let mut same = scenario.budget.is_some();
        let help = format!(
            "Every run ends once all its chains together have spent the same number of {cost}, whatever its steps: what they reach is compared \
             at the same cost."
        );
        if ui.checkbox(&mut same, "Same budget").on_hover_text(&help).changed() {
            let spent = ctx.model.frame().runs.iter().map(RunFrame::evaluations).fold(0.0, f64::max);
            let first = if spent >= 100.0 { two_digits(spent) } else { USUAL_BUDGET };
            actions.push(Action::Edit(EditAction::Budget(same.then_some(first))));
            if same && scenario.events.is_empty() {
                actions.push(Action::CountBy(Clock::Gradients));
            }
        }
        if let Some(budget) = scenario.budget {
            let mut shown = budget;
            let field = DragValue::new(&mut shown).range(LEAST..=MOST).speed(0.01 * budget).max_decimals(0);
            let field = ui.name_inputs("Budget", |ui| ui.add(field.update_while_editing(false)));
            if field.on_hover_text(help).changed() && shown.to_bits() != budget.to_bits() {
                actions.push(Action::Edit(EditAction::Budget(Some(shown))));
            }
            ui.label(RichText::new(cost).font(ctx.theme.small()).color(ctx.theme.soft));
        }
    });
}

/// A number of evaluations to two digits.
fn two_digits(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}

/// How many parameters the file locks, with their values under the pointer.
fn fixed(ctx: &Ctx<'_>, ui: &mut Ui) {
    let knobs = ctx.knobs();
    if let Some(words) = knobs.words() {
        let label = Label::new(RichText::new(words).font(ctx.theme.small()).color(ctx.theme.soft)).wrap();
        let fixed = knobs.fixed.join("\n");
        let packed = ctx.model.scenario().view.packed;
        let help = if packed { "" } else { "To change them, edit `locked` under [view] in the scenario file." };
        ui.add(label).on_hover_text(format!("{fixed}\n{help}"));
    }
}

/// Whether a method can be chosen on the present target.
fn offered(ctx: &Ctx<'_>, kind: &'static KindSpec) -> bool {
    methods::is_for(kind, ctx.model.frame().target.space())
}

fn card(ctx: &mut Ctx<'_>, ui: &mut Ui, run: usize, actions: &mut Vec<Action>) {
    let id = ui.make_persistent_id("card");
    let mut state = egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, true);
    if ctx.view.window.aim(Some(run)).is_some() {
        state.set_open(true);
    }
    let header = state.show_header(ui, |ui| {
        eye(ctx, ui, run);
        head(ctx, ui, run, actions);
    });
    header.body_unindented(|ui| body(ctx, ui, run, actions));
}

/// An eye beside one of several runs, open while canvases and plots show it: a click hides the run or shows it again.
fn eye(ctx: &mut Ctx<'_>, ui: &mut Ui, run: usize) {
    let theme = ctx.theme;
    let runs = ctx.model.scenario().runs.len();
    if runs < 2 {
        return;
    }
    let shown = ctx.view.shown.runs(runs).contains(&run);
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(theme.space(EYE)), Sense::click());
    let name = format!("Show {}", ctx.model.scenario().runs[run].name);
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, shown, &name));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme.space(0.5), theme.rule);
    }
    let colour = if shown { theme.ink } else { theme.faint };
    let stroke = Stroke::new(theme.thin(), colour);
    let (centre, reach) = (rect.center(), 0.42 * rect.width());
    for side in [-1.0, 1.0] {
        let lid = [vec2(-1.0, 0.0), vec2(0.0, 1.2 * side), vec2(1.0, 0.0)].map(|at| centre + reach * at);
        ui.painter().add(QuadraticBezierShape::from_points_stroke(lid, false, Color32::TRANSPARENT, stroke));
    }
    if shown {
        ui.painter().circle_filled(centre, 0.35 * reach, colour);
    } else {
        ui.painter().line_segment([centre - Vec2::splat(0.8 * reach), centre + Vec2::splat(0.8 * reach)], stroke);
    }
    let help = "Show this run on canvases and plots, or hide it (Shift 1 to 4)";
    if response.on_hover_text(help).clicked() {
        ctx.view.shown.toggle_run(run, runs);
    }
}

/// The marker and the name of a run, with buttons to copy and to remove it.
fn head(ctx: &Ctx<'_>, ui: &mut Ui, run: usize, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    let style = theme.run(run);
    run_marker::show(ui, theme, style);
    let runs = ctx.model.scenario().runs.len();
    if ctx.locks("runs") {
        let name = printable(&ctx.model.scenario().runs[run].name).into_owned();
        shortened::label(ui, &name, &theme.strong(), theme.ink);
        return;
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let name = &ctx.model.scenario().runs[run].name;
        let remove = named(ui.add_enabled(runs > 1, Button::new("✕").frame(false)), &format!("Remove {name}"));
        if remove.on_hover_text("Remove this run").clicked() {
            actions.push(Action::Edit(EditAction::Remove(run)));
        }
        let name = ctx.model.scenario().runs[run].name.clone();
        let edited = ui.name_inputs(format!("Name of run {}", run + 1), |ui| committed_name(ui, "name", &name));
        if let Some(name) = edited {
            let name = name.trim().to_owned();
            actions.push(Action::Edit(EditAction::Rename { run, name }));
        }
    });
}

fn body(ctx: &Ctx<'_>, ui: &mut Ui, run: usize, actions: &mut Vec<Action>) {
    let Some(settings) = ctx.model.scenario().runs.get(run).map(|spec| ctx.model.settings(spec)) else { return };
    let scenario = ctx.model.scenario();
    let locks = Locks::of_run(&scenario.view, &scenario.runs[run].name);
    let aim = ctx.view.window.aim(Some(run));
    if !locks.hold(METHOD) {
        labelled(ui, "method", settings.kind.help, |ui| {
            let chosen =
                aimed(ui, aim, METHOD, |ui| controls::method(ui, ctx.theme, |kind| offered(ctx, kind), settings.kind));
            if let Some(method) = chosen {
                actions.push(Action::Edit(EditAction::Method { run, method }));
            }
        });
    }
    let hidden = ctx.model.hidden();
    let alone = ctx.knobs().free == 1;
    let browsed = RefCell::new(None);
    let refusal = ctx.model.status().refused.as_deref();
    let around = Around { hidden: &hidden, locks, alone, aim, columns: &[], browsed: Some(&browsed), refusal };
    let edits = part(ui, settings.kind.name, |ui| controls::settings(ui, &settings, around));
    let edits = edits.into_iter().map(|edit| edit.with_what_follows(&settings));
    actions.extend(edits.map(|edit| Action::Edit(EditAction::Run { run, edit })));
    actions.extend(browsed.take().map(|parameter| Action::Browse(Browsed { run: Some(run), parameter })));
    if let Some((number, frame)) = ctx.model.run_frame(&scenario.runs[run].name) {
        notes(ui, ctx.theme, frame, step_size(frame, &settings, ctx.model.frame().target.as_ref()));
        // Of fits, the remarks say more.
        let truth = ctx.view.shown.layers.truth;
        for warning in warnings::of(ctx.model.frame(), number, truth).iter().filter(|_| frame.fits.is_none()) {
            note(ui, ctx.theme, ctx.theme.error, &format!("⚠ {warning}."));
        }
        for remark in fit_remarks::remarks(frame, ctx.model.frame().target.as_ref()) {
            let (colour, sign) = match remark.weight {
                Weight::Plain => (ctx.theme.soft, ""),
                Weight::Warning => (ctx.theme.warning, "⚠ "),
                Weight::Error => (ctx.theme.error, "⚠ "),
            };
            note(ui, ctx.theme, colour, &format!("{sign}{}", remark.text));
        }
    }
    if ctx.locks("runs") {
        return;
    }
    let may_add = ctx.model.scenario().runs.len() < MAX_RUNS;
    let name = &ctx.model.scenario().runs[run].name;
    let button = part(ui, "copy", |ui| ui.add_enabled(may_add, Button::new("copy").small()));
    let duplicate = named(button, &format!("Copy {name}"));
    if duplicate.on_hover_text("Add a copy of this run").clicked() {
        actions.push(Action::Edit(EditAction::Duplicate(run)));
    }
}

/// Notes on a run: its step size, remarks on the schedule, thinned plots.
fn notes(ui: &mut Ui, theme: &Theme, run: &RunFrame, step_size: Option<StepNotations>) {
    if let Some(StepNotations { line, help }) = step_size {
        ui.label(RichText::new(line).font(theme.small()).color(theme.soft)).on_hover_text(help);
    }
    for remark in run.plan.remarks() {
        note(ui, theme, theme.soft, &remark);
    }
    if run.history.stride() > 1 {
        note(
            ui,
            theme,
            theme.soft,
            &format!("Plots show one step in {}. Measures use all draws.", run.history.stride()),
        );
    }
}

/// The step size of the newest step, in all notations; of fits their remarks say more.
fn step_size(run: &RunFrame, settings: &Settings, target: &Target) -> Option<StepNotations> {
    if run.fits.is_some() {
        return None;
    }
    let adapts = run.plan.adapts();
    let size = if adapts { run.step_size(0, run.step.max(1)) } else { run.alpha };
    let method = run.plan.segment_of(run.step).method.as_ref();
    let notations = StepNotations::new(size, method, settings, target.data_count());
    if adapts { notations.map(StepNotations::of_first_chain) } else { notations }
}
