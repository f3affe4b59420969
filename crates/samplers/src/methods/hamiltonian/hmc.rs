//! Hamiltonian Monte Carlo: a new momentum r ~ N(0, I) at every step, L leapfrog steps of size h along the dynamics of
//! H(θ, r) = −log p(θ) + ½‖r‖², whose end is a proposal, accepted with probability min(1, exp(H − H′)).
//!
//! Duane, Kennedy, Pendleton and Roweth (1987), "Hybrid Monte Carlo", Phys. Lett. B 195:216; Neal (2011), "MCMC using
//! Hamiltonian dynamics", arXiv:1206.1901. A leapfrog step is r ← r + (h/2) ∇, θ ← θ + h r, r ← r + (h/2) ∇; it is stable
//! while h² λ < 4. L = 1 is [`crate::methods::langevin_dynamics::mala`] with α = h²/2.
//!
//! With `noisy` gradients every half step of r has independent noise of variance V: the naive stochastic gradient HMC
//! of Chen, Fox and Guestrin (2014), arXiv:1402.4102, section 3.1 and figure 1, as in their program. The two half steps
//! at a point inside the path share the full gradient, which is computed once, and the mean of their two noises is
//! drawn as one noise of variance V/2. Such a path has no acceptance probability: `metropolis` has to be off, and the
//! draws spread too far. The friction of [`super::sghmc`] corrects this.
//!
//! If the boundary of the support reflects, r changes its sign there. With reflections, too, the move θ ← θ + h r
//! preserves volume and is reversed by the reversal of r, so that the acceptance rule holds.
//!
//! During a warm-up the step size and a diagonal mass matrix can be adapted per chain, as those of NUTS ([`super::adaptation`]): coordinate i then
//! moves by h sᵢ rᵢ and rᵢ changes by h sᵢ ∇ᵢ, s the standard deviations to which the mass is adapted. The number of leapfrog steps stays.

use std::mem::take;
use std::sync::Arc;

use super::adaptation::{ADAPT_STEP_SIZE, Adaptation, DIAGONAL, TARGET_ACCEPTANCE, WARM_UP, set_usual};
use super::momentum;
use crate::methods::kit::stepwise::{self, Normals, Step};
use crate::methods::kit::{dynamics, metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Course, Dynamics, Gradient, LARGEST_ERROR, Method, MethodEntry, MethodGroup, Milestone, Needs, Population,
    Problem, Scratch, StepRecord, StepScale, StepSpec, Terms, Transition, Transitions,
};
use crate::schedules::{CONSTANT, Schedule, Stage};
use base::math::{Coords, leapfrog};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Largest number of leapfrog steps: the random numbers of a whole chunk of steps are drawn before it.
const MOST_LEAPS: f64 = 256.0;

/// The standard deviation of the mean of two noises, in units of that of one.
const SHARED: f64 = std::f64::consts::FRAC_1_SQRT_2;

const PARAMS: [ParamSpec; 12] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::BATCHLESS_GRADIENT.folded(),
    parameters::integration_step(CONSTANT),
    ParamSpec::integer(
        "leapfrog_steps",
        "leapfrog steps L",
        20.0,
        Interval::closed(1.0, MOST_LEAPS),
        (1.0, 100.0),
        "Number of leapfrog steps between two draws. Short paths give a random walk, long ones turn back.",
    )
    .unit("steps"),
    parameters::METROPOLIS.default(DefaultValue::Flag(true)),
    ADAPT_STEP_SIZE.folded(),
    TARGET_ACCEPTANCE,
    DIAGONAL.folded(),
    WARM_UP,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "hmc",
        label: "HMC",
        help: "Hamiltonian Monte Carlo (Duane et al. 1987; Neal 2011): every step draws a new momentum and follows a path \
               at nearly constant energy to a distant proposal, which is likely to be accepted.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "L leapfrog steps of size h from a new momentum r ~ N(0, I); the end is a proposal.",
        noise: Some("in the new momentum of every step alone."),
        scale: StepScale::LEAPFROG,
    }),
    algorithm: include_str!("hmc.py"),
    sources: &[sources::DUANE, sources::NEAL_HMC],
    usual: Some(adapt),
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hmc {
    /// L, at least 1.
    pub leapfrog_steps: usize,
    /// Whether paths are accepted or rejected by the Metropolis rule.
    pub metropolis: bool,
    /// What is adapted, with a mass matrix that is diagonal at most; nothing without the Metropolis rule.
    pub adaptation: Adaptation,
}

