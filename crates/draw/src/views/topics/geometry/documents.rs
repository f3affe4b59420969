//! Documents under given topics: their shares θ, and the topics of their tokens.
//!
//! γ and φ come from the local step at the topics, whatever the method was. Of a state of Gibbs sampling that is not its own z.

use base::math::Simd;
use engine::session::{ChainTopics, TopicsKind};
use models::lda::{Local, Weights};
use models::targets::TopicModel;

/// Documents whose shares are computed, at most.
const MOST_DOCUMENTS: usize = 5_000;

/// Shares of topics in the first documents.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentShares {
    topics: usize,
    /// γ_k/Σγ, document by document.
    shares: Vec<f64>,
}

impl DocumentShares {
    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shares.len() / self.topics.max(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    /// The shares of a document, by topic.
    #[must_use]
    pub fn of(&self, document: usize) -> &[f64] {
        &self.shares[document * self.topics..][..self.topics]
    }

    /// The documents with the largest shares of a topic, at most `most`; of equal ones the first.
    #[must_use]
    pub fn largest(&self, topic: usize, most: usize) -> Vec<usize> {
        let mut documents: Vec<usize> = (0..self.len()).collect();
        let share = |document: &usize| self.of(*document)[topic];
        documents.sort_by(|a, b| share(b).total_cmp(&share(a)));
        documents.truncate(most);
        documents
    }
}

/// The shares of topics in the training documents, of the first 5000 of them.
#[must_use]
pub fn document_shares(model: &TopicModel, topics: &ChainTopics) -> DocumentShares {
    let weights = weights(topics);
    let mut local = Local::new(Simd::widest(), &model.model, model.tolerance);
    let documents = &model.corpus.training;
    let mut shares = Vec::new();
    for document in 0..documents.len().min(MOST_DOCUMENTS) {
        local.fit(documents.bag(document), &weights);
        shares.extend(normalised(local.share_parameters()));
    }
    DocumentShares { topics: model.model.topics, shares }
}

/// The shares of a document, and φ of each of its tokens in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenTopics {
    /// γ_k/Σγ, by topic.
    pub shares: Vec<f64>,
    /// Each token: its word, and the probabilities of its topic.
    pub tokens: Vec<(u32, Vec<f64>)>,
}

/// The topics of the tokens of a training document.
#[must_use]
pub fn token_topics(model: &TopicModel, topics: &ChainTopics, document: usize) -> TokenTopics {
    let mut local = Local::new(Simd::widest(), &model.model, model.tolerance);
    let (documents, count) = (&model.corpus.training, model.model.topics);
    let bag = documents.bag(document);
    local.fit(bag, &weights(topics));
    let phi = |word: &u32| -> Vec<f64> {
        let Ok(index) = bag.words.binary_search(word) else { return vec![0.0; count] };
        local.expected()[index * count..][..count].iter().map(|expected| expected / bag.counts[index]).collect()
    };
    let tokens = documents.tokens(document).iter().map(|word| (*word, phi(word))).collect();
    TokenTopics { shares: normalised(local.share_parameters()).collect(), tokens }
}

/// Weights of the local step.
fn weights(topics: &ChainTopics) -> Weights {
    match topics.kind {
        TopicsKind::Dirichlet => Weights::of(Simd::widest(), &topics.parameters),
        TopicsKind::Draw => Weights::known(&topics.mean()),
    }
}

fn normalised(gamma: &[f64]) -> impl Iterator<Item = f64> {
    let sum: f64 = gamma.iter().sum();
    gamma.iter().map(move |gamma| gamma / sum)
}
