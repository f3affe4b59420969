//! Microcanonical Langevin Monte Carlo (MCLMC): a chain has a direction u, ‖u‖ = 1, moves with unit speed, and the gradient turns it.
//!
//! The dynamics dθ = u dt, du = (I − uuᵀ) (∇ log p(θ)/(d − 1) dt + η dW) have p(θ) times the uniform density of u as their stationary
//! distribution. A step of size h splits them:
//!
//! - B(t): g = ∇ log p, e = g/‖g‖, δ = t ‖g‖/(d − 1), u ← (u + e (sinh δ + (e·u) (cosh δ − 1)))/(cosh δ + (e·u) sinh δ);
//! - A(t): θ ← θ + t u;
//! - O: u ← (u + ν ξ)/‖u + ν ξ‖, ξ ~ N(0, I), ν = √((e^(2h/L) − 1)/d), L the decoherence length.
//!
//! Leapfrog: O B(h/2) A(h) B(h/2). Minimal norm: O B(λh) A(h/2) B((1 − 2λ)h) A(h/2) B(λh), λ = 0.19318…, with two gradients a step.
//! Robnik, De Luca, Silverstein and Seljak (2023), "Microcanonical Hamiltonian Monte Carlo", JMLR 24, arXiv:2212.08549; Robnik and
//! Seljak (2023), "Fluctuation without dissipation: microcanonical Langevin Monte Carlo", arXiv:2303.18221. The minimal norm integrator is
//! of Omelyan, Mryglod and Folk (2003), Comput. Phys. Commun. 151:272.
//!
//! There is no Metropolis rule, so that draws have a bias of order h². The speed is 1 wherever the chain is: a step has the length h, also
//! far from the modes. On the line the direction is +1 or −1, which B leaves as it is; the chain would go on for ever, and the method is
//! refused. Step size and L stay as they are set, or are tuned in a warm-up ([`super::tuning`]) to the error of the energy: a B changes
//! the kinetic energy by (d − 1) ln(cosh δ + (e·u) sinh δ). If the boundary of the support reflects, u changes its sign there.

use std::sync::Arc;

use super::adaptation::{USUAL_WARM_UP, set_with_warm_up};
use super::mclmc_tuning::{CARRIES, carried};
use super::momentum;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{dynamics, metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Course, Dynamics, Gradient, Method, MethodEntry, MethodGroup, Milestone, Needs, OnDensities, Population,
    Problem, Scratch, StepRecord, StepScale, StepSpec, Terms, Transition, Transitions,
};
use crate::schedules::{CONSTANT, MAX_STEPS, SCHEDULES, Stage};
use base::math::Coords;
use base::math::elementary::{exp, ln};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value};
use models::targets::Space;

/// λ of the minimal norm integrator (Omelyan, Mryglod and Folk 2003).
const LAMBDA: f64 = 0.193_183_327_503_783_6;

const PARAMS: [ParamSpec; 9] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    ParamSpec::of(
        "step_size",
        "step size h",
        ParamType::Group(&SCHEDULES),
        DefaultValue::Kind(CONSTANT.name),
        "The length h of a step: the chain moves with unit speed. Draws have a bias of order h².",
    ),
    ParamSpec::number(
        "length",
        "decoherence length L",
        1.0,
        Interval::POSITIVE,
        (0.05, 50.0),
        "The way after which a chain has forgotten its direction. About the width of the target: a short one gives a random walk, a long \
         one keeps the chain on one orbit.",
    )
    .log(),
    ParamSpec::of(
        "integrator",
        "integrator",
        ParamType::Choice(&[
            Choice { name: "leapfrog", label: "leapfrog", help: "One gradient a step." },
            Choice {
                name: "minimal-norm",
                label: "minimal norm",
                help: "Two gradients a step, with an error several times smaller at the same number of gradients.",
            },
        ]),
        DefaultValue::Word("leapfrog"),
        "How the motion is divided into steps.",
    )
    .folded(),
    ParamSpec::of(
        "tune",
        "tune h and L",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Tunes both for every chain during the warm-up, from these on: the step size until the error of the energy of a step has the \
         variance 0.0005 d, and L to the width of the chain.",
    )
    .folded(),
    ParamSpec::integer(
        "warm_up",
        "warm-up",
        USUAL_WARM_UP as f64,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 5000.0),
        "Number of steps of the tuning; 1000 if left out. Its draws are not from the target: the burn-in should be at least as long.",
    )
    .optional()
    .unit("steps")
    .folded()
    .only_with(&["tune"]),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "mclmc",
        label: "MCLMC",
        help: "Microcanonical Langevin Monte Carlo (Robnik et al. 2023): chains move with unit speed, the gradient turns their direction, \
               and noise lets them forget it. No proposals; a small bias of order h². Needs at least two dimensions.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "u ← (u + ν ξ)/‖u + ν ξ‖, a turn of u by ∇log p over h/2, θ ← θ + h u, the same turn; ‖u‖ = 1.",
        noise: Some("in the direction u alone, ξ ~ N(0, I) with ν = √((e^(2h/L) − 1)/d)."),
        scale: StepScale::Length,
    }),
    algorithm: include_str!("mclmc.py"),
    sources: &[sources::ROBNIK, sources::ROBNIK_SELJAK],
    usual: Some(set_usual),
};

