//! Input of the plot of bias and variance.

use crate::kit::background::Computing;
use crate::kit::time_axis::TimeAxis;
use engine::session::Frame;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct BiasVarianceInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs shown, by number.
    pub runs: &'a [usize],
    /// What the horizontal axes count, and their scale.
    pub axis: TimeAxis,
    /// When the numbers are computed.
    pub computing: Computing,
}
