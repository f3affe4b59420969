//! `mode_switches`: how often chains change modes.
//!
//! The number of draws whose nearest mode (Euclidean) is not that of the draw of the same chain before, summed over chains. Of a
//! thinned series, see [`Series::every`](crate::diagnostics::Series::every), switches between draws that were kept.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mode_switches",
    label: "Mode switches",
    help: "How often the mode nearest to a draw is not that of the chain's draw before, over all chains. Long series are \
           thinned, and switches there and back between two draws that were kept are not seen; nor is whether modes are \
           visited as often as they weigh.",
    better: Better::Higher,
    headline: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    Ok(path::switches(&path::modes(input)?) as f64)
}
