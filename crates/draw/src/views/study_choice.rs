//! Choice of the convergence study: the measure, what it is drawn against, and the number of repeats.

use engine::diagnostics::quantities::QUANTITY_MEASURES;
use engine::diagnostics::{MeasureSpec, TRUTH_MEASURES};
use engine::session::analysis_measures;
use engine::session::repeats::Taken;

/// Repeats unless a person asks for another number.
const REPEATS: u64 = 8;

/// Repeats at most.
pub const MOST_REPEATS: u64 = 1000;

/// The measure unless a person chooses another.
const FIRST: &str = "tv";

/// All measures that can be chosen.
pub fn measures() -> impl Iterator<Item = &'static MeasureSpec> {
    TRUTH_MEASURES.iter().chain(QUANTITY_MEASURES.iter()).chain(analysis_measures())
}

/// Whether a measure is of quantities with names, which few targets have.
#[must_use]
pub fn of_quantities(spec: &MeasureSpec) -> bool {
    QUANTITY_MEASURES.iter().any(|own| own.key == spec.key)
}

/// The measure with this key.
#[must_use]
pub fn measure(key: &str) -> Option<&'static MeasureSpec> {
    measures().find(|spec| spec.key == key)
}

/// What the convergence study shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyChoice {
    /// The measure.
    pub spec: MeasureSpec,
    /// Whether its axis is logarithmic.
    pub log: bool,
    /// Repeats wanted, from 1 to [`MOST_REPEATS`].
    pub repeats: u64,
}

impl Default for StudyChoice {
    fn default() -> Self {
        let spec = *measure(FIRST).unwrap_or(&TRUTH_MEASURES[0]);
        Self { spec, log: true, repeats: REPEATS }
    }
}

impl StudyChoice {
    /// The measures that each repeat must take.
    #[must_use]
    pub fn taken(&self) -> Taken {
        let slow = analysis_measures().any(|spec| spec.key == self.spec.key);
        if slow { Taken::Analysis } else { Taken::Truth }
    }
}
