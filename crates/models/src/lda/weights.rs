//! What a document sees of the topics: exp E log β, or β itself where it is known.
//!
//! For q(β_k) = Dir(λ_k), b_kw = exp E log β_kw = exp ψ(λ_kw) / exp ψ(Σ_w λ_kw). A minibatch has few of the words of a
//! large vocabulary, so weights are made word by word when a document asks for them.

use super::{Bag, Topics};
use base::math::elementary::{Kernel, Simd};
use base::math::exp_digamma;

/// Weights b of the words that have been asked for since λ last changed.
#[derive(Clone, Debug)]
pub struct Weights {
    values: Topics,
    /// exp ψ(Σ_w λ_kw).
    scales: Vec<f64>,
    /// For which λ the weights of each word were made, counted from 1.
    made: Vec<u64>,
    present: u64,
}

impl Weights {
    /// No weights yet, of K = `topics` topics over `words` words.
    #[must_use]
    pub fn new(topics: usize, words: usize) -> Self {
        let values = Topics::filled(topics, words, 0.0);
        Self { values, scales: vec![1.0; topics], made: vec![0; words], present: 0 }
    }

    /// The weights of all words for q with parameters λ.
    #[must_use]
    pub fn of(simd: Simd, lambda: &Topics) -> Self {
        let mut weights = Self::new(lambda.count(), lambda.words());
        weights.renew(lambda);
        for word in 0..lambda.words() {
            weights.make(simd, lambda, word);
        }
        weights
    }

    /// Known topics: β itself, which may be 0 somewhere.
    #[must_use]
    pub fn known(beta: &Topics) -> Self {
        Self { values: beta.clone(), ..Self::new(beta.count(), beta.words()) }
    }

    /// Forgets all weights, since λ has changed.
    pub fn renew(&mut self, lambda: &Topics) {
        self.present += 1;
        self.scales = lambda.sums().into_iter().map(exp_digamma).collect();
    }

    /// Makes the weights of the words of a bag, those that are not there yet. λ is that of the last
    /// [`renew`](Self::renew).
    pub fn prepare(&mut self, simd: Simd, lambda: &Topics, bag: Bag<'_>) {
        for &word in bag.words {
            if self.made[word as usize] != self.present {
                self.make(simd, lambda, word as usize);
            }
        }
    }

    /// The weights of a word, one per topic.
    #[inline]
    #[must_use]
    pub fn of_word(&self, word: u32) -> &[f64] {
        self.values.of_word(word as usize)
    }

    fn make(&mut self, simd: Simd, lambda: &Topics, word: usize) {
        let (lambda, scales) = (lambda.of_word(word), &self.scales);
        simd.dispatch(Make { lambda, scales, out: self.values.of_word_mut(word) });
        self.made[word] = self.present;
    }
}

struct Make<'a> {
    lambda: &'a [f64],
    scales: &'a [f64],
    out: &'a mut [f64],
}

impl Kernel for Make<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for ((out, lambda), scale) in self.out.iter_mut().zip(self.lambda).zip(self.scales) {
            *out = exp_digamma(*lambda) / scale;
        }
    }
}
