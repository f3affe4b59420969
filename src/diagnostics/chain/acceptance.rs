//! `acceptance`: the mean probability with which proposals are accepted, of methods that reject some.
//!
//! Its expectation is that of the share of proposals that were accepted, with less noise. Added up by the method,
//! over all chains and all steps since it began or one of its parameters was last changed.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "acceptance",
    label: "Acceptance",
    help: "Mean probability with which proposals are accepted, of methods that correct their steps (Metropolis et al. 1953), \
           over all chains and all steps since a parameter was last changed. High is not better: steps too small are always accepted. It says nothing of modes that \
           proposals never reach.",
    better: Better::Neither,
    headline: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    input.acceptance.ok_or("every step is accepted")
}
