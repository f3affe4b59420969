//! Latent Dirichlet allocation on a corpus: what inference and its measures need to know, computed once.

use std::sync::{Arc, OnceLock};

use crate::lda::{Cavi, Completion, Corpus, Local, LocalStart, Model, Tolerance, Topics, Weights, uniform_score};
use base::math::{Point, Simd};

/// Sweeps of coordinate ascent from the true topics, at least and at most; bars are at rest after some twenty.
const SWEEPS: (usize, usize) = (5, 100);

/// Documents in all of these sweeps, as far as they are not the fewest.
const SWEPT: usize = 200_000;

/// A corpus and its model.
#[derive(Debug)]
pub struct TopicModel {
    /// The documents, and the true topics if they are known.
    pub corpus: Arc<Corpus>,
    /// K, V, α and η.
    pub model: Model,
    /// When the local step of a document ends. Every bound and every fit depends on it.
    pub tolerance: Tolerance,
    /// Pixels along a side, of bars.
    pub side: Option<usize>,
    /// Topic and word, from 0, of the two entries of β that stand for all in the plane: along x and along y.
    pub shown: [(usize, usize); 2],
    completion: OnceLock<Completion>,
    lines: OnceLock<TopicsLines>,
    optimum: OnceLock<Option<Topics>>,
}

/// What the held-out value of topics is compared with: the mean of ln p per predicted token of simpler models, and of the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicsLines {
    /// Equal probabilities of all words, −ln V.
    pub uniform: f64,
    /// The shares of words in all training documents; `None` without held-out documents.
    pub unigram: Option<f64>,
    /// The true topics, of generated corpora.
    pub truth: Option<f64>,
}

impl TopicModel {
    /// A model of a corpus.
    #[must_use]
    pub fn new(
        corpus: Arc<Corpus>,
        model: Model,
        tolerance: Tolerance,
        side: Option<usize>,
        shown: [(usize, usize); 2],
    ) -> Self {
        let (completion, lines, optimum) = Default::default();
        Self { corpus, model, tolerance, side, shown, completion, lines, optimum }
    }

    /// Number of documents D that topics are learned from.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.corpus.training.len()
    }

    /// The true topics, of a generated corpus.
    #[must_use]
    pub fn truth(&self) -> Option<&Topics> {
        self.corpus.truth.as_ref().map(|truth| &truth.topics)
    }

    /// The true topics, if K is their number.
    #[must_use]
    pub fn whole_truth(&self) -> Option<&Topics> {
        self.truth().filter(|truth| truth.count() == self.model.topics)
    }

    /// The local step of a document.
    #[must_use]
    pub fn local(&self, simd: Simd) -> Local {
        Local::new(simd, &self.model, self.tolerance)
    }

    /// The point in the plane of parameters of Dirichlet distributions, or of topics themselves: two entries of E β.
    #[must_use]
    pub fn point(&self, parameters: &Topics) -> Point {
        let [x, y] = self.shown.map(|(topic, word)| {
            let sum: f64 = parameters.topic(topic).sum();
            parameters.get(topic, word) / sum
        });
        Point::new(x, y)
    }

    /// The held-out documents in halves.
    #[must_use]
    pub fn completion(&self) -> &Completion {
        self.completion.get_or_init(|| Completion::new(&self.corpus.held_out))
    }

    /// What held-out values are compared with. The first call takes as long as a local step of all held-out documents.
    #[must_use]
    pub async fn lines(&self) -> TopicsLines {
        if let Some(lines) = self.lines.get() {
            return *lines;
        }
        let (completion, Model { words, eta, .. }) = (self.completion(), self.model);
        let known = match self.truth() {
            Some(truth) => {
                // The truth has topics of its own number.
                let model = Model { topics: truth.count(), ..self.model };
                completion.known_scored(truth, &mut Local::new(Simd::widest(), &model, self.tolerance)).await
            }
            None => None,
        };
        *self.lines.get_or_init(|| TopicsLines {
            uniform: uniform_score(words),
            unigram: completion.unigram(&self.corpus.training, words, eta),
            truth: known,
        })
    }

    /// The start that other programs can have too: λ_kw = 1 + ½ ((7k + 3w + kw) mod 11)/11, topics and words from 0.
    #[must_use]
    pub fn formula(&self) -> Topics {
        Topics::from_fn(self.model.topics, self.model.words, |topic, word| {
            1.0 + 0.5 * ((7 * topic + 3 * word + topic * word) % 11) as f64 / 11.0
        })
    }

    /// λ of the optimum to which coordinate ascent from the true topics leads: the best one that is known. `None` where the
    /// truth is not known or has another number of topics. The first call takes a hundred sweeps; of a large corpus fewer.
    #[must_use]
    pub fn optimum(&self) -> Option<&Topics> {
        let climb = |truth: &Topics| {
            let (simd, documents) = (Simd::widest(), &self.corpus.training);
            let (mut local, weights) = (self.local(simd), Weights::known(truth));
            let mut lambda = Topics::filled(self.model.topics, self.model.words, self.model.eta);
            for document in 0..documents.len() {
                let bag = documents.bag(document);
                local.fit(bag, &weights);
                for (&word, expected) in bag.words.iter().zip(local.expected().chunks_exact(self.model.topics)) {
                    for (lambda, expected) in lambda.of_word_mut(word as usize).iter_mut().zip(expected) {
                        *lambda += expected;
                    }
                }
            }
            let mut cavi = Cavi::new(simd, self.model, self.tolerance, LocalStart::Fresh, lambda);
            let sweeps = (SWEPT / documents.len().max(1)).clamp(SWEEPS.0, SWEEPS.1);
            (0..sweeps).for_each(|_| cavi.sweep(documents));
            cavi.lambda().clone()
        };
        self.optimum.get_or_init(|| self.whole_truth().map(climb)).as_ref()
    }
}
