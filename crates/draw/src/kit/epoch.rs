//! Which draws of a run belong together.

use super::background::{Same, SameTarget};
use engine::session::{Frame, RunFrame};

/// Draws of one generation, from one target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Epoch {
    generation: u64,
    target: SameTarget,
    since: u64,
    fitted: bool,
}

impl Epoch {
    /// That of the newest draws of a run.
    pub fn of(frame: &Frame, run: &RunFrame) -> Self {
        let target = Same(frame.target.clone());
        Self { generation: frame.generation, target, since: run.target_since, fitted: run.fits.is_some() }
    }
}
