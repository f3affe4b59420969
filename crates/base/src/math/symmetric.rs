//! Symmetric matrices of any size: Cholesky factors and eigenvectors.
//!
//! Only + − × ÷ √ in one order, which the products of `nalgebra` for large matrices are not: they choose fused
//! instructions where the machine has them.

use nalgebra::DMatrix;

use super::elementary::ln;

/// QL steps for each eigenvalue at most; two on average are needed.
const MOST_STEPS: usize = 60;

/// The lower triangular L with P = L Lᵀ, of a positive definite matrix P.
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky {
    /// Row i of L, of i + 1 numbers, behind rows 0 to i − 1.
    rows: Vec<f64>,
    size: usize,
}

impl Cholesky {
    /// The factor of a symmetric matrix, of which the lower triangle is read; `None` if it is not positive definite.
    #[must_use]
    pub fn new(matrix: &DMatrix<f64>) -> Option<Self> {
        let size = matrix.nrows();
        let mut rows: Vec<f64> = Vec::with_capacity(size * (size + 1) / 2);
        for i in 0..size {
            let start = rows.len();
            for j in 0..=i {
                let before = j * (j + 1) / 2;
                let sum = matrix[(i, j)] - dot(&rows[start..start + j], &rows[before..before + j]);
                if i > j {
                    rows.push(sum / rows[before + j]);
                } else if sum > 0.0 && sum.is_finite() {
                    rows.push(sum.sqrt());
                } else {
                    return None;
                }
            }
        }
        Some(Self { rows, size })
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * (i + 1) / 2..][..=i]
    }

    /// log det P.
    #[must_use]
    pub fn log_determinant(&self) -> f64 {
        2.0 * (0..self.size).map(|i| ln(self.row(i)[i])).sum::<f64>()
    }

    /// Replaces v by L⁻¹ v.
    pub fn solve_lower(&self, v: &mut [f64]) {
        for i in 0..self.size {
            let row = self.row(i);
            v[i] = (v[i] - dot(&row[..i], &v[..i])) / row[i];
        }
    }

    /// Replaces v by L⁻ᵀ v.
    pub fn solve_upper(&self, v: &mut [f64]) {
        for i in (0..self.size).rev() {
            let row = self.row(i);
            let (before, rest) = v.split_at_mut(i);
            rest[0] /= row[i];
            for (v, entry) in before.iter_mut().zip(row) {
                *v -= entry * rest[0];
            }
        }
    }

    /// Replaces v by P⁻¹ v.
    pub fn solve(&self, v: &mut [f64]) {
        self.solve_lower(v);
        self.solve_upper(v);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The eigenvalues of a symmetric matrix in ascending order, and its orthonormal eigenvectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigen {
    /// The eigenvalues.
    pub values: Vec<f64>,
    /// Column i is the eigenvector of eigenvalue i.
    pub vectors: DMatrix<f64>,
}

/// Eigenvalues and eigenvectors of a symmetric matrix: Householder's tridiagonal form and the implicit QL method (H. Bowdler,
/// R. S. Martin, C. Reinsch & J. H. Wilkinson, Numer. Math. 11, 1968; here after EISPACK's tred2 and tql2). Errors are about
/// 10⁻¹⁶ of the largest eigenvalue. `None` for entries that are not finite.
#[must_use]
pub fn symmetric_eigen(matrix: &DMatrix<f64>) -> Option<Eigen> {
    let size = matrix.nrows();
    if size == 0 || !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let mut work = Diagonalisation { v: matrix.clone(), d: vec![0.0; size], e: vec![0.0; size] };
    work.reduce();
    work.accumulate();
    work.diagonalise()?;
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|a, b| work.d[*a].total_cmp(&work.d[*b]));
    let values = order.iter().map(|i| work.d[*i]).collect();
    let vectors = DMatrix::from_fn(size, size, |row, column| work.v[(row, order[column])]);
    Some(Eigen { values, vectors })
}

/// The number of eigenvalues of a symmetric matrix that are 0 or below, by Sylvester's law of inertia from its tridiagonal
/// form; `None` for entries that are not finite.
#[must_use]
pub fn not_positive(matrix: &DMatrix<f64>) -> Option<usize> {
    let size = matrix.nrows();
    if size == 0 || !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let mut work = Diagonalisation { v: matrix.clone(), d: vec![0.0; size], e: vec![0.0; size] };
    work.reduce();
    let (mut count, mut pivot) = (0, 1.0_f64);
    for i in 0..size {
        let beside = if i > 0 { work.e[i] * (work.e[i] / pivot) } else { 0.0 };
        pivot = work.v[(i, i)] - beside;
        if pivot.abs() < f64::MIN_POSITIVE {
            // A little below 0, so that the next one is defined.
            pivot = -f64::MIN_POSITIVE;
        }
        count += usize::from(pivot < 0.0);
    }
    Some(count)
}

