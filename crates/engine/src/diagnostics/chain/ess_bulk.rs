//! `ess_bulk`: effective sample size of the bulk of the draws, from rank-normalised draws.
//!
//! The [ESS](super::ess) of the normal scores of the halves of all chains (Vehtari et al. 2021, arXiv:1903.08008, §4.2).
//! It exists even if the target has no variance. Shown is the smallest over coordinates.

use super::super::{Better, MeasureSpec, Outcome};
use super::ess::effective;
use super::halves::Halves;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "ess_bulk",
    label: "Bulk ESS",
    help: "Effective sample size of the rank-normalised draws, the smallest over coordinates: the number of independent draws that would \
           estimate the middle of the distribution equally well. At least 100 per chain are recommended (Vehtari et al. 2021). Weights are \
           ignored; above a million draws only every second, fourth … row is used, which makes the value smaller if draws are independent. \
           With fewer than 20 draws per chain and 1000 in all there is none. It shows how slowly chains mix where they have been; it sees neither bias nor modes that no chain has found.",
    // Chains that are worth most draws may draw from another distribution.
    better: Better::Neither,
    headline: true,
    of_truth: false,
};

/// ESS of the normal scores of the draws.
///
/// # Errors
///
/// With fewer than four draws per chain, draws that are not finite, or draws that are all equal.
pub fn ess_bulk(chains: &[&[f64]]) -> Outcome {
    effective(&Halves::of(chains)?.scores())
}
