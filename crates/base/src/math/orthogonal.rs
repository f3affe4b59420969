//! Orthogonal factors of matrices: triangular factors by Householder's reflections, singular values by Jacobi's rotations.
//!
//! Only + − × ÷ √ in one order, as in `symmetric.rs`. Neither makes products of a matrix with itself, which have half of its digits.

use nalgebra::DMatrix;

/// Sweeps of rotations at most; about ten are needed.
const MOST_SWEEPS: usize = 60;

/// Columns whose cosine is below this are orthogonal.
const ORTHOGONAL: f64 = 1e-15;

/// The upper triangular R of A = QR with QᵀQ = 1: min(rows, columns) rows, as many columns as A (G. H. Golub, Numer. Math. 7, 1965).
#[must_use]
pub fn triangular(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let mut a = matrix.clone();
    let (rows, columns) = a.shape();
    let least = rows.min(columns);
    for k in 0..least {
        // Scaled, so that no square overflows or is lost.
        let largest = a.column(k).iter().skip(k).fold(0.0_f64, |largest, x| largest.max(x.abs()));
        if largest <= 0.0 || k + 1 == rows {
            continue;
        }
        let norm = largest * a.column(k).iter().skip(k).map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt();
        let pivot = a[(k, k)];
        let alpha = if pivot > 0.0 { -norm } else { norm };
        // The reflection 1 − 2vvᵀ/vᵀv with v = a − α e, scaled so that its first entry is 1.
        let first = pivot - alpha;
        let v: Vec<f64> = (k..rows).map(|row| if row == k { 1.0 } else { a[(row, k)] / first }).collect();
        let twice_over_square = -first / alpha;
        for column in k + 1..columns {
            let mut under = a.column_mut(column);
            let under = &mut under.as_mut_slice()[k..];
            let product: f64 = under.iter().zip(&v).map(|(x, v)| x * v).sum();
            let by = twice_over_square * product;
            under.iter_mut().zip(&v).for_each(|(x, v)| *x -= by * v);
        }
        a[(k, k)] = alpha;
    }
    DMatrix::from_fn(least, columns, |row, column| if row <= column { a[(row, column)] } else { 0.0 })
}

/// A = W Vᵀ with orthogonal columns of W, whose lengths are the singular values of A, and VᵀV = 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Singular {
    /// U S: the columns in any order.
    pub scaled: DMatrix<f64>,
    /// V.
    pub right: DMatrix<f64>,
}

/// Singular values and right vectors of a matrix with at least as many rows as columns, by rotations of its columns until they are
/// orthogonal (M. R. Hestenes, J. SIAM 6, 1958).
#[must_use]
pub fn singular(matrix: &DMatrix<f64>) -> Singular {
    let columns = matrix.ncols();
    let (mut scaled, mut right) = (matrix.clone(), DMatrix::identity(columns, columns));
    for _ in 0..MOST_SWEEPS {
        let mut turned = false;
        for first in 0..columns {
            for second in first + 1..columns {
                turned |= orthogonalise(&mut scaled, &mut right, [first, second]);
            }
        }
        if !turned {
            break;
        }
    }
    Singular { scaled, right }
}

/// Turns two columns so that they are orthogonal; `false` if they are already.
fn orthogonalise(scaled: &mut DMatrix<f64>, right: &mut DMatrix<f64>, [first, second]: [usize; 2]) -> bool {
    let product =
        |a: usize, b: usize| -> f64 { scaled.column(a).iter().zip(scaled.column(b).iter()).map(|(x, y)| x * y).sum() };
    let (alpha, beta, gamma) = (product(first, first), product(second, second), product(first, second));
    let turns = gamma.abs() > ORTHOGONAL * (alpha * beta).sqrt();
    // Not for NaN.
    if !turns {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let tangent = 1.0 / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let tangent = if zeta < 0.0 { -tangent } else { tangent };
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = cosine * tangent;
    for matrix in [scaled, right] {
        for row in 0..matrix.nrows() {
            let (x, y) = (matrix[(row, first)], matrix[(row, second)]);
            matrix[(row, first)] = cosine * x - sine * y;
            matrix[(row, second)] = sine * x + cosine * y;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Purpose, Stream};

    fn matrix(rows: usize, columns: usize) -> DMatrix<f64> {
        let mut stream = Stream::derive((rows * 100 + columns) as u64, Purpose::Data, 0, 0);
        DMatrix::from_fn(rows, columns, |_, _| stream.uniform() - 0.5)
    }

    #[test]
    fn triangular_factors_have_the_products_of_the_columns() {
        for (rows, columns) in [(1, 1), (5, 5), (40, 7), (3, 6), (200, 30)] {
            let a = matrix(rows, columns);
            let r = triangular(&a);
            assert_eq!(r.shape(), (rows.min(columns), columns));
            assert!((r.transpose() * &r - a.transpose() * &a).amax() < 1e-12 * rows as f64);
            assert!((0..r.nrows()).all(|row| (0..row).all(|column| r[(row, column)].abs() <= 0.0)));
        }
        let mut singular = matrix(20, 4);
        let sum = singular.column(0) + singular.column(1);
        singular.set_column(2, &sum);
        assert!(triangular(&singular)[(2, 2)].abs() < 1e-14);
        assert!(triangular(&DMatrix::zeros(4, 2)).amax() <= 0.0);
    }

    #[test]
    fn singular_columns_are_orthogonal_and_make_the_matrix() {
        for (rows, columns) in [(1, 1), (5, 5), (40, 7), (30, 30)] {
            let a = matrix(rows, columns);
            let Singular { scaled, right } = singular(&a);
            assert!((&scaled * right.transpose() - &a).amax() < 1e-13 * rows as f64);
            let (products, identity) = (scaled.transpose() * &scaled, right.transpose() * &right);
            assert!((&products - DMatrix::from_diagonal(&products.diagonal())).amax() < 1e-13 * rows as f64);
            assert!((identity - DMatrix::identity(columns, columns)).amax() < 1e-13 * columns as f64);
        }
    }

    /// Small singular values keep their digits, which they lose in products of columns.
    #[test]
    fn columns_of_very_different_lengths() {
        let scales = [1.0, 1e-6, 1e-12];
        let mut a = matrix(9, 3);
        for (column, scale) in scales.into_iter().enumerate() {
            a.column_mut(column).iter_mut().for_each(|x| *x *= scale);
        }
        let lengths = |a: &DMatrix<f64>| -> f64 { a.column_iter().map(|column| column.norm()).product() };
        let volume: f64 = triangular(&a).diagonal().iter().map(|entry| entry.abs()).product();
        assert!((lengths(&singular(&a).scaled) / volume - 1.0).abs() < 1e-12);
    }
}
