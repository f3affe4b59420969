//! Adaptive cubature of a density, where it is too uneven for a lattice: a funnel, heavy tails, a sharp tip.
//!
//! With z = c + s sinh t along each axis, c the highest point and s a width there, a box of some forty units a side reaches
//! from a billionth of s to a billion of it. Cells of the box are halved along each axis until the seven-point
//! Gauss–Legendre product rule over a cell agrees with that over its parts. Cells with high points are halved down to the
//! widths of these first, so that no narrow one is missed.

use libm::{cosh, sinh};
use rayon::prelude::*;

use super::Written;
use crate::math::kernels::{exp, ln};
use crate::math::{Bounds, Matrix, Point};
use crate::targets::Coordinates;
use crate::targets::basins::{Block, RULE};

/// The reach in t: sinh is a billion there.
const REACH: f64 = 21.5;

/// Cells along a side before any is halved; even, so that the highest point is at a corner.
const FIRST: u32 = 24;

/// Cells at most, and instructions of the density in all of them together: fewer cells of a long formula.
const MOST: usize = 80_000;
const MOST_WORK: usize = 80_000_000;

/// Fewest cells for the longest formulas.
const FEWEST: usize = 4_000;

/// The error of a cell, as a share of the whole, up to which it is not halved; there are some thousands of cells.
const SHARE: f64 = 1e-13;

/// The largest sum of errors, as a share of the whole, of a result.
const MOST_ERROR: f64 = 1e-8;

/// The largest share of an integral that may lie in cells at the edge of the box.
const AT_EDGE: f64 = 1e-7;

/// Depth of a view below the highest point, without and with heavy tails, which are far longer than their centre is wide (the
/// second chosen by eye: 95 % of a Cauchy distribution).
const VIEW_DEPTHS: [f64; 2] = [10.0, 5.0];

/// The only node of the second coordinate on the line.
const ON_LINE: [(f64, f64); 1] = [(0.0, 1.0)];

/// ∫p, and ∫ of p times x, y, x², xy, y², from the highest point.
type Sums = [f64; 6];

/// Those of p times x² and y², which have to agree where they exist, as ∫p has to.
const SQUARES: [usize; 2] = [3, 5];

/// What cubature finds.
#[derive(Clone, Debug)]
pub(super) struct Integrals {
    /// log ∫p.
    pub(super) log_normaliser: f64,
    /// Mean of θ; NaN along an axis with tails that are too heavy for it.
    pub(super) mean: Point,
    /// Covariance of θ; NaN where the tails along one of both axes are too heavy for it.
    pub(super) covariance: Matrix,
    /// A box in θ that shows the density well.
    pub(super) view: Bounds,
    /// Boxes in θ over which the density is smooth.
    pub(super) blocks: Vec<Block>,
}

/// Why there is nothing to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The integral grows with the box.
    Improper,
    /// There were too few cells.
    Uneven,
}

/// A density with its highest point.
#[derive(Debug)]
pub(super) struct Cubature<'a> {
    pub(super) density: &'a Written,
    pub(super) coordinates: Coordinates,
    /// c, in z.
    pub(super) centre: Point,
    /// s, in z.
    pub(super) scale: Point,
    /// The log density of z at c.
    pub(super) highest: f64,
    /// Axes along which the tails are too heavy for a variance, so that no cell is halved for it.
    pub(super) heavy: [bool; 2],
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    corner: Point,
    size: Point,
    sums: Sums,
}

