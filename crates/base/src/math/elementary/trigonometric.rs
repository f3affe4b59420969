//! Sine and cosine of a fraction of a turn.
//!
//! Angles counted in turns are reduced without any error: u − ¼ round(4u) is exact, and no digits of π are needed for
//! it. What remains, r in [−⅛, ⅛], goes through sin 2πr = 2πr + r³·s(r²) and cos 2πr = 1 + r²·c(r²).

use super::ROUNDING_SHIFT;
use super::number::Number;

/// 2π − [`std::f64::consts::TAU`], rounded.
const TAU_LOW: f64 = 2.449_293_598_294_706_4e-16;

/// s(z) = (sin 2πr − 2πr) / r³ in powers of z = r²; relative error of the sine below 2⁻⁵⁵.
const S: [f64; 6] = [
    -41.341_702_240_399_755,
    81.605_249_276_051_7,
    -76.705_859_735_620_93,
    42.058_689_180_885_12,
    -15.094_054_182_079_999,
    3.786_433_349_565_45,
];

/// c(z) = (cos 2πr − 1) / r² in powers of z = r²; relative error of the cosine below 2⁻⁵⁵.
const C: [f64; 7] = [
    -19.739_208_802_178_716,
    64.939_394_022_668_24,
    -85.456_817_206_643_8,
    60.244_641_352_702_01,
    -26.426_253_275_854_723,
    7.903_206_911_569_678,
    -1.699_034_394_066_063_7,
];

/// (sin 2πu, cos 2πu), for u in [0, 1); error of each at most 2 ulp (largest seen: 1.6 ulp), exact at quarter turns.
///
/// Holds for any |u| < 2⁴⁹; beyond that and for infinities the result is without meaning, NaN gives NaN. A sine of
/// zero may be −0.
#[inline(always)]
#[must_use]
pub fn sin_cos_2pi(u: f64) -> (f64, f64) {
    sin_cos_of_turns(u)
}

/// [`sin_cos_2pi`] of one number or two.
#[inline(always)]
pub(in crate::math) fn sin_cos_of_turns<N: Number>(u: N) -> (N, N) {
    let shifted = u * 4.0 + ROUNDING_SHIFT;
    let r = u - (shifted - ROUNDING_SHIFT) * 0.25;
    let z = r * r;
    let sine = r * std::f64::consts::TAU + r * (z * s(z) + TAU_LOW);
    let cosine = z * c(z) + 1.0;
    sine.map_with(cosine, shifted, turned)
}

/// Sine and cosine turned by the number of quarter turns, which sits modulo 4 in the two lowest bits of `shifted`.
#[inline(always)]
fn turned(sine: f64, cosine: f64, shifted: f64) -> (f64, f64) {
    // Odd: sine and cosine change places.
    // Second and third quarter: the sine changes sign; first and second: the cosine does.
    let quarter = shifted.to_bits();
    let odd = (quarter & 1).wrapping_neg();
    let difference = (sine.to_bits() ^ cosine.to_bits()) & odd;
    let sine_sign = (quarter & 2) << 62;
    let cosine_sign = (quarter.wrapping_add(1) & 2) << 62;
    (
        f64::from_bits(sine.to_bits() ^ difference ^ sine_sign),
        f64::from_bits(cosine.to_bits() ^ difference ^ cosine_sign),
    )
}

#[inline(always)]
fn s<N: Number>(z: N) -> N {
    let z2 = z * z;
    (z * S[1] + S[0]) + ((z * S[3] + S[2]) + (z * S[5] + S[4]) * z2) * z2
}

#[inline(always)]
fn c<N: Number>(z: N) -> N {
    let z2 = z * z;
    (z * C[1] + C[0]) + ((z * C[3] + C[2]) + ((z * C[5] + C[4]) + z2 * C[6]) * z2) * z2
}