impl Method for Hmc {
    fn dynamics(&self) -> Dynamics {
        dynamics::PATHS
    }

    /// The vector for the momentum comes after those for the noisy gradients, one per point of the path.
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs {
            vectors: gradient.vectors() * (self.leapfrog_steps + 1) + 1,
            uniforms: usize::from(self.metropolis),
            masks: false,
        }
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

    /// Paths without an acceptance probability have no energy to be conserved.
    fn transitions(&self) -> Option<Transitions> {
        let adapts = self.adaptation.adapts() && self.adaptation.step_size;
        self.metropolis.then_some(Transitions { doubles: false, adapts })
    }

    /// The limit at unit mass and the step size of the schedule; none where that is adapted.
    fn stable_below(&self, curvature: f64) -> Option<f64> {
        (!self.adaptation.adapts()).then(|| 2.0 / curvature.sqrt())
    }

    fn check(&self, gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        let mut errors: Vec<_> = metropolis::check_noise(schedule).into_iter().collect();
        if self.metropolis && *gradient != Gradient::Exact {
            let problem = "a path along noisy gradients has no acceptance probability";
            errors.push(ParamError::new("metropolis", problem, "false, or exact gradients"));
        }
        if self.adaptation.adapts() && !self.metropolis {
            let problem = "a path without an acceptance probability has nothing to adapt to";
            let key = if self.adaptation.step_size { "adapt_step_size" } else { "mass" };
            errors.push(ParamError::new(key, problem, "metropolis = true"));
        }
        errors
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.resize(&chains.positions);
        scratch.fill_full(problem, chains, chains.len());
        if self.metropolis {
            scratch.fill_log_densities(problem, chains);
        }
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            self.fill_paces(&step, chains, scratch);
            self.follow(problem, &step, chains, scratch, records);
            if self.metropolis {
                self.decide(problem, &step, chains, scratch, records);
                self.learn(problem, &step, chains, scratch);
            } else {
                let Scratch { to, to_full, full, .. } = &mut *scratch;
                chains.positions.clone_from(to);
                full.clone_from(to_full);
            }
            self.end_records(problem, &step, chains, scratch, records);
            step.keep(problem, chains, &mut track);
        }
    }

    /// One per leapfrog step, because the gradient at the start of a path is known; with noise two, for the two half
    /// steps.
    fn evaluations(&self, gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        let each = if *gradient == Gradient::Exact { 1.0 } else { 2.0 };
        each * self.leapfrog_steps as f64
    }
}

impl Hmc {
    /// The normals that are the new momenta.
    fn momenta<'a>(&self, problem: &Problem<'_>, step: &Step<'a>) -> Normals<'a> {
        step.normals(self.needs(problem.gradient).vectors - 1)
    }

    /// Makes h sᵢ of all chains.
    fn fill_paces(&self, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
        let Scratch { paces, adapter, .. } = scratch;
        let dimension = chains.positions.dimension();
        paces.resize(dimension, chains.len());
        if !self.adaptation.adapts() {
            paces.values_mut().fill(step.alpha);
            return;
        }
        let mass = self.adaptation.kept_mass();
        for chain in 0..chains.len() {
            adapter.load(&chains.carried, chain);
            let h = step.alpha * adapter.factor();
            (0..dimension).for_each(|axis| paces.axis_mut(axis)[chain] = h * adapter.sd(mass, axis));
        }
    }

