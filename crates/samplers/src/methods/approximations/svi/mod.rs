//! Stochastic variational inference (SVI): noisy natural-gradient steps for a Gaussian q = N(m, Λ⁻¹).
//!
//! In natural parameters λ = (Λm, Λ) the natural gradient of the evidence lower bound is λ̂(λ) − λ. The intermediate
//! estimate λ̂ = (Λ̂m̂, Λ̂) has
//!
//! Λ̂ = E_q[−∇² log p̃] and Λ̂m̂ = E_q[∇ log p̃] + Λ̂ m,
//!
//! and a step is a weighted mean of the old parameters and the estimate: λ ← (1 − ρ) λ + ρ λ̂. Expectations are taken by
//! draws or by quadrature, the log density exactly or from a minibatch, so λ̂ is noisy.
//!
//! Hoffman, Blei, Wang and Paisley (2013), "Stochastic variational inference", JMLR 14:1303, arXiv:1206.7051, who call
//! λ̂ intermediate global parameters, for conjugate models, where λ̂ are expected sufficient statistics. For a Gaussian
//! q and any differentiable log p̃, as above: Khan and Rue (2023), "The Bayesian learning rule", arXiv:2107.04562,
//! section 3.1.
//!
//! There are three ways to average the noise out of λ̂, after Mandt and Blei (2014), "Smoothed gradients for stochastic
//! variational inference", arXiv:1406.3650:
//!
//! - `statistics`, theirs: the mean of the last L estimates replaces λ̂ (of fewer estimates in the first steps; L = 1
//!   is plain stochastic variational inference). The covariance stays positive definite if that of every estimate is.
//!   Old estimates belong to older λ, which is a bias.
//! - `average-gradient`: λ ← λ + ρ · mean of the last L differences λ̂ⱼ − λⱼ. The λⱼ lag behind too: the bias is
//!   larger, and the covariance can lose positive definiteness.
//! - `sag`: the newest contribution of every datum is stored ([`super::fit_state`]); the contribution of the prior is always
//!   new.
//!
//! −∇² log p̃ need not be positive definite away from a mode, less so with noise. If Λ would not be positive definite
//! after a step, the step is halved until it is. A step with an estimate that is not finite is skipped. Both are
//! counted (`guards`). `noisy` gradients have noise in ∇ log p̃ alone; second derivatives are exact.
//!
//! q is a distribution in coordinates without boundary, as in [`super::gaussian_vi`].
//!
//! On topics λ are the parameters of Dirichlet distributions of the words of every topic, estimates come from minibatches of
//! documents, and the same three averages apply ([`crate::methods::topics`]).

mod oracle;
mod told;

use std::sync::Arc;

use super::expectation::{self, Affine, Evaluations, Expectations};
use super::fit_state::{Average, MovingAverage, Natural, Smoothed, Table, natural, natural_of};
use super::gaussian_fit::{self, count_evaluations, present, skip};
use super::sources;
use crate::methods::kit::kinds::many_dimensions;
use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::Step;
use crate::methods::{
    Approximation, Chunk, FitState, Fitting, Gradient, Inference, Memory, Method, MethodEntry, MethodGroup, Needs,
    OnDensities, Population, Problem, Scratch, StepScale, StepSpec, TopicMethod,
};
use crate::schedules::{Schedule, Stage};
use base::math::{Distribution, Point};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::lda::Smoothing;
use models::targets::{Data, Derivatives, Minibatch, Space};

pub use oracle::{IntermediateEstimate, Oracle};

/// Largest number of estimates in the average.
const LONGEST_WINDOW: f64 = 1000.0;

/// Largest product of data and fits whose contributions are stored: four megabytes, and as much again for every
/// checkpoint of the run.
const LARGEST_TABLES: usize = 100_000;

/// A distribution this close to its estimate, relative to its largest parameter, has converged: the rest is rounding.
const CONVERGED: f64 = 1e-13;

/// Evaluations at every point: one for the gradient with the log density, and one for second derivatives.
const LOOKS: usize = 2;

/// Largest number of halvings of a step: a weight of 2⁻⁶⁴ is lost in rounding.
const MOST_HALVINGS: u32 = 64;

