//! Rounding without branches and without the platform's instructions, so that vector code has it too.

use super::ROUNDING_SHIFT;

/// The whole number nearest to `x`, halves going to the even one, for |x| < 2⁵¹; NaN gives NaN.
#[inline(always)]
#[must_use]
pub fn rounded(x: f64) -> f64 {
    (x + ROUNDING_SHIFT) - ROUNDING_SHIFT
}

/// A whole number from 0 to 2³² − 1 as an integer; other numbers give an integer without meaning.
#[inline(always)]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the number is in the low bits")]
pub fn whole_bits(x: f64) -> u32 {
    (x + ROUNDING_SHIFT).to_bits() as u32
}
