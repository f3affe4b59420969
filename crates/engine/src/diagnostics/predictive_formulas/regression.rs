//! Regression: bands, errors, log scores and the coverage of intervals.
//!
//! The predictive distribution of a target is the mixture of N(f_s, σ²) over draws, with known σ; of linearised functions, whose f is
//! Gaussian, of N(m_s, v_s + σ²) over the few components of f.

use super::{Weights, mean};
use base::math::elementary::{ln, log_sum_exp};
use base::math::normal_cdf;

/// ½ log 2π.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;

/// The distribution of f at some data: weighted draws, or Gaussians.
#[derive(Clone, Copy, Debug)]
pub struct Mixture<'a> {
    /// f of S draws, or the means of S Gaussians, of every datum one after the other.
    pub f: &'a [f64],
    /// The variances of these; none of draws.
    pub variances: &'a [f64],
    /// The weights of the S draws or Gaussians.
    pub weights: Weights<'a>,
}

impl Mixture<'_> {
    /// The values of every one of `count` data, with their variances.
    fn each(&self, count: usize) -> impl Iterator<Item = (&[f64], &[f64])> {
        let draws = (self.f.len() / count.max(1)).max(1);
        let variances = self.variances.chunks_exact(draws).chain(std::iter::repeat(&[][..]));
        self.f.chunks_exact(draws).zip(variances)
    }
}

/// The sd of a target that has value number `s` of f as its mean.
fn spread(variances: &[f64], s: usize, noise_sd: f64) -> f64 {
    variances.get(s).map_or(noise_sd, |variance| (variance + noise_sd * noise_sd).sqrt())
}

/// Mean and variances of a prediction at one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// f̄, the mean of f.
    pub mean: f64,
    /// The variance of f over draws (÷ S): what more data would take away.
    pub epistemic: f64,
    /// σ², the variance of the noise.
    pub aleatoric: f64,
}

impl Band {
    /// From the outputs f_s of all draws at one input.
    #[must_use]
    pub fn new(f: &[f64], weights: Weights<'_>, noise_sd: f64) -> Self {
        let mean = weights.mean(f.iter().copied());
        let epistemic = weights.mean(f.iter().map(|f| (f - mean) * (f - mean)));
        Self { mean, epistemic, aleatoric: noise_sd * noise_sd }
    }

    /// The variance of a target: the sum of both.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.epistemic + self.aleatoric
    }
}

/// The root mean square of y − f̄ over data.
#[must_use]
pub fn rmse(bands: &[Band], targets: &[f64]) -> f64 {
    mean(bands.iter().zip(targets).map(|(band, y)| (y - band.mean) * (y - band.mean))).sqrt()
}

/// The negative log likelihood per datum of N(f̄, total variance): what a linearised Laplace approximation predicts.
#[must_use]
pub fn gaussian_nll(bands: &[Band], targets: &[f64]) -> f64 {
    let term = |(band, y): (&Band, &f64)| {
        let variance = band.total();
        let residual = y - band.mean;
        0.5 * (residual * residual / variance + ln(variance)) + HALF_LN_TAU
    };
    mean(bands.iter().zip(targets).map(term))
}

/// The negative log likelihood per datum of the mixture: −(1/n) Σ log Σ_s w_s N(y|f_s, v_s + σ²).
#[must_use]
pub fn mixture_nll(mixture: Mixture<'_>, targets: &[f64], noise_sd: f64) -> f64 {
    let draws = mixture.f.len() / targets.len().max(1);
    let logarithms: Vec<f64> = match mixture.weights {
        Weights::Equal => vec![-ln(draws as f64); draws],
        Weights::Each(weights) => {
            let total: f64 = weights.iter().sum();
            weights.iter().map(|weight| ln(weight / total)).collect()
        }
    };
    let mut terms = Vec::with_capacity(draws);
    let score = |((f, variances), y): ((&[f64], &[f64]), &f64)| {
        terms.clear();
        terms.extend(f.iter().zip(&logarithms).enumerate().map(|(s, (f, logarithm))| {
            let sd = spread(variances, s, noise_sd);
            let z = (y - f) / sd;
            let height = if variances.is_empty() { 0.0 } else { ln(sd / noise_sd) };
            logarithm - height - 0.5 * z * z
        }));
        ln(noise_sd) + HALF_LN_TAU - log_sum_exp(&terms)
    };
    let scores: Vec<f64> = mixture.each(targets.len()).zip(targets).map(score).collect();
    mean(scores.into_iter())
}

/// The share of targets inside the central interval of the mixture with every probability in `levels`. A calibrated prediction has
/// the levels themselves.
///
/// y lies in the central interval of probability q if its distribution function u = Σ_s w_s Φ((y − f_s)/√(v_s + σ²)) is within q/2
/// of ½.
#[must_use]
pub fn coverage(mixture: Mixture<'_>, targets: &[f64], noise_sd: f64, levels: &[f64]) -> Vec<f64> {
    let u = |((f, variances), y): ((&[f64], &[f64]), &f64)| {
        let below = |(s, f): (usize, &f64)| normal_cdf((y - f) / spread(variances, s, noise_sd));
        mixture.weights.mean(f.iter().enumerate().map(below))
    };
    let us: Vec<f64> = mixture.each(targets.len()).zip(targets).map(u).collect();
    let inside = |level: &f64| mean(us.iter().map(|u| if (u - 0.5).abs() <= 0.5 * level { 1.0 } else { 0.0 }));
    levels.iter().map(inside).collect()
}
