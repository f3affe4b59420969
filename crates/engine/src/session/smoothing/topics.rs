//! Bias, variance and error of the steps of SVI on topics ([`models::lda::StepPath`]), step by step along the path of the first
//! chain, which is taken again from its start: a trace of all λ would not fit into memory.
//!
//! Every step costs a pass over all documents. What came about follows from λ itself, whatever is averaged: for statistics
//! and for gradients the average stands for S(λᵢ₋₁) in λᵢ = (1 − ρ) λᵢ₋₁ + ρ (η + S).

use super::{Errors, NO_STEP, NOT_SMOOTHED, Stepped, WINDOWS};
use crate::scenario::{RunPlan, Start};
use crate::session::{Frame, RunFrame};
use base::math::Simd;
use models::lda::{FullStatistics, Local, Sparse, StepError, StepPath, Stop, Topics};
use models::targets::TopicModel;
use samplers::methods::{Average, BatchOrder, Gradient, Inference, TopicChain, TopicStart};

/// Local steps of documents in one go, after which what has been computed is shown.
const DOCUMENTS: usize = 20_000;

/// Numbers of the topics of a chain at most: two hundred times as many are kept.
const MOST_NUMBERS: usize = 200_000;

/// The run has more topics and words than can be kept.
const TOO_LARGE: &str = "bias and variance are computed for at most 200 000 numbers K·V";

/// The run did something else before.
const FROM_THE_FIRST: &str = "bias and variance on topics need SVI from the first step on, with one target";

/// The first chain of a run on its way.
#[derive(Debug)]
pub(super) struct TopicPath {
    chain: TopicChain,
    local: Local,
    path: StepPath,
    inference: Inference,
}

impl TopicPath {
    /// The first chain of a run before its first step.
    ///
    /// # Errors
    /// The reason why its errors cannot be computed, in words.
    pub(super) fn begin(frame: &Frame, run: &RunFrame, model: &TopicModel) -> Result<Self, &'static str> {
        let plan = &run.plan;
        let method = plan.segments.first().and_then(|segment| segment.method.inference()).ok_or(NOT_SMOOTHED)?;
        let number = frame.runs.iter().position(|other| other.plan.name == plan.name).ok_or(NO_STEP)?;
        if model.model.topics.saturating_mul(model.model.words) > MOST_NUMBERS {
            return Err(TOO_LARGE);
        }
        let start = if let Start::Topics(start) = plan.start { start } else { TopicStart::default() };
        let widest = |longest: usize, window: usize| longest.max(window);
        let windows = plan.segments.iter().filter_map(|segment| segment.method.averaging()).map(|own| own.window);
        Ok(Self {
            chain: TopicChain::begin(method, model, start, Simd::widest(), (frame.scenario.seed, number as u64, 0)),
            local: model.local(Simd::widest()),
            path: StepPath::new(windows.chain(WINDOWS).fold(1, widest)),
            inference: method.inference,
        })
    }

    /// Takes step `number`, which follows those that have been taken; `None` where numbers are not finite.
    pub(super) async fn step(&mut self, plan: &RunPlan, number: u64, model: &TopicModel) -> Option<Stepped> {
        let segment = plan.segment_of(number);
        let (averaging, method) = (segment.method.averaging()?, segment.method.inference()?);
        if self.inference != method.inference {
            // An average starts again when it changes.
            self.inference = method.inference;
            self.path.clear();
        }
        self.chain.prepare(method.inference, model, &segment.gradient, Simd::widest());
        let before = self.chain.parameters();
        let full = FullStatistics::at(&before, &model.corpus.training, &mut self.local).await;
        let variance = match segment.gradient {
            Gradient::Minibatch { size, order: BatchOrder::Random, .. } => full.variance(size),
            Gradient::Minibatch { size, .. } => full.variance_without_replacement(size),
            Gradient::Exact | Gradient::Noisy { .. } => 0.0,
        };
        let (share, guarded) = (plan.step_size(number), self.chain.tally().guarded);
        self.chain.step(model, share, &Stop::default())?;
        let whole = share > 0.0 && self.chain.tally().guarded == guarded;
        let realised =
            whole.then(|| square_error([&before, &self.chain.parameters(), &full.sum], share, model.model.eta));
        self.path.push(&before, full, variance, &Sparse::default());
        let average = averaging.average;
        let of_statistics = |window: usize| errors(self.path.statistics(window));
        let of_gradients = |window: usize| errors(self.path.gradients(window));
        let window = averaging.window;
        let own = if average == Average::Gradients { of_gradients(window) } else { of_statistics(window) };
        let (windows, gradients) = (WINDOWS.map(of_statistics), WINDOWS.map(of_gradients));
        let finite = own.0.is_finite() && own.1.is_finite();
        finite.then_some(Stepped { average, own, windows, gradients, realised })
    }

    /// Steps that are computed in one go.
    pub(super) fn steps_at_once(model: &TopicModel) -> usize {
        (DOCUMENTS / model.documents().max(1)).max(1)
    }
}

/// What holds for all runs on topics.
///
/// # Errors
/// If it does not hold.
pub(super) fn check(run: &RunFrame, begin: u64) -> Result<(), &'static str> {
    match (begin, run.target_since, run.step) {
        (0, 0, 0) => Err(NO_STEP),
        (0, 0, _) => Ok(()),
        _ => Err(FROM_THE_FIRST),
    }
}

fn errors(error: Option<StepError>) -> Errors {
    error.map_or((f64::NAN, f64::NAN), |error| (error.bias_square, error.variance))
}

/// ‖(λᵢ − (1 − ρ) λᵢ₋₁)/ρ − η − S‖².
fn square_error([before, after, full]: [&Topics; 3], share: f64, eta: f64) -> f64 {
    let three = before.values().iter().zip(after.values()).zip(full.values());
    three.map(|((before, after), full)| (after - (1.0 - share) * before) / share - eta - full).map(|e| e * e).sum()
}
