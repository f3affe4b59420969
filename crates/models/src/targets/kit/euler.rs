//! Euler steps θ ← fold(θ + α ĝ(θ) + e) in chunks, taken by the target itself, without calls between steps.
//!
//! The displacements e, random or not, are an input; so Langevin dynamics and gradient ascent need nothing else of a
//! target.

use super::lanewise::{FirstLane, Lanewise, POINTS};
use super::transforms::Coordinates;
use crate::formula::AT_ONCE;
use base::math::elementary::{Kernel, Simd};

/// Number of lanes of a group too small for [`POINTS`].
const FEW: usize = 4;

/// Chains among which those are looked for at which a shortcut does not hold: enough for a group of them, and at most as many as a
/// number has bits. The second is for what the first leaves.
const MANY: [usize; 2] = [128, 64];

/// Consecutive steps of some chains: all inputs except the gradient.
#[derive(Debug)]
pub struct EulerSteps<'a> {
    /// The instruction set; it changes the speed and no result.
    pub simd: Simd,
    /// The coordinates, which fold chains back into the support.
    pub coordinates: Coordinates,
    /// Step size α of every step.
    pub step_sizes: &'a [f64],
    /// The displacements e in the two coordinates.
    pub displacements: [Displacements<'a>; 2],
    /// First coordinates of the chains: before the steps, and on return after them.
    pub x: &'a mut [f64],
    /// Second coordinates.
    pub y: &'a mut [f64],
    /// First coordinates of the positions after every step, on return: chain `c` after step `k` at `k · chains + c`.
    pub path_x: &'a mut [f64],
    /// Second coordinates, in the same layout.
    pub path_y: &'a mut [f64],
}

/// Displacements in one coordinate: a number of every chain in every step, times the scale of the step.
#[derive(Clone, Copy, Debug)]
pub struct Displacements<'a> {
    /// One per step.
    pub scales: &'a [f64],
    /// Chain `c` in step `k` at `k · chains + c`.
    pub numbers: &'a [f64],
}

impl<'a> Displacements<'a> {
    /// The scale and the numbers of every step.
    #[inline(always)]
    fn rows(self, chains: usize) -> impl Iterator<Item = (f64, &'a [f64])> {
        self.scales.iter().copied().zip(self.numbers.chunks_exact(chains))
    }
}

impl EulerSteps<'_> {
    /// Takes the steps in a field that is evaluated in lanes.
    pub(in crate::targets) fn through<F: Lanewise>(self, field: F) {
        let Self { simd, step_sizes, displacements, x, y, path_x, path_y, .. } = self;
        simd.dispatch(Walk { field, step_sizes, displacements, x, y, path_x, path_y });
    }

    /// Takes the steps with gradients from `gradients`, which gets the step and the first of some chains, their coordinates, and
    /// buffers for as many gradients.
    pub(in crate::targets) fn by(self, mut gradients: impl FnMut(FirstLane, &[f64], &[f64], &mut [f64], &mut [f64])) {
        let chains = self.x.len();
        let (mut gx, mut gy) = ([0.0; AT_ONCE], [0.0; AT_ONCE]);
        for (block, (x, y)) in self.x.chunks_mut(AT_ONCE).zip(self.y.chunks_mut(AT_ONCE)).enumerate() {
            let (gx, gy) = (&mut gx[..x.len()], &mut gy[..x.len()]);
            for (step, alpha) in self.step_sizes.iter().enumerate() {
                gradients(FirstLane { step, chain: block * AT_ONCE }, x, y, gx, gy);
                let first = step * chains + block * AT_ONCE;
                let row = first..first + x.len();
                let [by_x, by_y] = self.displacements.map(|by| (by.scales[step], &by.numbers[row.clone()]));
                moved(x, *alpha, gx, by_x);
                moved(y, *alpha, gy, by_y);
                self.coordinates.fold_all(x, y);
                self.path_x[row.clone()].copy_from_slice(x);
                self.path_y[row].copy_from_slice(y);
            }
        }
    }
}

/// Moves one coordinate of chains by α ĝ + e.
fn moved(positions: &mut [f64], alpha: f64, gradients: &[f64], (scale, numbers): (f64, &[f64])) {
    for ((position, gradient), number) in positions.iter_mut().zip(gradients).zip(numbers) {
        *position += alpha * gradient + scale * number;
    }
}

struct Walk<'a, F> {
    field: F,
    step_sizes: &'a [f64],
    displacements: [Displacements<'a>; 2],
    x: &'a mut [f64],
    y: &'a mut [f64],
    path_x: &'a mut [f64],
    path_y: &'a mut [f64],
}

