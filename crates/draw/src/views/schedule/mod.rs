//! Tab of step sizes over the run: an editor of schedules.

mod by_hand;
mod course;
mod curve;
mod editor;
mod expected;
pub mod geometry;
mod handles;
mod inflation;
mod plot;
mod preview;
pub(crate) mod range_test;
mod scale;
mod stability;
mod strip;

use egui::{Button, ProgressBar, Ui, UiBuilder};

use super::controls::{option, time_axis};
use super::{PlotContext, PlotTab, RangeContext, StudyUse, TabAction, TabResponse, TabSpec};
use crate::kit::run_header;
use crate::theme::Theme;
use crate::views::study_action::StudyAction;
use base::params::Value;
use engine::scenario::practice::practice;
use engine::scenario::view::{options, tabs};
use engine::scenario::{RunSpec, Scenario, write_parameter};
use engine::session::range_test::POINTS;
use engine::session::{Frame, RunFrame};
use samplers::schedules::Library;

use course::{ScheduleEdit, can_be_tested, is_free};
use expected::Expected;
pub(crate) use handles::GESTURES;
use plot::{ScheduleInput, ScheduleState};

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::SCHEDULE,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: false,
    applies: has_steps,
    make: || Box::<Schedule>::default(),
};

/// Whether a method has a step size.
fn has_steps(frame: &Frame) -> bool {
    frame.runs.iter().any(|run| run_header::step_symbol(frame, run).is_some())
}

#[derive(Debug, Default)]
struct Schedule {
    /// Whether step sizes are shown as ε; the convention of the scenario until a person chooses.
    epsilon: Option<bool>,
    /// Whether a drag draws a curve.
    draws: bool,
    /// What is expected of the schedule, beside it.
    expected: Expected,
    state: ScheduleState,
}

impl PlotTab for Schedule {
    /// Curves belong to the plans of runs, and cycles to a generation.
    fn outlasts_target(&self) -> bool {
        true
    }

    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        if let Some(test) = cx.range_test {
            return tested(ui, cx, test, theme);
        }
        let input = ScheduleInput {
            steps: cx.steps(false),
            log: cx.options.log,
            epsilon: self.epsilon(cx),
            scenario: cx.edited,
            draws: self.draws && cx.edited.is_some(),
            truth: cx.exact(),
            curvature: cx.truth,
        };
        let chosen = self.state.chosen(cx.runs);
        // Modes and total variation tell of the truth.
        let beside = cx.edited.filter(|_| cx.truth);
        let beside = beside.and_then(|edited| Some((edited, self.expected.beside(ui, cx.frame, chosen, theme)?)));
        let shown = match beside {
            None => plot::show(ui, &input, theme, &mut self.state),
            Some((edited, [left, right])) => {
                let other =
                    chosen.and_then(|run| self.expected.show(ui, (cx.frame, edited), (cx.runs, run), right, theme));
                if let Some(other) = other {
                    self.state.choose(other);
                }
                let builder = UiBuilder::new().id_salt("curve").max_rect(left);
                ui.scope_builder(builder, |ui| plot::show(ui, &input, theme, &mut self.state)).inner
            }
        };
        let mut response = TabResponse::of_steps(ui, shown.steps);
        if let Some(ScheduleEdit { run, path, value }) = shown.edit {
            // After a stroke the handles are back.
            self.draws = false;
            response.push(TabAction::Set { run, path, value });
        }
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        if let Some(test) = cx.range_test {
            return range_tools(ui, test, theme);
        }
        let mut options = cx.options;
        option::flag(ui, &mut options.log, &options::LOG);
        let mut epsilon = self.epsilon(cx);
        let help = "Step sizes as Welling and Teh’s ε = 2α; the scenario keeps its own convention";
        if ui.checkbox(&mut epsilon, "ε = 2α").on_hover_text(help).changed() {
            self.epsilon = Some(epsilon);
        }
        let mut response = time_axis::of_runs(ui, cx, options, theme);
        let active = self.state.active(cx.runs);
        let run = active.and_then(|number| Some((number, cx.frame.runs.get(number)?)));
        if let Some((number, run)) = run.filter(|(_, run)| run_header::step_symbol(cx.frame, run).is_some()) {
            let help = format!(
                "Draw the step sizes of {} with the pointer. The curve becomes a custom schedule of at most 64 knots.",
                run.plan.name
            );
            // What the file locks has no control.
            self.draws &= cx.edited.is_none_or(|scenario| is_free(scenario, number, None));
            if cx.edited.is_some_and(|scenario| is_free(scenario, number, None)) {
                ui.toggle_value(&mut self.draws, "Draw").on_hover_text(help);
            }
            if cx.edited.is_some() && cx.truth {
                self.expected.switch(ui, cx.frame, cx.runs);
            }
            copy_menu(ui, cx.frame, run);
            if !cx.edited.is_some_and(|scenario| can_be_tested(cx.frame, scenario, number)) {
                return response;
            }
            // Approximations take no steps of a sampler, and chains without positions have no drift and noise.
            let has_parts = run.fits.is_none() && cx.frame.target.family().no_positions.is_none();
            let button = ui.add_enabled(has_parts, Button::new("Range test"));
            if button.on_hover_text(format!("{}\n{}", range_test::HELP, run.plan.name)).clicked() {
                response.ask(StudyAction::RangeTest { run: number, centre: range_test::present(run) });
            }
        }
        response
    }
}

