//! State of SWAG: an iterate of SGD, and the moments of those that have been collected.

use std::collections::VecDeque;

use nalgebra::{DMatrix, DVector};

use super::{Root, VectorGaussian};
use base::math::{Distribution, Matrix};
use models::targets::Projection;

/// The newest iterate, and what is known of the collected ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwagState {
    /// The newest iterate of SGD.
    pub iterate: Vec<f64>,
    /// Steps taken.
    pub steps: u64,
    /// Iterates collected.
    pub collected: u64,
    /// θ̄, their mean.
    pub mean: Vec<f64>,
    /// Σ (θ − θ̄)² over them, coordinate by coordinate.
    pub scatter: Vec<f64>,
    /// The newest columns of D̂: θᵢ − θ̄ᵢ with the mean θ̄ᵢ of the iterates up to this one.
    pub deviations: VecDeque<Vec<f64>>,
}

impl SwagState {
    /// Before the first step.
    #[must_use]
    pub fn at(position: Vec<f64>) -> Self {
        Self { iterate: position, ..Self::default() }
    }

    /// Collects the iterate, and keeps the newest `rank` deviations.
    pub(crate) fn collect(&mut self, rank: usize) {
        self.collected += 1;
        self.mean.resize(self.iterate.len(), 0.0);
        self.scatter.resize(self.iterate.len(), 0.0);
        while self.deviations.len() >= rank.max(1) {
            self.deviations.pop_front();
        }
        let mut deviation = Vec::with_capacity(self.iterate.len());
        for ((coordinate, mean), scatter) in self.iterate.iter().zip(&mut self.mean).zip(&mut self.scatter) {
            let before = coordinate - *mean;
            *mean += before / self.collected as f64;
            *scatter += before * (coordinate - *mean);
            deviation.push(coordinate - *mean);
        }
        self.deviations.push_back(deviation);
    }

    /// Where the chain is: at θ̄, or at the iterate before any is collected.
    #[must_use]
    pub fn position(&self) -> &[f64] {
        if self.collected > 0 { &self.mean } else { &self.iterate }
    }

    /// √(Dⱼⱼ/2), with D = mean θ² − θ̄².
    fn sd(&self, axis: usize) -> f64 {
        (0.5 * (self.scatter[axis] / self.collected as f64)).sqrt()
    }

    /// What a column of D̂ is multiplied by: 1/√(2(K − 1)).
    fn share(&self) -> f64 {
        1.0 / (2.0 * (self.deviations.len() as f64 - 1.0)).sqrt()
    }

    /// The distribution in all dimensions; `None` with fewer than two columns.
    #[must_use]
    pub fn gaussian(&self) -> Option<VectorGaussian> {
        let (d, kept) = (self.mean.len(), self.deviations.len());
        if kept < 2 {
            return None;
        }
        let mut root = DMatrix::zeros(d, d + kept);
        (0..d).for_each(|axis| root[(axis, axis)] = self.sd(axis));
        let share = self.share();
        for (deviation, mut column) in self.deviations.iter().zip(root.column_iter_mut().skip(d)) {
            column.iter_mut().zip(deviation).for_each(|(entry, deviation)| *entry = share * deviation);
        }
        Some(VectorGaussian { mean: DVector::from_column_slice(&self.mean), root: Root::Full(root) })
    }

    /// The same in the plane of a projection, of a target that has `dimension` 1 or 2 there.
    #[must_use]
    pub fn projected(&self, dimension: usize, projection: &Projection) -> Option<Distribution> {
        let d = self.mean.len();
        if self.deviations.len() < 2 {
            return None;
        }
        let share = self.share();
        let own =
            (0..d).map(|column| projection.displacement(d, |axis| if axis == column { self.sd(axis) } else { 0.0 }));
        let common = self.deviations.iter().map(|deviation| projection.displacement(d, |axis| share * deviation[axis]));
        let covariance = own.chain(common).map(|image| image * image.transpose()).sum::<Matrix>();
        let mean = projection.image(d, |axis| self.mean[axis]);
        Some(Distribution::gaussian(dimension, mean, covariance)).filter(Distribution::is_sound)
    }
}
