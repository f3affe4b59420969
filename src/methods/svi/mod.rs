//! Stochastic variational inference: noisy natural-gradient steps for a Gaussian q = N(m, Λ⁻¹).
//!
//! In natural parameters λ = (Λm, Λ) the natural gradient of the evidence lower bound is λ̂(λ) − λ, with the target
//!
//! Λ̂ = E_q[−∇² log p̃], shift target E_q[∇ log p̃] + Λ̂ m,
//!
//! so that a step is a mixture of the old parameters and the target: λ ← (1 − ρ) λ + ρ λ̂. Expectations are taken by draws or by
//! quadrature, the log density exactly or from a minibatch: λ̂ is noisy.
//!
//! Hoffman, Blei, Wang and Paisley (2013), "Stochastic variational inference", JMLR 14:1303, arXiv:1206.7051, for conjugate
//! models, where λ̂ are expected sufficient statistics; for a Gaussian q and any differentiable log p̃, where they are what is
//! above, Khan and Rue (2023), "The Bayesian learning rule", arXiv:2107.04562, section 3.1.
//!
//! Three ways to average the noise out of λ̂, after Mandt and Blei (2014), "Smoothed gradients for stochastic variational
//! inference", arXiv:1406.3650:
//!
//! - `statistics`, theirs: the mean of the last L targets takes the place of λ̂ (of as many as there are in the beginning; L = 1
//!   is plain stochastic variational inference). The distribution stays valid, as a mixture of precisions; old targets were made
//!   for other λ, which is a bias.
//! - `average-gradient`: λ ← λ + ρ · mean of the last L differences λ̂ⱼ − λⱼ. The λⱼ lag behind as well: the bias is larger, and the
//!   step can leave the valid region.
//! - `sag`: every datum's contribution is remembered from when it was last looked at ([`table`]); the prior's is fresh.
//!
//! −∇² log p̃ need not be positive definite away from a mode, and noise can make it less so. A step after which Λ would not be
//! positive definite is halved until it is, and counted as guarded; one whose target is no number is left out, and counted as
//! well. Under `noisy` gradients the noise is in ∇ log p̃ alone; second derivatives are exact.
//!
//! The distribution lives in coordinates without edges, as that of [`super::gaussian_vi`].

mod moving_average;
mod natural;
mod oracle;
mod table;

use std::sync::Arc;

use super::expectation::{self, Affine, Evaluations, Expectations};
use super::gaussian_fit::{self, count_evaluations, present, skip};
use super::stepwise::Step;
use super::{
    Approximation, FitState, Fitting, Gradient, Memory, Method, MethodBuilder, Needs, Population, Problem, Randomness,
    Scratch, Steps, Track, parameters,
};
use crate::math::{Distribution, Point};
use crate::params::{Choice, DefaultValue, Entry, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use crate::schedules::{Schedule, Stage};
use crate::targets::{Data, Derivatives, Target};

pub use moving_average::MovingAverage;
pub use natural::{Natural, natural_of};
pub use oracle::{IntermediateEstimate, Oracle};

use natural::natural;
use table::Table;

/// Targets that are remembered at most.
const LONGEST_WINDOW: f64 = 1000.0;

/// Data times fits whose contributions are remembered at most: four megabytes, and as much again for every moment that a
/// run can go back to.
const LARGEST_TABLES: usize = 100_000;

/// A distribution this close to its target, relative to its largest parameter, has settled: what is left is rounding.
const SETTLED: f64 = 1e-13;

/// Looks at the data at every place: one for the gradient, with the log density, and one for second derivatives.
const LOOKS: usize = 2;

/// Halvings of a step at most; after so many nothing is left of it beside 1.
const MOST_HALVINGS: u32 = 64;

const PARAMS: [ParamSpec; 10] = [
    gaussian_fit::CHAINS,
    parameters::fit_steps(2000.0),
    parameters::START,
    gaussian_fit::INITIAL_SD,
    expectation::EXPECTATIONS_SPEC,
    parameters::PLAIN_GRADIENT,
    parameters::NATURAL_STEP,
    ParamSpec::integer(
        "window",
        "window L",
        1.0,
        Interval::closed(1.0, LONGEST_WINDOW),
        (1.0, 100.0),
        "Number of noisy targets that are averaged. More are less noisy but older; 1 is plain stochastic variational inference.",
    )
    .unit("steps")
    .log(),
    ParamSpec::of(
        "average",
        "average",
        ParamType::Choice(&[
            Choice {
                name: "statistics",
                label: "statistics",
                help: "The mean of the last L noisy targets (Mandt and Blei 2014).",
            },
            Choice {
                name: "average-gradient",
                label: "average gradient",
                help: "The mean of the last L noisy natural gradients: more bias, and the distribution can become invalid.",
            },
            Choice {
                name: "sag",
                label: "SAG",
                help: "Stochastic average gradient: what every datum last contributed. Needs minibatches; L does not matter.",
            },
        ]),
        DefaultValue::Word("statistics"),
        "What is averaged to make the steps less noisy. Changed on the way, averages begin anew.",
    ),
    parameters::DRAWS,
];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "svi",
        label: "SVI",
        help: "Stochastic variational inference (Hoffman et al. 2013) with smoothed gradients (Mandt and Blei 2014): a Gaussian \
               takes natural-gradient steps towards noisy targets.",
        params: &PARAMS,
    },
    build,
};

