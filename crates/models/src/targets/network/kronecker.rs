//! Kronecker-factored curvature: one block per layer, a product of a small matrix over inputs and one over units.
//!
//! With h̃ = (h, 1), A = (1/N) Σ h̃h̃ᵀ and G = (1/N) Σ (∂f/∂a)ᵀ Λ (∂f/∂a), the Gauss–Newton block of a layer is about N G ⊗ A, with
//! weights and bias of a unit together in a row. The prior has other widths for weights than for biases, so everything is in
//! whitened weights φ = θ/s, where its precision is 1: Ã = A ∘ ttᵀ with t = (s_w, …, s_w, s_b). The eigenvalues are then
//! N g_p ã_q + 1, or (√N g_p + 1)(√N ã_q + 1) with damping.

use nalgebra::DMatrix;

use super::single::Trace;
use super::{Layer, Network};
use base::math::{Eigen, symmetric_eigen};

/// The precision of all layers.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Kronecker {
    blocks: Vec<Block>,
}

/// The precision of one layer, diagonal in the eigenvectors of its factors.
#[derive(Clone, Debug)]
struct Block {
    layer: Layer,
    /// Eigenvectors of G, and of Ã.
    units: DMatrix<f64>,
    inputs: DMatrix<f64>,
    /// Eigenvalue of P in φ, of eigenvector p of G and q of Ã.
    eigenvalues: DMatrix<f64>,
    /// t.
    widths: Vec<f64>,
}

/// A and G of one layer.
pub(super) struct Factors {
    pub(super) inputs: DMatrix<f64>,
    pub(super) units: DMatrix<f64>,
}

