//! Stationary distribution, exit rate and second eigenvalue of a chain, by Arnoldi's method.
//!
//! Arnoldi (1951), Quarterly of Applied Mathematics 9; Saad, "Numerical methods for large eigenvalue problems", chapter 6. Where one step
//! separates eigenvalues too little, the method is applied to Pᵠ with q = 2, 4, …: |λ|ᵠ are farther apart. If mass
//! leaves for ever, the dominant left eigenvector is the quasi-stationary distribution, with its exit probability 1 − λ₁ per step.

use base::math::elementary::ln;
use nalgebra::{Complex, DMatrix};

use crate::Refusal;
use crate::chain::Chain;
use crate::eigenvalues::{eigenvalues, square_root};
use crate::linear::{add_multiple, dot, solve_matrix};

/// Vectors of a Krylov space at most.
const DIMENSION: usize = 80;

/// Largest power of P.
const MOST_POWER: usize = 64;

/// Relative change of an eigenvalue between a Krylov space and one a fifth smaller, below which it has converged, with respect to 1 − λ.
const TOLERANCE: f64 = 1e-9;

/// Change of the distribution in a step, relative to its mass, below which it is stationary.
const STATIONARY: f64 = 1e-11;

/// The long run of a chain at constant step size.
#[derive(Clone, Debug, PartialEq)]
pub struct LongRun {
    /// Stationary, or quasi-stationary, masses with the sum 1.
    pub masses: Vec<f64>,
    /// λ₁: 1, or less by the probability to leave in a step.
    pub first: f64,
    /// λ₂. Of a degenerate pair one may be missed, its value is not.
    pub second: Complex<f64>,
    /// Applications of the kernel.
    pub steps: usize,
}

impl LongRun {
    /// The probability to leave for ever in a step, in the quasi-stationary distribution.
    #[must_use]
    pub fn exit_rate(&self) -> f64 {
        1.0 - self.first
    }

    /// −1/ln |λ₂| in steps.
    #[must_use]
    pub fn relaxation_time(&self) -> f64 {
        -2.0 / ln(self.second.norm_sqr())
    }
}

/// The long run of a chain, found from masses that overlap with it, such as those of the target.
///
/// # Errors
/// If the iteration does not converge, or something is no number.
pub fn long_run(chain: &impl Chain, start: &[f64]) -> Result<LongRun, Refusal> {
    // Neither symmetric nor stationary, so that no eigenvector is missing in it.
    let tilt = |node: usize| {
        let [x, y] = chain.place(node);
        1.0 + 0.7 * x + 0.4 * y + 0.3 * x * y
    };
    let start: Vec<f64> = start.iter().enumerate().map(|(node, mass)| mass * tilt(node)).collect();
    let (mut power, mut steps, mut estimate) = (1, 0, None);
    while power <= MOST_POWER {
        let krylov = Krylov::new(chain, &start, power)?;
        steps += krylov.basis.len() * power;
        let (values, smaller) = (krylov.eigenvalues(krylov.size())?, krylov.eigenvalues(4 * krylov.size() / 5)?);
        let whole = krylov.closed;
        let agree = |i: usize| match (values.get(i), smaller.get(i)) {
            (Some(a), Some(b)) => (a - b).norm_sqr().sqrt() <= TOLERANCE * (1.0 - a.norm_sqr().sqrt()).abs().max(1e-4),
            _ => false,
        };
        let mut masses = krylov.dominant(values[0].re)?;
        let (first, change) = rate(chain, &mut masses);
        steps += 1;
        let second = values.get(1).copied().unwrap_or_default();
        let second = root(second, power, estimate.unwrap_or(second));
        estimate = Some(second);
        if change <= STATIONARY && (whole || agree(1)) {
            return Ok(LongRun { masses, first, second, steps });
        }
        power *= 2;
    }
    Err(Refusal::NotConverged { what: "the stationary distribution", steps })
}

