//! The collected distribution of a product: μ̄ = Σ w_k μ_k / Σ w_k, an average of products, which is no product itself.
//!
//! It is accumulated on the cells of the measures, Σ w_k b_k ⊗ b_k, with the mass within ellipses around modes beside it. An ellipse is
//! x = c + ρ sin φ, |y − c'| ≤ ρ' cos φ: a sum over φ of the density of x and of differences of the distribution function of y. The integrand
//! is smooth and periodic in φ, and the midpoint rule exact to rounding.

use std::f64::consts::PI;

use base::math::elementary::sin_cos_2pi;

use crate::line::{Line, Masses};
use crate::padding::whole;
use crate::spline::{BEFORE, Cumulative, TAPS, lagrange};

/// Points of the rule over an ellipse.
const ELLIPSE_POINTS: usize = 32;

/// A mode of one factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Its position.
    pub centre: f64,
    /// The half axis of the ellipses around it, e.g. three standard deviations.
    pub radius: f64,
}

/// A sum over six neighbours: interpolation of order 6.
#[derive(Clone, Copy, Debug)]
struct Taps {
    first: usize,
    weights: [f64; TAPS],
}

impl Taps {
    /// At `place`, from 0 to `count` − 1. Near the ends, and beyond them, the value at the end is used.
    fn new(place: f64, count: usize) -> Self {
        let most = (count - TAPS + BEFORE) as f64;
        if place >= BEFORE as f64 && place <= most {
            let below = place.floor().min(most - 1.0);
            return Self { first: whole(below) - BEFORE, weights: lagrange(place - below) };
        }
        let mut weights = [0.0; TAPS];
        let (first, end) = if place > most { (count - TAPS, TAPS - 1) } else { (0, 0) };
        weights[end] = 1.0;
        Self { first, weights }
    }

    fn of(&self, values: &[f64]) -> f64 {
        values[self.first..self.first + TAPS].iter().zip(&self.weights).map(|(value, weight)| value * weight).sum()
    }
}

/// What is read off one factor.
#[derive(Clone, Debug)]
struct Factor {
    low: f64,
    spacing: f64,
    edges: Vec<Taps>,
    /// For each peak and each φ: density at c + ρ sin φ, times ρ cos φ dφ; distribution function at c ± ρ cos φ.
    across: Vec<(Taps, f64)>,
    up: Vec<[Taps; 2]>,
}

impl Factor {
    fn new(line: &Line, edges: &[f64], peaks: &[Peak]) -> Self {
        let (low, spacing, count) = (line.ends().0, line.spacing(), line.nodes().len());
        let face = |x: f64| Taps::new((x - low) / spacing, count + 1);
        let node = |x: f64| Taps::new((x - low) / spacing - 0.5, count);
        let step = PI / ELLIPSE_POINTS as f64;
        let angles: Vec<(f64, f64)> =
            (0..ELLIPSE_POINTS).map(|k| sin_cos_2pi((k as f64 + 0.5) / (2 * ELLIPSE_POINTS) as f64 - 0.25)).collect();
        let points = || peaks.iter().flat_map(|peak| angles.iter().map(move |angle| (*peak, *angle)));
        let across = points().map(|(Peak { centre, radius }, (sine, cosine))| {
            (node(centre + radius * sine), radius * cosine * step / spacing)
        });
        let up = points().map(|(Peak { centre, radius }, (_, cosine))| {
            [face(centre - radius * cosine), face(centre + radius * cosine)]
        });
        let edges = edges.iter().map(|&x| face(x)).collect();
        Self { low, spacing, edges, across: across.collect(), up: up.collect() }
    }

    /// Probabilities of the cells, and the distribution function.
    fn cells(&self, masses: &Masses) -> (Vec<f64>, Cumulative) {
        let cumulative = Cumulative::new(self.low, self.spacing, &masses.nodes);
        let at: Vec<f64> = self.edges.iter().map(|taps| taps.of(cumulative.below())).collect();
        (at.windows(2).map(|pair| pair[1] - pair[0]).collect(), cumulative)
    }
}

