//! `error_in`, `brier_in`, `ece_in`, `entropy_in`, `information_in`: scores of the probabilities of classes on test data. The
//! formulas are those of [`class_scores`](super::super::predictive_formulas::class_scores) and [`reliability`].

use super::super::predictive_formulas::{expected_calibration_error, reliability};
use super::super::{Better, MeasureSpec, Outcome};
use super::PredictionInput;
use super::input::Classified;

pub(super) const ERROR: MeasureSpec = MeasureSpec {
    key: "error_in",
    label: "Test error",
    help: "Share of test data whose most probable class is not their label.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

pub(super) const BRIER: MeasureSpec = MeasureSpec {
    key: "brier_in",
    label: "Brier score",
    help: "Mean of (p̄ − y)² over test data, y = 0 or 1; with more than two classes, the sum of these squares over the classes.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

pub(super) const ECE: MeasureSpec = MeasureSpec {
    key: "ece_in",
    label: "ECE",
    help: "Expected calibration error on test data: the mean distance between confidence, the largest p̄, and the share of right \
           predictions, over ten bins of confidence from 1/C to 1. Programs that divide 0 to 1 give other numbers.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

pub(super) const ENTROPY: MeasureSpec = MeasureSpec {
    key: "entropy_in",
    label: "Entropy",
    help: "Mean entropy of p̄ over test data, in nats: what is not known of a label.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) const INFORMATION: MeasureSpec = MeasureSpec {
    key: "information_in",
    label: "BALD",
    help: "Mean mutual information of label and weights (BALD) over test data, in nats: the part of the entropy that the weights \
           leave open, which more data would take away.",
    better: Better::Neither,
    headline: false,
    of_truth: false,
};

pub(super) fn error(input: &PredictionInput<'_>) -> Outcome {
    input.of_scores(|scores| scores.error)
}

pub(super) fn brier(input: &PredictionInput<'_>) -> Outcome {
    input.of_scores(|scores| scores.brier)
}

pub(super) fn ece(input: &PredictionInput<'_>) -> Outcome {
    let ece = |Classified { classes, tests, labels, .. }: &Classified| {
        expected_calibration_error(&reliability(tests, labels, *classes))
    };
    input.of_classes(ece)
}

pub(super) fn entropy(input: &PredictionInput<'_>) -> Outcome {
    input.of_scores(|scores| scores.entropy)
}

pub(super) fn information(input: &PredictionInput<'_>) -> Outcome {
    input.of_scores(|scores| scores.mutual_information)
}
