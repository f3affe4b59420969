//! Methods: the algorithms that move a population of chains, one file each, and the registry.
//!
//! A method is deterministic: all its randomness comes in as values ([`Randomness`]), made ahead by
//! whoever drives it, so that a step can be tested with numbers chosen by hand.

mod adam;
mod approximation;
mod batches;
mod cavi;
mod csghmc;
mod csgld;
mod euler;
mod expectation;
mod gaussian_fit;
mod gaussian_vi;
mod gradient;
mod gradient_descent;
mod hmc;
mod langevin;
mod laplace;
mod mala;
mod metropolis;
mod momentum;
mod parameters;
mod psgld;
mod random_walk;
mod scratch;
mod sgd;
mod sghmc;
mod sgld;
mod sgnht;
mod stepwise;
mod svi;

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use crate::math::{Point, Simd};
use crate::params::{Entry, KindSpec, ParamError, Settings, kinds};
use crate::schedules::{Schedule, Stage};
use crate::targets::Target;

pub use approximation::{
    Approximation, CaviState, Estimate, FitRecord, FitSpace, FitState, Fitting, Memory, MixtureWeights, NewtonState,
    StartAt,
};
pub use batches::Batches;
pub use cavi::Cavi;
pub use expectation::{EXPECTATIONS, Evaluations, Expectations};
pub use gaussian_vi::{Family, GaussianVi};
pub use gradient::{BATCHLESS_GRADIENTS, BatchOrder, GRADIENTS, Gradient, PLAIN_GRADIENTS};
pub use hmc::Hmc;
pub use langevin::Langevin;
pub use laplace::{Curvature, Laplace};
pub use mala::Mala;
pub use parameters::{COLLECTIONS, STARTS};
pub use psgld::Psgld;
pub use random_walk::RandomWalk;
pub use scratch::Scratch;
pub use sgd::Sgd;
pub use sghmc::Sghmc;
pub use sgld::Sgld;
pub use sgnht::Sgnht;
pub use svi::{Average, Averaging, IntermediateEstimate, MovingAverage, Natural, Oracle, Smoothed, Svi, natural_of};

/// Chains side by side: entry `i` of every list belongs to chain `i`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Population {
    /// First coordinates.
    pub x: Vec<f64>,
    /// Second coordinates.
    pub y: Vec<f64>,
    /// What else a method carries from step to step, one list per quantity of [`Method::carries`].
    pub carried: Vec<Vec<f64>>,
    /// What became of the proposals, of methods that make some.
    pub acceptance: Acceptance,
    /// The distributions of which the chains are the means, of methods that fit distributions; empty for samplers.
    pub fits: Vec<Approximation>,
}

/// What became of the proposals of a Metropolis method, added up over chains and steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceptance {
    /// Number of proposals.
    pub proposals: u64,
    /// Number of those that were accepted.
    pub accepted: u64,
    /// Sum of the probabilities with which they were, which is the less noisy of the two.
    pub probability: f64,
}

impl Acceptance {
    /// Counts one more proposal.
    pub fn count(&mut self, proposal: &Proposal) {
        self.proposals += 1;
        self.accepted += u64::from(proposal.accepted);
        self.probability += proposal.probability;
    }

    /// The sums of both.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            proposals: self.proposals + other.proposals,
            accepted: self.accepted + other.accepted,
            probability: self.probability + other.probability,
        }
    }

    /// The mean probability of acceptance; `None` if nothing was proposed.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        (self.proposals > 0).then(|| self.probability / self.proposals as f64)
    }
}

impl Population {
    /// Chains at the given points, carrying nothing else.
    #[must_use]
    pub fn at(starts: &[Point]) -> Self {
        let (x, y) = starts.iter().map(|start| (start.x, start.y)).unzip();
        Self { x, y, ..Self::default() }
    }

    /// Number of chains.
    #[must_use]
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are no chains.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Where chain `index` is.
    #[must_use]
    pub fn position(&self, index: usize) -> Point {
        Point::new(self.x[index], self.y[index])
    }
}

/// How many random numbers a method uses per chain and step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Pairs of independent standard normals.
    pub pairs: usize,
    /// Uniforms in (0, 1).
    pub uniforms: usize,
}

