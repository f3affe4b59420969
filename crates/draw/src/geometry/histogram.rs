//! Histograms of draws and exact density curves in one dimension.

use std::ops::Range;

use base::math::{Axis, Grid, Point};
use engine::diagnostics::Outskirts;
use models::targets::Density;

/// Share of a width by which a cell may be too narrow, for rounding.
const ROUNDING: f64 = 1e-9;

/// Draws counted on the cells of an axis, as a density.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The edges of the cells, ascending, one more than there are cells.
    pub edges: Vec<f64>,
    /// Density of each cell: heights times widths add up to 1; without draws all heights are 0.
    pub heights: Vec<f64>,
    /// The cells of equal width in the middle; those beside them are wider.
    middle: Range<usize>,
}

impl Histogram {
    /// Coordinate 0 (x) or 1 (y) of counts on a grid.
    #[must_use]
    pub fn of(counts: &[f64], grid: &Grid, coordinate: usize) -> Self {
        Self::with_outskirts(counts, grid, &Outskirts::default(), coordinate)
    }

    /// Coordinate 0 (x) or 1 (y) of counts on a grid and of what is outside of it, out to the farthest draw.
    #[must_use]
    pub fn with_outskirts(counts: &[f64], grid: &Grid, outskirts: &Outskirts, coordinate: usize) -> Self {
        let (axis, mut middle) = if coordinate == 0 {
            let columns = grid.x.cells;
            (grid.x, (0..columns).map(|column| counts.iter().skip(column).step_by(columns).sum()).collect())
        } else {
            (grid.y, counts.chunks(grid.x.cells).map(|row| row.iter().sum()).collect::<Vec<f64>>())
        };
        // Beside the middle, from inside outwards: the outer edge of each cell, and its draws.
        let (mut below, mut above) = (Vec::new(), Vec::new());
        let mut next = 1;
        for (level, wide, numbers) in outskirts.along(grid, coordinate) {
            if level == 0 {
                middle.iter_mut().zip(numbers).for_each(|(sum, &number): (&mut f64, _)| *sum += f64::from(number));
                continue;
            }
            // Between two levels with draws there may be some without: each has one cell on either side.
            for empty in next..level {
                let reach = 0.5 * (axis.max - axis.min) * f64::from(1_u32 << empty);
                let centre = 0.5 * (axis.min + axis.max);
                below.push((centre - reach, 0.0));
                above.push((centre + reach, 0.0));
            }
            next = level + 1;
            let quarter = wide.cells / 4;
            below.extend((0..quarter).rev().map(|cell| (wide.edge(cell), f64::from(numbers[cell]))));
            let last = wide.cells - quarter..wide.cells;
            above.extend(last.map(|cell| (wide.edge(cell + 1), f64::from(numbers[cell]))));
        }
        below.reverse();
        let edges: Vec<f64> = (below.iter().map(|cell| cell.0))
            .chain((0..=axis.cells).map(|number| axis.edge(number)))
            .chain(above.iter().map(|cell| cell.0))
            .collect();
        let middle_cells = below.len()..below.len() + axis.cells;
        let numbers = below.iter().map(|cell| cell.1).chain(middle).chain(above.iter().map(|cell| cell.1));
        let numbers: Vec<f64> = numbers.collect();
        let total: f64 = numbers.iter().sum();
        let density = |(number, edges): (f64, &[f64])| {
            if total > 0.0 { number / (total * (edges[1] - edges[0])) } else { 0.0 }
        };
        let heights = numbers.into_iter().zip(edges.windows(2)).map(density).collect();
        Self { edges, heights, middle: middle_cells }
    }