    /// Learns from the newest transitions of all chains that are somewhere.
    fn learn(&self, problem: &Problem<'_>, step: &Step<'_>, chains: &mut Population, scratch: &mut Scratch) {
        if !self.adaptation.adapts() {
            return;
        }
        let Scratch { adapter, transitions, vector, .. } = scratch;
        let Population { positions, carried, .. } = chains;
        let first = transitions.len() - positions.len();
        for (chain, transition) in transitions[first..].iter_mut().enumerate() {
            if transition.course == Course::Nowhere {
                continue;
            }
            adapter.load(carried, chain);
            let warms_up = adapter.left(self.adaptation.warm_up) > 0;
            transition.step_size = step.alpha * adapter.factor();
            transition.course = Course::of(warms_up, transition.course == Course::Divergent);
            let most = adapter.most(problem, self.adaptation.kept_mass());
            vector.clear();
            vector.extend(positions.vector(chain));
            adapter.learn(&self.adaptation, (transition.acceptance, most / step.alpha), vector);
            adapter.store(carried, chain);
        }
    }

    /// Follows the paths of all chains: from `chains` to `scratch.to`, with the momenta in `scratch.momentum`.
    fn follow(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &mut Scratch,
        records: &mut [StepRecord],
    ) {
        scratch.to.clone_from(&chains.positions);
        scratch.gradient.clone_from(&scratch.full);
        let normals = self.momenta(problem, step);
        for (axis, momentum) in scratch.momentum.axes_mut().enumerate() {
            if axis < problem.free {
                momentum.copy_from_slice(normals.axis(axis));
            } else {
                momentum.fill(0.0);
            }
        }
        self.disturb(problem, step, 0, scratch);
        begin_records(problem, chains, scratch, records);
        leapfrog(self.leapfrog_steps, scratch, kick, |scratch, leap| {
            let Scratch { to, to_full, gradient, momentum, memory, paces, .. } = &mut *scratch;
            momentum::drift(problem, |axis, chain| paces.axis(axis)[chain], to, momentum);
            for (chain, record) in records.iter_mut().enumerate() {
                record.path.push(problem.position(to, chain));
            }
            problem.gradients(to, memory, gradient);
            if leap == self.leapfrog_steps {
                to_full.clone_from(gradient);
            }
            self.disturb(problem, step, leap, scratch);
        });
    }

    /// Makes estimates of the full gradients at point number `leap` of the paths.
    fn disturb(&self, problem: &Problem<'_>, step: &Step<'_>, leap: usize, scratch: &mut Scratch) {
        let inside = leap > 0 && leap < self.leapfrog_steps;
        let share = if inside { SHARED } else { 1.0 };
        problem.gradient.disturb(problem, share, step.normals(leap), &mut scratch.gradient);
    }

    /// Accepts or rejects the ends of the paths.
    fn decide(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &mut Population,
        scratch: &mut Scratch,
        records: &mut [StepRecord],
    ) {
        scratch.fill_proposed(problem);
        let Scratch { momentum, correction, .. } = &mut *scratch;
        correction.fill(0.0);
        let normals = self.momenta(problem, step);
        for axis in 0..problem.free {
            let both = momentum.axis(axis).iter().zip(normals.axis(axis));
            for (correction, (end, begin)) in correction.iter_mut().zip(both) {
                *correction += 0.5 * (begin * begin - end * end);
            }
        }
        let (momentum, mut transitions) = (take(&mut scratch.momentum), take(&mut scratch.transitions));
        let first = transitions.len();
        metropolis::decide_each(problem, step, chains, scratch, records, |chain, decision| {
            let at_draw = |axis| if decision.accepted { momentum.get(chain, axis) } else { normals.axis(axis)[chain] };
            let is_sound = -decision.log_ratio <= LARGEST_ERROR;
            transitions.push(Transition {
                energy: momentum::kinetic_energy(problem, at_draw),
                step_size: step.alpha,
                acceptance: decision.probability,
                leapfrog_steps: u16::try_from(self.leapfrog_steps).unwrap_or(u16::MAX),
                course: Course::of(false, !is_sound),
                ..Transition::NOWHERE
            });
        });
        for (chain, transition) in transitions[first..].iter_mut().enumerate() {
            let log_density = scratch.log_density[chain];
            let energy = transition.energy - log_density;
            let somewhere = metropolis::is_finite(&chains.positions, chain);
            *transition =
                if somewhere { Transition { energy, log_density, ..*transition } } else { Transition::NOWHERE };
        }
        (scratch.momentum, scratch.transitions) = (momentum, transitions);
    }

