//! Differential evolution Markov chain with an archive of the past, DE-MC(Z): proposals along the difference of two past positions.
//!
//! θ′ = θ + γ (z₁ − z₂) + ε, ε ~ N(0, 2α I), z₁ ≠ z₂ drawn at random from an archive Z of past positions of all chains; accepted with
//! probability min(1, p(θ′)/p(θ)). γ = 2.38/√(2d), the best for a Gaussian, and γ = 1 in every tenth step, which leads from mode to mode
//! where Z has both. ter Braak and Vrugt (2008), "Differential evolution Markov chain with snooker updater and fewer chains", Stat. Comput.
//! 18:435. The differences have the scales and the directions of the target, without any tuning.
//!
//! z₁ and z₂ are exchangeable, so that the proposal is symmetric: given Z, p is stationary. In every K-th step each chain adds its
//! position to Z. The paper lets Z grow for ever, and shows that the chains converge to p because a growing archive changes less and less.
//! Here Z is bounded: when it is full it stays as it is, and from then on the method is an ordinary Metropolis method with a fixed
//! proposal. Its first [`FIRST`] positions per chain are normal around the chain's start, with a standard deviation that is set, in the
//! place of the paper's 10 d draws from the prior. The snooker updater is left out.
//!
//! Chains share Z, so that they are one population of at most 128. All chains of a step see the same Z.

use std::sync::Arc;

use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Interaction, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Scratch, StepRecord,
    StepScale, StepSpec,
};
use crate::schedules::{CONSTANT, SCHEDULES, Schedule, Stage};
use base::math::Coords;
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::Model;

/// Positions of each chain with which the archive begins.
const FIRST: usize = 10;

/// γ = 1 in one of this many steps (ter Braak and Vrugt 2008, section 2).
const JUMP_EVERY: f64 = 10.0;

/// γ√(2d) at which a Gaussian is explored fastest (Roberts and Rosenthal 2001).
const BEST: f64 = 2.38;

