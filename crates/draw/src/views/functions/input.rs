//! Input of the plots of functions.

use crate::canvas::pointing::Pointed;
use crate::kit::background::Computing;
use crate::kit::data_edit::Editing;
use engine::session::Frame;

/// Input of the plots.
#[derive(Clone, Copy, Debug)]
pub struct FunctionsInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// Whether the truth is shown.
    pub truth: bool,
    /// When the exact functions are computed.
    pub computing: Computing,
    /// Whether the data can be changed on the plots.
    pub editing: Editing,
    /// What the pointer is at.
    pub pointed: &'a Pointed,
}

/// Whether the plots are a figure, in which nothing moves and nobody points.
pub(super) fn printed(input: &FunctionsInput<'_>) -> bool {
    input.computing == Computing::Now
}
