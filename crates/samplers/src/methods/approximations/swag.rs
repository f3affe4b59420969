//! SWAG: a Gaussian with the moments of iterates of SGD, as if these were draws.
//!
//! θ ← θ + α ĝ with an estimate ĝ of ∇ log p̃(θ), as in SGD, with a constant step size α. After the burn-in every c-th iterate is
//! collected. With their mean θ̄, D = diag(mean θ² − θ̄²), and the K newest deviations θᵢ − θ̄ᵢ from the running mean as columns of
//! D̂, the fit is the distribution of
//!
//! θ̄ + √(D/2) z₁ + D̂ z₂/√(2(K − 1)), z₁ and z₂ standard normal,
//!
//! with covariance D/2 + D̂D̂ᵀ/(2(K − 1)). Maddox, Garipov, Izmailov, Vetrov and Wilson (2019), "A simple baseline for Bayesian
//! uncertainty in deep learning", arXiv:1902.02476, algorithm 1; with several fits it is MultiSWAG (Wilson and Izmailov 2020,
//! arXiv:2002.08791). How wide the iterates spread depends on α and on the gradient noise, not on the posterior alone (see
//! [`crate::methods::optimisers::sgd`]).
//!
//! Deviations from the paper: D is made of sums of squared deviations, which cannot become negative by rounding. Coordinates are
//! without boundary: the logit or the logarithm of θ where the support of the target has one.

use std::sync::Arc;

