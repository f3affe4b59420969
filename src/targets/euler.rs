//! Euler steps θ ← fold(θ + α ĝ(θ) + e) in chunks, taken by the target itself, without calls between steps.
//!
//! The displacements e, random or not, are an input; so Langevin dynamics and gradient ascent need nothing else of a
//! target. The chains of a group take all steps before the next group starts, and their positions stay in registers.

use super::coordinates::Coordinates;
use super::lanewise::{Lanewise, POINTS, Place};
use crate::formula::AT_ONCE;
use crate::math::kernels::{Kernel, Simd};

/// Number of lanes of a group too small for [`POINTS`].
const FEW: usize = 4;

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
        let (mut gx, mut gy) = ([0.0; AT_ONCE], [0.0; AT_ONCE]);
        for (block, (x, y)) in self.x.chunks_mut(AT_ONCE).zip(self.y.chunks_mut(AT_ONCE)).enumerate() {
            let (gx, gy) = (&mut gx[..x.len()], &mut gy[..x.len()]);
            for (step, alpha) in self.step_sizes.iter().enumerate() {
                gradients(Place { step, chain: block * AT_ONCE }, x, y, gx, gy);
                let first = step * chains + block * AT_ONCE;
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
        if whole > POINTS {
            walk_together(&field, step_sizes, (&mut x[..whole], &mut y[..whole]), (path_x, path_y), chains);
        } else if whole > 0 {
            walk::<POINTS, F>(&field, step_sizes, (x, y), (path_x, path_y), 0, POINTS);
        }
        match chains - whole {
            0 => {}
            1 => walk::<1, F>(&field, step_sizes, (x, y), (path_x, path_y), whole, 1),
            few if few <= FEW => walk::<FEW, F>(&field, step_sizes, (x, y), (path_x, path_y), whole, few),
            many => walk::<POINTS, F>(&field, step_sizes, (x, y), (path_x, path_y), whole, many),
        }
    }
}

/// All steps of several whole groups of chains, the first of all `chains`. All take a step before any takes the next: what one group
/// waits for hides behind the work of the others.
#[inline(always)]
fn walk_together<F: Lanewise>(
    field: &F,
    step_sizes: &[f64],
    (x, y): (&mut [f64], &mut [f64]),
    (path_x, path_y): (&mut [f64], &mut [f64]),
    chains: usize,
) {
    let ((x, _), (y, _)) = (x.as_chunks_mut::<POINTS>(), y.as_chunks_mut::<POINTS>());
    let rows = path_x.chunks_exact_mut(chains).zip(path_y.chunks_exact_mut(chains));
    for (step, (alpha, (row_x, row_y))) in step_sizes.iter().zip(rows).enumerate() {
        let ((row_x, _), (row_y, _)) = (row_x.as_chunks_mut::<POINTS>(), row_y.as_chunks_mut::<POINTS>());
        let groups = x.iter_mut().zip(&mut *y).zip(row_x.iter_mut().zip(row_y));
        for (group, ((x, y), (row_x, row_y))) in groups.enumerate() {
            (*x, *y) = moved_once(field, Place { step, chain: group * POINTS }, *alpha, (x, y), (row_x, row_y));
            (*row_x, *row_y) = (*x, *y);
        }
    }
}

/// Where chains are after a step with these displacements.
#[inline(always)]
fn moved_once<const L: usize, F: Lanewise>(
    field: &F,
    place: Place,
    alpha: f64,
    (at_x, at_y): (&[f64; L], &[f64; L]),
    (by_x, by_y): (&[f64; L], &[f64; L]),
) -> ([f64; L], [f64; L]) {
    let (gx, gy) = field.at(place, at_x, at_y);
    let (mut to_x, mut to_y) = ([0.0; L], [0.0; L]);
    for i in 0..L {
        to_x[i] = at_x[i] + (alpha * gx[i] + by_x[i]);
        to_y[i] = at_y[i] + (alpha * gy[i] + by_y[i]);
    }
    field.confined(to_x, to_y)
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
        (at_x, at_y) = moved_once(field, Place { step, chain: first }, *alpha, (&at_x, &at_y), (&by_x, &by_y));
        row_x.copy_from_slice(&at_x[..used]);
        row_y.copy_from_slice(&at_y[..used]);
    }
    x[lanes.clone()].copy_from_slice(&at_x[..used]);
    y[lanes].copy_from_slice(&at_y[..used]);
}
