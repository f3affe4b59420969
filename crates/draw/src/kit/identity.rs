//! Identity: what pictures, curves and numbers beside the runs are of. Whatever is kept from one frame to the next, or is computed beside
//! the window, has an identity and is not shown with another one.

use super::background::{Same, SameTarget};
use engine::session::Frame;

/// What is drawn: the scenario that was loaded, its runs in their order, and the target.
///
/// Parameters of runs are not part of it. While a slider is dragged, the last picture of a run stays until the next is ready.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    load: u64,
    /// The name of each run, and the method that it starts with.
    runs: Vec<(String, &'static str)>,
    target: SameTarget,
}

impl Identity {
    /// That of a frame. `load` is a number that frames of other scenarios do not have, if there are any.
    #[must_use]
    pub fn of(frame: &Frame, load: u64) -> Self {
        let runs = frame.scenario.runs.iter().map(|run| (run.name.clone(), run.settings.kind.name)).collect();
        Self { load, runs, target: Same(frame.target.clone()) }
    }

    /// Whether the other one has the same runs of the same scenario, on whatever target.
    #[must_use]
    pub fn has_runs_of(&self, other: &Self) -> bool {
        (self.load, &self.runs) == (other.load, &other.runs)
    }

    /// The number of the scenario.
    #[must_use]
    pub fn load(&self) -> u64 {
        self.load
    }
}
