//! Sums over the rows of a matrix X with N rows and p columns, compiled for every instruction set and with the same bits on each.
//!
//! What is summed over rows goes through sixteen sums side by side, in a fixed order.

use nalgebra::DMatrix;

use crate::targets::kit::lanewise::LANES;
use base::math::Simd;
use base::math::elementary::Kernel;

/// Columns that are read together.
const TOGETHER: usize = 4;

/// Xβ: a number for every row. Coefficients beyond the columns are not read.
pub(super) fn linear(simd: Simd, x: &DMatrix<f64>, mut beta: impl Iterator<Item = f64>, out: &mut Vec<f64>) {
    let rows = x.nrows();
    out.clear();
    out.resize(rows, 0.0);
    let mut next = || beta.next().unwrap_or(0.0);
    for block in x.as_slice().chunks(TOGETHER * rows.max(1)) {
        if block.len() == TOGETHER * rows {
            let beta = std::array::from_fn(|_| next());
            simd.dispatch(Block { block, beta, out: &mut *out });
        } else {
            for column in block.chunks_exact(rows) {
                simd.dispatch(Column { column, beta: next(), out: &mut *out });
            }
        }
    }
}

/// Adds one column times its coefficient.
struct Column<'a> {
    column: &'a [f64],
    beta: f64,
    out: &'a mut [f64],
}

impl Kernel for Column<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (out, x) in self.out.iter_mut().zip(self.column) {
            *out += self.beta * x;
        }
    }
}

/// Adds columns that follow each other, one after the other in every row.
struct Block<'a> {
    block: &'a [f64],
    beta: [f64; TOGETHER],
    out: &'a mut [f64],
}

impl Kernel for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { block, beta: [a, b, c, d], out } = self;
        let (first, last) = block.split_at(2 * out.len());
        let ((x, y), (z, w)) = (first.split_at(out.len()), last.split_at(out.len()));
        for ((((out, x), y), z), w) in out.iter_mut().zip(x).zip(y).zip(z).zip(w) {
            *out = *out + a * x + b * y + c * z + d * w;
        }
    }
}

/// Xᵀw, into as many numbers as there are in `out`, from a column on.
pub(super) fn products(simd: Simd, x: &DMatrix<f64>, first: usize, weights: &[f64], out: &mut [f64]) {
    let rows = x.nrows();
    let columns = &x.as_slice()[first * rows..];
    for (out, block) in out.chunks_mut(2).zip(columns.chunks(2 * rows.max(1))) {
        match out {
            [one, other] => {
                let (a, b) = block.split_at(rows);
                [*one, *other] = simd.dispatch(DotPair { weights, columns: [a, b] });
            }
            [one] => *one = simd.dispatch(Dot { weights, column: &block[..rows] }),
            _ => {}
        }
    }
}

/// Σ wᵢ xᵢ.
struct Dot<'a> {
    weights: &'a [f64],
    column: &'a [f64],
}

impl Kernel for Dot<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let ((weights, w), (column, x)) = (self.weights.as_chunks::<LANES>(), self.column.as_chunks::<LANES>());
        let mut sums = [0.0; LANES];
        for (weights, column) in weights.iter().zip(column) {
            for lane in 0..LANES {
                sums[lane] += weights[lane] * column[lane];
            }
        }
        sums.iter().sum::<f64>() + rest(w, x)
    }
}

/// The same of two columns at once, with the same bits: the weights are read once, and twice as many sums are under way.
struct DotPair<'a> {
    weights: &'a [f64],
    columns: [&'a [f64]; 2],
}

impl Kernel for DotPair<'_> {
    type Output = [f64; 2];

    #[inline(always)]
    fn run(self) -> [f64; 2] {
        let (weights, w) = self.weights.as_chunks::<LANES>();
        let [(first, x), (second, y)] = self.columns.map(<[f64]>::as_chunks::<LANES>);
        let (mut sums, mut others) = ([0.0; LANES], [0.0; LANES]);
        for ((weights, first), second) in weights.iter().zip(first).zip(second) {
            for lane in 0..LANES {
                sums[lane] += weights[lane] * first[lane];
                others[lane] += weights[lane] * second[lane];
            }
        }
        [sums.iter().sum::<f64>() + rest(w, x), others.iter().sum::<f64>() + rest(w, y)]
    }
}

#[inline(always)]
fn rest(weights: &[f64], column: &[f64]) -> f64 {
    weights.iter().zip(column).map(|(weight, x)| weight * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of whole numbers have no rounding: they are what the plain ones are, for every number of rows and columns.
    #[test]
    fn sums_are_the_plain_ones() {
        for (rows, columns) in [(1, 1), (5, 3), (16, 4), (33, 5), (40, 9)] {
            let x = DMatrix::from_fn(rows, columns, |row, column| ((row * 7 + column * 5) % 11) as f64 - 4.0);
            let beta: Vec<f64> = (0..=columns).map(|k| k as f64 - 2.0).collect();
            let weights: Vec<f64> = (0..rows).map(|row| (row % 9) as f64 - 3.0).collect();
            let plain: Vec<f64> = (0..rows).map(|row| (0..columns).map(|k| x[(row, k)] * beta[k]).sum()).collect();
            for simd in Simd::available() {
                let mut eta = Vec::new();
                linear(simd, &x, beta.iter().copied(), &mut eta);
                assert_eq!(eta, plain, "{rows} × {columns}");
                for first in 0..columns {
                    let mut out = vec![0.0; columns - first];
                    products(simd, &x, first, &weights, &mut out);
                    let plain: Vec<f64> =
                        (first..columns).map(|k| (0..rows).map(|row| x[(row, k)] * weights[row]).sum()).collect();
                    assert_eq!(out, plain, "{rows} × {columns} from {first}");
                }
            }
        }
    }
}
