//! Random-walk Metropolis: proposals θ′ ~ N(θ, 2α I), accepted with probability min(1, p(θ′)/p(θ)).
//!
//! Metropolis et al. (1953), J. Chem. Phys. 21:1087, with a Gaussian proposal instead of their square. The variance of a
//! proposal is that of the noise in a Langevin step of size α, so that the two can be compared: only the gradient is
//! missing. The draws are exact at every step size; a poor step size makes the chain slow.

use std::sync::Arc;

use super::metropolis;
use super::stepwise::{self, Step};
use super::{
    Chunk, Gradient, Method, MethodBuilder, Needs, Population, Problem, Proposal, Scratch, StepRecord, parameters,
};
use crate::math::Point;
use crate::params::{Entry, KindSpec, ParamError, ParamSpec, Settings};
use crate::schedules::{Schedule, Stage};

const PARAMS: [ParamSpec; 5] =
    [parameters::CHAINS, parameters::STEPS, parameters::START, parameters::step_size("constant"), parameters::COLLECT];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "random-walk",
        label: "Random walk",
        help: "Random-walk Metropolis (1953): proposes a point nearby and accepts it according to its density, else the \
               chain stays. Needs no gradient; exact, but slow.",
        params: &PARAMS,
    },
    build,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RandomWalk;

impl Method for RandomWalk {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { pairs: 1, uniforms: 1 }
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        metropolis::fill_log_densities(problem, &chains.x, &chains.y, &mut scratch.log_density);
        for step in stepwise::each(steps, randomness, chains.len()) {
            propose(problem, &step, chains, scratch);
            let records = step.records(&mut track);
            for (chain, record) in records.iter_mut().enumerate() {
                *record = StepRecord { from: chains.position(chain), ..StepRecord::default() };
                record.injected_noise = Point::new(scratch.to[0][chain], scratch.to[1][chain]) - record.from;
            }
            metropolis::decide(&step, chains, scratch, |chain, proposal: &Proposal| {
                if let Some(record) = records.get_mut(chain) {
                    record.proposal = Some(*proposal);
                }
            });
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = chains.position(chain);
            }
            step.keep(chains, &mut track);
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
    scratch.resize(chains.len());
    let sd = (2.0 * step.alpha).sqrt();
    let Scratch { to, to_log_density, correction, .. } = scratch;
    // The proposal is symmetric.
    correction.fill(0.0);
    to[1].copy_from_slice(&chains.y);
    let axes = to.iter_mut().zip([&chains.x, &chains.y]).zip(step.pair(0));
    for ((to, from), normals) in axes.take(problem.target.info().dimension) {
        for ((to, from), normal) in to.iter_mut().zip(from).zip(normals) {
            *to = from + sd * normal;
        }
    }
    metropolis::fill_log_densities(problem, &to[0], &to[1], to_log_density);
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(RandomWalk))
}
