//! Posteriors of conjugate models: prior, posterior and minibatch estimate are distributions of one family.
//!
//! A minibatch estimate ∇ log prior + (N/n) Σ ∇ log p(xᵢ|θ) is the gradient of the member of the family in which each
//! datum of the batch counts N/n times. So gradients and estimates are one formula with different parameters, and the
//! data enter only through sums over the batch.

use super::lanewise::{FirstLane, Lanewise, LanewiseSweep, saturated};
use crate::targets::{
    Boundary, Conjugacy, Coordinates, Data, Density, Derivatives, EulerSteps, Minibatch, Minibatches, TargetInfo,
};
use base::math::{Matrix, Point, Simd, Stream};

/// A distribution of the family, up to its normaliser.
pub(in crate::targets) trait ConjugateFamily: Copy + Send + Sync + std::fmt::Debug {
    /// The gradient of the log density; the same formula applies outside the support.
    fn gradient(&self, x: f64, y: f64) -> (f64, f64);

    /// The log density inside the support.
    fn log_density(&self, at: Point) -> f64;

    /// The Hessian of the log density.
    fn hessian(&self, at: Point) -> Matrix;

    /// A draw.
    fn draw(&self, stream: &mut Stream) -> Point;

    /// See [`Density::conditional_draw`].
    fn conditional_draw(&self, _axis: usize, _at: Point, _numbers: [f64; 2]) -> Option<f64> {
        None
    }
}

/// The data of a conjugate model.
pub(in crate::targets) trait Observed: Send + Sync + std::fmt::Debug {
    /// The family.
    type Family: ConjugateFamily;

    /// N, at least 1.
    fn len(&self) -> usize;

    /// `prior` after the data with the numbers in `batch`, each counted `times`.
    fn after(&self, prior: Self::Family, batch: Minibatch<'_>, times: f64) -> Self::Family;

    /// Σ ∇ log p(xᵢ|θ) over `batch`.
    fn gradient(&self, at: Point, batch: Minibatch<'_>) -> Point;

    /// The updates of coordinate ascent on such a posterior, if there are any.
    fn conjugacy(_posterior: &Conjugate<Self>) -> Option<&dyn Conjugacy>
    where
        Self: Sized,
    {
        None
    }
}

/// A posterior with its moments and modes.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Conjugate<O: Observed> {
    /// The prior.
    pub(in crate::targets) prior: O::Family,
    /// The distribution of θ given all data.
    pub(in crate::targets) posterior: O::Family,
    /// The constant that makes the log density log prior + log likelihood with all constants.
    pub(in crate::targets) log_constant: f64,
    /// The data.
    pub(in crate::targets) data: O,
    /// What the posterior declares about itself.
    pub(in crate::targets) info: TargetInfo,
}

impl<O: Observed> Conjugate<O> {
    /// The posterior as estimated from a minibatch.
    #[inline(always)]
    fn estimated(&self, batch: Minibatch<'_>) -> O::Family {
        self.data.after(self.prior, batch, self.data.len() as f64 / batch.len() as f64)
    }

    /// The coordinates that fold chains back, if the boundary reflects.
    fn confine(&self, steps: &EulerSteps<'_>) -> Option<Coordinates> {
        (self.info.boundary == Boundary::Reflect).then_some(steps.coordinates)
    }
}

impl<O: Observed> Density for Conjugate<O> {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        let at = if self.info.dimension == 1 { Point::new(at.x, 0.0) } else { at };
        if !self.info.support.contains(at) {
            return f64::NEG_INFINITY;
        }
        self.posterior.log_density(at) + self.log_constant
    }

    fn gradient(&self, at: Point) -> Point {
        gradient_of(self.posterior, at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.posterior.hessian(at).map(saturated)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(LanewiseSweep {
            function: Field { of_chains: Same(self.posterior), confine: None },
            x,
            y,
            gx,
            gy,
        });
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        let confine = self.confine(&steps);
        steps.through(Field { of_chains: Same(self.posterior), confine });
    }

    fn data(&self) -> Option<&dyn Data> {
        Some(self)
    }

    fn conjugacy(&self) -> Option<&dyn Conjugacy> {
        O::conjugacy(self)
    }

    fn conditional_draw(&self, axis: usize, at: Point, numbers: [f64; 2]) -> Option<f64> {
        self.posterior.conditional_draw(axis, at, numbers)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.posterior.draw(stream))
    }
}

