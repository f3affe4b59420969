//! Handles of a Gaussian: points that the pointer drags to move the Gaussian or to change its covariance.
//!
//! A Gaussian N(μ, Σ) has a handle at μ and one on each principal axis, at [`REACH`] standard deviations. Dragging the
//! handle of an axis turns the ellipse so that this axis points at the pointer, and changes the length of this axis
//! alone: the other axis keeps its length and stays perpendicular.

use base::math::{Gaussian, Matrix, Point};

/// Standard deviations from the mean to the handles of the axes: on the second of the three ellipses that are drawn.
pub const REACH: f64 = 2.0;

/// Smallest and largest standard deviation of an axis after dragging.
const SD_RANGE: (f64, f64) = (0.01, 100.0);

/// The principal axes of a Gaussian, as vectors of one standard deviation. The first is the one nearer to the horizontal,
/// and both point right or up.
#[must_use]
pub fn axes(covariance: Matrix) -> [Point; 2] {
    let eigen = covariance.symmetric_eigen();
    let axis = |index: usize| {
        let direction: Point = eigen.eigenvectors.column(index).into_owned();
        direction * eigen.eigenvalues[index].max(0.0).sqrt()
    };
    let slant = |axis: &Point| axis.y.abs() - axis.x.abs();
    let mut axes = [axis(0), axis(1)];
    axes.sort_by(|one, other| slant(&one.normalize()).total_cmp(&slant(&other.normalize())));
    let [first, second] = axes;
    [if first.x < 0.0 { -first } else { first }, if second.y < 0.0 { -second } else { second }]
}

/// The handles of the first and of the second axis.
#[must_use]
pub fn handles(gaussian: &Gaussian) -> [Point; 2] {
    axes(gaussian.covariance).map(|axis| gaussian.mean + axis * REACH)
}

/// The covariance after the handle of axis `axis` (0 or 1) of a Gaussian has been dragged to `point`.
#[must_use]
pub fn pulled(gaussian: &Gaussian, axis: usize, point: Point) -> Matrix {
    let pull = (point - gaussian.mean) / REACH;
    let length = pull.norm().clamp(SD_RANGE.0, SD_RANGE.1);
    let along = if pull.norm() > 0.0 { pull.normalize() } else { Point::new(1.0, 0.0) };
    let across = Point::new(-along.y, along.x);
    let other = axes(gaussian.covariance)[1 - axis.min(1)].norm().clamp(SD_RANGE.0, SD_RANGE.1);
    along * along.transpose() * (length * length) + across * across.transpose() * (other * other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn gaussian() -> Gaussian {
        Gaussian { mean: Point::new(1.0, -2.0), covariance: Matrix::new(2.0, 0.7, 0.7, 1.0) }
    }

    #[test]
    fn handles_are_on_the_ellipse_along_perpendicular_axes() {
        let gaussian = gaussian();
        let [first, second] = handles(&gaussian).map(|handle| handle - gaussian.mean);
        let precision = gaussian.covariance.try_inverse().unwrap();
        for handle in [first, second] {
            assert_relative_eq!(handle.dot(&(precision * handle)), REACH * REACH, max_relative = 1e-12);
        }
        assert!(first.dot(&second).abs() < 1e-12);
        assert!(first.x.abs() > first.y.abs() && second.y > 0.0);
    }

    #[test]
    fn a_handle_dragged_to_its_own_place_changes_nothing() {
        let gaussian = gaussian();
        for axis in [0, 1] {
            let same = pulled(&gaussian, axis, handles(&gaussian)[axis]);
            assert_relative_eq!(same, gaussian.covariance, max_relative = 1e-12);
        }
    }

    #[test]
    fn dragging_stretches_one_axis_and_turns_the_other_with_it() {
        let gaussian = Gaussian { mean: Point::zeros(), covariance: Matrix::new(4.0, 0.0, 0.0, 0.25) };
        let stretched = pulled(&gaussian, 0, Point::new(12.0, 0.0));
        assert_relative_eq!(stretched, Matrix::new(36.0, 0.0, 0.0, 0.25), max_relative = 1e-12);
        let turned = pulled(&gaussian, 0, Point::new(0.0, 4.0));
        assert_relative_eq!(turned, Matrix::new(0.25, 0.0, 0.0, 4.0), epsilon = 1e-12);
        let raised = pulled(&gaussian, 1, Point::new(0.0, 2.0));
        assert_relative_eq!(raised, Matrix::new(4.0, 0.0, 0.0, 1.0), epsilon = 1e-12);
    }

    #[test]
    fn a_covariance_stays_positive_definite_wherever_a_handle_is_dragged() {
        for point in [gaussian().mean, Point::new(1e9, 0.0), Point::new(1.0, -2.0 + 1e-12)] {
            for axis in [0, 1] {
                assert!(pulled(&gaussian(), axis, point).cholesky().is_some(), "{point}");
            }
        }
    }
}
