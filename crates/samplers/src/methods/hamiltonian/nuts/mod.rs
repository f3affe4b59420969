//! The No-U-Turn sampler: a trajectory of the dynamics of H(θ, r) = −log p(θ) + ½‖r‖² that doubles, forward or backward in
//! time, until its ends turn towards each other; the draw is one of its leaves.
//!
//! Hoffman and Gelman (2014), "The No-U-Turn sampler", J. Mach. Learn. Res. 15:1593, arXiv:1111.4246; in the multinomial form
//! of Betancourt (2017), "A conceptual introduction to Hamiltonian Monte Carlo", arXiv:1701.02434, appendix A:
//!
//! 1. r ~ N(0, I). Every doubling chooses a direction with probability ½ and adds a subtree of as many leapfrog steps as
//!    the trajectory has leaves.
//! 2. A subtree with a turn within it, or with a divergence (H′ − H > 1000), is dropped and ends the trajectory.
//! 3. Within a subtree a leaf is chosen with a probability proportional to exp(−H). It becomes the draw with probability
//!    min(1, w′/w), w′ and w the sums of these weights over the subtree and over the trajectory before it.
//! 4. The trajectory ends where ρ · r⁻ > 0 and ρ · r⁺ > 0 no longer hold, r⁻ and r⁺ the momenta at its ends and ρ the sum of all
//!    its momenta, which takes the place of θ⁺ − θ⁻; with the further checks of Stan across subtrees (`tree`); or after
//!    `max_depth` doublings.
//!
//! A leapfrog step is that of [`super::hmc`], also with its reflections: they keep volume and are reversed with time, so the
//! leaves are those of an invertible map, whatever the turns are measured by. The draws are exact at every step size.
//!
//! A step needs one vector of normals and three uniforms per possible doubling, whether it uses them or not. Its cost, one
//! evaluation per leapfrog step, differs from step to step; it is counted in [`Population::evaluations`]. The chains of a
//! block take their leapfrog steps side by side, those whose trajectory has ended no longer.
//!
//! With a mass matrix M, r is the momentum at unit mass: θ moves with velocity A r and r changes by Aᵀ ∇ log p, A Aᵀ = M⁻¹.
//! Step size and mass matrix are adapted per chain during a warm-up ([`super::adaptation`]), in which draws are not exact: the
//! burn-in should be at least as long. They stay as they are afterwards.

mod leapfrog;
mod records;
mod settings;
mod tree;

use std::sync::Arc;

use crate::methods::kit::record::{Leaf, Stop};
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{dynamics, metropolis};
use crate::methods::{
    Chunk, Dynamics, Gradient, Method, Milestone, Needs, OnDensities, Population, Problem, Scratch, StepRecord,
    Transition, Transitions,
};
use crate::schedules::{Schedule, Stage};
use base::math::Coords;
use base::params::ParamError;
use models::targets::{Model, Space};
pub(crate) use settings::ENTRY;

use super::adaptation::{Adaptation, Adapter, Mass};
use records::note;
use tree::{Tree, UNIFORMS, Visit};

/// Most coordinates with a dense mass matrix: every chain keeps two triangles of numbers.
const MOST_DENSE: usize = 64;

/// Leapfrog steps of a step of which nothing is known yet.
const USUAL: f64 = 7.0;

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nuts {
    /// The largest number of doublings, from 1 to 10.
    pub max_depth: usize,
    /// What is adapted.
    pub adaptation: Adaptation,
}

impl Default for Nuts {
    fn default() -> Self {
        Self { max_depth: 10, adaptation: Adaptation::default() }
    }
}

/// Working memory: the trajectories of all chains, and what belongs to the leapfrog step that they take side by side.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    chains: Vec<ChainTrajectory>,
    /// The chains whose trajectory is under way.
    active: Vec<usize>,
    /// Their fronts: positions, velocities, gradients and log densities.
    positions: Coords,
    velocities: Coords,
    gradients: Coords,
    log_densities: Vec<f64>,
    /// Memory of the model.
    model: Vec<f64>,
}

