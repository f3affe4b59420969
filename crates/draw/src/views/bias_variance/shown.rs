//! What the plots of bias and variance show.

use std::ops::Range;

use egui::Color32;

use super::cache;
use super::input::BiasVarianceInput;
use crate::kit::time_axis::Along;
use engine::session::{Curve, SmoothingErrors};
use samplers::methods::Average;

/// Common data of both plots.
pub(super) struct Shown<'a> {
    pub(super) input: &'a BiasVarianceInput<'a>,
    /// The horizontal axis for the run.
    pub(super) along: Along,
    /// Steps that the run has taken.
    pub(super) step: u64,
    pub(super) smoothing: &'a SmoothingErrors,
    pub(super) entry: &'a cache::Entry,
    pub(super) colour: Color32,
    /// The decades of each.
    pub(super) values: [Range<f64>; 2],
}

/// The curves for several lengths of the average that the run uses.
pub(super) fn windows(smoothing: &SmoothingErrors) -> &[(usize, Curve)] {
    if smoothing.average == Average::Gradients { &smoothing.gradients } else { &smoothing.windows }
}
