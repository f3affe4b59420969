//! The log posterior of the two weights and its derivatives, as sums over the data.

use std::f64::consts::TAU;

use super::network::{Network, Sums};
use crate::targets::kit::data_sums::{DataTerms, Estimate, Full};
use crate::targets::kit::lanewise::{LanewiseSweep, POINTS, saturated};
use crate::targets::kit::modes::Surface;
use crate::targets::regression::Regression;
use crate::targets::{Data, Derivatives, EulerSteps, Minibatches};
use base::math::elementary::{Kernel, ln};
use base::math::{Matrix, Point, Simd};

/// Least distance from 0 up to which functions are shown: so far beyond the data that their differences show.
const SHOWN: f64 = 3.2;

/// The range of functions that are shown, in ranges of the data.
const BEYOND: f64 = 2.0;

/// Network, data, and the standard deviations of prior and noise.
#[derive(Clone, Debug)]
pub(super) struct Posterior<N> {
    network: N,
    inputs: Vec<f64>,
    observations: Vec<f64>,
    prior_sd: f64,
    noise_sd: f64,
    /// 1/s².
    prior_precision: f64,
    /// 1/σ².
    precision: f64,
    sums: Sums,
}

impl<N: Network> Posterior<N> {
    /// From inputs and as many observations.
    pub(super) fn new(network: N, (inputs, observations): (Vec<f64>, Vec<f64>), prior_sd: f64, noise_sd: f64) -> Self {
        let each = inputs.iter().zip(&observations).map(|(x, y)| Sums::of(*x, *y));
        let sums = each.fold(Sums::default(), Sums::plus);
        let (prior_precision, precision) = ((prior_sd * prior_sd).recip(), (noise_sd * noise_sd).recip());
        Self { network, inputs, observations, prior_sd, noise_sd, prior_precision, precision, sums }
    }

    /// s.
    pub(super) fn prior_sd(&self) -> f64 {
        self.prior_sd
    }

    /// w₂ given w₁, where f = w₂t: Gaussian with precision 1/s² + Σ t²/σ² and mean Σ ty/σ² over the precision.
    pub(super) fn conditional_draw(&self, axis: usize, at: Point, normal: f64) -> Option<f64> {
        let of_data = || self.inputs.iter().zip(&self.observations);
        let slope = |x: f64| self.network.slopes(at.x, 0.0, x).2;
        (N::LINEAR && axis == 1).then(|| {
            let squares: f64 = of_data().map(|(x, _)| slope(*x) * slope(*x)).sum();
            let products: f64 = of_data().map(|(x, y)| slope(*x) * y).sum();
            let precision = self.prior_precision + self.precision * squares;
            self.precision * products / precision + normal / precision.sqrt()
        })
    }

    /// The diagonal of a matrix A with −∇² log density ≼ A between two corners of a box.
    pub(super) fn largest_curvature(&self, low: Point, high: Point) -> Point {
        let size = low.abs().sup(&high.abs());
        self.network.largest_curvature(&self.sums, size) * self.precision + Point::repeat(self.prior_precision)
    }

    /// Gradients at many points.
    pub(super) fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Full(self), x, y, gx, gy });
    }

    /// Takes Euler steps with the full gradient.
    pub(super) fn euler(&self, steps: EulerSteps<'_>) {
        steps.through(Full(self));
    }

    /// The log density of the prior.
    fn log_prior(&self, at: Point) -> f64 {
        -0.5 * at.norm_squared() * self.prior_precision - 2.0 * ln(self.prior_sd) - ln(TAU)
    }

    /// The constant of the log density of one datum.
    fn datum_constant(&self) -> f64 {
        ln(self.noise_sd) + 0.5 * ln(TAU)
    }

    /// ∂² log p(y|w)/∂w² for one datum, times σ²; finite.
    fn scaled_hessian(&self, index: usize, at: Point) -> Matrix {
        let x = self.inputs[index];
        let (f, by_first, by_second) = self.network.slopes(at.x, at.y, x);
        let (bend, mixed, other) = self.network.bends(at.x, at.y, x);
        let residual = self.observations[index] - f;
        let xy = residual * mixed - by_first * by_second;
        let entries = [residual * bend - by_first * by_first, xy, xy, residual * other - by_second * by_second];
        Matrix::from_column_slice(&entries.map(saturated))
    }

    fn prior_hessian(&self) -> Matrix {
        Matrix::identity() * -self.prior_precision
    }
}