/// How the motion is divided into steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// B A B.
    Leapfrog,
    /// B A B A B.
    MinimalNorm,
}

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mclmc {
    /// L, above 0.
    pub length: f64,
    /// The integrator.
    pub splitting: Splitting,
    /// The steps of a warm-up in which h and L are tuned; 0 if they are not.
    pub warm_up: u64,
}

impl Mclmc {
    /// O: mixes the directions with noise.
    fn forget(problem: &Problem<'_>, step: &Step<'_>, chains: &mut Population, paces: &Coords) {
        let Some(directions) = chains.carried.first_mut() else { return };
        let normals = step.normals(0);
        let (mut newest, mut nu) = ([f64::NAN; 2], f64::NAN);
        for chain in 0..directions.len() {
            // Chains that are not tuned have the same h and L.
            let own = [H, L].map(|axis| paces.get(chain, axis));
            if own.map(f64::to_bits) != newest.map(f64::to_bits) {
                (newest, nu) = (own, ((exp(2.0 * own[H] / own[L]) - 1.0) / problem.free as f64).sqrt());
            }
            // Where h is much larger than L, ν is infinite and nothing of the old direction is left.
            let (kept, added) = if nu > 1.0 { (1.0 / nu, 1.0) } else { (1.0, nu) };
            for axis in 0..problem.free {
                let u = &mut directions.axis_mut(axis)[chain];
                *u = kept * *u + added * normals.axis(axis)[chain];
            }
        }
        (0..directions.len()).for_each(|chain| normalise(directions, chain, problem.free));
    }

    /// Makes h and L of all chains.
    fn fill_paces(&self, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
        let Scratch { paces, tuner, kinetic, .. } = scratch;
        paces.resize(2, chains.len());
        kinetic.clear();
        if self.warm_up == 0 {
            paces.axis_mut(H).fill(step.alpha);
            paces.axis_mut(L).fill(self.length);
            return;
        }
        kinetic.resize(chains.len(), 0.0);
        for chain in 0..chains.len() {
            tuner.load(&chains.carried[1..], chain);
            paces.axis_mut(H)[chain] = step.alpha * tuner.factor();
            paces.axis_mut(L)[chain] = tuner.length();
        }
    }

    /// Learns from the newest steps of all chains that are somewhere.
    fn learn(&self, problem: &Problem<'_>, chains: &mut Population, scratch: &mut Scratch) {
        scratch.to_log_density.clone_from(&scratch.log_density);
        scratch.fill_log_densities(problem, chains);
        let Scratch { tuner, log_density, to_log_density: before, kinetic, paces, transitions, vector, .. } = scratch;
        let Population { positions, carried, .. } = chains;
        for chain in 0..positions.len() {
            if !metropolis::is_finite(positions, chain) {
                transitions.push(Transition::NOWHERE);
                continue;
            }
            tuner.load(&carried[1..], chain);
            let error = kinetic[chain] - (log_density[chain] - before[chain]);
            vector.clear();
            vector.extend(positions.vector(chain));
            tuner.learn(self.warm_up, error, vector);
            tuner.store(&mut carried[1..], chain);
            transitions.push(Transition {
                energy: -log_density[chain],
                log_density: log_density[chain],
                step_size: paces.get(chain, H),
                acceptance: 1.0,
                leapfrog_steps: (self.parts().len() - 1) as u16,
                course: Course::of(tuner.warms_up(self.warm_up), false),
                ..Transition::NOWHERE
            });
        }
    }

