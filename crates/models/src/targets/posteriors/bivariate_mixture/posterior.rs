//! The log posterior of the two means and its derivatives, as sums over the data.

use std::f64::consts::{LOG2_E, TAU};

use super::summary::Summary;
use super::sums::{Gradient, LogLikelihood, WeightedGradient, WeightedLogLikelihood};
use crate::targets::kit::lanewise::{FirstLane, Lanewise, LanewiseSweep};
use crate::targets::kit::modes::Surface;
use crate::targets::{Data, Derivatives, EulerSteps, Minibatches};
use base::math::elementary::{exp, exp_share, exp_share_soon, ln, sigmoid};
use base::math::{Matrix, Point, Simd};

/// Levels of the quantiles of the data from which the modes are searched.
const START_LEVELS: [f64; 5] = [0.02, 0.25, 0.5, 0.75, 0.98];

/// Data, prior variances and the variance of the components.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    pub(super) data: Vec<f64>,
    pub(super) prior_variance: Point,
    pub(super) variance: f64,
    /// 1/variance.
    pub(super) precision: f64,
    /// Where sums over all data are computed, if there are many.
    pub(super) summary: Option<Summary>,
}

impl Posterior {
    /// From at least one datum and positive variances.
    pub(super) fn new(data: Vec<f64>, prior_variance: Point, variance: f64) -> Self {
        let summary = Summary::of(&data, variance);
        Self { data, prior_variance, variance, precision: variance.recip(), summary }
    }

    /// The summary of the data, where it holds.
    #[inline]
    fn summary_at(&self, at: Point) -> Option<&Summary> {
        self.summary.as_ref().filter(|summary| at.y.abs() <= summary.reach)
    }

    /// A sum over all data, term by term.
    fn sum<T: std::iter::Sum + std::ops::Mul<f64, Output = T>>(&self, at: Point, term: impl Fn(f64) -> T) -> T {
        match self.summary_at(at) {
            Some(Summary { nodes, weights, .. }) => {
                nodes.iter().zip(weights).map(|(&node, &weight)| term(node) * weight).sum()
            }
            None => self.data.iter().map(|&datum| term(datum)).sum(),
        }
    }

    /// Where to search for modes: at every pair of quantiles of the data as means, and at the prior mean.
    #[expect(clippy::cast_sign_loss, reason = "levels are in (0, 1) and data are few")]
    pub(super) fn starts(&self) -> Vec<Point> {
        let mut sorted = self.data.clone();
        sorted.sort_by(f64::total_cmp);
        let quantiles = START_LEVELS.map(|level| sorted[(level * sorted.len() as f64) as usize]);
        let pairs = quantiles.iter().flat_map(|first| quantiles.map(|second| Point::new(*first, second - first)));
        std::iter::once(Point::zeros()).chain(pairs).collect()
    }

    /// The diagonal of a constant matrix A with −∇² log density ≼ A everywhere, for [`CellSampler`].
    ///
    /// The information in the data is at most that of data with known components (Louis 1982):
    /// (N−R) e₁e₁ᵀ + R (1,1)(1,1)ᵀ over σ², where R data belong to the second. Whatever R is, that is
    /// at most N e₁e₁ᵀ + N (1,1)(1,1)ᵀ over σ², whose diagonal is (2N, N)/σ².
    ///
    /// [`CellSampler`]: crate::targets::kit::cell_sampler::CellSampler
    pub(super) fn largest_curvature(&self) -> Point {
        let information = self.data.len() as f64 / self.variance;
        self.prior_variance.map(f64::recip) + Point::new(2.0 * information, information)
    }

