//! The elementary functions all targets use: one place from which their bits come.
//!
//! Nothing here calls the platform's library, so a trajectory has the same bits on every machine. Loops
//! over many points or data are written over short arrays of [`LANES`] numbers that do not depend on
//! each other, which compilers turn into vector instructions without changing a bit.

use crate::math::Simd;

/// Numbers worked on side by side.
pub(super) const LANES: usize = 16;

pub(super) use crate::math::kernels::{Kernel, exp, ln, sigmoid};

/// Runs a kernel compiled for the widest vector instructions of this machine.
#[inline]
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    Simd::widest().dispatch(kernel)
}

/// A function of points that treats `L` of them side by side, each with the same operations in the same order
/// whatever L is; so the bits of one point do not depend on its company.
pub(super) trait Lanewise {
    /// The values at (`x[i]`, `y[i]`); must be inlined.
    fn at<const L: usize>(&self, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]);
}

/// Points left over from whole blocks that are worth a block filled up with repetitions.
const WORTH_A_BLOCK: usize = 4;

/// A [`Lanewise`] function over slices of one length.
pub(super) struct Sweep<'a, F> {
    /// The function.
    pub(super) function: F,
    /// First coordinates of the points.
    pub(super) x: &'a [f64],
    /// Second coordinates.
    pub(super) y: &'a [f64],
    /// First values.
    pub(super) gx: &'a mut [f64],
    /// Second values.
    pub(super) gy: &'a mut [f64],
}

impl<F: Lanewise> Kernel for Sweep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (x, x_rest) = self.x.as_chunks::<LANES>();
        let (y, y_rest) = self.y.as_chunks::<LANES>();
        let (gx, gx_rest) = self.gx.as_chunks_mut::<LANES>();
        let (gy, gy_rest) = self.gy.as_chunks_mut::<LANES>();
        for (((x, y), gx), gy) in x.iter().zip(y).zip(gx).zip(gy) {
            (*gx, *gy) = self.function.at(x, y);
        }
        if x_rest.len() >= WORTH_A_BLOCK {
            let (mut x, mut y) = ([x_rest[0]; LANES], [y_rest[0]; LANES]);
            x[..x_rest.len()].copy_from_slice(x_rest);
            y[..y_rest.len()].copy_from_slice(y_rest);
            let (gx, gy) = self.function.at(&x, &y);
            gx_rest.copy_from_slice(&gx[..gx_rest.len()]);
            gy_rest.copy_from_slice(&gy[..gy_rest.len()]);
            return;
        }
        for (((x, y), gx), gy) in x_rest.iter().zip(y_rest).zip(gx_rest).zip(gy_rest) {
            ([*gx], [*gy]) = self.function.at(&[*x], &[*y]);
        }
    }
}

/// `x`, or 0 where it is positive; NaN stays NaN.
#[inline(always)]
pub(super) fn non_positive(x: f64) -> f64 {
    if x > 0.0 { 0.0 } else { x }
}

/// ln Γ(x) for x > 0.
pub(super) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The standard normal distribution function.
pub(super) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}
