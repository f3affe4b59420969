//! Distributions q that approximations fit: Gaussians on the line and in the plane, and the product of a Gaussian and a
//! gamma distribution.

use std::f64::consts::TAU;

use super::{Gaussian, Matrix, Point};

/// A distribution q in the coordinates in which it was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// N(mean, variance) on the line.
    Line {
        /// Mean.
        mean: f64,
        /// Variance, positive.
        variance: f64,
    },
    /// N(mean, covariance) in the plane.
    Plane(Gaussian),
    /// Two independent coordinates: x ~ N(mean, 1/precision), y ~ Gamma(shape, rate).
    NormalGamma {
        /// Mean of x.
        mean: f64,
        /// Precision of x: 1/variance.
        precision: f64,
        /// Shape of the distribution of y.
        shape: f64,
        /// Rate of the distribution of y, whose mean is shape/rate.
        rate: f64,
    },
}

impl Distribution {
    /// N(mean, covariance) in `dimension` 1 or 2 dimensions; on the line only x counts.
    #[must_use]
    pub fn gaussian(dimension: usize, mean: Point, covariance: Matrix) -> Self {
        if dimension == 1 {
            Self::Line { mean: mean.x, variance: covariance.m11 }
        } else {
            Self::Plane(Gaussian { mean, covariance })
        }
    }

    /// The mean; y is 0 on the line.
    #[must_use]
    pub fn mean(&self) -> Point {
        match *self {
            Self::Line { mean, .. } => Point::new(mean, 0.0),
            Self::Plane(gaussian) => gaussian.mean,
            Self::NormalGamma { mean, shape, rate, .. } => Point::new(mean, shape / rate),
        }
    }

    /// The covariance; on the line all but the upper left entry are 0.
    #[must_use]
    pub fn covariance(&self) -> Matrix {
        match *self {
            Self::Line { variance, .. } => Matrix::new(variance, 0.0, 0.0, 0.0),
            Self::Plane(gaussian) => gaussian.covariance,
            Self::NormalGamma { precision, shape, rate, .. } => {
                Matrix::new(1.0 / precision, 0.0, 0.0, shape / (rate * rate))
            }
        }
    }

    /// The log density; −∞ outside the support. It is for measures, not for trajectories, which use the kernels.
    #[must_use]
    pub fn log_density(&self, at: Point) -> f64 {
        match *self {
            Self::Line { mean, variance } => log_normal(at.x - mean, variance),
            Self::Plane(gaussian) => gaussian.log_density(at),
            Self::NormalGamma { mean, precision, shape, rate } if at.y > 0.0 => {
                let gamma =
                    shape * libm::log(rate) - libm::lgamma(shape) + (shape - 1.0) * libm::log(at.y) - rate * at.y;
                log_normal(at.x - mean, 1.0 / precision) + gamma
            }
            Self::NormalGamma { .. } => f64::NEG_INFINITY,
        }
    }

    /// Whether all numbers are finite and the covariance is positive definite.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        match *self {
            Self::Line { mean, variance } => mean.is_finite() && variance.is_finite() && variance > 0.0,
            Self::Plane(Gaussian { mean, covariance }) => {
                let finite = mean.iter().chain(covariance.iter()).all(|number| number.is_finite());
                finite && covariance.m11 > 0.0 && covariance.determinant() > 0.0
            }
            Self::NormalGamma { mean, precision, shape, rate } => {
                mean.is_finite() && [precision, shape, rate].iter().all(|number| number.is_finite() && *number > 0.0)
            }
        }
    }
}

/// The log density of N(0, variance) at a deviation.
fn log_normal(deviation: f64, variance: f64) -> f64 {
    -0.5 * (deviation * deviation / variance + libm::log(TAU * variance))
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// Σ of q, q·θ and q·θθᵀ over a fine lattice.
    fn sums(distribution: &Distribution, x: (f64, f64), y: (f64, f64)) -> (f64, Point, Matrix) {
        let count = 800;
        let (dx, dy) = ((x.1 - x.0) / f64::from(count), (y.1 - y.0) / f64::from(count));
        let (mut mass, mut first, mut second) = (0.0, Point::zeros(), Matrix::zeros());
        for i in 0..count {
            for j in 0..count {
                let at = Point::new(x.0 + (f64::from(i) + 0.5) * dx, y.0 + (f64::from(j) + 0.5) * dy);
                let weight = distribution.log_density(at).exp() * dx * dy;
                mass += weight;
                first += at * weight;
                second += at * at.transpose() * weight;
            }
        }
        (mass, first, second - first * first.transpose())
    }

    #[test]
    fn densities_have_the_stated_moments() {
        let gaussian = Distribution::gaussian(2, Point::new(0.5, -1.0), Matrix::new(2.0, 0.6, 0.6, 0.5));
        let product = Distribution::NormalGamma { mean: 0.8, precision: 17.0, shape: 6.5, rate: 4.2 };
        for (distribution, x, y) in [(gaussian, (-12.0, 13.0), (-8.0, 6.0)), (product, (-2.0, 3.6), (0.0, 9.0))] {
            let (mass, mean, covariance) = sums(&distribution, x, y);
            assert_relative_eq!(mass, 1.0, epsilon = 1e-6);
            assert_relative_eq!(mean, distribution.mean(), epsilon = 1e-5);
            assert_relative_eq!(covariance, distribution.covariance(), epsilon = 1e-4);
        }
    }

    #[test]
    fn on_the_line_y_does_not_count() {
        let distribution = Distribution::gaussian(1, Point::new(1.0, 7.0), Matrix::new(4.0, 0.0, 0.0, 0.0));
        assert_eq!((distribution.mean(), distribution.covariance().m22), (Point::new(1.0, 0.0), 0.0));
        assert_relative_eq!(
            distribution.log_density(Point::new(3.0, 9.0)),
            -0.5 - 0.5 * (TAU * 4.0).ln(),
            epsilon = 1e-14
        );
        assert!(distribution.is_sound());
        assert!(!Distribution::gaussian(2, Point::zeros(), Matrix::new(1.0, 2.0, 2.0, 1.0)).is_sound());
    }
}