const PARAMS: [ParamSpec; 10] = [
    gaussian_fit::CHAINS,
    parameters::fit_steps(2000.0),
    parameters::FIT_START,
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
        "Number of intermediate estimates λ̂ in the average. A longer window has less noise but older estimates; 1 is plain \
         stochastic variational inference.",
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
                help: "The mean of the last L intermediate estimates λ̂ (Mandt and Blei 2014).",
            },
            Choice {
                name: "average-gradient",
                label: "average gradient",
                help: "The mean of the last L noisy natural gradients: more bias, and more steps have to be shortened.",
            },
            Choice {
                name: "sag",
                label: "SAG",
                help: "Stochastic average gradient: the newest contribution of every datum or document. Needs minibatches; L \
                       has no effect.",
            },
        ]),
        DefaultValue::Word("statistics"),
        "The quantity that is averaged to reduce noise. A change during the run starts a new average.",
    ).folded(),
    parameters::DRAWS,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "svi",
        label: "SVI",
        help: "Stochastic variational inference (Hoffman et al. 2013) with smoothed gradients (Mandt and Blei 2014): fits a \
               Gaussian, or topics, by noisy natural-gradient steps. On topics initial sd, expectations and draws have no effect.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: Some(StepSpec {
        formula: "λ ← (1 − ρ) λ + ρ λ̂, λ the parameters of q and λ̂ the intermediate estimate.",
        noise: Some("none is injected; λ̂ is estimated from a minibatch or from draws of q."),
        scale: StepScale::Weight,
    }),
    algorithm: include_str!("svi.py"),
    sources: &[sources::HOFFMAN, sources::KHAN_RUE, sources::MANDT_BLEI],
    usual: None,
};

/// How a method averages intermediate estimates, for the plot of bias and variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaging<'a> {
    /// The quantity that is averaged.
    pub average: Average,
    /// The window length L.
    pub window: usize,
    /// How expectations are taken; `None` on topics, where they are formulas.
    pub expectations: Option<&'a Expectations>,
}

/// The algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct Svi {
    /// How expectations are taken.
    pub expectations: Expectations,
    /// The quantity that is averaged.
    pub average: Average,
    /// The window length L, at least 1.
    pub window: usize,
    /// Number of fits, which limits their tables of contributions.
    pub chains: usize,
    /// Standard deviation of the initial distribution.
    pub initial_sd: f64,
    /// Number of draws from the fit that are shown.
    pub draws: usize,
}

impl Svi {
    /// The memory for the next step: that of the last step, or a new one if the method or its settings have changed.
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
            // Another method may have changed the distribution.
            Memory::Smoothed(memory) if memory.distribution != *distribution => {
                fresh(natural_of(dimension, distribution))
            }
            Memory::Smoothed(memory) if memory.average == self.average && memory.table.len() == data => memory,
            Memory::Smoothed(memory) => fresh(memory.natural),
            _ => fresh(natural_of(dimension, distribution)),
        }
    }

    /// The averaged estimate that a step uses instead of λ̂.
    fn averaged(
        &self,
        estimate: Natural,
        memory: &mut Smoothed,
        (found, distribution): (&Evaluations, &Affine),
        batch: Minibatch<'_>,
    ) -> Natural {
        match self.average {
            Average::Statistics => memory.window.push(estimate, self.window),
            Average::Gradients => memory.natural + memory.window.push(estimate - memory.natural, self.window),
            Average::Sag => {
                let dimension = if distribution.root.m22 > 0.0 { 2 } else { 1 };
                for (index, datum) in batch.iter().zip(&found.data) {
                    memory.table.replace(index as usize, intermediate_estimate(dimension, datum, distribution.mean));
                }
                intermediate_estimate(dimension, &found.prior, distribution.mean) + memory.table.total()
            }
        }
    }

    /// Takes a step with one fit.
    fn advance_one(
        &self,
        problem: &Problem<'_>,
        (step, chain): (&Step<'_>, usize),
        at: Point,
        fit: &mut Approximation,
        Scratch { evaluations: found, told, .. }: &mut Scratch,
    ) {
        let dimension = problem.info.dimension;
        let present = present(fit, dimension, at, self.initial_sd);
        let Some((distribution, affine)) =
            present.and_then(|distribution| Some((distribution, Affine::of(dimension, &distribution)?)))
        else {
            return skip(fit);
        };
        (fit.record.distribution, fit.record.state) = (Some(distribution), FitState::Moving);
        found.fill(problem, &self.expectations, &affine, (step, chain), true);
        count_evaluations(fit, problem, LOOKS * found.points.len());
        fit.record.elbo = found.elbo(problem, &self.expectations, &affine);
        let estimate = intermediate_estimate(dimension, &found.total, affine.mean);
        let batch = step.batches.of(0, chain);
        told::evaluated(told, problem, (found, &self.expectations), (&affine, &estimate, batch));
        if !estimate.iter().all(|entry| entry.is_finite()) {
            fit.record.guards += 1;
            return;
        }
        let data = problem.data().map_or(0, Data::len);
        let mut memory = self.memory(fit, (dimension, data), &distribution);
        let before = memory.natural;
        let averaged = self.averaged(estimate, &mut memory, (found, &affine), batch);
        let (halvings, after) = guarded(dimension, before, averaged, step.alpha);
        told::mixed(told, [&before, &estimate, &averaged], (step.alpha, halvings), after.as_ref());
        fit.record.guards += u64::from(halvings > 0);
        if let Some((natural, distribution)) = after {
            let still = (averaged - before).amax() <= CONVERGED * before.amax();
            let still = still && self.window == 1 && self.average == Average::Statistics;
            if still && self.expectations.are_exact(problem.gradient) {
                fit.record.state = FitState::Converged;
            }
            (memory.natural, memory.distribution, fit.record.distribution) =
                (natural, distribution, Some(distribution));
        }
        fit.memory = Memory::Smoothed(memory);
    }
}

