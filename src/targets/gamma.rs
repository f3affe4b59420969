//! Draws from the gamma distribution: what Beta posteriors and precisions are made of.

use super::lanewise::{exp, ln};
use crate::math::Stream;

/// A draw from Gamma(shape, 1) for any shape > 0: below 1 a draw of shape + 1 times U^(1/shape) (the same article, section 6).
#[must_use]
pub fn gamma_draw(shape: f64, stream: &mut Stream) -> f64 {
    if shape >= 1.0 {
        return gamma(shape, stream);
    }
    let share = exp(ln(stream.uniform()) / shape);
    share * gamma(shape + 1.0, stream)
}

/// A draw from Gamma(shape, 1), shape ≥ 1 (Marsaglia and Tsang 2000, ACM TOMS 26).
pub(super) fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let (normal, _) = stream.normal_pair();
        let root = 1.0 + c * normal;
        let cube = root * root * root;
        if root > 0.0 && ln(stream.uniform()) < 0.5 * normal * normal + d - d * cube + d * ln(cube) {
            return d * cube;
        }
    }
}
