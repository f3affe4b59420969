//! `rhat`: rank-normalised split R̂, the larger one of the bulk and of the folded draws.
//!
//! R̂ = √(((n − 1) + B/W) / n) on the normal scores of the halves of all chains, with B the variance between them and W
//! that within; folded: the same of the distances from the median, which sees chains of unequal width. Source: Vehtari,
//! Gelman, Simpson, Carpenter, Bürkner 2021, arXiv:1903.08008, §3.1 and §4.1; they ask for less than 1.01. Without
//! ranks it is the split R̂ of Gelman et al. 2013. Shown is the largest over coordinates.
//!
//! Where we deviate from ArviZ: chains of which none moves have no R̂ here and an infinite one there.

use super::super::{Better, MeasureSpec, Outcome};
use super::halves::{Halves, ONE_CHAIN, potential_scale_reduction};

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "rhat",
    label: "R-hat",
    help: "Rank-normalised split R-hat, bulk or folded, the largest over coordinates: spread of all split \
           chains together, divided by the spread within each. 1 when chains agree; below 1.01 is recommended (Vehtari et al. 2021). It shows \
           whether chains agree, not whether they are right: four chains in one mode agree perfectly. Above a million \
           draws only every second, fourth … row is used.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

/// R̂ below which chains are said to have converged: Vehtari et al. 2021, §4.1.
pub const CONVERGED: f64 = 1.01;

/// The keys of R̂: of coordinates, of named quantities, of functions and of weights.
const KEYS: [&str; 4] = ["rhat", "quantity_rhat", "rhat_functions", "rhat_weights"];

/// The value below which a measure is asked to be; `None` of what is no R̂.
#[must_use]
pub fn asked_below(key: &str) -> Option<f64> {
    KEYS.contains(&key).then_some(CONVERGED)
}

/// The rank-normalised split R̂: the larger of bulk and folded.
///
/// # Errors
///
/// With fewer than two chains or four draws per chain, draws that are not finite, all equal, or no chain that moves.
pub fn rhat(chains: &[&[f64]]) -> Outcome {
    let (scores, folded) = comparable(chains)?.scores_and_folded();
    let bulk = potential_scale_reduction(&scores)?;
    // Draws of two values have equal distances from their median, which then say nothing.
    if folded.all_equal() {
        return Ok(bulk);
    }
    Ok(bulk.max(potential_scale_reduction(&folded)?))
}

/// The split R̂ of the draws themselves.
///
/// # Errors
///
/// Like [`rhat`].
pub fn split_rhat(chains: &[&[f64]]) -> Outcome {
    potential_scale_reduction(&comparable(chains)?)
}

fn comparable(chains: &[&[f64]]) -> Result<Halves, &'static str> {
    let halves = Halves::of(chains)?;
    if chains.len() < 2 { Err(ONE_CHAIN) } else { Ok(halves) }
}
