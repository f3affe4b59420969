//! What methods that fit a distribution q to the target share: they step like samplers, and the chain is the mean of q.
//!
//! A sampler leaves draws behind; an approximation leaves a distribution. Each of its chains carries an [`Approximation`], and after
//! every step it says how it stands in a [`FitRecord`]. Distributions live in the coordinates of the chains, which each method
//! chooses ([`FitSpace`]): θ itself, or the logit or logarithm of θ where the support has an edge.

use super::adam::Adam;
use super::laplace::Curvature;
use super::stepwise::{self, Step};
use super::svi::Smoothed;
use super::{Population, Randomness, StepRecord, Steps, Track};
use crate::math::{Distribution, Matrix, Point};
use crate::targets::Derivatives;

/// How a method that fits distributions wants to be treated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// Number of draws from the final fit that are shown and written.
    pub draws: usize,
    /// The coordinates in which distributions live.
    pub space: FitSpace,
    /// Standard deviation, along both axes and in the coordinates of the chains, of the distribution to begin with; `None` if there is
    /// no distribution before the first step.
    pub initial_sd: Option<f64>,
    /// Where chains begin.
    pub start_at: StartAt,
    /// How the distributions of several chains make up one.
    pub pooled: MixtureWeights,
}

/// The coordinates in which the distributions of an approximation live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitSpace {
    /// Those in which the target's samplers live: θ, or its logit or logarithm if the target says so.
    Samplers,
    /// Coordinates without edges, whatever the target's samplers do at its edges.
    Open,
    /// θ itself.
    Theta,
}

/// Where the chains of an approximation begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAt {
    /// Where the run says.
    RunStart,
    /// One at every mode of the target; their number is that of the modes.
    Modes,
}

/// How the distributions of several chains make up one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MixtureWeights {
    /// Each counts the same, as chains of a sampler do.
    Equal,
    /// Each in proportion to its evidence, those that came to the same place once.
    Evidence,
}

/// A number that was estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; 0 where nothing was left to chance.
    pub standard_error: f64,
}

/// How an approximation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FitState {
    /// On its way.
    #[default]
    Moving,
    /// Further steps change nothing.
    Settled,
    /// It stands where the gradient vanishes, but the curvature is not that of a peak: a saddle, a ridge.
    NotAPeak,
    /// Gradient and curvature both vanish: nothing says which way to go.
    Plateau,
    /// It was stopped by the edge of the support: the density rises towards it.
    AtTheEdge,
    /// Its numbers have left all bounds.
    Diverged,
}

impl FitState {
    /// Its name in `summary.json`: lower case with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Moving => "moving",
            Self::Settled => "settled",
            Self::NotAPeak => "not-a-peak",
            Self::Plateau => "plateau",
            Self::AtTheEdge => "at-the-edge",
            Self::Diverged => "diverged",
        }
    }
}

/// What an approximation says of itself after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitRecord {
    /// The distribution, sound; `None` while there is none, as where the curvature is not that of a peak.
    pub distribution: Option<Distribution>,
    /// The evidence lower bound ∫ q (log p̃ − log q) as the step has found it, in nats: exactly, of this distribution, or by
    /// Monte Carlo on its way, of the distribution before the step.
    pub elbo: Option<Estimate>,
    /// The log evidence that the distribution claims (Laplace).
    pub log_evidence: Option<f64>,
    /// How it stands.
    pub state: FitState,
    /// Number of steps so far that had to be cut short, or left out, because the distribution would not have stayed one.
    pub guards: u64,
    /// Evaluations so far, counted as in [`Method::evaluations`](super::Method::evaluations).
    pub evaluations: f64,
}

/// What a chain of an approximation carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Approximation {
    /// How it stands.
    pub record: FitRecord,
    /// The records of the steps since they were last taken away, one per step.
    pub trail: Vec<FitRecord>,
    /// What the method remembers besides.
    pub memory: Memory,
}

/// What a method remembers of earlier steps, besides the distribution.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Memory {
    /// Nothing.
    #[default]
    Nothing,
    /// Of coordinate ascent: whose turn it is.
    Cavi(CaviState),
    /// Of a climb: the place that was reached.
    Newton(NewtonState),
    /// The parameters of a distribution under Adam's steps.
    Adam(Adam),
    /// The natural parameters of a distribution, and the noisy targets that still count.
    Smoothed(Box<Smoothed>),
}

/// What a climb remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonState {
    /// Where it stands.
    pub at: Point,
    /// The log density there with its derivatives.
    pub here: Derivatives,
    /// The curvature of which the distribution was made.
    pub curvature: Curvature,
}

/// What coordinate ascent remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaviState {
    /// The coordinate whose distribution comes next, 0 or 1.
    pub axis: usize,
    /// How many turns in a row have changed nothing.
    pub unchanged: u32,
}

/// Makes a chunk of steps: `one` makes a step of one fit, puts down in its record how it stands, and returns the mean of
/// its distribution, which is where the chain goes.
pub(super) fn each_fit(
    (steps, randomness): (&Steps<'_>, Randomness<'_>),
    chains: &mut Population,
    mut track: Track<'_>,
    mut one: impl FnMut(&Step<'_>, usize, Point, &mut Approximation) -> Point,
) {
    for step in stepwise::each(*steps, randomness, chains.len()) {
        let records = step.records(&mut track);
        let Population { x, y, fits, .. } = &mut *chains;
        for (chain, fit) in fits.iter_mut().enumerate() {
            let from = Point::new(x[chain], y[chain]);
            let to = one(&step, chain, from, fit);
            (x[chain], y[chain]) = (to.x, to.y);
            fit.note();
            if let Some(record) = records.get_mut(chain) {
                *record = StepRecord { from, to, drift: to - from, ..StepRecord::default() };
            }
        }
        step.keep(chains, &mut track);
    }
}

impl Approximation {
    /// Before the first step at `start`, on a target of so many dimensions.
    #[must_use]
    pub fn begin(fitting: &Fitting, dimension: usize, start: Point) -> Self {
        let covariance = |sd: f64| Matrix::from_diagonal_element(sd * sd);
        let distribution = fitting.initial_sd.map(|sd| Distribution::gaussian(dimension, start, covariance(sd)));
        Self { record: FitRecord { distribution, ..FitRecord::default() }, ..Self::default() }
    }

    /// The same distribution in the hands of another method, which remembers nothing of how it came about.
    #[must_use]
    pub fn handed_over(&self) -> Self {
        let FitRecord { distribution, evaluations, guards, .. } = self.record;
        Self { record: FitRecord { distribution, evaluations, guards, ..FitRecord::default() }, ..Self::default() }
    }

    /// Takes down how it stands after a step.
    pub fn note(&mut self) {
        self.trail.push(self.record);
    }
}
