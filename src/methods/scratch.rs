//! Room in which methods work out their steps.

use super::expectation::Evaluations;
use super::stepwise::Step;
use super::{Population, Problem};

/// Room for intermediate results, one entry per chain unless it says otherwise; kept between chunks so that none
/// of them allocates. Nothing in it outlives a chunk.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Gradient estimates, first coordinates.
    pub gx: Vec<f64>,
    /// Gradient estimates, second coordinates.
    pub gy: Vec<f64>,
    /// Full gradients, by coordinates.
    pub full: [Vec<f64>; 2],
    /// Log densities where the chains are.
    pub log_density: Vec<f64>,
    /// Proposals, or the places that paths have reached.
    pub to: [Vec<f64>; 2],
    /// Gradient estimates there.
    pub to_gradient: [Vec<f64>; 2],
    /// Full gradients there.
    pub to_full: [Vec<f64>; 2],
    /// Log densities there.
    pub to_log_density: Vec<f64>,
    /// What is added to their difference to decide on a proposal.
    pub correction: Vec<f64>,
    /// Momenta along a path.
    pub momentum: [Vec<f64>; 2],
    /// What friction leaves of the momentum.
    pub kept: Vec<f64>,
    /// What else there is for each coordinate: standard deviations of injected noise, corrections of the drift.
    pub spread: [Vec<f64>; 2],
    /// Standard deviations of injected noise, one per step.
    pub injected: Vec<f64>,
    /// Standard deviations of the displacements by gradient noise, one per step.
    pub disturbed: Vec<f64>,
    /// What has been evaluated under a distribution, of one chain after another.
    pub evaluations: Evaluations,
}

impl Scratch {
    /// Makes room for proposals and what belongs to them.
    pub(super) fn make_room(&mut self, chains: usize) {
        let Self { to, to_gradient, to_full, momentum, full, .. } = self;
        for room in [to, to_gradient, to_full, momentum, full].into_iter().flatten() {
            room.resize(chains, 0.0);
        }
        for room in [&mut self.gx, &mut self.gy, &mut self.correction] {
            room.resize(chains, 0.0);
        }
    }

    /// Fills in the gradient estimates where the chains are, with their noise, which is made of the first pair of normals.
    pub(super) fn fill_estimates(&mut self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population) {
        let Self { gx, gy, .. } = self;
        gx.resize(chains.len(), 0.0);
        gy.resize(chains.len(), 0.0);
        problem.gradient.estimates(problem, step.batch, (&chains.x, &chains.y), (gx, gy));
        problem.gradient.disturb(problem, 1.0, step.pair(0), [gx, gy]);
    }

    /// Fills in the full gradients where the first `count` chains are.
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