/// The random numbers of a chunk of steps of a population.
#[derive(Clone, Copy, Debug)]
pub struct Randomness<'a> {
    /// First members of the pairs: pair `p` of chain `i` in step `k` at `(k · pairs + p) · chains + i`.
    pub first: &'a [f64],
    /// Second members of the pairs, in the same layout.
    pub second: &'a [f64],
    /// Uniforms, in the same layout.
    pub uniforms: &'a [f64],
}

/// What is the same for all steps of a run.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The density in the coordinates in which the chains live.
    pub target: &'a dyn Target,
    /// How gradients are estimated.
    pub gradient: &'a Gradient,
    /// The instruction set to use; a matter of speed alone.
    pub simd: Simd,
}

/// A chunk of consecutive steps of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a> {
    /// Step size α of every step.
    pub step_sizes: &'a [f64],
    /// What every step is for.
    pub stages: &'a [Stage],
    /// Numbers of the data in the minibatches, step by step; empty unless gradients are estimated from them.
    pub batches: &'a [u32],
}

impl<'a> Steps<'a> {
    /// Number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.step_sizes.len()
    }

    /// Whether there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.step_sizes.is_empty()
    }

    /// The steps with the given numbers, from 0, within the chunk.
    #[must_use]
    pub fn part(&self, steps: Range<usize>) -> Self {
        let size = self.batches.len() / self.len().max(1);
        Self {
            step_sizes: &self.step_sizes[steps.clone()],
            stages: &self.stages[steps.clone()],
            batches: &self.batches[steps.start * size..steps.end * size],
        }
    }
}

/// What a chunk of steps leaves behind.
#[derive(Debug)]
pub struct Track<'a> {
    /// First coordinates after every step: chain `c` after step `k` at `k · chains + c`.
    pub x: &'a mut [f64],
    /// Second coordinates, in the same layout.
    pub y: &'a mut [f64],
    /// What happened in the last step, one record per chain; empty if nobody asks.
    pub records: &'a mut [StepRecord],
}

/// A place that a Metropolis method considers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proposal {
    /// The place.
    pub at: Point,
    /// The probability of going there, from 0 to 1.
    pub probability: f64,
    /// Whether the chain went there.
    pub accepted: bool,
}

/// What happened to one chain in one step, for those who watch.
///
/// The displacements add up to the way from `from` to `to`, or to the proposal where there is one; of a method that
/// follows a path (`path`), they are those of its first piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Where the chain was.
    pub from: Point,
    /// Where it went.
    pub to: Point,
    /// Displacement by the momentum that was there before the step.
    pub carried: Point,
    /// Displacement by the full gradient.
    pub drift: Point,
    /// Displacement by the error of the gradient estimate.
    pub gradient_noise: Point,
    /// Displacement by the injected noise.
    pub injected_noise: Point,
    /// The proposal, of a Metropolis method.
    pub proposal: Option<Proposal>,
    /// The places on the way to the proposal, from the first to the last, of a method that integrates a path.
    pub path: Vec<Point>,
    /// Momentum after the step, at unit mass: its coordinates have variance 1 where all is well.
    pub momentum: Option<Point>,
    /// Total energy after the step.
    pub energy: Option<f64>,
}

/// An algorithm that moves chains.
///
/// Contract: `advance` makes a chunk of steps with every chain and allocates nothing that it has allocated before;
/// chains stay inside the support where the target folds them back, by folding or by rejecting what is outside; a position
/// that is no longer finite stays so, and is the driver's to notice. The same inputs give the same bits, whatever the
/// blocks a population is cut into, the chunks a run is cut into, the instruction set, and whether or not records are
/// asked for. The number of random numbers per step depends neither on the step size nor on the stage, so that changing
/// one of these leaves every number in its place. On a one-dimensional target y stays 0.
pub trait Method: Debug + Send + Sync {
    /// Random numbers used per chain and step, with this way to estimate gradients.
    fn needs(&self, gradient: &Gradient) -> Needs;

    /// How the method wants to be treated if it fits distributions to the target; `None` if it draws from it. A method that fits distributions
    /// finds one [`Approximation`] per chain in [`Population::fits`] and leaves there, besides the mean of its distribution
    /// among the positions, one [note](Approximation::note) per step; what it evaluates it counts there as well.
    fn fitting(&self) -> Option<Fitting> {
        None
    }

    /// Whether the bound that it finds on this target is that of the target and of hidden variables together.
    fn bounds_hidden(&self, _target: &dyn Target) -> bool {
        false
    }

