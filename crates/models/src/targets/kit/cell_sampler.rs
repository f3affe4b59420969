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
//!
//! The squeeze. The same argument bounds log p at each point by the mean m(θ) of its corners under these weights: it is at most
//! m + ⅛ (A₁₁ h₁² + A₂₂ h₂²), and with ∇² log p ≼ B at least m − ⅛ (B₁₁ h₁² + B₂₂ h₂²). Most points are kept or rejected by these bounds
//! alone, without log p, which may be a sum over many data.

use rand_distr::Distribution;
use rand_distr::weighted::WeightedAliasIndex;

use super::quadrature::{Cell, Lattice};
use base::math::elementary::{exp, ln};
use base::math::{Point, Stream};

/// ⅛ (A₁₁ h₁² + A₂₂ h₂²), how far log p may be above the mean of its corners in a cell, from the diagonal of A and the size h.
fn slack(largest_curvature: Point, size: Point) -> f64 {
    0.125 * largest_curvature.dot(&size.component_mul(&size))
}

/// How far log p may be from its corners in a cell.
#[derive(Clone, Copy, Debug)]
pub(in crate::targets) struct Slack {
    /// Above the highest.
    highest: f64,
    /// Above the mean.
    above: f64,
    /// Below the mean; infinite where nothing is known.
    below: f64,
}

impl Slack {
    /// From the diagonal of A and the size h.
    pub(in crate::targets) fn above(largest_curvature: Point, size: Point) -> Self {
        let above = slack(largest_curvature, size);
        Self { highest: above, above, below: f64::INFINITY }
    }

    /// With the diagonal of B.
    pub(in crate::targets) fn and_below(self, rising: Point, size: Point) -> Self {
        Self { below: slack(rising, size), ..self }
    }

    /// With another bound above the highest corner, which may be lower.
    pub(in crate::targets) fn at_most(self, above_highest: f64) -> Self {
        Self { highest: self.highest.min(above_highest), ..self }
    }
}

/// Rounding of log p, in units of it, generously.
const ROUNDING: f64 = 1e-9;

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

/// A cell with the bounds of log p in it.
#[derive(Clone, Copy, Debug)]
struct BoundedCell {
    corner: Point,
    /// Everywhere in it.
    bound: f64,
    heights: [f64; 4],
    above: f64,
    below: f64,
}

impl BoundedCell {
    fn new(cell: &Cell, slack: &Slack) -> Self {
        let bound = cell.highest() + slack.highest;
        if !cell.heights.iter().all(|height| height.is_finite()) {
            return Self { corner: cell.corner, bound, heights: [0.0; 4], above: f64::INFINITY, below: f64::INFINITY };
        }
        let rounding = ROUNDING * cell.heights.iter().fold(1.0, |most: f64, height| most.max(height.abs()));
        let known = |slack: f64| if slack >= 0.0 { slack + rounding } else { f64::INFINITY };
        let [above, below] = [slack.above, slack.below].map(known);
        Self { corner: cell.corner, bound, heights: cell.heights, above, below }
    }

