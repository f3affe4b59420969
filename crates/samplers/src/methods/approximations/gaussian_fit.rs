//! Gaussian fits: parameters, initial distribution and step loop of the methods that fit q = N(m, LLᵀ) step by step.

use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::{
    Approximation, Chunk, FitSpace, FitState, Fitting, MixtureWeights, Phase, Population, Predictive, Problem, Scratch,
    StartAt,
};
use base::math::{Distribution, Matrix, Point};
use base::params::{Interval, ParamError, ParamSpec, Settings};

/// Largest number of fits side by side: the record of every step of each is kept.
const MOST_FITS: f64 = 64.0;

/// Range of the initial standard deviation: wide, but with finite fourth powers.
const SMALLEST_SD: f64 = 1e-6;
const LARGEST_SD: f64 = 1e6;

/// Number of fits.
pub(crate) const CHAINS: ParamSpec = ParamSpec::integer(
    "chains",
    "fits",
    1.0,
    Interval::closed(1.0, MOST_FITS),
    (1.0, MOST_FITS),
    "Number of independent fits side by side, each with its own random numbers. Together they form a mixture with equal \
     weights.",
).folded()
.log()
.fixed();

/// Standard deviation of the initial distribution.
pub(crate) const INITIAL_SD: ParamSpec = ParamSpec::number(
    "initial_sd",
    "initial sd",
    1.0,
    Interval::closed(SMALLEST_SD, LARGEST_SD),
    (0.01, 5.0),
    "Standard deviation of the initial distribution along both axes. Where the support of the target has a boundary, it is \
     that of the logit or the logarithm.",
).folded()
.log()
.fixed();

/// The properties of these methods: distributions in coordinates without boundary.
pub(crate) fn fitting(draws: usize, initial_sd: f64) -> Fitting {
    Fitting {
        draws,
        space: FitSpace::Open,
        initial_sd: Some(initial_sd),
        start_at: StartAt::RunStart,
        mixture_weights: MixtureWeights::Equal,
        predictive: Predictive::Sampled,
        spread: 1.0,
    }
}

/// Checks that the numbers of the schedule are not given as Welling and Teh's ε, which is a step of Langevin dynamics.
pub(crate) fn check_convention(settings: &Settings) -> Result<(), Vec<ParamError>> {
    let problem = "Welling and Teh's ε is a step size of Langevin dynamics, and this method takes no Langevin steps";
    parameters::check_convention(settings, problem, "langevin, with the numbers as they are")
}

/// The distribution before a step: that of the fit, or the initial one if there is none; `None` if the position is not
/// finite.
pub(crate) fn present(fit: &Approximation, dimension: usize, at: Point, initial_sd: f64) -> Option<Distribution> {
    let initial = || Distribution::gaussian(dimension, at, Matrix::from_diagonal_element(initial_sd * initial_sd));
    let own = fit.record.distribution.filter(Distribution::is_sound);
    Some(own.unwrap_or_else(initial)).filter(Distribution::is_sound)
}

/// Takes a chunk of steps with every fit. `one` takes a step with one fit and updates its record; the position of the
/// chain becomes the mean of the distribution.
pub(crate) fn each_fit(
    chains: &mut Population,
    chunk: Chunk<'_>,
    mut one: impl FnMut(&Step<'_>, usize, Point, &mut Approximation, &mut Scratch),
) {
    let dimension = chunk.problem.info.dimension;
    stepwise::each_fit(chains, chunk, Phase::Fit, |step, chain, from, fit, scratch| {
        // The log evidence of an earlier Laplace approximation is not that of the new distribution.
        fit.record.log_evidence = None;
        one(step, chain, from, fit, scratch);
        fit.record.distribution = fit.record.distribution.filter(Distribution::is_sound);
        let to = fit.record.distribution.map_or(from, |distribution| distribution.mean());
        if dimension > 1 { to } else { Point::new(to.x, 0.0) }
    });
}

/// Adds the cost of a step: `looks` evaluations, each at the cost of one gradient estimate.
pub(crate) fn count_evaluations(fit: &mut Approximation, problem: &Problem<'_>, looks: usize) {
    let data = problem.data().map_or(1, |data| data.len());
    fit.record.evaluations += looks as f64 * problem.gradient.uncompensated().cost(data);
}

/// Records that a step was skipped.
pub(crate) fn skip(fit: &mut Approximation) {
    fit.record.guards += 1;
    fit.record.state = FitState::Diverged;
}
