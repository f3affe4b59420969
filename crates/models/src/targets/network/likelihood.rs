//! Likelihoods of the outputs f of a network: terms of one datum, their gradients and their curvatures.
//!
//! Functions over lanes work on `L` chains side by side: block `c` has output `c` of each.

use base::math::elementary::{exp, ln, log1p_exp, sigmoid};

/// What the outputs f of a network say about a target y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Likelihood {
    /// y ~ N(f, σ²) with known σ, one number per output.
    Gaussian {
        /// σ > 0.
        sd: f64,
    },
    /// y is 0 or 1, and f the logit of its probability; one output.
    Bernoulli,
    /// y is the number of a class from 0 to C − 1, with probabilities softmax f; C ≥ 2 outputs.
    Categorical,
}

impl Likelihood {
    /// The number of targets of each datum, for a network with `outputs` outputs.
    #[must_use]
    pub fn targets(self, outputs: usize) -> usize {
        match self {
            Self::Gaussian { .. } => outputs,
            Self::Bernoulli | Self::Categorical => 1,
        }
    }

    /// The part of log p(y|f) that depends on neither; the same for every datum.
    pub(super) fn constant(self, outputs: usize) -> f64 {
        match self {
            Self::Gaussian { sd } => -(outputs as f64) * (ln(sd) + super::prior::HALF_LN_TAU),
            Self::Bernoulli | Self::Categorical => 0.0,
        }
    }

    /// log p(y|f) without its [`constant`](Self::constant); target number `t` of every chain is `target(t)`.
    #[inline(always)]
    pub(super) fn log_terms<const L: usize>(self, f: &[[f64; L]], target: impl Fn(usize) -> [f64; L]) -> [f64; L] {
        let mut terms = [0.0; L];
        match self {
            Self::Gaussian { sd } => {
                let precision = 1.0 / (sd * sd);
                for (c, f) in f.iter().enumerate() {
                    let y = target(c);
                    for lane in 0..L {
                        let residual = y[lane] - f[lane];
                        terms[lane] -= 0.5 * precision * (residual * residual);
                    }
                }
            }
            Self::Bernoulli => {
                let y = target(0);
                for lane in 0..L {
                    terms[lane] = y[lane] * f[0][lane] - log1p_exp(f[0][lane]);
                }
            }
            Self::Categorical => {
                let label = target(0);
                let high = highest(f);
                let (mut sum, mut chosen) = ([0.0; L], [0.0; L]);
                for (c, f) in f.iter().enumerate() {
                    for lane in 0..L {
                        sum[lane] += exp(f[lane] - high[lane]);
                        chosen[lane] += if is_class(label[lane], c) { f[lane] } else { 0.0 };
                    }
                }
                for lane in 0..L {
                    terms[lane] = chosen[lane] - high[lane] - ln(sum[lane]);
                }
            }
        }
        terms
    }

    /// ∂ log p(y|f)/∂f, into `out` with the layout of `f`.
    #[inline(always)]
    pub(super) fn residuals<const L: usize>(
        self,
        f: &[[f64; L]],
        target: impl Fn(usize) -> [f64; L],
        out: &mut [[f64; L]],
    ) {
        match self {
            Self::Gaussian { sd } => {
                let precision = 1.0 / (sd * sd);
                for (c, (f, out)) in f.iter().zip(out).enumerate() {
                    let y = target(c);
                    for lane in 0..L {
                        out[lane] = (y[lane] - f[lane]) * precision;
                    }
                }
            }
            Self::Bernoulli => {
                let y = target(0);
                for lane in 0..L {
                    out[0][lane] = y[lane] - sigmoid(f[0][lane]);
                }
            }
            Self::Categorical => {
                let label = target(0);
                let high = highest(f);
                let mut sum = [0.0; L];
                for (f, out) in f.iter().zip(&mut *out) {
                    for lane in 0..L {
                        out[lane] = exp(f[lane] - high[lane]);
                        sum[lane] += out[lane];
                    }
                }
                for (c, out) in out.iter_mut().enumerate() {
                    for lane in 0..L {
                        let one = if is_class(label[lane], c) { 1.0 } else { 0.0 };
                        out[lane] = one - out[lane] / sum[lane];
                    }
                }
            }
        }
    }

    /// −∂² log p(y|f)/∂f∂fᵀ by rows, C × C numbers for C outputs; it does not depend on y.
    #[must_use]
    pub fn curvature(self, f: &[f64]) -> Vec<f64> {
        let count = f.len();
        let p = self.probabilities(f);
        let entry = |index: usize| {
            let (row, column) = (index / count, index % count);
            let diagonal = row == column;
            match self {
                Self::Gaussian { sd } if diagonal => 1.0 / (sd * sd),
                Self::Gaussian { .. } => 0.0,
                Self::Bernoulli => p[0] * (1.0 - p[0]),
                Self::Categorical => (if diagonal { p[row] } else { 0.0 }) - p[row] * p[column],
            }
        };
        (0..count * count).map(entry).collect()
    }

    /// What f says of y: f itself, the probability of label 1, or the probabilities of all classes.
    #[must_use]
    pub fn probabilities(self, f: &[f64]) -> Vec<f64> {
        match self {
            Self::Gaussian { .. } => f.to_vec(),
            Self::Bernoulli => f.iter().map(|f| sigmoid(*f)).collect(),
            Self::Categorical => {
                let high = f.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let shares: Vec<f64> = f.iter().map(|f| exp(f - high)).collect();
                let sum: f64 = shares.iter().sum();
                shares.iter().map(|share| share / sum).collect()
            }
        }
    }
}

/// The largest output of every chain.
#[inline(always)]
fn highest<const L: usize>(f: &[[f64; L]]) -> [f64; L] {
    let mut high = [f64::NEG_INFINITY; L];
    for f in f {
        for lane in 0..L {
            high[lane] = if f[lane] > high[lane] { f[lane] } else { high[lane] };
        }
    }
    high
}

/// Whether a label is the number of class `c`.
#[inline(always)]
fn is_class(label: f64, c: usize) -> bool {
    (label - c as f64).abs() < 0.5
}
