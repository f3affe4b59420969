//! Statistics of infinitely many draws from a fit: its probability in all cells in which draws are counted.
//!
//! The edges of cells are cuts in z as well, so all cells are boxes there, and their probabilities are exact. Whole
//! cells of one mode go to that mode. In others the probability of the cell is shared out in proportion to the density
//! at a few points of it; a cell that holds much is cut in four first, until its parts do not, so that a distribution
//! narrower than a cell is not taken for a point.

use super::boxes::add_boxes;
use super::density::FitDensity;
use super::{Component, Fit};
use crate::diagnostics::draw_statistics::{InView, NEGLIGIBLE, by_mode};
use crate::diagnostics::mode_map::{CODES_PER_MODE, MIXED};
use crate::diagnostics::{DrawStatistics, Truth};
use base::math::{Axis, Grid, Point};
use base::platform::{now, pause};

/// Probability of a cell that is too much to be shared out among a few of its points.
const MUCH: f64 = 1e-3;

/// How often a cell is cut in four.
const DEPTH: usize = 24;

/// Probability of a cell so small that it may go to the mode of its middle: all cells together hold less than 10⁻⁴.
const LITTLE: f64 = 1e-9;

/// Points along each side of a cell.
const POINTS: usize = 4;

impl Fit {
    /// The sums that measures are made of, with pauses; `None` unless the fit is sound.
    pub async fn statistics(&self, truth: &Truth) -> Option<DrawStatistics> {
        if !self.is_sound() {
            return None;
        }
        let image = truth.image_grid();
        let fine = self.masses(image).await;
        let InView { cells, columns, rows, outside } = InView::of(truth, &fine);
        let mut codes = vec![0.0; truth.basin_count() * CODES_PER_MODE];
        pause().await;
        self.add_codes(truth, &fine, &mut codes);
        pause().await;
        let mut outer = Vec::new();
        let mut beyond = 0.0;
        if outside > NEGLIGIBLE {
            outer = self.masses_around(truth).await;
            beyond = outside - outer.iter().sum::<f64>();
            beyond = if beyond > NEGLIGIBLE { beyond } else { 0.0 };
            let everywhere = image.len();
            for (cell, &mass) in outer.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
                codes[truth.code_at(truth.outer_grid().centre(cell), everywhere)] += mass;
            }
            codes[truth.code_at(self.furthest_mean(truth), everywhere)] += beyond;
        }
        let (basins, within) = by_mode(&codes);
        let gaussian = self.moments();
        Some(DrawStatistics {
            draws: None,
            weight: 1.0,
            squared_weights: 0.0,
            cells,
            columns,
            rows,
            outside,
            outer,
            beyond,
            close: Vec::new(),
            basins,
            within,
            gaussian,
        })
    }

    /// The probability of every cell of a grid in θ.
    async fn masses(&self, grid: &Grid) -> Vec<f64> {
        let edges = |axis: Axis| (0..=axis.cells).map(move |number| axis.edge(number)).collect::<Vec<_>>();
        self.boxes(&edges(grid.x), &edges(grid.y)).await
    }

    /// The probability of every box between the given edges in θ.
    pub(super) async fn boxes(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let coordinates = self.coordinates();
        let cuts =
            |axis: usize, edges: &[f64]| edges.iter().map(|edge| coordinates.cut(axis, *edge)).collect::<Vec<_>>();
        let (x, y) = (cuts(0, x), cuts(1, y));
        let mut boxes = vec![0.0; (x.len() - 1) * (y.len() - 1)];
        for Component { weight, distribution, .. } in self.components() {
            add_boxes(distribution, *weight, &x, &y, &mut boxes);
            pause().await;
        }
        boxes
    }

    /// The probability of every cell of the outer grid, of those that make up the view none.
    async fn masses_around(&self, truth: &Truth) -> Vec<f64> {
        let (grid, outer) = (truth.grid(), truth.outer_grid());
        let mut masses = self.masses(outer).await;
        for (cell, mass) in masses.iter_mut().enumerate() {
            if grid.cell(outer.centre(cell)).is_some() {
                *mass = 0.0;
            }
        }
        masses
    }

    /// The mean, in θ, of the distribution that lies furthest from the view; what is beyond everything is near it, or
    /// as good as.
    fn furthest_mean(&self, truth: &Truth) -> Point {
        let middle = truth.mean();
        let means =
            self.components().iter().map(|component| self.coordinates().to_theta(component.distribution.mean()));
        let distance = |at: &Point| (at - middle).norm_squared();
        means.max_by(|one, other| distance(one).total_cmp(&distance(other))).unwrap_or(middle)
    }

    /// Adds what is inside the view to the codes of modes.
    fn add_codes(&self, truth: &Truth, fine: &[f64], codes: &mut [f64]) {
        let image = truth.image_grid();
        let density = self.density();
        let width = Point::new(image.x.width(), image.y.width());
        for (cell, (&mass, &code)) in fine.iter().zip(truth.codes()).enumerate() {
            if code < MIXED {
                codes[usize::from(code)] += mass;
            } else if mass > 0.0 {
                let low = Point::new(image.x.edge(cell % image.x.cells), image.y.edge(cell / image.x.cells));
                let mixed = Mixed { fit: self, density: &density, truth, cell };
                mixed.share_out(mass, low, low + width, DEPTH, codes);
            }
        }
    }
}

/// A cell of the image grid that does not belong to one mode as a whole.
struct Mixed<'a> {
    fit: &'a Fit,
    density: &'a FitDensity,
    truth: &'a Truth,
    cell: usize,
}

impl Mixed<'_> {
    fn code_at(&self, at: Point) -> usize {
        self.truth.code_at(self.truth.within_dimension(at), self.cell)
    }

    /// Shares the probability of a part of the cell out.
    fn share_out(&self, mass: f64, low: Point, high: Point, depth: usize, codes: &mut [f64]) {
        let middle = (low + high) / 2.0;
        if mass > MUCH && depth > 0 {
            let planar = self.fit.dimension() == 2;
            let y = if planar { vec![low.y, middle.y, high.y] } else { vec![low.y, high.y] };
            let x = [low.x, middle.x, high.x];
            for (index, part) in now(self.fit.boxes(&x, &y)).into_iter().enumerate() {
                let corner = Point::new(x[index % 2], y[index / 2]);
                self.share_out(part, corner, Point::new(x[index % 2 + 1], y[index / 2 + 1]), depth - 1, codes);
            }
            return;
        }
        if mass < LITTLE || depth == 0 {
            codes[self.code_at(middle)] += mass;
            return;
        }
        let point = |number: usize| {
            let share = |number: usize| (number as f64 + 0.5) / POINTS as f64;
            low + (high - low).component_mul(&Point::new(share(number % POINTS), share(number / POINTS)))
        };
        let points: [Point; POINTS * POINTS] = std::array::from_fn(point);
        let densities = points.map(|at| libm::exp(self.density.log_in_theta(self.truth.within_dimension(at))));
        let total: f64 = densities.iter().sum();
        if !(total > 0.0 && total.is_finite()) {
            codes[self.code_at(middle)] += mass;
            return;
        }
        for (at, density) in points.iter().zip(densities) {
            codes[self.code_at(*at)] += mass * density / total;
        }
    }
}
