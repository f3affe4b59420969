//! Discrete Fourier transform of lengths that are powers of two, with the same bits on every machine.
//!
//! Stockham's form of the fast transform (Cochran et al. 1967, "What is the fast Fourier transform?", Proc. IEEE 55), which
//! sorts as it goes. Its arithmetic is + − × alone, and the roots of unity come from portable sines and cosines.

use std::f64::consts::TAU;

use nalgebra::Complex;

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

    /// Transforms every row of n points in place; `room` is memory for one row, whose content does not matter.
    ///
    /// # Panics
    /// If `values` are not whole rows.
    pub fn transform(&self, values: &mut [Complex<f64>], room: &mut Vec<Complex<f64>>) {
        assert!(values.len().is_multiple_of(self.points()), "whole rows");
        room.resize(self.points(), Complex::ZERO);
        for row in values.chunks_exact_mut(self.points()) {
            if self.row(row, room) {
                row.copy_from_slice(room);
            }
        }
    }

    /// Transforms one row; returns whether the result is in `room` instead of `row`.
    fn row(&self, row: &mut [Complex<f64>], room: &mut [Complex<f64>]) -> bool {
        let (mut from, mut to, mut moved) = (row, room, false);
        let mut stride = 1;
        while stride <= self.roots.len() {
            let half = from.len() / 2;
            let (low, high) = from.split_at(half);
            let groups = low.chunks_exact(stride).zip(high.chunks_exact(stride));
            let roots = self.roots.iter().step_by(stride);
            for (((low, high), out), root) in groups.zip(to.chunks_exact_mut(2 * stride)).zip(roots) {
                let (sums, differences) = out.split_at_mut(stride);
                for (((low, high), sum), difference) in low.iter().zip(high).zip(sums).zip(differences) {
                    *sum = low + high;
                    *difference = (low - high) * root;
                }
            }
            std::mem::swap(&mut from, &mut to);
            moved = !moved;
            stride *= 2;
        }
        moved
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
    #[should_panic(expected = "whole rows")]
    fn half_a_row_is_refused() {
        Fourier::of_at_least(4).transform(&mut [Complex::ZERO; 6], &mut Vec::new());
    }
}
