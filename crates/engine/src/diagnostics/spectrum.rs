//! Kernel of `mmd2` in Fourier space, where the double sum over cells becomes a single one over frequencies.
//!
//! For D on a grid of cells, Σᵢⱼ Dᵢ Dⱼ k(i − j) = Σ_ω |D̃(ω)|² Λ(ω), with the discrete transform D̃ of D, filled up
//! with zeros to twice the cells along each axis so that no difference wraps around, and Λ that of the kernel over the
//! number of points. D is real, so pairs of its rows are transformed as one complex row and half of the frequencies
//! suffice; half the rows are zeros and are not transformed. A Gaussian kernel is a product of one in x and one in y,
//! and so is its transform.

use nalgebra::Complex;

use base::math::{Axis, Fourier};

use super::Truth;

/// Kernels in the mixture, each half as wide as the one before.
const KERNELS: usize = 5;

/// The plans of the transforms, and Λ.
#[derive(Clone, Debug)]
pub(super) struct Spectrum {
    /// Cells in a row.
    columns: usize,
    across: Fourier,
    up: Fourier,
    /// Λ by frequency of x from 0 to the highest, and of y from 0 on; frequencies of x that stand for their negatives,
    /// too, count twice.
    kernel: Vec<f64>,
}

impl Spectrum {
    /// The mixture of kernels exp(−r²/2ℓ²), ℓ = s 2⁻ᵏ, that `mmd2` uses; `None` without a scale s.
    pub fn new(truth: &Truth) -> Option<Self> {
        let covariance = truth.covariance();
        let variance = if truth.dimension() == 1 { covariance[(0, 0)] } else { 0.5 * covariance.trace() };
        let scale = variance.sqrt();
        if !(scale > 0.0 && scale.is_finite()) {
            return None;
        }
        let grid = truth.grid();
        let [across, up] = [grid.x, grid.y].map(|axis| Fourier::of_at_least(padded(axis.cells)));
        let half = across.points() / 2;
        let mut kernel = vec![0.0; (half + 1) * up.points()];
        let mut length = scale;
        for _ in 0..KERNELS {
            let [x, y] =
                [(grid.x, &across), (grid.y, &up)].map(|(axis, transform)| of_gaussian(axis, transform, length));
            for (frequency, row) in kernel.chunks_exact_mut(up.points()).enumerate() {
                let twice = if frequency == 0 || frequency == half { 1.0 } else { 2.0 };
                let factor = twice * x[frequency] / KERNELS as f64;
                row.iter_mut().zip(&y).for_each(|(sum, y)| *sum += factor * y);
            }
            length *= 0.5;
        }
        Some(Self { columns: grid.x.cells, across, up, kernel })
    }

    /// Σᵢⱼ Dᵢ Dⱼ k(i − j) for D by rows of cells. Not below 0: what rounding leaves of nothing may be.
    pub fn energy(&self, differences: &[f64]) -> f64 {
        let (width, height) = (self.across.points(), self.up.points());
        let mut scratch = Vec::new();
        let rows = differences.len() / self.columns;
        let mut pairs = vec![Complex::default(); rows.div_ceil(2) * width];
        for (pair, values) in pairs.chunks_exact_mut(width).zip(differences.chunks(2 * self.columns)) {
            let (even, odd) = values.split_at(self.columns);
            pair.iter_mut().zip(even).for_each(|(point, &value)| point.re = value);
            pair.iter_mut().zip(odd).for_each(|(point, &value)| point.im = value);
        }
        self.across.transform(&mut pairs, &mut scratch);
        let mut columns = vec![Complex::default(); self.kernel.len()];
        for (number, pair) in pairs.chunks_exact(width).enumerate() {
            for (frequency, column) in columns.chunks_exact_mut(height).enumerate() {
                let (point, mirrored) = (pair[frequency], pair[(width - frequency) % width].conj());
                column[2 * number] = (point + mirrored) * 0.5;
                if 2 * number + 1 < rows {
                    // (point − mirrored) / 2i
                    let twice = point - mirrored;
                    column[2 * number + 1] = Complex::new(0.5 * twice.im, -0.5 * twice.re);
                }
            }
        }
        self.up.transform(&mut columns, &mut scratch);
        columns.iter().zip(&self.kernel).map(|(point, kernel)| point.norm_sqr() * kernel).sum::<f64>().max(0.0)
    }
}

/// Points of a transform in which differences between two of so many cells do not wrap around.
fn padded(cells: usize) -> usize {
    if cells == 1 { 1 } else { 2 * cells }
}

/// The transform of exp(−d²/2ℓ²) over the differences d between cells, divided by the number of points. It is real, for
/// the kernel is even.
fn of_gaussian(axis: Axis, transform: &Fourier, length: f64) -> Vec<f64> {
    let points = transform.points();
    let value = |point: usize| {
        let deviation = point.min(points - point) as f64 * axis.width() / length;
        Complex::new(libm::exp(-0.5 * deviation * deviation), 0.0)
    };
    let mut values: Vec<_> = (0..points).map(value).collect();
    transform.transform(&mut values, &mut Vec::new());
    values.into_iter().map(|point| point.re / points as f64).collect()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use crate::diagnostics::test_targets::{Mixture, poor_draws};
    use base::math::{Bounds, Gaussian, Matrix, Point};

    /// Anything on 400 cells, corners among them, against the sum over pairs.
    #[test]
    fn the_sum_over_frequencies_is_the_sum_over_pairs() {
        let wide = Gaussian { mean: Point::zeros(), covariance: Matrix::new(9.0, 1.0, 1.0, 4.0) };
        let oblong = Mixture::new(2, &[(1.0, wide)], Bounds::new((-20.0, 21.0), (-12.0, 12.0)));
        for target in [Mixture::grid(), Mixture::single(), Mixture::line(), oblong] {
            let truth = Truth::new(&target);
            let grid = truth.grid();
            let (columns, cells) = (grid.x.cells, grid.len());
            let mut values: Vec<(usize, f64)> =
                vec![(0, 1.0), (columns - 1, -0.5), (cells - columns, 2.0), (cells - 1, 0.3)];
            let cell = |at: Point| grid.cell(truth.within_dimension(at));
            values.extend(poor_draws(1, 400).iter().filter_map(|&(at, weight)| Some((cell(at)?, weight - 1.1))));
            let mut differences = vec![0.0; cells];
            values.iter().for_each(|&(cell, value)| differences[cell] += value);
            let covariance = truth.covariance();
            let variance = if truth.dimension() == 1 { covariance[(0, 0)] } else { covariance.trace() / 2.0 };
            let kernel = |one: usize, other: usize| -> f64 {
                let squared = (grid.centre(one) - grid.centre(other)).norm_squared() / variance;
                (0..5).map(|k| (-0.5 * squared * 4.0_f64.powi(k)).exp() / 5.0).sum()
            };
            let pair =
                |&(one, a): &(usize, f64)| values.iter().map(|&(other, b)| a * b * kernel(one, other)).sum::<f64>();
            let expected: f64 = values.iter().map(pair).sum();
            let spectrum = Spectrum::new(&truth).expect("a covariance");
            assert_relative_eq!(spectrum.energy(&differences), expected, max_relative = 1e-11);
        }
    }

    #[test]
    fn without_a_covariance_there_is_no_kernel() {
        assert!(Spectrum::new(&Truth::new(&Mixture::single().without_covariance())).is_none());
    }
}