    /// The same draws in cells of at least this width, each of some of the present cells; the last one of the middle and of
    /// each side may be narrower.
    #[must_use]
    pub fn coarsened(&self, width: f64) -> Self {
        let least = width * (1.0 - ROUNDING);
        let Range { start, end } = self.middle;
        let mut below = self.joined((0..start).rev(), self.edges[start], least);
        below.reverse();
        let middle = self.joined(start + 1..end + 1, self.edges[start], least);
        let above = self.joined(end + 1..self.edges.len(), self.edges[end], least);
        let new = below.len()..below.len() + middle.len();
        let kept: Vec<usize> = below.into_iter().chain([start]).chain(middle).chain(above).collect();
        let mass = |cells: Range<usize>| -> f64 {
            cells.map(|cell| self.heights[cell] * (self.edges[cell + 1] - self.edges[cell])).sum()
        };
        let height = |ends: &[usize]| mass(ends[0]..ends[1]) / (self.edges[ends[1]] - self.edges[ends[0]]);
        let heights = kept.windows(2).map(height).collect();
        Self { edges: kept.into_iter().map(|edge| self.edges[edge]).collect(), heights, middle: new }
    }

    /// The edges that remain among `edges`, in their order from `from` on, so that each is at least `least` away from the one
    /// before; the last one always remains.
    fn joined(&self, edges: impl ExactSizeIterator<Item = usize>, from: f64, least: f64) -> Vec<usize> {
        let (mut kept, mut before, last) = (Vec::new(), from, edges.len());
        for (number, edge) in edges.enumerate() {
            if (self.edges[edge] - before).abs() >= least || number + 1 == last {
                kept.push(edge);
                before = self.edges[edge];
            }
        }
        kept
    }

    /// The cells that touch an interval, cut at its length beyond its ends: enough for what shows the interval.
    #[must_use]
    pub fn around(&self, low: f64, high: f64) -> Self {
        let first = self.edges.partition_point(|&edge| edge < low).saturating_sub(1);
        let last = self.edges.partition_point(|&edge| edge <= high).min(self.heights.len());
        let first = first.min(last);
        let edges: Vec<f64> =
            self.edges[first..=last].iter().map(|edge| edge.clamp(2.0 * low - high, 2.0 * high - low)).collect();
        let middle = self.middle.start.clamp(first, last) - first..self.middle.end.clamp(first, last) - first;
        Self { edges, heights: self.heights[first..last].to_vec(), middle }
    }

    /// The outline as a staircase that starts and ends on the axis.
    #[must_use]
    pub fn outline(&self) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = self.edges.first().map(|&edge| [edge, 0.0]).into_iter().collect();
        for (edges, &height) in self.edges.windows(2).zip(&self.heights) {
            points.extend(edges.iter().map(|&edge| [edge, height]));
        }
        points.extend(self.edges.last().map(|&edge| [edge, 0.0]));
        points
    }
}

/// Cells of the view in which the probability of a density without a normaliser is added up.
const IN_VIEW: usize = 1000;

/// A curve through points (argument, density).
pub type Curve = Vec<[f64; 2]>;

