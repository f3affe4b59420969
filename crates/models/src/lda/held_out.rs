//! Held-out likelihood by document completion, and the lines to compare it with.
//!
//! Of each held-out document the tokens at even positions are observed, the others are predicted. γ comes from the observed
//! half by the local step, and p(w) = Σ_k (γ_k/Σγ) E β_kw. The score is the mean of ln p over all predicted tokens of all
//! documents; perplexity is exp(−score). See H. M. Wallach, I. Murray, R. Salakhutdinov and D. Mimno (2009), *Evaluation
//! methods for topic models*, ICML.

use super::{Bag, Documents, Local, Topics, Weights};
use base::math::elementary::ln;
use base::platform::{now, pause};

/// Held-out documents in halves.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    observed: Documents,
    predicted: Documents,
}

impl Completion {
    /// Cuts documents by the positions of their tokens.
    #[must_use]
    pub fn new(held_out: &Documents) -> Self {
        let half = |first: usize| {
            let mut half = Documents::default();
            for document in 0..held_out.len() {
                let tokens: Vec<u32> = held_out.tokens(document).iter().skip(first).step_by(2).copied().collect();
                half.push(held_out.name(document).to_owned(), &tokens);
            }
            half
        };
        Self { observed: half(0), predicted: half(1) }
    }

    /// The mean of ln p per predicted token; `None` if there are none.
    fn score(&self, probabilities: &[f64]) -> Option<f64> {
        let counts = (0..self.predicted.len()).flat_map(|document| self.predicted.bag(document).counts);
        let sum: f64 = counts.zip(probabilities).map(|(count, probability)| count * ln(*probability)).sum();
        let tokens = self.predicted.token_count();
        (tokens > 0).then(|| sum / tokens as f64)
    }

    /// The score of q with parameters λ.
    #[must_use]
    pub fn score_of(&self, lambda: &Topics, local: &mut Local) -> Option<f64> {
        now(self.scored(lambda, local))
    }

    /// The score of known topics or a draw of β, which may be 0 somewhere.
    #[must_use]
    pub fn score_of_known(&self, beta: &Topics, local: &mut Local) -> Option<f64> {
        now(self.known_scored(beta, local))
    }

    /// [`score_of`](Self::score_of) with pauses.
    pub async fn scored(&self, lambda: &Topics, local: &mut Local) -> Option<f64> {
        self.score(&self.probabilities(&Weights::of(local.simd(), lambda), &lambda.normalised(), local).await)
    }

    /// [`score_of_known`](Self::score_of_known) with pauses.
    pub async fn known_scored(&self, beta: &Topics, local: &mut Local) -> Option<f64> {
        self.score(&self.probabilities(&Weights::known(beta), beta, local).await)
    }

    /// The score of the shares of words in the training documents, (n_w + η)/(N + Vη): a model without topics.
    #[must_use]
    pub fn unigram(&self, training: &Documents, words: usize, eta: f64) -> Option<f64> {
        let counts = training.word_counts(words);
        let total = training.token_count() as f64 + words as f64 * eta;
        let predicted = (0..self.predicted.len()).flat_map(|document| self.predicted.bag(document).words);
        let probabilities: Vec<f64> = predicted.map(|&word| (counts[word as usize] + eta) / total).collect();
        self.score(&probabilities)
    }

    /// The probability of each distinct predicted word of each document.
    async fn probabilities(&self, weights: &Weights, means: &Topics, local: &mut Local) -> Vec<f64> {
        let mut probabilities = Vec::with_capacity(self.predicted.entry_count());
        for document in 0..self.predicted.len() {
            local.fit(self.observed.bag(document), weights);
            let sum: f64 = local.share_parameters().iter().sum();
            let shares: Vec<f64> = local.share_parameters().iter().map(|gamma| gamma / sum).collect();
            let Bag { words, .. } = self.predicted.bag(document);
            let probability = |&word: &u32| {
                let pairs = shares.iter().zip(means.of_word(word as usize));
                pairs.map(|(share, mean)| share * mean).sum::<f64>()
            };
            probabilities.extend(words.iter().map(probability));
            pause().await;
        }
        probabilities
    }
}

/// The score of equal probabilities of all words, −ln V.
#[must_use]
pub fn uniform_score(words: usize) -> f64 {
    -ln(words as f64)
}
