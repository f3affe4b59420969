//! Ensemble of chains at one step, as a density: positions counted on cells whose size depends on the number of chains.
//!
//! In the plane there are √n cells along the shorter side of the target's view, n the number of chains: chains spread
//! evenly over the view are about one per cell, and chains in the modes are many per cell. In one dimension cells are
//! 3.49·σ·n^−⅓ wide, σ the standard deviation of the target (Scott 1979, Biometrika 66). Cells are aligned with the
//! target's view and cover the visible window: the edges stay in place when the canvas is moved.

use crate::geometry::Histogram;
use base::math::{Axis, Bounds, Grid, Point};
use models::targets::TargetInfo;

/// Width of a histogram's cells, in σ·n^−⅓ (Scott 1979).
const SCOTT: f64 = 3.49;

/// Fewest and most cells along the shorter side of the target's view.
const ALONG_VIEW: (f64, f64) = (10.0, 96.0);

/// Most cells along a side of the visible window: in a larger window cells become wider.
const MOST_CELLS: f64 = 384.0;

/// Chains counted on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    /// The cells, which cover the visible window.
    pub grid: Grid,
    /// Chains in each cell, by rows from the lower left.
    pub counts: Vec<f64>,
    /// Number of all chains, inside and outside the cells.
    pub chains: usize,
}

impl Ensemble {
    /// Counts the chains at `positions` on cells that cover the visible `window`.
    #[must_use]
    pub fn of(positions: &[Point], info: &TargetInfo, window: Bounds) -> Self {
        let view = info.view;
        let size = view.size();
        let chains = as_f64(positions.len());
        let grid = if info.dimension == 1 {
            let wanted = size.x / (SCOTT * info.covariance[(0, 0)].sqrt()) * chains.cbrt();
            // NaN becomes the smallest number of cells.
            let cells = wanted.max(ALONG_VIEW.0).min(ALONG_VIEW.1).round();
            let y = Axis { min: view.min.y, max: view.max.y, cells: 1 };
            Grid { x: aligned((view.min.x, size.x / cells), (window.min.x, window.max.x)), y }
        } else {
            let side = size.amin() / chains.sqrt().clamp(ALONG_VIEW.0, ALONG_VIEW.1).round();
            let reach = window.size().amax() / (MOST_CELLS - 2.0);
            let side = side.max(reach);
            let x = aligned((view.min.x, side), (window.min.x, window.max.x));
            Grid { x, y: aligned((view.min.y, side), (window.min.y, window.max.y)) }
        };
        let mut counts = vec![0.0; grid.len()];
        for &at in positions {
            if let Some(cell) = grid.cell(at) {
                counts[cell] += 1.0;
            }
        }
        Self { grid, counts, chains: positions.len() }
    }

    /// The marginal along coordinate 0 or 1. Its area is the share of chains inside the cells.
    #[must_use]
    pub fn histogram(&self, coordinate: usize) -> Histogram {
        let mut histogram = Histogram::of(&self.counts, &self.grid, coordinate);
        let share = self.counts.iter().sum::<f64>() / as_f64(self.chains.max(1));
        histogram.heights.iter_mut().for_each(|height| *height *= share);
        histogram
    }
}

/// The axis with edges at `origin` plus multiples of `width` that covers an interval.
#[expect(clippy::cast_sign_loss, reason = "clamped to a few hundred cells")]
fn aligned((origin, width): (f64, f64), (low, high): (f64, f64)) -> Axis {
    let first = ((low - origin) / width).floor();
    let cells = (((high - origin) / width).ceil() - first).clamp(1.0, MOST_CELLS);
    let min = origin + first * width;
    Axis { min, max: min + cells * width, cells: cells as usize }
}

fn as_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use engine::diagnostics::testing::Fake;
    use models::targets::Density;

    fn view() -> Bounds {
        Bounds::new((-4.0, 4.0), (-2.0, 2.0))
    }

    fn info() -> TargetInfo {
        TargetInfo { view: view(), ..Fake::grid().info().clone() }
    }

    /// A lattice of `side`² points over the view.
    fn lattice(side: u32) -> Vec<Point> {
        let share = |number: u32| (f64::from(number) + 0.5) / f64::from(side);
        let size = view().size();
        let at = |index: u32| Point::new(share(index % side) * size.x, share(index / side) * size.y);
        (0..side * side).map(|index| view().min + at(index)).collect()
    }

    #[test]
    fn every_visible_chain_is_counted_once_in_square_cells() {
        let chains = lattice(32);
        let ensemble = Ensemble::of(&chains, &info(), view());
        assert_relative_eq!(ensemble.counts.iter().sum::<f64>(), 1024.0);
        assert_eq!((ensemble.grid.x.cells, ensemble.grid.y.cells), (64, 32));
        assert_relative_eq!(ensemble.grid.x.width(), ensemble.grid.y.width(), max_relative = 1e-12);
        let corner = ensemble.grid.cell(Point::new(-3.99, -1.99)).unwrap();
        assert_eq!(corner, 0);
    }

    #[test]
    fn more_chains_make_finer_cells_within_bounds() {
        let cells = |chains: usize| {
            let positions = vec![Point::zeros(); chains];
            Ensemble::of(&positions, &info(), view()).grid.y.cells
        };
        assert_eq!([0, 1, 100, 1600, 4096, 1_000_000].map(cells), [10, 10, 10, 40, 64, 96]);
    }

    #[test]
    fn moving_the_window_moves_no_edge_and_a_large_window_has_wider_cells() {
        let chains = lattice(40);
        let here = Ensemble::of(&chains, &info(), view());
        let there = Ensemble::of(&chains, &info(), Bounds::new((-0.33, 9.0), (-0.21, 4.0)));
        let shift = (there.grid.x.min - here.grid.x.min) / here.grid.x.width();
        assert_relative_eq!(shift, shift.round(), epsilon = 1e-9);
        assert!(there.grid.x.min <= -0.33 && there.grid.x.max >= 9.0 && there.grid.y.max >= 4.0);
        let far = Ensemble::of(&chains, &info(), Bounds::new((-1e6, 1e6), (-1e6, 1e6)));
        assert!(far.grid.x.cells <= 384 && far.grid.len() <= 384 * 384);
        assert!(far.grid.x.min <= -1e6 && far.grid.x.max >= 1e6);
    }

    #[test]
    fn the_area_of_a_marginal_is_the_share_of_visible_chains() {
        let mut chains = lattice(20);
        chains.extend(vec![Point::repeat(100.0); 100]);
        chains.push(Point::new(f64::NAN, 0.0));
        let ensemble = Ensemble::of(&chains, &info(), view());
        for coordinate in [0, 1] {
            let histogram = ensemble.histogram(coordinate);
            let widths = histogram.edges.windows(2).map(|ends| ends[1] - ends[0]);
            let area: f64 = histogram.heights.iter().zip(widths).map(|(height, width)| height * width).sum();
            assert_relative_eq!(area, 400.0 / 501.0, max_relative = 1e-12);
        }
    }

    #[test]
    fn in_one_dimension_there_is_one_row() {
        let chains: Vec<Point> = (0..1000).map(|number| Point::new(0.2 + f64::from(number) / 4000.0, 0.0)).collect();
        let target = Fake::beta();
        let ensemble = Ensemble::of(&chains, target.info(), target.info().view);
        // Beta(40, 75): σ = 0.0442, and a view half a unit wide.
        assert_eq!((ensemble.grid.x.cells, ensemble.grid.y.cells), (32, 1));
        assert_relative_eq!(ensemble.counts.iter().sum::<f64>(), 1000.0);
    }
}
