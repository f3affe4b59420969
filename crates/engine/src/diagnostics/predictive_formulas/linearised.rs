//! Predictions of a linearised network, f ~ N(f(x; θ*), J P⁻¹ Jᵀ) (A. Immer, M. Korzepa & M. Bauer 2021, arXiv:2008.08400): for
//! regression a [`Band`](super::Band) with that variance; here for binary labels, and for more classes in [`super::SoftmaxGaussian`].
//!
//! The probability of label 1 is E sigmoid f for f ~ N(m, s²). Both the normal density and the sigmoid must be resolved, and s may
//! be anything from 0 to many hundreds. The trapezoidal rule has an error of about exp(−2π²/h²) for a normal density with h sds
//! between two nodes, and of exp(−2π²/h) for a function of f with poles at ±iπ, such as the sigmoid, with nodes h apart.
//! Gauss–Hermite rules put few nodes where a wide normal density has its sigmoid.
//!
//! - A narrow normal density, s < [`WIDE`], is summed over itself.
//! - A wide one is summed over the sigmoid. With a logistic variable l, sigmoid f = P(l ≤ f), so E sigmoid f = ∫ sigmoid′(l)
//!   Φ((m − l)/s) dl, and the nodes do not depend on m and s. The weights of the nodes are divided by their sum, so that E sigmoid f
//!   of m = 0 is ½ to the last digit. The smaller probability keeps its digits as well: where the integrand is far from 0,
//!   E sigmoid f = exp(m + s²/2) E sigmoid(−f′) with f′ ~ N(m + s², s²).

use std::f64::consts::FRAC_PI_8;

use super::classification::ClassPrediction;
use base::math::elementary::{exp, log1p_exp, sigmoid};
use base::math::normal_cdf;

/// The sd from which a normal density is wide: the error of the other sum is exp(π²/(2s²) − 2π²/h) there.
const WIDE: f64 = 1.5;

/// The distance of nodes over a sigmoid, and over a narrow normal density in f and in sds: errors of some 10⁻¹⁴.
const APART: f64 = 0.55;
const APART_NARROW: f64 = 0.45;
const APART_IN_SDS: f64 = 0.7;

/// Sds to each side over which a narrow normal density is summed; 10⁻¹⁷ of it lies beyond.
const SDS: f64 = 8.5;

/// How far from 0 the sigmoid is summed: half of that is e⁻³⁶ of it.
const REACH: f64 = 72.0;

/// 1/√(2π).
const PEAK: f64 = 0.398_942_280_401_432_7;

/// The probability of label 1 under f ~ N(mean, variance), about: sigmoid(mean/√(1 + π variance/8)) (D. J. C. MacKay, Neural
/// Comput. 4, 1992).
#[must_use]
pub fn probit(mean: f64, variance: f64) -> f64 {
    sigmoid(mean / (1.0 + FRAC_PI_8 * variance).sqrt())
}

/// The rule for predictions of labels under f ~ N(m, s²), right at any m and s.
#[derive(Clone, Debug)]
pub struct LogisticGaussian {
    /// l, the share of sigmoid′(l) in the sum over all nodes, and the entropy of a label with logit l.
    nodes: Vec<[f64; 3]>,
}

impl Default for LogisticGaussian {
    fn default() -> Self {
        Self::new()
    }
}

impl LogisticGaussian {
    /// The rule, made once for many inputs.
    #[must_use]
    pub fn new() -> Self {
        let slope = |l: f64| sigmoid(l) * sigmoid(-l);
        let total: f64 = points(-REACH, REACH, APART).map(slope).sum();
        let node = |l: f64| [l, slope(l) / total, label_entropy(l)];
        Self { nodes: points(-REACH, REACH, APART).map(node).collect() }
    }

    /// The prediction of a label, with the mean entropy of draws of f.
    #[must_use]
    pub fn prediction(&self, mean: f64, variance: f64) -> ClassPrediction {
        let sd = variance.sqrt();
        let smaller = self.probability(-mean.abs(), sd);
        let probabilities = if mean < 0.0 { [1.0 - smaller, smaller] } else { [smaller, 1.0 - smaller] };
        ClassPrediction::new(probabilities.into(), self.entropy(mean.abs(), sd))
    }

    /// E sigmoid f.
    fn probability(&self, mean: f64, sd: f64) -> f64 {
        if sd < WIDE {
            return over_density(mean, sd, sigmoid);
        }
        if mean < -0.5 * sd * sd {
            return exp(mean + 0.5 * sd * sd) * self.over_sigmoid(-mean - sd * sd, sd);
        }
        self.over_sigmoid(mean, sd)
    }

    fn over_sigmoid(&self, mean: f64, sd: f64) -> f64 {
        self.nodes.iter().map(|[l, share, _]| share * normal_cdf((mean - l) / sd)).sum()
    }

    /// E of the entropy of a label with logit f.
    fn entropy(&self, mean: f64, sd: f64) -> f64 {
        if sd < WIDE {
            return over_density(mean, sd, label_entropy);
        }
        let density = |l: f64| {
            let z = (l - mean) / sd;
            PEAK * exp(-0.5 * z * z) / sd
        };
        APART * self.nodes.iter().map(|[l, _, entropy]| entropy * density(*l)).sum::<f64>()
    }
}

/// E function(f) by a sum over the density of f.
fn over_density(mean: f64, sd: f64, function: fn(f64) -> f64) -> f64 {
    if sd <= 0.0 {
        return function(mean);
    }
    let apart = APART_IN_SDS.min(APART_NARROW / sd);
    let (mut sum, mut total) = (0.0, 0.0);
    for z in points(-SDS, SDS, apart) {
        let weight = exp(-0.5 * z * z);
        total += weight;
        sum += weight * function(mean + sd * z);
    }
    sum / total
}

/// The multiples of a distance between two numbers.
fn points(from: f64, to: f64, apart: f64) -> impl Iterator<Item = f64> {
    let number = |at: f64| (at / apart) as i32;
    (number(from)..=number(to)).map(move |number| f64::from(number) * apart)
}

/// −q ln q − (1 − q) ln(1 − q) in nats, q = sigmoid f: with a = |f| and q the smaller probability, ln(1 + e⁻ᵃ) + a q.
fn label_entropy(f: f64) -> f64 {
    let a = f.abs();
    let q = sigmoid(-a);
    log1p_exp(-a) + if q > 0.0 { a * q } else { 0.0 }
}