/// What is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// Noisy targets.
    Statistics,
    /// Noisy natural gradients.
    Gradients,
    /// What every datum last contributed.
    Sag,
}

/// How a method averages noisy targets, for those who look into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaging<'a> {
    /// What is averaged.
    pub average: Average,
    /// L.
    pub window: usize,
    /// How expectations are taken.
    pub expectations: &'a Expectations,
}

/// The algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Svi {
    /// How expectations are taken.
    pub expectations: Expectations,
    /// What is averaged.
    pub average: Average,
    /// L, at least 1.
    pub window: usize,
    /// Number of fits, for what they may remember together.
    pub chains: usize,
    /// Standard deviation of the distribution to begin with.
    pub initial_sd: f64,
    /// Number of draws from the fit that are shown.
    pub draws: usize,
}

/// The natural parameters of a distribution, and what is remembered of noisy targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    natural: Natural,
    /// The distribution with these parameters.
    distribution: Distribution,
    average: Average,
    /// Targets, or differences from the parameters of their time.
    window: MovingAverage,
    /// What data have contributed.
    table: Table,
}

impl Svi {
    /// What has to be remembered, to be used in a step.
    fn memory(
        &self,
        fit: &mut Approximation,
        (dimension, data): (usize, usize),
        distribution: &Distribution,
    ) -> Box<Smoothed> {
        let data = if self.average == Average::Sag { data } else { 0 };
        let fresh = |natural| {
            let (window, table) = (MovingAverage::default(), Table::new(data));
            Box::new(Smoothed { natural, distribution: *distribution, average: self.average, window, table })
        };
        match std::mem::take(&mut fit.memory) {
            // Another method may have left another distribution.
            Memory::Smoothed(memory) if memory.distribution != *distribution => {
                fresh(natural_of(dimension, distribution))
            }
            Memory::Smoothed(memory) if memory.average == self.average && memory.table.len() == data => memory,
            Memory::Smoothed(memory) => fresh(memory.natural),
            _ => fresh(natural_of(dimension, distribution)),
        }
    }

    /// What takes the place of the noisy target in a step.
    fn averaged(
        &self,
        noisy: Natural,
        memory: &mut Smoothed,
        (found, distribution): (&Evaluations, &Affine),
        step: &Step<'_>,
    ) -> Natural {
        match self.average {
            Average::Statistics => memory.window.push(noisy, self.window),
            Average::Gradients => memory.natural + memory.window.push(noisy - memory.natural, self.window),
            Average::Sag => {
                let dimension = if distribution.root.m22 > 0.0 { 2 } else { 1 };
                for (index, datum) in step.batch.iter().zip(&found.data) {
                    memory.table.replace(*index as usize, target(dimension, datum, distribution.mean));
                }
                target(dimension, &found.prior, distribution.mean) + memory.table.total()
            }
        }
    }

