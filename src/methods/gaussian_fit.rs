//! What the methods share that fit a Gaussian q = N(m, LLᵀ) step by step: their parameters, the distribution they begin with, and how
//! they leave behind what they have found.

use super::approximation;
use super::parameters;
use super::stepwise::Step;
use super::{
    Approximation, FitSpace, FitState, Fitting, MixtureWeights, Population, Problem, Randomness, StartAt, Steps, Track,
};
use crate::math::{Distribution, Matrix, Point};
use crate::params::{Interval, ParamError, ParamSpec, Settings};

/// Fits side by side at most: what each carries is kept of every step.
const MOST_FITS: f64 = 64.0;

/// Range of the standard deviation to begin with: wide, but such that its fourth powers are still numbers.
const SMALLEST_SD: f64 = 1e-6;
const LARGEST_SD: f64 = 1e6;

/// Number of fits.
pub(super) const CHAINS: ParamSpec = ParamSpec::integer(
    "chains",
    "fits",
    1.0,
    Interval::closed(1.0, MOST_FITS),
    (1.0, MOST_FITS),
    "Number of independent fits, side by side, each with its own draws. Together they make up a mixture with equal shares.",
)
.log()
.fixed();

/// Standard deviation of the distribution to begin with.
pub(super) const INITIAL_SD: ParamSpec = ParamSpec::number(
    "initial_sd",
    "initial sd",
    1.0,
    Interval::closed(SMALLEST_SD, LARGEST_SD),
    (0.01, 5.0),
    "Standard deviation along both axes of the distribution to begin with. Where the target has an edge, it is that of the logit or \
     the logarithm.",
)
.log()
.fixed();

/// How these methods want to be treated: distributions that live in coordinates without edges.
pub(super) fn fitting(draws: usize, initial_sd: f64) -> Fitting {
    Fitting {
        draws,
        space: FitSpace::Open,
        initial_sd: Some(initial_sd),
        start_at: StartAt::RunStart,
        pooled: MixtureWeights::Equal,
    }
}

/// Checks that the numbers of a schedule are not meant as Welling and Teh's ε, which is a step of Langevin dynamics.
pub(super) fn check_convention(settings: &Settings) -> Result<(), Vec<ParamError>> {
    let problem = "the step size of this method is not that of Langevin dynamics, which Welling and Teh's ε belongs to";
    parameters::check_convention(settings, problem, "langevin, with the numbers as they are")
}

/// The distribution from which a fit goes on: its own, or the one to begin with where there is none; `None` if the place is none.
pub(super) fn present(fit: &Approximation, dimension: usize, at: Point, initial_sd: f64) -> Option<Distribution> {
    let begun = || Distribution::gaussian(dimension, at, Matrix::from_diagonal_element(initial_sd * initial_sd));
    let own = fit.record.distribution.filter(Distribution::is_sound);
    Some(own.unwrap_or_else(begun)).filter(Distribution::is_sound)
}

/// Makes a chunk of steps: `one` makes a step of one fit and puts down how it stands; the chain is its mean.
pub(super) fn each_fit(
    dimension: usize,
    steps: (&Steps<'_>, Randomness<'_>),
    chains: &mut Population,
    track: Track<'_>,
    mut one: impl FnMut(&Step<'_>, usize, Point, &mut Approximation),
) {
    approximation::each_fit(steps, chains, track, |step, chain, from, fit| {
        // What a Laplace approximation has claimed is not claimed by the distribution that follows.
        fit.record.log_evidence = None;
        one(step, chain, from, fit);
        fit.record.distribution = fit.record.distribution.filter(Distribution::is_sound);
        let to = fit.record.distribution.map_or(from, |distribution| distribution.mean());
        if dimension > 1 { to } else { Point::new(to.x, 0.0) }
    });
}

/// Counts what a step has cost: so many looks at the data, each at as many of them as a gradient.
pub(super) fn count_evaluations(fit: &mut Approximation, problem: &Problem<'_>, looks: usize) {
    let data = problem.target.data().map_or(1, |data| data.len());
    fit.record.evaluations += looks as f64 * problem.gradient.uncompensated().cost(data);
}

/// Takes down that a step could not be made at all.
pub(super) fn skip(fit: &mut Approximation) {
    fit.record.guards += 1;
    fit.record.state = FitState::Diverged;
}