    /// Gradients at many points, one sum over the data for each.
    pub(super) fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        for ((x, y), (gx, gy)) in x.iter().zip(y).zip(gx.iter_mut().zip(gy)) {
            let gradient = self.gradient_with(simd, Point::new(*x, *y));
            (*gx, *gy) = (gradient.x, gradient.y);
        }
    }

    fn gradient_with(&self, simd: Simd, at: Point) -> Point {
        let likelihood = match self.summary_at(at) {
            Some(summary) => simd.dispatch(WeightedGradient { posterior: self, summary, at }),
            None => simd.dispatch(Gradient { posterior: self, at }),
        };
        likelihood + self.prior_gradient(at)
    }

    /// σ² Σ ∂ log p(x|θ)/∂θ over the data of the minibatches of the chains from `first` on, one per lane.
    #[inline(always)]
    fn batch_lanes<const L: usize>(
        &self,
        (batches, first): (Minibatches<'_>, FirstLane),
        x: &[f64; L],
        y: &[f64; L],
    ) -> ([f64; L], [f64; L]) {
        let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
        for number in 0..batches.size() {
            let (dx, dy) = self.datum_lanes(batches.lanes::<L>(first.step, number, first.chain), x, y);
            for i in 0..L {
                gx[i] += dx[i];
                gy[i] += dy[i];
            }
        }
        (gx, gy)
    }

    /// σ² ∂ log p(x|θ)/∂θ for a datum of each lane.
    #[inline(always)]
    fn datum_lanes<const L: usize>(&self, data: [u32; L], x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let data = data.map(|index| self.data[index as usize]);
        let (mut dx, mut dy) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            (dx[i], dy[i]) = match L {
                1 => self.scaled_datum::<true>(data[i], x[i], y[i]),
                _ => self.scaled_datum::<false>(data[i], x[i], y[i]),
            };
        }
        (dx, dy)
    }

    /// ∂² log p(x|θ)/∂θ² for one x, times σ².
    #[inline]
    fn scaled_hessian(&self, datum: f64, at: Point) -> Matrix {
        let deviation = datum - at.x;
        let logit = at.y * (deviation - 0.5 * at.y) / self.variance;
        let (share, other) = (sigmoid(logit), sigmoid(-logit));
        // The slope of the share comes first: where it is 0, the other factors may be huge.
        let slope = share * other / self.variance;
        let gap = deviation - at.y;
        let xy = -(share + slope * at.y * gap);
        Matrix::new(slope * at.y * at.y - 1.0, xy, xy, slope * gap * gap - share)
    }

    fn prior_hessian(&self) -> Matrix {
        -Matrix::from_diagonal(&self.prior_variance.map(f64::recip))
    }

    /// The log density of the prior.
    fn log_prior(&self, at: Point) -> f64 {
        let squares = at.component_mul(&at).component_div(&self.prior_variance).sum();
        -0.5 * (squares + ln(TAU * self.prior_variance.x) + ln(TAU * self.prior_variance.y))
    }

    /// ∂ log p(x|θ)/∂θ for one x, times σ². If somebody `WAITS`, the same bits come sooner, and others later.
    #[inline(always)]
    pub(super) fn scaled_datum<const WAITS: bool>(&self, datum: f64, first: f64, second: f64) -> (f64, f64) {
        let deviation = datum - first;
        let (slope, middle) = (second * self.precision, deviation - 0.5 * second);
        let logit = slope * middle;
        // The logistic function, except for shares that are lost in rounding beside 1.
        let smaller = if WAITS {
            exp_share_soon(-logit.abs(), -(slope * LOG2_E * middle).abs())
        } else {
            exp_share(-logit.abs())
        };
        let share = if logit < 0.0 { smaller } else { 1.0 } / (1.0 + smaller);
        (deviation - share * second, share * (deviation - second))
    }
}

impl Surface for Posterior {
    fn log_density(&self, at: Point) -> f64 {
        let simd = Simd::widest();
        let (squares, logarithms) = match self.summary_at(at) {
            Some(summary) => {
                simd.dispatch(WeightedLogLikelihood { terms: LogLikelihood { posterior: self, at }, summary })
            }
            None => simd.dispatch(LogLikelihood { posterior: self, at }),
        };
        let constant = ln(2.0) + 0.5 * ln(TAU * self.variance);
        self.log_prior(at) - self.data.len() as f64 * constant - squares / (2.0 * self.variance) + logarithms
    }

