//! A chain of inference of topics: the state of its algorithm, its random streams and its batches.

use std::borrow::Cow;
use std::time::Duration;

use super::{Inference, TopicMethod, TopicStart, batching};
use crate::methods::{Gradient, Phase, TermValue, Told};
use base::math::{Point, Purpose, Simd, Stream};
use models::lda::{Batches, Cavi, Gibbs, Moved, Movement, Order, Sgrld, Stop, Svi, Topics};
use models::targets::TopicModel;

/// State of an algorithm.
#[derive(Clone, Debug)]
enum AlgorithmState {
    Cavi(Box<Cavi>),
    Svi(Box<Svi>),
    Gibbs(Box<Gibbs>),
    Sgrld(Box<Sgrld>),
}

/// What a chain has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Documents seen.
    pub documents: u64,
    /// Steps that had to be shortened or left out.
    pub guarded: u64,
    /// Iterations of local steps.
    pub local_steps: u64,
    /// Entries of ω that were reflected at 0.
    pub reflections: u64,
    /// How far the topics have moved.
    pub moved: Moved,
}

/// A chain: a start of its own, with its own random numbers.
#[derive(Clone, Debug)]
pub struct TopicChain {
    inference: Inference,
    state: AlgorithmState,
    batches: Batches,
    /// Order and size of the batches.
    batching: (Order, usize),
    /// Of the documents in batches.
    indices: Stream,
    /// Of everything else.
    noise: Stream,
    tally: Tally,
    /// The means of the topics after the newest step.
    movement: Movement,
    /// How long its steps took, if somebody has timed them.
    time: Duration,
}

/// Equal chains have the same topics and go on in the same way, however long they took.
impl PartialEq for TopicChain {
    fn eq(&self, other: &Self) -> bool {
        let streams = (&self.indices, &self.noise) == (&other.indices, &other.noise);
        let work = (self.inference, self.tally) == (other.inference, other.tally);
        streams && work && self.batches == other.batches && self.parameters() == other.parameters()
    }
}

impl TopicChain {
    /// Chain number `chain` of run number `run`, before its first step.
    #[must_use]
    pub fn begin(
        method: &TopicMethod,
        model: &TopicModel,
        start: TopicStart,
        simd: Simd,
        (seed, run, chain): (u64, u64, u64),
    ) -> Self {
        let mut stream = Stream::derive(seed, Purpose::Start, run, chain);
        let state = match (method.inference, start) {
            (Inference::Gibbs, TopicStart::Random) => {
                AlgorithmState::Gibbs(Box::new(Gibbs::new(simd, model.model, &model.corpus.training, &mut stream)))
            }
            (inference, start) => {
                let lambda = start.parameters(model, &mut stream);
                let is_omega = matches!((inference, start), (Inference::Sgrld { .. }, TopicStart::Truth));
                let parameters = if is_omega { scaled_to_prior(model, &lambda) } else { lambda };
                AlgorithmState::at(inference, model, simd, parameters, &mut stream)
            }
        };
        let all = (Order::Cyclic, model.documents());
        let movement = Movement::at(simd, &state.parameters());
        Self {
            inference: method.inference,
            state,
            batches: Batches::new(all.0, all.1, all.1),
            batching: all,
            indices: Stream::derive(seed, Purpose::Minibatch, run, chain),
            noise: Stream::derive(seed, Purpose::Chain, run, chain),
            tally: Tally::default(),
            movement,
            time: Duration::ZERO,
        }
    }

    /// Makes the chain go on by an algorithm, with batches as a gradient has them. A change of either keeps the topics: an
    /// average starts anew, the topics of tokens are drawn for the present ones, the scale of ω is that of the prior.
    pub fn prepare(&mut self, inference: Inference, model: &TopicModel, gradient: &Gradient, simd: Simd) {
        if self.inference != inference {
            self.inference = inference;
            let parameters = match (inference, &self.state) {
                (
                    Inference::Sgrld { .. },
                    AlgorithmState::Cavi(_) | AlgorithmState::Svi(_) | AlgorithmState::Gibbs(_),
                ) => scaled_to_prior(model, &self.parameters()),
                (Inference::Cavi { .. } | Inference::Svi { .. }, AlgorithmState::Sgrld(sgrld)) => {
                    scaled_to_data(model, sgrld.beta())
                }
                _ => self.parameters(),
            };
            self.state = AlgorithmState::at(inference, model, simd, parameters, &mut self.noise);
            // What the change itself has moved is no step.
            self.movement = Movement::at(simd, &self.state.parameters());
        }
        let batching = batching(gradient, model.documents());
        if self.batching != batching {
            self.batching = batching;
            self.batches = Batches::new(batching.0, batching.1, model.documents());
        }
    }

