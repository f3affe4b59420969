//! `coverage_in`, `coverage_gap`: the share of test data inside the central interval of probability 0.9 of their predictive
//! distributions.

use super::super::predictive_formulas::coverage;
use super::super::{Better, MeasureSpec, Outcome};
use super::PredictionInput;

/// The probability of the intervals.
const LEVEL: f64 = 0.9;

pub(super) const IN: MeasureSpec = MeasureSpec {
    key: "coverage_in",
    label: "Coverage of 90 %",
    help: "Share of test data like the data (with new noise, or held out) inside the central 90 % interval of their predictive \
           distribution. 0.9 is calibrated, less is overconfident.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) const GAP: MeasureSpec = MeasureSpec {
    key: "coverage_gap",
    label: "Coverage in the gap",
    help: "Share of test data between the data that are inside the central 90 % interval of their predictive distribution. They lie \
           on one curve, so the posterior itself need not have 0.9.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) fn within(input: &PredictionInput<'_>) -> Outcome {
    of(input, "in")
}

pub(super) fn between(input: &PredictionInput<'_>) -> Outcome {
    of(input, "gap")
}

fn of(input: &PredictionInput<'_>, name: &str) -> Outcome {
    input.of_test(name, |test, noise_sd| coverage(test.mixture(), &test.targets, noise_sd, &[LEVEL])[0])
}
