//! Eigenvalues of small matrices that need not be symmetric.
//!
//! Householder's reduction to Hessenberg form, then the QR method with Wilkinson's shifts in complex numbers (Golub and Van Loan, "Matrix
//! computations", chapter 7). Only + − × ÷ √ in one order. Meant for the projected matrices of Arnoldi's method and for matrices of modes.

use nalgebra::{Complex, DMatrix};

type Number = Complex<f64>;

/// QR steps for each eigenvalue at most; two or three on average are needed.
const MOST_STEPS: usize = 100;

/// All eigenvalues, the largest in absolute value first; `None` if the matrix is not square, not finite, or the method does not converge.
#[must_use]
pub fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let size = matrix.nrows();
    if size != matrix.ncols() || matrix.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut reduced = matrix.clone();
    hessenberg(&mut reduced);
    let mut h: Vec<Vec<Number>> =
        (0..size).map(|i| (0..size).map(|j| Number::new(reduced[(i, j)], 0.0)).collect()).collect();
    let scale = reduced.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let (mut last, mut steps) = (size, 0);
    let mut found = Vec::new();
    while last > 0 {
        let small = |h: &[Vec<Number>], k: usize| {
            let beside = size_of(h[k][k]) + size_of(h[k - 1][k - 1]);
            size_of(h[k][k - 1]) <= f64::EPSILON * if beside > 0.0 { beside } else { scale }
        };
        let first = (1..last).rev().find(|&k| small(&h, k)).unwrap_or(0);
        if first + 1 == last {
            found.push(h[last - 1][last - 1]);
            (last, steps) = (last - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MOST_STEPS {
            return None;
        }
        let shift = if steps % 10 == 0 { h[last - 1][last - 1] + h[last - 1][last - 2] } else { shift(&h, last) };
        qr_step(&mut h, first, last, shift);
    }
    found.sort_by(|a, b| b.norm_sqr().total_cmp(&a.norm_sqr()).then(b.im.total_cmp(&a.im)));
    Some(found)
}

/// |re| + |im|.
fn size_of(number: Number) -> f64 {
    number.re.abs() + number.im.abs()
}

/// Similarity transformations by reflections, to 0 below the first subdiagonal.
fn hessenberg(matrix: &mut DMatrix<f64>) {
    let size = matrix.nrows();
    for column in 0..size.saturating_sub(2) {
        let mut v: Vec<f64> = (column + 1..size).map(|i| matrix[(i, column)]).collect();
        let norm = v.iter().map(|value| value * value).sum::<f64>().sqrt();
        if v[1..].iter().all(|&value| value.abs() <= f64::MIN_POSITIVE) {
            continue;
        }
        v[0] += if v[0] > 0.0 { norm } else { -norm };
        let half = 0.5 * v.iter().map(|value| value * value).sum::<f64>();
        for j in 0..size {
            let dot = v.iter().enumerate().map(|(i, v)| v * matrix[(column + 1 + i, j)]).sum::<f64>() / half;
            v.iter().enumerate().for_each(|(i, v)| matrix[(column + 1 + i, j)] -= dot * v);
        }
        for i in 0..size {
            let dot = v.iter().enumerate().map(|(j, v)| v * matrix[(i, column + 1 + j)]).sum::<f64>() / half;
            v.iter().enumerate().for_each(|(j, v)| matrix[(i, column + 1 + j)] -= dot * v);
        }
    }
}

/// The eigenvalue of the last two rows that is nearer to the last entry.
fn shift(h: &[Vec<Number>], last: usize) -> Number {
    let [[a, b], [c, d]] = [last - 2, last - 1].map(|i| [h[i][last - 2], h[i][last - 1]]);
    let half = (a - d) * 0.5;
    let root = square_root(half * half + b * c);
    let (plus, minus) = (half + root, half - root);
    d + if plus.norm_sqr() < minus.norm_sqr() { plus } else { minus }
}

/// The root with a real part of at least 0.
pub(crate) fn square_root(number: Number) -> Number {
    let size = number.norm_sqr().sqrt();
    let re = (0.5 * (size + number.re).max(0.0)).sqrt();
    let im = (0.5 * (size - number.re).max(0.0)).sqrt();
    Number::new(re, if number.im < 0.0 { -im } else { im })
}

/// H ← RQ + σ with QR = H − σ, of rows `first` to `last` − 1.
fn qr_step(h: &mut [Vec<Number>], first: usize, last: usize, shift: Number) {
    for (i, row) in h.iter_mut().enumerate().take(last).skip(first) {
        row[i] -= shift;
    }
    let mut rotations = Vec::new();
    for k in first..last - 1 {
        let (a, b) = (h[k][k], h[k + 1][k]);
        let norm = (a.norm_sqr() + b.norm_sqr()).sqrt();
        let (c, s) = if norm > 0.0 { (a / norm, b / norm) } else { (Number::new(1.0, 0.0), Number::new(0.0, 0.0)) };
        let (upper, lower) = h.split_at_mut(k + 1);
        for (upper, lower) in upper[k][k..last].iter_mut().zip(&mut lower[0][k..last]) {
            let (x, y) = (*upper, *lower);
            *upper = c.conj() * x + s.conj() * y;
            *lower = c * y - s * x;
        }
        rotations.push((c, s));
    }
    for (k, (c, s)) in (first..last - 1).zip(rotations) {
        for row in h.iter_mut().take((k + 2).min(last)).skip(first) {
            let (x, y) = (row[k], row[k + 1]);
            row[k] = x * c + y * s;
            row[k + 1] = y * c.conj() - x * s.conj();
        }
    }
    for (i, row) in h.iter_mut().enumerate().take(last).skip(first) {
        row[i] += shift;
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    #[test]
    fn rotations_and_companions_have_their_eigenvalues() {
        let rotation = DMatrix::from_row_slice(2, 2, &[0.0, -2.0, 2.0, 0.0]);
        let found = eigenvalues(&rotation).unwrap();
        for found in &found {
            assert_abs_diff_eq!(found.im.abs(), 2.0, epsilon = 1e-14);
        }
        assert_abs_diff_eq!(found[0].im + found[1].im, 0.0, epsilon = 1e-14);
        // (x − 1)(x − 2)(x − 3)(x + 4)
        let companion = DMatrix::from_row_slice(
            4,
            4,
            &[2.0, 13.0, -38.0, 24.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        );
        let found = eigenvalues(&companion).unwrap();
        for (found, expected) in found.iter().zip([-4.0, 3.0, 2.0, 1.0]) {
            assert_abs_diff_eq!(found.re, expected, epsilon = 1e-12);
            assert_abs_diff_eq!(found.im, 0.0, epsilon = 1e-12);
        }
        assert_eq!(eigenvalues(&DMatrix::from_element(2, 2, f64::NAN)), None);
    }

    #[test]
    fn similar_matrices_have_the_same_eigenvalues() {
        // A lower triangle, seen through a shear of all coordinates.
        let size = 12;
        let diagonal = |i: usize| 1.0 / (1.0 + i as f64);
        let triangle = DMatrix::from_fn(size, size, |i, j| {
            if i == j {
                diagonal(i)
            } else if i > j {
                0.3
            } else {
                0.0
            }
        });
        let shear = DMatrix::from_fn(size, size, |i, j| {
            if i == j {
                1.0
            } else if i + 1 == j {
                0.5
            } else {
                0.0
            }
        });
        let inverse = crate::linear::solve_matrix(&shear, &DMatrix::identity(size, size)).unwrap();
        let matrix = shear * triangle * inverse;
        let found = eigenvalues(&matrix).unwrap();
        for (i, found) in found.iter().enumerate() {
            assert_abs_diff_eq!(found.re, diagonal(i), epsilon = 1e-6);
        }
    }
}
