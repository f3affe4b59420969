//! Input and response of the plot of steps.

use super::lines::Lines;
use crate::views::StepOf;
use engine::session::Frame;
use samplers::methods::Phase;

/// The chain whose numbers are shown.
pub(super) const CHAIN: usize = 0;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepInput<'a> {
    pub(super) frame: &'a Frame,
    /// The runs that are shown, by number.
    pub(super) runs: &'a [usize],
    /// The stage of the step until which it is shown; `None` for the whole step.
    pub(super) stage: Option<usize>,
    /// The phase that the pointer was at in the last frame.
    pub(super) phase: Option<Phase>,
    /// Whether formulas are shown.
    pub(super) formula: bool,
    /// How lines are shown.
    pub(super) lines: Lines,
    /// The run whose step is shown where there is no space for those of all.
    pub(super) step_of: StepOf,
}

/// What happened on the plot.
#[must_use]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StepResponse {
    /// The phase under the pointer.
    pub(super) pointed: Option<Phase>,
    /// The run that is chosen, and the one that is shown alone.
    pub(super) step_of: StepOf,
}
