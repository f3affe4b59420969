//! Words of a topic in order of relevance: λ log p(w | k) + (1 − λ) log p(w | k)/p(w).
//!
//! C. Sievert and K. E. Shirley (2014), *LDAvis: a method for visualizing and interpreting topics*. With λ = 1 words are sorted
//! by their probability, with λ = 0 by how much more probable the topic makes them.

use base::math::elementary::ln;
use models::lda::{Corpus, Topics};

/// The weight λ of the probability of a word, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relevance(u8);

impl Default for Relevance {
    /// The value that readers in the study of LDAvis found best.
    fn default() -> Self {
        Self(60)
    }
}

impl Relevance {
    /// The weight λ, from 0 to 1.
    #[must_use]
    pub fn weight(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The nearest weight in hundredths.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "from 0 to 100")]
    pub fn of(weight: f64) -> Self {
        Self((100.0 * weight.clamp(0.0, 1.0)).round() as u8)
    }
}

/// p(w) of every word: (n_w + η)/(N + Vη) of the training documents, which is above 0.
#[must_use]
pub fn word_shares(corpus: &Corpus, eta: f64) -> Vec<f64> {
    let counts = corpus.training.word_counts(corpus.words());
    let total = corpus.training.token_count() as f64 + corpus.words() as f64 * eta;
    counts.into_iter().map(|count| (count + eta) / total).collect()
}

/// At most `most` words of a topic, the most relevant first; of equal ones the first in the vocabulary.
#[must_use]
pub fn ranked(topics: &Topics, topic: usize, shares: &[f64], relevance: Relevance, most: usize) -> Vec<u32> {
    let weight = relevance.weight();
    let score = |(probability, share): (f64, &f64)| {
        let log = ln(probability.max(f64::MIN_POSITIVE));
        weight * log + (1.0 - weight) * (log - ln(*share))
    };
    let mut scored: Vec<(f64, u32)> = topics.topic(topic).zip(shares).map(score).zip(0..).collect();
    let order = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if most < scored.len() {
        scored.select_nth_unstable_by(most, order);
        scored.truncate(most);
    }
    scored.sort_unstable_by(order);
    scored.into_iter().map(|(_, word)| word).collect()
}