    /// The parts of a step: times of B with the time of the A that follows, as shares of h; the last B has none.
    fn parts(self) -> &'static [(f64, f64)] {
        match self.splitting {
            Splitting::Leapfrog => &[(0.5, 1.0), (0.5, 0.0)],
            Splitting::MinimalNorm => &[(LAMBDA, 0.5), (1.0 - 2.0 * LAMBDA, 0.5), (LAMBDA, 0.0)],
        }
    }
}

/// The rows of h and L of every chain in `scratch.paces`.
const H: usize = 0;
const L: usize = 1;

/// B: turns the directions by the gradients in `scratch.full` for a share of h, and adds the change of the kinetic energy.
fn turn(problem: &Problem<'_>, share_of_h: f64, directions: &mut Coords, scratch: &mut Scratch) {
    let free = problem.free;
    let others = (free as f64 - 1.0).max(1.0);
    for chain in 0..directions.len() {
        let share = share_of_h * scratch.paces.get(chain, H) / others;
        let (mut square, mut along) = (0.0, 0.0);
        for axis in 0..free {
            let g = scratch.full.get(chain, axis);
            square += g * g;
            along += g * directions.get(chain, axis);
        }
        let size = square.sqrt();
        if size <= 0.0 {
            continue;
        }
        let along = along / size;
        // The formula times 2e^−δ, which does not overflow; its length is restored by the normalisation.
        let rest = exp(-share * size);
        let gain = (1.0 - rest) * (1.0 + rest + along * (1.0 - rest)) / size;
        if let Some(kinetic) = scratch.kinetic.get_mut(chain) {
            *kinetic += others * (share * size + ln(0.5 * (1.0 + along + (1.0 - along) * rest * rest)));
        }
        for axis in 0..free {
            let turned = 2.0 * rest * directions.get(chain, axis) + gain * scratch.full.get(chain, axis);
            directions.axis_mut(axis)[chain] = turned;
        }
        normalise(directions, chain, free);
    }
}

/// A: moves the chains along their directions for a share of h.
fn drift(problem: &Problem<'_>, share: f64, chains: &mut Population, paces: &Coords) {
    let Population { positions, carried, .. } = chains;
    let Some(directions) = carried.first_mut() else { return };
    momentum::drift(problem, |_, chain| share * paces.get(chain, H), positions, directions);
}

/// Gives a direction the length 1 in the first `free` coordinates. One without length becomes the first axis.
fn normalise(directions: &mut Coords, chain: usize, free: usize) {
    let square: f64 = directions.vector(chain).take(free).map(|u| u * u).sum();
    let size = square.sqrt();
    if size > 0.0 {
        for axis in 0..free {
            directions.axis_mut(axis)[chain] /= size;
        }
    } else if size <= 0.0 {
        directions.fill(chain, 0.0);
        directions.axis_mut(0)[chain] = 1.0;
    }
}

