//! Stochastic gradient Riemannian Langevin dynamics (SGRLD) in the expanded mean.
//!
//! S. Patterson and Y. W. Teh (2013), *Stochastic gradient Riemannian Langevin dynamics on the probability simplex*, NIPS 26.
//! β_k = ω_k/Σω_k with a prior Gamma(η, 1) on every ω_kw, and a step with a batch of B documents
//!
//! ω ← |ω + α_t [η − ω + (D/B) Σ_d (n̄_dkw − β_kw n̄_dk)] + √(2 α_t ω) ξ|, ξ ~ N(0, 1).
//!
//! Their ε is 2α_t. n̄ are means over sweeps of Gibbs sampling of the topics of a document for the present β, with its
//! shares integrated out: p(z = k) ∝ (n_dk + α) β_kw, from a start z ∝ β_kw. Too few discarded sweeps are a bias that no
//! step size removes.

use super::tile::{LANES, Tile, pick};
use super::{Documents, Model, Stop, Topics};
use base::math::Stream;

/// Sweeps over the tokens of each document of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerSweeps {
    /// Sweeps that are not averaged.
    pub discarded: u32,
    /// Sweeps that are, at least 1.
    pub kept: u32,
}

impl Default for InnerSweeps {
    fn default() -> Self {
        Self { discarded: 8, kept: 4 }
    }
}

/// What a step was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SgrldRecord {
    /// Documents seen in the step.
    pub documents: usize,
    /// Entries of ω that were reflected at 0. Where this is frequent the discretisation error is large.
    pub reflections: u64,
}

/// A chain on ω.
#[derive(Clone, Debug)]
pub struct Sgrld {
    model: Model,
    inner: InnerSweeps,
    omega: Topics,
    beta: Topics,
    /// Σ n̄_dkw over the batch.
    counts: Topics,
    sampler: DocumentSampler,
}

impl Sgrld {
    /// A chain from positive ω.
    #[must_use]
    pub fn new(model: Model, inner: InnerSweeps, omega: Topics) -> Self {
        let beta = omega.normalised();
        let counts = Topics::filled(model.topics, model.words, 0.0);
        Self { model, inner, omega, beta, counts, sampler: DocumentSampler::new(&model) }
    }

    /// ω.
    #[must_use]
    pub fn omega(&self) -> &Topics {
        &self.omega
    }

    /// β, the present draw of the topics.
    #[must_use]
    pub fn beta(&self) -> &Topics {
        &self.beta
    }

    /// Takes a step of size `alpha` with a batch of documents. Random numbers of the topics of tokens come first in the
    /// stream, then the noise, word by word.
    pub fn step(&mut self, documents: &Documents, batch: &[u32], alpha: f64, stream: &mut Stream) -> SgrldRecord {
        self.step_unless(&Stop::default(), documents, (batch, alpha), stream).unwrap_or_default()
    }

    /// The same, unless it is stopped: then the state is somewhere within the step.
    pub fn step_unless(
        &mut self,
        stop: &Stop,
        documents: &Documents,
        (batch, alpha): (&[u32], f64),
        stream: &mut Stream,
    ) -> Option<SgrldRecord> {
        self.counts.values_mut().fill(0.0);
        for &document in batch {
            if stop.is_set() {
                return None;
            }
            let tokens = documents.tokens(document as usize);
            self.sampler.add_counts(&self.beta, tokens, self.inner, stream, &mut self.counts);
        }
        let factor = documents.len() as f64 / batch.len().max(1) as f64;
        let reflections = self.move_by(alpha, factor, stream);
        self.beta = self.omega.normalised();
        Some(SgrldRecord { documents: batch.len(), reflections })
    }

    fn move_by(&mut self, alpha: f64, factor: f64, stream: &mut Stream) -> u64 {
        let (totals, mut reflections, mut spare) = (self.counts.sums(), 0, None);
        for word in 0..self.model.words {
            let numbers = self.beta.of_word(word).iter().zip(self.counts.of_word(word)).zip(&totals);
            for (omega, ((beta, count), total)) in self.omega.of_word_mut(word).iter_mut().zip(numbers) {
                let noise = spare.take().unwrap_or_else(|| {
                    let (first, second) = stream.normal_pair();
                    spare = Some(second);
                    first
                });
                let drift = self.model.eta - *omega + factor * (count - beta * total);
                let moved = *omega + alpha * drift + (2.0 * alpha * *omega).sqrt() * noise;
                reflections += u64::from(moved < 0.0);
                *omega = moved.abs();
            }
        }
        reflections
    }
}

/// Gibbs sampling of the topics of one document after another for given β, with its memory.
#[derive(Clone, Debug)]
struct DocumentSampler {
    alpha: f64,
    last: usize,
    assignments: Vec<usize>,
    own: Vec<Tile>,
    weights: Vec<Tile>,
    sums: Vec<Tile>,
}

impl DocumentSampler {
    fn new(model: &Model) -> Self {
        let zeros = vec![[0.0; LANES]; model.topics.div_ceil(LANES)];
        Self {
            alpha: model.alpha,
            last: model.topics - 1,
            assignments: Vec::new(),
            own: zeros.clone(),
            weights: zeros.clone(),
            sums: zeros,
        }
    }

    /// Adds n̄ of a document to `counts`.
    fn add_counts(
        &mut self,
        beta: &Topics,
        tokens: &[u32],
        inner: InnerSweeps,
        stream: &mut Stream,
        counts: &mut Topics,
    ) {
        self.start(beta, tokens, stream);
        let share = 1.0 / f64::from(inner.kept.max(1));
        for sweep in 0..inner.discarded + inner.kept.max(1) {
            self.sweep(beta, tokens, stream);
            if sweep >= inner.discarded {
                for (&word, &topic) in tokens.iter().zip(&self.assignments) {
                    counts.of_word_mut(word as usize)[topic] += share;
                }
            }
        }
    }

    /// Draws every topic with z ∝ β_kw.
    fn start(&mut self, beta: &Topics, tokens: &[u32], stream: &mut Stream) {
        self.assignments.clear();
        self.own.fill([0.0; LANES]);
        for &word in tokens {
            for (weight, beta) in self.weights.as_flattened_mut().iter_mut().zip(beta.of_word(word as usize)) {
                *weight = *beta;
            }
            let topic = pick(&self.weights, &mut self.sums, stream.uniform()).min(self.last);
            self.own.as_flattened_mut()[topic] += 1.0;
            self.assignments.push(topic);
        }
    }

    fn sweep(&mut self, beta: &Topics, tokens: &[u32], stream: &mut Stream) {
        for (assignment, &word) in self.assignments.iter_mut().zip(tokens) {
            let own = self.own.as_flattened_mut();
            own[*assignment] -= 1.0;
            let pairs = own.iter().zip(beta.of_word(word as usize));
            for (weight, (own, beta)) in self.weights.as_flattened_mut().iter_mut().zip(pairs) {
                *weight = (own + self.alpha) * beta;
            }
            *assignment = pick(&self.weights, &mut self.sums, stream.uniform()).min(self.last);
            own[*assignment] += 1.0;
        }
    }
}
