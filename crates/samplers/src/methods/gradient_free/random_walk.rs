//! Random-walk Metropolis: proposals θ′ ~ N(θ, 2α I), accepted with probability min(1, p(θ′)/p(θ)).
//!
//! Metropolis et al. (1953), J. Chem. Phys. 21:1087, with a Gaussian proposal instead of their square. The variance of a
//! proposal is that of the noise in a Langevin step of size α, so that the two can be compared: only the gradient is
//! missing. The draws are exact at every step size; a poor step size makes the chain slow.

use std::sync::Arc;

use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Dynamics, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Scratch, StepRecord,
    StepScale, StepSpec,
};
use crate::schedules::{CONSTANT, Schedule, Stage};
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 5] =
    [parameters::CHAINS, parameters::STEPS, parameters::START, parameters::step_size(CONSTANT), parameters::COLLECT];

/// The step, also of methods that take the same one.
pub(crate) const STEP: StepSpec = StepSpec {
    formula: "θ′ = θ + noise, accepted with probability min(1, p(θ′)/p(θ)).",
    noise: StepSpec::LANGEVIN_NOISE,
    scale: StepScale::Langevin,
};

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "random-walk",
        label: "Random walk",
        help: "Random-walk Metropolis (1953): proposes a point nearby and accepts it according to its density, else the \
               chain stays. Needs no gradient; exact, but slow.",
        params: &PARAMS,
    },
    group: MethodGroup::WithoutGradients,
    build,
    step: Some(STEP),
    algorithm: include_str!("random_walk.py"),
    sources: &[sources::METROPOLIS],
    usual: None,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomWalk;

impl Method for RandomWalk {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 1, uniforms: 1, masks: false }
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn dynamics(&self) -> Dynamics {
        Dynamics::RandomWalk
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.fill_log_densities(problem, chains);
        for step in stepwise::each(steps, randomness, &chains.positions) {
            propose(problem, &step, chains, scratch);
            let records = step.records(&mut track);
            for (chain, record) in records.iter_mut().enumerate() {
                *record = StepRecord { from: problem.position(&chains.positions, chain), ..StepRecord::default() };
                record.injected_noise = problem.position(&scratch.to, chain) - record.from;
            }
            metropolis::decide(problem, &step, chains, scratch, records);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    fn uses_gradients(&self) -> bool {
        false
    }

    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        1.0
    }
}

/// Computes the proposals and their log densities.
fn propose(problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
    scratch.resize(&chains.positions);
    let sd = (2.0 * step.alpha).sqrt();
    let normals = step.normals(0);
    let Scratch { to, correction, .. } = &mut *scratch;
    // The proposal is symmetric.
    correction.fill(0.0);
    to.clone_from(&chains.positions);
    for (axis, to) in to.axes_mut().enumerate().take(problem.free) {
        for (to, normal) in to.iter_mut().zip(normals.axis(axis)) {
            *to += sd * normal;
        }
    }
    scratch.fill_proposed(problem);
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(RandomWalk))
}
