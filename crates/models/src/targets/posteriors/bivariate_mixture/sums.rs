//! Sums over all data, or over the nodes of a summary of them, as kernels.

use super::posterior::Posterior;
use super::summary::Summary;
use crate::targets::kit::lanewise::LANES;
use base::math::Point;
use base::math::elementary::{Kernel, exp, ln};

/// Data whose factors 1 + e^−|u| ≤ 2 are multiplied before a logarithm is taken: 2⁵¹² does not overflow.
const FACTORS: usize = 512;

/// Σ min(d², (d−θ₂)²) and Σ ln(1 + e^−|u|) over the data.
pub(super) struct LogLikelihood<'a> {
    pub(super) posterior: &'a Posterior,
    pub(super) at: Point,
}

impl LogLikelihood<'_> {
    /// The square and the factor 1 + e^−|u| of one datum.
    #[inline(always)]
    fn term(&self, datum: f64) -> (f64, f64) {
        let deviation = datum - self.at.x;
        let gap = deviation - self.at.y;
        let logit = self.at.y * (deviation - 0.5 * self.at.y) / self.posterior.variance;
        let nearer = if deviation.abs() < gap.abs() { deviation } else { gap };
        (nearer * nearer, 1.0 + exp(-logit.abs()))
    }
}

impl Kernel for LogLikelihood<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run(self) -> (f64, f64) {
        let mut squares = [0.0; LANES];
        let mut logarithms = 0.0;
        for part in self.posterior.data.chunks(FACTORS) {
            let mut factors = [1.0; LANES];
            let (blocks, rest) = part.as_chunks::<LANES>();
            for block in blocks {
                for i in 0..LANES {
                    let (square, factor) = self.term(block[i]);
                    squares[i] += square;
                    factors[i] *= factor;
                }
            }
            for (i, datum) in rest.iter().enumerate() {
                let (square, factor) = self.term(*datum);
                squares[i] += square;
                factors[i] *= factor;
            }
            logarithms += ln(factors.iter().product());
        }
        (squares.iter().sum(), logarithms)
    }
}

/// The same over the nodes of a summary, with their weights.
pub(super) struct WeightedLogLikelihood<'a> {
    pub(super) terms: LogLikelihood<'a>,
    pub(super) summary: &'a Summary,
}

impl Kernel for WeightedLogLikelihood<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run(self) -> (f64, f64) {
        let (mut squares, mut logarithms) = ([0.0; LANES], [0.0; LANES]);
        let Summary { nodes, weights, .. } = self.summary;
        // A cell has a whole number of lanes.
        for (nodes, weights) in nodes.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            for i in 0..LANES {
                let (square, factor) = self.terms.term(nodes[i]);
                squares[i] += weights[i] * square;
                logarithms[i] += weights[i] * ln(factor);
            }
        }
        (squares.iter().sum(), logarithms.iter().sum())
    }
}

/// The gradient of the log likelihood over the nodes of a summary, with their weights.
pub(super) struct WeightedGradient<'a> {
    pub(super) posterior: &'a Posterior,
    pub(super) summary: &'a Summary,
    pub(super) at: Point,
}

impl Kernel for WeightedGradient<'_> {
    type Output = Point;

    #[inline(always)]
    fn run(self) -> Point {
        let (mut gx, mut gy) = ([0.0; LANES], [0.0; LANES]);
        let Summary { nodes, weights, .. } = self.summary;
        for (nodes, weights) in nodes.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            for i in 0..LANES {
                let (dx, dy) = self.posterior.scaled_datum::<false>(nodes[i], self.at.x, self.at.y);
                gx[i] += weights[i] * dx;
                gy[i] += weights[i] * dy;
            }
        }
        Point::new(gx.iter().sum(), gy.iter().sum()) * self.posterior.precision
    }
}

/// The gradient of the log likelihood: the data are distributed over lanes, whose sums are added in order.
pub(super) struct Gradient<'a> {
    pub(super) posterior: &'a Posterior,
    pub(super) at: Point,
}

impl Kernel for Gradient<'_> {
    type Output = Point;

    #[inline(always)]
    fn run(self) -> Point {
        let (mut gx, mut gy) = ([0.0; LANES], [0.0; LANES]);
        let (blocks, rest) = self.posterior.data.as_chunks::<LANES>();
        for block in blocks {
            for i in 0..LANES {
                let (dx, dy) = self.posterior.scaled_datum::<false>(block[i], self.at.x, self.at.y);
                gx[i] += dx;
                gy[i] += dy;
            }
        }
        for (i, datum) in rest.iter().enumerate() {
            let (dx, dy) = self.posterior.scaled_datum::<false>(*datum, self.at.x, self.at.y);
            gx[i] += dx;
            gy[i] += dy;
        }
        Point::new(gx.iter().sum(), gy.iter().sum()) * self.posterior.precision
    }
}
