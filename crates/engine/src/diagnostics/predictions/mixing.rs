//! `rhat_functions`, `ess_functions`, and `rhat_weights`, `ess_weights` for contrast: R̂ and bulk ESS of f at the probes, and
//! of single weights.
//!
//! The weights of a network have H!·2ᴴ copies of every mode. Chains in different copies have the same functions, so R̂ of
//! weights is large where that of functions is 1.

use super::super::chain::{ess_bulk_told, rhat, worst};
use super::super::{Better, MeasureSpec, Outcome};
use super::{DrawSource, PredictionInput};

pub(super) const RHAT: MeasureSpec = MeasureSpec {
    key: "rhat_functions",
    label: "R-hat of f",
    help: "Rank-normalised split R-hat of f at 16 inputs, or at 25 places of a map, the largest. Copies of the same function with permuted units make no \
           difference to it. From vectors that are kept evenly among the collected draws.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

pub(super) const ESS: MeasureSpec = MeasureSpec {
    key: "ess_functions",
    label: "Bulk ESS of f",
    help: "Effective sample size of f at 16 inputs, or at 25 places of a map, the smallest, from vectors that are kept \
           evenly among the collected draws: at most as many as these are.",
    better: Better::Higher,
    headline: false,
    of_truth: false,
};

pub(super) const RHAT_WEIGHTS: MeasureSpec = MeasureSpec {
    key: "rhat_weights",
    label: "R-hat of weights",
    help: "The same of all single weights, the largest. It is large even for chains that agree about f, because units can be \
           permuted and their signs flipped.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) const ESS_WEIGHTS: MeasureSpec = MeasureSpec {
    key: "ess_weights",
    label: "Bulk ESS of weights",
    help: "Effective sample size of single weights, the smallest, from vectors that are kept evenly among the collected draws.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

/// Reason why an approximation has no such measure.
const NO_CHAINS: &str = "a fit has no chains";

pub(super) fn rhat_of_functions(input: &PredictionInput<'_>) -> Outcome {
    worst(functions(input)?, rhat, f64::max)
}

pub(super) fn ess_of_functions(input: &PredictionInput<'_>) -> Outcome {
    worst(functions(input)?, ess_bulk_told, f64::min)
}

pub(super) fn rhat_of_weights(input: &PredictionInput<'_>) -> Outcome {
    worst(weights(input)?, rhat, f64::max)
}

pub(super) fn ess_of_weights(input: &PredictionInput<'_>) -> Outcome {
    worst(weights(input)?, ess_bulk_told, f64::min)
}

fn functions<'a>(input: &'a PredictionInput<'_>) -> Result<&'a [Vec<Vec<f64>>], &'static str> {
    match input.source {
        DrawSource::Chains { functions, .. } => Ok(functions),
        DrawSource::Fit => Err(NO_CHAINS),
    }
}

fn weights<'a>(input: &'a PredictionInput<'_>) -> Result<&'a [Vec<Vec<f64>>], &'static str> {
    match input.source {
        DrawSource::Chains { weights, .. } => Ok(weights),
        DrawSource::Fit => Err(NO_CHAINS),
    }
}
