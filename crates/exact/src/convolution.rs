//! Circular convolutions with even kernels, of a few rows at once, with the same bits on every machine.
//!
//! The transform is Stockham's, which sorts as it goes (Cochran et al. 1967, "What is the fast Fourier transform?", Proc. IEEE 55), with
//! factors 3, 4 and 2: lengths 2ᵃ, 3·2ᵃ and 9·2ᵃ. [`base::math::Fourier`] has whole powers of two, in which grids with padding do not fit well.
//!
//! An even kernel has a real response, so that one complex row carries two real ones. Two forward transforms in a row give the points in
//! reverse order, and no inverse is needed: (x ∗ k)(j) = n⁻¹ F(F(x)·F(k))(−j).

use base::math::Simd;
use base::math::elementary::{Kernel, sin_cos_2pi};

/// Equal points of R complex rows: real parts, then imaginary parts.
pub(crate) type Points<const R: usize> = [[f64; R]; 2];

/// (√3)/2.
const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// Convolutions of one length.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    /// exp(−2πi k/n) for k < n.
    roots: Vec<[f64; 2]>,
}

impl Convolution {
    /// The smallest length of the form 2ᵃ, 3·2ᵃ or 9·2ᵃ that is at least `length`, and at least 4.
    pub(crate) fn fitting(length: usize) -> usize {
        let power = length.max(4).next_power_of_two();
        if power < 16 {
            return power;
        }
        let fits = |candidate: &usize| *candidate >= length;
        [9 * (power / 16), 3 * (power / 4)].into_iter().find(fits).unwrap_or(power)
    }

    /// Of a length that [`fitting`](Self::fitting) gives.
    pub(crate) fn new(length: usize) -> Self {
        let length = Self::fitting(length);
        let root = |k: usize| {
            let (sine, cosine) = sin_cos_2pi(k as f64 / length as f64);
            [cosine, -sine]
        };
        Self { roots: (0..length).map(root).collect() }
    }

    /// n, the number of points.
    pub(crate) fn points(&self) -> usize {
        self.roots.len()
    }

    /// Convolves rows with the kernel of the given response, of n values with response(k) = response(n − k); `memory` is for n points.
    pub(crate) fn apply<const R: usize>(
        &self,
        response: &[f64],
        values: &mut [Points<R>],
        memory: &mut Vec<Points<R>>,
    ) {
        memory.resize(self.points(), [[0.0; R]; 2]);
        Simd::widest().dispatch(Filter { plan: self, response, values, memory });
    }

    /// The transform of rows in place.
    pub(crate) fn transform<const R: usize>(&self, values: &mut [Points<R>], memory: &mut Vec<Points<R>>) {
        memory.resize(self.points(), [[0.0; R]; 2]);
        Simd::widest().dispatch(Transform { plan: self, values, memory });
    }

    /// All stages; whether the result is in `memory`.
    #[inline(always)]
    fn stages<const R: usize>(&self, values: &mut [Points<R>], memory: &mut [Points<R>]) -> bool {
        let (mut from, mut to, mut moved) = (values, memory, false);
        let mut stride = 1;
        while stride < self.points() {
            let left = self.points() / stride;
            let radix = if left.is_multiple_of(3) {
                self.by_three(from, to, stride);
                3
            } else if left.is_multiple_of(4) {
                self.by_four(from, to, stride);
                4
            } else {
                self.by_two(from, to, stride);
                2
            };
            std::mem::swap(&mut from, &mut to);
            moved = !moved;
            stride *= radix;
        }
        moved
    }

    #[inline(always)]
    fn by_two<const R: usize>(&self, from: &[Points<R>], to: &mut [Points<R>], stride: usize) {
        let (low, high) = from.split_at(from.len() / 2);
        let groups = low.chunks_exact(stride).zip(high.chunks_exact(stride)).zip(to.chunks_exact_mut(2 * stride));
        for (p, ((low, high), out)) in groups.enumerate() {
            let root = self.roots[p * stride];
            let (sums, differences) = out.split_at_mut(stride);
            for q in 0..stride {
                sums[q] = plus(&low[q], &high[q]);
                differences[q] = times(&minus(&low[q], &high[q]), root);
            }
        }
    }