/// A matrix on its way to its eigenvectors, the diagonal, and what is beside the diagonal.
struct Diagonalisation {
    v: DMatrix<f64>,
    d: Vec<f64>,
    e: Vec<f64>,
}

impl Diagonalisation {
    /// To tridiagonal form.
    fn reduce(&mut self) {
        let Self { v, d, e } = self;
        let size = d.len();
        for (j, d) in d.iter_mut().enumerate() {
            *d = v[(size - 1, j)];
        }
        for i in (1..size).rev() {
            let scale: f64 = d[..i].iter().map(|d| d.abs()).sum();
            let mut h = 0.0;
            if scale > 0.0 {
                for d in &mut d[..i] {
                    *d /= scale;
                    h += *d * *d;
                }
                let f = d[i - 1];
                let g = if f > 0.0 { -h.sqrt() } else { h.sqrt() };
                e[i] = scale * g;
                h -= f * g;
                d[i - 1] = f - g;
                reflect(v, d, e, i, h);
            } else {
                e[i] = d[i - 1];
                for j in 0..i {
                    d[j] = v[(i - 1, j)];
                    v[(i, j)] = 0.0;
                    v[(j, i)] = 0.0;
                }
            }
            d[i] = h;
        }
    }

    /// The product of all reflections.
    fn accumulate(&mut self) {
        let Self { v, d, e } = self;
        let size = d.len();
        for i in 0..size - 1 {
            v[(size - 1, i)] = v[(i, i)];
            v[(i, i)] = 1.0;
            let h = d[i + 1];
            if h > 0.0 {
                for k in 0..=i {
                    d[k] = v[(k, i + 1)] / h;
                }
                for j in 0..=i {
                    let g = (0..=i).fold(0.0, |g, k| g + v[(k, i + 1)] * v[(k, j)]);
                    for k in 0..=i {
                        v[(k, j)] -= g * d[k];
                    }
                }
            }
            for k in 0..=i {
                v[(k, i + 1)] = 0.0;
            }
        }
        for (j, d) in d.iter_mut().enumerate() {
            *d = v[(size - 1, j)];
            v[(size - 1, j)] = 0.0;
        }
        v[(size - 1, size - 1)] = 1.0;
        e.rotate_left(1);
        e[size - 1] = 0.0;
    }

    /// To the eigenvalues, one after the other; `None` if one takes too many steps.
    fn diagonalise(&mut self) -> Option<()> {
        let size = self.d.len();
        let (mut shift, mut largest) = (0.0, 0.0_f64);
        for l in 0..size {
            largest = largest.max(self.d[l].abs() + self.e[l].abs());
            let negligible = f64::EPSILON * largest;
            let end = (l..size).find(|m| self.e[*m].abs() <= negligible).unwrap_or(size - 1);
            let mut steps = 0;
            while end > l && (steps == 0 || self.e[l].abs() > negligible) {
                self.ql_step(l, end, &mut shift);
                steps += 1;
                if steps > MOST_STEPS {
                    return None;
                }
            }
            self.d[l] += shift;
            self.e[l] = 0.0;
        }
        Some(())
    }

    fn ql_step(&mut self, l: usize, end: usize, shift: &mut f64) {
        let Self { v, d, e } = self;
        let first = d[l];
        let p = (d[l + 1] - first) / (2.0 * e[l]);
        let r = (p * p + 1.0).sqrt();
        let r = if p < 0.0 { -r } else { r };
        d[l] = e[l] / (p + r);
        d[l + 1] = e[l] * (p + r);
        let second = d[l + 1];
        let h = first - d[l];
        for d in &mut d[l + 2..] {
            *d -= h;
        }
        *shift += h;
        let mut p = d[end];
        let (mut c, mut c2, mut c3, mut s, mut s2) = (1.0, 1.0, 1.0, 0.0, 0.0);
        let beside = e[l + 1];
        for i in (l..end).rev() {
            (c3, c2, s2) = (c2, c, s);
            let (g, h) = (c * e[i], c * p);
            let r = (p * p + e[i] * e[i]).sqrt();
            e[i + 1] = s * r;
            s = e[i] / r;
            c = p / r;
            p = c * d[i] - s * g;
            d[i + 1] = h + s * (c * g + s * d[i]);
            for k in 0..d.len() {
                let h = v[(k, i + 1)];
                v[(k, i + 1)] = s * v[(k, i)] + c * h;
                v[(k, i)] = c * v[(k, i)] - s * h;
            }
        }
        p = -s * s2 * c3 * beside * e[l] / second;
        e[l] = s * p;
        d[l] = c * p;
    }
}

