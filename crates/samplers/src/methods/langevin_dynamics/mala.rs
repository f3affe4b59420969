//! The Metropolis-adjusted Langevin algorithm: proposals θ′ = θ + α ĝ(θ) + √(2α) ξ, ξ ~ N(0, I), accepted with
//! probability min(1, r), r = p(θ′) q(θ|θ′) / (p(θ) q(θ′|θ)), q(θ′|θ) the density of the proposal.
//!
//! Roberts and Tweedie (1996), "Exponential convergence of Langevin distributions and their discrete approximations",
//! Bernoulli 2:341. With ĝ and ĝ′ the estimates at θ and θ′,
//!
//! ln r = ln p(θ′) − ln p(θ) + ½‖ξ‖² − ½‖ξ + √(α/2) (ĝ + ĝ′)‖²,
//!
//! which needs no division by α and is the energy error of one leapfrog step of [`crate::methods::hamiltonian::hmc`] with h = √(2α).
//!
//! With `noisy` and `minibatch` gradients the proposal uses an estimate and the decision the full density (not in the
//! paper). The proposal and its reverse use the same minibatch, or the same noise vector, which does not depend on the
//! position of the chain. So the step is reversible with respect to p for every minibatch, and the draws are exact; a
//! poor estimate causes more rejections.

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

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::step_size(CONSTANT),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "mala",
        label: "MALA",
        help: "The Metropolis-adjusted Langevin algorithm (Roberts and Tweedie 1996): Langevin steps are proposals, and \
               the rejection of some of them removes all bias.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "θ′ = θ + α ĝ + noise, accepted or rejected by the Metropolis rule.",
        noise: StepSpec::LANGEVIN_NOISE,
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("mala.py"),
    sources: &[sources::ROBERTS_TWEEDIE],
    usual: None,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mala;

impl Method for Mala {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors() + 1, uniforms: 1, masks: false }
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn langevin(&self) -> bool {
        true
    }

    fn dynamics(&self) -> Dynamics {
        Dynamics::AdjustedLangevin
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.resize(&chains.positions);
        scratch.fill_log_densities(problem, chains);
        if !is_batched(problem) {
            scratch.fill_full(problem, chains, chains.len());
        }
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            estimate_here(problem, &step, chains, scratch);
            propose(problem, &step, chains, scratch);
            begin_records(problem, &step, chains, scratch, records);
            estimate_there(problem, &step, scratch);
            correct(problem, &step, scratch);
            metropolis::decide(problem, &step, chains, scratch, records);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    /// The density and its gradient at the proposal; minibatches need two gradients more.
    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        match gradient {
            Gradient::Exact | Gradient::Noisy { .. } => 1.0,
            Gradient::Minibatch { .. } => 1.0 + 2.0 * gradient.uncompensated().cost(data),
        }
    }
}

/// Whether estimates come from minibatches, which need no full gradient.
fn is_batched(problem: &Problem<'_>) -> bool {
    matches!(problem.gradient, Gradient::Minibatch { .. })
}

/// The estimates at the positions of the chains: from the known full gradients, or from minibatches.
fn estimate_here(problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
    if is_batched(problem) {
        scratch.fill_estimates(problem, step, chains);
        return;
    }
    let Scratch { gradient, full, .. } = scratch;
    gradient.clone_from(full);
    problem.gradient.disturb(problem, 1.0, step.normals(0), gradient);
}

/// The estimates at the proposals, with the same minibatch or noise, and the log densities there.
fn estimate_there(problem: &Problem<'_>, step: &Step<'_>, scratch: &mut Scratch) {
    scratch.fill_proposed(problem);
    let Scratch { to, to_gradient, to_full, memory, .. } = scratch;
    problem.gradient.estimates(problem, step.batches, to, memory, to_gradient);
    to_full.clone_from(to_gradient);
    problem.gradient.disturb(problem, 1.0, step.normals(0), to_gradient);
}

/// Computes the proposals.
fn propose(problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
    let sd = (2.0 * step.alpha).sqrt();
    let Scratch { gradient, to, .. } = scratch;
    to.clone_from(&chains.positions);
    let normals = step.normals(problem.gradient.vectors());
    for (axis, to) in to.axes_mut().enumerate().take(problem.free) {
        for ((to, g), normal) in to.iter_mut().zip(gradient.axis(axis)).zip(normals.axis(axis)) {
            *to += step.alpha * g + sd * normal;
        }
    }
}

/// Computes the part of ln r that comes from the densities of the proposals.
fn correct(problem: &Problem<'_>, step: &Step<'_>, scratch: &mut Scratch) {
    let half_step = (0.5 * step.alpha).sqrt();
    let Scratch { gradient, to_gradient, correction, .. } = scratch;
    correction.fill(0.0);
    let normals = step.normals(problem.gradient.vectors());
    for axis in 0..problem.free {
        let both = gradient.axis(axis).iter().zip(to_gradient.axis(axis));
        for ((correction, (here, there)), normal) in correction.iter_mut().zip(both).zip(normals.axis(axis)) {
            let back = normal + half_step * (here + there);
            *correction += 0.5 * (normal * normal - back * back);
        }
    }
}

/// Records the parts of the proposals.
fn begin_records(
    problem: &Problem<'_>,
    step: &Step<'_>,
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    if is_batched(problem) && !records.is_empty() {
        scratch.fill_full(problem, chains, records.len());
    }
    let sd = (2.0 * step.alpha).sqrt();
    let normals = step.normals(problem.gradient.vectors());
    let Scratch { gradient, full, .. } = &*scratch;
    for (chain, record) in records.iter_mut().enumerate() {
        let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
        *record = StepRecord {
            from: problem.position(&chains.positions, chain),
            drift: problem.displacement(|axis| step.alpha * full.get(chain, axis)),
            gradient_noise: problem.displacement(|axis| step.alpha * error(axis)),
            injected_noise: problem.displacement(|axis| sd * normals.axis(axis)[chain]),
            ..StepRecord::default()
        };
    }
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Mala))
}
