//! Draws from the gamma distribution: what Beta posteriors and precisions are made of.

use super::arithmetic::ln;
use crate::math::Stream;

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
