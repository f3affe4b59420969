//! Predictions of a linearised network, f ~ N(f(x; θ*), J P⁻¹ Jᵀ) (A. Immer, M. Korzepa & M. Bauer 2021, arXiv:2008.08400): for
//! regression a [`Band`](super::Band) with that variance; here for binary labels.

use std::f64::consts::FRAC_PI_8;

use super::classification::ClassPrediction;
use crate::math::gauss_hermite;
use crate::math::kernels::{ln, sigmoid};

/// Nodes of the Gauss–Hermite rule.
pub const EXACT_NODES: usize = 32;

/// The probability of label 1 under f ~ N(mean, variance), about: sigmoid(mean/√(1 + π variance/8)) (D. J. C. MacKay, Neural
/// Comput. 4, 1992).
#[must_use]
pub fn probit(mean: f64, variance: f64) -> f64 {
    sigmoid(mean / (1.0 + FRAC_PI_8 * variance).sqrt())
}

/// E sigmoid f for f ~ N(mean, variance), by a Gauss–Hermite rule with [`EXACT_NODES`] nodes.
#[must_use]
pub fn logistic_gaussian(mean: f64, variance: f64) -> f64 {
    let sd = variance.sqrt();
    gauss_hermite(EXACT_NODES).iter().map(|(z, weight)| weight * sigmoid(mean + sd * z)).sum()
}

/// The whole prediction of a label by the same rule, with the mean entropy of the draws of f. `rule` is
/// [`gauss_hermite`]`(`[`EXACT_NODES`]`)`, made once for many inputs.
#[must_use]
pub fn logistic_gaussian_prediction(mean: f64, variance: f64, rule: &[(f64, f64)]) -> ClassPrediction {
    let sd = variance.sqrt();
    let expected =
        |function: &dyn Fn(f64) -> f64| rule.iter().map(|(z, weight)| weight * function(mean + sd * z)).sum();
    let term = |p: f64| if p <= 0.0 { 0.0 } else { -p * ln(p) };
    let one = expected(&sigmoid);
    let zero = expected(&|f| sigmoid(-f));
    ClassPrediction::new(vec![zero, one], expected(&|f| term(sigmoid(f)) + term(sigmoid(-f))))
}
