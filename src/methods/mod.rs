//! Methods: the algorithms that move a population of chains, one file each, and the registry.
//!
//! A method is deterministic: all its randomness comes in as values ([`Randomness`]), made ahead by
//! whoever drives it, so that a step can be tested with numbers chosen by hand.

use std::fmt::Debug;
use std::sync::Arc;

use crate::math::Point;
use crate::params::{ParamError, Settings};
use crate::schedules::Stage;
use crate::targets::Target;

/// Chains side by side: entry `i` of every list belongs to chain `i`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Population {
    /// First coordinates.
    pub x: Vec<f64>,
    /// Second coordinates.
    pub y: Vec<f64>,
    /// What else a method carries from step to step (momenta, running squares), one list per quantity.
    pub carried: Vec<Vec<f64>>,
}

impl Population {
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

/// The random numbers of one step of a population.
#[derive(Clone, Copy, Debug)]
pub struct Randomness<'a> {
    /// First members of the pairs: pair `p` of chain `i` at `p · chains + i`.
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
}

/// One step of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct StepPlan<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Step size α.
    pub alpha: f64,
    /// What the step is for.
    pub stage: Stage,
    /// Numbers of the data in this step's minibatch; empty unless gradients are estimated from one.
    pub batch: &'a [u32],
}

/// What happened to one chain in one step, for those who watch. Displacements are in θ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Where the chain was.
    pub from: Point,
    /// Where it went.
    pub to: Point,
    /// Displacement by the full gradient.
    pub drift: Point,
    /// Displacement by the error of the gradient estimate.
    pub gradient_noise: Point,
    /// Displacement by the injected noise.
    pub injected_noise: Point,
    /// Where a Metropolis proposal pointed, and whether it was accepted.
    pub proposal: Option<(Point, bool)>,
    /// Momentum after the step.
    pub momentum: Option<Point>,
    /// Total energy after the step.
    pub energy: Option<f64>,
}

/// An algorithm that moves chains.
///
/// Contract: `step` moves every chain by one step and allocates nothing; a position that is no longer
/// finite is the driver's to notice. The same inputs give the same bits, whatever the number of chains
/// a population is cut into.
pub trait Method: Debug + Send + Sync {
    /// Random numbers used per chain and step, with this way to estimate gradients.
    fn needs(&self, gradient: &Gradient) -> Needs;

    /// A population at the given starts.
    fn init(&self, starts: &[Point]) -> Population;

    /// Moves every chain by one step; fills `records`, one per chain, if it is not empty.
    fn step(
        &self,
        problem: &Problem<'_>,
        plan: &StepPlan<'_>,
        randomness: Randomness<'_>,
        chains: &mut Population,
        scratch: &mut Scratch,
        records: &mut [StepRecord],
    );
}

/// Room for intermediate results of a step, kept between steps so that none of them allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Gradients, first coordinates.
    pub gx: Vec<f64>,
    /// Gradients, second coordinates.
    pub gy: Vec<f64>,
}

/// How the gradient of the log density is estimated (METHODS: gradient noise).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gradient {
    /// The full gradient.
    Exact,
    /// The full gradient plus N(0, variance · I).
    Noisy {
        /// Variance per coordinate.
        variance: f64,
        /// Whether the injected noise is reduced by as much.
        compensate: bool,
    },
    /// ∇log prior + (N/n) Σ over a minibatch.
    Minibatch {
        /// n, from 1 to N.
        size: usize,
        /// How the indices are chosen.
        order: BatchOrder,
        /// Whether the injected noise is reduced by the variance of the estimate.
        compensate: bool,
    },
}

/// How the indices of minibatches follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchOrder {
    /// Independently, with replacement.
    Random,
    /// Through a new random permutation of the data every epoch.
    Shuffled,
    /// Through the data in their own order, again and again.
    Cyclic,
}

/// Makes a method from the settings of a run.
pub type MethodBuilder = fn(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>>;
