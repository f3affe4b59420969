//! Distributions over three words as points of a triangle, and regions of topics in its plane.
//!
//! A distribution is the mean of the corners with its probabilities as weights. A region holds what is nearer to the mean than
//! 1 or 2 standard deviations in every direction; only its part inside the triangle is drawn.

use base::math::{Gaussian, Matrix, Point};

/// The corners of the triangle, each for a word: at the left, at the right, and at the top.
pub const CORNERS: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]];

/// √3/2.
const HEIGHT: f64 = 0.866_025_403_784_438_6;

/// Corners of the polygon that stands for an ellipse.
const SMOOTH: usize = 96;

/// The point of a distribution over three words.
#[must_use]
pub fn point_of(probabilities: impl Iterator<Item = f64>) -> Point {
    probabilities.zip(CORNERS).fold(Point::zeros(), |sum, (p, corner)| sum + Point::from(corner) * p)
}

/// The covariance, in the plane, of a Dirichlet distribution with this mean and this sum of parameters:
/// Cov(β_v, β_w) = (δ_vw m_v − m_v m_w)/(Σλ + 1).
#[must_use]
pub(super) fn covariance_of(mean: &[f64], sum: f64) -> Matrix {
    let at = point_of(mean.iter().copied());
    let second = mean.iter().zip(CORNERS).fold(Matrix::zeros(), |second, (m, corner)| {
        let corner = Point::from(corner);
        second + corner * corner.transpose() * *m
    });
    (second - at * at.transpose()) / (sum + 1.0)
}

/// The outline of a region of so many standard deviations, without what is outside of the triangle; empty for a single point.
#[must_use]
pub fn outline(region: &Gaussian, sds: f64) -> Vec<Point> {
    let mut points = region.ellipse(sds, SMOOTH);
    for corner in 0..3 {
        let [from, to] = [corner, (corner + 1) % 3].map(|corner| Point::from(CORNERS[corner]));
        let along = to - from;
        // The triangle is at the left of its edges.
        let inside = |at: &Point| along.perp(&(at - from));
        points = cut(&points, inside);
    }
    points
}

/// The part of a closed polygon where `inside` is not below 0.
fn cut(points: &[Point], inside: impl Fn(&Point) -> f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(points.len() + 2);
    for (index, to) in points.iter().enumerate() {
        let from = &points[(index + points.len() - 1) % points.len()];
        let (before, after) = (inside(from), inside(to));
        if (before < 0.0) != (after < 0.0) {
            kept.push(from + (to - from) * (before / (before - after)));
        }
        if after >= 0.0 {
            kept.push(*to);
        }
    }
    kept
}
