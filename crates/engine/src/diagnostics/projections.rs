//! Projections of a distribution on cells onto fixed directions, and the Wasserstein-2 distance between two of them.
//!
//! From direction (cos φ, sin φ) a cell of size a × b in which probability is spread evenly looks like a trapezoid,
//! made of a box a|cos φ| wide and one b|sin φ| wide. Bins as wide as the wider of the two make a row (or a column) of
//! cells a row of bins, moved by the same fraction for all of them: the distribution function has no error at the edges
//! of bins, and is taken as straight between them. Truth and draws are seen through the same cells, spread and bins, so
//! what these do to one they do to the other: equal distributions are at distance 0.

use std::f64::consts::PI;

use base::math::Grid;

use super::{DrawStatistics, Truth};

/// Directions π(j + ½)/16. None is an axis, each has its mirror image, and they are equally spaced.
const DIRECTIONS: usize = 16;

/// Projections of a target.
#[derive(Clone, Debug)]
pub(super) struct Projections {
    shadows: Vec<Shadow>,
    grid: Grid,
    outer: Grid,
}

/// One direction, and how the truth looks from there.
#[derive(Clone, Debug)]
struct Shadow {
    /// Whether columns of cells become rows of bins, and not rows.
    by_columns: bool,
    /// Whether rows are counted from the last one on.
    reversed: bool,
    /// By how many bins each row is moved against the one before, up to 1.
    shear: f64,
    /// Width of a bin.
    width: f64,
    truth: Vec<f64>,
}

/// A distribution by rows and by columns of cells.
struct Planar<'a> {
    rows: &'a [f64],
    columns: Vec<f64>,
    grid: &'a Grid,
}

impl Projections {
    /// On the line a single one, the distribution itself.
    pub fn new(truth: &Truth) -> Self {
        let (grid, outer) = (*truth.grid(), *truth.outer_grid());
        let mut shadows = if truth.dimension() == 1 {
            vec![Shadow { by_columns: false, reversed: false, shear: 0.0, width: grid.x.width(), truth: Vec::new() }]
        } else {
            (0..DIRECTIONS).map(|number| Shadow::new(&grid, PI * (number as f64 + 0.5) / DIRECTIONS as f64)).collect()
        };
        let filled = truth.all_in_cells();
        let truth = Planar::new(&filled, &grid);
        for shadow in &mut shadows {
            shadow.truth = shadow.cast(&truth, 0);
        }
        Self { shadows, grid, outer }
    }

    /// The mean over directions of the squared Wasserstein-2 distance between the projections of the draws and of the
    /// target.
    pub fn mean_squared_distance(&self, statistics: &DrawStatistics) -> f64 {
        let inner = Planar::new(statistics.cells(), &self.grid);
        let outer = (!statistics.outer_cells().is_empty()).then(|| Planar::new(statistics.outer_cells(), &self.outer));
        // An outer cell is as many cells wide, and the view begins so many outer cells from the edge.
        let group = ratio(self.outer.x.width() / self.grid.x.width());
        let first = (self.outer.x.cells - self.grid.x.cells / group) / 2;
        let squared = |shadow: &Shadow| {
            let mut draws = shadow.cast(&inner, 0);
            let mut before = 0;
            if let Some(outer) = &outer {
                before = group * shadow.start(first);
                let spread = |weight: f64| std::iter::repeat_n(weight / group as f64, group);
                let mut wide: Vec<f64> = shadow.cast(outer, first).into_iter().flat_map(spread).collect();
                wide[before..].iter_mut().zip(&draws).for_each(|(sum, weight)| *sum += weight);
                draws = wide;
            }
            draws.iter_mut().for_each(|weight| *weight /= statistics.weight());
            squared_distance(&draws, &shadow.truth, before as f64) * shadow.width * shadow.width
        };
        self.shadows.iter().map(squared).sum::<f64>() / self.shadows.len() as f64
    }
}

impl Shadow {
    fn new(grid: &Grid, angle: f64) -> Self {
        let across = grid.x.width() * libm::cos(angle).abs();
        let up = grid.y.width() * libm::sin(angle);
        Self {
            by_columns: up > across,
            // Seen from φ − π, which is the same but for the sign, x grows and y falls.
            reversed: libm::cos(angle) < 0.0,
            shear: across.min(up) / across.max(up),
            width: across.max(up),
            truth: Vec::new(),
        }
    }

    /// How many bins there are before the near corner of a grid within a wider one, `first` cells from its edges.
    fn start(&self, first: usize) -> usize {
        first + whole(self.shear * first as f64).0 + 1
    }