impl Method for Mclmc {
    fn dynamics(&self) -> Dynamics {
        dynamics::PATHS
    }

    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 1, ..Needs::default() }
    }

    fn carries(&self) -> &'static [&'static str] {
        const ALL: [&str; 4] = ["direction", CARRIES[0], CARRIES[1], CARRIES[2]];
        if self.warm_up > 0 { &ALL } else { &ALL[..1] }
    }

    fn milestones(&self) -> Vec<Milestone> {
        let end = Milestone { after: self.warm_up, what: "warm-up ends" };
        (self.warm_up > 0).then_some(end).into_iter().collect()
    }

    fn transitions(&self) -> Option<Transitions> {
        (self.warm_up > 0).then_some(Transitions { doubles: false, adapts: true })
    }

    /// Directions are uniform on the sphere.
    fn init(&self, starts: Coords, _alpha: f64, mut normals: Coords) -> Population {
        let dimension = normals.dimension();
        (0..normals.len()).for_each(|chain| normalise(&mut normals, chain, dimension));
        let tuning = if self.warm_up > 0 { carried(self.length, dimension, normals.len()) } else { Vec::new() };
        Population { carried: std::iter::once(normals).chain(tuning).collect(), ..Population::at(starts) }
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let itself = self.on_densities(space)?;
        if space.model().is_some_and(|model| model.free() > 1) { Ok(itself) } else { Err(on_a_line()) }
    }

    /// Directions have length 1, so that no step grows without bound.
    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.fill_full(problem, chains, chains.len());
        if self.warm_up > 0 {
            scratch.fill_log_densities(problem, chains);
        }
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            self.fill_paces(&step, chains, scratch);
            if step.noise {
                Self::forget(problem, &step, chains, &scratch.paces);
            }
            begin_records(problem, chains, &scratch.paces, records);
            for &(turning, moving) in self.parts() {
                if let Some(directions) = chains.carried.first_mut() {
                    turn(problem, turning, directions, scratch);
                }
                if moving > 0.0 {
                    drift(problem, moving, chains, &scratch.paces);
                    scratch.fill_full(problem, chains, chains.len());
                }
            }
            if self.warm_up > 0 {
                self.learn(problem, chains, scratch);
            }
            end_records(problem, chains, records);
            step.keep(problem, chains, &mut track);
        }
    }

    /// The gradient at the start of a step is known.
    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        (self.parts().len() - 1) as f64
    }
}

/// Records the start of the step, and the displacement along the direction that the chain begins it with.
fn begin_records(problem: &Problem<'_>, chains: &Population, paces: &Coords, records: &mut [StepRecord]) {
    let Some(directions) = chains.carried.first() else { return };
    for (chain, record) in records.iter_mut().enumerate() {
        *record = StepRecord {
            from: problem.position(&chains.positions, chain),
            carried: problem.displacement(|axis| paces.get(chain, H) * directions.get(chain, axis)),
            terms: Some(Terms {
                carried: Some(problem.displacement(|axis| directions.get(chain, axis))),
                ..Terms::default()
            }),
            step_size: Some(paces.get(chain, H)),
            ..StepRecord::default()
        };
    }
}

/// Records the end: the drift is what the turning of the direction has changed. The momentum is √d u.
fn end_records(problem: &Problem<'_>, chains: &Population, records: &mut [StepRecord]) {
    let Some(directions) = chains.carried.first() else { return };
    let size = (problem.free as f64).sqrt();
    for (chain, record) in records.iter_mut().enumerate() {
        record.to = problem.position(&chains.positions, chain);
        record.drift = record.to - record.from - record.carried;
        record.momentum = Some(problem.displacement(|axis| size * directions.get(chain, axis)));
    }
}

fn on_a_line() -> ParamError {
    let problem = "on a line a direction cannot turn, so the chain would go on for ever";
    ParamError::new("method", problem, "a target with two or more coordinates, or another method such as sghmc or hmc")
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_convention(
        settings,
        "the step size of this method is a length, not Welling and Teh's ε",
        "langevin, with the numbers as h",
    )?;
    let minimal = settings.word("integrator") == "minimal-norm";
    let splitting = if minimal { Splitting::MinimalNorm } else { Splitting::Leapfrog };
    let warm_up = if settings.flag("tune") { settings.optional_count("warm_up").unwrap_or(USUAL_WARM_UP) } else { 0 };
    Ok(Arc::new(Mclmc { length: settings.number("length"), splitting, warm_up }))
}

/// Step size and L are tuned during a warm-up that is not collected: 1000 steps, or half of a shorter run.
fn set_usual(settings: &mut Settings) {
    set_with_warm_up(settings, &[("tune", Value::Flag(true))]);
}
