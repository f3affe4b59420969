//! `divergences`: the number of chains that have left all numbers.
//!
//! A chain whose position or gradient is no longer finite is stopped where it is; its draws up to there count.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "divergences",
    label: "Diverged chains",
    help: "Number of chains whose position is no longer a finite number: steps too large for the curvature of the target. \
           It does not see chains that swing widely without leaving, and none of the bias that large steps leave.",
    better: Better::Lower,
    headline: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    Ok(input.diverged as f64)
}
