//! Gaussians in the plane: density and ellipse; and the weighted moments of a cloud of points.

use std::f64::consts::TAU;

use super::{Matrix, Point};

/// The distribution N(mean, covariance).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    /// Mean.
    pub mean: Point,
    /// Covariance, symmetric positive definite.
    pub covariance: Matrix,
}

impl Gaussian {
    /// Whether all its numbers are finite.
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.mean.iter().chain(self.covariance.iter()).all(|number| number.is_finite())
    }

    /// The log density at `point`; NaN if the covariance is singular.
    #[inline]
    #[must_use]
    pub fn log_density(&self, point: Point) -> f64 {
        let deviation = point - self.mean;
        let Some(precision) = self.covariance.try_inverse() else { return f64::NAN };
        let squared = deviation.dot(&(precision * deviation));
        -0.5 * squared - libm::log(TAU) - 0.5 * libm::log(self.covariance.determinant())
    }

    /// The lower triangular L with L·Lᵀ = covariance, if it is positive definite.
    #[must_use]
    pub fn cholesky(&self) -> Option<Matrix> {
        Some(self.covariance.cholesky()?.l())
    }

    /// `count` points along the ellipse `radius` standard deviations from the mean, closed by the caller.
    /// Empty if the covariance is not positive definite.
    #[must_use]
    pub fn ellipse(&self, radius: f64, count: usize) -> Vec<Point> {
        let Some(root) = self.cholesky() else { return Vec::new() };
        let angle = |index: usize| TAU * index as f64 / count as f64;
        (0..count)
            .map(|index| self.mean + root * Point::new(libm::cos(angle(index)), libm::sin(angle(index))) * radius)
            .collect()
    }
}

/// Running weighted mean and covariance (West 1979), exact in the order in which points are added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    weight: f64,
    mean: [f64; 2],
    /// Σ w (x−x̄)², Σ w (x−x̄)(y−ȳ), Σ w (y−ȳ)².
    scatter: [f64; 3],
}

impl Moments {
    /// Adds a point with a positive weight.
    #[inline]
    pub fn add(&mut self, point: Point, weight: f64) {
        self.weight += weight;
        let share = weight / self.weight;
        let before = [point.x - self.mean[0], point.y - self.mean[1]];
        self.mean[0] += share * before[0];
        self.mean[1] += share * before[1];
        let after = [point.x - self.mean[0], point.y - self.mean[1]];
        self.scatter[0] += weight * before[0] * after[0];
        self.scatter[1] += weight * before[0] * after[1];
        self.scatter[2] += weight * before[1] * after[1];
    }

    /// The moments of both clouds together (Chan, Golub and LeVeque 1983).
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let weight = self.weight + other.weight;
        if weight <= 0.0 {
            return Self::default();
        }
        let gap = [other.mean[0] - self.mean[0], other.mean[1] - self.mean[1]];
        let share = other.weight / weight;
        let between = self.weight * share;
        let scatter = [gap[0] * gap[0], gap[0] * gap[1], gap[1] * gap[1]];
        Self {
            weight,
            mean: [self.mean[0] + share * gap[0], self.mean[1] + share * gap[1]],
            scatter: std::array::from_fn(|i| self.scatter[i] + other.scatter[i] + between * scatter[i]),
        }
    }

    /// Total weight.
    #[inline]
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Mean and covariance (divided by the total weight); `None` while empty.
    #[must_use]
    pub fn gaussian(&self) -> Option<Gaussian> {
        if self.weight <= 0.0 {
            return None;
        }
        let [xx, xy, yy] = self.scatter.map(|sum| sum / self.weight);
        Some(Gaussian { mean: Point::new(self.mean[0], self.mean[1]), covariance: Matrix::new(xx, xy, xy, yy) })
    }
}
