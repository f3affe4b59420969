//! `residence`: mean number of consecutive draws that a chain spends in a mode.
//!
//! The mean number of consecutive draws of a chain with the same nearest mode: collected draws divided by visits, the
//! first and the last visit of a chain counted as they are, though cut off. Both are counted while the chains run.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "residence",
    label: "Residence",
    help: "Mean number of consecutive draws of a chain in one mode: collected draws divided by visits. At most the \
           number of draws of a chain, if it never leaves its mode. Short visits do not mean that chains are where the mass is.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    path::check(input)?;
    Ok(input.collected as f64 / input.totals.visits as f64)
}
