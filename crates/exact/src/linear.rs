//! Small linear systems by elimination with pivots, in one order of + − × ÷.

use nalgebra::DMatrix;

/// X with A X = B; `None` if A is singular to rounding or not square.
pub(crate) fn solve_matrix(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = a.nrows();
    if size != a.ncols() || size != b.nrows() {
        return None;
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    for column in 0..size {
        let pivot = (column..size).max_by(|&i, &j| a[(i, column)].abs().total_cmp(&a[(j, column)].abs()))?;
        a.swap_rows(column, pivot);
        b.swap_rows(column, pivot);
        let top = a[(column, column)];
        if !(top.abs() > f64::MIN_POSITIVE && top.is_finite()) {
            return None;
        }
        for row in column + 1..size {
            let factor = a[(row, column)] / top;
            (column..size).for_each(|j| a[(row, j)] -= factor * a[(column, j)]);
            (0..b.ncols()).for_each(|j| b[(row, j)] -= factor * b[(column, j)]);
        }
    }
    for row in (0..size).rev() {
        for j in 0..b.ncols() {
            let known: f64 = (row + 1..size).map(|k| a[(row, k)] * b[(k, j)]).sum();
            b[(row, j)] = (b[(row, j)] - known) / a[(row, row)];
        }
    }
    Some(b)
}

/// Σ aᵢ bᵢ.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a ← a + factor·b.
pub(crate) fn add_multiple(a: &mut [f64], factor: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_solve() {
        let a = DMatrix::from_row_slice(3, 3, &[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, 1.0]);
        let x = DMatrix::from_row_slice(3, 1, &[1.0, -2.0, 5.0]);
        assert!((solve_matrix(&a, &(&a * &x)).unwrap() - x).norm() < 1e-14);
        assert_eq!(solve_matrix(&DMatrix::zeros(2, 2), &DMatrix::zeros(2, 1)), None);
    }
}
