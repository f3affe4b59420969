//! `acceptance`: mean acceptance probability of the proposals, for methods with a Metropolis correction.
//!
//! It has the same expectation as the share of accepted proposals, with less noise. The method adds it up over all
//! chains and all steps since the run started or a parameter of the method was last changed.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "acceptance",
    label: "Mean acceptance",
    help: "Mean acceptance probability of the proposals (Metropolis et al. 1953), over all chains and all steps since a parameter was last \
           changed. Higher is not better: very small steps are always accepted. It says nothing about modes that no proposal reaches.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    input.acceptance.ok_or("every step is accepted")
}
