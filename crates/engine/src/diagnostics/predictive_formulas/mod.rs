//! Predictive quantities of networks: what draws of functions say about targets, and how good that is.
//!
//! Everything is a pure function of the outputs f_s of S draws θ_s at some inputs, as
//! [`Network::outputs`](models::targets::network::Network::outputs) gives them, and of test data. Draws have equal weights or
//! [`Weights`]. Entropies and log scores are in nats.
//!
//! Means are taken of predictions, never of weights or logits: the mean of sigmoid f_s is not the sigmoid of the mean.

mod calibration;
mod classification;
mod linearised;
mod regression;
mod softmax;
#[cfg(test)]
mod tests;

pub use calibration::{BINS, Bin, expected_calibration_error, reliability};
pub use classification::{ClassPrediction, ClassScores, class_scores};
pub use linearised::{LogisticGaussian, probit};
pub use regression::{Band, Mixture, coverage, gaussian_nll, mixture_nll, rmse};
pub use softmax::SoftmaxGaussian;

/// The weights of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights<'a> {
    /// All draws alike.
    Equal,
    /// One number ≥ 0 per draw, in proportion; not all 0.
    Each(&'a [f64]),
}

impl Weights<'_> {
    /// Σ w_s v_s / Σ w_s, in order; NaN without draws.
    pub(super) fn mean(self, values: impl ExactSizeIterator<Item = f64>) -> f64 {
        match self {
            Self::Equal => {
                let count = values.len() as f64;
                values.sum::<f64>() / count
            }
            Self::Each(weights) => {
                let total: f64 = weights.iter().sum();
                values.zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / total
            }
        }
    }
}

/// The mean over data; NaN without data.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    Weights::Equal.mean(values)
}
