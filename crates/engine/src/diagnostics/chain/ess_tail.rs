//! `ess_tail`: effective sample size of the tails, from the 5% and 95% quantiles.
//!
//! The smaller [ESS](super::ess) of the two indicators of draws up to the 5% and up to the 95% quantile (Vehtari et al.
//! 2021, arXiv:1903.08008, §4.2). Shown is the smallest over coordinates.
//!
//! If all draws are on one side of a quantile, as with few distinct values, its indicator is worth as many draws as
//! there are, as in ArviZ. Where we deviate: if that is so of both, there is no ESS.

use super::super::{Better, MeasureSpec, Outcome};
use super::ess::{of_quantile, quantile};
use super::halves::checked;

/// The quantiles between which the bulk is.
const TAILS: [f64; 2] = [0.05, 0.95];

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "ess_tail",
    label: "Tail ESS",
    help: "The smaller effective sample size of the 5% and the 95% quantile, the smallest over coordinates: how well the tails \
           of the visited region are estimated (Vehtari et al. 2021). Weights are ignored; above a million draws only every second, fourth … row is \
           used, which makes the value smaller if draws are independent. With fewer than 20 draws per chain and 1000 in all there is none. It does not see tails that no chain has reached.",
    // Chains that are worth most draws may draw from another distribution.
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

/// The smaller ESS of the 5% and the 95% quantile.
///
/// # Errors
///
/// With fewer than four draws per chain, draws that are not finite, or draws that are all equal.
pub fn ess_tail(chains: &[&[f64]]) -> Outcome {
    let length = checked(chains)?;
    let mut draws: Vec<f64> = chains.iter().flat_map(|chain| &chain[..length]).copied().collect();
    match TAILS.map(|share| of_quantile(chains, quantile(&mut draws, share))) {
        [Ok(low), Ok(high)] => Ok(low.min(high)),
        [Ok(one), Err(_)] | [Err(_), Ok(one)] => Ok(one.min((length / 2 * 2 * chains.len()) as f64)),
        [Err(reason), Err(_)] => Err(reason),
    }
}
