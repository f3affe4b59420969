//! Output of the plot tabs: what a person asked for, as data. The window carries it out; figures drop it.

use std::ops::Range;

use egui::Ui;

use super::coverage::pin::Pin;
use super::study_choice::StudyChoice;
use super::{PlotContext, PlotOptions, StepOf};
use crate::canvas::CanvasResponse;
use crate::canvas::pointing::{self, Pointed};
use crate::kit::data_edit::DataEdit;
use crate::kit::gestures::moved_by_hand;
use crate::kit::steps::{RangeChange, StepsResponse};
use crate::theme::Theme;
use crate::views::study_action::StudyAction;
use base::math::Point;
use base::params::Value;
use engine::scenario::Question;

/// A wish about the stages of the newest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageMove {
    /// To the next stage, or to the first one of the next step.
    On,
    /// To the stage before, or to the last one of the step before.
    Back,
    /// One stage after the other by themselves, or no longer.
    SlowMotion,
}

/// What a person asked for on a plot or with its controls.
#[derive(Clone, Debug, PartialEq)]
pub enum TabAction {
    /// Go to this tick of the transport.
    Seek(u64),
    /// Give the parameter of a run at a dotted path another value.
    Set { run: usize, path: String, value: Value },
    /// Give the parameter of the target at a dotted path another value.
    SetTarget { path: String, value: Value },
    /// Show the coordinates with these names on the canvases, along x and y.
    ShowCoordinates([String; 2]),
    /// Show these steps or evaluations; `None` for all of them.
    ShowSteps(Option<Range<f64>>),
    /// Choose a measure, its axes or the number of repeats.
    ChooseStudy(StudyChoice),
    /// Choose options of plots.
    SetOptions(PlotOptions),
    /// Ask something of a study beside the runs.
    Study(StudyAction),
    /// Ask other questions of the sweep.
    Ask(Vec<Question>),
    /// End the range test, and show the schedule again.
    EndRange,
    /// Show another stage of the newest step.
    Stage(StageMove),
    /// Take note of the run whose step is shown alone.
    ShowStepOf(StepOf),
    /// Show the line that begins at the end of this cycle; `None` for the newest one.
    ShowCycle(Option<u64>),
    /// Mark this position λ of the line on the canvas; `None` for no position.
    PointAt(Option<f64>),
    /// Show what is under the pointer in all plots.
    Point(Pointed),
    /// Pick draws on the canvas, or stop doing so.
    PickOnCanvas(bool),
    /// Pick the draw of these runs, by number, that is nearest to a point in θ.
    PickDraw { runs: Vec<usize>, at: Point },
    /// Select a pin by number, or none.
    SelectPin(Option<usize>),
    /// Open the scenario of a pin.
    OpenPin(usize),
    /// Add pins.
    AddPins(Vec<Pin>),
    /// Remove pins by number.
    RemovePins(Vec<usize>),
    /// Restore the pins that were removed last.
    RestorePins,
}

/// What happened on a tab, in the order in which it happened.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TabResponse {
    /// What a person asked for.
    pub actions: Vec<TabAction>,
}

impl TabResponse {
    /// Adds an action.
    pub(super) fn push(&mut self, action: TabAction) {
        self.actions.push(action);
    }

    /// Asks something of a study.
    pub(super) fn ask(&mut self, action: StudyAction) {
        self.push(TabAction::Study(action));
    }

    /// What is under the pointer on the canvas of some runs; the draw that it is at is marked there.
    pub(super) fn of_canvas(ui: &Ui, cx: &PlotContext<'_>, canvas: (&[usize], &CanvasResponse), theme: &Theme) -> Self {
        let pointed = pointing::over_canvas(ui, (cx.frame, cx.runs), canvas, cx.pointed, theme);
        Self { actions: pointed.map(TabAction::Point).into_iter().collect() }
    }

    /// What happened to the data of the target.
    pub(super) fn of_data(edit: Option<DataEdit>) -> Self {
        let actions = edit.map(|(path, value)| TabAction::SetTarget { path, value });
        Self { actions: actions.into_iter().collect() }
    }

    /// The options after their controls were shown.
    pub(super) fn of_options(cx: &PlotContext<'_>, options: PlotOptions) -> Self {
        let changed = options != cx.options;
        Self { actions: changed.then_some(TabAction::SetOptions(options)).into_iter().collect() }
    }

    /// What happened on a plot over time.
    pub(super) fn of_steps(ui: &Ui, response: StepsResponse) -> Self {
        let touched = moved_by_hand(ui, &response.response);
        let mut all = Self::default();
        match response.range {
            RangeChange::To(range) if touched => all.push(TabAction::ShowSteps(Some(range))),
            RangeChange::Unchanged | RangeChange::To(_) => {}
            RangeChange::Reset => all.push(TabAction::ShowSteps(None)),
        }
        all.actions.extend(response.seek.map(TabAction::Seek));
        all
    }
}