/// What is measured of products of a distribution of x and one of y.
#[derive(Clone, Debug)]
pub struct Cells {
    x: Factor,
    y: Factor,
    /// Numbers of the peaks in x and in y of which each ellipse is made.
    ellipses: Vec<(usize, usize)>,
}

/// Probabilities of cells, by rows from the lower left, and of ellipses around modes.
#[derive(Clone, Debug, PartialEq)]
pub struct CellMasses {
    /// One for each cell.
    pub cells: Vec<f64>,
    /// The probability within the ellipses, which do not overlap.
    pub within: f64,
    /// Sum of the weights of what was added.
    pub weight: f64,
}

impl Cells {
    /// Cells between edges in ascending order, and ellipses around modes: pairs of numbers of `peaks` in x and in y.
    #[must_use]
    pub fn new(lines: [&Line; 2], edges: [&[f64]; 2], peaks: [&[Peak]; 2], ellipses: Vec<(usize, usize)>) -> Self {
        let factor = |axis: usize| Factor::new(lines[axis], edges[axis], peaks[axis]);
        Self { x: factor(0), y: factor(1), ellipses }
    }

    /// An empty sum.
    #[must_use]
    pub fn empty(&self) -> CellMasses {
        let edges = |factor: &Factor| factor.edges.len().saturating_sub(1);
        CellMasses { cells: vec![0.0; edges(&self.x) * edges(&self.y)], within: 0.0, weight: 0.0 }
    }

    /// Adds the product μx ⊗ μy with a weight.
    pub fn add(&self, sum: &mut CellMasses, x: &Masses, y: &Masses, weight: f64) {
        let ((across, below_x), (up, below_y)) = (self.x.cells(x), self.y.cells(y));
        drop(below_x);
        for (row, mass) in sum.cells.chunks_exact_mut(across.len().max(1)).zip(&up) {
            row.iter_mut().zip(&across).for_each(|(cell, across)| *cell += weight * mass * across);
        }
        let densities: Vec<f64> = self.x.across.iter().map(|(taps, scale)| scale * taps.of(&x.nodes)).collect();
        let between = |[low, high]: &[Taps; 2]| high.of(below_y.below()) - low.of(below_y.below());
        let heights: Vec<f64> = self.y.up.iter().map(between).collect();
        for &(i, j) in &self.ellipses {
            let densities = &densities[i * ELLIPSE_POINTS..][..ELLIPSE_POINTS];
            let heights = &heights[j * ELLIPSE_POINTS..][..ELLIPSE_POINTS];
            sum.within += weight * densities.iter().zip(heights).map(|(a, b)| a * b).sum::<f64>();
        }
        sum.weight += weight;
    }

    /// One product alone.
    #[must_use]
    pub fn of(&self, x: &Masses, y: &Masses) -> CellMasses {
        let mut sum = self.empty();
        self.add(&mut sum, x, y, 1.0);
        sum
    }
}

impl CellMasses {
    /// The average of what was added; unchanged if nothing was.
    #[must_use]
    pub fn mean(mut self) -> Self {
        if self.weight > 0.0 {
            self.cells.iter_mut().for_each(|cell| *cell /= self.weight);
            (self.within, self.weight) = (self.within / self.weight, 1.0);
        }
        self
    }

    /// Probability outside of all cells, of an average.
    #[must_use]
    pub fn outside(&self) -> f64 {
        1.0 - self.cells.iter().sum::<f64>()
    }

    /// Total variation, ½ Σ |p − q| over the cells and what is outside of them, in [0, 1].
    #[must_use]
    pub fn total_variation(&self, other: &Self) -> f64 {
        let cells: f64 = self.cells.iter().zip(&other.cells).map(|(p, q)| (p - q).abs()).sum();
        0.5 * (cells + (self.outside() - other.outside()).abs())
    }
}
