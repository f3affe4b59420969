//! Gamma function and gamma distribution: ln Γ, its derivative ψ, and draws, for Beta posteriors and precisions.

use crate::math::Stream;
use crate::math::kernels::{exp, ln};

/// ln Γ(x) for x > 0.
pub(super) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Smallest argument at which the asymptotic series of ψ has an error below a rounding.
const DIGAMMA_FROM: f64 = 10.0;

/// B₂ₖ/2k for k = 1 … 7, the coefficients of the asymptotic series of ψ (DLMF 5.11.2).
const DIGAMMA_SERIES: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];

/// ψ(x) = d ln Γ(x)/dx for x > 0: ψ(x) = ψ(x + 1) − 1/x up to [`DIGAMMA_FROM`], where the series ln x − 1/2x − Σ
/// B₂ₖ/(2k x²ᵏ) is exact to rounding.
pub(super) fn digamma(x: f64) -> f64 {
    let (mut shifted, mut sum) = (x, 0.0);
    while shifted < DIGAMMA_FROM {
        sum -= 1.0 / shifted;
        shifted += 1.0;
    }
    let square = 1.0 / (shifted * shifted);
    let series = DIGAMMA_SERIES.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * square);
    sum + ln(shifted) - 0.5 / shifted - series
}

/// A draw from Gamma(shape, 1) for any shape > 0: below 1 a draw of shape + 1 times U^(1/shape) (Marsaglia and Tsang
/// 2000, section 6).
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
