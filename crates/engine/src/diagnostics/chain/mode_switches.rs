//! `mode_switches`: number of times that chains change from one mode to another.
//!
//! The number of draws whose nearest mode (Euclidean) is not that of the collected draw of the same chain before, summed
//! over chains. They are counted while the chains run (`diagnostics/visits`), so that every draw is seen, however many
//! there are.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mode_switches",
    label: "Mode switches",
    help: "Number of draws whose nearest mode is not that of the previous draw of the same chain, over all chains and all collected draws. \
           It does not show whether modes are visited in proportion to their weights.",
    better: Better::Higher,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    path::check(input)?;
    Ok(input.totals.switches as f64)
}
