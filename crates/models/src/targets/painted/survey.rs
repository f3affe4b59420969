//! Moments and modes of a painting.
//!
//! Moments are those of the cells, with the variance h²/3 of a spline along each axis, and of the background.
//!
//! What is painted by hand is never quite smooth: along a line of equal brightness every unevenness makes a maximum. So the modes
//! are the maxima that stand out: whoever leaves one for a higher one has to go down to less than [`STANDS_OUT`] of its height.
//! They are found on a grid of points, from the highest down: a point without a higher neighbour begins a hill; where
//! two hills meet, the lower one ends, and the drop from its top to this point says whether it stands out (Edelsbrunner, Letscher and
//! Zomorodian 2002, *Topological persistence and simplification*). Newton's method then finds the maximum itself.

use super::density::Painting;
use super::spline;
use crate::targets::kit::analytic::AnalyticDensity;
use crate::targets::kit::basins::{self, BLOCK_SIZE, Block};
use crate::targets::kit::modes::{self, Surface};
use crate::targets::{Boundary, Mode, Support, TargetInfo};
use base::math::elementary::ln;
use base::math::{Bounds, Matrix, Point};

/// A maximum that is a mode is higher than the pass to the next higher one by at least this factor.
const STANDS_OUT: f64 = 0.9;

/// Points of the grid per cell, along each axis.
const PER_CELL: usize = 4;

/// Modes at most, the highest.
const MOST_MODES: usize = 100;

/// Blocks per axis over which the background is integrated: they reach 7 standard deviations.
const BLOCKS: i32 = 5;

/// What there is to know without a search: moments, view and normaliser.
pub(super) fn outline(painting: &Painting) -> TargetInfo {
    let half = Point::from(painting.axes.map(|axis| axis.half_view()));
    let (mean, covariance) = moments(painting);
    TargetInfo {
        dimension: 2,
        axes: ["x", "y"],
        support: Support::everywhere(),
        boundary: Boundary::Open,
        view: Bounds { min: -half, max: half },
        modes: Vec::new(),
        log_normaliser: 0.0,
        mean,
        covariance,
        start: mean,
        unknown: None,
    }
}

/// Everything about a painting. Chains start at its highest mode.
pub(super) fn survey(painting: &Painting) -> TargetInfo {
    let outline = outline(painting);
    let modes = modes(painting, outline.view);
    let start = modes.first().map_or(outline.start, |highest| highest.at);
    TargetInfo { modes, start, ..outline }
}

fn moments(painting: &Painting) -> (Point, Matrix) {
    let painted = 1.0 - painting.background;
    let mean: Point = painting.cells.iter().map(|cell| cell.at * (painted * cell.weight)).sum();
    let spread = |at: Point, weight: f64| (at - mean) * (at - mean).transpose() * weight;
    let cells: Matrix = painting.cells.iter().map(|cell| spread(cell.at, painted * cell.weight)).sum();
    let variances = Point::from(painting.axes.map(|axis| axis.sd * axis.sd));
    let within = Matrix::from_diagonal_element(spline::VARIANCE * painting.width() * painting.width());
    let behind = spread(Point::zeros(), painting.background);
    (mean, cells + behind + within * painted + Matrix::from_diagonal(&variances) * painting.background)
}

/// The modes, the highest first.
fn modes(painting: &Painting, view: Bounds) -> Vec<Mode> {
    let [columns, rows] = painting.axes.map(|axis| axis.points(PER_CELL));
    let coordinates = |count: usize, axis: usize| -> Vec<f64> {
        let step = view.size()[axis] / count as f64;
        (0..count).map(|index| view.min[axis] + step * (index as f64 + 0.5)).collect()
    };
    let (x, y) = (coordinates(columns, 0), coordinates(rows, 1));
    let heights: Vec<f64> =
        y.iter().flat_map(|y| x.iter().map(|x| AnalyticDensity::log_density(painting, Point::new(*x, *y)))).collect();
    let mut tops = summits(columns, &heights, -ln(STANDS_OUT));
    tops.truncate(MOST_MODES);
    let starts: Vec<Point> = tops.iter().map(|top| Point::new(x[top % columns], y[top / columns])).collect();
    let mut peaks = modes::peaks(painting, 2, &starts);
    peaks.sort_by(|one, other| Surface::log_density(painting, *other).total_cmp(&Surface::log_density(painting, *one)));
    modes::laplace_modes(painting, 2, &peaks, &weights(painting, &peaks))
}

