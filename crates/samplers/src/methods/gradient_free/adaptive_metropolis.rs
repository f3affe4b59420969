//! Adaptive Metropolis: a random walk whose proposals have the covariance of the chain's own past.
//!
//! Haario, Saksman and Tamminen (2001), "An adaptive Metropolis algorithm", Bernoulli 7:223: θ′ ~ N(θ, s (Σ + ε I)), Σ the
//! covariance of all positions of this chain so far, its start and repeated ones among them. s = 2.38²/d, which is best for a
//! Gaussian in many dimensions (Gelman, Roberts and Gilks 1996); the paper has 2.4²/d. The first `begin` steps are those of
//! [`super::random_walk`], θ′ ~ N(θ, 2α I); afterwards the step size α has no influence.
//!
//! While Σ changes the chain is not Markov: its draws converge to the target as the number of steps grows, because Σ changes ever
//! less (their theorem 1, for bounded densities on a bounded support; Roberts and Rosenthal 2007, J. Appl. Probab. 44:458),
//! but no single step keeps the target. With `until` Σ stays as it is after so many steps, and every later step is an exact
//! Metropolis step.

use std::sync::Arc;

use super::random_walk;
use crate::methods::kit::covariance::{self, triangle};
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Milestone, Needs, OnDensities, Population, Problem, Scratch,
    StepRecord, StepSpec,
};
use crate::schedules::{CONSTANT, MAX_STEPS, Schedule, Stage};
use base::math::Coords;
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};
use models::targets::{Model, Space};

/// The best scale of proposals in many dimensions, times √d.
const SCALE: f64 = 2.38;

/// Most coordinates: a step factorises a matrix.
const MOST_COORDINATES: usize = 64;

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::step_size(CONSTANT),
    ParamSpec::integer(
        "begin",
        "steps before adaptation",
        200.0,
        Interval::closed(2.0, MAX_STEPS),
        (2.0, 2000.0),
        "Number of steps of a random walk with step size α before proposals have the covariance of the chain's past.",
    )
    .unit("steps"),
    ParamSpec::integer(
        "until",
        "adaptation ends after",
        2000.0,
        Interval::closed(2.0, MAX_STEPS),
        (2.0, 10_000.0),
        "Number of steps after which the covariance stays as it is, so that all later steps are exact. Left out: it is \
         adapted until the end, and the draws are exact only in the limit.",
    )
    .unit("steps")
    .optional(),
    ParamSpec::number(
        "epsilon",
        "floor ε",
        1e-6,
        Interval::POSITIVE,
        (1e-10, 1.0),
        "Added to every variance, so that proposals never lie on a line.",
    )
    .folded()
    .log(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "adaptive-metropolis",
        label: "Adaptive Metropolis",
        help: "Adaptive Metropolis (Haario, Saksman and Tamminen 2001): a random walk whose proposals have the covariance of the \
               chain's past. It needs neither a gradient nor, in the end, a step size.",
        params: &PARAMS,
    },
    group: MethodGroup::WithoutGradients,
    build,
    step: Some(StepSpec {
        noise: Some(
            "N(0, 2α I) at first; after the steps before adaptation N(0, 2.38²/d (Σ + ε I)), Σ the covariance of the chain's \
                past, whatever α is.",
        ),
        ..random_walk::STEP
    }),
    algorithm: include_str!("adaptive_metropolis.py"),
    sources: &[sources::HAARIO],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveMetropolis {
    /// Steps before the adaptation, at least 2.
    pub begin: u64,
    /// Steps after which it ends; `None` if never.
    pub until: Option<u64>,
    /// ε, above 0.
    pub epsilon: f64,
}

/// Working memory of a chain: its past, and the factor of the covariance of its proposals.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// Steps so far.
    steps: f64,
    /// Positions that have been added to mean and sums.
    count: f64,
    mean: Vec<f64>,
    sums: Vec<f64>,
    /// The Cholesky factor of Σ + ε I, of the coordinates in which the chain moves.
    factor: Vec<f64>,
    sound: bool,
    memory: Vec<f64>,
}

