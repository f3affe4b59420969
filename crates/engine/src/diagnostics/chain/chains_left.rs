//! `chains_left`: number of chains that have left the target for good.
//!
//! A chain has left if a coordinate is no longer finite, or if it is more than 10⁶ times the longer side of the view
//! from the middle of the view, where no draw of any target is (`session/reach`). It is stopped where it was before that
//! step; its draws up to there count.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "chains_left",
    label: "Chains that left",
    help: "Number of chains whose position is no longer finite, or more than 10⁶ views away, because steps were too large for the \
           curvature of the target. They take no further steps, and their draws up to there count. It does not show the bias of large steps.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    Ok(input.diverged as f64)
}
