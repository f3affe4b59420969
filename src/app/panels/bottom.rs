//! Bottom panel: the tabs of plots with the options of the open one, and its plot.

use std::sync::Arc;

use egui::{Button, Role, Sense, Ui, WidgetInfo};

use crate::app::action::{Action, EditAction};
use crate::app::experiment::model::Model;
use crate::app::experiment::param_edit::ParamEdit;
use crate::app::state::Ctx;
use crate::app::view::View;
use crate::app::view::folding::Side;
use crate::app::view::prefs::Prefs;
use base::params::Value;
use draw::canvas::{CanvasResponse, Draws};
use draw::kit::background::Computing;
use draw::views::coverage::pin::{self, Pin};
use draw::views::study_action::StudyAction;
use draw::views::weights::geometry::WeightPicture;
use draw::views::{
    CoverageContext, MAP, OF_FUNCTIONS, PlotContext, RangeContext, ReferenceContext, StudyContext, StudyUse,
    SweepContext, Tab, TabAction, TabResponse, WEIGHTS, applying,
};
use engine::scenario::sweep_measures;
use engine::session::Frame;

use super::tabs;

/// Space between tabs and plot, in units of the theme.
pub const GAP: f32 = 1.0;

/// Shows the tabs and, unless it stands beside the canvases, the plot of the open one.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let frame = ctx.model.frame().clone();
    tabs::row(ctx, ui, &frame, |ctx, ui| options(ctx, ui, &frame, actions));
    if !ctx.shows_beside(ui.ctx()) {
        ui.add_space(ctx.theme.space(GAP));
        plot(ctx, ui, actions);
    }
}

/// Shows the plot of the open tab in the space there is.
pub fn plot(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let open = applying(ctx.view.plots.tab, ctx.model.frame());
    let area = ui.interact(ui.available_rect_before_wrap(), ui.scope_id().with("plot"), Sense::hover());
    area.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Plot: {}", open.spec.label)));
    ctx.view.studies.convergence.compares = open.study == StudyUse::TruthMeasures;
    ctx.fade_if_stale(ui);
    if !ctx.view.shown.layers.truth && compares_with_truth(ctx, open) {
        ui.label("This plot compares with the truth, which is hidden. T shows it.");
        return;
    }
    repeat_unasked(ctx, ui, actions);
    if open == MAP {
        let (sweep, scenario) = (&mut ctx.view.studies.sweep, ctx.model.scenario());
        sweep.turn_to(scenario);
        if sweep.owes_answers(scenario) {
            actions.push(Action::Study(StudyAction::Sweep));
        }
    }
    show_tab(ctx, ui, (open, None), actions);
}

/// Whether the plot of a tab compares with the truth; that of a sweep, if a measure does.
fn compares_with_truth(ctx: &Ctx<'_>, tab: Tab) -> bool {
    if tab == MAP {
        let sweep = ctx.model.scenario().sweep.as_ref();
        return sweep
            .is_some_and(|sweep| sweep_measures().any(|spec| spec.of_truth && sweep.measures.contains(&spec.key)));
    }
    tab.of_truth
}

/// Shows the plot of a tab, with another picture of weight space than the tab has chosen or with its own.
fn show_tab(ctx: &mut Ctx<'_>, ui: &mut Ui, (tab, picture): (Tab, Option<WeightPicture>), actions: &mut Vec<Action>) {
    let (theme, frame) = (ctx.theme, ctx.model.frame().clone());
    let runs = ctx.view.shown.runs(frame.runs.len());
    let mut cx = context(ctx.model, ctx.view, ctx.prefs, (&frame, &runs));
    cx.options.picture = picture.unwrap_or(cx.options.picture);
    let response = ctx.plots.tab(tab).show(ui, &cx, theme);
    carry_out(ctx, &frame, response, actions);
}

/// Shows weight space in the place of the canvases, if the open tab offers that and it is chosen; returns whether it is.
pub fn weights(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
    let frame = ctx.model.frame();
    let offered = OF_FUNCTIONS.contains(&applying(ctx.view.plots.tab, frame)) && (WEIGHTS.applies)(frame);
    let Some(picture) = ctx.view.plots.options.beside.filter(|_| offered) else { return false };
    ctx.fade_if_stale(ui);
    show_tab(ctx, ui, (WEIGHTS, Some(picture)), actions);
    true
}

