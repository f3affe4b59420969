//! Mean and covariance of a fit in θ.
//!
//! Of distributions of θ itself in closed form; of distributions of logits and logarithms by quadrature, about a point
//! among them so that no digits cancel. A mixture adds the spread of its means: Σ wᵢ (Σᵢ + (mᵢ − m)(mᵢ − m)ᵀ).

use super::Fit;
use super::expectation::{REACH, expectation};
use base::math::{Distribution, Gaussian, Matrix, Point};
use base::platform::now;

/// Standard deviations of z up to which a distribution of a logarithm is followed further than others; of wider ones
/// the moments lose digits.
const WIDEST: f64 = 8.0;

pub(super) fn moments(fit: &Fit) -> Option<Gaussian> {
    if !fit.is_sound() {
        return None;
    }
    let parts = fit
        .components()
        .iter()
        .map(|component| Some((component.weight, of_distribution(fit, &component.distribution)?)));
    let parts: Vec<(f64, Gaussian)> = parts.collect::<Option<_>>()?;
    let mean: Point = parts.iter().map(|(weight, part)| part.mean * *weight).sum();
    let spread = |part: &Gaussian| part.covariance + (part.mean - mean) * (part.mean - mean).transpose();
    let covariance: Matrix = parts.iter().map(|(weight, part)| spread(part) * *weight).sum();
    Some(Gaussian { mean, covariance }).filter(Gaussian::is_finite)
}

fn of_distribution(fit: &Fit, distribution: &Distribution) -> Option<Gaussian> {
    let (coordinates, covariance) = (fit.coordinates(), distribution.covariance());
    if coordinates.is_identity() {
        return Some(Gaussian { mean: distribution.mean(), covariance });
    }
    let origin = coordinates.to_theta(distribution.mean());
    // The mass of e^2z lies 2 sd standard deviations above the mean.
    let reach = REACH + 2.0 * covariance.diagonal().max().sqrt().min(WIDEST);
    let powers = |z: Point| {
        let off = coordinates.to_theta(z) - origin;
        [off.x, off.y, off.x * off.x, off.x * off.y, off.y * off.y]
    };
    let [x, y, xx, xy, yy] = now(expectation(distribution, reach, powers)).ok()?;
    let (mean, cross) = (Point::new(x, y), xy - x * y);
    let covariance = Matrix::new(xx - x * x, cross, cross, yy - y * y);
    Some(Gaussian { mean: origin + mean, covariance })
}
