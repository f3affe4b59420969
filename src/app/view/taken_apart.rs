//! The newest step while it is taken apart: what the readout counts until the end of the step is shown.

use std::sync::Arc;

use draw::geometry::{algorithm_of, stages};
use engine::session::Frame;

/// The frames of a step that is shown part by part, and of the one before.
#[derive(Debug, Default)]
pub struct TakenApart {
    newest: Option<Arc<Frame>>,
    before: Option<Arc<Frame>>,
}

impl TakenApart {
    /// Before a step is taken.
    #[must_use]
    pub fn at(frame: &Arc<Frame>) -> Self {
        Self { newest: Some(frame.clone()), before: None }
    }

    /// Takes note of the frame that is shown: where it is one step further than the last one, that is the frame before it.
    pub fn follow(&mut self, frame: &Arc<Frame>) {
        let last = self.newest.replace(frame.clone());
        let same_runs = |last: &Arc<Frame>| {
            Arc::ptr_eq(&last.scenario, &frame.scenario) && Arc::ptr_eq(&last.target, &frame.target)
        };
        match last.filter(same_runs) {
            Some(last) if last.time.tick == frame.time.tick => {}
            Some(last) if last.time.tick + 1 == frame.time.tick => self.before = Some(last),
            _ => self.before = None,
        }
    }

    /// The frame before the newest step; `None` where it was not seen.
    #[must_use]
    pub fn before(&self) -> Option<&Arc<Frame>> {
        self.before.as_ref()
    }
}

/// The largest number of parts of the newest step of some runs.
#[must_use]
pub fn parts(frame: &Frame, runs: &[usize]) -> usize {
    let runs = runs.iter().filter_map(|&run| frame.runs.get(run));
    runs.filter_map(|run| Some(stages(algorithm_of(frame, run)?, run.records.first()).len())).max().unwrap_or(0)
}