    /// Takes a step: a batch with this step size, or a sweep. Returns the number of documents seen; `None` if it was stopped, which
    /// leaves the chain somewhere within the step.
    pub fn step(&mut self, model: &TopicModel, alpha: f64, stop: &Stop) -> Option<usize> {
        self.step_told(model, alpha, stop, &mut Told::default())
    }

    /// The same, and tells its numbers: those of the two entries of topics that are drawn, and the documents that are seen.
    pub(super) fn step_told(&mut self, model: &TopicModel, alpha: f64, stop: &Stop, told: &mut Told) -> Option<usize> {
        let training = &model.corpus.training;
        if told.is_recorded() && !self.is_draw() {
            told.tell(Phase::Position, self.symbol(), self.shown(model));
        }
        let tally_before = self.tally;
        let Self { state, batches, indices, noise, tally, movement, .. } = self;
        let documents = match state {
            AlgorithmState::Cavi(cavi) => {
                let before = cavi.local_steps();
                if !cavi.sweep_unless(stop, training) {
                    return None;
                }
                tally.local_steps += cavi.local_steps() - before;
                training.len()
            }
            AlgorithmState::Svi(svi) => {
                let batch = batches.next(indices);
                tell_batch(told, batch, training.len());
                let record = svi.step_unless(stop, training, batch, alpha)?;
                if told.is_recorded() {
                    tell_mixing(told, model, svi, (alpha, record.guarded));
                }
                tally.local_steps += record.local_steps;
                tally.guarded += u64::from(record.guarded);
                record.documents
            }
            AlgorithmState::Gibbs(gibbs) => {
                if !gibbs.sweep_unless(stop, training, noise) {
                    return None;
                }
                training.len()
            }
            AlgorithmState::Sgrld(sgrld) => {
                let batch = batches.next(indices);
                tell_batch(told, batch, training.len());
                let record = sgrld.step_unless(stop, training, (batch, alpha), noise)?;
                tally.reflections += record.reflections;
                record.documents
            }
        };
        tally.documents += documents as u64;
        movement.step(&state.parameters(), &mut tally.moved);
        if told.is_recorded() {
            self.tell_end(model, documents, self.tally.local_steps - tally_before.local_steps, told);
        }
        Some(documents)
    }

    /// Tells where a step has ended, after so many documents and iterations of their local steps.
    fn tell_end(&self, model: &TopicModel, documents: usize, local_steps: u64, told: &mut Told) {
        let after = self.shown(model);
        match &self.state {
            AlgorithmState::Cavi(_) | AlgorithmState::Svi(_) => {
                told.tell(Phase::Data, "documents", documents as u64);
                told.tell(Phase::Data, "iterations over all of them", local_steps);
                if matches!(self.state, AlgorithmState::Cavi(_)) {
                    told.tell(Phase::Estimate, "η + sum along x and y", after);
                }
                told.tell(Phase::Fit, self.symbol(), after);
                told.tell(Phase::Move, "new mean of β_kw", self.point(model));
            }
            AlgorithmState::Gibbs(_) => {
                told.tell(Phase::Data, "documents", documents as u64);
                told.tell(Phase::Data, "words in them", model.corpus.training.token_count() as u64);
                told.tell(Phase::Estimate, "after all words: n_kw + η along x and y", after);
                told.tell(Phase::Move, "new shares", self.point(model));
            }
            AlgorithmState::Sgrld(_) => {
                told.tell(Phase::Move, self.symbol(), after);
                told.tell(Phase::Move, "new β_kw", self.point(model));
            }
        }
    }

    /// The parameters of the two entries of topics that are drawn.
    fn shown(&self, model: &TopicModel) -> Point {
        let parameters = self.state.parameters();
        Point::from(model.shown.map(|(topic, word)| parameters.get(topic, word)))
    }

    /// What these parameters are.
    fn symbol(&self) -> &'static str {
        match self.state {
            AlgorithmState::Cavi(_) | AlgorithmState::Svi(_) => "λ_kw along x and y",
            AlgorithmState::Gibbs(_) => "n_kw + η along x and y",
            AlgorithmState::Sgrld(_) => "ω_kw along x and y",
        }
    }

    /// Parameters of the topics: λ, n_kw + η of Gibbs sampling, ω of SGRLD.
    #[must_use]
    pub fn parameters(&self) -> Topics {
        self.state.parameters().into_owned()
    }

    /// Whether the parameters are a draw of topics rather than a distribution of them.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        matches!(self.state, AlgorithmState::Sgrld(_))
    }

    /// log p(w, z), of Gibbs sampling.
    #[must_use]
    pub fn log_joint(&self, model: &TopicModel) -> Option<f64> {
        match &self.state {
            AlgorithmState::Gibbs(gibbs) => Some(gibbs.log_joint(&model.corpus.training)),
            AlgorithmState::Cavi(_) | AlgorithmState::Svi(_) | AlgorithmState::Sgrld(_) => None,
        }
    }

    /// What the chain has done so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// How long its steps took so far; zero if nobody has timed them. No result depends on it.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Notes how long steps took.
    pub fn add_time(&mut self, time: Duration) {
        self.time += time;
    }

    /// The point of the chain in the plane: two entries of E β.
    #[must_use]
    pub fn point(&self, model: &TopicModel) -> Point {
        match &self.state {
            AlgorithmState::Cavi(cavi) => model.point(cavi.lambda()),
            AlgorithmState::Svi(svi) => model.point(svi.lambda()),
            AlgorithmState::Sgrld(sgrld) => model.point(sgrld.omega()),
            AlgorithmState::Gibbs(gibbs) => {
                let [x, y] = model.shown.map(|(topic, word)| gibbs.mean(topic, word));
                Point::new(x, y)
            }
        }
    }
}