    /// The distribution in bins that begin with the near corner of the grid or, if the grid is a wider one whose cells
    /// with number `first` are the first ones of the view, [`start`](Self::start) bins before the near corner of the
    /// view.
    fn cast(&self, distribution: &Planar<'_>, first: usize) -> Vec<f64> {
        let (cells, length) = if self.by_columns {
            (&distribution.columns[..], distribution.grid.y.cells)
        } else {
            (distribution.rows, distribution.grid.x.cells)
        };
        let rows = cells.len() / length;
        // Positions are counted from the beginning of the bins.
        let origin = if first == 0 { 0.0 } else { (self.start(first) - first) as f64 - self.shear * first as f64 };
        let mut bins = vec![0.0; whole(origin + self.shear * rows as f64).0 + length + 2];
        for (number, masses) in cells.chunks_exact(length).enumerate() {
            if !masses.iter().any(|&mass| mass > 0.0) {
                continue;
            }
            let number = if self.reversed { rows - 1 - number } else { number };
            let (bin, start) = whole(origin + self.shear * number as f64);
            let [below_one, below_two] = [1.0, 2.0].map(|edge| share_below(edge - start, self.shear));
            let shares = [below_one, below_two - below_one, 1.0 - below_two];
            for (step, share) in shares.into_iter().enumerate() {
                bins[bin + step..].iter_mut().zip(masses).for_each(|(sum, mass)| *sum += share * mass);
            }
        }
        bins
    }
}

impl<'a> Planar<'a> {
    fn new(rows: &'a [f64], grid: &'a Grid) -> Self {
        let columns = (0..grid.x.cells).flat_map(|column| rows[column..].iter().step_by(grid.x.cells).copied());
        Self { rows, columns: columns.collect(), grid }
    }
}

/// A position as a bin and an offset within it.
#[expect(clippy::cast_sign_loss, reason = "a position among the bins")]
fn whole(position: f64) -> (usize, f64) {
    (position as usize, position - position.floor())
}

#[expect(clippy::cast_sign_loss, reason = "a ratio of cells is a small number")]
fn ratio(quotient: f64) -> usize {
    quotient.round() as usize
}

/// The share of a cell below `t`, if it looks like the sum of a box from 0 to 1 and one from 0 to `shear`.
fn share_below(t: f64, shear: f64) -> f64 {
    let (low, high) = ((t - shear).clamp(0.0, 1.0), t.clamp(0.0, 1.0));
    if shear > 0.0 {
        // The mean of the first box's share over the second one.
        (0.5 * (high - low) * (high + low) + (t - (t - shear).max(1.0)).max(0.0)) / shear
    } else {
        high
    }
}

