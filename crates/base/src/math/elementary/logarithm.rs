//! The natural logarithm, and sums of exponentials in the log domain.
//!
//! ln x = k ln 2 + ln(1 + f) with 1 + f in [√½, √2), and ln(1 + f) = f − f²/2 + s·(f²/2 + z·p(z)) with s = f/(2 + f), z
//! = s²: the series of 2 artanh s, rearranged so that the rounding error of s is multiplied by a small number. Known
//! from the C library of K. C. Ng and others (FDLIBM, 1993); see also J.-M. Muller, *Elementary Functions* (3rd ed.
//! 2016).

use super::number::Number;
use super::{LN_2_HIGH, LN_2_LOW, MANTISSA_BITS, exponential::exp};

/// Bits of 1.0.
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// Bits of √½, the lower end of the reduced mantissa.
const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// The mantissa of an `f64`.
const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;

/// 2⁵². An integer below it, put into its mantissa bits, is added to it.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// Exponent bias of `f64`.
const BIAS: f64 = 1023.0;

/// Scale that makes every subnormal number normal, and its logarithm to base 2.
const SUBNORMAL_SCALE: f64 = 18_014_398_509_481_984.0;
const SUBNORMAL_SHIFT: f64 = 54.0;

/// √2 − 1: from here on 1 + t is halved before its logarithm is taken.
const HALVE_FROM: f64 = std::f64::consts::SQRT_2 - 1.0;

/// p(z) = (2 artanh s − 2s) / s³ in powers of z = s², for |s| ≤ (√2 − 1)/(√2 + 1); relative error of ln below 2⁻⁵⁷.
const P: [f64; 7] = [
    0.666_666_666_666_667,
    0.399_999_999_998_994_44,
    0.285_714_286_260_032_7,
    0.222_222_111_302_598_78,
    0.181_828_894_556_749_47,
    0.153_317_106_182_107_73,
    0.146_165_854_248_886_23,
];

/// ln x, for any x; error at most 1 ulp (largest seen: 0.79 ulp), exact at 1.
///
/// Subnormal numbers are legal, 0 gives −∞, +∞ gives +∞; numbers below 0 and NaN give NaN.
#[inline(always)]
#[must_use]
pub fn ln(x: f64) -> f64 {
    let subnormal = x < f64::MIN_POSITIVE;
    let scaled = if subnormal { x * SUBNORMAL_SCALE } else { x };
    let shift = if subnormal { SUBNORMAL_SHIFT } else { 0.0 };
    let regular = ln_of_normal(scaled, shift);
    let at_or_below_zero = if x < 0.0 { f64::NAN } else { f64::NEG_INFINITY };
    let regular = if x <= 0.0 { at_or_below_zero } else { regular };
    // Infinity and NaN are their own logarithms; written so that NaN fails the comparison.
    if x < f64::INFINITY { regular } else { x }
}

/// ln(x·2^−shift) for positive, normal, finite x; nothing else is checked.
#[inline(always)]
pub(in crate::math) fn ln_of_normal<N: Number>(x: N, shift: f64) -> N {
    let shifted = |x: f64| x.to_bits().wrapping_add(ONE - SQRT_HALF);
    let exponent = x.map(|x| f64::from_bits((shifted(x) >> MANTISSA_BITS) | TWO_52.to_bits())) - (TWO_52 + BIAS);
    let mantissa = x.map(|x| f64::from_bits((shifted(x) & MANTISSA).wrapping_add(SQRT_HALF)));
    scaled_ln_1p(exponent - shift, mantissa - 1.0)
}

/// k ln 2 + ln(1 + f), for 1 + f in [√½, √2] and integer k.
#[inline(always)]
fn scaled_ln_1p<N: Number>(k: N, f: N) -> N {
    let s = f / (f + 2.0);
    let half_square = f * 0.5 * f;
    let z = s * s;
    let correction = s * (half_square + z * p(z)) + k * LN_2_LOW;
    k * LN_2_HIGH + (f - (half_square - correction))
}

/// Estrin's scheme, as for the exponential.
#[inline(always)]
fn p<N: Number>(z: N) -> N {
    let z2 = z * z;
    let low = (z * P[1] + P[0]) + (z * P[3] + P[2]) * z2;
    let high = (z * P[5] + P[4]) + z2 * P[6];
    low + high * (z2 * z2)
}

/// ln(1 + t) for t in [0, 1], without forming 1 + t.
#[inline(always)]
fn ln_1p_unit(t: f64) -> f64 {
    let halve = t > HALVE_FROM;
    let f = if halve { 0.5 * (t - 1.0) } else { t };
    let k = if halve { 1.0 } else { 0.0 };
    scaled_ln_1p(k, f)
}

/// ln(1 + eˣ), for any x; error at most 2 ulp for normal results (largest seen: 1.5 ulp).
///
/// 0 at −∞, +∞ at +∞; NaN gives NaN. Its derivative is [`sigmoid`](super::sigmoid).
#[inline(always)]
#[must_use]
pub fn log1p_exp(x: f64) -> f64 {
    let positive_part = if x > 0.0 { x } else { 0.0 };
    positive_part + ln_1p_unit(exp(-x.abs()))
}

/// ln(eᵃ + eᵇ), for any a and b, also where both powers overflow or vanish.
///
/// The absolute error is at most 2 ulp of the larger of |a|, |b| and ln 2. −∞ (a probability of zero) is legal in
/// either place or both; NaN gives NaN.
#[inline(always)]
#[must_use]
pub fn log_add_exp(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    let sum = high + ln_1p_unit(exp(low - high));
    // ∞ − ∞ above is NaN where the sum is not: both arguments −∞, or both +∞.
    if high.is_infinite() & !low.is_nan() { high } else { sum }
}

/// ln Σ exp(tᵢ), summed in the order given; −∞ for no terms or only terms of −∞; any NaN gives NaN.
///
/// For the few terms of one mixture; a gradient over many points is a [`Kernel`](super::Kernel) of its own.
#[inline(always)]
#[must_use]
pub fn log_sum_exp(terms: &[f64]) -> f64 {
    let mut high = f64::NEG_INFINITY;
    for &term in terms {
        high = if term > high { term } else { high };
    }
    // With every term −∞, or one of them +∞, shifting by the largest would give ∞ − ∞.
    let shift = if high.is_infinite() { 0.0 } else { high };
    let mut sum = 0.0;
    for &term in terms {
        sum += exp(term - shift);
    }
    shift + ln(sum)
}
