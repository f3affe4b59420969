//! `mode_switches`: number of times that chains change from one mode to another.
//!
//! The number of draws whose nearest mode (Euclidean) is not that of the draw of the same chain before, summed over
//! chains. Of a thinned series, see [`Series::every`](crate::diagnostics::Series::every), switches between draws that
//! were kept.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mode_switches",
    label: "Mode switches",
    help: "Number of draws whose nearest mode is not that of the previous draw of the same chain, over all chains. Long series are \
           thinned, and a switch there and back between two kept draws is not seen. It does not show whether modes are \
           visited in proportion to their weights.",
    better: Better::Higher,
    headline: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    Ok(path::switches(&path::modes(input)?) as f64)
}