/// ∫ (F̂⁻¹ − F⁻¹)² du for two distributions of total weight 1 that are uniform within bins of width 1; the bins of
/// `truth` begin `before` bins after those of `draws`.
fn squared_distance(draws: &[f64], truth: &[f64], before: f64) -> f64 {
    // Occupied bins, each with its lower edge; within one a quantile moves evenly with u.
    let occupied = |masses: &[f64], first: f64| -> Vec<(f64, f64)> {
        (0..)
            .map(f64::from)
            .zip(masses)
            .filter(|(_, mass)| **mass > 0.0)
            .map(|(bin, &mass)| (first + bin, mass))
            .collect()
    };
    let (draws, truth) = (occupied(draws, 0.0), occupied(truth, before));
    let (mut draws, mut truth) = (draws.into_iter(), truth.into_iter());
    let (Some(mut draw), Some(mut cell)) = (draws.next(), truth.next()) else { return 0.0 };
    let (mut left, mut left_of_truth) = (draw.1, cell.1);
    let mut start = draw.0 - cell.0;
    let mut sum = 0.0;
    loop {
        let mass = left.min(left_of_truth);
        let end = start + mass / draw.1 - mass / cell.1;
        sum += mass * (start * start + start * end + end * end) / 3.0;
        start = end;
        left -= mass;
        left_of_truth -= mass;
        if left <= 0.0 {
            let Some(next) = draws.next() else { return sum };
            start += next.0 - (draw.0 + 1.0);
            (draw, left) = (next, next.1);
        }
        if left_of_truth <= 0.0 {
            let Some(next) = truth.next() else { return sum };
            start -= next.0 - (cell.0 + 1.0);
            (cell, left_of_truth) = (next, next.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::diagnostics::test_targets::Mixture;

    /// Against 400 × 400 points in each of some cells.
    #[test]
    fn bins_hold_what_the_cells_show_them() {
        let truth = Truth::new(&Mixture::single());
        let grid = truth.grid();
        for (number, shadow) in truth.projections().shadows.iter().enumerate() {
            let angle = PI * (number as f64 + 0.5) / 16.0;
            let corner_x = if angle.cos() < 0.0 { grid.x.max } else { grid.x.min };
            let project = |x: f64, y: f64| (x - corner_x) * angle.cos() + (y - grid.y.min) * angle.sin();
            // Seen in the mirror, if x falls: bins count from the other end.
            let far = project(if angle.cos() < 0.0 { grid.x.min } else { grid.x.max }, grid.y.max);
            for cell in [0, 119, 57 * 120 + 31, 120 * 119, 120 * 120 - 1] {
                let mut one = vec![0.0; grid.len()];
                one[cell] = 1.0;
                let bins = shadow.cast(&Planar::new(&one, grid), 0);
                assert_abs_diff_eq!(bins.iter().sum::<f64>(), 1.0, epsilon = 1e-12);
                let mut expected = vec![0.0; bins.len()];
                let (column, row) = (cell % 120, cell / 120);
                for point in 0..160_000 {
                    let share = |step: i32| (f64::from(step) + 0.5) / 400.0;
                    let x = grid.x.edge(column) + share(point % 400) * grid.x.width();
                    let y = grid.y.edge(row) + share(point / 400) * grid.y.width();
                    let along = if shadow.reversed && !shadow.by_columns { far - project(x, y) } else { project(x, y) };
                    expected[whole(along / shadow.width).0] += 1.0 / 160_000.0;
                }
                for (bin, expected) in bins.iter().zip(expected) {
                    assert_abs_diff_eq!(*bin, expected, epsilon = 5e-3);
                }
            }
        }
    }

    #[test]
    fn a_distribution_within_the_view_looks_the_same_on_the_outer_grid() {
        let truth = Truth::new(&Mixture::single());
        let outer = truth.outer_grid();
        for shadow in &truth.projections().shadows {
            // The middle 24 × 24 cells of the outer grid, by themselves and within it.
            let view = Grid {
                x: base::math::Axis { cells: 24, ..truth.grid().x },
                y: base::math::Axis { cells: 24, ..truth.grid().y },
            };
            let masses: Vec<f64> = (0..24 * 24).map(|cell| f64::from(cell % 7 * (cell / 50))).collect();
            let mut wide = vec![0.0; outer.len()];
            masses.iter().enumerate().for_each(|(cell, mass)| wide[(48 + cell / 24) * 120 + 48 + cell % 24] = *mass);
            let alone = shadow.cast(&Planar::new(&masses, &view), 0);
            let within = shadow.cast(&Planar::new(&wide, outer), 48);
            for (bin, mass) in alone.iter().enumerate() {
                assert_abs_diff_eq!(within[shadow.start(48) + bin], *mass, epsilon = 1e-9);
            }
            assert_relative_eq!(within.iter().sum::<f64>(), alone.iter().sum::<f64>(), max_relative = 1e-12);
        }
    }

    #[test]
    fn shares_below_are_those_of_a_trapezoid() {
        for shear in [0.0, 1e-9, 0.3, 1.0] {
            for step in 0..=40 {
                let t = f64::from(step) / 20.0;
                let points = (0..1000).map(|k| (f64::from(k) + 0.5) / 1000.0 * shear);
                let mean = points.map(|moved| (t - moved).clamp(0.0, 1.0)).sum::<f64>() / 1000.0;
                assert_abs_diff_eq!(share_below(t, shear), mean, epsilon = 1e-6);
            }
        }
    }

    #[test]
    fn distances_of_simple_distributions() {
        assert_abs_diff_eq!(squared_distance(&[0.5, 0.5], &[0.5, 0.5], 0.0), 0.0);
        assert_relative_eq!(squared_distance(&[0.25, 0.0, 0.75], &[0.25, 0.0, 0.75], 4.0), 16.0, max_relative = 1e-12);
        // Uniform on [0, 1] and on [0, 2]: ∫ (u − 2u)² = 1/3.
        assert_relative_eq!(squared_distance(&[1.0], &[0.5, 0.5], 0.0), 1.0 / 3.0, max_relative = 1e-12);
        // Half of [0, 1] has to go two further.
        // u against 2u below ½ and 2u + 1 above: ∫ u² + ∫ (u + 1)².
        let exact = 1.0 / 24.0 + (8.0 - 1.5_f64.powi(3)) / 3.0;
        assert_relative_eq!(squared_distance(&[1.0], &[0.5, 0.0, 0.5], 0.0), exact, max_relative = 1e-12);
    }
}