/// Working memory of a chain.
#[derive(Clone, Debug, Default)]
struct ChainTrajectory {
    tree: Tree,
    adapter: Adapter,
    /// The step size.
    h: f64,
    /// Whether the trajectory has ended, and whether by a divergence.
    ended: bool,
    divergent: bool,
    velocity: Vec<f64>,
    force: Vec<f64>,
    /// The transition of its newest trajectory.
    transition: Transition,
}

impl Method for Nuts {
    fn dynamics(&self) -> Dynamics {
        dynamics::PATHS
    }

    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 1, uniforms: UNIFORMS * self.max_depth, masks: false }
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let dimension = space.model().map_or(0, Model::dimension);
        if self.adaptation.mass != Mass::Dense || dimension <= MOST_DENSE {
            return self.on_densities(space);
        }
        let problem = format!("the target has {dimension} coordinates, too many for a dense mass matrix");
        Err(ParamError::new("mass", problem, format!("unit, diagonal, or at most {MOST_DENSE} coordinates")))
    }

    fn carries(&self) -> &'static [&'static str] {
        self.adaptation.carries()
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        Population { carried: self.adaptation.carried(starts.dimension(), starts.len()), ..Population::at(starts) }
    }

    fn milestones(&self) -> Vec<Milestone> {
        self.adaptation.milestones()
    }

    fn transitions(&self) -> Option<Transitions> {
        Some(Transitions { doubles: true, adapts: self.adaptation.adapts() && self.adaptation.step_size })
    }

    /// The limit of leapfrog steps at unit mass and the step size of the schedule; none where that is adapted.
    fn stable_below(&self, curvature: f64) -> Option<f64> {
        (!self.adaptation.adapts()).then(|| 2.0 / curvature.sqrt())
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.fill_full(problem, chains, chains.len());
        scratch.fill_log_densities(problem, chains);
        let mut trajectories = std::mem::take(&mut scratch.trajectories);
        self.load(&mut trajectories, chains);
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            self.begin(problem, &step, chains, scratch, &mut trajectories);
            self.begin_records(problem, chains, &mut trajectories, records);
            while !trajectories.active.is_empty() {
                self.leap(problem, &mut trajectories);
                self.visit(problem, &step, &mut trajectories, records);
            }
            self.end((problem, step.alpha), chains, scratch, &mut trajectories, records);
            scratch.transitions.extend(trajectories.chains.iter().take(chains.len()).map(|own| own.transition));
            step.keep(problem, chains, &mut track);
        }
        for (chain, own) in trajectories.chains.iter().enumerate().take(chains.len()) {
            own.adapter.store(&mut chains.carried, chain);
        }
        scratch.trajectories = trajectories;
    }

    fn most_evaluations(&self) -> Option<f64> {
        Some(((1_u64 << self.max_depth) - 1) as f64)
    }

    /// A guess; [`Population::evaluations`] is the true count.
    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        USUAL.min(((1_u64 << self.max_depth) - 1) as f64)
    }
}

impl Nuts {
    /// Grows the memory to all chains, with their adaptation.
    fn load(&self, trajectories: &mut Trajectories, chains: &Population) {
        let dimension = chains.positions.dimension();
        if trajectories.chains.len() < chains.len() {
            trajectories.chains.resize_with(chains.len(), ChainTrajectory::default);
        }
        for (chain, own) in trajectories.chains.iter_mut().enumerate().take(chains.len()) {
            own.tree.resize(dimension, self.max_depth);
            own.adapter.load(&chains.carried, chain);
            own.velocity.resize(dimension, 0.0);
            own.force.resize(dimension, 0.0);
        }
    }

