//! The exponential, the logistic function and the hyperbolic tangent.
//!
//! eˣ = 2ᵏ·eʳ with k = round(x / ln 2) and r = x − k ln 2, the reduction in two parts after W. J. Cody & W. Waite,
//! *Software Manual for the Elementary Functions* (1980), and eʳ = 1 + r + r²·q(r) on |r| ≤ ½ ln 2.

use super::{LN_2_HIGH, LN_2_LOW, MANTISSA_BITS, ROUNDING_SHIFT};

/// Above this eˣ overflows; clamping here keeps the exponent arithmetic in range.
const OVERFLOW: f64 = 710.0;

/// Below this eˣ rounds to zero (half the smallest subnormal is e^−745.13).
const UNDERFLOW: f64 = -746.0;

/// Lower limit of [`exp_share`]: all its terms that matter are normal numbers.
const SMALLEST_SHARE: f64 = -600.0;

/// From here on tanh x rounds to 1.
const TANH_IS_ONE: f64 = 20.0;

/// The exponent bias of `f64`.
const BIAS: u64 = 1023;

/// Twice the bias, shared out between the two scale factors.
const TWO_BIASES: u64 = 2 * BIAS;

/// q(r) = (eʳ − 1 − r) / r², lowest power first; relative error of eʳ below 2⁻⁵⁵.
const Q: [f64; 10] = [
    0.500_000_000_000_000_1,
    0.166_666_666_666_666_69,
    0.041_666_666_666_624_13,
    0.008_333_333_333_330_062,
    0.001_388_888_891_721_371_7,
    0.000_198_412_698_630_536_18,
    2.480_152_129_595_437_6e-5,
    2.755_726_845_999_706_4e-6,
    2.762_008_844_540_974_6e-7,
    2.510_038_549_551_032e-8,
];

/// eˣ, for any x; error at most 1 ulp for normal results (largest seen: 0.92 ulp).
///
/// +∞ above 709.78, subnormal below −708.39, 0 below −745.13 and at −∞; NaN gives NaN.
#[inline(always)]
#[must_use]
pub fn exp(x: f64) -> f64 {
    let x = if x > OVERFLOW { OVERFLOW } else { x };
    let x = if x < UNDERFLOW { UNDERFLOW } else { x };
    let (mantissa, shifted) = reduced(x);
    // 2ᵏ itself may be out of range where eˣ is not (results near overflow, subnormal results), so it is applied as
    // two factors; only the last multiplication can round.
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING_SHIFT.to_bits()).wrapping_add(TWO_BIASES);
    let half = exponent >> 1;
    let rest = exponent.wrapping_sub(half);
    mantissa * f64::from_bits(half << MANTISSA_BITS) * f64::from_bits(rest << MANTISSA_BITS)
}

/// eˣ for x ≤ 0 (larger x are not checked), with the bits of [`exp`] down to x = −600; below it stays at e^−600 ≈
/// 3·10⁻²⁶¹. NaN gives NaN.
///
/// For shares of a sum with another term of 1, where smaller numbers have no effect; the lack of subnormal results
/// saves a quarter of the time.
#[inline(always)]
#[must_use]
pub fn exp_share(x: f64) -> f64 {
    let x = if x < SMALLEST_SHARE { SMALLEST_SHARE } else { x };
    let (mantissa, shifted) = reduced(x);
    mantissa * f64::from_bits(shifted.to_bits().wrapping_add(BIAS) << MANTISSA_BITS)
}

/// The same bits sooner, with more operations: for a single chain, whose next step waits for them. `binary` is x · log₂ e up to
/// rounding, known as soon as x is.
#[inline(always)]
#[must_use]
pub fn exp_share_soon(x: f64, binary: f64) -> f64 {
    let shifted = binary + ROUNDING_SHIFT;
    // Processors take it for granted that this does not happen, and do not wait for the answer.
    if x < SMALLEST_SHARE || shifted.to_bits() != shifted_from(x).to_bits() {
        return exp_share_late(x);
    }
    let Reduced { high, low, r } = Reduced::new(x, shifted);
    // Multiplication by a power of 2 is exact, and is done while r² q(r) is computed.
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(BIAS) << MANTISSA_BITS);
    let r2 = r * r;
    scale + (high * scale + ((r2 * scale) * q(r, r2) - low * scale))
}

/// [`exp_share`] where it is rarely needed.
#[cold]
#[inline(never)]
fn exp_share_late(x: f64) -> f64 {
    exp_share(x)
}

/// eˣ as a number near 1, and the power of 2 it is to be multiplied by in the low bits of the other.
#[inline(always)]
fn reduced(x: f64) -> (f64, f64) {
    let (excess, shifted) = reduced_excess(x);
    (1.0 + excess, shifted)
}

/// As [`reduced`], with 1 subtracted from the first number, which keeps its digits where x is near 0.
#[inline(always)]
fn reduced_excess(x: f64) -> (f64, f64) {
    let shifted = shifted_from(x);
    let Reduced { high, low, r } = Reduced::new(x, shifted);
    let r2 = r * r;
    (high + (r2 * q(r, r2) - low), shifted)
}

/// k = round(x / ln 2) in the low bits.
#[inline(always)]
fn shifted_from(x: f64) -> f64 {
    x * std::f64::consts::LOG2_E + ROUNDING_SHIFT
}

/// x = k ln 2 + r.
struct Reduced {
    /// r = high − low, where high is exact; adding the two parts apart keeps the rounding of r out of the result.
    high: f64,
    low: f64,
    r: f64,
}

impl Reduced {
    /// With k in the low bits of `shifted`.
    #[inline(always)]
    fn new(x: f64, shifted: f64) -> Self {
        let k = shifted - ROUNDING_SHIFT;
        let high = x - k * LN_2_HIGH;
        let low = k * LN_2_LOW;
        Self { high, low, r: high - low }
    }
}

/// Estrin's scheme: pairs, then pairs of pairs, so that the additions need not wait for one another.
#[inline(always)]
fn q(r: f64, r2: f64) -> f64 {
    let r4 = r2 * r2;
    let low = (Q[0] + Q[1] * r) + (Q[2] + Q[3] * r) * r2;
    let middle = (Q[4] + Q[5] * r) + (Q[6] + Q[7] * r) * r2;
    let high = Q[8] + Q[9] * r;
    low + (middle + high * r4) * r4
}

/// The logistic function 1 / (1 + e^−x), for any x; error at most 3 ulp for normal results (largest seen: 2.2 ulp).
///
/// 0 at −∞ (without passing through 1/∞: results down to the smallest subnormal are kept), 1 at +∞; NaN gives NaN.
#[inline(always)]
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    let e = exp(-x.abs());
    let numerator = if x < 0.0 { e } else { 1.0 };
    numerator / (1.0 + e)
}

/// The hyperbolic tangent, for any x; error at most 3 ulp (largest seen: 2.2 ulp), odd to the last bit.
///
/// ±1 at ±∞; the sign of 0 is kept; NaN gives NaN. tanh |x| = m/(m + 2) with m = e^2|x| − 1 = 2ᵏ(eʳ − 1) + (2ᵏ − 1), where
/// eʳ − 1 comes from the exponential before 1 is added to it: small results keep their digits.
#[inline(always)]
#[must_use]
pub fn tanh(x: f64) -> f64 {
    let size = x.abs();
    let size = if size > TANH_IS_ONE { TANH_IS_ONE } else { size };
    let (excess, shifted) = reduced_excess(2.0 * size);
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(BIAS) << MANTISSA_BITS);
    let m = scale * excess + (scale - 1.0);
    (m / (m + 2.0)).copysign(x)
}