impl<F: Lanewise> Kernel for Walk<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let chains = self.x.len();
        let whole = chains - chains % POINTS;
        if whole > POINTS {
            self.together(whole);
        } else if whole > 0 {
            self.one_group::<POINTS>(0, POINTS);
        }
        match chains - whole {
            0 => {}
            1 => self.one_group::<1>(whole, 1),
            // The most usual number of all: lengths that are known are copied without a call.
            FEW => self.one_group::<FEW>(whole, FEW),
            few if few < FEW => self.one_group::<FEW>(whole, few),
            many => self.one_group::<POINTS>(whole, many),
        }
    }
}

impl<F: Lanewise> Walk<'_, F> {
    /// All steps of the first `whole` chains, several whole groups. All take a step before any takes the next: what one group waits
    /// for hides behind the work of the others.
    #[inline(always)]
    fn together(&mut self, whole: usize) {
        let Self { field, step_sizes, displacements: [by_x, by_y], x, y, path_x, path_y } = self;
        let chains = x.len();
        let (x, y) = (&mut x[..whole], &mut y[..whole]);
        let (mut from_x, mut from_y) = (&*x, &*y);
        let rows = path_x.chunks_exact_mut(chains).zip(path_y.chunks_exact_mut(chains));
        let numbers = by_x.rows(chains).zip(by_y.rows(chains));
        for (step, ((alpha, numbers), (to_x, to_y))) in step_sizes.iter().zip(numbers).zip(rows).enumerate() {
            let ((scale_x, by_x), (scale_y, by_y)) = numbers;
            let push = Push { alpha: *alpha, scales: [scale_x, scale_y] };
            let (to_x, to_y) = (&mut to_x[..whole], &mut to_y[..whole]);
            step_together(field, step, push, (from_x, from_y), (by_x, by_y), (to_x, to_y));
            (from_x, from_y) = (to_x, to_y);
        }
        if let Some(last) = step_sizes.len().checked_sub(1) {
            x.copy_from_slice(&path_x[last * chains..][..whole]);
            y.copy_from_slice(&path_y[last * chains..][..whole]);
        }
    }

    /// All steps of the `used` ≤ `L` chains from number `first` on, which stay in registers; unused lanes repeat the first of them.
    #[inline(always)]
    fn one_group<const L: usize>(&mut self, first: usize, used: usize) {
        let Self { field, step_sizes, displacements: [by_x, by_y], x, y, path_x, path_y } = self;
        let chains = x.len();
        let lanes = first..first + used;
        let (mut at_x, mut at_y) = ([x[first]; L], [y[first]; L]);
        at_x[..used].copy_from_slice(&x[lanes.clone()]);
        at_y[..used].copy_from_slice(&y[lanes.clone()]);
        let rows = path_x.chunks_exact_mut(chains).zip(path_y.chunks_exact_mut(chains));
        let numbers = by_x.rows(chains).zip(by_y.rows(chains));
        for (step, ((alpha, numbers), (row_x, row_y))) in step_sizes.iter().zip(numbers).zip(rows).enumerate() {
            let ((scale_x, all_x), (scale_y, all_y)) = numbers;
            let push = Push { alpha: *alpha, scales: [scale_x, scale_y] };
            let (mut by_x, mut by_y) = ([0.0; L], [0.0; L]);
            by_x[..used].copy_from_slice(&all_x[lanes.clone()]);
            by_y[..used].copy_from_slice(&all_y[lanes.clone()]);
            let gradients = field.at(FirstLane { step, chain: first }, &at_x, &at_y);
            (at_x, at_y) = push.moved(field, (&at_x, &at_y), gradients, (&by_x, &by_y));
            row_x[lanes.clone()].copy_from_slice(&at_x[..used]);
            row_y[lanes.clone()].copy_from_slice(&at_y[..used]);
        }
        x[lanes.clone()].copy_from_slice(&at_x[..used]);
        y[lanes].copy_from_slice(&at_y[..used]);
    }
}

/// Both coordinates of `L` chains.
type Chains<'a, const L: usize> = (&'a [f64; L], &'a [f64; L]);

/// Both coordinates of `L` chains, to be written.
type ChainsMut<'a, const L: usize> = (&'a mut [f64; L], &'a mut [f64; L]);

/// Groups of `L` chains, as many as there are.
#[inline(always)]
fn groups<'a, const L: usize>((x, y): (&'a [f64], &'a [f64])) -> impl Iterator<Item = Chains<'a, L>> {
    x.as_chunks().0.iter().zip(y.as_chunks().0)
}

/// The same, to be written.
#[inline(always)]
fn groups_mut<'a, const L: usize>((x, y): (&'a mut [f64], &'a mut [f64])) -> impl Iterator<Item = ChainsMut<'a, L>> {
    x.as_chunks_mut().0.iter_mut().zip(y.as_chunks_mut().0)
}

