//! The axes of a density that lies aslant.
//!
//! A long ridge between the axes crosses many lines along each of them and is narrow on all. Along its own axes it is a few parts. Where a
//! formula is made of two linear functions of x and y, these are its coordinates; otherwise the axes are those of its spread,
//! found by grids. What is found here need not be right: it says along which lines to integrate, not what the integrals are.

use super::Written;
use super::field::sinh_cosh;
use crate::targets::{Coordinates, Density};
use base::math::elementary::exp;
use base::math::{Matrix, Point};

/// Points along a side of a grid, and half its width in t.
const SIDE: u32 = 48;
const REACH: f64 = 6.0;

/// Grids, each in the axes that the one before has found.
const GRIDS: usize = 6;

/// Powers of the density by which points of a grid count: the first with which enough of them do. Squares have a spread also
/// where the density has none.
const POWERS: [f64; 5] = [2.0, 0.5, 0.1, 0.02, 0.005];
const ENOUGH: f64 = 30.0;

/// A correlation from which on axes are turned.
const ASLANT: f64 = 0.05;

/// The sine of an angle between linear functions below which they are no coordinates.
const NARROW: f64 = 0.02;

/// The linear map from the coordinates of integration to z; the identity where the density does not lie aslant.
pub(super) fn turn(directions: &[[f64; 2]], density: &Written, at: Point, width: Point) -> Matrix {
    let none = Matrix::identity();
    if let [one, other] = directions[..] {
        let map = Matrix::new(one[0], one[1], other[0], other[1]);
        let is_of_axes = map.iter().all(|entry| entry.abs() < NARROW || entry.abs() > 1.0 - NARROW * NARROW);
        if !is_of_axes && map.determinant().abs() > NARROW {
            return map.try_inverse().unwrap_or(none);
        }
    }
    let (mut turn, mut centre, mut scale) = (none, at, width);
    if spread(density, turn, centre, scale).is_none()
        && let Some((axes, widths)) = principal(density, at)
    {
        // A ridge so narrow that a grid along the axes sees nothing of it.
        (turn, scale) = (axes, widths);
    }
    let mut correlation = 0.0;
    for _ in 0..GRIDS {
        let Some((mean, covariance)) = spread(density, turn, centre, scale) else { return none };
        let eigen = covariance.symmetric_eigen();
        if !(eigen.eigenvalues.min() > 0.0 && eigen.eigenvalues.max() < 1e150) {
            return none;
        }
        (turn, centre, scale) = (eigen.eigenvectors, mean, eigen.eigenvalues.map(f64::sqrt));
        correlation = covariance.m12 / (covariance.m11 * covariance.m22).sqrt();
    }
    if correlation.abs() > ASLANT { turn } else { none }
}

/// Principal axes of the curvature of a peak, with its widths along them.
fn principal(density: &Written, at: Point) -> Option<(Matrix, Point)> {
    let eigen = (-density.hessian(at)).symmetric_eigen();
    let widths = eigen.eigenvalues.map(|curvature| curvature.sqrt().recip());
    widths.iter().all(|width| width.is_finite()).then_some((eigen.eigenvectors, widths))
}

/// Mean and covariance of a power of the density on a grid.
fn spread(density: &Written, turn: Matrix, centre: Point, scale: Point) -> Option<(Point, Matrix)> {
    let steps = (0..SIDE).map(|index| REACH * (2.0 * (f64::from(index) + 0.537) / f64::from(SIDE) - 1.0));
    let turns: Vec<[f64; 2]> = steps.map(sinh_cosh).collect();
    let pairs = turns.iter().flat_map(|one| turns.iter().map(move |other| (one, other)));
    let point = |(one, other): (&[f64; 2], &[f64; 2])| {
        let away = Point::new(one[0] * scale.x, other[0] * scale.y);
        (centre + turn * away, one[1] * other[1])
    };
    let (points, stretches): (Vec<Point>, Vec<f64>) = pairs.map(point).unzip();
    let heights = density.heights(&Coordinates::open(&density.info), &points);
    let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = POWERS.into_iter().find_map(|power| {
        let weight = |(height, stretch): (&f64, &f64)| exp(power * (height - top)) * stretch;
        let weights: Vec<f64> = heights.iter().zip(&stretches).map(weight).collect();
        let (sum, squares): (f64, f64) = weights.iter().fold((0.0, 0.0), |(sum, all), w| (sum + w, all + w * w));
        (sum * sum > ENOUGH * squares).then_some(weights)
    })?;
    let total: f64 = weights.iter().sum();
    let mean = weights.iter().zip(&points).map(|(weight, at)| at * *weight).sum::<Point>() / total;
    let square = |(weight, at): (&f64, &Point)| (at - mean) * (at - mean).transpose() * *weight;
    let covariance = weights.iter().zip(&points).map(square).sum::<Matrix>() / total;
    (covariance.sum().is_finite()).then_some((mean, covariance))
}
