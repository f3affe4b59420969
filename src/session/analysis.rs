//! What takes too long to be worked out with every frame: measures of the chains, made from the draws themselves.

use crate::diagnostics::Measure;

/// The measures of the chains of a run at one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The step at which they were worked out.
    pub step: u64,
    /// The measures, in the order of the registry; empty before the first time.
    pub measures: Vec<Measure>,
}