    #[inline(always)]
    fn by_three<const R: usize>(&self, from: &[Points<R>], to: &mut [Points<R>], stride: usize) {
        let third = from.len() / 3;
        let (a, rest) = from.split_at(third);
        let (b, c) = rest.split_at(third);
        for (p, out) in to.chunks_exact_mut(3 * stride).enumerate() {
            let (w1, w2) = (self.roots[p * stride], self.roots[2 * p * stride]);
            let at = p * stride;
            let (a, b, c) = (&a[at..at + stride], &b[at..at + stride], &c[at..at + stride]);
            let (out0, out) = out.split_at_mut(stride);
            let (out1, out2) = out.split_at_mut(stride);
            for q in 0..stride {
                let sum = plus(&b[q], &c[q]);
                let side = turned(&scaled(&minus(&b[q], &c[q]), HALF_ROOT_3));
                let middle = minus(&a[q], &scaled(&sum, 0.5));
                out0[q] = plus(&a[q], &sum);
                out1[q] = times(&minus(&middle, &side), w1);
                out2[q] = times(&plus(&middle, &side), w2);
            }
        }
    }

    #[inline(always)]
    fn by_four<const R: usize>(&self, from: &[Points<R>], to: &mut [Points<R>], stride: usize) {
        let (low, high) = from.split_at(from.len() / 2);
        let ((a, b), (c, d)) = (low.split_at(low.len() / 2), high.split_at(high.len() / 2));
        for (p, out) in to.chunks_exact_mut(4 * stride).enumerate() {
            let at = p * stride;
            let [w1, w2, w3] = [self.roots[at], self.roots[2 * at], self.roots[3 * at]];
            let [a, b, c, d] = [a, b, c, d].map(|part| &part[at..at + stride]);
            let (front, back) = out.split_at_mut(2 * stride);
            let ((out0, out1), (out2, out3)) = (front.split_at_mut(stride), back.split_at_mut(stride));
            for q in 0..stride {
                let (ac, bd) = (plus(&a[q], &c[q]), plus(&b[q], &d[q]));
                let (across, side) = (minus(&a[q], &c[q]), turned(&minus(&b[q], &d[q])));
                out0[q] = plus(&ac, &bd);
                out1[q] = times(&minus(&across, &side), w1);
                out2[q] = times(&minus(&ac, &bd), w2);
                out3[q] = times(&plus(&across, &side), w3);
            }
        }
    }
}

#[inline(always)]
fn plus<const R: usize>(a: &Points<R>, b: &Points<R>) -> Points<R> {
    [std::array::from_fn(|i| a[0][i] + b[0][i]), std::array::from_fn(|i| a[1][i] + b[1][i])]
}

#[inline(always)]
fn minus<const R: usize>(a: &Points<R>, b: &Points<R>) -> Points<R> {
    [std::array::from_fn(|i| a[0][i] - b[0][i]), std::array::from_fn(|i| a[1][i] - b[1][i])]
}

#[inline(always)]
fn scaled<const R: usize>(a: &Points<R>, factor: f64) -> Points<R> {
    [a[0].map(|value| value * factor), a[1].map(|value| value * factor)]
}

/// i times the points.
#[inline(always)]
fn turned<const R: usize>(a: &Points<R>) -> Points<R> {
    [a[1].map(|value| -value), a[0]]
}

#[inline(always)]
fn times<const R: usize>(a: &Points<R>, root: [f64; 2]) -> Points<R> {
    [
        std::array::from_fn(|i| a[0][i] * root[0] - a[1][i] * root[1]),
        std::array::from_fn(|i| a[0][i] * root[1] + a[1][i] * root[0]),
    ]
}

/// A transform in place.
struct Transform<'a, const R: usize> {
    plan: &'a Convolution,
    values: &'a mut [Points<R>],
    memory: &'a mut [Points<R>],
}

impl<const R: usize> Kernel for Transform<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        if self.plan.stages(self.values, self.memory) {
            self.values.copy_from_slice(self.memory);
        }
    }
}

