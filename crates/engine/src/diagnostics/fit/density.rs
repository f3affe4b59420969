//! Density of a fit, with everything precomputed that does not depend on the position.

use std::f64::consts::TAU;

use super::Fit;
use base::math::{Distribution, Matrix, Point};
use models::targets::Coordinates;

/// Below the largest term by this much, as a logarithm, a term of a mixture adds nothing.
const NOTHING: f64 = -40.0;

/// log Σ wᵢ qᵢ(z) of a fit whose distributions are sound.
#[derive(Clone, Debug)]
pub(super) struct FitDensity {
    coordinates: Coordinates,
    parts: Vec<ComponentDensity>,
}

/// A distribution with its weight.
#[derive(Clone, Copy, Debug)]
enum ComponentDensity {
    Line { constant: f64, mean: f64, precision: f64 },
    Plane { constant: f64, mean: Point, precision: Matrix },
    NormalGamma { constant: f64, mean: f64, precision: f64, power: f64, rate: f64 },
}

impl ComponentDensity {
    /// A distribution times e^`log_weight`; without density if it is not sound.
    fn new(distribution: &Distribution, log_weight: f64) -> Self {
        match *distribution {
            Distribution::Line { mean, variance } => {
                Self::Line { constant: log_weight - 0.5 * libm::log(TAU * variance), mean, precision: 1.0 / variance }
            }
            Distribution::Plane(gaussian) => {
                let determinant = gaussian.covariance.determinant();
                let precision = gaussian.covariance.try_inverse().unwrap_or_else(|| Matrix::repeat(f64::NAN));
                let constant = log_weight - libm::log(TAU) - 0.5 * libm::log(determinant);
                Self::Plane { constant, mean: gaussian.mean, precision }
            }
            Distribution::NormalGamma { mean, precision, shape, rate } => {
                let of_gamma = shape * libm::log(rate) - libm::lgamma(shape);
                let constant = log_weight + 0.5 * libm::log(precision / TAU) + of_gamma;
                Self::NormalGamma { constant, mean, precision, power: shape - 1.0, rate }
            }
        }
    }

    fn log_at(&self, z: Point) -> f64 {
        match *self {
            Self::Line { constant, mean, precision } => constant - 0.5 * precision * (z.x - mean) * (z.x - mean),
            Self::Plane { constant, mean, precision } => {
                let deviation = z - mean;
                constant - 0.5 * deviation.dot(&(precision * deviation))
            }
            Self::NormalGamma { constant, mean, precision, power, rate } if z.y > 0.0 => {
                let deviation = z.x - mean;
                constant - 0.5 * precision * deviation * deviation + power * libm::log(z.y) - rate * z.y
            }
            Self::NormalGamma { .. } => f64::NEG_INFINITY,
        }
    }
}

impl FitDensity {
    pub fn new(fit: &Fit) -> Self {
        let parts = fit.components().iter().filter(|component| component.weight > 0.0);
        let parts = parts
            .map(|component| ComponentDensity::new(&component.distribution, libm::log(component.weight)))
            .collect();
        Self { coordinates: fit.coordinates(), parts }
    }

    /// The log density of z.
    pub fn log_at(&self, z: Point) -> f64 {
        if let [only] = &self.parts[..] {
            return only.log_at(z);
        }
        // In one pass: the sum is kept relative to the largest term so far.
        let (mut largest, mut sum) = (f64::NEG_INFINITY, 0.0);
        for part in &self.parts {
            let term = part.log_at(z);
            if term > largest {
                sum = if largest - term > NOTHING { sum * libm::exp(largest - term) + 1.0 } else { 1.0 };
                largest = term;
            } else if term - largest > NOTHING {
                sum += libm::exp(term - largest);
            }
        }
        if largest == f64::NEG_INFINITY { largest } else { largest + libm::log(sum) }
    }

    /// The log density of θ.
    pub fn log_in_theta(&self, theta: Point) -> f64 {
        let z = self.coordinates.from_theta(theta);
        // In logits and logarithms what is outside has no z.
        if z.x.is_nan() || z.y.is_nan() {
            return f64::NEG_INFINITY;
        }
        self.log_at(z) - self.coordinates.log_slope(z)
    }
}
