//! Inference of topics: coordinate ascent (CAVI), stochastic variational inference (SVI), collapsed Gibbs sampling and SGRLD
//! for latent Dirichlet allocation.
//!
//! The algorithms are in [`models::lda`], with their papers. Here they become methods of runs: a step is a batch of
//! documents (`svi`, `sgrld`) or a sweep over all of them (`cavi`, `collapsed-gibbs`), the step size is ρ or α, minibatches are
//! those of the gradient of a run, and a chain is a start of its own. Costs count documents: a sweep counts 1, a batch B/D.
//!
//! `cavi` and `svi` are methods of densities too, for which a [`TopicMethod`] stands here ([`Method::on`]).

mod chain;
mod collapsed_gibbs;
mod sgrld;
mod start;

use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::approximations::svi;
use super::{
    Approximation, Average, Averaging, BatchOrder, Chunk, FitSpace, Fitting, Gradient, Method, MixtureWeights,
    NamedTerm, Needs, Phase, Population, Predictive, StartAt, StepRecord, Stopwatch, Told,
};
use crate::schedules::{Schedule, Stage};
use base::math::Point;
use base::params::ParamError;
use models::lda::{self, InnerSweeps, LocalStart, Order, Smoothing};
use models::targets::{Space, TopicModel};

pub use chain::{Tally, TopicChain};
pub use start::TopicStart;
pub(super) use start::{FORMULA, RANDOM, TRUTH};

pub(super) use collapsed_gibbs::ENTRY as COLLAPSED_GIBBS;
pub(super) use sgrld::ENTRY as SGRLD;

/// Numbers that all chains of a run may keep: 1 GiB.
const MOST_NUMBERS: usize = 1 << 27;

/// Arrays of K × V numbers that every chain has: parameters, means, weights and sums.
const ARRAYS: usize = 6;

/// The steps for people of methods that take other steps on topics than on densities, by name.
pub(super) const ALGORITHMS: [(&str, &str); 2] = [("svi", include_str!("svi.py")), ("cavi", include_str!("cavi.py"))];

/// The names of the methods, for messages.
pub(super) const NAMES: &str = "cavi, svi, collapsed-gibbs, sgrld";

/// An algorithm for topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference {
    /// Coordinate ascent: a step is a sweep.
    Cavi {
        /// Where local steps begin.
        start: LocalStart,
    },
    /// Stochastic variational inference: a step is a batch.
    Svi {
        /// What is averaged, and over how many steps.
        smoothing: Smoothing,
    },
    /// Collapsed Gibbs sampling: a step is a sweep.
    Gibbs,
    /// Stochastic gradient Riemannian Langevin dynamics: a step is a batch.
    Sgrld {
        /// Sweeps over the tokens of each document of a batch.
        inner: InnerSweeps,
    },
}

/// A method on topics.
#[derive(Clone, Debug)]
pub struct TopicMethod {
    /// The algorithm.
    pub inference: Inference,
    /// Number of chains, which share the memory that there is.
    chains: usize,
    /// The documents and topics, once the method is [on](Method::on) them.
    model: Option<Arc<TopicModel>>,
}

/// The documents of a step of a run with this gradient: their order, and how many they are.
fn batching(gradient: &Gradient, documents: usize) -> (Order, usize) {
    match *gradient {
        Gradient::Minibatch { size, order, .. } => {
            let order = match order {
                BatchOrder::Random => Order::Random,
                BatchOrder::Shuffled => Order::Shuffled,
                BatchOrder::Cyclic => Order::Cyclic,
            };
            (order, size.min(documents))
        }
        Gradient::Exact | Gradient::Noisy { .. } => (Order::Cyclic, documents),
    }
}

impl TopicMethod {
    /// An algorithm before it is on any topics.
    pub(super) fn new(inference: Inference, chains: usize) -> Self {
        Self { inference, chains, model: None }
    }

    /// What is averaged, of SVI.
    fn smoothing(&self) -> Option<Smoothing> {
        match self.inference {
            Inference::Svi { smoothing } => Some(smoothing),
            Inference::Cavi { .. } | Inference::Gibbs | Inference::Sgrld { .. } => None,
        }
    }

    /// The error of too little memory for all chains with this gradient.
    fn memory_error(&self, model: &TopicModel, gradient: &Gradient) -> Option<ParamError> {
        let each = self.numbers(model, gradient);
        if each.saturating_mul(self.chains) <= MOST_NUMBERS {
            return None;
        }
        let problem = format!("{} chains keep {each} numbers each", self.chains);
        let allowed = match MOST_NUMBERS / each.max(1) {
            0 => format!("at most {MOST_NUMBERS} numbers: fewer topics or words, or a shorter window"),
            most => format!("1 to {most} chains, or a shorter window"),
        };
        Some(ParamError::new("chains", problem, allowed))
    }

