//! Scratch memory: buffers for the intermediate results of a step.

use super::expectation::Evaluations;
use super::stepwise::Step;
use super::{Population, Problem};

/// Buffers for intermediate results, with one entry per chain unless stated otherwise. They keep their capacity between
/// chunks, so that later chunks do not allocate; their contents are valid within a chunk only.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Gradient estimates, first coordinates.
    pub gx: Vec<f64>,
    /// Gradient estimates, second coordinates.
    pub gy: Vec<f64>,
    /// Full gradients, by coordinates.
    pub full: [Vec<f64>; 2],
    /// Log densities at the positions of the chains.
    pub log_density: Vec<f64>,
    /// Proposals, or the newest points of the paths.
    pub to: [Vec<f64>; 2],
    /// Gradient estimates there.
    pub to_gradient: [Vec<f64>; 2],
    /// Full gradients there.
    pub to_full: [Vec<f64>; 2],
    /// Log densities there.
    pub to_log_density: Vec<f64>,
    /// The terms of the log acceptance ratio besides the log densities.
    pub correction: Vec<f64>,
    /// Momenta along a path.
    pub momentum: [Vec<f64>; 2],
    /// The share of the momentum that friction leaves.
    pub kept: Vec<f64>,
    /// Standard deviations of the injected noise, or corrections of the drift, by coordinates.
    pub spread: [Vec<f64>; 2],
    /// Standard deviations of injected noise, one per step.
    pub injected: Vec<f64>,
    /// Standard deviations of the displacements by gradient noise, one per step.
    pub disturbed: Vec<f64>,
    /// Expectations under an approximation, of one chain after another.
    pub evaluations: Evaluations,
}

impl Scratch {
    /// Resizes the buffers for proposals and their gradients.
    pub(super) fn resize(&mut self, chains: usize) {
        let Self { to, to_gradient, to_full, momentum, full, .. } = self;
        for room in [to, to_gradient, to_full, momentum, full].into_iter().flatten() {
            room.resize(chains, 0.0);
        }
        for room in [&mut self.gx, &mut self.gy, &mut self.correction] {
            room.resize(chains, 0.0);
        }
    }

    /// Fills in the gradient estimates at the positions of the chains, with their noise from the first pair of normals.
    pub(super) fn fill_estimates(&mut self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population) {
        let Self { gx, gy, .. } = self;
        gx.resize(chains.len(), 0.0);
        gy.resize(chains.len(), 0.0);
        problem.gradient.estimates(problem, step.batches, (&chains.x, &chains.y), (gx, gy));
        problem.gradient.disturb(problem, 1.0, step.pair(0), [gx, gy]);
    }

    /// Fills in the full gradients at the positions of the first `count` chains.
    pub(super) fn fill_full(&mut self, problem: &Problem<'_>, chains: &Population, count: usize) {
        for room in &mut self.full {
            room.resize(room.len().max(count), 0.0);
        }
        let [full_x, full_y] = &mut self.full;
        let (at_x, at_y) = (&chains.x[..count], &chains.y[..count]);
        problem.target.gradients(problem.simd, at_x, at_y, &mut full_x[..count], &mut full_y[..count]);
    }

    /// The estimate and the full gradient of a chain along an axis.
    pub(super) fn gradient(&self, axis: usize, chain: usize) -> (f64, f64) {
        let estimate = if axis == 0 { &self.gx } else { &self.gy };
        (estimate[chain], self.full[axis][chain])
    }
}
