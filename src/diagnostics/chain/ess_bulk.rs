//! `ess_bulk`: the effective sample size of the ranks, which is that of the bulk of the draws.
//!
//! The [ESS](super::ess) of the normal scores of the halves of all chains (Vehtari et al. 2021, arXiv:1903.08008, §4.2).
//! It exists where the target has no variance. Shown is the smallest over coordinates.

use super::super::{Better, MeasureSpec, Outcome};
use super::ess::effective;
use super::halves::Halves;
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "ess_bulk",
    label: "Bulk ESS",
    help: "Effective sample size of the normal scores of the ranks, the smallest over coordinates: as many independent draws \
           would know the middle of the distribution as well. 100 per chain are asked for (Vehtari et al. 2021). Weights are left \
           out; of more than a million draws every second, fourth … row is taken, and independent ones count fewer for \
           it. It sees how slowly chains mix where they have been: neither bias nor modes that no chain has found.",
    better: Better::Higher,
    headline: true,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    input.worst(ess_bulk, f64::min)
}

/// ESS of the normal scores of the draws.
///
/// # Errors
///
/// With fewer than four draws per chain, draws that are not finite, or draws that are all equal.
pub fn ess_bulk(chains: &[&[f64]]) -> Outcome {
    effective(&Halves::of(chains)?.scores())
}
