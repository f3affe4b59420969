//! Modes in which cycles end: of a chain, the number of modes that at least one cycle of its schedule ends in; of several chains, the mean.
//!
//! A chain of modes: its expectation is computed without draws as well (`distributions`). It does not see where a chain has been within cycles.

use std::collections::BTreeSet;

use super::{Better, Measure, MeasureSpec};

/// What it is.
pub static END_MODES: MeasureSpec = MeasureSpec {
    key: "end_modes",
    label: "modes at the ends",
    help: "The number of modes in which at least one cycle of a chain ends, as the mean over chains. A mode is what is nearest to its centre.",
    better: Better::Higher,
    headline: false,
    of_truth: true,
};

/// Reason of a run whose schedule has no cycles, or none that has ended.
const NONE: &str = "no cycle has ended";

/// The measure of chains, from the numbers of the modes at the ends of their cycles.
#[must_use]
pub fn measure_end_modes(chains: &[Vec<usize>]) -> Measure {
    let distinct = |ends: &Vec<usize>| ends.iter().collect::<BTreeSet<_>>().len() as f64;
    let ended: Vec<f64> = chains.iter().filter(|ends| !ends.is_empty()).map(distinct).collect();
    let mean = ended.iter().sum::<f64>() / ended.len() as f64;
    Measure::new(END_MODES.key, if ended.is_empty() { Err(NONE) } else { Ok(mean) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_count_once_and_chains_are_averaged() {
        assert_eq!(measure_end_modes(&[vec![3, 3, 1], vec![2], vec![]]).value, Some(1.5));
        assert_eq!(measure_end_modes(&[vec![]]), Measure::new("end_modes", Err(NONE)));
    }
}