    /// Records the result of the step. After a rejection the momentum is that at the start of the path.
    fn end_records(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &mut Scratch,
        records: &mut [StepRecord],
    ) {
        let initial = self.momenta(problem, step);
        let first = scratch.transitions.len().saturating_sub(chains.len());
        let h = |chain: usize| scratch.transitions[first + chain].step_size;
        for (chain, record) in records.iter_mut().enumerate() {
            record.to = problem.position(&chains.positions, chain);
            record.step_size = self.adaptation.adapts().then(|| h(chain));
            let stayed = record.proposal.is_some_and(|proposal| !proposal.accepted);
            let momenta = &scratch.momentum;
            let momentum = |axis| if stayed { initial.axis(axis)[chain] } else { momenta.get(chain, axis) };
            // The velocity, at unit mass the momentum itself.
            let sd = |axis| if self.adaptation.adapts() { scratch.paces.get(chain, axis) / h(chain) } else { 1.0 };
            record.momentum = Some(problem.displacement(|axis| sd(axis) * momentum(axis)));
            record.energy = Some(momentum::kinetic_energy(problem, momentum));
        }
        momentum::add_potential_energy(problem, chains, scratch, records);
    }
}

/// rᵢ ← rᵢ + `time` · h sᵢ ĝᵢ. On the line ĝ and r have no second coordinate.
fn kick(scratch: &mut Scratch, time: f64) {
    let Scratch { gradient, momentum, paces, .. } = scratch;
    for (axis, momentum) in momentum.axes_mut().enumerate() {
        for ((momentum, g), pace) in momentum.iter_mut().zip(gradient.axis(axis)).zip(paces.axis(axis)) {
            *momentum += time * pace * g;
        }
    }
}

/// Records the start of the paths and the parts of their first leapfrog step.
fn begin_records(problem: &Problem<'_>, chains: &Population, scratch: &Scratch, records: &mut [StepRecord]) {
    let Scratch { gradient, full, momentum, paces, .. } = scratch;
    for (chain, record) in records.iter_mut().enumerate() {
        let from = problem.position(&chains.positions, chain);
        let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
        let h = |axis| paces.get(chain, axis);
        let kick = |g: &dyn Fn(usize) -> f64| problem.displacement(|axis| 0.5 * h(axis) * g(axis));
        let terms = Terms {
            gradient: Some([kick(&|axis| full.get(chain, axis)), kick(&error)]),
            noise: Some(problem.displacement(|axis| momentum.get(chain, axis))),
            carried: None,
        };
        *record = StepRecord {
            terms: Some(terms),
            from,
            path: vec![from],
            injected_noise: problem.displacement(|axis| h(axis) * momentum.get(chain, axis)),
            drift: problem.displacement(|axis| h(axis) * (0.5 * h(axis) * full.get(chain, axis))),
            gradient_noise: problem.displacement(|axis| h(axis) * (0.5 * h(axis) * error(axis))),
            ..StepRecord::default()
        };
    }
}

/// As of NUTS; without acceptance there is nothing that step sizes adapt to.
fn adapt(settings: &mut Settings) {
    if settings.flag("metropolis") {
        set_usual(settings);
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_integration_step(settings)?;
    let leapfrog_steps = usize::try_from(settings.count("leapfrog_steps")).unwrap_or(usize::MAX).max(1);
    Ok(Arc::new(Hmc { leapfrog_steps, metropolis: settings.flag("metropolis"), adaptation: Adaptation::of(settings) }))
}
