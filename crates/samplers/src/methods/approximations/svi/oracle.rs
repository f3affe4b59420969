//! Mean and variance of the intermediate estimate λ̂ of a step, exactly, for a given distribution q.
//!
//! λ̂ is the mean over the points θₖ drawn from q of hₖ = f₀(θₖ) + (N/n) Σ_{i ∈ B} fᵢ(θₖ), where f = (∇ − ∇² m, −∇²) of
//! the log prior and of log p(xᵢ|θ). With the variance v(θ) = Var_B h of the choice of the minibatch B at one point,
//! and V = Var_B E_θ h that of the choice alone, the formula of total variance gives for S draws, entry by entry,
//!
//! Var λ̂ = V + (1/S) (Var_θ E_B h + E_θ v(θ) − V),
//!
//! and V alone for quadrature. v and V are (N²/n) times the variance of fᵢ over the data, exact for indices drawn with
//! replacement, and carry the factor (N − n)/(N − 1) otherwise, as in [`crate::methods::kit::gradient`]. Noise of `noisy`
//! gradients adds its variance times Σ wₖ² to the first two entries.
//!
//! Expectations over q are taken by Gauss–Hermite quadrature: with the nodes of the run if it uses quadrature, so that a
//! noise-free estimate equals its mean exactly, and with [`NODES`] if it uses draws.

use super::super::expectation::{Affine, Evaluation, Evaluations, Expectations};
use super::super::fit_state::{Natural, natural};
use super::intermediate_estimate;
use crate::methods::kit::gradient::batch_spread;
use crate::methods::{BatchOrder, Gradient, Problem};
use base::math::{Distribution, Point};
use models::targets::{Data, Derivatives};

/// Nodes along each axis. Twice as many change means and variances on `bivariate-mixture` by less than one part in ten
/// thousand while q has standard deviation 1, and by 10⁻⁹ once it is about as wide as the posterior.
const NODES: usize = 20;

/// Mean and variances of the intermediate estimate λ̂ (Hoffman et al. 2013: intermediate global parameters).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntermediateEstimate {
    /// The mean of λ̂: λ plus the exact natural gradient.
    pub mean: Natural,
    /// The variance of every entry of λ̂; their sum is the trace of its covariance.
    pub variance: Natural,
}

/// Computes means and variances of intermediate estimates, and keeps its buffers between calls.
#[derive(Clone, Debug)]
pub struct Oracle {
    fine: Expectations,
    found: Evaluations,
    /// E_q fᵢ, datum by datum.
    of_data: Vec<Natural>,
}

impl Default for Oracle {
    fn default() -> Self {
        Self { fine: Expectations::quadrature(NODES), found: Evaluations::default(), of_data: Vec::new() }
    }
}

impl Oracle {
    /// Mean and variances of λ̂ at `distribution`; `None` if they are not finite.
    pub fn at(
        &mut self,
        problem: &Problem<'_>,
        expectations: &Expectations,
        distribution: &Distribution,
    ) -> Option<IntermediateEstimate> {
        let (density, dimension) = (problem.density?, problem.info.dimension);
        let affine = Affine::of(dimension, distribution)?;
        let Self { fine, found, of_data } = self;
        let (rule, share) = match expectations {
            Expectations::MonteCarlo { draws } => (&*fine, 1.0 / *draws as f64),
            quadrature @ Expectations::Quadrature { .. } => (quadrature, 0.0),
        };
        found.spread(dimension, rule, &affine, |_| Point::zeros());
        let of = |found: &Derivatives| intermediate_estimate(dimension, found, affine.mean);
        let estimate = match (problem.gradient, problem.data()) {
            (Gradient::Minibatch { size, order, .. }, Some(data)) => {
                of_minibatches(data, (*size, *order), &found.points, share, of_data, of)
            }
            _ => {
                let full = |point: &Evaluation| Derivatives {
                    log_density: 0.0,
                    gradient: density.gradient(point.at),
                    hessian: density.hessian(point.at),
                };
                let (mean, variance) = moments(found.points.iter().map(|point| (of(&full(point)), point.weight)));
                let noise = gradient_noise(dimension, problem.gradient, &found.points, share);
                IntermediateEstimate { mean, variance: variance * share + noise }
            }
        };
        let finite = estimate.mean.iter().chain(estimate.variance.iter()).all(|entry| entry.is_finite());
        finite.then_some(estimate)
    }
}

