//! Random-walk Metropolis: proposals θ′ ~ N(θ, 2α I), accepted with probability min(1, p(θ′)/p(θ)).
//!
//! Metropolis et al. (1953), J. Chem. Phys. 21:1087, with a Gaussian for their square. The variance of a proposal is
//! that of the noise in a Langevin step of size α, so that the two can be compared: all that is missing is
//! the gradient. The draws are exact at every step size; what suffers is how far the chain gets.

use std::sync::Arc;

use super::metropolis;
use super::stepwise::{self, Step};
use super::{
    Gradient, Method, MethodBuilder, Needs, Population, Problem, Proposal, Randomness, Scratch, StepRecord, Steps,
    Track, parameters,
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
        help: "Random-walk Metropolis (1953): tries a place nearby, goes there if it is likely enough, and stays \
               otherwise. Needs no gradient, is exact, and slow.",
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

    fn advance(
        &self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        randomness: Randomness<'_>,
        chains: &mut Population,
        mut track: Track<'_>,
        scratch: &mut Scratch,
    ) {
        metropolis::fill_log_densities(problem, &chains.x, &chains.y, &mut scratch.log_density);
        for step in stepwise::each(*steps, randomness, chains.len()) {
            propose(problem, &step, chains, scratch);
            let records = step.records(&mut track);
            for (chain, record) in records.iter_mut().enumerate() {
                *record = StepRecord { from: chains.position(chain), ..StepRecord::default() };
                record.injected_noise = Point::new(scratch.to[0][chain], scratch.to[1][chain]) - record.from;
            }
            metropolis::settle(&step, chains, scratch, |chain, proposal: &Proposal| {
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

    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        1.0
    }
}

/// Works out the proposals and the log densities there.
fn propose(problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
    scratch.make_room(chains.len());
    let sd = (2.0 * step.alpha).sqrt();
    let Scratch { to, to_log_density, correction, .. } = scratch;
    // The density of the way there is that of the way back.
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