/// The probabilities of the basins of peaks: of the picture knot by knot, where it is a polynomial, and of the background.
fn weights(painting: &Painting, peaks: &[Point]) -> Vec<f64> {
    let sides = [Point::new(painting.width(), 0.0), Point::new(0.0, painting.width())];
    let corners = painting.pieces().into_iter();
    let blocks: Vec<Block> = corners.map(|corner| Block { corner, sides }).collect();
    let of_picture = basins::shares(peaks, &blocks, |at| painting.picture(at));
    let [across, up] = painting.axes.map(|axis| axis.sd * BLOCK_SIZE);
    let offset = |index: i32, size: f64| (f64::from(index) - 0.5 * f64::from(BLOCKS)) * size;
    let block = |index: i32| Block {
        corner: Point::new(offset(index % BLOCKS, across), offset(index / BLOCKS, up)),
        sides: [Point::new(across, 0.0), Point::new(0.0, up)],
    };
    let blocks: Vec<Block> = (0..BLOCKS * BLOCKS).map(block).collect();
    let of_background = basins::shares(peaks, &blocks, |at| painting.background_at(at));
    let painted = if painting.cells.is_empty() { 0.0 } else { 1.0 - painting.background };
    let both = of_picture.iter().zip(&of_background);
    both.map(|(picture, behind)| if painted > 0.0 { painted * picture } else { 0.0 } + painting.background * behind)
        .collect()
}

/// The maxima on a grid of `columns` from which every way to a higher one goes down by at least `drop`, the highest first.
fn summits(columns: usize, heights: &[f64], drop: f64) -> Vec<usize> {
    /// A point that is not yet above the water.
    const UNDER: usize = usize::MAX;
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|one, other| heights[*other].total_cmp(&heights[*one]));
    // For every point another one of its hill, nearer to the top, which has itself.
    let mut above = vec![UNDER; heights.len()];
    let mut found = Vec::new();
    for &point in &order {
        let (row, column) = (point / columns, point % columns);
        let mut own = None;
        for neighbour in neighbours(row, column, columns, heights.len() / columns) {
            if above[neighbour] == UNDER {
                continue;
            }
            let top = top(&mut above, neighbour);
            let Some(other) = own.filter(|other| *other != top) else {
                own = Some(top);
                continue;
            };
            // The hill whose top is the later one in the order ends here.
            let (higher, lower) = if is_before(heights, other, top) { (other, top) } else { (top, other) };
            if heights[lower] - heights[point] >= drop {
                found.push(lower);
            }
            above[lower] = higher;
            own = Some(higher);
        }
        above[point] = own.unwrap_or(point);
    }
    found.extend(order.first());
    found.sort_by(|one, other| heights[*other].total_cmp(&heights[*one]).then(one.cmp(other)));
    found
}

/// Whether a point comes before another in the order from the highest down.
fn is_before(heights: &[f64], one: usize, other: usize) -> bool {
    heights[other].total_cmp(&heights[one]).then(one.cmp(&other)).is_lt()
}

/// The top of the hill of a point; the ways to it are shortened.
fn top(above: &mut [usize], mut point: usize) -> usize {
    while above[point] != point {
        let next = above[above[point]];
        above[point] = next;
        point = next;
    }
    point
}

/// The up to eight points around one.
fn neighbours(row: usize, column: usize, columns: usize, rows: usize) -> impl Iterator<Item = usize> {
    let around = move |index: usize, count: usize| index.saturating_sub(1)..=(index + 1).min(count - 1);
    around(row, rows)
        .flat_map(move |y| around(column, columns).map(move |x| (y, x)))
        .filter(move |index| *index != (row, column))
        .map(move |(y, x)| y * columns + x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summit_stands_out_by_its_drop_to_the_pass() {
        //               0    1    2    3    4    5    6
        let heights = [0.0, 5.0, 3.0, 4.0, 1.0, 2.0, 0.0];
        assert_eq!(summits(7, &heights, 0.5), [1, 3, 5]);
        assert_eq!(summits(7, &heights, 1.0), [1, 3, 5]);
        assert_eq!(summits(7, &heights, 1.1), [1]);
        // The same upright, and between lower columns.
        assert_eq!(summits(1, &heights, 1.0), [1, 3, 5]);
        let broad: Vec<f64> = heights.iter().flat_map(|height| [-1.0, *height, -1.0]).collect();
        assert_eq!(summits(3, &broad, 1.0), [4, 10, 16]);
    }

    #[test]
    fn a_ridge_of_one_height_has_one_summit() {
        let ring = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(summits(3, &ring, 0.1).len(), 1);
        assert_eq!(summits(3, &[0.0; 9], 0.1).len(), 1);
    }

    /// The lower of two hills ends at the pass between them, whichever of their points meet.
    #[test]
    fn hills_that_meet_in_a_corner_are_neighbours() {
        let corners = [3.0, 0.0, 0.0, 2.0];
        assert_eq!(summits(2, &corners, 0.1), [0]);
        let apart = [3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
        assert_eq!(summits(3, &apart, 0.1), [0, 8]);
    }
}