/// The intermediate estimate from expected derivatives at mean m: (E ∇ + Λ̂ m, Λ̂), Λ̂ = −E ∇².
fn intermediate_estimate(dimension: usize, expected: &Derivatives, mean: Point) -> Natural {
    let precision = -expected.hessian;
    natural::natural(dimension, expected.gradient + precision * mean, precision)
}

/// The step λ ← (1 − ρ) λ + ρ λ̄, with ρ halved until the covariance is positive definite: the number of halvings, and
/// the new parameters with their distribution, if there are any.
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

/// What is wrong with a weighted mean of estimates under this schedule over `steps` steps, and with this gradient.
pub(crate) fn check(average: Average, gradient: &Gradient, schedule: &dyn Schedule, steps: u64) -> Vec<ParamError> {
    let mut errors = Vec::new();
    let largest = schedule.largest(steps);
    if largest > 1.0 {
        let problem = format!("ρ reaches {largest:.3}, but it is a weight, which is at most 1");
        errors.push(ParamError::new("step_size", problem, "ρ up to 1 in all steps"));
    }
    if average == Average::Sag && !matches!(gradient, Gradient::Minibatch { .. }) {
        let problem = "SAG stores contributions of single data, which only minibatch gradients have";
        errors.push(ParamError::new("average", problem, "statistics, average-gradient, or minibatch gradients"));
    }
    errors
}

impl Method for Svi {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: self.expectations.vectors(gradient), ..Needs::default() }
    }

    fn fitting(&self) -> Option<Fitting> {
        Some(gaussian_fit::fitting(self.draws, self.initial_sd))
    }

    fn averaging(&self) -> Option<Averaging<'_>> {
        Some(Averaging { average: self.average, window: self.window, expectations: Some(&self.expectations) })
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let density = match space {
            Space::Topics(_) => {
                let smoothing = match self.average {
                    Average::Statistics => Smoothing::Statistics { window: self.window },
                    Average::Gradients => Smoothing::Gradients { window: self.window },
                    Average::Sag => Smoothing::Sag,
                };
                return TopicMethod::new(Inference::Svi { smoothing }, self.chains).on(space);
            }
            Space::Vectors(_) => return Err(many_dimensions()),
            Space::Plane(density) => density,
        };
        let data = density.data().map_or(0, Data::len);
        if self.average != Average::Sag || data.saturating_mul(self.chains) <= LARGEST_TABLES {
            return self.on_densities(space);
        }
        let problem = format!("{data} data are too many to store the contribution of each to {} fits", self.chains);
        Err(ParamError::new("average", problem, "statistics, average-gradient"))
    }

    fn check(&self, gradient: &Gradient, schedule: &dyn Schedule, steps: u64) -> Vec<ParamError> {
        check(self.average, gradient, schedule, steps)
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let problem = chunk.problem;
        gaussian_fit::each_fit(chains, chunk, |step, chain, at, fit, scratch| {
            self.advance_one(problem, (step, chain), at, fit, scratch);
        });
    }

    /// The cost in the plane; quadrature on the line uses fewer points.
    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        (LOOKS * self.expectations.points(2)) as f64 * gradient.cost(data)
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
        chains: parameters::chains(settings),
        initial_sd: settings.number("initial_sd"),
        draws: count("draws"),
    }))
}
