//! Hamiltonian Monte Carlo: a fresh momentum r ~ N(0, I) at every step, L leapfrog steps of size h along the dynamics of
//! H(θ, r) = −log p(θ) + ½‖r‖², and a proposal at their end, accepted with probability min(1, exp(H − H′)).
//!
//! Duane, Kennedy, Pendleton and Roweth (1987), "Hybrid Monte Carlo", Phys. Lett. B 195:216; Neal (2011), "MCMC using
//! Hamiltonian dynamics", arXiv:1206.1901. A leapfrog step is r ← r + (h/2) ∇, θ ← θ + h r, r ← r + (h/2) ∇; it is stable
//! while h² λ < 4. L = 1 is [`super::mala`] with α = h²/2.
//!
//! With `noisy` gradients every half step of r has noise of its own, of variance V: the naive stochastic gradient HMC of
//! Chen, Fox and Guestrin (2014), arXiv:1402.4102, section 3.1 and figure 1, as their program makes it. The two half
//! steps at a place inside the path share the full gradient, which is computed once, and the mean of their two noises is
//! drawn as one of variance V/2. There is no rule by which to accept such a path: `metropolis` has to be off, and what
//! comes out is too wide, which is what the friction of [`super::sghmc`] is for.
//!
//! Where the target folds chains back at the edge of its support, r is turned round there: between walls, too, the way
//! θ ← θ + h r is volume-preserving and leads back when r is reversed, so that acceptance stays right.

use std::sync::Arc;

use super::metropolis;
use super::momentum::{self, reflected};
use super::stepwise::{self, Step};
use super::{
    Gradient, Method, MethodBuilder, Needs, Population, Problem, Randomness, Scratch, StepRecord, Steps, Track,
    parameters,
};
use crate::math::Point;
use crate::params::{DefaultValue, Entry, Interval, KindSpec, ParamError, ParamSpec, Settings};
use crate::schedules::{Schedule, Stage};
use crate::targets::{Boundary, Coordinates};

/// Leapfrog steps at most: the random numbers of noisy ones are made ahead for a whole chunk of steps.
const MOST_LEAPS: f64 = 256.0;

/// The noise of the mean of two estimates, in units of that of one.
const SHARED: f64 = std::f64::consts::FRAC_1_SQRT_2;

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::BATCHLESS_GRADIENT,
    parameters::integration_step("constant"),
    ParamSpec::integer(
        "leapfrog_steps",
        "L",
        20.0,
        Interval::closed(1.0, MOST_LEAPS),
        (1.0, 100.0),
        "Number of leapfrog steps between two draws. Short paths wander like a random walk, long ones turn back.",
    )
    .unit("steps"),
    parameters::METROPOLIS.default(DefaultValue::Flag(true)),
    parameters::COLLECT,
];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "hmc",
        label: "HMC",
        help: "Hamiltonian Monte Carlo (Duane et al. 1987; Neal 2011): chains roll along the density like marbles in a bowl, \
               pushed anew at every step, and take long ways that are still accepted.",
        params: &PARAMS,
    },
    build,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hmc {
    /// L, at least 1.
    pub leapfrog_steps: usize,
    /// Whether paths are accepted or rejected by Metropolis's rule.
    pub metropolis: bool,
}

impl Method for Hmc {
    /// A pair for the momentum comes after one for every place at which noisy gradients are estimated.
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { pairs: gradient.pairs() * (self.leapfrog_steps + 1) + 1, uniforms: usize::from(self.metropolis) }
    }

    fn stable_below(&self, curvature: f64) -> Option<f64> {
        Some(2.0 / curvature.sqrt())
    }

    fn check(&self, gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        let mut errors: Vec<_> = metropolis::check_noise(schedule).into_iter().collect();
        if self.metropolis && *gradient != Gradient::Exact {
            let problem = "a path along noisy gradients has no probability of acceptance";
            errors.push(ParamError::new("metropolis", problem, "false, or exact gradients"));
        }
        errors
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
        scratch.make_room(chains.len());
        scratch.fill_full(problem, chains, chains.len());
        if self.metropolis {
            metropolis::fill_log_densities(problem, &chains.x, &chains.y, &mut scratch.log_density);
        }
        for step in stepwise::each(*steps, randomness, chains.len()) {
            let records = step.records(&mut track);
            self.follow(problem, &step, chains, scratch, records);
            if self.metropolis {
                self.decide(problem, &step, chains, scratch, records);
            } else {
                let Scratch { to, to_full, full, .. } = &mut *scratch;
                chains.x.clone_from(&to[0]);
                chains.y.clone_from(&to[1]);
                full.clone_from(to_full);
            }
            self.end_records(problem, &step, chains, scratch, records);
            step.keep(chains, &mut track);
        }
    }

    /// One per leapfrog step, as a path begins where the last one ended; with noise two, for the two half steps.
    fn evaluations(&self, gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        let each = if *gradient == Gradient::Exact { 1.0 } else { 2.0 };
        each * self.leapfrog_steps as f64
    }
}