/// The variance of λ̂ that comes from the noise of `noisy` gradients.
fn gradient_noise(dimension: usize, gradient: &Gradient, points: &[Evaluation], share: f64) -> Natural {
    let squares: f64 = points.iter().map(|point| point.weight * point.weight).sum();
    // Σ wₖ² of S draws is 1/S.
    let variance = gradient.variance_everywhere() * if share > 0.0 { share } else { squares };
    natural::natural(dimension, Point::repeat(variance), nalgebra::zero())
}

/// Weighted mean and variance of vectors whose weights add up to 1.
fn moments(vectors: impl Iterator<Item = (Natural, f64)>) -> (Natural, Natural) {
    let (mut total, mut mean, mut scatter) = (0.0, Natural::zeros(), Natural::zeros());
    for (vector, weight) in vectors {
        total += weight;
        let before = vector - mean;
        mean += before * (weight / total);
        scatter += before.component_mul(&(vector - mean)) * weight;
    }
    (mean, scatter / total)
}

/// Mean and variances of λ̂ from minibatches; `share` is 1/S, or 0 for quadrature.
fn of_minibatches(
    data: &dyn Data,
    (size, order): (usize, BatchOrder),
    points: &[Evaluation],
    share: f64,
    of_data: &mut Vec<Natural>,
    of: impl Fn(&Derivatives) -> Natural,
) -> IntermediateEstimate {
    let spread = batch_spread(data.len(), size, order);
    of_data.clear();
    of_data.resize(data.len(), Natural::zeros());
    let mut within = Natural::zeros();
    let at_point = |point: &Evaluation| {
        let mut sum = of(&data.prior(point.at));
        let contributions = of_data.iter_mut().enumerate().map(|(index, of_datum)| {
            let found = of(&data.datum(point.at, index));
            *of_datum += found * point.weight;
            sum += found;
            (found, 1.0)
        });
        let (_, variance) = moments(contributions);
        within += variance * (spread * point.weight);
        (sum, point.weight)
    };
    let (mean, of_points) = moments(points.iter().map(at_point));
    let (_, of_choice) = moments(of_data.iter().map(|of_datum| (*of_datum, 1.0)));
    let of_choice = of_choice * spread;
    IntermediateEstimate { mean, variance: of_choice + (of_points + within - of_choice) * share }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base::math::{Matrix, Simd};
    use base::params::{Settings, find_kind};
    use models::targets::{self, TARGETS};

    /// The accuracy that [`NODES`] states.
    #[test]
    fn more_nodes_change_little() {
        let kind = find_kind(&TARGETS, "bivariate-mixture").unwrap();
        let target = targets::build(&Settings::defaults(kind), Path::new(".")).unwrap();
        let gradient = Gradient::minibatch(10, BatchOrder::Random);
        let problem = Problem::new(&target, &gradient, Simd::widest());
        let expectations = Expectations::MonteCarlo { draws: 10 };
        let wide = Distribution::gaussian(2, Point::new(0.0, 1.0), Matrix::identity());
        let fitted = Distribution::gaussian(2, Point::new(0.49, 0.02), Matrix::new(0.17, -0.3, -0.3, 0.6));
        let narrow = Distribution::gaussian(2, Point::new(0.25, 0.49), Matrix::new(0.02, 0.0, 0.0, 0.08));
        for distribution in [wide, fitted, narrow] {
            let usual = Oracle::default().at(&problem, &expectations, &distribution).unwrap();
            let mut fine = Oracle { fine: Expectations::quadrature(2 * NODES), ..Oracle::default() };
            let finer = fine.at(&problem, &expectations, &distribution).unwrap();
            let far = (usual.mean - finer.mean).norm() / finer.mean.norm();
            let spread = (usual.variance.sum() / finer.variance.sum() - 1.0).abs();
            assert!(far < 1e-4 && spread < 1e-4, "{distribution:?}: {far} {spread}");
        }
    }
}
