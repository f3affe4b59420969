//! Second derivatives of −log p_T: the Hessian and what stands for it in a Laplace approximation.
//!
//! With residuals rᵢ = ∂ log lik/∂f and Λᵢ = −∂² log lik/∂f∂fᵀ of datum i, its Jacobian Jᵢ = ∂f/∂θ and the precision S of the
//! prior, the generalised Gauss–Newton matrix is Σ Jᵢᵀ Λᵢ Jᵢ + S (N. N. Schraudolph, Neural Comput. 14, 2002), and the
//! Hessian is that minus Σ rᵢ ∇²fᵢ. The latter is indefinite nearly everywhere except near a maximum.

use nalgebra::DMatrix;

use super::kronecker::Kronecker;
use super::single::Trace;
use super::{Layer, Network};
use crate::targets::{Curvature, CurvatureError, MOST_DENSE, Model, Precision};
use base::math::{Coords, Simd, symmetric_eigen};

/// Step of central differences, relative to max(1, |θ_j|). Six or seven digits of the Hessian are right.
const DIFFERENCE: f64 = 1e-5;

/// Weights whose differences are taken at a time.
const AT_A_TIME: usize = 32;

/// The spectrum of the Hessian of −log p_T.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Its eigenvalues in ascending order.
    pub eigenvalues: Vec<f64>,
}

impl Spectrum {
    /// Number of eigenvalues that are 0 or below.
    #[must_use]
    pub fn negative(&self) -> usize {
        self.eigenvalues.iter().filter(|value| **value <= 0.0).count()
    }

    /// log |det|, of a matrix with any signs.
    #[must_use]
    pub fn log_determinant(&self) -> f64 {
        self.eigenvalues.iter().map(|value| base::math::elementary::ln(value.abs())).sum()
    }

    /// 2/λ_max: gradient ascent with a larger step size leaves this point. ∞ where no eigenvalue is positive.
    #[must_use]
    pub fn largest_stable_step(&self) -> f64 {
        let largest = self.eigenvalues.last().copied().unwrap_or(0.0);
        if largest > 0.0 { 2.0 / largest } else { f64::INFINITY }
    }
}

impl Network {
    /// log p_T at one weight vector.
    #[must_use]
    pub fn log_density_at(&self, theta: &[f64]) -> f64 {
        let mut out = [0.0];
        let at = Coords::of(theta.len(), [theta].into_iter());
        self.log_densities(Simd::widest(), &at, &mut Vec::new(), &mut out);
        out[0]
    }

    /// ∇ log p_T at one weight vector.
    #[must_use]
    pub fn gradient_at(&self, theta: &[f64]) -> Vec<f64> {
        let at = Coords::of(theta.len(), [theta].into_iter());
        let mut out = at.clone();
        self.gradients(Simd::widest(), &at, &mut Vec::new(), &mut out);
        out.values().to_vec()
    }

    /// −∇² log p_T at θ, d × d; meant for at most [`MOST_DENSE`] weights.
    #[must_use]
    pub fn hessian(&self, theta: &[f64]) -> DMatrix<f64> {
        match self.layout.layers() {
            [_] => self.gauss_newton(theta),
            [first, second] => self.hessian_of_one_hidden_layer(theta, *first, *second),
            _ => self.hessian_by_differences(theta),
        }
    }

    /// The eigenvalues of [`hessian`](Self::hessian); `None` if it is not finite, or has more than
    /// [`MOST_DENSE`] rows.
    #[must_use]
    pub fn spectrum(&self, theta: &[f64]) -> Option<Spectrum> {
        if theta.len() > MOST_DENSE {
            return None;
        }
        symmetric_eigen(&self.hessian(theta)).map(|eigen| Spectrum { eigenvalues: eigen.values })
    }

    /// The generalised Gauss–Newton matrix at θ, d × d, with the precision of the prior.
    #[must_use]
    pub fn gauss_newton(&self, theta: &[f64]) -> DMatrix<f64> {
        self.gauss_newton_from(theta, 0)
    }

    /// The same for the coordinates from number `from` on.
    pub(super) fn gauss_newton_from(&self, theta: &[f64], from: usize) -> DMatrix<f64> {
        let size = self.precisions.len() - from;
        let mut sum = DMatrix::zeros(size, size);
        for index in 0..self.count {
            let trace = Trace::new(&self.layout, theta, self.input(index));
            let jacobian = trace.jacobian(&self.layout, theta);
            let scaled = self.scaled_jacobian(&trace, &jacobian);
            for (left, right) in jacobian.iter().zip(&scaled) {
                for j in 0..size {
                    let factor = right[from + j];
                    for (i, left) in left[from + j..].iter().enumerate() {
                        sum[(j + i, j)] += left * factor;
                    }
                }
            }
        }
        for j in 0..size {
            sum[(j, j)] += self.precisions[from + j];
        }
        mirrored(sum)
    }

    /// Λ J with the temperature, row by row.
    fn scaled_jacobian(&self, trace: &Trace, jacobian: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let curvature = self.likelihood.curvature(trace.outputs());
        let count = jacobian.len();
        let row = |c: usize| {
            let weights = &curvature[c * count..(c + 1) * count];
            let entry = |axis: usize| {
                let sum: f64 = jacobian.iter().zip(weights).map(|(row, weight)| row[axis] * weight).sum();
                sum * self.likelihood_factor
            };
            (0..self.precisions.len()).map(entry).collect()
        };
        (0..count).map(row).collect()
    }

