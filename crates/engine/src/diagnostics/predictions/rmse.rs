//! `rmse_in`, `rmse_gap`: the root mean square of y − f̄ over test data, f̄ the mean of f over draws.

use super::super::predictive_formulas::{Band, Weights, rmse};
use super::super::{Better, MeasureSpec, Outcome};
use super::PredictionInput;

pub(super) const IN: MeasureSpec = MeasureSpec {
    key: "rmse_in",
    label: "RMSE",
    help: "Root mean square error of the mean of f on test data like the data: with new noise, or held out. The noise alone gives its \
           standard deviation.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

pub(super) const GAP: MeasureSpec = MeasureSpec {
    key: "rmse_gap",
    label: "RMSE in the gap",
    help: "Root mean square error of the mean of f on test data between the data. They lie on one curve, so a good value there can \
           be luck.",
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
    input.of_test(name, |test, noise_sd| {
        let band = |f: &[f64]| Band::new(f, Weights::Each(&test.weights), noise_sd);
        let bands: Vec<Band> = test.f.chunks_exact(test.weights.len().max(1)).map(band).collect();
        rmse(&bands, &test.targets)
    })
}
