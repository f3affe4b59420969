//! What is read off a distribution on the nodes of a plane: probabilities of cells, of basins, and of ellipses around modes.
//!
//! Along x, distribution functions of the rows of nodes are exact to order 6 between faces of cells. Along y, probabilities of cells are read
//! off in the same way, those of basins are sums over rows. An ellipse is a sum over angles, whose integrand is smooth.

use std::f64::consts::PI;

use base::math::{Point, elementary::sin_cos_2pi, elementary::whole_bits};
use exact::{Cumulative, Plane};
use models::targets::Mode;

/// Modes at most of which basins are computed.
const MOST_MODES: usize = 64;

/// Points of the rule over an ellipse.
const ELLIPSE_POINTS: usize = 48;

/// Nodes that take part in an interpolation, and those of them before the point.
const TAPS: usize = 6;
const BEFORE: usize = 2;

/// The rows of nodes of a plane as distribution functions.
#[derive(Debug)]
pub(super) struct Rows {
    low: Point,
    spacing: Point,
    rows: Vec<Cumulative>,
    /// Sums over rows and columns of nodes.
    sums: [Vec<f64>; 2],
}

impl Rows {
    pub fn new(plane: &Plane, masses: &[f64]) -> Self {
        let ([columns, count], spacing) = (plane.shape(), plane.spacing());
        let low = plane.node(0) - spacing * 0.5;
        let rows = masses.chunks_exact(columns).map(|row| Cumulative::new(low.x, spacing.x, row)).collect();
        let mut sums = [vec![0.0; columns], vec![0.0; count]];
        for (number, mass) in masses.iter().enumerate() {
            sums[0][number % columns] += mass;
            sums[1][number / columns] += mass;
        }
        Self { low, spacing, rows, sums }
    }

    /// Probabilities of cells between edges, by rows from the lower left.
    pub fn cells(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let along: Vec<Vec<f64>> = self.rows.iter().map(|row| between(row, x)).collect();
        let columns = x.len() - 1;
        let mut cells = vec![0.0; columns * (y.len() - 1)];
        for column in 0..columns {
            let up: Vec<f64> = along.iter().map(|row| row[column]).collect();
            let up = between(&Cumulative::new(self.low.y, self.spacing.y, &up), y);
            up.iter().enumerate().for_each(|(row, mass)| cells[row * columns + column] = *mass);
        }
        cells
    }

    /// Probabilities of columns or rows between edges, whatever the other coordinate.
    pub fn marginal(&self, axis: usize, edges: &[f64]) -> Vec<f64> {
        between(&self.whole(axis), edges)
    }

    /// The distribution function of one coordinate.
    pub fn whole(&self, axis: usize) -> Cumulative {
        Cumulative::new(self.low[axis], self.spacing[axis], &self.sums[axis])
    }

    /// The probability nearest to each mode, and within three standard deviations of the nearest one.
    pub fn modes(&self, modes: &[Mode]) -> Option<(Vec<f64>, f64)> {
        if modes.is_empty() || modes.len() > MOST_MODES {
            return None;
        }
        let mut basins = vec![0.0; modes.len()];
        for (number, row) in self.rows.iter().enumerate() {
            let y = self.low.y + (number as f64 + 0.5) * self.spacing.y;
            for (mode, low, high) in nearest(modes, y) {
                basins[mode] += row.between(low, high);
            }
        }
        let within = (0..modes.len()).map(|mode| self.within(modes, mode)).sum();
        Some((basins, within))
    }

    /// The probability within three standard deviations of a mode and nearest to it.
    fn within(&self, modes: &[Mode], number: usize) -> f64 {
        let Mode { at, covariance, .. } = &modes[number];
        let (up, slope) = (3.0 * covariance.m22.sqrt(), covariance.m12 / covariance.m22);
        let across = 3.0 * (covariance.m11 - slope * covariance.m12).max(0.0).sqrt();
        let mut sum = 0.0;
        for k in 0..ELLIPSE_POINTS {
            let (sine, cosine) = sin_cos_2pi((k as f64 + 0.5) / (2 * ELLIPSE_POINTS) as f64 - 0.25);
            let y = at.y + up * sine;
            let (centre, half) = (at.x + slope * (y - at.y), across * cosine);
            let inside: f64 = nearest(modes, y)
                .into_iter()
                .filter(|(mode, ..)| *mode == number)
                .map(|(_, low, high)| (low.max(centre - half), high.min(centre + half)))
                .filter(|(low, high)| high > low)
                .map(|(low, high)| self.at_height(y, low, high))
                .sum();
            sum += inside * up * cosine * PI / ELLIPSE_POINTS as f64;
        }
        sum
    }

    /// The probability between two x, per unit of y at a height.
    fn at_height(&self, y: f64, low: f64, high: f64) -> f64 {
        let place = (y - self.low.y) / self.spacing.y - 0.5;
        if !(place >= BEFORE as f64 && place < (self.rows.len() - TAPS + BEFORE) as f64) {
            return 0.0;
        }
        let below = place.floor();
        let first = whole_bits(below) as usize - BEFORE;
        let weights = lagrange(place - below);
        let rows = self.rows[first..first + TAPS].iter().zip(weights);
        rows.map(|(row, weight)| weight * row.between(low, high)).sum::<f64>() / self.spacing.y
    }
}

/// Differences of a distribution function between edges.
pub(super) fn between(cumulative: &Cumulative, edges: &[f64]) -> Vec<f64> {
    let at: Vec<f64> = edges.iter().map(|&edge| cumulative.at(edge)).collect();
    at.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Lagrange's polynomials of the nodes −2 … 3 at `t` in [0, 1].
fn lagrange(t: f64) -> [f64; TAPS] {
    std::array::from_fn(|k| {
        let node = |k: usize| k as f64 - BEFORE as f64;
        (0..TAPS).filter(|&other| other != k).map(|other| (t - node(other)) / (node(k) - node(other))).product()
    })
}

/// The intervals of x at a height, each with the mode that is nearest there.
fn nearest(modes: &[Mode], y: f64) -> Vec<(usize, f64, f64)> {
    let mut cuts = Vec::new();
    for (i, one) in modes.iter().enumerate() {
        for other in &modes[..i] {
            let (a, b) = (one.at, other.at);
            let cut = (b.x * b.x - a.x * a.x + (y - b.y) * (y - b.y) - (y - a.y) * (y - a.y)) / (2.0 * (b.x - a.x));
            cuts.extend(Some(cut).filter(|cut| cut.is_finite()));
        }
    }
    cuts.sort_by(f64::total_cmp);
    let ends =
        [f64::NEG_INFINITY].into_iter().chain(cuts.iter().copied()).zip(cuts.iter().copied().chain([f64::INFINITY]));
    let mut found: Vec<(usize, f64, f64)> = Vec::new();
    for (low, high) in ends {
        let middle = match (low.is_finite(), high.is_finite()) {
            (true, true) => 0.5 * (low + high),
            (true, false) => low + 1.0,
            (false, true) => high - 1.0,
            (false, false) => 0.0,
        };
        let distance = |mode: &Mode| (mode.at.x - middle) * (mode.at.x - middle) + (mode.at.y - y) * (mode.at.y - y);
        let best = (0..modes.len()).min_by(|&a, &b| distance(&modes[a]).total_cmp(&distance(&modes[b]))).unwrap_or(0);
        match found.last_mut() {
            Some((mode, _, end)) if *mode == best => *end = high,
            _ => found.push((best, low, high)),
        }
    }
    found
}
