//! The evidence lower bound, in its seven terms.
//!
//! φ and γ are made at the present λ for all training documents, never taken from earlier steps. With φ optimal for γ
//! the three terms with z add up to Σ n_dw ln Σ_k exp(E log θ_dk + E log β_kw), from which the entropy of z is found.

use super::statistics::add;
use super::{Documents, Local, Model, Stop, Topics, Weights};
use base::math::{digamma, ln_gamma};
use base::platform::{now, pause};

/// The terms of the bound, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elbo {
    /// E log p(β).
    pub topic_prior: f64,
    /// E log p(θ).
    pub share_prior: f64,
    /// E log p(z).
    pub assignments: f64,
    /// E log p(w).
    pub words: f64,
    /// H(z).
    pub assignment_entropy: f64,
    /// H(θ).
    pub share_entropy: f64,
    /// H(β).
    pub topic_entropy: f64,
}

impl Elbo {
    /// The bound at parameters λ over all documents, with fresh local steps.
    #[must_use]
    pub fn at(lambda: &Topics, model: &Model, documents: &Documents, local: &mut Local) -> Self {
        Self::from(lambda, model, documents, local, &[])
    }

    /// The same, unless it is stopped, with pauses.
    pub async fn unless(
        stop: &Stop,
        lambda: &Topics,
        model: &Model,
        documents: &Documents,
        local: &mut Local,
    ) -> Option<Self> {
        Self::with((lambda, model), documents, local, &[], stop).await
    }

    /// The same with local steps that begin at given γ, those of the first document first; afresh where there are none.
    pub(super) fn from(
        lambda: &Topics,
        model: &Model,
        documents: &Documents,
        local: &mut Local,
        gammas: &[f64],
    ) -> Self {
        now(Self::with((lambda, model), documents, local, gammas, &Stop::default())).unwrap_or_default()
    }

    async fn with(
        (lambda, model): (&Topics, &Model),
        documents: &Documents,
        local: &mut Local,
        gammas: &[f64],
        stop: &Stop,
    ) -> Option<Self> {
        let weights = Weights::of(local.simd(), lambda);
        let mut bound = Self::default();
        let (mut statistics, mut log_norms) = (Topics::filled(model.topics, model.words, 0.0), 0.0);
        for document in 0..documents.len() {
            if stop.is_set() {
                return None;
            }
            let bag = documents.bag(document);
            match gammas.get(document * model.topics..(document + 1) * model.topics) {
                Some(gamma) => local.fit_from(bag, &weights, gamma),
                None => local.fit(bag, &weights),
            };
            add(&mut statistics, bag, local.expected(), 1.0);
            let of_sum = bound.add_shares(local.share_parameters(), local.expected(), model);
            log_norms += local.log_norms(bag) - bag.tokens() * of_sum;
            pause().await;
        }
        bound.add_topics(lambda, &statistics, model);
        bound.assignment_entropy = log_norms - bound.assignments - bound.words;
        Some(bound)
    }

    /// The bound: the sum of the terms.
    #[must_use]
    pub fn total(&self) -> f64 {
        let priors = self.topic_prior + self.share_prior;
        let likelihood = self.assignments + self.words;
        priors + likelihood + self.assignment_entropy + self.share_entropy + self.topic_entropy
    }

    /// Adds the terms of θ and z of a document with parameters γ and statistics n φ. Returns ψ(Σγ), which normalises E log θ.
    fn add_shares(&mut self, gamma: &[f64], expected: &[f64], model: &Model) -> f64 {
        let sum: f64 = gamma.iter().sum();
        let of_sum = digamma(sum);
        let (mut log_shares, mut entropy) = (0.0, -ln_gamma(sum));
        for (topic, &gamma) in gamma.iter().enumerate() {
            let log_share = digamma(gamma) - of_sum;
            log_shares += log_share;
            entropy += ln_gamma(gamma) - (gamma - 1.0) * log_share;
            self.assignments += expected.iter().skip(topic).step_by(model.topics).sum::<f64>() * log_share;
        }
        self.share_prior += log_normaliser(model.topics, model.alpha) + (model.alpha - 1.0) * log_shares;
        self.share_entropy += entropy;
        of_sum
    }

    /// Adds the terms of β and w.
    fn add_topics(&mut self, lambda: &Topics, statistics: &Topics, model: &Model) {
        let sums = lambda.sums();
        for (topic, &sum) in sums.iter().enumerate() {
            let of_sum = digamma(sum);
            let mut log_words = 0.0;
            self.topic_entropy -= ln_gamma(sum);
            for (lambda, statistic) in lambda.topic(topic).zip(statistics.topic(topic)) {
                let log_word = digamma(lambda) - of_sum;
                log_words += log_word;
                self.words += statistic * log_word;
                self.topic_entropy += ln_gamma(lambda) - (lambda - 1.0) * log_word;
            }
            self.topic_prior += log_normaliser(model.words, model.eta) + (model.eta - 1.0) * log_words;
        }
    }
}

/// ln Γ(na) − n ln Γ(a), of a symmetric Dirichlet distribution.
pub(super) fn log_normaliser(count: usize, concentration: f64) -> f64 {
    let count = count as f64;
    ln_gamma(count * concentration) - count * ln_gamma(concentration)
}