/// The root θ^(1/q), q a power of two, that is nearest to an estimate.
fn root(value: Complex<f64>, power: usize, estimate: Complex<f64>) -> Complex<f64> {
    let (mut value, mut left) = (value, power);
    while left > 1 {
        left /= 2;
        let near = (1..left).fold(estimate, |product, _| product * estimate);
        let root = square_root(value);
        value = if (root - near).norm_sqr() <= (root + near).norm_sqr() { root } else { -root };
    }
    value
}

/// Takes a step and normalises; the share that stayed, and the change.
fn rate(chain: &impl Chain, masses: &mut Vec<f64>) -> (f64, f64) {
    let total: f64 = masses.iter().sum();
    masses.iter_mut().for_each(|mass| *mass /= total);
    let before = masses.clone();
    chain.push_masses(masses);
    let first: f64 = masses.iter().sum();
    masses.iter_mut().for_each(|mass| *mass /= first);
    let change = masses.iter().zip(&before).map(|(a, b)| (a - b).abs()).sum();
    (first, change)
}

/// An orthonormal basis of v, vPᵠ, …, and P in it.
struct Krylov {
    basis: Vec<Vec<f64>>,
    hessenberg: DMatrix<f64>,
    /// Whether the space is mapped into itself.
    closed: bool,
}

impl Krylov {
    fn new(chain: &impl Chain, start: &[f64], power: usize) -> Result<Self, Refusal> {
        let most = DIMENSION.min(chain.size());
        let mut hessenberg = DMatrix::zeros(most + 1, most);
        let scaled = |v: &[f64], norm: f64| v.iter().map(|value| value / norm).collect::<Vec<f64>>();
        let mut basis = vec![scaled(start, dot(start, start).sqrt())];
        for column in 0..most {
            let mut next = basis[column].clone();
            (0..power).for_each(|_| chain.push_masses(&mut next));
            // Twice, so that the basis is orthogonal to rounding.
            for _ in 0..2 {
                for (row, vector) in basis.iter().enumerate() {
                    let part = dot(vector, &next);
                    add_multiple(&mut next, -part, vector);
                    hessenberg[(row, column)] += part;
                }
            }
            let norm = dot(&next, &next).sqrt();
            if !norm.is_finite() {
                return Err(Refusal::NotANumber { step: 0 });
            }
            if norm < 1e-14 || column + 1 == most {
                let closed = norm < 1e-14;
                let size = column + 1;
                return Ok(Self { basis, hessenberg: hessenberg.view((0, 0), (size, size)).into_owned(), closed });
            }
            hessenberg[(column + 1, column)] = norm;
            basis.push(scaled(&next, norm));
        }
        Err(Refusal::NotConverged { what: "the stationary distribution", steps: 0 })
    }

    fn size(&self) -> usize {
        self.hessenberg.nrows()
    }

    /// Eigenvalues of P in the space of the first `size` vectors.
    fn eigenvalues(&self, size: usize) -> Result<Vec<Complex<f64>>, Refusal> {
        let part = self.hessenberg.view((0, 0), (size.max(1), size.max(1))).into_owned();
        eigenvalues(&part).ok_or(Refusal::NotConverged { what: "an eigenvalue", steps: size })
    }

    /// The vector of an eigenvalue, by inverse iteration.
    fn dominant(&self, value: f64) -> Result<Vec<f64>, Refusal> {
        let size = self.size();
        // A little beside the eigenvalue, so that the matrix has an inverse.
        let shift = value + 1e-13 * value.abs().max(1e-3);
        let shifted = DMatrix::from_fn(size, size, |i, j| self.hessenberg[(i, j)] - if i == j { shift } else { 0.0 });
        let mut vector = DMatrix::from_element(size, 1, 1.0);
        for _ in 0..3 {
            vector =
                solve_matrix(&shifted, &vector).ok_or(Refusal::NotConverged { what: "an eigenvector", steps: 1 })?;
            let largest = vector.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            vector.iter_mut().for_each(|value| *value /= largest);
        }
        let mut masses = vec![0.0; self.basis[0].len()];
        for (basis, factor) in self.basis.iter().zip(vector.iter()) {
            add_multiple(&mut masses, *factor, basis);
        }
        Ok(masses)
    }
}

