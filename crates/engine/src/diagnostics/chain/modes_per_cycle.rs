//! `modes_per_cycle`: mean number of modes that a cycle of the schedule visits.
//!
//! The mean, over cycles and chains with draws, of the number of distinct modes nearest to the draws of the cycle.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "modes_per_cycle",
    label: "Modes per cycle",
    help: "Number of distinct modes nearest to the draws of one cycle of one chain, the mean over cycles and chains. Cyclical \
           sampling is meant to find one new mode in each cycle (Zhang et al. 2020); a larger value means that draws are collected while steps are \
           still large enough to change modes. It does not show whether cycles find different modes. Above a \
           million draws only every second, fourth … row is used, and short visits between two of them are not seen.",
    better: Better::Neither,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    let modes = path::modes(input)?;
    let mut seen = vec![0_u64; input.truth.modes().len()];
    let (mut cycles, mut distinct) = (0, 0);
    for cycle in path::by_cycle(&modes, input)? {
        cycles += 1;
        for &mode in cycle {
            distinct += u64::from(seen[mode] != cycles);
            seen[mode] = cycles;
        }
    }
    Ok(distinct as f64 / cycles as f64)
}
