//! Precision matrices P of Laplace approximations N(θ*, P⁻¹): determinants, variances of linear functions, draws.

use std::f64::consts::TAU;

use nalgebra::DMatrix;

use super::network::Kronecker;
use super::{Curvature, CurvatureError};
use base::math::elementary::ln;
use base::math::{Cholesky, not_positive};

/// A positive definite precision matrix P = R Rᵀ over all coordinates, or over the last of them while the others are fixed.
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
    /// A symmetric matrix over the coordinates from number `fixed` on.
    ///
    /// # Errors
    /// If it is not positive definite, with the number of its eigenvalues that are not positive, or not finite.
    pub fn of_matrix(matrix: &DMatrix<f64>, fixed: usize, curvature: Curvature) -> Result<Self, CurvatureError> {
        let curvature = curvature.name();
        if let Some(cholesky) = Cholesky::new(matrix) {
            let (diagonal, log_determinant) = (matrix.diagonal().as_slice().to_vec(), cholesky.log_determinant());
            return Ok(Self { form: Form::Dense(cholesky), diagonal, log_determinant, fixed });
        }
        let negative = not_positive(matrix).ok_or(CurvatureError::NotFinite(curvature))?.max(1);
        Err(CurvatureError::Indefinite { curvature, negative })
    }

    /// A diagonal matrix.
    ///
    /// # Errors
    /// If an entry is not positive, with the number of such entries, or not finite.
    pub fn of_diagonal(diagonal: Vec<f64>, curvature: Curvature) -> Result<Self, CurvatureError> {
        let curvature = curvature.name();
        if !diagonal.iter().all(|entry| entry.is_finite()) {
            return Err(CurvatureError::NotFinite(curvature));
        }
        let negative = diagonal.iter().filter(|entry| **entry <= 0.0).count();
        if negative > 0 {
            return Err(CurvatureError::Indefinite { curvature, negative });
        }
        let log_determinant = diagonal.iter().map(|entry| ln(*entry)).sum();
        let roots = diagonal.iter().map(|entry| entry.sqrt()).collect();
        Ok(Self { form: Form::Diagonal(roots), diagonal, log_determinant, fixed: 0 })
    }

    /// Minus a Hessian, whole or its diagonal; a model without a Hessian has none.
    ///
    /// # Errors
    /// If it is not positive definite or not finite, and of other curvatures.
    pub(super) fn of_hessian(hessian: Option<DMatrix<f64>>, curvature: Curvature) -> Result<Self, CurvatureError> {
        let minus = -hessian.ok_or(CurvatureError::Absent(curvature.name()))?;
        match curvature {
            Curvature::Full => Self::of_matrix(&minus, 0, curvature),
            Curvature::Diagonal => Self::of_diagonal(minus.diagonal().as_slice().to_vec(), curvature),
            _ => Err(CurvatureError::Absent(curvature.name())),
        }
    }

    /// Kronecker factors of the layers of a network.
    pub(super) fn of_factors(kronecker: Kronecker) -> Self {
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
        log_density + 0.5 * self.free() as f64 * ln(TAU) - 0.5 * self.log_determinant
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

    /// R⁻ᵀ z, made of as many numbers as there are [`free`](Self::free) coordinates.
    fn unwhiten(&self, z: &[f64]) -> Vec<f64> {
        match &self.form {
            Form::Dense(cholesky) => {
                let mut out = z.to_vec();
                cholesky.solve_upper(&mut out);
                out
            }
            Form::Diagonal(roots) => z.iter().zip(roots).map(|(z, root)| z / root).collect(),
            Form::Kronecker(kronecker) => kronecker.unwhiten(z),
        }
    }

    /// A draw from N(θ*, P⁻¹), made of as many standard normals as there are [`free`](Self::free) weights.
    #[must_use]
    pub fn draw(&self, mode: &[f64], normals: &[f64]) -> Vec<f64> {
        let mut theta = mode.to_vec();
        theta[self.fixed..].iter_mut().zip(self.unwhiten(normals)).for_each(|(theta, step)| *theta += step);
        theta
    }

    /// The standard deviations √(P⁻¹)ⱼⱼ of a diagonal P; `None` for others.
    #[must_use]
    pub fn sds(&self) -> Option<Vec<f64>> {
        match &self.form {
            Form::Diagonal(roots) => Some(roots.iter().map(|root| 1.0 / root).collect()),
            Form::Dense(_) | Form::Kronecker(_) => None,
        }
    }

    /// R⁻ᵀ, a root of the covariance P⁻¹, with a row for every coordinate: those of fixed ones are 0.
    #[must_use]
    pub fn covariance_root(&self) -> DMatrix<f64> {
        let free = self.free();
        let mut root = DMatrix::zeros(self.fixed + free, free);
        let mut unit = vec![0.0; free];
        for (axis, mut column) in root.column_iter_mut().enumerate() {
            unit[axis] = 1.0;
            column.as_mut_slice()[self.fixed..].copy_from_slice(&self.unwhiten(&unit));
            unit[axis] = 0.0;
        }
        root
    }
}
