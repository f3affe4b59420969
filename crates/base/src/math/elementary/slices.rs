//! Elementary functions over whole slices, in place.

use super::{Kernel, Simd, exp, ln, log1p_exp, sigmoid, sin_cos_2pi, tanh};

/// Replaces every x by f(x).
struct Map<'a, F> {
    values: &'a mut [f64],
    function: F,
}

impl<F: Fn(f64) -> f64> Kernel for Map<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for value in self.values {
            *value = (self.function)(*value);
        }
    }
}

/// [`exp`] of every element, in place.
pub fn exp_slice(simd: Simd, values: &mut [f64]) {
    simd.dispatch(Map { values, function: exp });
}

/// [`ln`] of every element, in place.
pub fn ln_slice(simd: Simd, values: &mut [f64]) {
    simd.dispatch(Map { values, function: ln });
}

/// [`sigmoid`] of every element, in place.
pub fn sigmoid_slice(simd: Simd, values: &mut [f64]) {
    simd.dispatch(Map { values, function: sigmoid });
}

/// [`tanh`] of every element, in place.
pub fn tanh_slice(simd: Simd, values: &mut [f64]) {
    simd.dispatch(Map { values, function: tanh });
}

/// [`log1p_exp`] of every element, in place.
pub fn log1p_exp_slice(simd: Simd, values: &mut [f64]) {
    simd.dispatch(Map { values, function: log1p_exp });
}

/// [`sin_cos_2pi`] of every element: sines replace `turns`, cosines go to `cosines`.
///
/// The slices have to be of equal length; the rest of a longer one does not change.
pub fn sin_cos_2pi_slice(simd: Simd, turns: &mut [f64], cosines: &mut [f64]) {
    debug_assert_eq!(turns.len(), cosines.len(), "one cosine for each angle");
    simd.dispatch(SinCos { turns, cosines });
}

struct SinCos<'a> {
    turns: &'a mut [f64],
    cosines: &'a mut [f64],
}

impl Kernel for SinCos<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (turn, cosine) in self.turns.iter_mut().zip(self.cosines) {
            (*turn, *cosine) = sin_cos_2pi(*turn);
        }
    }
}
