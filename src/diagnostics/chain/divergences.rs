//! `divergences`: number of chains that have diverged (a coordinate is not finite).
//!
//! A chain whose position or gradient is no longer finite is stopped where it is; its draws up to there count.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "divergences",
    label: "Diverged chains",
    help: "Number of chains whose position is no longer finite, because steps were too large for the curvature of the target. \
           It does not count chains that oscillate widely but stay finite, and it does not show the bias of large steps.",
    better: Better::Lower,
    headline: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    Ok(input.diverged as f64)
}
