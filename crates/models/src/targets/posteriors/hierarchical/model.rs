//! The log density of the hierarchy in the coordinates of chains, centred or not.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::given::{CENTRED, Hierarchy, STANDARDISED};
use crate::targets::kit::by_rows;
use crate::targets::{Curvature, CurvatureError, KnownQuantities, Minibatches, Model, Precision, Quantities};
use base::math::elementary::{exp, ln};
use base::math::{Coords, Simd, Stream, symmetric_eigen};

/// A datum: its group, its value and the variance of its noise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Datum {
    pub(super) group: usize,
    pub(super) y: f64,
    pub(super) variance: f64,
}

/// Data and hierarchy, with what is known of it.
#[derive(Debug)]
pub(super) struct Posterior {
    pub(super) hierarchy: Hierarchy,
    pub(super) data: Vec<Datum>,
    /// The values of the data.
    pub(super) responses: Vec<f64>,
    pub(super) start: Vec<f64>,
    pub(super) quantities: Arc<dyn KnownQuantities>,
}

const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_7;

impl Posterior {
    fn groups(&self) -> usize {
        self.hierarchy.count()
    }

    /// ln p̃ without its constants, and its gradient, with a factor before the data of the groups.
    fn at(&self, at: &[f64], out: &mut [f64]) -> f64 {
        let groups = self.groups();
        let (mu, t) = (at[groups], at[groups + 1]);
        let (tau, count) = (exp(t), groups as f64);
        out.fill(0.0);
        let mut log = self.hierarchy.constant - HALF_LOG_TAU * (2.0 * count);
        for (j, [y, variance]) in self.hierarchy.groups.iter().enumerate() {
            let theta = self.hierarchy.theta(at, j);
            let pull = (y - theta) / variance;
            log -= 0.5 * pull * (y - theta) + 0.5 * ln(*variance);
            self.add_pull(at, tau, (j, pull), out);
            log += self.add_prior(at, (mu, tau), j, out);
        }
        if !self.hierarchy.is_standardised {
            log -= count * t;
            out[groups + 1] -= count;
        }
        let [mean, precision] = self.hierarchy.mu;
        log += if precision > 0.0 {
            0.5 * ln(precision) - HALF_LOG_TAU - 0.5 * precision * (mu - mean) * (mu - mean)
        } else {
            0.0
        };
        out[groups] -= precision * (mu - mean);
        let prior = self.hierarchy.tau.log(t);
        out[groups + 1] += prior[1] + 1.0;
        log + prior[0] + t
    }

    /// What ∂ ln p(data)/∂θⱼ is in the coordinates of chains.
    fn add_pull(&self, at: &[f64], tau: f64, (j, pull): (usize, f64), out: &mut [f64]) {
        let groups = self.groups();
        if self.hierarchy.is_standardised {
            out[j] += tau * pull;
            out[groups] += pull;
            out[groups + 1] += tau * at[j] * pull;
        } else {
            out[j] += pull;
        }
    }

    /// The prior of a group, without −t of the centred one.
    fn add_prior(&self, at: &[f64], (mu, tau): (f64, f64), j: usize, out: &mut [f64]) -> f64 {
        let groups = self.groups();
        if self.hierarchy.is_standardised {
            out[j] -= at[j];
            return -0.5 * at[j] * at[j];
        }
        let z = (at[j] - mu) / tau;
        out[j] -= z / tau;
        out[groups] += z / tau;
        out[groups + 1] += z * z;
        -0.5 * z * z
    }

    /// The gradient of the prior alone.
    fn prior_gradient(&self, at: &[f64], out: &mut [f64]) {
        let groups = self.groups();
        let (mu, t) = (at[groups], at[groups + 1]);
        out.fill(0.0);
        (0..groups).for_each(|j| {
            self.add_prior(at, (mu, exp(t)), j, out);
        });
        let [mean, precision] = self.hierarchy.mu;
        out[groups] -= precision * (mu - mean);
        let own = if self.hierarchy.is_standardised { 0.0 } else { groups as f64 };
        out[groups + 1] += self.hierarchy.tau.log(t)[1] + 1.0 - own;
    }

    fn add_datum(&self, at: &[f64], datum: Datum, scale: f64, out: &mut [f64]) {
        let tau = exp(at[self.groups() + 1]);
        let pull = scale * (datum.y - self.hierarchy.theta(at, datum.group)) / datum.variance;
        self.add_pull(at, tau, (datum.group, pull), out);
    }
}

/// The coordinates of the groups, with μ and t = ln τ.
fn split(at: &mut [f64]) -> (&mut [f64], [f64; 2]) {
    let (groups, shared) = at.split_at_mut(at.len().saturating_sub(2));
    let mut shared = shared.iter().copied();
    (groups, [(); 2].map(|()| shared.next().unwrap_or(0.0)))
}

impl Model for Posterior {
    fn dimension(&self) -> usize {
        self.groups() + 2
    }

