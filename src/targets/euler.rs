//! Euler steps θ ← fold(θ + α ĝ(θ) + e) in chunks, taken by the target itself, without calls between steps.
//!
//! The displacements e, random or not, are an input; so Langevin dynamics and gradient ascent need nothing else of a
//! target. The chains of a group take all steps before the next group starts, and their positions stay in registers.

use super::coordinates::Coordinates;
use super::lanewise::{Lanewise, POINTS, Place};
use crate::math::kernels::{Kernel, Simd};

/// Number of lanes of a group too small for [`POINTS`].
const FEW: usize = 4;

/// Number of chains whose gradients are on the stack at a time.
const BLOCK: usize = 128;

/// Consecutive steps of some chains: all inputs except the gradient.
#[derive(Debug)]
pub struct EulerSteps<'a> {
    /// The instruction set; it changes the speed and no result.
    pub simd: Simd,
    /// The coordinates, which fold chains back into the support.
    pub coordinates: Coordinates,
    /// Step size α of every step.
    pub step_sizes: &'a [f64],
    /// First coordinates of the chains: before the steps, and on return after them.
    pub x: &'a mut [f64],
    /// Second coordinates.
    pub y: &'a mut [f64],
    /// First coordinates of the displacements e, chain `c` in step `k` at `k · chains + c`; on return of the positions
    /// after that step.
    pub path_x: &'a mut [f64],
    /// Second coordinates, in the same layout.
    pub path_y: &'a mut [f64],
}

impl EulerSteps<'_> {
    /// Takes the steps in a field that is evaluated in lanes.
    pub(super) fn through<F: Lanewise>(self, field: F) {
        let Self { simd, step_sizes, x, y, path_x, path_y, .. } = self;
        simd.dispatch(Walk { field, step_sizes, x, y, path_x, path_y });
    }

    /// Takes the steps with gradients from `gradients`, which gets the place of some chains, their coordinates, and
    /// buffers for as many gradients.
    pub(super) fn by(self, mut gradients: impl FnMut(Place, &[f64], &[f64], &mut [f64], &mut [f64])) {
        let chains = self.x.len();
        let (mut gx, mut gy) = ([0.0; BLOCK], [0.0; BLOCK]);
        for (block, (x, y)) in self.x.chunks_mut(BLOCK).zip(self.y.chunks_mut(BLOCK)).enumerate() {
            let (gx, gy) = (&mut gx[..x.len()], &mut gy[..x.len()]);
            for (step, alpha) in self.step_sizes.iter().enumerate() {
                gradients(Place { step, chain: block * BLOCK }, x, y, gx, gy);
                let first = step * chains + block * BLOCK;
                let row = first..first + x.len();
                let (path_x, path_y) = (&mut self.path_x[row.clone()], &mut self.path_y[row]);
                moved(x, *alpha, gx, path_x);
                moved(y, *alpha, gy, path_y);
                self.coordinates.fold_all(x, y);
                path_x.copy_from_slice(x);
                path_y.copy_from_slice(y);
            }
        }
    }
}

/// Moves one coordinate of chains by α ĝ + e.
fn moved(places: &mut [f64], alpha: f64, gradients: &[f64], displacements: &[f64]) {
    for ((place, gradient), displacement) in places.iter_mut().zip(gradients).zip(displacements) {
        *place += alpha * gradient + displacement;
    }
}

struct Walk<'a, F> {
    field: F,
    step_sizes: &'a [f64],
    x: &'a mut [f64],
    y: &'a mut [f64],
    path_x: &'a mut [f64],
    path_y: &'a mut [f64],
}

impl<F: Lanewise> Kernel for Walk<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { field, step_sizes, x, y, path_x, path_y } = self;
        let chains = x.len();
        let whole = chains - chains % POINTS;
        for first in (0..whole).step_by(POINTS) {
            walk::<POINTS, F>(&field, step_sizes, (x, y), (path_x, path_y), first, POINTS);
        }
        match chains - whole {
            0 => {}
            1 => walk::<1, F>(&field, step_sizes, (x, y), (path_x, path_y), whole, 1),
            few if few <= FEW => walk::<FEW, F>(&field, step_sizes, (x, y), (path_x, path_y), whole, few),
            many => walk::<POINTS, F>(&field, step_sizes, (x, y), (path_x, path_y), whole, many),
        }
    }
}

/// All steps of the `used` ≤ `L` chains from number `first` on; unused lanes repeat the first of them.
#[inline(always)]
fn walk<const L: usize, F: Lanewise>(
    field: &F,
    step_sizes: &[f64],
    (x, y): (&mut [f64], &mut [f64]),
    (path_x, path_y): (&mut [f64], &mut [f64]),
    first: usize,
    used: usize,
) {
    let chains = x.len();
    let lanes = first..first + used;
    let (mut at_x, mut at_y) = ([x[first]; L], [y[first]; L]);
    at_x[..used].copy_from_slice(&x[lanes.clone()]);
    at_y[..used].copy_from_slice(&y[lanes.clone()]);
    let rows = path_x.chunks_exact_mut(chains).zip(path_y.chunks_exact_mut(chains));
    for (step, (alpha, (row_x, row_y))) in step_sizes.iter().zip(rows).enumerate() {
        let (row_x, row_y) = (&mut row_x[lanes.clone()], &mut row_y[lanes.clone()]);
        let (mut by_x, mut by_y) = ([0.0; L], [0.0; L]);
        by_x[..used].copy_from_slice(row_x);
        by_y[..used].copy_from_slice(row_y);
        let (gx, gy) = field.at(Place { step, chain: first }, &at_x, &at_y);
        for i in 0..L {
            by_x[i] = at_x[i] + (alpha * gx[i] + by_x[i]);
            by_y[i] = at_y[i] + (alpha * gy[i] + by_y[i]);
        }
        (at_x, at_y) = field.confined(by_x, by_y);
        row_x.copy_from_slice(&at_x[..used]);
        row_y.copy_from_slice(&at_y[..used]);
    }
    x[lanes.clone()].copy_from_slice(&at_x[..used]);
    y[lanes].copy_from_slice(&at_y[..used]);
}