impl Cubature<'_> {
    /// The integrals; `seeds` are high points of the density of z with their widths.
    pub(super) fn integrate(&self, seeds: &[(Point, Point)]) -> Result<Integrals, Failure> {
        let mut open = self.first(seeds);
        let mut done: Vec<Cell> = Vec::new();
        let mut error = 0.0;
        while !open.is_empty() && open.len() + done.len() <= self.most() {
            let all = total(open.iter().chain(&done));
            let halved: Vec<(f64, Vec<Cell>)> = open.par_iter().map(|cell| self.compared(cell, &all)).collect();
            open.clear();
            error = 0.0;
            for (off, parts) in halved {
                if off <= SHARE {
                    done.extend(parts);
                } else {
                    error += off;
                    open.extend(parts);
                }
            }
        }
        if !open.is_empty() && error > MOST_ERROR {
            return Err(Failure::Uneven);
        }
        done.extend(open);
        self.collected(&done)
    }

    /// Cells at most.
    fn most(&self) -> usize {
        (MOST_WORK / self.density.density.instructions()[0].max(1)).clamp(FEWEST, MOST)
    }

    fn line(&self) -> bool {
        self.density.info.dimension == 1
    }

    fn z(&self, t: Point) -> Point {
        let y = if self.line() { 0.0 } else { self.centre.y + self.scale.y * sinh(t.y) };
        Point::new(self.centre.x + self.scale.x * sinh(t.x), y)
    }

    fn theta(&self, t: Point) -> Point {
        self.coordinates.to_theta(self.z(t))
    }

    /// The cells before any is compared.
    fn first(&self, seeds: &[(Point, Point)]) -> Vec<Cell> {
        let side = 2.0 * REACH / f64::from(FIRST);
        let size = Point::new(side, if self.line() { 1.0 } else { side });
        let rows = if self.line() { 1 } else { FIRST };
        let place = |index: u32| -REACH + side * f64::from(index);
        let corner = |row: u32, column: u32| Point::new(place(column), if self.line() { 0.0 } else { place(row) });
        let mut open: Vec<(Point, Point)> =
            (0..rows).flat_map(|row| (0..FIRST).map(move |column| (corner(row, column), size))).collect();
        let mut cells = Vec::new();
        while let Some((corner, size)) = open.pop() {
            let (low, high) = (self.z(corner), self.z(corner + size));
            let axes = 0..self.density.info.dimension;
            let coarse = |(at, width): &(Point, Point)| {
                axes.clone().all(|axis| at[axis] >= low[axis] - width[axis] && at[axis] <= high[axis] + width[axis])
                    && axes.clone().any(|axis| high[axis] - low[axis] > 4.0 * width[axis])
            };
            if cells.len() + open.len() < self.most() / 4 && seeds.iter().any(coarse) {
                open.extend(self.halves(corner, size));
            } else {
                cells.push((corner, size));
            }
        }
        cells.par_iter().map(|(corner, size)| self.cell(*corner, *size)).collect()
    }

    /// The corners and the size of the parts of a cell.
    fn halves(&self, corner: Point, size: Point) -> impl Iterator<Item = (Point, Point)> + use<> {
        let rows = if self.line() { 1 } else { 2 };
        let half = Point::new(0.5 * size.x, if self.line() { size.y } else { 0.5 * size.y });
        (0..rows).flat_map(move |row| {
            (0..2).map(move |column| {
                let shift = Point::new(f64::from(column), f64::from(row));
                (corner + half.component_mul(&shift), half)
            })
        })
    }

    /// The parts of a cell, and how far their sums are from its own, as a share of all.
    fn compared(&self, cell: &Cell, all: &Sums) -> (f64, Vec<Cell>) {
        let parts: Vec<Cell> =
            self.halves(cell.corner, cell.size).map(|(corner, size)| self.cell(corner, size)).collect();
        let sums = total(parts.iter());
        let off =
            |index: usize| if all[index] > 0.0 { (sums[index] - cell.sums[index]).abs() / all[index] } else { 0.0 };
        let squares = SQUARES.into_iter().zip(self.heavy).filter(|(_, heavy)| !heavy);
        (squares.map(|(index, _)| off(index)).fold(off(0), f64::max), parts)
    }

    fn cell(&self, corner: Point, size: Point) -> Cell {
        let rows: &[(f64, f64)] = if self.line() { &ON_LINE } else { &RULE };
        let mut places = Vec::with_capacity(RULE.len() * RULE.len());
        let mut weights = Vec::with_capacity(RULE.len() * RULE.len());
        for (v, row) in rows {
            for (u, column) in RULE {
                let t = corner + size.component_mul(&Point::new(u, *v));
                let stretch = if self.line() { 1.0 } else { self.scale.y * cosh(t.y) * size.y };
                places.push(self.z(t));
                weights.push(row * column * (self.scale.x * cosh(t.x) * size.x) * stretch);
            }
        }
        let centre = self.coordinates.to_theta(self.centre);
        let mut sums = [0.0; 6];
        for ((z, weight), height) in places.iter().zip(weights).zip(self.density.heights(&self.coordinates, &places)) {
            let mass = weight * exp(height - self.highest);
            if mass > 0.0 {
                let away = self.coordinates.to_theta(*z) - centre;
                let (x, y) = (away.x, away.y);
                for (sum, factor) in sums.iter_mut().zip([1.0, x, y, x * x, x * y, y * y]) {
                    *sum += mass * factor;
                }
            }
        }
        Cell { corner, size, sums }
    }

    fn collected(&self, cells: &[Cell]) -> Result<Integrals, Failure> {
        let all = total(cells.iter());
        let ends = |cell: &&Cell| {
            let end = cell.corner + cell.size;
            let beyond = |axis: usize| cell.corner[axis] < 1e-6 - REACH || end[axis] > REACH - 1e-6;
            (0..self.density.info.dimension).any(beyond)
        };
        let edge = sizes(cells.iter().filter(ends));
        let size = sizes(cells.iter());
        let at_edge =
            |index: usize| size[index] > 0.0 && edge[index] / size[index] > AT_EDGE || !size[index].is_finite();
        let [mass, x, y, xx, xy, yy] = all;
        if !(mass > 0.0 && mass.is_finite()) || at_edge(0) {
            return Err(Failure::Improper);
        }
        let known = |index: usize, value: f64| if at_edge(index) { f64::NAN } else { value };
        let shift = Point::new(known(1, x), known(2, y)) / mass;
        let [xx, yy] = [known(3, xx) / mass - shift.x * shift.x, known(5, yy) / mass - shift.y * shift.y];
        // The product has a mean where both squares have.
        let cross = if (xx + yy).is_nan() { f64::NAN } else { xy / mass - shift.x * shift.y };
        let depth = VIEW_DEPTHS[usize::from((xx + yy).is_nan())];
        Ok(Integrals {
            log_normaliser: self.highest + ln(mass),
            mean: self.coordinates.to_theta(self.centre) + shift,
            covariance: Matrix::new(xx, cross, cross, yy),
            view: self.view(cells, depth),
            blocks: cells.iter().map(|cell| self.block(cell)).collect(),
        })
    }

    /// A cell in θ.
    fn block(&self, cell: &Cell) -> Block {
        let corner = self.theta(cell.corner);
        let size = self.theta(cell.corner + cell.size) - corner;
        let height = if self.line() { 1.0 } else { size.y };
        Block { corner, sides: [Point::new(size.x, 0.0), Point::new(0.0, height)] }
    }

    /// The smallest box around all cells that are dense enough.
    fn view(&self, cells: &[Cell], depth: f64) -> Bounds {
        let (mut min, mut max) = (Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY));
        let least = exp(-depth);
        for cell in cells {
            let size = self.z(cell.corner + cell.size) - self.z(cell.corner);
            let area = if self.line() { size.x } else { size.x * size.y };
            if cell.sums[0] > least * area {
                let block = self.block(cell);
                min = min.inf(&block.corner);
                max = max.sup(&(block.corner + block.sides[0] + block.sides[1]));
            }
        }
        Bounds { min, max }
    }
}

/// The same of the sizes of the sums of cells, which lie on one side of the centre each.
fn sizes<'a>(cells: impl Iterator<Item = &'a Cell>) -> Sums {
    let mut all = [0.0; 6];
    for cell in cells {
        for (sum, part) in all.iter_mut().zip(cell.sums) {
            *sum += part.abs();
        }
    }
    all
}

fn total<'a>(cells: impl Iterator<Item = &'a Cell>) -> Sums {
    let mut all = [0.0; 6];
    for cell in cells {
        for (sum, part) in all.iter_mut().zip(cell.sums) {
            *sum += part;
        }
    }
    all
}