    /// Whether the point at these shares of the sides is kept, as far as its bounds say so.
    fn decided(&self, share: Point, level: f64) -> Option<bool> {
        let [a, b, c, d] = self.heights;
        let (lower, upper) = (a + share.x * (b - a), c + share.x * (d - c));
        let mean = lower + share.y * (upper - lower);
        let keeps = |log_density: f64| level < exp(log_density - self.bound);
        match (keeps(mean - self.below), keeps(mean + self.above)) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}

impl CellSampler {
    /// From the density on the nodes of a lattice and how far it may be from its corners in each cell; `None` if the density is nowhere
    /// positive, or if the envelope would be so far above it that nearly every point is rejected.
    pub(in crate::targets) fn new(lattice: &Lattice, slack: impl Fn(&Cell) -> Slack) -> Option<Self> {
        let size = lattice.cell_size();
        let highest = lattice.cells().map(|cell| cell.highest()).fold(f64::NEG_INFINITY, f64::max);
        let kept = lattice.cells().filter(|cell| cell.highest() > highest - DEPTH);
        let (kept, slacks): (Vec<Cell>, Vec<Slack>) = kept.map(|cell| (cell, slack(&cell))).unzip();
        let least = slacks.iter().map(|slack| slack.highest).fold(f64::INFINITY, f64::min);
        let above = |(cell, slack): (&Cell, &Slack)| exp((cell.highest() - highest) + (slack.highest - least));
        let weights: Vec<f64> = kept.iter().zip(&slacks).map(above).collect();
        let below: f64 = kept.iter().map(|cell| exp(cell.highest() - highest)).sum();
        let is_near = least + ln(weights.iter().sum::<f64>() / below) <= MOST_SLACK;
        if !is_near {
            return None;
        }
        let cells = kept.iter().zip(&slacks).map(|(cell, slack)| BoundedCell::new(cell, slack)).collect();
        Some(Self { cells, chooser: WeightedAliasIndex::new(weights).ok()?, size })
    }

    /// A draw from the density with the given logarithm, the one the lattice was made from.
    pub(in crate::targets) fn draw(&self, stream: &mut Stream, log_density: impl Fn(Point) -> f64) -> Point {
        loop {
            let cell = &self.cells[self.chooser.sample(stream)];
            let share = Point::new(stream.uniform(), stream.uniform());
            let point = cell.corner + share.component_mul(&self.size);
            let level = stream.uniform();
            let decided = cell.decided(share, level);
            let is_below = || level < exp(log_density(point) - cell.bound);
            if cfg!(test) {
                assert!(
                    decided.is_none_or(|kept| kept == is_below()),
                    "at {point} the density is not within its bounds"
                );
            }
            if decided.unwrap_or_else(is_below) {
                return point;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use base::math::Purpose;

    use super::*;

    /// Of a normal density with nodes half a standard deviation apart, where draws are compared with it by themselves.
    #[test]
    fn few_points_need_the_density() {
        let size = Point::repeat(0.5);
        let height = |at: Point| -0.5 * at.norm_squared();
        let slack = Slack::above(Point::repeat(1.0), size).and_below(Point::zeros(), size);
        let mut stream = Stream::derive(9, Purpose::Truth, 0, 0);
        let mut open = 0;
        const POINTS: usize = 20_000;
        for _ in 0..POINTS {
            let corner = Point::new(stream.uniform(), stream.uniform()).map(|share| (8.0 * share).floor() * 0.5 - 2.0);
            let at = |x: f64, y: f64| height(corner + Point::new(x, y).component_mul(&size));
            let cell = Cell { corner, heights: [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)] };
            let bounded = BoundedCell::new(&cell, &slack);
            let (share, level) = (Point::new(stream.uniform(), stream.uniform()), stream.uniform());
            let is_below = level < exp(at(share.x, share.y) - bounded.bound);
            match bounded.decided(share, level) {
                Some(kept) => assert_eq!(kept, is_below, "at {corner} + {share}"),
                None => open += 1,
            }
        }
        // The bounds are ¼ h² = 1/16 apart.
        assert!(open < POINTS / 16, "{open} of {POINTS}");
    }

    #[test]
    fn what_is_not_bounded_is_left_to_the_density() {
        let size = Point::repeat(1.0);
        let unknown = Slack::above(Point::repeat(f64::INFINITY), size).at_most(0.0);
        let ends = Cell { corner: Point::zeros(), heights: [0.0, -1.0, f64::NEG_INFINITY, 0.0] };
        for (heights, slack) in [
            ([0.0, -1.0, -2.0, -1.0], unknown),
            (ends.heights, Slack::above(Point::repeat(1.0), size).and_below(Point::zeros(), size)),
        ] {
            let bounded = BoundedCell::new(&Cell { heights, ..ends }, &slack);
            assert_eq!(bounded.decided(Point::repeat(0.5), 0.5), None);
        }
    }
}
