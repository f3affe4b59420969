//! Histograms of draws and exact density curves in one dimension.

use crate::math::{Axis, Grid, Point};
use crate::targets::Target;

/// Draws counted on the cells of an axis, as a density.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The cells.
    pub axis: Axis,
    /// Density of each cell: heights times widths add up to 1; without draws all heights are 0.
    pub heights: Vec<f64>,
}

impl Histogram {
    /// The first coordinate of counts on a grid.
    #[must_use]
    pub fn along_x(counts: &[f64], grid: &Grid) -> Self {
        let columns = grid.x.cells;
        let sum = |column: usize| counts.iter().skip(column).step_by(columns).sum();
        Self::of(grid.x, (0..columns).map(sum).collect())
    }

    /// The second coordinate of counts on a grid.
    #[must_use]
    pub fn along_y(counts: &[f64], grid: &Grid) -> Self {
        Self::of(grid.y, counts.chunks(grid.x.cells).map(|row| row.iter().sum()).collect())
    }

    fn of(axis: Axis, counts: Vec<f64>) -> Self {
        let total: f64 = counts.iter().sum();
        let scale = if total > 0.0 { 1.0 / (total * axis.width()) } else { 0.0 };
        Self { axis, heights: counts.into_iter().map(|count| count * scale).collect() }
    }

    /// The same draws in at most `cells` wider cells, each of a whole number of the present cells.
    #[must_use]
    pub fn coarsened(&self, cells: usize) -> Self {
        let group = self.heights.len().div_ceil(cells.max(1)).max(1);
        let heights: Vec<f64> =
            self.heights.chunks(group).map(|part| part.iter().sum::<f64>() / as_f64(group)).collect();
        let max = self.axis.min + self.axis.width() * as_f64(group * heights.len());
        Self { axis: Axis { max, cells: heights.len(), ..self.axis }, heights }
    }

    /// The outline as a staircase that starts and ends on the axis.
    #[must_use]
    pub fn outline(&self) -> Vec<[f64; 2]> {
        let mut points = vec![[self.axis.edge(0), 0.0]];
        for (number, &height) in self.heights.iter().enumerate() {
            points.push([self.axis.edge(number), height]);
            points.push([self.axis.edge(number + 1), height]);
        }
        points.push([self.axis.edge(self.heights.len()), 0.0]);
        points
    }
}

/// A curve through points (argument, density).
pub type Curve = Vec<[f64; 2]>;

/// The normalised density of a one-dimensional target at the centres of `axis`; 0 outside the support.
#[must_use]
pub fn exact_curve(target: &dyn Target, axis: Axis) -> Curve {
    let log_normaliser = target.info().log_normaliser;
    let point = |number: usize| {
        let x = axis.centre(number);
        [x, (target.log_density(Point::new(x, 0.0)) - log_normaliser).exp()]
    };
    (0..axis.cells).map(point).collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of cells are small")]
fn as_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Bounds;

    fn grid() -> Grid {
        Grid::new(Bounds::new((0.0, 2.0), (0.0, 3.0)), 4, 3)
    }

    fn counts() -> Vec<f64> {
        vec![1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0]
    }

    #[test]
    fn histograms_have_area_one_and_keep_the_proportions() {
        let x = Histogram::along_x(&counts(), &grid());
        let y = Histogram::along_y(&counts(), &grid());
        for histogram in [&x, &y] {
            let total: f64 = histogram.heights.iter().sum::<f64>() * histogram.axis.width();
            assert!((total - 1.0).abs() < 1e-12);
        }
        assert!((x.heights[0] - 5.0 / (10.0 * 0.5)).abs() < 1e-12);
        assert!((y.heights[1] - 3.0 / 10.0).abs() < 1e-12);
    }

    #[test]
    fn coarser_cells_keep_the_probability() {
        let fine = Histogram::along_x(&counts(), &grid());
        for cells in 1..=5 {
            let coarse = fine.coarsened(cells);
            assert!(coarse.heights.len() <= cells.min(4));
            let total: f64 = coarse.heights.iter().sum::<f64>() * coarse.axis.width();
            assert!((total - 1.0).abs() < 1e-12, "{cells} cells have area {total}");
        }
    }

    #[test]
    fn without_draws_all_heights_are_zero() {
        assert!(Histogram::along_x(&[0.0; 12], &grid()).heights.iter().all(|&height| height.abs() < 1e-300));
    }
}
