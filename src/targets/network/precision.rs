//! Precision matrices P of Laplace approximations N(θ*, P⁻¹): determinants, variances of linear functions, draws.

use super::kronecker::Kronecker;
use super::prior::HALF_LN_TAU;
use crate::math::Cholesky;
use crate::math::kernels::ln;

/// A positive definite precision matrix P = R Rᵀ over the weights of a network, or over the last of them.
#[derive(Clone, Debug)]
pub struct Precision {
    form: Form,
    diagonal: Vec<f64>,
    log_determinant: f64,
    /// Number of fixed coordinates, before the others.
    fixed: usize,
}

#[derive(Clone, Debug)]
enum Form {
    Dense(Cholesky),
    /// With the square roots of the entries.
    Diagonal(Vec<f64>),
    Kronecker(Kronecker),
}

impl Precision {
    pub(super) fn dense(cholesky: Cholesky, diagonal: Vec<f64>, fixed: usize) -> Self {
        let log_determinant = cholesky.log_determinant();
        Self { form: Form::Dense(cholesky), diagonal, log_determinant, fixed }
    }

    pub(super) fn diagonal_matrix(diagonal: Vec<f64>) -> Self {
        let log_determinant = diagonal.iter().map(|entry| ln(*entry)).sum();
        let roots = diagonal.iter().map(|entry| entry.sqrt()).collect();
        Self { form: Form::Diagonal(roots), diagonal, log_determinant, fixed: 0 }
    }

    pub(super) fn kronecker(kronecker: Kronecker) -> Self {
        let (diagonal, log_determinant) = (kronecker.diagonal(), kronecker.log_determinant());
        Self { form: Form::Kronecker(kronecker), diagonal, log_determinant, fixed: 0 }
    }

    /// The number of weights that are not fixed: the number of rows of P.
    #[must_use]
    pub fn free(&self) -> usize {
        self.diagonal.len()
    }

    /// log |P|.
    #[must_use]
    pub fn log_determinant(&self) -> f64 {
        self.log_determinant
    }

    /// The diagonal of P.
    #[must_use]
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// The evidence of the Laplace approximation of one mode in nats: log p(θ*) + (d/2) log 2π − ½ log |P|, given log p(θ*).
    /// With fixed weights it is that of the others, with d their number.
    #[must_use]
    pub fn log_evidence(&self, log_density: f64) -> f64 {
        log_density + self.free() as f64 * HALF_LN_TAU - 0.5 * self.log_determinant
    }

    /// J P⁻¹ Jᵀ by rows, the covariance of the C linear functions with gradients `jacobian`, each of d numbers.
    #[must_use]
    pub fn covariance(&self, jacobian: &[Vec<f64>]) -> Vec<f64> {
        let roots: Vec<Vec<f64>> = jacobian.iter().map(|row| self.whiten(&row[self.fixed..])).collect();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
        roots.iter().flat_map(|a| roots.iter().map(|b| product(a, b)).collect::<Vec<f64>>()).collect()
    }

    /// R⁻¹ v, whose squared length is vᵀP⁻¹v.
    fn whiten(&self, v: &[f64]) -> Vec<f64> {
        match &self.form {
            Form::Dense(cholesky) => {
                let mut out = v.to_vec();
                cholesky.solve_lower(&mut out);
                out
            }
            Form::Diagonal(roots) => v.iter().zip(roots).map(|(v, root)| v / root).collect(),
            Form::Kronecker(kronecker) => kronecker.whiten(v),
        }
    }

    /// A draw from N(θ*, P⁻¹), made of as many standard normals as there are [`free`](Self::free) weights.
    #[must_use]
    pub fn draw(&self, mode: &[f64], normals: &[f64]) -> Vec<f64> {
        let step = match &self.form {
            Form::Dense(cholesky) => {
                let mut out = normals.to_vec();
                cholesky.solve_upper(&mut out);
                out
            }
            Form::Diagonal(roots) => normals.iter().zip(roots).map(|(z, root)| z / root).collect(),
            Form::Kronecker(kronecker) => kronecker.unwhiten(normals),
        };
        let mut theta = mode.to_vec();
        theta[self.fixed..].iter_mut().zip(step).for_each(|(theta, step)| *theta += step);
        theta
    }
}