    /// Numbers that a chain keeps, at most.
    #[must_use]
    pub fn numbers(&self, model: &TopicModel, gradient: &Gradient) -> usize {
        let (training, sizes) = (&model.corpus.training, model.model);
        let whole = sizes.topics * sizes.words;
        let own = match self.inference {
            Inference::Cavi { start: LocalStart::Kept } => sizes.topics * training.len(),
            Inference::Cavi { start: LocalStart::Fresh } => 0,
            Inference::Svi { smoothing: Smoothing::Sag } => sizes.topics * training.entry_count(),
            Inference::Svi { smoothing: Smoothing::Gradients { window } } => 2 * whole.saturating_mul(window),
            Inference::Svi { smoothing: Smoothing::Statistics { window } } => {
                // Distinct words of a batch: not more than its documents have on average, or all of the vocabulary.
                let (_, batch) = batching(gradient, training.len());
                let words = (training.entry_count() / training.len().max(1) + 1).saturating_mul(batch).min(sizes.words);
                (sizes.topics * words).saturating_mul(window)
            }
            // A byte for the topic of every token.
            Inference::Gibbs => training.token_count() / 8,
            Inference::Sgrld { .. } => 0,
        };
        own.saturating_add(ARRAYS * whole)
    }
}

/// The points of a chain after the steps of a chunk, with the documents that each of them has seen; and what the last of these steps tells.
type Path = (Vec<(Point, usize)>, Vec<NamedTerm>);

impl Method for TopicMethod {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs::default()
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let Space::Topics(model) = space else {
            let problem = "the method infers topics, and this target has none";
            return Err(ParamError::new("method", problem, "the target topics"));
        };
        match lda::check(&model.corpus, model.model.topics, None, self.smoothing()).into_iter().next() {
            Some(error) => Err(error),
            None => Ok(Arc::new(Self { model: Some(model.clone()), ..self.clone() })),
        }
    }

    fn inference(&self) -> Option<&TopicMethod> {
        Some(self)
    }

    fn check(&self, gradient: &Gradient, schedule: &dyn Schedule, steps: u64) -> Vec<ParamError> {
        let mut errors: Vec<ParamError> =
            self.model.iter().filter_map(|model| self.memory_error(model, gradient)).collect();
        let averaging = self.averaging();
        errors.extend(averaging.into_iter().flat_map(|own| svi::check(own.average, gradient, schedule, steps)));
        errors
    }

    fn fitting(&self) -> Option<Fitting> {
        matches!(self.inference, Inference::Cavi { .. } | Inference::Svi { .. }).then_some(Fitting {
            draws: 0,
            space: FitSpace::Theta,
            initial_sd: None,
            start_at: StartAt::RunStart,
            mixture_weights: MixtureWeights::Equal,
            predictive: Predictive::Sampled,
            spread: 1.0,
        })
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn averaging(&self) -> Option<Averaging<'_>> {
        let (average, window) = match self.smoothing()? {
            Smoothing::Statistics { window } => (Average::Statistics, window),
            Smoothing::Gradients { window } => (Average::Gradients, window),
            Smoothing::Sag => (Average::Sag, 1),
        };
        Some(Averaging { average, window, expectations: None })
    }

    /// Chains are independent, and each of them is work for a core.
    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, track, .. } = chunk;
        let Some(model) = self.model.as_deref() else { return };
        let Population { positions, fits, topics, .. } = chains;
        let stop = problem.stop.cloned().unwrap_or_default();
        let before: Vec<Point> = (0..topics.len()).map(|chain| positions.point(chain)).collect();
        let recorded = track.records.len();
        let advance = |(number, (chain, from)): (usize, (&mut TopicChain, &Point))| -> Path {
            // A chain that has diverged takes no steps.
            if from.x.is_nan() {
                return (vec![(Point::repeat(f64::NAN), 0); steps.len()], Vec::new());
            }
            // From here on the thread takes no other work: the time is that of this chain alone.
            let begun = problem.stopwatch.map(Stopwatch::read);
            chain.prepare(self.inference, model, problem.gradient, problem.simd);
            let mut told = Told::default();
            let step = |(step, &alpha): (usize, &f64)| {
                told.begin(number < recorded && step + 1 == steps.len());
                // Who has stopped it throws the chain away.
                let documents = chain.step_told(model, alpha, &stop, &mut told).unwrap_or(0);
                (chain.point(model), documents)
            };
            let path = steps.step_sizes.iter().enumerate().map(step).collect();
            if let Some((stopwatch, begun)) = problem.stopwatch.zip(begun) {
                chain.add_time(stopwatch.read().saturating_sub(begun));
            }
            (path, told.take())
        };
        let paths: Vec<Path> = topics.par_iter_mut().zip(before.par_iter()).enumerate().map(advance).collect();
        let (count, documents) = (paths.len(), model.documents() as f64);
        // Only of fits the topics are the mean of a distribution.
        let moved_by = if fits.is_empty() { Phase::Move } else { Phase::Fit };
        for (chain, (path, told)) in paths.into_iter().enumerate() {
            let mut from = before[chain];
            for (number, &(to, seen)) in path.iter().enumerate() {
                (track.x[number * count + chain], track.y[number * count + chain]) = (to.x, to.y);
                if let Some(Approximation { record, trail, .. }) = fits.get_mut(chain) {
                    record.evaluations += seen as f64 / documents;
                    trail.push(*record);
                }
                if number + 1 == path.len()
                    && let Some(record) = track.records.get_mut(chain)
                {
                    *record = StepRecord::of_fit(moved_by, [from, to], told.clone());
                }
                from = to;
            }
            positions.set_point(chain, from);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        match self.inference {
            Inference::Cavi { .. } | Inference::Gibbs => 1.0,
            Inference::Svi { .. } | Inference::Sgrld { .. } => gradient.cost(data),
        }
    }
}