impl<N: Network> DataTerms for Posterior<N> {
    fn count(&self) -> usize {
        self.inputs.len()
    }

    /// (y − f) ∇f, which is σ² ∂ log p(y|w)/∂w.
    #[inline(always)]
    fn term(&self, index: usize, first: f64, second: f64) -> (f64, f64) {
        let (f, by_first, by_second) = self.network.slopes(first, second, self.inputs[index]);
        let residual = self.observations[index] - f;
        (residual * by_first, residual * by_second)
    }

    #[inline(always)]
    fn scale(&self) -> f64 {
        self.precision
    }

    #[inline(always)]
    fn prior_precision(&self) -> Point {
        Point::repeat(self.prior_precision)
    }
}

impl<N: Network> Surface for Posterior<N> {
    fn log_density(&self, at: Point) -> f64 {
        let squares = Simd::widest().dispatch(Squares { posterior: self, at });
        let constant = self.inputs.len() as f64 * self.datum_constant();
        self.log_prior(at) - constant - 0.5 * squares * self.precision
    }

    fn gradient(&self, at: Point) -> Point {
        Full(self).at_point(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let data: Matrix = (0..self.inputs.len()).map(|index| self.scaled_hessian(index, at)).sum();
        (data * self.precision + self.prior_hessian()).map(saturated)
    }
}

impl<N: Network> Data for Posterior<N> {
    fn len(&self) -> usize {
        self.inputs.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        -at * self.prior_precision
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let (dx, dy) = self.term(index, at.x, at.y);
        Point::new(dx * self.precision, dy * self.precision).map(saturated)
    }

    fn prior(&self, at: Point) -> Derivatives {
        Derivatives {
            log_density: self.log_prior(at),
            gradient: self.prior_gradient(at),
            hessian: self.prior_hessian(),
        }
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        let (f, _, _) = self.network.slopes(at.x, at.y, self.inputs[index]);
        let residual = self.observations[index] - f;
        Derivatives {
            log_density: -0.5 * residual * residual * self.precision - self.datum_constant(),
            gradient: self.datum_gradient(at, index),
            hessian: (self.scaled_hessian(index, at) * self.precision).map(saturated),
        }
    }

    fn estimates(&self, simd: Simd, x: &[f64], y: &[f64], batches: Minibatches<'_>, gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Estimate::new(self, batches), x, y, gx, gy });
    }

    fn euler(&self, batches: Minibatches<'_>, steps: EulerSteps<'_>) {
        steps.through(Estimate::new(self, batches));
    }
}

impl<N: Network> Regression for Posterior<N> {
    fn inputs(&self) -> &[f64] {
        &self.inputs
    }

    fn observations(&self) -> &[f64] {
        &self.observations
    }

    fn noise_sd(&self) -> f64 {
        self.noise_sd
    }

    fn shown(&self) -> (f64, f64) {
        let reach = self.inputs.iter().fold(0.0, |reach: f64, x| reach.max(x.abs()));
        let shown = (BEYOND * reach).max(SHOWN);
        (-shown, shown)
    }

    fn value(&self, weights: &[f64], x: f64) -> f64 {
        match *weights {
            [first, second, ..] => self.network.slopes(first, second, x).0,
            _ => f64::NAN,
        }
    }

    fn slopes(&self, weights: &[f64], x: f64) -> Option<Vec<f64>> {
        let [first, second, ..] = *weights else { return None };
        let (_, by_first, by_second) = self.network.slopes(first, second, x);
        Some(vec![by_first, by_second])
    }
}

/// Σ (y − f)² over the data.
struct Squares<'a, N> {
    posterior: &'a Posterior<N>,
    at: Point,
}

impl<N: Network> Kernel for Squares<'_, N> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let square = |index: usize| {
            let (f, _, _) = self.posterior.network.slopes(self.at.x, self.at.y, self.posterior.inputs[index]);
            let residual = self.posterior.observations[index] - f;
            residual * residual
        };
        let count = self.posterior.inputs.len();
        let whole = count - count % POINTS;
        let mut sum = 0.0;
        for block in (0..whole).step_by(POINTS) {
            let mut squares = [0.0; POINTS];
            for (i, squared) in squares.iter_mut().enumerate() {
                *squared = square(block + i);
            }
            for square in squares {
                sum += square;
            }
        }
        for index in whole..count {
            sum += square(index);
        }
        sum
    }
}
