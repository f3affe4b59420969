//! Natural parameters λ = (Λm, Λ) of a Gaussian N(m, Λ⁻¹), as a vector of five entries.

use base::math::{Distribution, Matrix, Point};

/// Λm along x and y, then the entries xx, xy and yy of the precision Λ, each once. On the line all but the first and the
/// third are 0. The norm is that of this vector.
pub type Natural = nalgebra::SVector<f64, 5>;

/// A matrix with 1 − Λxy²/(Λxx Λyy) up to this bound does not count as a precision: after a few steps its inverse would
/// have no correct digit. The bound does not depend on the units of the coordinates.
const SINGULAR: f64 = 1e-12;

/// λ from Λm and Λ.
pub(crate) fn natural(dimension: usize, shift: Point, precision: Matrix) -> Natural {
    if dimension == 1 {
        Natural::new(shift.x, 0.0, precision.m11, 0.0, 0.0)
    } else {
        Natural::new(shift.x, shift.y, precision.m11, precision.m21, precision.m22)
    }
}

/// λ of a distribution; not finite if the covariance is singular.
#[must_use]
pub fn natural_of(dimension: usize, distribution: &Distribution) -> Natural {
    let (mean, covariance) = (distribution.mean(), distribution.covariance());
    if dimension == 1 {
        let precision = 1.0 / covariance.m11;
        return Natural::new(precision * mean.x, 0.0, precision, 0.0, 0.0);
    }
    let determinant = covariance.m11 * covariance.m22 - covariance.m21 * covariance.m21;
    let (xx, xy, yy) = (covariance.m22 / determinant, -covariance.m21 / determinant, covariance.m11 / determinant);
    Natural::new(xx * mean.x + xy * mean.y, xy * mean.x + yy * mean.y, xx, xy, yy)
}

/// The distribution with parameters λ; `None` unless Λ is positive definite by a margin ([`SINGULAR`]) and all numbers
/// are finite.
pub(crate) fn distribution(dimension: usize, natural: &Natural) -> Option<Distribution> {
    let [x, y, xx, xy, yy] = (*natural).into();
    if dimension == 1 {
        let variance = 1.0 / xx;
        return Some(Distribution::Line { mean: variance * x, variance })
            .filter(|distribution| xx > 0.0 && distribution.is_sound());
    }
    let determinant = xx * yy - xy * xy;
    // The product of roots neither overflows nor underflows. The comparisons reject NaN.
    let correlation = xy / (xx.sqrt() * yy.sqrt());
    let positive = [xx, yy].iter().all(|entry| *entry > 0.0 && entry.is_finite());
    let definite = positive && 1.0 - correlation * correlation > SINGULAR;
    let covariance = Matrix::new(yy / determinant, -xy / determinant, -xy / determinant, xx / determinant);
    let mean = Point::new(
        covariance.m11 * x + covariance.m12 * y, //
        covariance.m21 * x + covariance.m22 * y,
    );
    Some(Distribution::gaussian(2, mean, covariance)).filter(|distribution| definite && distribution.is_sound())
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn natural_parameters_and_distributions_are_inverse_maps() {
        let plane = Distribution::gaussian(2, Point::new(1.5, -2.0), Matrix::new(2.0, 0.9, 0.9, 0.5));
        let line = Distribution::gaussian(1, Point::new(-0.7, 0.0), Matrix::new(0.04, 0.0, 0.0, 0.0));
        let unequal = Distribution::gaussian(2, Point::new(0.02, -3e3), Matrix::new(1e-6, 0.0, 0.0, 1e6));
        let tilted = Distribution::gaussian(2, Point::new(0.02, -3e3), Matrix::new(1e-6, 0.9, 0.9, 1e6));
        for (dimension, given) in [(2, plane), (2, unequal), (2, tilted), (1, line)] {
            let back = distribution(dimension, &natural_of(dimension, &given)).unwrap();
            assert_relative_eq!(back.mean(), given.mean(), max_relative = 1e-13);
            assert_relative_eq!(back.covariance(), given.covariance(), max_relative = 1e-13);
        }
        assert_relative_eq!(natural_of(1, &line), Natural::new(-17.5, 0.0, 25.0, 0.0, 0.0), max_relative = 1e-14);
    }

    #[test]
    fn nearly_singular_precisions_are_rejected() {
        // 1 − (1 − ε)² = 2ε: on either side of the bound, in several units.
        let (refused, accepted) = (1.0 - 0.4e-12, 1.0 - 0.6e-12);
        for precision in [
            (1.0, 1.0, 1.0),
            (-1.0, 0.0, -1.0),
            (1.0, 0.0, -1e-9),
            (1.0, 0.0, 0.0),
            (1.0, refused, 1.0),
            (1e6, refused, 1e-6),
            (f64::NAN, 0.0, 1.0),
            (1.0, f64::NAN, 1.0),
            (f64::INFINITY, 0.0, 1.0),
        ] {
            let natural = Natural::new(0.0, 0.0, precision.0, precision.1, precision.2);
            assert_eq!(distribution(2, &natural), None, "{precision:?}");
        }
        for precision in [(1.0, accepted, 1.0), (1e6, accepted, 1e-6), (1e6, 0.0, 1e-6), (1e-6, 0.0, 1e6)] {
            let natural = Natural::new(0.0, 0.0, precision.0, precision.1, precision.2);
            assert!(distribution(2, &natural).is_some(), "{precision:?}");
        }
        assert_eq!(distribution(1, &Natural::new(0.0, 0.0, 0.0, 0.0, 0.0)), None);
        assert_eq!(distribution(1, &Natural::new(f64::INFINITY, 0.0, 1.0, 0.0, 0.0)), None);
    }
}