/// Applies the reflection in `d[..i]`, half whose squared length is `h`, to both sides of the leading part of `v`.
fn reflect(v: &mut DMatrix<f64>, d: &mut [f64], e: &mut [f64], i: usize, h: f64) {
    e[..i].fill(0.0);
    for j in 0..i {
        let f = d[j];
        v[(j, i)] = f;
        let mut g = e[j] + v[(j, j)] * f;
        for k in j + 1..i {
            g += v[(k, j)] * d[k];
            e[k] += v[(k, j)] * f;
        }
        e[j] = g;
    }
    let mut f = 0.0;
    for j in 0..i {
        e[j] /= h;
        f += e[j] * d[j];
    }
    let half = f / (h + h);
    for j in 0..i {
        e[j] -= half * d[j];
    }
    for j in 0..i {
        let (f, g) = (d[j], e[j]);
        for k in j..i {
            v[(k, j)] -= f * e[k] + g * d[k];
        }
        d[j] = v[(i - 1, j)];
        v[(i, j)] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Purpose, Stream};

    /// A symmetric matrix; positive definite if `definite`.
    fn matrix(size: usize, definite: bool) -> DMatrix<f64> {
        let mut stream = Stream::derive(size as u64, Purpose::Data, 0, 0);
        let root = DMatrix::from_fn(size, size, |_, _| stream.uniform() - 0.5);
        if definite { &root * root.transpose() } else { &root + root.transpose() }
    }

    #[test]
    fn eigenvectors_make_the_matrix() {
        for size in [1, 2, 3, 9, 33, 60] {
            for definite in [true, false] {
                let matrix = matrix(size, definite);
                let Eigen { values, vectors } = symmetric_eigen(&matrix).unwrap();
                assert!(values.is_sorted());
                let product = &vectors * DMatrix::from_diagonal(&values.clone().into()) * vectors.transpose();
                assert!((product - &matrix).amax() < 1e-13 * size as f64);
                let identity = &vectors.transpose() * &vectors;
                assert!((identity - DMatrix::identity(size, size)).amax() < 1e-14 * size as f64);
                let theirs = matrix.symmetric_eigenvalues();
                let mut theirs: Vec<f64> = theirs.iter().copied().collect();
                theirs.sort_by(f64::total_cmp);
                assert!(values.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-13 * size as f64));
            }
        }
    }

    #[test]
    fn matrices_that_are_diagonal_or_have_equal_eigenvalues() {
        let zero = symmetric_eigen(&DMatrix::zeros(4, 4)).unwrap();
        assert_eq!(zero.values, [0.0; 4]);
        let identity = symmetric_eigen(&DMatrix::identity(5, 5)).unwrap();
        assert_eq!(identity.values, [1.0; 5]);
        let ones = symmetric_eigen(&DMatrix::from_element(6, 6, 1.0)).unwrap();
        assert!((ones.values[5] - 6.0).abs() < 1e-14 && ones.values[..5].iter().all(|value| value.abs() < 1e-15));
        assert_eq!(symmetric_eigen(&DMatrix::from_element(2, 2, f64::NAN)), None);
        assert_eq!(symmetric_eigen(&DMatrix::zeros(0, 0)), None);
    }

    #[test]
    fn eigenvalues_that_are_not_positive_are_counted() {
        for size in [1, 2, 3, 9, 33, 60] {
            for shift in [-1.0, -0.3, 0.0, 0.2, 0.7] {
                let matrix = matrix(size, false) + DMatrix::identity(size, size) * shift;
                let values = symmetric_eigen(&matrix).unwrap().values;
                let expected = values.iter().filter(|value| **value <= 0.0).count();
                assert_eq!(not_positive(&matrix), Some(expected), "{size} {shift}");
            }
        }
        assert_eq!(not_positive(&DMatrix::zeros(4, 4)), Some(4));
        assert_eq!(not_positive(&DMatrix::identity(5, 5)), Some(0));
        assert_eq!(not_positive(&DMatrix::from_element(2, 2, f64::NAN)), None);
        assert_eq!(not_positive(&DMatrix::zeros(0, 0)), None);
    }

    #[test]
    fn factors_solve() {
        for size in [1, 2, 3, 9, 33] {
            let matrix = matrix(size, true) + DMatrix::identity(size, size);
            let factor = Cholesky::new(&matrix).unwrap();
            let v: Vec<f64> = (0..size).map(|i| 1.0 + i as f64).collect();
            let mut solution = v.clone();
            factor.solve(&mut solution);
            let back = &matrix * DMatrix::from_column_slice(size, 1, &solution);
            assert!(back.iter().zip(&v).all(|(a, b)| (a - b).abs() < 1e-11));
            let values = symmetric_eigen(&matrix).unwrap().values;
            let log_determinant: f64 = values.iter().map(|value| ln(*value)).sum();
            assert!((factor.log_determinant() - log_determinant).abs() < 1e-12 * size as f64);
        }
        assert_eq!(Cholesky::new(&matrix(5, false)), None);
        assert_eq!(Cholesky::new(&DMatrix::from_element(1, 1, f64::NAN)), None);
    }
}