const PARAMS: [ParamSpec; 9] = [
    parameters::CHAINS_TOGETHER,
    parameters::STEPS,
    parameters::START,
    ParamSpec::number(
        "initial_spread",
        "initial spread",
        1.0,
        Interval::POSITIVE,
        (0.01, 10.0),
        "Standard deviation, around the starts of the chains, of the first positions in the archive. Wide enough to reach other modes.",
    )
    .log()
    .fixed(),
    ParamSpec::number(
        "gamma",
        "jump factor γ",
        1.0,
        Interval::POSITIVE,
        (0.05, 5.0),
        "Factor of the difference of two past positions. Left out: 2.38/√(2d). In every tenth step it is 1.",
    )
    .optional()
    .log(),
    ParamSpec::integer(
        "archive",
        "archive",
        1000.0,
        Interval::closed(1.0, 4096.0),
        (20.0, 4096.0),
        "Largest number of past positions of all chains. A full archive stays as it is. It has at least 10 of each chain.",
    )
    .folded()
    .unit("positions")
    .log()
    .fixed(),
    ParamSpec::integer(
        "every",
        "archived every",
        10.0,
        Interval::closed(1.0, 1e6),
        (1.0, 1000.0),
        "Each chain adds one position to the archive in this number of steps, until it is full.",
    )
    .folded()
    .unit("steps")
    .log(),
    ParamSpec::of(
        "step_size",
        "step size α",
        ParamType::Group(&SCHEDULES),
        DefaultValue::Kind(CONSTANT.name),
        "Size of the noise √(2α) ξ that a proposal adds to the difference. Small against the width of a mode; without it chains could \
         reach only sums of past differences.",
    )
    .folded(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "demcz",
        label: "DE-MC(Z)",
        help: "Differential evolution MCMC with an archive (ter Braak and Vrugt 2008): a proposal adds the difference of two past \
               positions of the chains, which has the scale and direction of the target. Exact from the step on at which the archive \
               is full.",
        params: &PARAMS,
    },
    group: MethodGroup::WithoutGradients,
    build,
    step: Some(StepSpec {
        formula: "θ′ = θ + γ (z₁ − z₂) + noise with two past positions z, accepted with probability min(1, p(θ′)/p(θ)).",
        noise: StepSpec::LANGEVIN_NOISE,
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("demcz.py"),
    sources: &[sources::TER_BRAAK_VRUGT],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demcz {
    /// γ, above 0; `None` for 2.38/√(2d).
    pub gamma: Option<f64>,
    /// Largest number of positions in the archive.
    pub archive: usize,
    /// Steps between two positions of a chain in the archive.
    pub every: u64,
    /// Standard deviation of its first positions.
    pub initial_spread: f64,
}

impl Demcz {
    /// Positions of each of `chains` chains that the archive can hold.
    fn capacity(self, chains: usize) -> usize {
        (self.archive / chains.max(1)).max(FIRST)
    }

    /// γ in the step after so many.
    fn factor(self, age: f64, free: usize) -> f64 {
        let jumps = age - JUMP_EVERY * (age / JUMP_EVERY).floor() > JUMP_EVERY - 1.5;
        if jumps { 1.0 } else { self.gamma.unwrap_or_else(|| BEST / (2.0 * free as f64).sqrt()) }
    }

    /// Computes the proposals and their log densities.
    fn propose(self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
        scratch.resize(&chains.positions);
        let count = chains.len();
        let Scratch { to, correction, .. } = &mut *scratch;
        // The proposal is symmetric.
        correction.fill(0.0);
        to.clone_from(&chains.positions);
        if let [archive, filled, age] = &chains.carried[..] {
            let dimension = chains.positions.dimension();
            // All chains have as many, unless some have just begun on another target.
            let rows = filled.values().iter().copied().fold(f64::INFINITY, f64::min);
            let size = rows * count as f64;
            for chain in 0..count {
                let pick = |row: usize, among: f64| {
                    let index = (step.uniforms()[row * count + chain] * among).floor();
                    index.min(among - 1.0).max(0.0)
                };
                let (one, other) = (pick(1, size), pick(2, size - 1.0));
                let other = if other >= one { other + 1.0 } else { other };
                let gamma = self.factor(age.get(chain, 0), problem.free);
                for axis in 0..problem.free {
                    let at = |number: f64| {
                        let row = (number / count as f64).floor();
                        let from = number - row * count as f64;
                        archive.get(whole(from), whole(row) * dimension + axis)
                    };
                    to.axis_mut(axis)[chain] += gamma * (at(one) - at(other));
                }
            }
        }
        let sd = (2.0 * step.alpha).sqrt();
        let normals = step.normals(0);
        for axis in 0..problem.free {
            for (to, normal) in to.axis_mut(axis).iter_mut().zip(normals.axis(axis)) {
                *to += sd * normal;
            }
        }
        scratch.fill_proposed(problem);
    }

    /// Adds the positions of the chains to the archive, if it is time and it is not full. A chain that is nowhere adds its newest
    /// position there once more.
    fn remember(self, chains: &mut Population) {
        let (count, dimension) = (chains.len(), chains.positions.dimension());
        let Population { positions, carried, .. } = chains;
        let [archive, filled, age] = &mut carried[..] else { return };
        let capacity = archive.dimension() / dimension.max(1);
        for chain in 0..count {
            let steps = age.get(chain, 0) + 1.0;
            age.axis_mut(0)[chain] = steps;
            let every = self.every as f64;
            let rows = whole(filled.get(chain, 0));
            if steps - every * (steps / every).floor() > 0.5 || rows >= capacity {
                continue;
            }
            let there = metropolis::is_finite(positions, chain);
            for axis in 0..dimension {
                let before = archive.get(chain, rows.saturating_sub(1) * dimension + axis);
                archive.axis_mut(rows * dimension + axis)[chain] =
                    if there { positions.get(chain, axis) } else { before };
            }
            filled.axis_mut(0)[chain] += 1.0;
        }
    }
}

/// A whole number from 0 on that is kept as a float.
#[expect(clippy::cast_sign_loss, reason = "whole numbers from 0 to some thousands")]
fn whole(number: f64) -> usize {
    number as usize
}

impl Method for Demcz {
    /// Uniforms for the decision and for two positions of the archive.
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 1, uniforms: 3, masks: false }
    }

    fn interaction(&self) -> Interaction {
        Interaction::Archive
    }

    fn carries(&self) -> &'static [&'static str] {
        &["archive", "positions in the archive", "steps with the archive"]
    }

    /// For the first positions of the archive.
    fn auxiliary_normals(&self, model: &dyn Model) -> usize {
        FIRST * model.dimension()
    }

    fn init(&self, starts: Coords, _alpha: f64, normals: Coords) -> Population {
        let (dimension, count) = (starts.dimension(), starts.len());
        let mut archive = Coords::zeros(self.capacity(count) * dimension, count);
        for (number, axis) in archive.axes_mut().enumerate().take(FIRST * dimension) {
            axis.copy_from_slice(starts.axis(number % dimension));
            if number < normals.dimension() {
                for (coordinate, normal) in axis.iter_mut().zip(normals.axis(number)) {
                    *coordinate += self.initial_spread * normal;
                }
            }
        }
        let mut filled = Coords::zeros(1, count);
        filled.values_mut().fill(FIRST as f64);
        Population { carried: vec![archive, filled, Coords::zeros(1, count)], ..Population::at(starts) }
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.fill_log_densities(problem, chains);
        for step in stepwise::each(steps, randomness, &chains.positions) {
            self.propose(problem, &step, chains, scratch);
            let records = step.records(&mut track);
            let (sd, normals) = ((2.0 * step.alpha).sqrt(), step.normals(0));
            for (chain, record) in records.iter_mut().enumerate() {
                let noise = problem.displacement(|axis| sd * normals.axis(axis)[chain]);
                let from = problem.position(&chains.positions, chain);
                let carried = problem.position(&scratch.to, chain) - from - noise;
                *record = StepRecord { from, carried, injected_noise: noise, ..StepRecord::default() };
            }
            metropolis::decide(problem, &step, chains, scratch, records);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            self.remember(chains);
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

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Demcz {
        gamma: settings.optional_number("gamma"),
        archive: usize::try_from(settings.count("archive")).unwrap_or(usize::MAX),
        every: settings.count("every").max(1),
        initial_spread: settings.number("initial_spread"),
    }))
}
