//! `divergences`: number of divergent transitions, as Stan and ArviZ count them.
//!
//! A transition along Hamiltonian dynamics is divergent if the error of its energy exceeds 1000 or is not a number (Betancourt 2017,
//! arXiv:1701.02434, section 6.2). Those that lead to collected draws count, after the warm-up of an adaptation.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "divergences",
    label: "Divergent transitions",
    help: "Number of transitions of HMC and NUTS whose energy error exceeds 1000 (Betancourt 2017), of collected draws after the warm-up, \
           as Stan and ArviZ count them. The steps are too large for the curvature there, and draws miss such regions. 0 of other methods.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    let is_all_warm_up = input.collected > 0 && input.totals.warm_up == input.collected;
    if is_all_warm_up { Err("all draws are of the warm-up") } else { Ok(input.totals.divergent as f64) }
}
