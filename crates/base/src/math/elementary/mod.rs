//! Elementary functions with the same bits on every machine and at every vector width.
//!
//! A run is a function of its scenario, so nothing on a trajectory may call the platform's `exp` or `ln`: they differ
//! between systems and between versions of one system. These functions use only operations that IEEE 754 rounds
//! exactly (`+ − × ÷ √`), comparisons, and integer operations on the bits. Rust neither reorders such operations nor
//! fuses a multiplication with an addition, so a scalar call, four lanes of AVX2 and eight of AVX-512 agree in every
//! bit. (Which NaN comes out of an operation on NaN is not fixed by IEEE 754; only that it is one.)
//!
//! - [`exp`], [`sigmoid`], [`tanh`], [`ln`], [`log1p_exp`], [`log_add_exp`] and [`sin_cos_2pi`] are branch-free scalar
//!   functions that are always inlined, so that a loop over slices turns into vector code.
//! - [`Simd`] runs such a loop, wrapped as a [`Kernel`], compiled for the widest instruction set of this machine.
//! - [`exp_slice`] and its relatives are the ready-made loops.
//!
//! Coefficients were computed for this crate: interpolation in Chebyshev nodes with 60 digits, then rounded to `f64`.

mod exponential;
mod logarithm;
mod number;
mod simd;
mod slices;
mod trigonometric;

#[cfg(test)]
mod tests;

pub use exponential::{exp, exp_share, exp_share_soon, sigmoid, tanh};
pub(in crate::math) use logarithm::ln_of_normal;
pub use logarithm::{ln, log_add_exp, log_sum_exp, log1p_exp};
pub(in crate::math) use number::{Number, Two};
pub use simd::{InstructionSet, Kernel, Simd};
pub use slices::{exp_slice, ln_slice, log1p_exp_slice, sigmoid_slice, sin_cos_2pi_slice, tanh_slice};
pub use trigonometric::sin_cos_2pi;
pub(in crate::math) use trigonometric::sin_cos_of_turns;

/// ln 2 cut to 21 significant bits: its product with any exponent of an `f64` is exact (Cody & Waite 1980).
const LN_2_HIGH: f64 = 0.693_146_705_627_441_4;

/// ln 2 − [`LN_2_HIGH`], rounded.
const LN_2_LOW: f64 = 4.749_325_039_031_672_6e-7;

/// 1.5·2⁵². Added to a number below 2⁵¹ in size it leaves that number, rounded to an integer, in the low mantissa bits.
const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0;

/// Number of explicit mantissa bits of an `f64`.
const MANTISSA_BITS: u32 = 52;

/// The whole number nearest to `x`, halves going to the even one, for |x| < 2⁵¹; NaN gives NaN.
#[inline(always)]
#[must_use]
pub fn rounded(x: f64) -> f64 {
    (x + ROUNDING_SHIFT) - ROUNDING_SHIFT
}

/// A whole number from 0 to 2³² − 1 as an integer; other numbers give an integer without meaning.
#[inline(always)]
#[must_use]
pub fn whole_bits(x: f64) -> u32 {
    (x + ROUNDING_SHIFT).to_bits() as u32
}