impl AlgorithmState {
    /// Parameters of the topics; those of Gibbs sampling are made from its counts.
    fn parameters(&self) -> Cow<'_, Topics> {
        match self {
            Self::Cavi(cavi) => Cow::Borrowed(cavi.lambda()),
            Self::Svi(svi) => Cow::Borrowed(svi.lambda()),
            Self::Gibbs(gibbs) => Cow::Owned(gibbs.lambda()),
            Self::Sgrld(sgrld) => Cow::Borrowed(sgrld.omega()),
        }
    }

    /// The state of an algorithm at parameters of topics: λ, or ω of SGRLD. Gibbs sampling draws the topic of every token with
    /// z ∝ E β_kw.
    fn at(inference: Inference, model: &TopicModel, simd: Simd, parameters: Topics, stream: &mut Stream) -> Self {
        let (sizes, tolerance, training) = (model.model, model.tolerance, &model.corpus.training);
        match inference {
            Inference::Cavi { start } => Self::Cavi(Box::new(Cavi::new(simd, sizes, tolerance, start, parameters))),
            Inference::Svi { smoothing } => {
                Self::Svi(Box::new(Svi::new(simd, sizes, tolerance, smoothing, parameters, training)))
            }
            Inference::Sgrld { inner } => Self::Sgrld(Box::new(Sgrld::new(sizes, inner, parameters))),
            Inference::Gibbs => {
                let beta = parameters.normalised();
                let tokens = (0..training.len()).flat_map(|document| training.tokens(document));
                let topic = |&word: &u32| draw(beta.of_word(word as usize), stream.uniform());
                let assignments = tokens.map(topic).collect();
                Self::Gibbs(Box::new(Gibbs::from(simd, sizes, training, assignments)))
            }
        }
    }
}

/// Tells the estimate of a step of SVI, and how it is mixed in.
fn tell_mixing(told: &mut Told, model: &TopicModel, svi: &Svi, (rho, guarded): (f64, bool)) {
    let estimate = model.shown.map(|(topic, word)| svi.estimate(topic, word));
    told.tell(Phase::Estimate, "λ̂_kw along x and y", Point::from(estimate));
    if !svi.is_plain() {
        told.say(Phase::Estimate, "averaged with those of other steps before they are mixed in");
    }
    told.tell(Phase::Fit, "ρ", rho);
    if guarded {
        told.say(Phase::Fit, "made smaller to keep all λ_kw positive");
    }
}

/// Tells the documents of a batch.
fn tell_batch(told: &mut Told, batch: &[u32], of: usize) {
    if told.is_recorded() {
        told.tell(Phase::Data, "batch", TermValue::indices(batch.iter().copied(), batch.len(), of));
    }
}

/// The index that a uniform number chooses with probabilities in proportion to `weights`.
fn draw(weights: &[f64], uniform: f64) -> u8 {
    let target = uniform * weights.iter().sum::<f64>();
    let sums = weights.iter().scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    });
    let index = sums.take_while(|sum| *sum <= target).count().min(weights.len().saturating_sub(1));
    u8::try_from(index).unwrap_or(u8::MAX)
}

/// ω with the shares of some topics, and the sums that the prior expects: Vη each.
fn scaled_to_prior(model: &TopicModel, topics: &Topics) -> Topics {
    let mut omega = topics.normalised();
    let sum = model.model.words as f64 * model.model.eta;
    omega.values_mut().iter_mut().for_each(|omega| *omega *= sum);
    omega
}

/// λ with the shares of some topics, each of which has as many tokens.
fn scaled_to_data(model: &TopicModel, beta: &Topics) -> Topics {
    let mut lambda = beta.clone();
    let tokens = model.corpus.training.token_count() as f64 / model.model.topics as f64;
    lambda.values_mut().iter_mut().for_each(|lambda| *lambda = model.model.eta + tokens * *lambda);
    lambda
}