/// A and G of every layer at θ, at T = 1.
pub(super) fn factors(network: &Network, theta: &[f64]) -> Vec<Factors> {
    let zeros = |size: usize| DMatrix::<f64>::zeros(size, size);
    let layers = network.layout().layers();
    let empty = |layer: &Layer| Factors { inputs: zeros(layer.inputs + 1), units: zeros(layer.outputs) };
    let mut all: Vec<Factors> = layers.iter().map(empty).collect();
    let outputs = network.layout().outputs();
    let share = 1.0 / network.count.max(1) as f64;
    for index in 0..network.count {
        let trace = Trace::new(network.layout(), theta, network.input(index));
        let curvature = network.likelihood().curvature(trace.outputs());
        let seed = |c: usize| (0..outputs).map(|other| if other == c { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let deltas: Vec<Vec<Vec<f64>>> =
            (0..outputs).map(|c| trace.deltas(network.layout(), theta, &seed(c))).collect();
        for (number, Factors { inputs, units }) in all.iter_mut().enumerate() {
            let h = &trace.0[number];
            let extended = |i: usize| h.get(i).copied().unwrap_or(1.0);
            for i in 0..=h.len() {
                for j in 0..=h.len() {
                    inputs[(i, j)] += share * (extended(i) * extended(j));
                }
            }
            for (row, left) in deltas.iter().enumerate() {
                for (column, right) in deltas.iter().enumerate() {
                    let weight = share * curvature[row * outputs + column];
                    for (i, a) in left[number].iter().enumerate() {
                        for (j, b) in right[number].iter().enumerate() {
                            units[(i, j)] += weight * (a * b);
                        }
                    }
                }
            }
        }
    }
    all
}

impl Kronecker {
    /// At θ; `None` if an entry is not finite.
    pub(super) fn new(network: &Network, theta: &[f64], damped: bool) -> Option<Self> {
        let factors = factors(network, theta);
        let layers = network.layout().layers();
        let blocks = layers.iter().zip(factors).map(|(layer, factors)| Block::new(network, *layer, &factors, damped));
        Some(Self { blocks: blocks.collect::<Option<_>>()? })
    }

    /// log |P| in θ.
    pub(in crate::targets) fn log_determinant(&self) -> f64 {
        let ln = base::math::elementary::ln;
        let of = |block: &Block| {
            let values: f64 = block.eigenvalues.iter().map(|value| ln(*value)).sum();
            let widths: f64 = block.widths.iter().map(|width| ln(*width)).sum();
            values - 2.0 * block.layer.outputs as f64 * widths
        };
        self.blocks.iter().map(of).sum()
    }

    /// The diagonal of P in θ.
    pub(in crate::targets) fn diagonal(&self) -> Vec<f64> {
        let mut out = vec![0.0; self.blocks.iter().map(|block| block.layer.len()).sum()];
        for block in &self.blocks {
            for row in 0..block.layer.outputs {
                for column in 0..=block.layer.inputs {
                    out[block.layer.index(row, column)] = block.diagonal(row, column);
                }
            }
        }
        out
    }

    /// R⁻¹ v for P = R Rᵀ.
    pub(in crate::targets) fn whiten(&self, v: &[f64]) -> Vec<f64> {
        let mut out = Vec::with_capacity(v.len());
        for block in &self.blocks {
            let (rows, columns) = block.shape();
            let at = |row: usize, column: usize| v[block.layer.index(row, column)] * block.widths[column];
            let left = DMatrix::from_fn(rows, columns, |p, column| {
                (0..rows).fold(0.0, |sum, row| sum + block.units[(row, p)] * at(row, column))
            });
            for p in 0..rows {
                for q in 0..columns {
                    let sum = (0..columns).fold(0.0, |sum, column| sum + left[(p, column)] * block.inputs[(column, q)]);
                    out.push(sum / block.eigenvalues[(p, q)].sqrt());
                }
            }
        }
        out
    }

    /// R⁻ᵀ z, a draw from N(0, P⁻¹) for standard normals z.
    pub(in crate::targets) fn unwhiten(&self, z: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; z.len()];
        let mut first = 0;
        for block in &self.blocks {
            let (rows, columns) = block.shape();
            let at = |p: usize, q: usize| z[first + p * columns + q] / block.eigenvalues[(p, q)].sqrt();
            let left = DMatrix::from_fn(rows, columns, |row, q| {
                (0..rows).fold(0.0, |sum, p| sum + block.units[(row, p)] * at(p, q))
            });
            for row in 0..rows {
                for column in 0..columns {
                    let sum = (0..columns).fold(0.0, |sum, q| sum + left[(row, q)] * block.inputs[(column, q)]);
                    out[block.layer.index(row, column)] = sum * block.widths[column];
                }
            }
            first += rows * columns;
        }
        out
    }
}

impl Block {
    fn new(network: &Network, layer: Layer, factors: &Factors, damped: bool) -> Option<Self> {
        let width = |axis: usize| 1.0 / network.precisions[axis].sqrt();
        let mut widths = vec![width(layer.weights); layer.inputs];
        widths.push(width(layer.biases));
        let size = widths.len();
        let whitened = DMatrix::from_fn(size, size, |i, j| factors.inputs[(i, j)] * (widths[i] * widths[j]));
        let Eigen { values: inputs, vectors: input_vectors } = symmetric_eigen(&whitened)?;
        let Eigen { values: units, vectors: unit_vectors } = symmetric_eigen(&factors.units)?;
        let count = network.count as f64 * network.likelihood_factor;
        let eigenvalue = |p: usize, q: usize| {
            // Both factors have no negative eigenvalues but for rounding.
            let (g, a) = (units[p].max(0.0), inputs[q].max(0.0));
            if damped { (count.sqrt() * g + 1.0) * (count.sqrt() * a + 1.0) } else { count * g * a + 1.0 }
        };
        let eigenvalues = DMatrix::from_fn(layer.outputs, size, eigenvalue);
        Some(Self { layer, units: unit_vectors, inputs: input_vectors, eigenvalues, widths })
    }

    /// Rows and columns of the weights with their biases.
    fn shape(&self) -> (usize, usize) {
        (self.layer.outputs, self.layer.inputs + 1)
    }

    fn diagonal(&self, row: usize, column: usize) -> f64 {
        let (rows, columns) = self.shape();
        let mut sum = 0.0;
        for p in 0..rows {
            for q in 0..columns {
                let (u, v) = (self.units[(row, p)], self.inputs[(column, q)]);
                sum += u * u * (v * v) * self.eigenvalues[(p, q)];
            }
        }
        sum / (self.widths[column] * self.widths[column])
    }
}
