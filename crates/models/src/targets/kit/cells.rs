//! Rejection sampling from a smooth density in the plane, with a piecewise constant envelope on cells.
//!
//! The envelope. Let A be a constant matrix with −∇² log p ≼ A in a cell: g(θ) = log p(θ) + ½ θᵀAθ is convex there.
//! In the cell, θ is the mean of the four corners under weights that are products of one per axis. By convexity
//! g(θ) is at most the mean of g at the corners, and since the axes are independent under such weights, the
//! off-diagonal terms of A cancel: for a cell of size h₁ × h₂,
//! log p(θ) ≤ max over corners of log p + ⅛ (A₁₁ h₁² + A₂₂ h₂²).
//! A cell is chosen in proportion to that bound, a point in it uniformly, and kept with probability
//! p(θ)/bound: the draws follow p exactly. Only the box is finite; what lies outside has a probability of
//! about e⁻⁴⁰ (see [`Lattice`]).

use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use super::quadrature::{Cell, Lattice};
use base::math::elementary::{exp, ln};
use base::math::{Point, Stream};

/// ⅛ (A₁₁ h₁² + A₂₂ h₂²), how far log p may be above its highest corner in a cell, from the diagonal of A and the size h.
pub(in crate::targets) fn slack(largest_curvature: Point, size: Point) -> f64 {
    0.125 * largest_curvature.dot(&size.component_mul(&size))
}

/// Cells whose bound lies this far below the highest, as a logarithm, are left out.
const DEPTH: f64 = 45.0;

/// Largest slack, as the logarithm of the mean of its exponential under the density: about one point in e to
/// this power is kept, so a draw takes a thousand points at worst.
const MOST_SLACK: f64 = 7.0;

/// The envelope of a density.
#[derive(Clone, Debug)]
pub(in crate::targets) struct CellSampler {
    cells: Vec<BoundedCell>,
    /// Chooses a cell in proportion to its bound.
    chooser: WeightedAliasIndex<f64>,
    size: Point,
}

/// A cell with the bound of log p in it.
#[derive(Clone, Copy, Debug)]
struct BoundedCell {
    corner: Point,
    bound: f64,
}

impl CellSampler {
    /// From the density on the nodes of a lattice and how far it may be above its highest corner in each cell; `None` if the density is nowhere
    /// positive, or if the envelope would be so far above it that nearly every point is rejected.
    pub(in crate::targets) fn new(lattice: &Lattice, slack: impl Fn(&Cell) -> f64) -> Option<Self> {
        let size = lattice.cell_size();
        let highest = lattice.cells().map(|cell| cell.highest).fold(f64::NEG_INFINITY, f64::max);
        let kept = lattice.cells().filter(|cell| cell.highest > highest - DEPTH);
        let (kept, slacks): (Vec<Cell>, Vec<f64>) = kept.map(|cell| (cell, slack(&cell))).unzip();
        let least = slacks.iter().copied().fold(f64::INFINITY, f64::min);
        let above = kept.iter().zip(&slacks).map(|(cell, slack)| exp((cell.highest - highest) + (slack - least)));
        let weights: Vec<f64> = above.collect();
        let below: f64 = kept.iter().map(|cell| exp(cell.highest - highest)).sum();
        let is_near = least + ln(weights.iter().sum::<f64>() / below) <= MOST_SLACK;
        if !is_near {
            return None;
        }
        let bounded = |(cell, slack): (&Cell, &f64)| BoundedCell { corner: cell.corner, bound: cell.highest + slack };
        let cells = kept.iter().zip(&slacks).map(bounded).collect();
        Some(Self { cells, chooser: WeightedAliasIndex::new(weights).ok()?, size })
    }

    /// A draw from the density with the given logarithm, the one the lattice was made from.
    pub(in crate::targets) fn draw(&self, stream: &mut Stream, log_density: impl Fn(Point) -> f64) -> Point {
        loop {
            let cell = &self.cells[self.chooser.sample(stream)];
            let share = Point::new(stream.uniform(), stream.uniform());
            let point = cell.corner + share.component_mul(&self.size);
            if stream.uniform() < exp(log_density(point) - cell.bound) {
                return point;
            }
        }
    }
}
