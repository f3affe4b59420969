//! Vector fields in lanes: a gradient evaluated at several points side by side, in vector instructions.
//!
//! Loops over many points or data are written over short arrays of numbers that do not depend on each other. Compilers
//! turn such loops into vector instructions without changing a bit.

use base::math::elementary::Kernel;

/// Number of data whose terms are summed side by side. It is part of the definition of a sum over data: another number
/// changes its rounding.
pub(in crate::targets) const LANES: usize = 16;

/// Number of points whose fields are evaluated side by side. Chosen by measurement: more need too many registers.
pub(in crate::targets) const POINTS: usize = 8;

/// A vector field evaluated at `L` points side by side, each with the same operations in the same order for every `L`.
/// So the bits at one point do not depend on the other points.
pub(in crate::targets) trait Lanewise {
    /// The values at (`x[i]`, `y[i]`), the positions of the chains from `first.chain` on in step `first.step` of a chunk,
    /// for fields that differ between steps and chains; must be inlined.
    fn at<const L: usize>(&self, first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]);

    /// Whether [`shortcut`](Self::shortcut) is one, and holds at most points.
    const HAS_SHORTCUT: bool = false;

    /// The values at a point for less, and whether they have the bits of [`at`](Self::at): of fields that are the same in all steps
    /// and for all chains. Must be inlined.
    #[inline(always)]
    fn shortcut(&self, x: f64, y: f64) -> (f64, f64, bool) {
        let ([gx], [gy]) = self.at(FirstLane::default(), &[x], &[y]);
        (gx, gy, true)
    }

    /// Points after a step, moved back to where the field is defined; must be inlined.
    #[inline(always)]
    fn confined<const L: usize>(&self, x: [f64; L], y: [f64; L]) -> ([f64; L], [f64; L]) {
        (x, y)
    }
}

/// Where a field is evaluated, of those that differ between steps and chains.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::targets) struct FirstLane {
    /// The number of the step within its chunk.
    pub(in crate::targets) step: usize,
    /// The number of the first chain.
    pub(in crate::targets) chain: usize,
}

/// Smallest number of remaining points for which a block is filled up with repetitions.
const WORTH_A_BLOCK: usize = 4;

/// A [`Lanewise`] function over slices of one length.
pub(in crate::targets) struct LanewiseSweep<'a, F> {
    /// The function.
    pub(in crate::targets) function: F,
    /// First coordinates of the points.
    pub(in crate::targets) x: &'a [f64],
    /// Second coordinates.
    pub(in crate::targets) y: &'a [f64],
    /// First values.
    pub(in crate::targets) gx: &'a mut [f64],
    /// Second values.
    pub(in crate::targets) gy: &'a mut [f64],
}

impl<F: Lanewise> Kernel for LanewiseSweep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (x, x_rest) = self.x.as_chunks::<POINTS>();
        let (y, y_rest) = self.y.as_chunks::<POINTS>();
        let (gx, gx_rest) = self.gx.as_chunks_mut::<POINTS>();
        let (gy, gy_rest) = self.gy.as_chunks_mut::<POINTS>();
        let whole = x.len() * POINTS;
        let chain = (0..).step_by(POINTS);
        for ((((x, y), gx), gy), chain) in x.iter().zip(y).zip(gx).zip(gy).zip(chain) {
            (*gx, *gy) = self.function.at(FirstLane { step: 0, chain }, x, y);
        }
        if x_rest.len() >= WORTH_A_BLOCK {
            let (mut x, mut y) = ([x_rest[0]; POINTS], [y_rest[0]; POINTS]);
            x[..x_rest.len()].copy_from_slice(x_rest);
            y[..y_rest.len()].copy_from_slice(y_rest);
            let (gx, gy) = self.function.at(FirstLane { step: 0, chain: whole }, &x, &y);
            gx_rest.copy_from_slice(&gx[..gx_rest.len()]);
            gy_rest.copy_from_slice(&gy[..gy_rest.len()]);
            return;
        }
        for ((((x, y), gx), gy), chain) in x_rest.iter().zip(y_rest).zip(gx_rest).zip(gy_rest).zip(whole..) {
            ([*gx], [*gy]) = self.function.at(FirstLane { step: 0, chain }, &[*x], &[*y]);
        }
    }
}

/// `x`, or 0 where it is positive; NaN stays NaN.
#[inline(always)]
pub(in crate::targets) fn non_positive(x: f64) -> f64 {
    if x > 0.0 { 0.0 } else { x }
}

/// `x`, or the largest finite number of its sign if `x` is infinite; NaN stays NaN.
#[inline(always)]
pub(in crate::targets) fn saturated(x: f64) -> f64 {
    let above = if x > f64::MAX { f64::MAX } else { x };
    if above < f64::MIN { f64::MIN } else { above }
}
