//! A start for chains and optimisers that is the same for everyone.

use super::{Layout, greatest_common_divisor};
use base::math::normal_quantile;

/// (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The start `lattice`: θ_j = s_j Φ⁻¹(((m j) mod d + ½)/d) with the smallest m ≥ ⌊0.618… d⌋ that has no common divisor with d.
/// All quantiles of the prior occur once; `sds` are its standard deviations.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "a positive number below d")]
pub fn lattice_start(layout: &Layout, sds: &[f64]) -> Vec<f64> {
    let d = layout.dimension();
    let from = (GOLDEN * d as f64) as usize;
    let multiplier = (from..).find(|m| greatest_common_divisor(*m, d) == 1).unwrap_or(1);
    let quantile = |j: usize| normal_quantile((((multiplier * j) % d) as f64 + 0.5) / d as f64);
    sds.iter().enumerate().map(|(j, sd)| sd * quantile(j)).collect()
}
