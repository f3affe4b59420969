//! Scratch memory: buffers for the intermediate results of a step.

use super::stepwise::Step;
use super::told::Told;
use crate::methods::approximations::expectation::Evaluations;
use crate::methods::gradient_free::adaptive_metropolis::Past;
use crate::methods::gradient_free::gibbs::GibbsSweep;
use crate::methods::hamiltonian::adaptation::Adapter;
use crate::methods::hamiltonian::mclmc_tuning::Tuner;
use crate::methods::hamiltonian::nuts::Trajectories;
use crate::methods::{Population, Problem, Transition};
use base::math::Coords;

/// Buffers for intermediate results, with one entry per chain unless stated otherwise. They keep their capacity between
/// chunks, so that later chunks do not allocate; their contents are valid within a chunk only.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Gradient estimates.
    pub gradient: Coords,
    /// Full gradients.
    pub full: Coords,
    /// Log densities at the positions of the chains.
    pub log_density: Vec<f64>,
    /// Proposals, or the newest points of the paths.
    pub to: Coords,
    /// Gradient estimates there.
    pub to_gradient: Coords,
    /// Full gradients there.
    pub to_full: Coords,
    /// Log densities there.
    pub to_log_density: Vec<f64>,
    /// Replicas of the chains, one temperature after the other.
    pub replicas: Coords,
    /// The terms of the log acceptance ratio besides the log densities.
    pub correction: Vec<f64>,
    /// Momenta along a path.
    pub momentum: Coords,
    /// Distances that a unit of momentum goes in a leapfrog step, by coordinates; of MCLMC h and L.
    pub paces: Coords,
    /// The adaptation of one chain after another.
    pub adapter: Adapter,
    /// The tuning of one chain after another.
    pub tuner: Tuner,
    /// The change of the kinetic energy of a step.
    pub kinetic: Vec<f64>,
    /// The share of the momentum that friction leaves.
    pub kept: Vec<f64>,
    /// Standard deviations of the injected noise, or corrections of the drift, by coordinates.
    pub spread: Coords,
    /// Scales of the displacements of Euler steps, one per step.
    pub scales: Vec<f64>,
    /// Numbers that these scales multiply, by coordinates, where they are not the normals themselves.
    pub displaced: [Vec<f64>; 2],
    /// Standard deviations of the displacements by gradient noise, one per step.
    pub disturbed: Vec<f64>,
    /// Positions of the chains whose steps are recorded.
    pub recorded: Coords,
    /// The weights that the method gives to the draws of the steps of the chunk, besides those of its plan: one per step, of a
    /// single chain. Empty if all draws weigh the same.
    pub weights: Vec<f64>,
    /// The transitions of the steps of the chunk, one per chain, step by step; empty if the method tells nothing of them.
    pub transitions: Vec<Transition>,
    /// One vector, of one chain after another.
    pub vector: Vec<f64>,
    /// Memory of the model.
    pub memory: Vec<f64>,
    /// Expectations under an approximation, of one chain after another.
    pub evaluations: Evaluations,
    /// Trajectories of the No-U-Turn sampler.
    pub trajectories: Trajectories,
    /// Draws of coordinates of Gibbs sampling.
    pub sweep: GibbsSweep,
    /// What chains of adaptive Metropolis know of their past.
    pub pasts: Vec<Past>,
    /// What is told of the step of one fit after another.
    pub told: Told,
}

impl Scratch {
    /// Resizes the buffers for proposals and their gradients to the shape of `positions`.
    #[inline]
    pub(crate) fn resize(&mut self, positions: &Coords) {
        let Self { gradient, full, to, to_gradient, to_full, momentum, .. } = self;
        for buffer in [gradient, full, to, to_gradient, to_full, momentum] {
            buffer.resize(positions.dimension(), positions.len());
        }
        self.correction.resize(positions.len(), 0.0);
    }

    /// Fills in the gradient estimates at the positions of the chains, with their noise from the first vector of normals.
    #[inline]
    pub(crate) fn fill_estimates(&mut self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population) {
        let Self { gradient, memory, .. } = self;
        gradient.resize(chains.positions.dimension(), chains.len());
        problem.gradient.estimates(problem, step.batches, &chains.positions, memory, gradient);
        problem.gradient.disturb(problem, 1.0, step.normals(0), gradient);
    }

    /// Fills in the full gradients at the positions of the first `count` chains.
    pub(crate) fn fill_full(&mut self, problem: &Problem<'_>, chains: &Population, count: usize) {
        let Self { full, recorded, memory, .. } = self;
        let positions = if count < chains.len() {
            recorded.copy_first(&chains.positions, count);
            &*recorded
        } else {
            &chains.positions
        };
        full.resize(positions.dimension(), positions.len());
        problem.gradients(positions, memory, full);
    }

    /// Fills in the log densities at the positions of all chains.
    #[inline]
    pub(crate) fn fill_log_densities(&mut self, problem: &Problem<'_>, chains: &Population) {
        let Self { log_density, memory, .. } = self;
        log_density.resize(chains.len(), 0.0);
        problem.log_densities(&chains.positions, memory, log_density);
    }

    /// Fills in the log densities of the proposals.
    #[inline]
    pub(crate) fn fill_proposed(&mut self, problem: &Problem<'_>) {
        let Self { to, to_log_density, memory, .. } = self;
        to_log_density.resize(to.len(), 0.0);
        problem.log_densities(to, memory, to_log_density);
    }

    /// Makes all standard deviations of injected noise the same, for chains at `positions`.
    #[inline]
    pub(crate) fn spread_evenly(&mut self, positions: &Coords, sd: f64) {
        self.spread.resize(positions.dimension(), positions.len());
        self.spread.values_mut().fill(sd);
    }
}
