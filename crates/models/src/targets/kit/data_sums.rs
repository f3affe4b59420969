//! Gradients of posteriors in the plane that are sums over data: with all data, or with those of a minibatch.

use super::lanewise::{FirstLane, Lanewise, POINTS, saturated};
use crate::targets::Minibatches;
use base::math::Point;

/// A posterior with a Gaussian prior of mean 0 whose likelihood is a product over data.
pub(in crate::targets) trait DataTerms: Send + Sync {
    /// N.
    fn count(&self) -> usize;

    /// ∇ log p(xᵢ|θ) of datum number `index`, divided by [`scale`](Self::scale); must be inlined.
    fn term(&self, index: usize, first: f64, second: f64) -> (f64, f64);

    /// What all terms are multiplied by.
    fn scale(&self) -> f64;

    /// One over the variances of the prior.
    fn prior_precision(&self) -> Point;
}

/// The terms of `L` points summed, over `count` data each: `index(k)` are the numbers of the k-th datum of every point. The
/// terms of a point are added in their order, whatever `L` is.
#[inline(always)]
fn summed<P: DataTerms, const L: usize>(
    posterior: &P,
    count: usize,
    index: impl Fn(usize) -> [usize; L],
    x: &[f64; L],
    y: &[f64; L],
) -> ([f64; L], [f64; L]) {
    let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
    // A single point has its data side by side.
    let blocks = if L == 1 { count / POINTS } else { 0 };
    for block in 0..blocks {
        let (mut dx, mut dy) = ([0.0; POINTS], [0.0; POINTS]);
        for i in 0..POINTS {
            (dx[i], dy[i]) = posterior.term(index(block * POINTS + i)[0], x[0], y[0]);
        }
        for i in 0..POINTS {
            gx[0] += dx[i];
            gy[0] += dy[i];
        }
    }
    for number in blocks * POINTS..count {
        let data = index(number);
        for i in 0..L {
            let (dx, dy) = posterior.term(data[i], x[i], y[i]);
            gx[i] += dx;
            gy[i] += dy;
        }
    }
    (gx, gy)
}

/// `scale` times sums over data, and the gradient of the prior; finite.
#[inline(always)]
fn with_prior<P: DataTerms, const L: usize>(
    posterior: &P,
    scale: f64,
    (mut gx, mut gy): ([f64; L], [f64; L]),
    x: &[f64; L],
    y: &[f64; L],
) -> ([f64; L], [f64; L]) {
    let precision = posterior.prior_precision();
    for i in 0..L {
        gx[i] = saturated(gx[i] * scale - x[i] * precision.x);
        gy[i] = saturated(gy[i] * scale - y[i] * precision.y);
    }
    (gx, gy)
}

/// The gradient.
pub(in crate::targets) struct Full<'a, P>(pub(in crate::targets) &'a P);

impl<P: DataTerms> Full<'_, P> {
    /// At one point.
    pub(in crate::targets) fn at_point(&self, at: Point) -> Point {
        let ([gx], [gy]) = self.at(FirstLane::default(), &[at.x], &[at.y]);
        Point::new(gx, gy)
    }
}

impl<P: DataTerms> Lanewise for Full<'_, P> {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let sums = summed(self.0, self.0.count(), |number| [number; L], x, y);
        with_prior(self.0, self.0.scale(), sums, x, y)
    }
}

/// The minibatch estimate of the gradient, the data of a batch added in their order.
pub(in crate::targets) struct Estimate<'a, P> {
    posterior: &'a P,
    batches: Minibatches<'a>,
    /// N/n times the scale of the terms.
    scale: f64,
}

impl<'a, P: DataTerms> Estimate<'a, P> {
    /// With these minibatches.
    pub(in crate::targets) fn new(posterior: &'a P, batches: Minibatches<'a>) -> Self {
        let scale = posterior.count() as f64 / batches.size() as f64 * posterior.scale();
        Self { posterior, batches, scale }
    }
}

impl<P: DataTerms> Lanewise for Estimate<'_, P> {
    #[inline(always)]
    fn at<const L: usize>(&self, first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let index = |number| self.batches.lanes::<L>(first.step, number, first.chain).map(|index| index as usize);
        let sums = summed(self.posterior, self.batches.size(), index, x, y);
        with_prior(self.posterior, self.scale, sums, x, y)
    }
}
