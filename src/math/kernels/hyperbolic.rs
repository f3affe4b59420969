//! The hyperbolic tangent.
//!
//! tanh |x| = −d/(2 + d) with d = e^(−2|x|) − 1, which has no cancellation and no overflow.

use super::exponential::exp_share_m1;

/// From here on tanh |x| is 1 in all its digits: e^−40 is below 2⁻⁵⁷.
const LEAST_EXPONENT: f64 = -40.0;

/// tanh x, for any x; error at most 3 ulp (largest seen: 2.2 ulp).
///
/// ±1 far out and at ±∞, ±0 at ±0; NaN gives NaN.
#[inline(always)]
#[must_use]
pub fn tanh(x: f64) -> f64 {
    let exponent = -2.0 * x.abs();
    let exponent = if exponent < LEAST_EXPONENT { LEAST_EXPONENT } else { exponent };
    let difference = exp_share_m1(exponent);
    (difference / (2.0 + difference)).copysign(x)
}
