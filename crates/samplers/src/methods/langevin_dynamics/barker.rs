//! The Barker proposal: a Gaussian increment w of every coordinate, whose sign is chosen by the gradient, accepted or rejected
//! by the Metropolis rule.
//!
//! Livingstone and Zanella (2022), "The Barker proposal: combining robustness and efficiency in gradient-based MCMC", J. R.
//! Stat. Soc. B 84:496, arXiv:1908.11812, algorithms 1 and 2. For each coordinate i, with g = ∇ log p(θ):
//!
//! zᵢ ~ N(0, 2α), wᵢ = zᵢ with probability 1/(1 + exp(−zᵢ gᵢ)), else −zᵢ; θ′ = θ + w;
//!
//! ln r = ln p(θ′) − ln p(θ) + Σᵢ [ln(1 + exp(−wᵢ gᵢ)) − ln(1 + exp(wᵢ gᵢ′))], g′ = ∇ log p(θ′).
//!
//! The paper's σ² is 2α: small steps have drift α g and noise of variance 2α, as those of [`super::mala`]. A large gradient turns
//! the sign and never makes a step longer, so that the chain stays efficient where α is too large for MALA.
//!
//! The uniform number of a coordinate is exp(−(ζ² + η²)/2) of two further standard normals ζ and η.

use std::sync::Arc;

use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Scratch, StepRecord, StepScale,
    StepSpec, Terms,
};
use crate::schedules::{CONSTANT, Schedule, Stage};
use base::math::Point;
use base::math::elementary::{exp, log1p_exp, sigmoid};
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 5] =
    [parameters::CHAINS, parameters::STEPS, parameters::START, parameters::step_size(CONSTANT), parameters::COLLECT];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "barker",
        label: "Barker",
        help: "The Barker proposal (Livingstone and Zanella 2022): a Gaussian increment whose sign is chosen by the gradient, \
               coordinate by coordinate, accepted or rejected. It bears step sizes at which MALA rejects everything.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "θ′ = θ + w, wᵢ = ±zᵢ with + in a share 1/(1 + exp(−zᵢ ∂ᵢ log p)); θ′ is accepted or rejected by the Metropolis \
               rule.",
        noise: Some("z ~ N(0, 2α I), with α as for Langevin steps: small steps have drift α ∇log p(θ)."),
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("barker.py"),
    sources: &[sources::LIVINGSTONE_ZANELLA],
    usual: None,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Barker;

impl Method for Barker {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 3, uniforms: 1, masks: false }
    }

    fn alpha_in_words(&self) -> &'static str {
        "a proposal adds √(2α) ξ, with ξ ~ N(0, 1), whose sign the gradient of log p(θ) chooses, coordinate by coordinate."
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.resize(&chains.positions);
        scratch.fill_log_densities(problem, chains);
        scratch.fill_full(problem, chains, chains.len());
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            propose(problem, &step, chains, scratch);
            begin_records(problem, &step, chains, scratch, records);
            scratch.fill_proposed(problem);
            correct(problem, chains, scratch);
            metropolis::decide(problem, &step, chains, scratch, records);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        1.0
    }
}

/// Computes the proposals.
fn propose(problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
    let sd = (2.0 * step.alpha).sqrt();
    let [sizes, one, other] = [0, 1, 2].map(|vector| step.normals(vector));
    let Scratch { to, full, .. } = scratch;
    to.clone_from(&chains.positions);
    for (axis, to) in to.axes_mut().enumerate().take(problem.free) {
        let numbers = sizes.axis(axis).iter().zip(one.axis(axis).iter().zip(other.axis(axis)));
        for ((to, g), (size, (one, other))) in to.iter_mut().zip(full.axis(axis)).zip(numbers) {
            let (z, uniform) = (sd * size, exp(-0.5 * (one * one + other * other)));
            *to += if uniform < sigmoid(z * g) { z } else { -z };
        }
    }
}

/// Computes the gradients at the proposals, and the part of ln r that comes from the densities of the proposals.
fn correct(problem: &Problem<'_>, chains: &Population, scratch: &mut Scratch) {
    let Scratch { to, to_full, full, correction, memory, .. } = scratch;
    problem.gradients(to, memory, to_full);
    correction.fill(0.0);
    for axis in 0..problem.free {
        let positions = chains.positions.axis(axis).iter().zip(to.axis(axis));
        let gradients = full.axis(axis).iter().zip(to_full.axis(axis));
        for ((correction, (from, to)), (here, there)) in correction.iter_mut().zip(positions).zip(gradients) {
            let w = to - from;
            *correction += log1p_exp(-w * here) - log1p_exp(w * there);
        }
    }
}

/// Records the parts of the proposals: the increments z as noise, and what the gradient has turned, 0 or −2z, as drift.
fn begin_records(
    problem: &Problem<'_>,
    step: &Step<'_>,
    chains: &Population,
    scratch: &Scratch,
    records: &mut [StepRecord],
) {
    let (sd, sizes) = ((2.0 * step.alpha).sqrt(), step.normals(0));
    for (chain, record) in records.iter_mut().enumerate() {
        let z = |axis: usize| sd * sizes.axis(axis)[chain];
        // With probabilities of its sign, which are numbers of coordinates, not of a direction in the plane.
        let keeps = |axis: usize| sigmoid(z(axis) * scratch.full.get(chain, axis));
        let chances = problem.density.map(|_| [problem.displacement(keeps), Point::zeros()]);
        let turned = |axis| scratch.to.get(chain, axis) - chains.positions.get(chain, axis) - z(axis);
        *record = StepRecord {
            from: problem.position(&chains.positions, chain),
            drift: problem.displacement(turned),
            terms: Some(Terms { carried: None, gradient: chances, noise: Some(problem.displacement(z)) }),
            injected_noise: problem.displacement(z),
            ..StepRecord::default()
        };
    }
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Barker))
}