impl Method for AdaptiveMetropolis {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 1, uniforms: 1, masks: false }
    }

    fn alpha_in_words(&self) -> &'static str {
        "before the adaptation a proposal adds √(2α) ξ, with ξ ~ N(0, 1); afterwards α has no influence."
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let dimension = space.model().map_or(0, Model::dimension);
        if dimension <= MOST_COORDINATES {
            return self.on_densities(space);
        }
        let problem = format!("the target has {dimension} coordinates, too many for the covariance of every chain");
        Err(ParamError::new("method", problem, format!("random-walk, or at most {MOST_COORDINATES} coordinates")))
    }

    fn carries(&self) -> &'static [&'static str] {
        &["past steps", "past mean", "past products"]
    }

    fn milestones(&self) -> Vec<Milestone> {
        let begin = Milestone { after: self.begin, what: "adaptation begins" };
        let end = self.until.map(|until| Milestone { after: until, what: "adaptation ends" });
        [begin].into_iter().chain(end).collect()
    }

    /// The start is the first position of the past.
    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        let (dimension, chains) = (starts.dimension(), starts.len());
        let mut counts = Coords::zeros(2, chains);
        counts.axis_mut(1).fill(1.0);
        let carried = vec![counts, starts.clone(), Coords::zeros(triangle(dimension), chains)];
        Population { carried, ..Population::at(starts) }
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        let mut errors: Vec<_> = metropolis::check_noise(schedule).into_iter().collect();
        if self.until.is_some_and(|until| until < self.begin) {
            let problem = "the adaptation ends before it begins";
            errors.push(ParamError::new("until", problem, format!("at least {}, or left out", self.begin)));
        }
        errors
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.fill_log_densities(problem, chains);
        let mut pasts = std::mem::take(&mut scratch.pasts);
        pasts.resize_with(chains.len().max(pasts.len()), Past::default);
        for (chain, past) in pasts.iter_mut().enumerate().take(chains.len()) {
            past.load(&chains.carried, chain);
            past.factorise(problem.free, self.epsilon);
        }
        for step in stepwise::each(steps, randomness, &chains.positions) {
            self.propose(problem, &step, chains, scratch, &pasts);
            let records = step.records(&mut track);
            for (chain, record) in records.iter_mut().enumerate() {
                *record = StepRecord { from: problem.position(&chains.positions, chain), ..StepRecord::default() };
                record.injected_noise = problem.position(&scratch.to, chain) - record.from;
            }
            metropolis::decide(problem, &step, chains, scratch, records);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            for (chain, past) in pasts.iter_mut().enumerate().take(chains.len()) {
                self.learn(problem, (chains, chain), past, &mut scratch.vector);
            }
            step.keep(problem, chains, &mut track);
        }
        for (chain, past) in pasts.iter().enumerate().take(chains.len()) {
            past.store(&mut chains.carried, chain);
        }
        scratch.pasts = pasts;
    }

    fn uses_gradients(&self) -> bool {
        false
    }

    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        1.0
    }
}

impl AdaptiveMetropolis {
    /// Computes the proposals and their log densities.
    fn propose(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &mut Scratch,
        pasts: &[Past],
    ) {
        scratch.resize(&chains.positions);
        let (sd, scale) = ((2.0 * step.alpha).sqrt(), SCALE / (problem.free.max(1) as f64).sqrt());
        let normals = step.normals(0);
        let Scratch { to, correction, .. } = &mut *scratch;
        // The proposal is symmetric: its covariance comes from the past alone.
        correction.fill(0.0);
        to.clone_from(&chains.positions);
        for (axis, to) in to.axes_mut().enumerate().take(problem.free) {
            for (chain, (to, past)) in to.iter_mut().zip(pasts).enumerate() {
                *to += if past.steps >= self.begin as f64 && past.sound {
                    let factors = &past.factor[triangle(axis)..=covariance::entry(axis, axis)];
                    let sum = |(other, factor): (usize, &f64)| factor * normals.axis(other)[chain];
                    scale * factors.iter().enumerate().map(sum).sum::<f64>()
                } else {
                    sd * normals.axis(axis)[chain]
                };
            }
        }
        scratch.fill_proposed(problem);
    }

    /// Adds the position of a chain to its past.
    fn learn(
        &self,
        problem: &Problem<'_>,
        (chains, chain): (&Population, usize),
        past: &mut Past,
        position: &mut Vec<f64>,
    ) {
        if self.until.is_none_or(|until| past.steps < until as f64) {
            position.clear();
            position.extend(chains.positions.vector(chain));
            past.count += 1.0;
            covariance::add(position, past.count, &mut past.mean, &mut past.sums, &mut past.memory);
            if past.steps + 1.0 >= self.begin as f64 {
                past.factorise(problem.free, self.epsilon);
            }
        }
        past.steps += 1.0;
    }
}

impl Past {
    fn load(&mut self, carried: &[Coords], chain: usize) {
        let [counts, mean, sums] = carried else { return };
        (self.steps, self.count) = (counts.get(chain, 0), counts.get(chain, 1));
        for (to, from) in [(&mut self.mean, mean), (&mut self.sums, sums)] {
            to.clear();
            to.extend(from.vector(chain));
        }
    }

    fn store(&self, carried: &mut [Coords], chain: usize) {
        let [counts, mean, sums] = carried else { return };
        counts.set(chain, &[self.steps, self.count]);
        mean.set(chain, &self.mean);
        sums.set(chain, &self.sums);
    }

    /// Computes the factor of Σ + ε I for the first `free` coordinates.
    fn factorise(&mut self, free: usize, epsilon: f64) {
        let share = 1.0 / (self.count - 1.0).max(1.0);
        self.factor.clear();
        self.factor.extend(self.sums[..triangle(free)].iter().map(|sum| share * sum));
        (0..free).for_each(|axis| self.factor[covariance::entry(axis, axis)] += epsilon);
        self.sound = covariance::factorise(&mut self.factor, free);
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(AdaptiveMetropolis {
        begin: settings.count("begin"),
        until: settings.optional_count("until"),
        epsilon: settings.number("epsilon"),
    }))
}