/// Two transforms with a product between them.
struct Filter<'a, const R: usize> {
    plan: &'a Convolution,
    response: &'a [f64],
    values: &'a mut [Points<R>],
    memory: &'a mut [Points<R>],
}

impl<const R: usize> Kernel for Filter<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { plan, response, values, memory } = self;
        let count = plan.points();
        let scale = 1.0 / count as f64;
        if plan.stages(values, memory) {
            multiply(memory, response, scale);
            // The second transform moves as the first one did, and so ends in the memory of the caller.
            plan.stages(memory, values);
        } else {
            multiply(values, response, scale);
            plan.stages(values, memory);
        }
        values[1..].reverse();
    }
}

#[inline(always)]
fn multiply<const R: usize>(points: &mut [Points<R>], response: &[f64], scale: f64) {
    for (point, response) in points.iter_mut().zip(response) {
        *point = scaled(point, response * scale);
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use approx::assert_abs_diff_eq;
    use base::math::{Purpose, Stream};

    use super::*;

    fn points<const R: usize>(count: usize) -> Vec<Points<R>> {
        let mut stream = Stream::derive(3, Purpose::Measure, 0, 0);
        let mut number = |_| stream.normal_pair().0;
        (0..count).map(|_| [std::array::from_fn(&mut number), std::array::from_fn(&mut number)]).collect()
    }

    #[test]
    fn the_transform_is_the_sum() {
        for length in [4, 8, 9, 12, 24, 32, 36, 48, 96, 128, 144] {
            let plan = Convolution::new(length);
            assert_eq!(plan.points(), length);
            let values = points::<2>(length);
            let mut found = values.clone();
            plan.transform(&mut found, &mut Vec::new());
            for (frequency, found) in found.iter().enumerate() {
                let mut sum = [0.0; 2];
                for (time, value) in values.iter().enumerate() {
                    let angle = -TAU * (frequency * time % length) as f64 / length as f64;
                    sum[0] += value[0][1] * angle.cos() - value[1][1] * angle.sin();
                    sum[1] += value[0][1] * angle.sin() + value[1][1] * angle.cos();
                }
                assert_abs_diff_eq!(found[0][1], sum[0], epsilon = 1e-12);
                assert_abs_diff_eq!(found[1][1], sum[1], epsilon = 1e-12);
            }
        }
    }

    #[test]
    fn convolutions_are_sums_over_neighbours() {
        for length in [4, 12, 16, 18, 24, 32, 64, 72, 96, 192, 288] {
            let plan = Convolution::new(length);
            // The kernel ¼ ½ ¼ has the response (1 + cos κ)/2.
            let response: Vec<f64> = (0..length).map(|k| 0.5 + 0.5 * (TAU * k as f64 / length as f64).cos()).collect();
            let values = points::<1>(length);
            let mut found = values.clone();
            plan.apply(&response, &mut found, &mut Vec::new());
            for j in 0..length {
                for part in 0..2 {
                    let (before, after) = ((j + length - 1) % length, (j + 1) % length);
                    let sum = 0.25 * values[before][part][0] + 0.5 * values[j][part][0] + 0.25 * values[after][part][0];
                    assert_abs_diff_eq!(found[j][part][0], sum, epsilon = 1e-14);
                }
            }
        }
    }

    #[test]
    fn instruction_sets_change_no_bit() {
        let plan = Convolution::new(96);
        let response: Vec<f64> = (0..96).map(|k| 1.0 / (1.0 + f64::from(k.min(96 - k)))).collect();
        let results: Vec<Vec<u64>> = Simd::available()
            .map(|simd| {
                let (mut values, mut memory) = (points::<4>(96), vec![[[0.0; 4]; 2]; 96]);
                simd.dispatch(Filter { plan: &plan, response: &response, values: &mut values, memory: &mut memory });
                values.iter().flatten().flatten().map(|value| value.to_bits()).collect()
            })
            .collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn lengths_fit() {
        assert_eq!([1, 5, 9, 10, 13, 288, 289].map(Convolution::fitting), [4, 8, 9, 12, 16, 288, 384]);
        assert_eq!([576, 700, 800, 1152, 1537].map(Convolution::fitting), [576, 768, 1024, 1152, 2048]);
    }
}