/// Shows the plot of a tab in the place of the canvases.
pub fn instead_of_canvases(ctx: &mut Ctx<'_>, ui: &mut Ui, tab: Tab, actions: &mut Vec<Action>) {
    ctx.fade_if_stale(ui);
    show_tab(ctx, ui, (tab, None), actions);
}

/// Lets the open tab paint over the canvas of some runs.
pub fn over_canvas(
    ctx: &mut Ctx<'_>,
    ui: &Ui,
    frame: &Frame,
    canvas: (&[usize], &CanvasResponse),
    actions: &mut Vec<Action>,
) {
    let folded = ctx.folded(Side::Bottom, ui.ctx()) && !ctx.shows_beside(ui.ctx());
    if folded || !ctx.offers_side(Side::Bottom) {
        return;
    }
    let runs = ctx.view.shown.runs(frame.runs.len());
    let cx = context(ctx.model, ctx.view, ctx.prefs, (frame, &runs));
    let response = ctx.plots.tab(applying(ctx.view.plots.tab, frame)).over_canvas(ui, &cx, canvas, ctx.theme);
    carry_out(ctx, frame, response, actions);
}

/// What the open tab may read.
fn context<'a>(
    model: &'a Model,
    view: &'a View,
    prefs: &'a Prefs,
    (frame, runs): (&'a Frame, &'a [usize]),
) -> PlotContext<'a> {
    let (study, pins) = (&view.studies.convergence, &prefs.pins[..]);
    let study = if applying(view.plots.tab, frame).study.repeats() {
        StudyContext {
            choice: study.choice,
            repeats: study.repeats(&frame.scenario, &model.identity()),
            version: study.version(),
            stale: study.stale(&frame.scenario),
            progress: study.progress(),
            missing: study.missing(model.scenario()),
        }
    } else {
        StudyContext::default()
    };
    let sweep = view.studies.sweep.context(model.scenario());
    let sweep = if applying(view.plots.tab, frame) == MAP { sweep } else { SweepContext::default() };
    PlotContext {
        frame,
        edited: Some(model.scenario()),
        range_test: view.studies.range_test.shown().map(|(run, points)| RangeContext {
            run,
            points,
            running: view.studies.range_test.running(),
        }),
        runs,
        range: view.plots.range_at(frame),
        coordinate: view.plots.coordinate.unwrap_or(0).min(frame.target.info().dimension - 1),
        options: view.plots.options,
        truth: view.shown.layers.truth,
        by_chain: view.shown.layers.draws == Draws::ByChain,
        computing: Computing::Background,
        study,
        sweep,
        reference: ReferenceContext {
            progress: view.studies.reference.progress(),
            missing: view.studies.reference.missing(frame),
        },
        stage: view.shown.layers.stage,
        slow: view.shown.slow.is_some(),
        step_of: view.plots.step_of,
        pointed: view.shown.pointing.shown(),
        path: &view.plots.path,
        coverage: CoverageContext {
            trail: &view.plots.coverage.trail,
            pins,
            selected: view.plots.coverage.selected.filter(|pin| *pin < pins.len()),
            restorable: !view.plots.coverage.removed.is_empty(),
        },
    }
}

/// The options of the open tab.
fn options(ctx: &mut Ctx<'_>, ui: &mut Ui, frame: &Frame, actions: &mut Vec<Action>) {
    let open = applying(ctx.view.plots.tab, frame);
    if (open.by_coordinate)(&ctx.view.plots.options) && frame.target.info().dimension > 1 {
        coordinates(&mut ctx.view.plots.coordinate, ui, frame);
    }
    let runs = ctx.view.shown.runs(frame.runs.len());
    let cx = context(ctx.model, ctx.view, ctx.prefs, (frame, &runs));
    let response = ctx.plots.tab(open).tools(ui, &cx, ctx.theme);
    carry_out(ctx, frame, response, actions);
    let help = "Show the whole run again (or double-click the plot)";
    if ctx.view.plots.range.is_some() && ui.add(Button::new("Whole run").small()).on_hover_text(help).clicked() {
        ctx.view.plots.range = None;
    }
}