    /// Begins the trajectories of all chains that are somewhere.
    fn begin(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &Scratch,
        trajectories: &mut Trajectories,
    ) {
        let normals = step.normals(0);
        trajectories.active.clear();
        for (chain, own) in trajectories.chains.iter_mut().enumerate().take(chains.len()) {
            let front = &mut own.tree.front;
            for axis in 0..chains.positions.dimension() {
                front.position[axis] = chains.positions.get(chain, axis);
                front.gradient[axis] = scratch.full.get(chain, axis);
                front.momentum[axis] = if axis < problem.free { normals.axis(axis)[chain] } else { 0.0 };
            }
            front.log_density = scratch.log_density[chain];
            own.h = step.alpha * if self.adaptation.adapts() { own.adapter.factor() } else { 1.0 };
            let somewhere = front.position.iter().all(|coordinate| coordinate.is_finite());
            if own.tree.begin() && somewhere {
                own.tree.double(self.uniforms(step, chain, 0));
                trajectories.active.push(chain);
            }
        }
    }

    /// The uniforms of a doubling.
    fn uniforms(&self, step: &Step<'_>, chain: usize, depth: usize) -> [f64; UNIFORMS] {
        let uniforms = step.uniforms();
        let chains = uniforms.len() / (UNIFORMS * self.max_depth);
        std::array::from_fn(|number| uniforms[(depth * UNIFORMS + number) * chains + chain])
    }

    /// Adds the new leaves to their trajectories; those that go on begin their next doubling where one is finished.
    fn visit(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        trajectories: &mut Trajectories,
        records: &mut [StepRecord],
    ) {
        let Trajectories { chains, active, positions, .. } = trajectories;
        for (slot, &chain) in active.iter().enumerate() {
            let ChainTrajectory { tree, adapter, velocity, .. } = &mut chains[chain];
            let trajectory = records.get_mut(chain).and_then(|record| record.trajectory.as_deref_mut());
            let (forward, log_weight) = (tree.forward, tree.log_weight());
            let visit = tree.visit();
            if visit.is_doubled() {
                tree.double(self.uniforms(step, chain, tree.depth()));
            }
            if let Some(trajectory) = trajectory {
                let leaf = Leaf { at: problem.position(positions, slot), log_weight };
                note(trajectory, leaf, forward, visit);
                if let Some(doubling) = trajectory.doublings.last_mut().filter(|doubling| doubling.finished) {
                    (doubling.chosen, doubling.products) = (tree.chosen_leaf, tree.products);
                    doubling.velocities = self.velocities(problem, adapter, &tree.ends, velocity);
                }
            }
            chains[chain].ended = visit.is_ended();
            chains[chain].divergent = matches!(visit, Visit::Ended(Stop::Divergence, _));
        }
        active.retain(|&chain| !chains[chain].ended);
    }

    /// Moves the chains to their draws, and learns from the trajectories; `alpha` is the step size of the schedule.
    fn end(
        &self,
        (problem, alpha): (&Problem<'_>, f64),
        chains: &mut Population,
        scratch: &mut Scratch,
        trajectories: &mut Trajectories,
        records: &mut [StepRecord],
    ) {
        let Scratch { full, log_density, .. } = scratch;
        for (chain, own) in trajectories.chains.iter_mut().enumerate().take(log_density.len()) {
            own.transition = self.transition(own);
            let Tree { chosen, leaves, chosen_leaf, .. } = &own.tree;
            if *leaves > 0 {
                chains.positions.set(chain, &chosen.position);
                full.set(chain, &chosen.gradient);
                log_density[chain] = chosen.log_density;
                chains.evaluations += *leaves as u64;
                chains.acceptance.count(own.tree.acceptance(), *chosen_leaf > 0);
                if self.adaptation.adapts() {
                    let most = own.adapter.most(problem, self.adaptation.kept_mass());
                    own.adapter.learn(
                        &self.adaptation,
                        (own.tree.acceptance(), most / alpha),
                        &own.tree.chosen.position,
                    );
                }
            }
            if let Some(record) = records.get_mut(chain) {
                self.end_record(problem, (chains, chain), own, record);
            }
        }
    }
}