/// The density of a one-dimensional target at the centres of `axis`; 0 outside the support. Where its normaliser is not known, it is scaled
/// as if all of the probability were in the view of the target.
#[must_use]
pub fn density_curve(target: &dyn Density, is_known: bool, axis: Axis) -> Curve {
    let info = target.info();
    let log_density = |x: f64| target.log_density(Point::new(x, 0.0));
    let log_normaliser = if is_known {
        info.log_normaliser
    } else {
        let view = Axis { min: info.view.min.x, max: info.view.max.x, cells: IN_VIEW };
        let heights: Vec<f64> = (0..IN_VIEW).map(|cell| log_density(view.centre(cell))).collect();
        let peak = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        peak + (heights.iter().map(|height| (height - peak).exp()).sum::<f64>() * view.width()).ln()
    };
    let point = |number: usize| {
        let x = axis.centre(number);
        let density = (log_density(x) - log_normaliser).exp();
        [x, if density.is_finite() { density } else { 0.0 }]
    };
    (0..axis.cells).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Bounds;

    fn grid() -> Grid {
        Grid::new(Bounds::new((0.0, 2.0), (0.0, 3.0)), 4, 3)
    }

    fn counts() -> Vec<f64> {
        vec![1.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0]
    }

    fn area(histogram: &Histogram) -> f64 {
        histogram
            .heights
            .iter()
            .zip(histogram.edges.windows(2))
            .map(|(height, ends)| height * (ends[1] - ends[0]))
            .sum()
    }

    #[test]
    fn histograms_have_area_one_and_keep_the_proportions() {
        let x = Histogram::of(&counts(), &grid(), 0);
        let y = Histogram::of(&counts(), &grid(), 1);
        for histogram in [&x, &y] {
            assert!((area(histogram) - 1.0).abs() < 1e-12);
        }
        assert!((x.heights[0] - 5.0 / (10.0 * 0.5)).abs() < 1e-12);
        assert!((y.heights[1] - 3.0 / 10.0).abs() < 1e-12);
    }

    #[test]
    fn coarser_cells_keep_the_probability() {
        let fine = Histogram::of(&counts(), &grid(), 0);
        for (width, cells) in [(0.1, 4), (0.5, 4), (0.6, 2), (1.0, 2), (1.1, 2), (1.6, 1), (9.0, 1)] {
            let coarse = fine.coarsened(width);
            assert_eq!(coarse.heights.len(), cells, "{width}");
            assert!((area(&coarse) - 1.0).abs() < 1e-12, "cells {width} wide");
        }
    }

    /// Draws on the line, some far out: each interval between kept edges has its share of all draws, also after cells are
    /// joined, and no edge is at the end of the view but where the view ends.
    #[test]
    fn draws_outside_of_the_view_have_their_share() {
        let text = "format = 1\ntitle = \"x\"\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n\
                    steps = 400\nchains = 5\ngradient = { kind = \"noisy\", variance = 900 }\n\
                    step_size = { kind = \"constant\", value = 0.1 }\n";
        let scenario = engine::scenario::read(text, "x", std::path::Path::new("")).unwrap();
        let mut session = engine::session::Session::new(scenario).unwrap();
        session.advance(400);
        let frame = session.frame();
        let run = &frame.runs[0];
        let all: Vec<Point> = (1..run.history.rows())
            .flat_map(|row| (0..5).filter_map(move |chain| run.history.position(row, chain)))
            .collect();
        assert_eq!(all.len() as u64, run.collected);
        for coordinate in 0..2 {
            let fine = Histogram::with_outskirts(&run.cloud, &run.cloud_grid, &run.outskirts, coordinate);
            for shown in [fine.clone(), fine.coarsened(0.3), fine.coarsened(5.0), fine.around(-1e6, 1e6)] {
                assert!((area(&shown) - 1.0).abs() < 1e-9);
                assert!(shown.edges.is_sorted());
                for (height, ends) in shown.heights.iter().zip(shown.edges.windows(2)) {
                    let within = all.iter().filter(|at| (ends[0]..ends[1]).contains(&at[coordinate])).count();
                    let share = height * (ends[1] - ends[0]) * all.len() as f64;
                    assert!((share - within as f64).abs() < 1e-6, "{ends:?}: {share} for {within}");
                }
            }
            let beyond = all.iter().filter(|at| at[coordinate].abs() > 4.0).count();
            assert!(beyond > 200, "{beyond}");
            let part = fine.around(-4.0, 4.0);
            assert!((area(&part) - 1.0).abs() > 0.05 && part.edges.len() < fine.edges.len());
        }
    }

    #[test]
    fn without_draws_all_heights_are_zero() {
        assert!(Histogram::of(&[0.0; 12], &grid(), 0).heights.iter().all(|&height| height.abs() < 1e-300));
    }

    #[test]
    fn without_a_normaliser_a_density_is_scaled_to_what_is_in_its_view() {
        let target = engine::diagnostics::testing::Fake::beta();
        let view = Density::info(&target).view;
        let axis = Axis { min: view.min.x, max: view.max.x, cells: 300 };
        let (known, scaled) = (density_curve(&target, true, axis), density_curve(&target, false, axis));
        let area = |curve: &Curve| curve.iter().map(|point| point[1]).sum::<f64>() * axis.width();
        assert!((area(&scaled) - 1.0).abs() < 1e-3, "{}", area(&scaled));
        let share = area(&known);
        for (known, scaled) in known.iter().zip(&scaled) {
            assert!((known[1] - share * scaled[1]).abs() < 1e-3 * (1.0 + known[1]), "{known:?} {scaled:?}");
        }
    }
}
