//! Discrete Fourier transform of lengths that are powers of two, with the same bits on every machine.
//!
//! Stockham's form of the fast transform (Cochran et al. 1967, "What is the fast Fourier transform?", Proc. IEEE 55), which
//! sorts as it goes. Its arithmetic is + − × alone, and the roots of unity come from portable sines and cosines.

use std::f64::consts::TAU;

use nalgebra::Complex;

use super::elementary::{Kernel, Simd};

/// Rows that are transformed side by side.
const ROWS: usize = 8;

/// Equal points of as many rows.
type Points = [[f64; ROWS]; 2];

/// A transform X̃(ω) = Σ X(t) exp(−2πi ωt/n) of one length n.
#[derive(Clone, Debug, PartialEq)]
pub struct Fourier {
    /// exp(−2πi k/n) for k < n/2.
    roots: Vec<Complex<f64>>,
}

impl Fourier {
    /// The transform of at least `length` points: of the next power of two.
    #[must_use]
    pub fn of_at_least(length: usize) -> Self {
        let points = length.next_power_of_two();
        let root = |number: usize| {
            let (sine, cosine) = libm::sincos(-TAU * number as f64 / points as f64);
            Complex::new(cosine, sine)
        };
        Self { roots: (0..points / 2).map(root).collect() }
    }

    /// n, the number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        (2 * self.roots.len()).max(1)
    }

    /// Transforms every row of n points in place; `memory` is for one row, whose content does not matter.
    ///
    /// # Panics
    /// If `values` are not whole rows.
    pub fn transform(&self, values: &mut [Complex<f64>], memory: &mut Vec<Complex<f64>>) {
        assert!(values.len().is_multiple_of(self.points()), "whole rows");
        let values = if values.len() < ROWS * self.points() {
            values
        } else {
            let whole = values.len() - values.len() % (ROWS * self.points());
            let (together, rest) = values.split_at_mut(whole);
            Simd::widest().dispatch(Together { transform: self, values: together });
            rest
        };
        memory.resize(self.points(), Complex::ZERO);
        for row in values.chunks_exact_mut(self.points()) {
            if self.stages(row, memory, of_numbers) {
                row.copy_from_slice(memory);
            }
        }
    }

    /// Transforms points of one kind, numbers or those of several rows; returns whether the result is in `memory` instead of `points`.
    /// `butterfly` puts the sum of two points, and their difference times a root.
    #[inline(always)]
    fn stages<P>(
        &self,
        points: &mut [P],
        memory: &mut [P],
        butterfly: impl Fn(&P, &P, Complex<f64>, &mut P, &mut P),
    ) -> bool {
        let (mut from, mut to, mut moved) = (points, memory, false);
        let mut stride = 1;
        while stride <= self.roots.len() {
            let half = from.len() / 2;
            let (low, high) = from.split_at(half);
            let groups = low.chunks_exact(stride).zip(high.chunks_exact(stride));
            let roots = self.roots.iter().step_by(stride);
            for (((low, high), out), root) in groups.zip(to.chunks_exact_mut(2 * stride)).zip(roots) {
                let (sums, differences) = out.split_at_mut(stride);
                for (((low, high), sum), difference) in low.iter().zip(high).zip(sums).zip(differences) {
                    butterfly(low, high, *root, sum, difference);
                }
            }
            std::mem::swap(&mut from, &mut to);
            moved = !moved;
            stride *= 2;
        }
        moved
    }
}

/// Sum and turned difference of two numbers.
#[inline(always)]
fn of_numbers(
    low: &Complex<f64>,
    high: &Complex<f64>,
    root: Complex<f64>,
    sum: &mut Complex<f64>,
    difference: &mut Complex<f64>,
) {
    *sum = low + high;
    *difference = (low - high) * root;
}

/// The same by the same operations, of all rows. Arguments of their own, of which compilers know that they do not overlap.
#[inline(always)]
fn of_rows(low: &Points, high: &Points, root: Complex<f64>, sum: &mut Points, difference: &mut Points) {
    for i in 0..ROWS {
        sum[0][i] = low[0][i] + high[0][i];
        sum[1][i] = low[1][i] + high[1][i];
        let (re, im) = (low[0][i] - high[0][i], low[1][i] - high[1][i]);
        difference[0][i] = re * root.re - im * root.im;
        difference[1][i] = re * root.im + im * root.re;
    }
}

/// Whole rows, eight at a time.
struct Together<'a> {
    transform: &'a Fourier,
    values: &'a mut [Complex<f64>],
}

impl Kernel for Together<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let points = self.transform.points();
        let [mut from, mut to] = [(); 2].map(|()| vec![[[0.0; ROWS]; 2]; points]);
        for rows in self.values.chunks_exact_mut(ROWS * points) {
            for (number, row) in rows.chunks_exact(points).enumerate() {
                for (point, value) in from.iter_mut().zip(row) {
                    (point[0][number], point[1][number]) = (value.re, value.im);
                }
            }
            if self.transform.stages(&mut from, &mut to, of_rows) {
                std::mem::swap(&mut from, &mut to);
            }
            for (number, row) in rows.chunks_exact_mut(points).enumerate() {
                for (point, value) in from.iter().zip(row) {
                    *value = Complex::new(point[0][number], point[1][number]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::math::{Purpose, Stream};

    #[test]
    fn the_transform_is_the_sum() {
        let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
        for length in [1, 2, 3, 4, 8, 60, 128] {
            let transform = Fourier::of_at_least(length);
            let points = transform.points();
            assert!(points >= length && points < 2 * length.max(1));
            let values: Vec<Complex<f64>> = (0..2 * points)
                .map(|_| {
                    let (re, im) = stream.normal_pair();
                    Complex::new(re, im)
                })
                .collect();
            let mut found = values.clone();
            transform.transform(&mut found, &mut Vec::new());
            for (row, found) in values.chunks(points).zip(found.chunks(points)) {
                for (frequency, found) in found.iter().enumerate() {
                    let term = |(time, value): (usize, &Complex<f64>)| {
                        let angle = -TAU * (frequency * time % points) as f64 / points as f64;
                        value * Complex::new(angle.cos(), angle.sin())
                    };
                    let expected: Complex<f64> = row.iter().enumerate().map(term).sum();
                    assert_abs_diff_eq!(found.re, expected.re, epsilon = 1e-12);
                    assert_abs_diff_eq!(found.im, expected.im, epsilon = 1e-12);
                }
            }
        }
    }

    #[test]
    fn rows_side_by_side_have_the_bits_of_rows_one_by_one() {
        let mut stream = Stream::derive(2, Purpose::Measure, 0, 0);
        for (length, rows) in [(1, 9), (2, 8), (64, 19), (256, 16)] {
            let transform = Fourier::of_at_least(length);
            let value = |_| {
                let (re, im) = stream.normal_pair();
                Complex::new(re, im)
            };
            let mut together: Vec<Complex<f64>> = (0..rows * length).map(value).collect();
            let mut alone = together.clone();
            transform.transform(&mut together, &mut Vec::new());
            alone.chunks_exact_mut(length).for_each(|row| transform.transform(row, &mut Vec::new()));
            let bits = |values: &[Complex<f64>]| -> Vec<[u64; 2]> {
                values.iter().map(|value| [value.re.to_bits(), value.im.to_bits()]).collect()
            };
            assert_eq!(bits(&together), bits(&alone));
        }
    }

    #[test]
    #[should_panic(expected = "whole rows")]
    fn half_a_row_is_refused() {
        Fourier::of_at_least(4).transform(&mut [Complex::ZERO; 6], &mut Vec::new());
    }
}