/// One step of whole groups of chains: as many as possible by the shortcut of the field, then the others.
#[inline(always)]
fn step_together<F: Lanewise>(
    field: &F,
    step: usize,
    push: Push,
    from: (&[f64], &[f64]),
    by: (&[f64], &[f64]),
    (to_x, to_y): (&mut [f64], &mut [f64]),
) {
    let mut done = 0;
    if F::HAS_SHORTCUT {
        done += step_by_shortcut::<{ MANY[0] }, F>(field, push, from, by, (to_x, to_y));
        let to = (&mut to_x[done..], &mut to_y[done..]);
        done += step_by_shortcut::<{ MANY[1] }, F>(field, push, after(done, from), after(done, by), to);
    }
    let (from, by) = (groups(after(done, from)), groups(after(done, by)));
    let to = groups_mut((&mut to_x[done..], &mut to_y[done..]));
    for (((from, by), to), chain) in from.zip(by).zip(to).zip((done..).step_by(POINTS)) {
        let gradients = field.at::<POINTS>(FirstLane { step, chain }, from.0, from.1);
        (*to.0, *to.1) = push.moved(field, from, gradients, by);
    }
}

/// All chains after the first ones.
#[inline(always)]
fn after<'a>(count: usize, (x, y): (&'a [f64], &'a [f64])) -> (&'a [f64], &'a [f64]) {
    (&x[count..], &y[count..])
}

/// One step of as many parts of `L` chains as there are, by the shortcut of the field. Returns how many chains these are.
///
/// Chains for which the shortcut does not hold are moved again, several side by side: a branch for each group would be taken too often to be
/// foreseen, and too rarely to pay.
#[inline(always)]
fn step_by_shortcut<const L: usize, F: Lanewise>(
    field: &F,
    push: Push,
    from: (&[f64], &[f64]),
    by: (&[f64], &[f64]),
    to: (&mut [f64], &mut [f64]),
) -> usize {
    let count = from.0.len() - from.0.len() % L;
    for ((from, by), (to_x, to_y)) in groups::<L>(from).zip(groups::<L>(by)).zip(groups_mut::<L>(to)) {
        let mut others = [0; L];
        for (i, other) in others.iter_mut().enumerate() {
            let (gx, gy, holds) = field.shortcut(from.0[i], from.1[i]);
            *other = u8::from(!holds);
            let (from, by) = ((&[from.0[i]], &[from.1[i]]), (&[by.0[i]], &[by.1[i]]));
            ([to_x[i]], [to_y[i]]) = push.moved(field, from, ([gx], [gy]), by);
        }
        let mut left = bits_of(&others);
        while left != 0 {
            // Where none is left, chain 0 fills up the group: it is moved to where it is.
            let chains: [usize; POINTS] = std::array::from_fn(|_| {
                let chain = left.trailing_zeros() as usize % L;
                left &= left.wrapping_sub(1);
                chain
            });
            let some = |(x, y): Chains<'_, L>| (chains.map(|chain| x[chain]), chains.map(|chain| y[chain]));
            let ((from_x, from_y), (by_x, by_y)) = (some(from), some(by));
            let gradients = field.at::<POINTS>(FirstLane::default(), &from_x, &from_y);
            let (x, y) = push.moved(field, (&from_x, &from_y), gradients, (&by_x, &by_y));
            for (i, chain) in chains.into_iter().enumerate() {
                (to_x[chain], to_y[chain]) = (x[i], y[i]);
            }
        }
    }
    count
}

/// A number whose bits are these bytes of 0 and 1, the lowest first.
#[inline(always)]
fn bits_of<const L: usize>(bytes: &[u8; L]) -> u128 {
    // The product has byte i of eight at bit 56 + i; nothing is carried there.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let gathered = |eight: &[u8; 8]| u128::from(u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56);
    bytes.as_chunks().0.iter().zip((0..).step_by(8)).fold(0, |bits, (eight, shift)| bits | gathered(eight) << shift)
}

/// What moves chains in a step, besides numbers of their own.
#[derive(Clone, Copy)]
struct Push {
    /// The step size.
    alpha: f64,
    /// The scale of the displacements in each coordinate.
    scales: [f64; 2],
}

impl Push {
    /// Where chains are after the step, with their gradients and the numbers of their displacements.
    #[inline(always)]
    fn moved<const L: usize, F: Lanewise>(
        self,
        field: &F,
        from: Chains<'_, L>,
        gradients: ([f64; L], [f64; L]),
        by: Chains<'_, L>,
    ) -> ([f64; L], [f64; L]) {
        let Self { alpha, scales } = self;
        let (mut to_x, mut to_y) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            to_x[i] = from.0[i] + (alpha * gradients.0[i] + scales[0] * by.0[i]);
            to_y[i] = from.1[i] + (alpha * gradients.1[i] + scales[1] * by.1[i]);
        }
        field.confined(to_x, to_y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_gathered_in_order() {
        for bits in [0, 1, 1 << 127, u128::MAX, 0x8000_0001_0180_0000_0123_4567_89ab_cdef] {
            let bytes: [u8; 128] = std::array::from_fn(|i| u8::from(bits >> i & 1 == 1));
            assert_eq!(bits_of(&bytes), bits);
        }
    }
}
