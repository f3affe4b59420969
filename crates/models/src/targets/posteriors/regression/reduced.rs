//! The data of a regression with normal noise as a triangle: Σ (yᵢ − xᵢᵀβ)² = |q − Rβ|² + |rest|², with d² multiplications instead of N d.

use nalgebra::DMatrix;

use base::math::elementary::exp;
use base::math::{Coords, triangular};

/// [X y] as a triangle.
#[derive(Debug)]
pub(super) struct Reduced {
    r: DMatrix<f64>,
    q: Vec<f64>,
    /// The squared length of what no β explains.
    rest: f64,
}

impl Reduced {
    /// Of columns and responses.
    pub(super) fn new(x: &DMatrix<f64>, y: &[f64]) -> Self {
        let p = x.ncols();
        let all = DMatrix::from_fn(x.nrows(), p + 1, |row, column| if column < p { x[(row, column)] } else { y[row] });
        let triangle = triangular(&all);
        let rows = triangle.nrows().min(p);
        let rest = if triangle.nrows() > p { triangle[(p, p)] * triangle[(p, p)] } else { 0.0 };
        let q = (0..rows).map(|row| triangle[(row, p)]).collect();
        Self { r: triangle.view((0, 0), (rows, p)).into_owned(), q, rest }
    }

    /// q − Rβ of every vector, row by row.
    pub(super) fn residuals(&self, at: &Coords, memory: &mut Vec<f64>) {
        let len = at.len();
        memory.clear();
        for (row, q) in self.q.iter().enumerate() {
            memory.resize((row + 1) * len, *q);
            let out = &mut memory[row * len..];
            for column in row..self.r.ncols() {
                let factor = self.r[(row, column)];
                out.iter_mut().zip(at.axis(column)).for_each(|(out, beta)| *out -= factor * beta);
            }
        }
    }

    /// |q − Rβ|² + |rest|² of every vector, from its residuals.
    pub(super) fn squares(&self, residuals: &[f64], out: &mut [f64]) {
        out.fill(self.rest);
        for row in residuals.chunks_exact(out.len().max(1)) {
            out.iter_mut().zip(row).for_each(|(out, r)| *out += r * r);
        }
    }

    /// Column `axis` of R times the residuals of every vector.
    pub(super) fn pulls(&self, axis: usize, residuals: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (row, residuals) in residuals.chunks_exact(out.len().max(1)).enumerate() {
            let factor = self.r[(row, axis)];
            out.iter_mut().zip(residuals).for_each(|(out, r)| *out += factor * r);
        }
    }

    /// The Hessian of Σ log p(yᵢ) in β, and in s where it is one of `size` coordinates.
    pub(super) fn hessian(&self, at: &[f64], s: f64, size: usize) -> DMatrix<f64> {
        let (p, precision) = (self.r.ncols(), exp(-2.0 * s));
        let mut residuals = Vec::new();
        self.residuals(&Coords::of(at.len(), std::iter::once(at)), &mut residuals);
        let rows = self.q.len();
        let column = |k: usize| &self.r.as_slice()[k * rows..][..(k + 1).min(rows)];
        DMatrix::from_fn(size, size, |j, k| match (j.min(k), j.max(k)) {
            (j, k) if k < p => -precision * column(j).iter().zip(column(k)).map(|(a, b)| a * b).sum::<f64>(),
            (j, _) if j < p => -2.0 * precision * column(j).iter().zip(&residuals).map(|(a, r)| a * r).sum::<f64>(),
            _ => -2.0 * precision * (self.rest + residuals.iter().map(|r| r * r).sum::<f64>()),
        })
    }
}
