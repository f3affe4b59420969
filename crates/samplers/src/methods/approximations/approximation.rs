//! Approximations: the distribution q that a method fits to the target, its record after every step, and its memory.
//!
//! The result of a sampler is its draws; the result of an approximation is a distribution. Such a method takes steps
//! like a sampler: each of its chains has an [`Approximation`], the position of the chain is the mean of q, and a
//! [`FitRecord`] describes q after every step. q is a distribution in the coordinates of the chains, which each method
//! chooses ([`FitSpace`]): θ itself, or the logit or logarithm of θ where the support has a boundary.

use super::fit_state::Memory;
use base::math::{Distribution, Matrix, Point};

/// Properties of a method that fits distributions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// Number of draws from the final fit that are shown and written to files.
    pub draws: usize,
    /// The coordinates of the distributions.
    pub space: FitSpace,
    /// Standard deviation of the initial distribution, along both axes and in the coordinates of the chains; `None` if
    /// there is no distribution before the first step.
    pub initial_sd: Option<f64>,
    /// Where chains start.
    pub start_at: StartAt,
    /// Weights of the chains' distributions in their mixture.
    pub mixture_weights: MixtureWeights,
    /// What is predicted of the functions behind the weights of a regression.
    pub predictive: Predictive,
    /// What the distances of draws from the mean of a Gaussian are multiplied by, in [0, 1]; 1 for draws from it.
    pub spread: f64,
}

/// How a distribution of the weights of a regression becomes one of its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predictive {
    /// The functions of draws of the weights.
    Sampled,
    /// The functions are linearised at the mean of each distribution: f(x; m) + J(x)(θ − m) with J = ∂f/∂θ.
    Linearised,
}

/// Coordinates of the distributions of an approximation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitSpace {
    /// Those of the samplers on the same target: θ, or its logit or logarithm if the target declares one.
    Samplers,
    /// Coordinates without boundary, also where samplers on the same target use θ.
    Open,
    /// θ itself.
    Theta,
}

/// Starting points of the chains of an approximation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAt {
    /// The start of the run.
    RunStart,
    /// One chain at every mode of the target.
    Modes,
}

/// Weights of the distributions of several chains in their mixture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MixtureWeights {
    /// Equal weights, as for the chains of a sampler.
    Equal,
    /// Weights in proportion to the evidence; distributions at the same mode count once.
    Evidence,
}

/// An estimate with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; 0 for an exact value.
    pub standard_error: f64,
}

/// State of an approximation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FitState {
    /// Steps still change it.
    #[default]
    Moving,
    /// Every step may add an iterate that it is made from; it has no end of its own.
    Collecting,
    /// A network in training with hidden units dropped: every step moves it, with no end of its own.
    Training,
    /// Further steps change nothing.
    Converged,
    /// The gradient vanishes, but the curvature is not that of a peak: a saddle or a ridge.
    NotAPeak,
    /// Gradient and curvature both vanish: there is no direction to go.
    Plateau,
    /// The boundary of the support stopped it: the density rises towards the boundary.
    AtTheEdge,
    /// Its numbers are not finite.
    Diverged,
}

impl FitState {
    /// Its name in `summary.json`: lower case with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Moving => "moving",
            Self::Collecting => "collecting",
            Self::Training => "training",
            Self::Converged => "converged",
            Self::NotAPeak => "not-a-peak",
            Self::Plateau => "plateau",
            Self::AtTheEdge => "at-the-edge",
            Self::Diverged => "diverged",
        }
    }
}

/// Record of an approximation after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitRecord {
    /// The distribution, with finite numbers and a positive definite covariance; `None` while there is none, e.g. where
    /// the curvature is not that of a peak.
    pub distribution: Option<Distribution>,
    /// The evidence lower bound ∫ q (log p̃ − log q) in nats: the exact value for this distribution, or a Monte Carlo
    /// estimate for the distribution before the step.
    pub elbo: Option<Estimate>,
    /// The log evidence by Laplace's approximation.
    pub log_evidence: Option<f64>,
    /// Its state.
    pub state: FitState,
    /// Number of steps so far that were shortened or skipped, because the covariance would not be positive definite.
    pub guards: u64,
    /// Number of eigenvalues of the curvature that are not positive, if these are why there is no distribution.
    pub not_positive: u32,
    /// Evaluations so far, counted as in [`Method::evaluations`](crate::methods::Method::evaluations).
    pub evaluations: f64,
}

/// One fit: the auxiliary state of a chain of a method that fits distributions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Approximation {
    /// Its record after the newest step.
    pub record: FitRecord,
    /// The records of the newest steps, one per step, until the session takes them.
    pub trail: Vec<FitRecord>,
    /// State of the method besides the distribution.
    pub memory: Memory,
}

impl Approximation {
    /// Before the first step at `start`, on a target of so many dimensions.
    #[must_use]
    pub fn begin(fitting: &Fitting, dimension: usize, start: Point) -> Self {
        let covariance = |sd: f64| Matrix::from_diagonal_element(sd * sd);
        let distribution = fitting.initial_sd.map(|sd| Distribution::gaussian(dimension, start, covariance(sd)));
        Self { record: FitRecord { distribution, ..FitRecord::default() }, ..Self::default() }
    }

    /// The same distribution for another method, without the memory and the state of the old one. In d dimensions the
    /// distribution is in the memory.
    #[must_use]
    pub fn handed_over(&self) -> Self {
        let FitRecord { distribution, evaluations, guards, .. } = self.record;
        let memory = match &self.memory {
            Memory::VectorAdam(adam) => Memory::VectorAdam(adam.clone()),
            _ => Memory::Nothing,
        };
        let record = FitRecord { distribution, evaluations, guards, ..FitRecord::default() };
        Self { record, memory, ..Self::default() }
    }

    /// Adds the present record to the trail.
    pub fn note(&mut self) {
        self.trail.push(self.record);
    }
}