/// Vectors of the space in which the autocorrelation is found.
const CORRELATION_DIMENSION: usize = 300;

/// Size of what remains of f − πf, below which its autocorrelation is known.
const CORRELATION_TOLERANCE: f64 = 1e-11;

/// The integrated autocorrelation time 1 + 2 Σ ρ_k of f in draws of the stationary chain; 1/IACT is the effective sample size of a step.
///
/// It is (2⟨f̃, g⟩_π − ‖f̃‖²_π)/‖f̃‖²_π with (I − P) g = f̃ = f − πf, by GMRES (Saad and Schultz 1986) in the inner product of π, in which P is
/// nearly symmetric. The chain must not leave.
///
/// # Errors
/// If the iteration does not converge, or f is constant.
pub fn autocorrelation_time(chain: &impl Chain, stationary: &[f64], f: &[f64]) -> Result<f64, Refusal> {
    let weights: Vec<f64> = stationary.iter().map(|mass| mass.max(0.0)).collect();
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(&weights).map(|((a, b), w)| w * a * b).sum::<f64>();
    let total: f64 = weights.iter().sum();
    let mean = dot(f, &weights) / total;
    let centred: Vec<f64> = f.iter().map(|value| value - mean).collect();
    let norm = inner(&centred, &centred).sqrt();
    if !(norm > 0.0 && norm.is_finite()) {
        return Err(Refusal::Unsuited("a constant has no autocorrelation"));
    }
    let mut basis: Vec<Vec<f64>> = vec![centred.iter().map(|value| value / norm).collect()];
    // Columns of the Hessenberg matrix after rotations, the right-hand side, and the rotations.
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut rotations: Vec<(f64, f64)> = Vec::new();
    let mut right = vec![1.0];
    for size in 1..=CORRELATION_DIMENSION.min(chain.size()) {
        let mut moved = [basis[size - 1].clone()];
        chain.pull_functions(&mut moved);
        let [moved] = moved;
        let mut next: Vec<f64> = basis[size - 1].iter().zip(&moved).map(|(u, pu)| u - pu).collect();
        let mut column = vec![0.0; size + 1];
        for _ in 0..2 {
            for (vector, entry) in basis.iter().zip(&mut column) {
                let part = inner(vector, &next);
                add_multiple(&mut next, -part, vector);
                *entry += part;
            }
        }
        let length = inner(&next, &next).sqrt();
        column[size] = length;
        for (k, (c, s)) in rotations.iter().enumerate() {
            (column[k], column[k + 1]) = (c * column[k] + s * column[k + 1], c * column[k + 1] - s * column[k]);
        }
        let radius = (column[size - 1] * column[size - 1] + column[size] * column[size]).sqrt();
        let (c, s) = (column[size - 1] / radius, column[size] / radius);
        column[size - 1] = radius;
        column.truncate(size);
        let last = right[size - 1];
        right[size - 1] = c * last;
        right.push(-s * last);
        rotations.push((c, s));
        columns.push(column);
        if right[size].abs() < CORRELATION_TOLERANCE {
            // ⟨f̃, g⟩ = ‖f̃‖² y₁, since f̃ is the first vector.
            let mut solution = right[..size].to_vec();
            for i in (0..size).rev() {
                let known: f64 = (i + 1..size).map(|j| columns[j][i] * solution[j]).sum();
                solution[i] = (solution[i] - known) / columns[i][i];
            }
            return Ok(2.0 * solution[0] - 1.0);
        }
        basis.push(next.iter().map(|value| value / length).collect());
    }
    Err(Refusal::NotConverged { what: "the autocorrelation time", steps: CORRELATION_DIMENSION })
}

#[cfg(test)]
mod tests;
