//! Input of the measures against the truth.

use super::super::{DrawStatistics, Truth};

/// The truth about a target, and the statistics of the draws that are compared with it.
#[derive(Clone, Copy, Debug)]
pub struct TruthInput<'a> {
    pub truth: &'a Truth,
    pub statistics: &'a DrawStatistics,
}

/// Reason why a measure of distance has no value: draws lie outside even the wider grid around the view.
pub const FURTHER_OUT: &str = "draws too far outside the view";
