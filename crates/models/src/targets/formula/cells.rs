//! Probabilities of cells as integrals along lines, which find what lies between the nodes of a rule in a cell: ridges and modes that are
//! narrow beside a view.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::Written;
use super::adaptive::{Care, Integrand, integrate};
use super::field::Field;
use super::integral::{EFFORT, Seed};
use super::line::FLOOR;
use super::plane::Plane;
use crate::targets::Coordinates;
use crate::targets::kit::poles::AXES;
use base::math::{Matrix, Point};

/// Errors of a part, as shares of the whole, that are small enough.
const SHARE: f64 = 1e-8;

/// The largest sum of errors of a result, and the largest difference from the normaliser, as shares of the whole.
const MOST_ERROR: f64 = 1e-5;

/// Parts at most.
const MOST_PARTS: usize = 900;

/// Where integration of a density begins, and how far it reaches.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) centre: Point,
    pub(super) scale: Point,
    pub(super) top: f64,
    pub(super) seeds: Vec<Seed>,
    pub(super) reach: f64,
}

impl Origin {
    /// The probabilities of all cells between these edges, by rows from the lower left; `None` if lines do not add up to a result, neither
    /// those along y nor those along x.
    pub(super) fn cells(&self, density: &Written, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let is_line = density.info.dimension == 1;
        let row = [f64::NEG_INFINITY, f64::INFINITY];
        self.along(density, [0, 1], x, if is_line { &row } else { y }).or_else(|| {
            let turned = if is_line { None } else { self.along(density, [1, 0], y, x) }?;
            let [columns, rows] = [x.len() - 1, y.len() - 1];
            Some((0..rows * columns).map(|cell| turned[cell % columns * rows + cell / columns]).collect())
        })
    }

    /// The same with the axis of lines' positions first, then that along the lines: one list after the other of cells with equal positions in
    /// `across`, in which positions of lines ascend.
    fn along(&self, density: &Written, order: [usize; 2], positions: &[f64], across: &[f64]) -> Option<Vec<f64>> {
        let Self { centre, scale, top, reach, .. } = *self;
        let coordinates = Coordinates::open(&density.info);
        let field = Field { density, coordinates, turn: Matrix::identity(), centre, scale, top };
        let mut plane = Plane::new(&field, &self.seeds, reach);
        plane.order = order;
        let lines = Rows { plane, ends: across, central: OnceLock::new() };
        let axis = order[0];
        let in_t = |at: &f64| field.t(axis, coordinates.from_theta(AXES[axis] * *at)[axis]).clamp(-reach, reach);
        let edges: Vec<f64> = positions.iter().map(in_t).collect();
        let mut breaks = lines.plane.breaks();
        breaks.extend(&edges);
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let care = Care {
            controlled: &[(0, 100.0 * FLOOR)],
            share: SHARE,
            noise: None,
            most: MOST_PARTS,
            missed: [FLOOR, f64::INFINITY],
            cuts: 4,
            patience: 200,
            slow: !field.is_line(),
            effort: EFFORT,
        };
        let found = integrate(&lines, &breaks, care);
        let total = found.sums[0];
        // Nothing is missed where they add up to what the integrals have confirmed.
        let off = (field.log_normaliser(total) - density.info.log_normaliser).abs();
        if !(total > 0.0 && found.errors[0] <= MOST_ERROR * total && off <= MOST_ERROR) {
            return None;
        }
        let columns = positions.len() - 1;
        let mut cells = vec![0.0; columns * (across.len() - 1)];
        for part in &found.parts {
            let column = edges.partition_point(|edge| *edge <= 0.5 * (part.from + part.to));
            if column > 0 && column <= columns {
                for (row, mass) in part.sums[1..].iter().enumerate() {
                    cells[row * columns + column - 1] += mass / total;
                }
            }
        }
        Some(cells)
    }
}

/// Line integrals as wholes and by rows of cells.
struct Rows<'a> {
    plane: Plane<'a>,
    /// Edges of the rows, in θ.
    ends: &'a [f64],
    /// Masses of the line through the centre, of a density of independent coordinates.
    central: OnceLock<Vec<f64>>,
}

impl Rows<'_> {
    /// The mass of the line at t as a whole, and by rows.
    fn masses(&self, t: f64) -> Vec<f64> {
        let field = self.plane.field;
        let mut masses = vec![0.0; self.count()];
        for part in self.plane.parts(t, self.ends) {
            masses[0] += part.sums[0];
            let at = field.theta(self.plane.order[1], 0.5 * (part.from + part.to));
            let row = self.ends.partition_point(|end| *end <= at);
            if row > 0 && row < self.ends.len() {
                masses[row] += part.sums[0];
            }
        }
        masses
    }
}

impl Integrand for Rows<'_> {
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn values(&self, at: &[f64]) -> Vec<f64> {
        let field = self.plane.field;
        let value = |t: &f64| {
            if field.is_line() {
                return vec![self.plane.mass(*t); 2];
            }
            match self.plane.multiple(*t) {
                Some(times) => self.central.get_or_init(|| self.masses(0.0)).iter().map(|mass| times * mass).collect(),
                None => self.masses(*t),
            }
        };
        let all: Vec<Vec<f64>> = at.par_iter().map(value).collect();
        all.into_iter().flatten().collect()
    }

    fn bound(&self, over: [f64; 2], enough: f64) -> f64 {
        self.plane.bound(over, enough)
    }

    fn effort(&self) -> usize {
        self.plane.effort()
    }
}