    /// ∇²f_c has, for hidden unit k with x̃ = (x, 1), the block −2 v h(1 − h²) x̃x̃ᵀ in its weights and cross terms
    /// (1 − h²) x̃ with the weight v of its output.
    fn hessian_of_one_hidden_layer(&self, theta: &[f64], first: Layer, second: Layer) -> DMatrix<f64> {
        let mut sum = self.gauss_newton(theta);
        let mut add = |i: usize, j: usize, value: f64| {
            sum[(i.max(j), i.min(j))] -= value;
        };
        for index in 0..self.count {
            let input = self.input(index);
            let trace = Trace::new(&self.layout, theta, input);
            let residual = self.residual(&trace, index);
            let extended = |column: usize| input.get(column).copied().unwrap_or(1.0);
            for (unit, h) in trace.0[1].iter().enumerate() {
                let slope = 1.0 - h * h;
                let mut pull = 0.0;
                for (c, residual) in residual.iter().enumerate() {
                    let residual = residual * self.likelihood_factor;
                    let out = second.index(c, unit);
                    pull += residual * theta[out];
                    for column in 0..=first.inputs {
                        add(first.index(unit, column), out, residual * slope * extended(column));
                    }
                }
                let bend = -2.0 * pull * h * slope;
                for row in 0..=first.inputs {
                    for column in 0..=row {
                        let (i, j) = (first.index(unit, row), first.index(unit, column));
                        add(i, j, bend * extended(row) * extended(column));
                    }
                }
            }
        }
        mirrored(sum)
    }

    fn hessian_by_differences(&self, theta: &[f64]) -> DMatrix<f64> {
        let size = theta.len();
        let axes: Vec<usize> = (0..size).collect();
        let mut differences = DMatrix::zeros(size, size);
        let (mut memory, mut out) = (Vec::new(), Coords::default());
        for axes in axes.chunks(AT_A_TIME) {
            let step = |axis: usize| DIFFERENCE * theta[axis].abs().max(1.0);
            let mut at = Coords::zeros(size, 2 * axes.len());
            for (number, axis) in axes.iter().enumerate() {
                at.set(2 * number, theta);
                at.set(2 * number + 1, theta);
                at.axis_mut(*axis)[2 * number] += step(*axis);
                at.axis_mut(*axis)[2 * number + 1] -= step(*axis);
            }
            out.resize(size, 2 * axes.len());
            self.gradients(Simd::widest(), &at, &mut memory, &mut out);
            for (number, axis) in axes.iter().enumerate() {
                for row in 0..size {
                    let fall = out.get(2 * number + 1, row) - out.get(2 * number, row);
                    differences[(row, *axis)] = fall / (2.0 * step(*axis));
                }
            }
        }
        DMatrix::from_fn(size, size, |i, j| 0.5 * (differences[(i, j)] + differences[(j, i)]))
    }

    /// The diagonal of the Gauss–Newton matrix.
    fn gauss_newton_diagonal(&self, theta: &[f64]) -> Vec<f64> {
        let mut sums = self.precisions.clone();
        for index in 0..self.count {
            let trace = Trace::new(&self.layout, theta, self.input(index));
            let jacobian = trace.jacobian(&self.layout, theta);
            let scaled = self.scaled_jacobian(&trace, &jacobian);
            for (left, right) in jacobian.iter().zip(&scaled) {
                for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
                    *sum += left * right;
                }
            }
        }
        sums
    }

    /// Σ gᵢ² + S.
    pub(super) fn fisher_diagonal(&self, theta: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; theta.len()];
        for index in 0..self.count {
            for (sum, slope) in sums.iter_mut().zip(self.datum_gradient(theta, index)) {
                *sum += slope * slope;
            }
        }
        sums.iter().zip(&self.precisions).map(|(sum, precision)| self.likelihood_factor * sum + precision).collect()
    }

    /// The precision matrix of a curvature at θ.
    ///
    /// # Errors
    /// [`Curvature::Full`] and [`Curvature::Diagonal`] may be indefinite away from a maximum; matrices may have at most
    /// [`MOST_DENSE`] rows; any may be infinite.
    pub fn precision(&self, theta: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        let name = curvature.name();
        let last_layer = self.layout.last_layer();
        let weights = match curvature {
            Curvature::Full | Curvature::Ggn | Curvature::Diagonal => self.precisions.len(),
            Curvature::LastLayer => last_layer.len(),
            _ => 0,
        };
        if weights > MOST_DENSE {
            return Err(CurvatureError::TooLarge { curvature: name, weights });
        }
        match curvature {
            Curvature::Full => Precision::of_matrix(&self.hessian(theta), 0, curvature),
            Curvature::Ggn => Precision::of_matrix(&self.gauss_newton(theta), 0, curvature),
            Curvature::LastLayer => {
                let from = last_layer.weights;
                Precision::of_matrix(&self.gauss_newton_from(theta, from), from, curvature)
            }
            Curvature::Diagonal => {
                Precision::of_diagonal(self.hessian(theta).diagonal().as_slice().to_vec(), curvature)
            }
            Curvature::DiagonalGgn => Precision::of_diagonal(self.gauss_newton_diagonal(theta), curvature),
            Curvature::Fisher => Precision::of_diagonal(self.fisher_diagonal(theta), curvature),
            Curvature::Kfac | Curvature::KfacDamped => {
                let damped = curvature == Curvature::KfacDamped;
                let kronecker = Kronecker::new(self, theta, damped).ok_or(CurvatureError::NotFinite(name))?;
                Ok(Precision::of_factors(kronecker))
            }
        }
    }
}

/// A matrix with its lower triangle in both halves.
fn mirrored(mut matrix: DMatrix<f64>) -> DMatrix<f64> {
    matrix.fill_upper_triangle_with_lower_triangle();
    matrix
}
