//! Overlap of the components of a mixture, and the error of the estimated evidence that it causes.
//!
//! The evidences of Laplace approximations at several modes add up, which is right if each covers its own part of the
//! target. Mass that two of them share counts twice, and the sum is too large. The overlap is measured by the
//! Bhattacharyya coefficient ∫ √(q₁q₂), between 0 and 1 (Bhattacharyya 1943); between Gaussians it is e^−D with D = ⅛
//! δᵀΣ⁻¹δ + ½ ln(|Σ|/√(|Σ₁||Σ₂|)), Σ the mean of both covariances.

use super::{Fit, FitTruth};
use base::math::{Distribution, Matrix};

/// The overlap of the components of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The largest Bhattacharyya coefficient between two of the distributions: 0 for components far apart, 1 for equal
    /// ones.
    pub coefficient: f64,
    /// The log of the sum of the evidences minus log Z, in nats; `None` if the method estimates no evidence.
    pub excess: Option<f64>,
}

/// The overlap of a sound fit of two distributions at least; otherwise `None`.
#[must_use]
pub fn overlap(truth: &FitTruth, fit: &Fit) -> Option<Overlap> {
    let components = fit.components();
    if components.len() < 2 || !fit.is_sound() {
        return None;
    }
    let of_pair = |(index, one): (usize, &super::Component)| {
        let others = components[index + 1..].iter();
        others.map(|other| coefficient(&one.distribution, &other.distribution)).fold(0.0, f64::max)
    };
    let coefficient = components.iter().enumerate().map(of_pair).fold(0.0, f64::max);
    let sum = fit.log_evidence();
    let excess = sum.map(|sum| sum - truth.target().info().log_normaliser);
    Some(Overlap { coefficient, excess })
}

/// ∫ √(q₁q₂); distributions of different kinds, which no method mixes, count as apart.
fn coefficient(one: &Distribution, other: &Distribution) -> f64 {
    match (*one, *other) {
        (
            Distribution::NormalGamma { precision: first_precision, shape: first, rate: first_rate, .. },
            Distribution::NormalGamma { precision, shape, rate, .. },
        ) => {
            let gap = other.mean().x - one.mean().x;
            let (mean_shape, mean_rate) = (0.5 * (first + shape), 0.5 * (first_rate + rate));
            let of_gamma = 0.5 * (first * libm::log(first_rate) + shape * libm::log(rate))
                - mean_shape * libm::log(mean_rate)
                + libm::lgamma(mean_shape)
                - 0.5 * (libm::lgamma(first) + libm::lgamma(shape));
            let variances = [1.0 / first_precision, 1.0 / precision].map(|v| Matrix::new(v, 0.0, 0.0, 1.0));
            libm::exp(of_gamma - distance(variances, [gap, 0.0]))
        }
        (Distribution::Line { .. }, Distribution::Line { .. }) => {
            let gap = other.mean().x - one.mean().x;
            let variances = [one, other].map(|distribution| Matrix::new(distribution.covariance().m11, 0.0, 0.0, 1.0));
            libm::exp(-distance(variances, [gap, 0.0]))
        }
        (Distribution::Plane(first), Distribution::Plane(second)) => {
            let gap = second.mean - first.mean;
            libm::exp(-distance([first.covariance, second.covariance], [gap.x, gap.y]))
        }
        _ => 0.0,
    }
}

/// The Bhattacharyya distance between two Gaussians.
fn distance([one, other]: [Matrix; 2], gap: [f64; 2]) -> f64 {
    let mean = (one + other) / 2.0;
    let Some(precision) = mean.try_inverse() else { return f64::INFINITY };
    let gap = base::math::Point::from(gap);
    let determinants = libm::sqrt(one.determinant()) * libm::sqrt(other.determinant());
    gap.dot(&(precision * gap)) / 8.0 + 0.5 * libm::log(mean.determinant() / determinants)
}