    fn gradient(&self, at: Point) -> Point {
        self.gradient_with(Simd::widest(), at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let data: Matrix = self.sum(at, |datum| self.scaled_hessian(datum, at));
        data / self.variance + self.prior_hessian()
    }
}

impl Data for Posterior {
    fn len(&self) -> usize {
        self.data.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        -at.component_div(&self.prior_variance)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let (dx, dy) = self.scaled_datum::<false>(self.data[index], at.x, at.y);
        Point::new(dx * self.precision, dy * self.precision)
    }

    fn prior(&self, at: Point) -> Derivatives {
        Derivatives {
            log_density: self.log_prior(at),
            gradient: self.prior_gradient(at),
            hessian: self.prior_hessian(),
        }
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        let datum = self.data[index];
        let (deviation, gap) = (datum - at.x, datum - at.x - at.y);
        let logit = at.y * (deviation - 0.5 * at.y) / self.variance;
        let nearer = if deviation.abs() < gap.abs() { deviation } else { gap };
        let constant = ln(2.0) + 0.5 * ln(TAU * self.variance);
        Derivatives {
            log_density: ln(1.0 + exp(-logit.abs())) - constant - nearer * nearer / (2.0 * self.variance),
            gradient: self.datum_gradient(at, index),
            hessian: self.scaled_hessian(datum, at) / self.variance,
        }
    }

    fn estimates(&self, simd: Simd, x: &[f64], y: &[f64], batches: Minibatches<'_>, gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Estimate::new(self, batches), x, y, gx, gy });
    }

    fn euler(&self, batches: Minibatches<'_>, steps: EulerSteps<'_>) {
        if batches.size() == 1 {
            steps.through(Single(Estimate::new(self, batches)));
        } else {
            steps.through(Estimate::new(self, batches));
        }
    }
}

/// The minibatch estimate of the gradient, the data of a batch added in their order.
#[derive(Clone, Copy)]
struct Estimate<'a> {
    posterior: &'a Posterior,
    batches: Minibatches<'a>,
    /// N/(nσ²).
    scale: f64,
    prior_precision: Point,
}

impl<'a> Estimate<'a> {
    fn new(posterior: &'a Posterior, batches: Minibatches<'a>) -> Self {
        let scale = posterior.data.len() as f64 / batches.size() as f64 * posterior.precision;
        Self { posterior, batches, scale, prior_precision: posterior.prior_variance.map(f64::recip) }
    }

    /// The estimate from sums over the data of the minibatches.
    #[inline(always)]
    fn with_prior<const L: usize>(
        &self,
        (mut gx, mut gy): ([f64; L], [f64; L]),
        x: &[f64; L],
        y: &[f64; L],
    ) -> ([f64; L], [f64; L]) {
        for i in 0..L {
            gx[i] = gx[i] * self.scale - x[i] * self.prior_precision.x;
            gy[i] = gy[i] * self.scale - y[i] * self.prior_precision.y;
        }
        (gx, gy)
    }
}

impl Lanewise for Estimate<'_> {
    #[inline(always)]
    fn at<const L: usize>(&self, first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        self.with_prior(self.posterior.batch_lanes((self.batches, first), x, y), x, y)
    }
}

/// The same for minibatches of a single datum, without a sum to wait for.
struct Single<'a>(Estimate<'a>);

impl Lanewise for Single<'_> {
    #[inline(always)]
    fn at<const L: usize>(&self, first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let Estimate { posterior, batches, .. } = self.0;
        let terms = posterior.datum_lanes(batches.lanes::<L>(first.step, 0, first.chain), x, y);
        self.0.with_prior(terms, x, y)
    }
}
