//! Draws that contradict a truth: where they are, the target has more probability than the truth leaves for it.
//!
//! The truth about a density that is only known point by point comes from a search, which may miss a part of it. What the truth
//! knows is inside the view of the target, but for a known share. Draws show where else to look: the probability of every
//! cell outside of the view in which there is a draw, by quadrature of the density itself, adds up to at most that share,
//! or the truth is wrong. How many draws there are does not count, nor how they came there: chains that diverge, or are far out
//! by mistake, are in cells of next to no probability.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use base::math::{Axis, Grid, Point};
use models::targets::Density;

use super::quadrature::cell_probability;
use super::{DrawCounts, Truth, UNKNOWN};

/// Reason why a measure against the truth has no value, if draws contradict the truth.
pub const REFUTED: &str = "draws show a part of the density that the truth does not know";

/// Probability in cells with draws, beyond what the truth leaves for them, that the errors of both do not explain.
const MOST_EXCESS: f64 = 1e-3;

/// Cells along each axis of a grid, a multiple of [`WIDER`].
const CELLS: usize = 240;

/// How much wider each grid is than the one before; the first is as much wider than the view, with the same centre.
const WIDER: usize = 5;

/// How many grids there are; the last is two million views wide, beyond which chains count as diverged.
const LEVELS: u8 = 9;

/// Cells with draws that are kept at most.
const MOST_CELLS: usize = 10_000;

/// The number of a grid, from 0, and that of a cell that no smaller grid holds.
type FarCell = (u8, usize);

/// Cells outside of the view in which there are draws, each with the first of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FarCells(BTreeMap<FarCell, Point>);

impl FarCells {
    /// Adds a draw that is outside of the view.
    pub fn add(&mut self, view: &Grid, at: Point) {
        let found = (0..LEVELS).find_map(|level| Some((level, widened(view, level).cell(at)?)));
        if let Some(cell) = found {
            self.put(cell, at);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(cell, at)| self.put(*cell, *at));
    }

    fn put(&mut self, cell: FarCell, at: Point) {
        if self.0.len() < MOST_CELLS {
            self.0.entry(cell).or_insert(at);
        }
    }
}

/// Probabilities outside of the view that have been computed, of cells with the draws around which their quadrature is fine.
#[derive(Debug, Default)]
pub(super) struct Outside(Mutex<BTreeMap<FarCell, (Point, f64)>>);

/// Grid number `level` around a view; on the line it is wider along the line only.
fn widened(view: &Grid, level: u8) -> Grid {
    let factor: f64 = std::iter::repeat_n(WIDER as f64, usize::from(level) + 1).product();
    let wider = |axis: Axis| {
        let (middle, half) = (0.5 * (axis.min + axis.max), 0.5 * factor * (axis.max - axis.min));
        Axis { min: middle - half, max: middle + half, cells: CELLS }
    };
    Grid { x: wider(view.x), y: if view.y.cells == 1 { view.y } else { wider(view.y) } }
}

impl Truth {
    /// Whether these draws of a density contradict the truth about it: see the head of the file. Only of targets whose truth comes
    /// from a search.
    #[must_use]
    pub fn is_refuted_by(&self, density: &dyn Density, draw_counts: &DrawCounts) -> bool {
        if !self.is_known() {
            return false;
        }
        let most = self.outside() + MOST_EXCESS;
        let mut known = self.outside_cells().0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sum = 0.0;
        for (&cell, &at) in &draw_counts.far_cells().0 {
            let same = known.get(&cell).filter(|(around, _)| *around == at).map(|(_, probability)| *probability);
            sum += same.unwrap_or_else(|| {
                let probability = cell_probability(density, &widened(self.grid(), cell.0), cell.1, at);
                known.insert(cell, (at, probability));
                probability
            });
            if sum > most {
                return true;
            }
        }
        false
    }

    /// What is left of a truth that draws contradict: the cells on which draws are counted, and modes, with nothing to compare draws with.
    #[must_use]
    pub fn withdrawn(&self) -> Self {
        let mut rest = self.clone();
        rest.withdraw(REFUTED);
        rest
    }

