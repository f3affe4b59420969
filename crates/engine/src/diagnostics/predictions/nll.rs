//! `nll_in`, `nll_gap`: the negative log likelihood of test data, −(1/n) Σ log (1/S) Σ_s p(y|f_s), in nats per datum, with p(y|f) the
//! density N(y|f, σ²) of a regression or the probability of the class y.

use super::super::predictive_formulas::mixture_nll;
use super::super::{Better, MeasureSpec, Outcome};
use super::{PredictionInput, Predictions};

pub(super) const IN: MeasureSpec = MeasureSpec {
    key: "nll_in",
    label: "NLL",
    help: "Negative log likelihood per datum, in nats, of test data like the data: with new noise, or held out. The prediction is the \
           mixture of N(f, σ²) over draws of f, N(m, s² + σ²) of linearised functions, or the mean over draws of the probabilities of \
           classes.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

pub(super) const GAP: MeasureSpec = MeasureSpec {
    key: "nll_gap",
    label: "NLL in the gap",
    help: "Negative log likelihood per datum, in nats, of test data between the data. They lie on one curve, so a good value there \
           can be luck.",
    better: Better::Neither,
    headline: true,
    of_truth: false,
};

pub(super) fn within(input: &PredictionInput<'_>) -> Outcome {
    match input.predictions {
        Predictions::Values { .. } => of(input, "in"),
        Predictions::Classes(_) => input.of_scores(|scores| scores.nll),
    }
}

pub(super) fn between(input: &PredictionInput<'_>) -> Outcome {
    of(input, "gap")
}

fn of(input: &PredictionInput<'_>, name: &str) -> Outcome {
    input.of_test(name, |test, noise_sd| mixture_nll(test.mixture(), &test.targets, noise_sd))
}