impl<O: Observed> Data for Conjugate<O> {
    fn len(&self) -> usize {
        self.data.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        gradient_of(self.prior, at)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        self.data.gradient(at, Minibatch::from(&[index as u32][..]))
    }

    fn prior(&self, at: Point) -> Derivatives {
        let prior = derivatives_of(self.prior, at);
        Derivatives { log_density: prior.log_density + self.log_constant, ..prior }
    }

    /// The posterior of one datum minus the prior: log densities of the family are linear in the sums over the data.
    fn datum(&self, at: Point, index: usize) -> Derivatives {
        let distribution = self.data.after(self.prior, Minibatch::from(&[index as u32][..]), 1.0);
        derivatives_of(distribution, at) + derivatives_of(self.prior, at) * -1.0
    }

    fn batch_gradient(&self, at: Point, batch: Minibatch<'_>) -> Point {
        self.data.gradient(at, batch)
    }

    fn estimates(&self, simd: Simd, x: &[f64], y: &[f64], batches: Minibatches<'_>, gx: &mut [f64], gy: &mut [f64]) {
        let of_chains = Estimated { posterior: self, batches };
        simd.dispatch(LanewiseSweep { function: Field { of_chains, confine: None }, x, y, gx, gy });
    }

    fn euler(&self, batches: Minibatches<'_>, steps: EulerSteps<'_>) {
        let confine = self.confine(&steps);
        steps.through(Field { of_chains: Estimated { posterior: self, batches }, confine });
    }
}

/// The gradient of a distribution, with finite entries.
#[inline(always)]
fn gradient_of(distribution: impl ConjugateFamily, at: Point) -> Point {
    let (gx, gy) = distribution.gradient(at.x, at.y);
    Point::new(saturated(gx), saturated(gy))
}

/// The log density of a distribution with its derivatives, which are finite.
fn derivatives_of(distribution: impl ConjugateFamily, at: Point) -> Derivatives {
    Derivatives {
        log_density: distribution.log_density(at),
        gradient: gradient_of(distribution, at),
        hessian: distribution.hessian(at).map(saturated),
    }
}

/// The distributions whose gradients move the chains.
trait OfChains {
    /// The family.
    type Family: ConjugateFamily;

    /// The distributions of `N` chains.
    fn lanes<const N: usize>(&self, first: FirstLane) -> [Self::Family; N];
}

/// The same distribution for all chains.
struct Same<L>(L);

impl<L: ConjugateFamily> OfChains for Same<L> {
    type Family = L;

    #[inline(always)]
    fn lanes<const N: usize>(&self, _first: FirstLane) -> [L; N] {
        [self.0; N]
    }
}

/// The posteriors as estimated from the minibatches of the chains.
struct Estimated<'a, O: Observed> {
    posterior: &'a Conjugate<O>,
    batches: Minibatches<'a>,
}

impl<O: Observed> OfChains for Estimated<'_, O> {
    type Family = O::Family;

    #[inline(always)]
    fn lanes<const N: usize>(&self, FirstLane { step, chain }: FirstLane) -> [O::Family; N] {
        if self.batches.are_shared() {
            return [self.posterior.estimated(self.batches.of(step, chain)); N];
        }
        std::array::from_fn(|lane| self.posterior.estimated(self.batches.of(step, chain + lane)))
    }
}

/// The gradients at many points, for the distributions of the chains; chains are folded back if need be.
struct Field<F> {
    of_chains: F,
    confine: Option<Coordinates>,
}

impl<F: OfChains> Lanewise for Field<F> {
    #[inline(always)]
    fn at<const N: usize>(&self, first: FirstLane, x: &[f64; N], y: &[f64; N]) -> ([f64; N], [f64; N]) {
        let distributions = self.of_chains.lanes::<N>(first);
        let (mut gx, mut gy) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            let gradient = gradient_of(distributions[i], Point::new(x[i], y[i]));
            (gx[i], gy[i]) = (gradient.x, gradient.y);
        }
        (gx, gy)
    }

    #[inline(always)]
    fn confined<const N: usize>(&self, mut x: [f64; N], mut y: [f64; N]) -> ([f64; N], [f64; N]) {
        if let Some(coordinates) = self.confine {
            for i in 0..N {
                let inside = coordinates.fold(Point::new(x[i], y[i]));
                (x[i], y[i]) = (inside.x, inside.y);
            }
        }
        (x, y)
    }
}
