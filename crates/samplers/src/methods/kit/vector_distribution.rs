//! Distributions of fits in d dimensions, from which draws of weights are made.

use crate::methods::VectorGaussian;
use base::math::Stream;
use models::targets::Model;
use models::targets::network::{Layout, Network};

/// The distribution of a fit in d dimensions.
#[derive(Clone, Debug, PartialEq)]
pub enum VectorDistribution {
    /// A Gaussian.
    Gaussian(VectorGaussian),
    /// The weights of a network whose hidden units are dropped at random.
    Masked(MaskedVector),
}

/// Weights θ with masks: with z ~ Bernoulli(1 − p) for each hidden unit, its outgoing weights are θ z/(1 − p), so that the network
/// of a draw is the network θ with the units with z = 0 dropped and the others scaled up. The mean of the draws is θ.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskedVector {
    /// θ.
    vector: Vec<f64>,
    /// The hidden unit behind each weight, if there is one.
    behind: Vec<Option<usize>>,
    /// Number of hidden units.
    units: usize,
    /// 1 − p.
    keep: f64,
}

impl MaskedVector {
    /// Of the weights θ of a model, which keeps each hidden unit with probability `keep`.
    #[must_use]
    pub fn new(vector: Vec<f64>, model: &dyn Model, keep: f64) -> Self {
        let layout = model.network().map(Network::layout);
        let behind = (0..vector.len()).map(|axis| layout?.unit_behind(axis)).collect();
        Self { vector, behind, units: layout.map_or(0, Layout::hidden_units), keep }
    }
}

impl VectorDistribution {
    /// d.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            Self::Gaussian(gaussian) => gaussian.dimension(),
            Self::Masked(masked) => masked.vector.len(),
        }
    }

    /// The distribution as a Gaussian, if it is one.
    #[must_use]
    pub fn gaussian(&self) -> Option<&VectorGaussian> {
        match self {
            Self::Gaussian(gaussian) => Some(gaussian),
            Self::Masked(_) => None,
        }
    }

    /// A draw, made of numbers of `stream`; of a Gaussian with its distance from the mean multiplied by `spread`.
    #[must_use]
    pub fn draw(&self, spread: f64, stream: &mut Stream) -> Vec<f64> {
        match self {
            Self::Gaussian(gaussian) => {
                let normals: Vec<f64> = (0..gaussian.normals()).map(|_| spread * stream.normal_pair().0).collect();
                let mut vector = vec![0.0; gaussian.dimension()];
                gaussian.draw(|axis| normals[axis], &mut vector);
                vector
            }
            Self::Masked(MaskedVector { vector, behind, units, keep }) => {
                let masks: Vec<f64> =
                    (0..*units).map(|_| if stream.uniform() < *keep { 1.0 / keep } else { 0.0 }).collect();
                let mask = |unit: &Option<usize>| unit.map_or(1.0, |unit| masks[unit]);
                vector.iter().zip(behind).map(|(weight, unit)| weight * mask(unit)).collect()
            }
        }
    }
}
