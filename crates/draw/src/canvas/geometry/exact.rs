//! Outlines of the exact distribution of a run, and its density on the line, from the probabilities of cells.
//!
//! An outline bounds the smallest region that has its share of the probability. The log density is linear between the centres of cells, as
//! marching squares takes it; levels are those of this surface, sampled more densely than the cells.

use crate::geometry::{Curve, contours, simplified};
use base::math::Point;
use engine::distributions::CellsAt;

/// Shares of the probability that are outlined.
pub const SHARES: [f64; 3] = [0.5, 0.9, 0.99];

/// Log density below that of the highest cell from which nothing is outlined.
const DEPTH: f64 = 25.0;

/// Intervals of log density by which probability is counted.
const BINS: usize = 5000;

/// Points within a square of four centres, along each side.
const WITHIN: usize = 2;

/// Tolerance of simplified outlines in cells, too small to be visible.
const STRAIGHT: f64 = 0.05;

/// The outlines of a distribution in the plane: the number of the share, and the line.
#[must_use]
pub fn outlines(of: &CellsAt) -> Vec<(usize, Vec<[f64; 2]>)> {
    let heights = heights(of);
    let found = contours(&of.grid, &heights, &levels(of, &SHARES));
    let line = |points: Vec<Point>| {
        let points: Vec<[f64; 2]> = points.iter().map(|at| [at.x, at.y]).collect();
        simplified(&points, STRAIGHT * of.grid.x.width().min(of.grid.y.width()))
    };
    found.into_iter().map(|contour| (contour.level, line(contour.points))).collect()
}

/// The density of a distribution on the line.
#[must_use]
pub fn curve(of: &CellsAt) -> Curve {
    let axis = of.grid.x;
    of.probabilities.iter().enumerate().map(|(cell, mass)| [axis.centre(cell), mass / axis.width()]).collect()
}

/// The logarithm of the probability of each cell, bounded below.
fn heights(of: &CellsAt) -> Vec<f64> {
    let highest = of.probabilities.iter().copied().fold(f64::MIN_POSITIVE, f64::max).ln();
    of.probabilities
        .iter()
        .map(|mass| if *mass > 0.0 { mass.ln().max(highest - DEPTH) } else { highest - DEPTH })
        .collect()
}

/// For each share the logarithm of the probability of a cell at the edge of the smallest region with that share.
#[must_use]
pub fn levels(of: &CellsAt, shares: &[f64]) -> Vec<f64> {
    let heights = heights(of);
    let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let columns = of.grid.x.cells;
    let mut bins = vec![0.0; BINS];
    let share = |k: usize| (k as f64 + 0.5) / WITHIN as f64;
    for row in 1..of.grid.y.cells {
        for column in 1..columns {
            let corner = (row - 1) * columns + column - 1;
            let [a, b, c, d] = [corner, corner + 1, corner + columns, corner + columns + 1].map(|at| heights[at]);
            if a.max(b).max(c).max(d) <= highest - DEPTH {
                continue;
            }
            for up in (0..WITHIN).map(share) {
                for right in (0..WITHIN).map(share) {
                    let height = (1.0 - up) * ((1.0 - right) * a + right * b) + up * ((1.0 - right) * c + right * d);
                    let bin = (highest - height) / DEPTH * BINS as f64;
                    #[expect(clippy::cast_sign_loss, reason = "no height is above the highest one")]
                    let bin = (bin as usize).min(BINS - 1);
                    bins[bin] += (height - highest).exp();
                }
            }
        }
    }
    // Linear interpolation of a density that bends has another sum than its cells.
    let unit = of.probabilities.iter().sum::<f64>() / bins.iter().sum::<f64>();
    shares.iter().map(|share| highest - level_below(&bins, share / unit) * DEPTH / BINS as f64).collect()
}

/// The bin, counted with its fraction, at which the sum of all before comes to `sum`.
fn level_below(bins: &[f64], sum: f64) -> f64 {
    let mut so_far = 0.0;
    for (number, mass) in bins.iter().enumerate() {
        if so_far + mass >= sum {
            return number as f64 + (sum - so_far) / mass;
        }
        so_far += mass;
    }
    bins.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{Bounds, Grid};

    fn gaussian(window: Bounds, cells: usize) -> CellsAt {
        let grid = Grid::new(window, cells, cells);
        let area = grid.x.width() * grid.y.width();
        let density = |at: Point| (-0.5 * at.norm_squared()).exp() / std::f64::consts::TAU;
        let probabilities = (0..grid.len()).map(|cell| area * density(grid.centre(cell))).collect();
        CellsAt { grid, probabilities }
    }

    /// The disc of radius r contains 1 − exp(−r²/2).
    #[test]
    fn outlines_of_a_gaussian_are_circles_of_its_quantiles() {
        let found = outlines(&gaussian(Bounds::new((-5.0, 5.0), (-5.0, 5.0)), 60));
        assert_eq!(found.len(), SHARES.len());
        for (number, line) in found {
            let expected = (-2.0 * (1.0 - SHARES[number]).ln()).sqrt();
            for [x, y] in line {
                let share = 1.0 - (-0.5 * (x * x + y * y)).exp();
                assert!((share - SHARES[number]).abs() < 0.004, "{share} at {}, not {expected}", x.hypot(y));
            }
        }
    }

    /// What is beyond the cells counts: no outline has a share that the cells do not have.
    #[test]
    fn probability_outside_of_the_cells_is_in_no_outline() {
        let half = gaussian(Bounds::new((0.0, 5.0), (-5.0, 5.0)), 80);
        let [at_half, beyond] = [0.25, 0.6].map(|share| levels(&half, &[share])[0]);
        let highest = half.probabilities.iter().copied().fold(0.0, f64::max).ln();
        assert!((at_half - (highest + 0.5f64.ln())).abs() < 0.02, "half of the half: {}", at_half - highest);
        assert!((highest - beyond - DEPTH).abs() < 1e-9);
    }

    #[test]
    fn a_curve_has_the_probability_of_its_cells() {
        let grid = Grid::new(Bounds::new((0.0, 2.0), (0.0, 1.0)), 4, 1);
        let of = CellsAt { grid, probabilities: vec![0.1, 0.4, 0.3, 0.2] };
        let [at, density] = curve(&of)[1];
        assert!((at - 0.75).abs() < 1e-12 && (density - 0.8).abs() < 1e-12, "{density} at {at}");
        assert!((curve(&of).iter().map(|[_, y]| 0.5 * y).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