    fn parametrisation(&self) -> &'static str {
        if self.hierarchy.is_standardised { STANDARDISED } else { CENTRED }
    }

    /// To the means θ of the groups.
    fn to_meaning(&self, at: &mut [f64]) {
        if self.hierarchy.is_standardised {
            let (groups, [mu, t]) = split(at);
            groups.iter_mut().for_each(|z| *z = mu + exp(t) * *z);
        }
    }

    fn of_meaning(&self, at: &mut [f64]) {
        if self.hierarchy.is_standardised {
            let (groups, [mu, t]) = split(at);
            groups.iter_mut().for_each(|theta| *theta = (*theta - mu) / exp(t));
        }
    }

    fn log_densities(&self, _simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        let d = self.dimension();
        for (index, out) in out.iter_mut().enumerate() {
            memory.clear();
            memory.extend(at.vector(index));
            memory.resize(2 * d, 0.0);
            let (at, gradient) = memory.split_at_mut(d);
            let log = self.at(at, gradient);
            // So far out that ∞ − ∞ is no number.
            *out = if log.is_nan() && !at.iter().any(|x| x.is_nan()) { f64::NEG_INFINITY } else { log };
        }
    }

    fn gradients(&self, _simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        let d = self.dimension();
        for index in 0..at.len() {
            memory.clear();
            memory.extend(at.vector(index));
            memory.resize(2 * d, 0.0);
            let (at, gradient) = memory.split_at_mut(d);
            self.at(at, gradient);
            out.set(index, gradient);
        }
    }

    fn data(&self) -> usize {
        self.data.len()
    }

    fn estimates(&self, _simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        let d = self.dimension();
        let scale = self.data.len() as f64 / batches.size().max(1) as f64;
        for index in 0..at.len() {
            memory.clear();
            memory.extend(at.vector(index));
            memory.resize(2 * d, 0.0);
            let (at, gradient) = memory.split_at_mut(d);
            self.prior_gradient(at, gradient);
            for row in batches.of(0, index).iter() {
                self.add_datum(at, self.data[row as usize], scale, gradient);
            }
            out.set(index, gradient);
        }
    }

    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        let at: Vec<f64> = at.vector(index).collect();
        let gradient = |row: usize, gradient: &mut [f64]| self.add_datum(&at, self.data[row], 1.0, gradient);
        by_rows::variances(self.data.len(), memory, out, gradient);
    }

    fn hessian(&self, at: &[f64]) -> Option<DMatrix<f64>> {
        let groups = self.groups();
        let tau = exp(at[groups + 1]);
        let mut hessian = DMatrix::zeros(groups + 2, groups + 2);
        let (m, t) = (groups, groups + 1);
        let mut add = |row: usize, column: usize, value: f64| {
            hessian[(row, column)] += value;
            if row != column {
                hessian[(column, row)] += value;
            }
        };
        for (j, [y, variance]) in self.hierarchy.groups.iter().enumerate() {
            let precision = 1.0 / variance;
            if self.hierarchy.is_standardised {
                // Of −½ (y − μ − τ z)²/σ² − ½ z².
                let (gap, move_t) = (y - at[m] - tau * at[j], tau * at[j]);
                add(j, j, -tau * tau * precision - 1.0);
                add(j, m, -tau * precision);
                add(j, t, precision * tau * (gap - move_t));
                add(m, m, -precision);
                add(m, t, -precision * move_t);
                add(t, t, precision * move_t * (gap - move_t));
            } else {
                // Of −½ (y − θ)²/σ² − ½ (θ − μ)²/τ².
                let (prior, z) = (1.0 / (tau * tau), (at[j] - at[m]) / tau);
                add(j, j, -precision - prior);
                add(j, m, prior);
                add(j, t, 2.0 * z / tau);
                add(m, m, -prior);
                add(m, t, -2.0 * z / tau);
                add(t, t, -2.0 * z * z);
            }
        }
        add(m, m, -self.hierarchy.mu[1]);
        add(t, t, self.hierarchy.tau.log(at[t])[2]);
        Some(hessian)
    }

    fn curvatures(&self) -> &'static [Curvature] {
        &[Curvature::Full, Curvature::Diagonal]
    }

    fn precision(&self, at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        Precision::of_hessian(self.hessian(at), curvature)
    }

    fn hessian_diagonal(&self, at: &Coords, index: usize, _memory: &mut Vec<f64>, out: &mut [f64]) -> bool {
        let at: Vec<f64> = at.vector(index).collect();
        let Some(hessian) = self.hessian(&at) else { return false };
        out.copy_from_slice(hessian.diagonal().as_slice());
        true
    }

    fn curvature(&self) -> Option<f64> {
        // Where chains start: the density has no highest point in a funnel.
        let eigen = symmetric_eigen(&-self.hessian(&self.start)?)?;
        eigen.values.last().copied().filter(|largest| *largest > 0.0)
    }

    fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool {
        self.quantities.exact_draw(stream, out)
    }

    fn unpooled(&self) -> Vec<(usize, [f64; 2])> {
        // θ stands behind z, μ, ln τ and τ where chains move in z.
        let first = if self.hierarchy.is_standardised { self.groups() + 3 } else { 0 };
        let groups = self.hierarchy.groups.iter().enumerate();
        groups.map(|(j, [y, variance])| (first + j, [*y, variance.sqrt()])).collect()
    }

    fn responses(&self) -> &[f64] {
        &self.responses
    }

    fn replicate(&self, at: &[f64], stream: &mut Stream, out: &mut [f64]) -> bool {
        for (out, datum) in out.iter_mut().zip(&self.data) {
            *out = self.hierarchy.theta(at, datum.group) + datum.variance.sqrt() * stream.normal_pair().0;
        }
        true
    }

    fn quantities(&self) -> Option<&dyn Quantities> {
        Some(self.quantities.as_ref())
    }
}