    /// What is wrong with this method on this target.
    ///
    /// # Errors
    /// If the method needs something that the target does not have; the path is relative to the run.
    fn suits(&self, _target: &dyn Target) -> Result<(), ParamError> {
        Ok(())
    }

    /// How the method averages noisy targets, if it does: stochastic variational inference.
    fn averaging(&self) -> Option<Averaging<'_>> {
        None
    }

    /// The quantities that a chain carries from step to step besides its position, as words; two methods that carry the
    /// same can hand a chain over as it is.
    fn carries(&self) -> &'static [&'static str] {
        &[]
    }

    /// A population at the given starts, before a step of size `alpha`; `normals` holds a pair of independent standard
    /// normals per chain (the second 0 on the line), for what is carried.
    fn init(&self, starts: &[Point], _alpha: f64, _normals: [&[f64]; 2]) -> Population {
        Population::at(starts)
    }

    /// The step size from which on the method is unstable where the curvature (an eigenvalue of −∇² log p) is `curvature` > 0;
    /// `None` if there is no such step size, as for methods that fit distributions. For the Euler steps of Langevin dynamics it is 2/curvature.
    fn stable_below(&self, curvature: f64) -> Option<f64> {
        self.fitting().is_none().then_some(2.0 / curvature)
    }

    /// Whether its steps, or its proposals, are Euler steps of Langevin dynamics: α times the gradient, and noise of variance
    /// 2α, less where [`Gradient`] is compensated.
    fn langevin(&self) -> bool {
        false
    }

    /// What is wrong with this method under this schedule, for so many steps, and with this gradient: an error for
    /// each, with paths relative to the run.
    fn check(&self, _gradient: &Gradient, _schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        Vec::new()
    }

    /// Makes a chunk of steps with every chain.
    fn advance(
        &self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        randomness: Randomness<'_>,
        chains: &mut Population,
        track: Track<'_>,
        scratch: &mut Scratch,
    );

    /// Evaluations per chain and step of this stage, on a target with `data` data. One look at all data is 1, whether for
    /// the density, for its gradient, or for both at one place; a gradient from n of N data is n/N, the variance of
    /// such a gradient 1, second derivatives 1. What is known from the step before is not counted again. Of a method that
    /// fits distributions, about what a step costs: what it has really cost is in its records.
    fn evaluations(&self, gradient: &Gradient, data: usize, stage: Stage) -> f64 {
        match stage {
            Stage::Exploration { noise: false } => gradient.uncompensated().cost(data),
            Stage::Exploration { noise: true } | Stage::Sampling => gradient.cost(data),
        }
    }
}

/// Makes a method from the settings of a run.
pub type MethodBuilder = fn(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>>;

/// The registry: one line per method.
const ENTRIES: [Entry<MethodBuilder>; 16] = [
    gradient_descent::ENTRY,
    sgd::ENTRY,
    langevin::ENTRY,
    sgld::ENTRY,
    csgld::ENTRY,
    psgld::ENTRY,
    sghmc::ENTRY,
    csghmc::ENTRY,
    sgnht::ENTRY,
    random_walk::ENTRY,
    mala::ENTRY,
    hmc::ENTRY,
    laplace::ENTRY,
    gaussian_vi::ENTRY,
    svi::ENTRY,
    cavi::ENTRY,
];

/// The methods, in the order in which they are offered: optimisers, what noise makes of them, what momentum adds, the
/// exact ones, and those that fit distributions.
pub static METHODS: [KindSpec; ENTRIES.len()] = kinds(&ENTRIES);

/// Makes the method that the settings of a run describe.
///
/// # Errors
/// Everything that is wrong with the method's own settings, with paths relative to them.
pub fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    match ENTRIES.iter().find(|entry| entry.spec == *settings.kind) {
        Some(entry) => (entry.build)(settings),
        None => Err(vec![unknown_kind(settings)]),
    }
}

/// Whether a method fits distributions instead of drawing.
#[must_use]
pub fn fits(kind: &'static KindSpec) -> bool {
    build(&Settings::defaults(kind)).is_ok_and(|method| method.fitting().is_some())
}

fn unknown_kind(settings: &Settings) -> ParamError {
    let names: Vec<&str> = METHODS.iter().map(|kind| kind.name).collect();
    ParamError::new("method", format!("\"{}\" is not a method", settings.kind.name), names.join(", "))
}

#[cfg(test)]
mod tests;
