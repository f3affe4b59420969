//! The log posterior of the two coefficients and its derivatives, as sums over the data.

use std::f64::consts::TAU;

use crate::targets::kit::data_sums::{DataTerms, Estimate, Full};
use crate::targets::kit::lanewise::{LANES, LanewiseSweep, saturated};
use crate::targets::kit::modes::Surface;
use crate::targets::{Data, Derivatives, EulerSteps, Minibatches};
use base::math::elementary::{Kernel, exp, ln, log1p_exp, sigmoid};
use base::math::{Matrix, Point, Simd};

/// Data whose factors 1 + e^−|u| ≤ 2 are multiplied before a logarithm is taken: 2⁵¹² does not overflow.
const FACTORS: usize = 512;

/// u = (2y − 1) xᵀβ of a datum: positive where its response is the more probable one.
#[inline(always)]
fn margin([x, y]: [f64; 2], first: f64, second: f64) -> f64 {
    x * first + y * second
}

/// Data and prior.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    /// (2yᵢ − 1) xᵢ: the predictors with the sign of the response.
    signed: Vec<[f64; 2]>,
    prior_sd: Point,
    prior_precision: Point,
    /// ¼ Σ xᵢ² along both axes.
    information: Point,
}

impl Posterior {
    /// From predictors x and as many responses 0 or 1, and the standard deviations of the prior.
    pub(super) fn new(predictors: &[[f64; 2]], responses: &[f64], prior_sd: Point) -> Self {
        let sign = |response: f64| if response > 0.5 { 1.0 } else { -1.0 };
        let signed = predictors.iter().zip(responses).map(|(x, y)| x.map(|x| sign(*y) * x)).collect();
        let squares: Point = predictors.iter().map(|[x, y]| Point::new(x * x, y * y)).sum();
        let prior_precision = prior_sd.map(|sd| 1.0 / (sd * sd));
        Self { signed, prior_sd, prior_precision, information: squares * 0.25 }
    }

    /// The standard deviations of the prior.
    pub(super) fn prior_sd(&self) -> Point {
        self.prior_sd
    }

    /// The diagonal of a constant matrix A with −∇² log density ≼ A everywhere: σ(u) σ(−u) ≤ ¼.
    pub(super) fn largest_curvature(&self) -> Point {
        self.information + self.prior_precision
    }

    /// Gradients at many points.
    pub(super) fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Full(self), x, y, gx, gy });
    }

    /// Takes Euler steps with the full gradient.
    pub(super) fn euler(&self, steps: EulerSteps<'_>) {
        steps.through(Full(self));
    }

    fn log_prior(&self, at: Point) -> f64 {
        let scaled = at.component_div(&self.prior_sd);
        -0.5 * scaled.norm_squared() - ln(self.prior_sd.x) - ln(self.prior_sd.y) - ln(TAU)
    }

    fn prior_hessian(&self) -> Matrix {
        -Matrix::from_diagonal(&self.prior_precision)
    }

    /// −σ(u) σ(−u) xxᵀ of one datum.
    fn datum_hessian(&self, index: usize, at: Point) -> Matrix {
        let u = margin(self.signed[index], at.x, at.y);
        let x = Point::from(self.signed[index]);
        x * x.transpose() * -(sigmoid(u) * sigmoid(-u))
    }
}

impl DataTerms for Posterior {
    fn count(&self) -> usize {
        self.signed.len()
    }

    #[inline(always)]
    fn term(&self, index: usize, first: f64, second: f64) -> (f64, f64) {
        let signed = self.signed[index];
        let wrong = sigmoid(-margin(signed, first, second));
        (wrong * signed[0], wrong * signed[1])
    }

    #[inline(always)]
    fn scale(&self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn prior_precision(&self) -> Point {
        self.prior_precision
    }
}

impl Surface for Posterior {
    fn log_density(&self, at: Point) -> f64 {
        let log_prior = self.log_prior(at);
        // So far out that u may not be a number.
        if log_prior < f64::MIN {
            return f64::NEG_INFINITY;
        }
        log_prior + Simd::widest().dispatch(LogLikelihood { posterior: self, at })
    }

    fn gradient(&self, at: Point) -> Point {
        Full(self).at_point(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        (0..self.signed.len()).map(|index| self.datum_hessian(index, at)).sum::<Matrix>() + self.prior_hessian()
    }
}

impl Data for Posterior {
    fn len(&self) -> usize {
        self.signed.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        -at.component_mul(&self.prior_precision)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let (dx, dy) = self.term(index, at.x, at.y);
        Point::new(dx, dy).map(saturated)
    }

    fn prior(&self, at: Point) -> Derivatives {
        Derivatives {
            log_density: self.log_prior(at),
            gradient: self.prior_gradient(at),
            hessian: self.prior_hessian(),
        }
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        Derivatives {
            log_density: -log1p_exp(-margin(self.signed[index], at.x, at.y)),
            gradient: self.datum_gradient(at, index),
            hessian: self.datum_hessian(index, at),
        }
    }

    fn estimates(&self, simd: Simd, x: &[f64], y: &[f64], batches: Minibatches<'_>, gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep { function: Estimate::new(self, batches), x, y, gx, gy });
    }

    fn euler(&self, batches: Minibatches<'_>, steps: EulerSteps<'_>) {
        steps.through(Estimate::new(self, batches));
    }
}

/// Σ ln σ(u) = Σ min(u, 0) − ln Π (1 + e^−|u|) over the data.
struct LogLikelihood<'a> {
    posterior: &'a Posterior,
    at: Point,
}

impl LogLikelihood<'_> {
    /// min(u, 0) and the factor 1 + e^−|u| of one datum.
    #[inline(always)]
    fn term(&self, signed: [f64; 2]) -> (f64, f64) {
        let u = margin(signed, self.at.x, self.at.y);
        (if u < 0.0 { u } else { 0.0 }, 1.0 + exp(-u.abs()))
    }
}

impl Kernel for LogLikelihood<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let mut sums = [0.0; LANES];
        let mut logarithms = 0.0;
        for part in self.posterior.signed.chunks(FACTORS) {
            let mut factors = [1.0; LANES];
            let (blocks, rest) = part.as_chunks::<LANES>();
            for block in blocks {
                for i in 0..LANES {
                    let (sum, factor) = self.term(block[i]);
                    sums[i] += sum;
                    factors[i] *= factor;
                }
            }
            for (i, signed) in rest.iter().enumerate() {
                let (sum, factor) = self.term(*signed);
                sums[i] += sum;
                factors[i] *= factor;
            }
            logarithms += ln(factors.iter().product());
        }
        sums.iter().sum::<f64>() - logarithms
    }
}
