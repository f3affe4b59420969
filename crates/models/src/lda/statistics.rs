//! Expected sufficient statistics: s_d = (n_dw φ_dwk) of a document, and S(λ) = Σ_d s_d of all.

use super::{Bag, Documents, Local, Topics, Weights};
use base::math::Simd;
use base::platform::pause;

/// Adds the statistics of a document, word by word of its bag, times a factor.
pub(super) fn add(statistics: &mut Topics, bag: Bag<'_>, expected: &[f64], factor: f64) {
    for (&word, expected) in bag.words.iter().zip(expected.chunks_exact(statistics.count().max(1))) {
        for (sum, expected) in statistics.of_word_mut(word as usize).iter_mut().zip(expected) {
            *sum += factor * expected;
        }
    }
}

/// S(λ) and Q of all documents.
#[derive(Clone, Debug, PartialEq)]
pub struct FullStatistics {
    /// S = Σ_d s_d.
    pub sum: Topics,
    /// Q = Σ_d ‖s_d‖².
    pub squares: f64,
    /// Number of documents D.
    pub documents: usize,
}

impl FullStatistics {
    /// One pass over all documents at parameters λ, with fresh local steps, and with pauses.
    pub async fn at(lambda: &Topics, documents: &Documents, local: &mut Local) -> Self {
        let weights = Weights::of(local.simd(), lambda);
        let mut full =
            Self { sum: Topics::filled(lambda.count(), lambda.words(), 0.0), squares: 0.0, documents: documents.len() };
        for document in 0..documents.len() {
            let bag = documents.bag(document);
            local.fit(bag, &weights);
            add(&mut full.sum, bag, local.expected(), 1.0);
            full.squares += local.expected().iter().map(|value| value * value).sum::<f64>();
            pause().await;
        }
        full
    }

    /// v, the trace of the covariance of the estimate Ŝ = (D/B) Σ s_d from a batch of B = `batch` documents drawn with
    /// replacement: (D/B)(Q − ‖S‖²/D).
    #[must_use]
    pub fn variance(&self, batch: usize) -> f64 {
        let documents = self.documents as f64;
        documents / batch as f64 * (self.squares - self.sum.square_norm() / documents)
    }

    /// The same for batches without replacement inside, such as those of shuffled epochs: times (D − B)/(D − 1).
    #[must_use]
    pub fn variance_without_replacement(&self, batch: usize) -> f64 {
        self.window_variance_in_epoch(batch, 1)
    }

    /// The variance of the mean of L = `window` estimates from disjoint batches of one shuffled epoch at fixed λ:
    /// v (D − LB)/(L(D − 1)). It is 0 where the window holds every document once. Batches of one epoch are not
    /// independent, so that v/L is too large.
    #[must_use]
    pub fn window_variance_in_epoch(&self, batch: usize, window: usize) -> f64 {
        let (documents, held) = (self.documents as f64, (window * batch) as f64);
        self.variance(batch) * (documents - held).max(0.0) / (window as f64 * (documents - 1.0).max(1.0))
    }
}

/// Statistics of a few documents: those of the words that occur in them, in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    words: Vec<u32>,
    values: Vec<f64>,
}

impl Sparse {
    /// The number of a topic and a word; 0 of a word that does not occur. There are `topics` topics.
    pub(super) fn get(&self, topics: usize, topic: usize, word: usize) -> f64 {
        let of_word = self.words.iter().position(|&own| own as usize == word);
        of_word.and_then(|index| self.values.get(index * topics + topic)).copied().unwrap_or(0.0)
    }

    /// Adds all to `sum`, times a factor.
    pub fn add_to(&self, sum: &mut Topics, factor: f64) {
        for (&word, values) in self.words.iter().zip(self.values.chunks_exact(sum.count().max(1))) {
            for (sum, value) in sum.of_word_mut(word as usize).iter_mut().zip(values) {
                *sum += factor * value;
            }
        }
    }

    /// Takes all from `sum`, in which they are. What rounding would leave below 0 is 0.
    pub fn take_from(&self, sum: &mut Topics) {
        for (&word, values) in self.words.iter().zip(self.values.chunks_exact(sum.count().max(1))) {
            for (sum, value) in sum.of_word_mut(word as usize).iter_mut().zip(values) {
                *sum = (*sum - value).max(0.0);
            }
        }
    }

    /// Moves the statistics out of `sum`, which is left at 0, for the words that are marked in `touched`.
    pub(super) fn move_from(&mut self, sum: &mut Topics, touched: &mut Vec<u32>) {
        touched.sort_unstable();
        touched.dedup();
        self.words.clone_from(touched);
        self.values.clear();
        for &word in &self.words {
            let of_word = sum.of_word_mut(word as usize);
            self.values.extend_from_slice(of_word);
            of_word.fill(0.0);
        }
        touched.clear();
    }
}

/// Makes the estimates Ŝ of batches, with its memory.
#[derive(Clone, Debug)]
pub(super) struct Estimator {
    weights: Weights,
    sum: Topics,
    touched: Vec<u32>,
}

impl Estimator {
    pub fn new(topics: usize, words: usize) -> Self {
        let (weights, sum) = (Weights::new(topics, words), Topics::filled(topics, words, 0.0));
        Self { weights, sum, touched: Vec::new() }
    }

    /// Prepares for parameters λ.
    pub fn renew(&mut self, lambda: &Topics) {
        self.weights.renew(lambda);
    }

    /// Fits one document at λ, that of [`renew`](Self::renew). Returns the number of iterations.
    pub fn fit(&mut self, simd: Simd, lambda: &Topics, bag: Bag<'_>, local: &mut Local) -> u32 {
        self.weights.prepare(simd, lambda, bag);
        local.fit(bag, &self.weights)
    }

    /// Adds statistics of a document to the estimate.
    pub fn add(&mut self, bag: Bag<'_>, expected: &[f64], factor: f64) {
        add(&mut self.sum, bag, expected, factor);
        self.touched.extend_from_slice(bag.words);
    }

    /// Moves the estimate out.
    pub fn finish(&mut self, out: &mut Sparse) {
        out.move_from(&mut self.sum, &mut self.touched);
    }
}
