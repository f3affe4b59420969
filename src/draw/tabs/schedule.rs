//! Tab of step sizes over the run: an editor of schedules.

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::draw::plots::schedule::{self, ScheduleEdit, ScheduleInput, ScheduleState};
use crate::draw::plots::steps::StepAxis;
use crate::draw::theme::Theme;
use crate::params::Value;
use crate::scenario::{RunSpec, Scenario};

pub static TAB: TabSpec = TabSpec {
    key: "schedule",
    label: "Schedule",
    help: "Step sizes against steps; drag the handles to change them",
    by_coordinate: false,
    study: StudyUse::Nothing,
    make: || Box::<Schedule>::default(),
};

#[derive(Debug, Default)]
struct Schedule {
    /// Whether step sizes are on a logarithmic axis.
    log: bool,
    /// Whether they are shown as ε; the convention of the scenario until a person chooses.
    epsilon: Option<bool>,
    /// Whether a drag draws a curve.
    draws: bool,
    state: ScheduleState,
}

impl PlotTab for Schedule {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let input = ScheduleInput {
            steps: cx.steps(StepAxis::Linear),
            log: self.log,
            epsilon: self.epsilon(cx),
            scenario: cx.edited,
            draws: self.draws && cx.edited.is_some(),
            truth: true, // With the truth hidden this is false: it hides the strip of modes.
        };
        let shown = schedule::show(ui, &input, theme, &mut self.state);
        let mut response = TabResponse::of_steps(ui, shown.steps);
        if let Some(ScheduleEdit { run, path, value }) = shown.edit {
            // After a stroke the handles are back.
            self.draws = false;
            response.push(TabAction::Set { run, path, value });
        }
        response
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        ui.checkbox(&mut self.log, "log").on_hover_text("Step sizes on a logarithmic axis");
        let mut epsilon = self.epsilon(cx);
        let help = "Step sizes as Welling and Teh’s ε = 2α; the scenario keeps its own convention";
        if ui.checkbox(&mut epsilon, "ε").on_hover_text(help).changed() {
            self.epsilon = Some(epsilon);
        }
        if let Some(run) = self.state.active(cx.runs).and_then(|run| cx.frame.runs.get(run)) {
            let help = format!(
                "Draw the step sizes of {} with the pointer. The curve becomes a custom schedule of at most 64 knots.",
                run.plan.name
            );
            ui.toggle_value(&mut self.draws, "Draw by hand").on_hover_text(help);
        }
        TabResponse::default()
    }
}

impl Schedule {
    /// Whether step sizes are shown as ε.
    fn epsilon(&self, cx: &PlotContext<'_>) -> bool {
        self.epsilon.unwrap_or_else(|| in_epsilon(&cx.frame.scenario))
    }
}

/// Whether all schedules of a scenario have numbers in Welling and Teh’s convention.
fn in_epsilon(scenario: &Scenario) -> bool {
    let convention = |run: &RunSpec| run.settings.at("step_size.convention").cloned();
    let mut known = scenario.runs.iter().filter_map(convention).peekable();
    known.peek().is_some() && known.all(|word| word == Value::Choice("welling-teh"))
}