impl Hmc {
    /// The normals of which the momenta are made.
    fn momenta<'a>(&self, problem: &Problem<'_>, step: &Step<'a>) -> [&'a [f64]; 2] {
        step.pair(self.needs(problem.gradient).pairs - 1)
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
        let h = step.alpha;
        scratch.to[0].copy_from_slice(&chains.x);
        scratch.to[1].copy_from_slice(&chains.y);
        scratch.to_full.clone_from(&scratch.full);
        scratch.momentum[1].fill(0.0);
        let normals = self.momenta(problem, step);
        for (momentum, normals) in scratch.momentum.iter_mut().zip(normals).take(problem.target.info().dimension) {
            momentum.copy_from_slice(normals);
        }
        self.estimate(problem, step, 0, scratch);
        begin_records(problem, h, chains, scratch, records);
        kick(0.5 * h, scratch);
        for leap in 1..=self.leapfrog_steps {
            drift(problem, h, scratch);
            let Scratch { to: [x, y], to_full: [gx, gy], .. } = &mut *scratch;
            for (chain, record) in records.iter_mut().enumerate() {
                record.path.push(Point::new(x[chain], y[chain]));
            }
            problem.target.gradients(problem.simd, x, y, gx, gy);
            self.estimate(problem, step, leap, scratch);
            kick(if leap < self.leapfrog_steps { h } else { 0.5 * h }, scratch);
        }
    }

    /// The estimates at place number `leap` of the paths, from the full gradients there.
    fn estimate(&self, problem: &Problem<'_>, step: &Step<'_>, leap: usize, scratch: &mut Scratch) {
        let Scratch { gx, gy, to_full, .. } = scratch;
        gx.clone_from(&to_full[0]);
        gy.clone_from(&to_full[1]);
        let inside = leap > 0 && leap < self.leapfrog_steps;
        problem.gradient.disturb(problem, if inside { SHARED } else { 1.0 }, step.pair(leap), [gx, gy]);
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
        let Scratch { to, to_log_density, momentum, correction, .. } = &mut *scratch;
        metropolis::fill_log_densities(problem, &to[0], &to[1], to_log_density);
        correction.fill(0.0);
        let axes = momentum.iter().zip(self.momenta(problem, step));
        for (end, begin) in axes.take(problem.target.info().dimension) {
            for ((correction, end), begin) in correction.iter_mut().zip(end).zip(begin) {
                *correction += 0.5 * (begin * begin - end * end);
            }
        }
        metropolis::settle(step, chains, scratch, |chain, proposal| {
            if let Some(record) = records.get_mut(chain) {
                record.proposal = Some(*proposal);
            }
        });
    }

    /// Takes down where it has led. After a rejection the momentum is the one with which the path began.
    fn end_records(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &Scratch,
        records: &mut [StepRecord],
    ) {
        let begin = self.momenta(problem, step);
        for (chain, record) in records.iter_mut().enumerate() {
            record.to = chains.position(chain);
            let stayed = record.proposal.is_some_and(|proposal| !proposal.accepted);
            let mut momentum = Point::zeros();
            for axis in 0..problem.target.info().dimension {
                momentum[axis] = if stayed { begin[axis][chain] } else { scratch.momentum[axis][chain] };
            }
            record.momentum = Some(momentum);
            record.energy = Some(momentum::energy(problem, record.to, momentum));
        }
    }
}

/// r ← r + `time` · ĝ. On the line ĝ and r have no second coordinate.
fn kick(time: f64, scratch: &mut Scratch) {
    let Scratch { gx, gy, momentum, .. } = scratch;
    for (momentum, g) in momentum.iter_mut().zip([gx, gy]) {
        for (momentum, g) in momentum.iter_mut().zip(&*g) {
            *momentum += time * g;
        }
    }
}

/// θ ← θ + h r, between the walls if there are any.
fn drift(problem: &Problem<'_>, h: f64, scratch: &mut Scratch) {
    let Scratch { to, momentum, .. } = scratch;
    for (to, momentum) in to.iter_mut().zip(&*momentum) {
        for (to, momentum) in to.iter_mut().zip(momentum) {
            *to += h * momentum;
        }
    }
    let info = problem.target.info();
    if info.boundary == Boundary::Reflect {
        let coordinates = Coordinates::of(info);
        for chain in 0..to[0].len() {
            let mut turned = Point::new(momentum[0][chain], momentum[1][chain]);
            let moved = Point::new(to[0][chain], to[1][chain]);
            let inside = reflected(&coordinates, &info.support, moved, &mut turned);
            for axis in 0..2 {
                to[axis][chain] = inside[axis];
                momentum[axis][chain] = turned[axis];
            }
        }
    }
}

/// Takes down where the paths begin, and the parts of their first leapfrog step.
fn begin_records(problem: &Problem<'_>, h: f64, chains: &Population, scratch: &Scratch, records: &mut [StepRecord]) {
    for (chain, record) in records.iter_mut().enumerate() {
        let from = chains.position(chain);
        *record = StepRecord { from, path: vec![from], ..StepRecord::default() };
        for axis in 0..problem.target.info().dimension {
            let (estimate, full) = scratch.gradient(axis, chain);
            record.injected_noise[axis] = h * scratch.momentum[axis][chain];
            record.drift[axis] = h * (0.5 * h * full);
            record.gradient_noise[axis] = h * (0.5 * h * (estimate - full));
        }
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_integration_step(settings)?;
    let leapfrog_steps = usize::try_from(settings.count("leapfrog_steps")).unwrap_or(usize::MAX).max(1);
    Ok(Arc::new(Hmc { leapfrog_steps, metropolis: settings.flag("metropolis") }))
}
