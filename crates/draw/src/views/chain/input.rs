//! Input of the plots of chains.

use crate::kit::background::Computing;
use engine::session::{Frame, RunFrame};

/// Input of the plots.
#[derive(Clone, Copy, Debug)]
pub struct ChainPlotInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// Coordinate 0 (x) or 1 (y).
    pub coordinate: usize,
    /// When the numbers are computed.
    pub computing: Computing,
    /// Whether the truth is shown.
    pub truth: bool,
}

/// The runs shown.
pub(super) fn shown<'a>(input: &'a ChainPlotInput<'_>) -> impl Iterator<Item = (usize, &'a RunFrame)> {
    input.runs.iter().filter_map(|&run| Some((run, input.frame.runs.get(run)?)))
}
