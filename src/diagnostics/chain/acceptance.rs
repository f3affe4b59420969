//! `acceptance`: the share of proposals that were accepted, of methods that reject some.
//!
//! Counted by the method, over all steps of all chains.

use super::super::{Better, MeasureSpec, Outcome};
use super::ChainEvidence;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "acceptance",
    label: "Acceptance",
    help: "Share of proposals that were accepted, over all steps and chains, of methods that correct their steps \
           (Metropolis et al. 1953). High is not better: steps too small are always accepted. It says nothing of modes that \
           proposals never reach.",
    better: Better::Neither,
    headline: false,
};

pub(super) fn value(evidence: &ChainEvidence<'_>) -> Outcome {
    evidence.acceptance.ok_or("every step is accepted")
}