    /// Makes a step of one fit.
    fn advance_one(
        &self,
        problem: &Problem<'_>,
        (step, chain): (&Step<'_>, usize),
        at: Point,
        fit: &mut Approximation,
        found: &mut Evaluations,
    ) {
        let dimension = problem.target.info().dimension;
        let present = present(fit, dimension, at, self.initial_sd);
        let Some((distribution, affine)) =
            present.and_then(|distribution| Some((distribution, Affine::of(dimension, &distribution)?)))
        else {
            return skip(fit);
        };
        (fit.record.distribution, fit.record.state) = (Some(distribution), FitState::Moving);
        found.fill(problem, &self.expectations, &affine, (step, chain), true);
        count_evaluations(fit, problem, LOOKS * found.places.len());
        fit.record.elbo = found.elbo(problem, &self.expectations, &affine);
        let noisy = target(dimension, &found.total, affine.mean);
        if !noisy.iter().all(|entry| entry.is_finite()) {
            fit.record.guards += 1;
            return;
        }
        let data = problem.target.data().map_or(0, Data::len);
        let mut memory = self.memory(fit, (dimension, data), &distribution);
        let before = memory.natural;
        let averaged = self.averaged(noisy, &mut memory, (found, &affine), step);
        let (halvings, after) = guarded(dimension, before, averaged, step.alpha);
        fit.record.guards += u64::from(halvings > 0);
        if let Some((natural, distribution)) = after {
            let still = (averaged - before).amax() <= SETTLED * before.amax();
            let still = still && self.window == 1 && self.average == Average::Statistics;
            if still && self.expectations.are_exact(problem.gradient) {
                fit.record.state = FitState::Settled;
            }
            (memory.natural, memory.distribution, fit.record.distribution) =
                (natural, distribution, Some(distribution));
        }
        fit.memory = Memory::Smoothed(memory);
    }
}

/// The target that expected derivatives make at mean m: (E ∇ + Λ̂ m, Λ̂), Λ̂ = −E ∇².
fn target(dimension: usize, expected: &Derivatives, mean: Point) -> Natural {
    let precision = -expected.hessian;
    natural(dimension, expected.gradient + precision * mean, precision)
}

/// The step λ ← (1 − ρ) λ + ρ λ̄, with ρ halved until the distribution is valid: how often, and where it leads, if anywhere.
fn guarded(dimension: usize, from: Natural, to: Natural, step_size: f64) -> (u32, Option<(Natural, Distribution)>) {
    let mut share = step_size;
    for halvings in 0..MOST_HALVINGS {
        let natural = from * (1.0 - share) + to * share;
        if let Some(distribution) = natural::distribution(dimension, &natural) {
            return (halvings, Some((natural, distribution)));
        }
        share *= 0.5;
    }
    (MOST_HALVINGS, None)
}

impl Method for Svi {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { pairs: self.expectations.pairs(gradient), uniforms: 0 }
    }

    fn fitting(&self) -> Option<Fitting> {
        Some(gaussian_fit::fitting(self.draws, self.initial_sd))
    }

    fn averaging(&self) -> Option<Averaging<'_>> {
        Some(Averaging { average: self.average, window: self.window, expectations: &self.expectations })
    }

    fn suits(&self, target: &dyn Target) -> Result<(), ParamError> {
        let data = target.data().map_or(0, Data::len);
        if self.average != Average::Sag || data.saturating_mul(self.chains) <= LARGEST_TABLES {
            return Ok(());
        }
        let problem = format!("{data} data are too many to remember the contribution of each to {} fits", self.chains);
        Err(ParamError::new("average", problem, "statistics, average-gradient"))
    }

    fn check(&self, gradient: &Gradient, schedule: &dyn Schedule, steps: u64) -> Vec<ParamError> {
        let mut errors = Vec::new();
        let largest = schedule.largest(steps);
        if largest > 1.0 {
            let problem = format!("ρ reaches {largest:.3}, and a distribution cannot go further than to its target");
            errors.push(ParamError::new("step_size", problem, "ρ up to 1 in all steps"));
        }
        if self.average == Average::Sag && !matches!(gradient, Gradient::Minibatch { .. }) {
            let problem = "without minibatches there are no contributions of single data to remember";
            errors.push(ParamError::new("average", problem, "statistics, average-gradient, or minibatch gradients"));
        }
        errors
    }

    fn advance(
        &self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        randomness: Randomness<'_>,
        chains: &mut Population,
        track: Track<'_>,
        scratch: &mut Scratch,
    ) {
        let dimension = problem.target.info().dimension;
        gaussian_fit::each_fit(dimension, (steps, randomness), chains, track, |step, chain, at, fit| {
            self.advance_one(problem, (step, chain), at, fit, &mut scratch.evaluations);
        });
    }

    /// In the plane; quadrature on the line looks at fewer places.
    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        (LOOKS * self.expectations.places(2)) as f64 * gradient.cost(data)
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    gaussian_fit::check_convention(settings)?;
    let count = |key| usize::try_from(settings.count(key)).unwrap_or(usize::MAX);
    Ok(Arc::new(Svi {
        expectations: Expectations::of_run(settings),
        average: match settings.word("average") {
            "average-gradient" => Average::Gradients,
            "sag" => Average::Sag,
            _ => Average::Statistics,
        },
        window: count("window").max(1),
        chains: count("chains").max(1),
        initial_sd: settings.number("initial_sd"),
        draws: count("draws"),
    }))
}