use super::gaussian_fit;
use super::sources;
use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::{
    Approximation, Chunk, FitRecord, FitSpace, FitState, Fitting, Gradient, Memory, Method, MethodEntry, MethodGroup,
    MixtureWeights, Needs, Phase, Population, Predictive, Problem, Scratch, StartAt, StepRecord, StepScale, StepSpec,
    SwagState, Told,
};
use crate::schedules::{CONSTANT, Stage};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 9] = [
    gaussian_fit::CHAINS,
    parameters::fit_steps(2000.0),
    parameters::START,
    parameters::PLAIN_GRADIENT.default(DefaultValue::Kind("noisy")),
    parameters::step_size(CONSTANT),
    ParamSpec::integer(
        "burn_in",
        "burn-in",
        500.0,
        Interval::closed(0.0, 1e9),
        (0.0, 10_000.0),
        "Number of steps before the first iterate is collected.",
    )
    .unit("steps"),
    ParamSpec::integer(
        "every",
        "collect every",
        10.0,
        Interval::closed(1.0, 1e9),
        (1.0, 1000.0),
        "One iterate is collected in this number of steps.",
    )
    .folded()
    .unit("steps")
    .log(),
    ParamSpec::integer(
        "rank",
        "deviations K",
        20.0,
        Interval::closed(2.0, 1000.0),
        (2.0, 100.0),
        "Number of newest deviations from the mean that make up the correlated half of the covariance. The other half is diagonal.",
    )
    .folded()
    .log(),
    parameters::DRAWS,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "swag",
        label: "SWAG",
        help: "Stochastic weight averaging, Gaussian (Maddox et al. 2019): SGD with a constant step size, and a Gaussian with mean \
               and covariance of its iterates. Its width depends on step size and gradient noise.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: Some(StepSpec {
        formula: "θ ← θ + α ĝ; the fit has the moments of these iterates.",
        noise: None,
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("swag.py"),
    sources: &[sources::MADDOX, sources::WILSON_IZMAILOV],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swag {
    /// Steps before the first iterate is collected.
    pub burn_in: u64,
    /// One iterate is collected in this number of steps, at least 1.
    pub every: u64,
    /// K, at least 2.
    pub rank: usize,
    /// Number of draws from the fit that are shown.
    pub draws: usize,
}

impl Method for Swag {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors(), ..Needs::default() }
    }

    fn fitting(&self) -> Option<Fitting> {
        Some(Fitting {
            draws: self.draws,
            space: FitSpace::Open,
            initial_sd: None,
            start_at: StartAt::RunStart,
            mixture_weights: MixtureWeights::Equal,
            predictive: Predictive::Sampled,
            spread: 1.0,
        })
    }

    fn remark(&self, steps: u64) -> Option<String> {
        let first = self.burn_in.saturating_add(self.every);
        let words = || {
            format!(
                "no iterate of {steps} steps is collected, and nothing fitted: the first would be that of step {first}"
            )
        };
        (first > steps).then(words)
    }

    /// As of SGD.
    fn stable_below(&self, curvature: f64) -> Option<f64> {
        Some(2.0 / curvature)
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            begin(chains);
            estimate(problem, &step, chains, scratch);
            for chain in 0..chains.len() {
                scratch.told.begin(chain < records.len());
                let from = problem.position(&chains.positions, chain);
                let Population { positions, fits, .. } = &mut *chains;
                let fit = &mut fits[chain];
                self.step(problem, (&step, chain), fit, scratch);
                fit.note();
                if let Memory::Swag(state) = &fit.memory {
                    positions.set(chain, state.position());
                }
                if let Some(record) = records.get_mut(chain) {
                    let to = problem.position(&chains.positions, chain);
                    *record = StepRecord::of_fit(moved_by(&chains.fits[chain]), [from, to], scratch.told.take());
                }
            }
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

/// Gives every fit a state at the position of its chain, unless it has one.
fn begin(chains: &mut Population) {
    let Population { positions, fits, .. } = chains;
    for (chain, fit) in fits.iter_mut().enumerate() {
        if !matches!(fit.memory, Memory::Swag(_)) {
            fit.memory = Memory::Swag(Box::new(SwagState::at(positions.vector(chain).collect())));
            (fit.record.distribution, fit.record.state) = (None, FitState::Moving);
        }
    }
}

/// Puts the gradient estimates at the iterates into `scratch.to_gradient`, with their noise.
fn estimate(problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
    let Scratch { to, to_gradient, memory, .. } = scratch;
    to.resize(chains.positions.dimension(), chains.len());
    to_gradient.resize(chains.positions.dimension(), chains.len());
    for (chain, fit) in chains.fits.iter().enumerate() {
        if let Memory::Swag(state) = &fit.memory {
            to.set(chain, &state.iterate);
        }
    }
    problem.gradient.estimates(problem, step.batches, to, memory, to_gradient);
    problem.gradient.disturb(problem, 1.0, step.normals(0), to_gradient);
}

impl Swag {
    /// Takes a step with one fit. One that has diverged stays where it is.
    fn step(
        &self,
        problem: &Problem<'_>,
        (step, chain): (&Step<'_>, usize),
        fit: &mut Approximation,
        scratch: &mut Scratch,
    ) {
        (fit.record.elbo, fit.record.log_evidence, fit.record.not_positive) = (None, None, 0);
        let Memory::Swag(state) = &mut fit.memory else { return };
        if fit.record.state == FitState::Diverged {
            return;
        }
        fit.record.evaluations += problem.gradient.uncompensated().cost(problem.data_count().max(1));
        let next = &mut scratch.vector;
        next.clone_from(&state.iterate);
        for (axis, coordinate) in next.iter_mut().enumerate().take(problem.free) {
            *coordinate += step.alpha * scratch.to_gradient.get(chain, axis);
        }
        let reach = problem.reach();
        if !next.iter().all(|coordinate| coordinate.abs() <= reach) {
            fit.record.state = FitState::Diverged;
            return;
        }
        let told = &mut scratch.told;
        if told.is_recorded() {
            let slope = |axis| step.alpha * scratch.to_gradient.get(chain, axis);
            told.tell(
                Phase::Position,
                "θ of the walk",
                problem.projection.image(next.len(), |axis| state.iterate[axis]),
            );
            told.tell(Phase::Gradient, "α ĝ", problem.displacement(slope));
        }
        state.iterate.clone_from(next);
        state.steps += 1;
        if state.steps > self.burn_in && (state.steps - self.burn_in).is_multiple_of(self.every) {
            state.collect(self.rank);
            fit.record.state = FitState::Collecting;
            fit.record.distribution = state.projected(problem.info.dimension, problem.projection);
        }
        tell(told, state, &fit.record, problem);
    }
}

/// The phase of the term that moves what is drawn: the walk, until there is a mean.
fn moved_by(fit: &Approximation) -> Phase {
    match &fit.memory {
        Memory::Swag(state) if state.collected > 0 => Phase::Estimate,
        _ => Phase::Gradient,
    }
}

/// Tells where the walk is after a step, and what was collected of it, in the plane.
fn tell(told: &mut Told, state: &SwagState, record: &FitRecord, problem: &Problem<'_>) {
    if !told.is_recorded() {
        return;
    }
    let in_plane = |vector: &[f64]| problem.projection.image(vector.len(), |axis| vector[axis]);
    told.tell(Phase::Data, "collected", state.collected);
    if state.collected > 0 {
        told.tell(Phase::Estimate, "θ̄", in_plane(&state.mean));
        if problem.density.is_some() {
            let variances: Vec<f64> = state.scatter.iter().map(|sum| sum / state.collected as f64).collect();
            told.tell(Phase::Adapt, "D", in_plane(&variances));
        }
    }
    if let Some(distribution) = &record.distribution {
        told.tell(Phase::Fit, "mean", distribution.mean());
        told.tell(Phase::Fit, "covariance", distribution.covariance());
    }
    told.tell(Phase::Move, "θ of the walk", in_plane(&state.iterate));
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Swag {
        burn_in: settings.count("burn_in"),
        every: settings.count("every"),
        rank: usize::try_from(settings.count("rank")).unwrap_or(usize::MAX),
        draws: parameters::draws(settings),
    }))
}