/// The coordinates of a plot that shows one at a time.
fn coordinates(chosen: &mut Option<usize>, ui: &mut Ui, frame: &Frame) {
    let info = frame.target.info();
    let shown = chosen.unwrap_or(0).min(info.dimension - 1);
    for (coordinate, name) in info.axes.iter().take(info.dimension).enumerate() {
        let label = ui.selectable_label(shown == coordinate, *name);
        if label.on_hover_text("The coordinate that the plot shows").clicked() {
            *chosen = Some(coordinate);
        }
    }
}

/// Asks for repeats that the open tab lacks, once nobody drags anything and the frame shows what was asked for.
fn repeat_unasked(ctx: &Ctx<'_>, ui: &Ui, actions: &mut Vec<Action>) {
    let (frame, scenario) = (ctx.model.frame(), ctx.model.scenario());
    if applying(ctx.view.plots.tab, frame).study.repeats()
        && Arc::ptr_eq(scenario, &frame.scenario)
        && ctx.view.studies.convergence.wants(scenario)
        && !ui.input(|input| input.pointer.any_down())
    {
        actions.push(Action::Study(StudyAction::Repeat));
    }
}

/// Carries out what a person asked for on a tab.
fn carry_out(ctx: &mut Ctx<'_>, frame: &Frame, response: TabResponse, actions: &mut Vec<Action>) {
    let (view, pins) = (&mut ctx.view, &mut ctx.prefs.pins);
    for action in response.actions {
        match action {
            TabAction::Seek(tick) => actions.push(Action::Seek(tick)),
            TabAction::Set { run, path, value } => {
                let edit = ParamEdit { path, value: Some(value) };
                actions.push(Action::Edit(EditAction::Run { run, edit }));
            }
            TabAction::SetTarget { path, value } => {
                let edit = ParamEdit { path, value: Some(value) };
                actions.push(Action::Edit(EditAction::Target(vec![edit])));
            }
            TabAction::ShowCoordinates(names) => {
                let edit =
                    |(path, name): (&str, String)| ParamEdit { path: path.to_owned(), value: Some(Value::Text(name)) };
                let edits = ["shown_x", "shown_y"].into_iter().zip(names).map(edit).collect();
                actions.push(Action::Edit(EditAction::Target(edits)));
            }
            TabAction::ShowSteps(range) => view.plots.range = range,
            TabAction::ChooseStudy(choice) => view.studies.convergence.choice = choice,
            TabAction::SetOptions(options) => view.plots.set_options(options),
            TabAction::Study(action) => actions.push(Action::Study(action)),
            TabAction::Ask(questions) => actions.push(Action::Edit(EditAction::Questions(questions))),
            TabAction::EndRange => view.studies.range_test.close(),
            TabAction::ShowStepOf(step_of) => view.plots.step_of = step_of,
            TabAction::Stage(wish) => actions.push(Action::Stage(wish)),
            TabAction::ShowCycle(cycle) => view.plots.path.cycle = cycle,
            TabAction::PointAt(share) => view.plots.path.pointed = share,
            TabAction::Point(at) => view.shown.pointing.point(at),
            TabAction::PickOnCanvas(on) => view.plots.path.pick_on_canvas(on),
            TabAction::PickDraw { runs, at } => view.plots.path.pick(frame, &runs, at),
            TabAction::SelectPin(pin) => view.plots.coverage.selected = pin,
            TabAction::OpenPin(pin) => actions.push(Action::OpenPin(pin)),
            TabAction::AddPins(new) => {
                pin::add(pins, new);
                // The oldest pins may be gone, and numbers have changed.
                view.plots.coverage.selected = None;
            }
            TabAction::RemovePins(numbers) => {
                view.plots.coverage.removed = without(pins, &numbers);
                view.plots.coverage.selected = None;
            }
            TabAction::RestorePins => pin::add(pins, std::mem::take(&mut view.plots.coverage.removed)),
        }
    }
}

/// Takes the pins with these numbers out of the list.
fn without(pins: &mut Vec<Pin>, numbers: &[usize]) -> Vec<Pin> {
    let all = std::mem::take(pins).into_iter().enumerate();
    let (gone, kept): (Vec<_>, Vec<_>) = all.partition(|(number, _)| numbers.contains(number));
    let alone = |list: Vec<(usize, Pin)>| list.into_iter().map(|(_, pin)| pin).collect();
    *pins = alone(kept);
    alone(gone)
}