impl Schedule {
    /// Whether step sizes are shown as ε.
    fn epsilon(&self, cx: &PlotContext<'_>) -> bool {
        self.epsilon.unwrap_or_else(|| in_epsilon(&cx.frame.scenario))
    }
}

/// The range test in place of the schedule; a click on it sets the step size of its run.
fn tested(ui: &mut Ui, cx: &PlotContext<'_>, test: RangeContext<'_>, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    let Some(run) = cx.frame.runs.iter().position(|run| run.plan.name == test.run) else { return response };
    let chosen = range_test::show(ui, cx.frame, run, test.points, theme);
    let edit =
        chosen.zip(cx.edited).and_then(|(alpha, scenario)| course::with_step_size(cx.frame, scenario, run, alpha));
    if let Some(ScheduleEdit { run, path, value }) = edit {
        response.push(TabAction::Set { run, path, value });
    }
    response
}

/// The controls of the range test.
fn range_tools(ui: &mut Ui, test: RangeContext<'_>, theme: &Theme) -> TabResponse {
    let mut response = TabResponse::default();
    let (word, help) = if test.running {
        ("Cancel", "Stop the range test and show the schedule")
    } else {
        ("Back to the schedule", "Close the range test")
    };
    if ui.button(word).on_hover_text(help).clicked() {
        response.push(TabAction::EndRange);
    }
    if test.running {
        let share = test.points.len() as f32 / POINTS as f32;
        ui.add(ProgressBar::new(share).desired_width(theme.space(20.0)).desired_height(theme.space(3.0)));
    }
    ui.weak("Click in the plot to set the step size").on_hover_text(range_test::HELP);
    response
}

/// The menu that copies the schedule of a run as text.
fn copy_menu(ui: &mut Ui, frame: &Frame, run: &RunFrame) {
    let plan = &run.plan;
    let Some(spec) = frame.scenario.runs.iter().find(|spec| spec.name == plan.name) else { return };
    let sizes = plan.step_sizes();
    let practice = || practice(&frame.scenario, spec, plan).0;
    let of_library = |library| sizes.text(library, &practice());
    let toml = write_parameter(&spec.settings, "step_size");
    let button = ui.menu_button("Copy schedule", |ui| {
        let mut item = |enabled: bool, label: &str, help: &str, text: &dyn Fn() -> Option<String>| {
            // The text is made when it is asked for: that of a long run takes some time.
            if ui.add_enabled(enabled, Button::new(label)).on_hover_text(help).clicked() {
                ui.copy_text(text().unwrap_or_default());
                ui.close();
            }
        };
        item(!toml.is_empty(), "As TOML", "The line of a scenario file, without events", &|| Some(toml.clone()));
        for (label, help, library) in LIBRARIES {
            let is_whole = library == Library::NumPy;
            let has_text = if is_whole { sizes.has_program(&practice()) } else { sizes.has_formula() };
            item(has_text, label, help, &|| of_library(library));
        }
        item(true, "As CSV", "A table of steps and step sizes α, at most 10 000 lines", &|| Some(sizes.csv()));
    });
    button
        .response
        .on_hover_text(format!("Copy the step sizes of {} for a scenario, Python or a table", run.plan.name));
}

/// The libraries for which a schedule is copied: label, help.
const LIBRARIES: [(&str, &str, Library); 4] = [
    ("As Python", "Python functions of a step: its size, and whether its draw is collected", Library::Python),
    ("As PyTorch LambdaLR", "The same for torch.optim.lr_scheduler.LambdaLR", Library::PyTorch),
    ("As optax schedule", "The same for optax, made of jax.numpy", Library::Optax),
    ("As NumPy, with the steps", "The whole run: step sizes, noise and the step of the method", Library::NumPy),
];

/// Whether all schedules of a scenario have numbers in Welling and Teh’s convention.
fn in_epsilon(scenario: &Scenario) -> bool {
    let convention = |run: &RunSpec| run.settings.at("step_size.convention").cloned();
    let mut known = scenario.runs.iter().filter_map(convention).peekable();
    known.peek().is_some() && known.all(|word| word == Value::Choice("welling-teh"))
}