    /// Why the truth is not known, if it is not.
    #[must_use]
    pub fn doubt(&self) -> Option<&'static str> {
        match (self.is_known(), self.is_withdrawn()) {
            (true, _) => None,
            (false, true) => Some(REFUTED),
            (false, false) => Some(UNKNOWN),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::diagnostics::test_targets::{counts_of, weighted_counts_of};
    use base::math::{Gaussian, Matrix, Purpose, Stream};
    use models::targets::{TargetInfo, build};

    /// Equal Gaussians around some points, of which the first is known.
    #[derive(Debug)]
    struct First {
        info: TargetInfo,
        parts: Vec<Gaussian>,
        searched: bool,
    }

    impl First {
        fn new(at: &[Point], sd: f64, known: usize) -> Self {
            let kind = base::params::find_kind(&models::targets::TARGETS, "gaussian").unwrap();
            let standard = build(&base::params::Settings::defaults(kind), Path::new(".")).unwrap();
            let log_normaliser = libm::log(2.0 * std::f64::consts::PI * sd * sd * known as f64);
            let info = TargetInfo { log_normaliser, ..standard.info().clone() };
            let part = |mean: &Point| Gaussian { mean: *mean, covariance: Matrix::identity() * (sd * sd) };
            Self { info, parts: at.iter().map(part).collect(), searched: true }
        }
    }

    impl Density for First {
        fn info(&self) -> &TargetInfo {
            &self.info
        }

        fn log_density(&self, at: Point) -> f64 {
            let height = |part: &Gaussian| -0.5 * (at - part.mean).norm_squared() / part.covariance.m11;
            let highest = self.parts.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
            highest + libm::log(self.parts.iter().map(|part| libm::exp(height(part) - highest)).sum())
        }

        fn gradient(&self, _: Point) -> Point {
            Point::zeros()
        }

        fn hessian(&self, _: Point) -> Matrix {
            -Matrix::identity()
        }

        fn is_searched(&self) -> bool {
            self.searched
        }
    }

    /// Near, at the edge of the outer grid, far beyond it, and some thousand views away.
    const AWAY: [f64; 4] = [9.0, 18.0, 70.0, 20_000.0];

    #[test]
    fn a_draw_in_each_of_some_cells_of_a_part_that_was_missed_is_enough() {
        for away in AWAY {
            let mut target = First::new(&[Point::zeros(), Point::new(away, -0.3 * away)], 0.5, 1);
            let truth = Truth::new(&target);
            assert!(truth.is_known());
            let mut stream = Stream::derive(3, Purpose::Chain, 0, 0);
            let mut draw = || Point::new(away + stream.uniform() - 0.5, -0.3 * away + stream.uniform() - 0.5);
            let draws: Vec<Point> = (0..200).map(|_| draw()).collect();
            assert!(truth.is_refuted_by(&target, &counts_of(&truth, &draws)), "{away}");
            let weighted: Vec<(Point, f64)> = draws.iter().map(|at| (*at, 0.25)).collect();
            assert!(truth.is_refuted_by(&target, &weighted_counts_of(&truth, &weighted)), "{away}");
            let halves = counts_of(&truth, &draws[..100]).merged(&counts_of(&truth, &draws[100..]));
            assert!(truth.is_refuted_by(&target, &halves), "{away}");
            let rest = truth.withdrawn();
            assert!(!rest.is_known() && rest.doubt() == Some(REFUTED) && !rest.is_refuted_by(&target, &halves));
            assert_eq!(rest.why_unknown(), Some(REFUTED));
            target.searched = false;
            let truth = Truth::new(&target);
            assert!(!truth.is_refuted_by(&target, &counts_of(&truth, &draws)), "a truth in closed form");
        }
    }

    /// Wherever draws are, where the truth is whole, and where there is nothing.
    #[test]
    fn draws_where_there_is_no_more_probability_prove_nothing() {
        let whole = First::new(&[Point::zeros()], 0.5, 1);
        let missed = First::new(&[Point::zeros(), Point::new(70.0, 70.0)], 0.5, 1);
        let mut stream = Stream::derive(4, Purpose::Chain, 0, 0);
        for away in [3.0, 9.0, 18.0, 60.0, 1e3, 1e6, 1e9, 1e300] {
            let mut draw = || Point::new(stream.uniform() - 0.5, stream.uniform() - 0.5) * 2.0 * away;
            let draws: Vec<Point> = (0..2000).map(|_| draw()).collect();
            for target in [&whole, &missed] {
                let truth = Truth::new(target);
                let near = |at: &Point| (at - Point::new(70.0, 70.0)).amax() > 30.0;
                let draws: Vec<Point> = draws.iter().copied().filter(near).collect();
                assert!(!truth.is_refuted_by(target, &counts_of(&truth, &draws)), "{away}");
            }
        }
    }
}
