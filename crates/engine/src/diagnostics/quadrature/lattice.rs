//! The log density in the middles of all cells, from which the points of rules are interpolated where it is smooth.

use rayon::prelude::*;

use super::rules::{FIVE_POINTS, Probe, THREE_POINTS, TWO_POINTS};
use super::{Integrand, NEGLIGIBLE, TOLERANCE};
use base::math::{Grid, Point};

/// Log density, relative to the peak, below which there is nothing.
const EMPTY: f64 = -40.0;

/// Cells by which the lattice of middles reaches beyond the grid, and half the width of a stencil.
const MARGIN: usize = 3;

/// Cells in a stencil.
const STENCIL: usize = 2 * MARGIN + 1;

/// What interpolation from 7 points leaves of the difference it makes to 5 points; chosen on the safe side.
const LEFT_BY_SEVEN: f64 = 0.25;

/// How much more the interpolation is in doubt at the points of the rules with 3 and 5 points, which lie further out.
const DOUBT_FURTHER_OUT: f64 = 2.0;

/// Doubt about an interpolated log density from which on it says nothing.
const MOST_DOUBT: f64 = 0.5;

/// Weights with which the log densities in the middles of 7 cells in a row give that at a node in the central one.
struct Stencil {
    /// Weight of the node in its rule.
    weight: f64,
    seven: [f64; STENCIL],
    /// The same from the inner 5 cells alone.
    five: [f64; STENCIL],
}

impl Stencil {
    fn new(&(node, weight): &(f64, f64)) -> Self {
        let u = node / 2.0;
        let lagrange = |points: &[f64], at: f64| -> f64 {
            points.iter().filter(|&&other| (other - at).abs() > 0.5).map(|other| (u - other) / (at - other)).product()
        };
        let seven = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0];
        let five = &seven[1..6];
        let inner = |at: f64| if at.abs() < 2.5 { lagrange(five, at) } else { 0.0 };
        Self { weight, seven: seven.map(|at| lagrange(&seven, at)), five: seven.map(inner) }
    }
}

/// The log density in the middle of every cell and of [`MARGIN`] more cells on each side.
pub(super) struct Lattice {
    logs: Vec<f64>,
    columns: usize,
    /// Cells with a mode in them or next to them.
    near_mode: Vec<bool>,
    empty: f64,
    cell_size: f64,
    two: Vec<Stencil>,
    three: Vec<Stencil>,
    five: Vec<Stencil>,
}

impl Lattice {
    pub(super) fn new(density: &Integrand<'_>, grid: &Grid) -> Self {
        let (columns, rows) = (grid.x.cells + 2 * MARGIN, grid.y.cells + 2 * MARGIN);
        let width = Point::new(grid.x.width(), grid.y.width());
        let first = Point::new(grid.x.centre(0), grid.y.centre(0)) - width * MARGIN as f64;
        let at = |index: usize| {
            let steps = Point::new((index % columns) as f64, (index / columns) as f64);
            density.log_at(first + width.component_mul(&steps))
        };
        let logs: Vec<f64> = (0..columns * rows).into_par_iter().map(at).collect();
        let modes = &density.target.info().modes;
        let mut near_mode = vec![false; columns * rows];
        for mode in modes {
            // The lattice extends the grid, so a mode within the grid is at least MARGIN cells from its ends.
            let Some(cell) = grid.cell(mode.at) else { continue };
            let centre = (cell / grid.x.cells + MARGIN) * columns + cell % grid.x.cells + MARGIN;
            for middle in [centre - columns, centre, centre + columns] {
                near_mode[middle - 1..=middle + 1].fill(true);
            }
        }
        let at_modes = modes.iter().map(|mode| density.log_at(mode.at));
        let peak = at_modes.chain(logs.iter().copied()).fold(f64::NEG_INFINITY, f64::max);
        Self {
            logs,
            columns,
            near_mode,
            empty: peak + EMPTY,
            cell_size: width.x * width.y,
            two: TWO_POINTS.iter().map(Stencil::new).collect(),
            three: THREE_POINTS.iter().map(Stencil::new).collect(),
            five: FIVE_POINTS.iter().map(Stencil::new).collect(),
        }
    }

    /// The probability of a cell of the grid; `None` where the density has to be looked at more closely.
    pub(super) fn probability(&self, column: usize, row: usize) -> Option<f64> {
        let centre = (row + MARGIN) * self.columns + column + MARGIN;
        if self.near_mode[centre] {
            return None;
        }
        let around = [centre - self.columns, centre, centre + self.columns];
        if around.iter().flat_map(|&middle| &self.logs[middle - 1..=middle + 1]).all(|&log| log < self.empty) {
            return Some(0.0);
        }
        let (two, doubt) = self.probe(column, row, &self.two);
        // Beside a wall, and where the density is 0, interpolation of its log may end anywhere, also far below what is there.
        if !(doubt < MOST_DOUBT && two.average.is_finite()) {
            return None;
        }
        let largest = self.cell_size * libm::exp(self.logs[centre].max(two.highest));
        let allowed = (TOLERANCE * self.cell_size * two.average).max(NEGLIGIBLE);
        let [of_two, of_three, of_five] = two.relative_errors(self.logs[centre]);
        if (of_two + doubt) * largest <= allowed {
            return Some(self.cell_size * two.average);
        }
        let nodes = [(of_three, &self.three), (of_five, &self.five)];
        let accurate = |error: f64| (error + DOUBT_FURTHER_OUT * doubt) * largest <= allowed;
        let (_, nodes) = nodes.into_iter().find(|(error, _)| accurate(*error))?;
        Some(self.cell_size * self.probe(column, row, nodes).0.average)
    }

    /// Looks at the interpolated density on the points of a rule, and how far the interpolation of its log is in doubt.
    fn probe(&self, column: usize, row: usize, nodes: &[Stencil]) -> (Probe, f64) {
        let mut probe = Probe::default();
        let mut doubt = 0.0_f64;
        let first = row * self.columns + column;
        // In arrays of known size the sums become vector instructions.
        let around: [[f64; STENCIL]; STENCIL] =
            std::array::from_fn(|j| std::array::from_fn(|i| self.logs[first + j * self.columns + i]));
        let along_y = |weights: &[f64; STENCIL]| {
            let mut sums = [0.0; STENCIL];
            for (weight, logs) in weights.iter().zip(&around) {
                sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += weight * log);
            }
            sums
        };
        for v in nodes {
            let (seven, five) = (along_y(&v.seven), along_y(&v.five));
            let dot = |a: &[f64; STENCIL], b: &[f64; STENCIL]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            for u in nodes {
                let log = dot(&u.seven, &seven);
                // A neighbour outside the support makes this infinite or NaN: then the maximum must not lose it.
                let change = (log - dot(&u.five, &five)).abs();
                doubt = if change.is_finite() { doubt.max(change) } else { f64::INFINITY };
                probe.add(log, u.weight * v.weight);
            }
        }
        (probe, LEFT_BY_SEVEN * doubt)
    }
}
