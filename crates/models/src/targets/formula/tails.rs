//! Moments that tails leave without a value.
//!
//! Quadrature sees no tail with a mass below its error, though it may leave a distribution without a mean. So the density itself is looked at
//! as far out as it is a number: where it falls like a power of the distance, that shows there.

use super::Written;
use crate::targets::Density;
use crate::targets::kit::poles::AXES;
use base::math::{Matrix, Point};

/// Two distances a decade apart, just within those at which formulas are evaluated.
const FAR: [f64; 2] = [1e74, 1e75];

/// Powers of the distance at which the mass, the mean and the variance have no value, and a margin for rounding.
const POWERS: [f64; 3] = [-1.0, -2.0, -3.0];
const MARGIN: f64 = 1e-6;

/// How many of mass, mean and variance exist along an axis, from 0 to 3, as far as the tails say.
fn existing(bare: &Written, from: Point, axis: usize) -> usize {
    let power = last_power(bare, from, AXES[axis]).max(last_power(bare, from, -AXES[axis]));
    POWERS.iter().filter(|least| power < **least - MARGIN).count()
}

/// Whether a density on the line leaves mass as far out as numbers go.
pub(super) fn has_no_end(bare: &Written, from: Point) -> bool {
    bare.info.dimension == 1 && existing(bare, from, 0) == 0
}

/// Those of these moments that exist.
pub(super) fn moments(bare: &Written, from: Point, (mut mean, mut covariance): (Point, Matrix)) -> (Point, Matrix) {
    let dimension = bare.info.dimension;
    for axis in 0..dimension {
        let existing = existing(bare, from, axis);
        if existing < 3 {
            for other in 0..dimension {
                (covariance[(axis, other)], covariance[(other, axis)]) = (f64::NAN, f64::NAN);
            }
        }
        if existing < 2 {
            mean[axis] = f64::NAN;
        }
    }
    (mean, covariance)
}

/// The power of the distance as which the density falls far out, −∞ where it is no number there.
pub(super) fn last_power(bare: &Written, from: Point, direction: Point) -> f64 {
    let [near, far] = FAR.map(|distance| bare.log_density(from + direction * distance));
    if near.is_finite() { (far - near) / std::f64::consts::LN_10 } else { f64::NEG_INFINITY }
}
