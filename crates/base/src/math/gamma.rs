//! Gamma function and gamma distribution: ln Γ, its derivative ψ, exp ψ, and draws.

use super::Stream;
use super::elementary::{exp, ln};

/// ln Γ(x) for x > 0.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Smallest argument at which the asymptotic series of ψ has an error below a rounding.
const DIGAMMA_FROM: f64 = 10.0;

/// B₂ₖ/2k for k = 1 … 7, the coefficients of the asymptotic series of ψ (DLMF 5.11.2).
const DIGAMMA_SERIES: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];

/// ψ(x) = d ln Γ(x)/dx for x > 0: ψ(x) = ψ(x + 1) − 1/x up to [`DIGAMMA_FROM`], where the series ln x − 1/2x − Σ
/// B₂ₖ/(2k x²ᵏ) is exact to rounding.
#[must_use]
pub fn digamma(x: f64) -> f64 {
    let (mut shifted, mut sum) = (x, 0.0);
    while shifted < DIGAMMA_FROM {
        sum -= 1.0 / shifted;
        shifted += 1.0;
    }
    let square = 1.0 / (shifted * shifted);
    let series = DIGAMMA_SERIES.iter().rev().fold(0.0, |sum, coefficient| (sum + coefficient) * square);
    sum + ln(shifted) - 0.5 / shifted - series
}

/// exp ψ(y + ½) = y (1 + Σ cₖ y⁻²ᵏ): c₁ … c₈, from exponentiating the asymptotic series of ψ(y + ½) in exact fractions.
const EXP_DIGAMMA_SERIES: [f64; 8] = [
    0.041_666_666_666_666_664,
    -0.006_423_611_111_111_111,
    0.003_552_482_914_462_081,
    -0.003_953_557_448_973_030_5,
    0.007_365_033_269_308_669,
    -0.020_734_675_824_368_14,
    0.082_381_852_238_787_77,
    -0.439_604_436_860_081_3,
];

/// exp ψ(x), the geometric mean of Gamma(x, 1), for 0 < x < 10³⁰; relative error below 2·10⁻¹⁵ (1 + 1/x). Branch-free.
///
/// ψ(x) = ψ(x + 8) − Σ 1/(x + i) over i = 0 … 7. The sum is one fraction: with u = x(x + 7), (x + i)(x + 7 − i) is u,
/// u + 6, u + 10 or u + 12, so it is (2x + 7) q′(u)/q(u) with q their product. The series for x + 8 ≥ 8 has an error of
/// 5·10⁻¹⁶. Needs two divisions and an exponential, where ψ and its exponential need a dozen divisions and a logarithm.
#[inline(always)]
#[must_use]
pub fn exp_digamma(x: f64) -> f64 {
    let u = x * (x + 7.0);
    let (outer, inner) = (u * (u + 6.0), (u + 10.0) * (u + 12.0));
    let derivative = (2.0 * u + 6.0) * inner + outer * (2.0 * u + 22.0);
    let shift = (2.0 * x + 7.0) * derivative / (outer * inner);
    let y = x + 7.5;
    let square = 1.0 / (y * y);
    let [c1, c2, c3, c4, c5, c6, c7, c8] = EXP_DIGAMMA_SERIES;
    // Estrin's scheme, as for the exponential.
    let (square_2, low) = (square * square, (c1 + c2 * square) + (c3 + c4 * square) * (square * square));
    let high = (c5 + c6 * square) + (c7 + c8 * square) * square_2;
    let series = low + high * (square_2 * square_2);
    exp(-shift) * (y + y * square * series)
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
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of another library to all their digits.
    const DIGAMMA: [(f64, f64); 10] = [
        (1e-3, -1_000.575_571_931_810_3),
        (0.1, -10.423_754_940_411_076),
        (0.5, -1.963_510_026_021_423_5),
        (1.0, -0.577_215_664_901_532_9),
        (2.5, 0.703_156_640_645_243_2),
        (6.5, 1.792_911_330_399_933),
        (9.99, 2.250_700_372_831_201),
        (10.0, 2.251_752_589_066_721),
        (37.25, 3.604_169_073_005_627),
        (1e6, 13.815_510_057_964_19),
    ];

    /// Errors are relative to the largest term of the sum.
    #[test]
    fn digamma_is_right() {
        for (x, stated) in DIGAMMA {
            let found = digamma(x);
            assert!((found - stated).abs() <= 4e-15 * (1.0 + 1.0 / x), "ψ({x}): {found}, not {stated}");
        }
    }

    /// Against [`digamma`], whose own rounding errors are within the tolerance, on a lattice of eight digits per decade.
    #[test]
    fn exp_digamma_is_its_exponential() {
        for number in -200..=640 {
            let x = libm::exp10(f64::from(number) / 80.0);
            let (found, expected) = (exp_digamma(x), libm::exp(digamma(x)));
            let tolerance = expected * (4e-15 * (1.0 + 1.0 / x) + 1e-15 * digamma(x).abs());
            assert!((found - expected).abs() <= tolerance, "exp ψ({x}): {found}, not {expected}");
        }
        assert_eq!(exp_digamma(1e-5).to_bits(), 0, "it is below the smallest number");
        assert!((exp_digamma(1e30) / 1e30 - 1.0).abs() < 1e-15);
    }
}
