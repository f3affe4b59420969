//! The local step: the factors of one document, q(θ_d) = Dir(γ_d) and q(z) = φ, for given weights of the topics.
//!
//! With t_k = exp ψ(γ_k), which may have any common factor, and weights b:
//!
//! γ_k ← α + t_k Σ_w n_w b_kw / Σ_j t_j b_jw, until the mean of |change| over the topics is below a tolerance,
//!
//! then t from the last γ, and φ_wk = t_k b_kw / Σ_j t_j b_jw. The local problem has several optima. The start and the
//! tolerance decide which one is found, so both are part of the method.
//!
//! Tiles of [`LANES`] topics or words lie side by side, and every sum over words or topics is added in their order:
//! bits do not depend on the instruction set.

use super::tile::{LANES, Tile};
use super::{Bag, Model, Weights};
use base::math::elementary::{Kernel, Simd, ln};
use base::math::exp_digamma;

/// When the local step ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Mean absolute change of γ below which the step has converged.
    pub change: f64,
    /// Largest number of iterations.
    pub most_steps: u32,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { change: 1e-4, most_steps: 100 }
    }
}

/// The local step of one document after another, with its memory.
#[derive(Clone, Debug)]
pub struct Local {
    simd: Simd,
    topics: usize,
    alpha: f64,
    tolerance: Tolerance,
    /// γ in tiles. Beyond the last topic it is α, and the weights are 0.
    gamma: Vec<Tile>,
    /// t, in tiles.
    shares: Vec<Tile>,
    /// Weights in tiles of topics: of the first tile all words, of the next tile all words, and so on.
    by_word: Vec<Tile>,
    /// Weights in tiles of words: of the first tile all topics, and so on. Beyond the last word they are 1.
    by_topic: Vec<Tile>,
    /// n_w in tiles, 0 beyond the last word.
    counts: Vec<Tile>,
    /// Σ_j t_j b_jw.
    norms: Vec<Tile>,
    /// n_w / Σ_j t_j b_jw.
    ratios: Vec<Tile>,
    /// n_w φ_wk, word by word.
    expected: Vec<f64>,
}

impl Local {
    /// The local step of a model.
    #[must_use]
    pub fn new(simd: Simd, model: &Model, tolerance: Tolerance) -> Self {
        let tiles = model.topics.div_ceil(LANES);
        Self {
            simd,
            topics: model.topics,
            alpha: model.alpha,
            tolerance,
            gamma: vec![[model.alpha; LANES]; tiles],
            shares: vec![[0.0; LANES]; tiles],
            by_word: Vec::new(),
            by_topic: Vec::new(),
            counts: Vec::new(),
            norms: Vec::new(),
            ratios: Vec::new(),
            expected: Vec::new(),
        }
    }

    /// The instruction set in use.
    #[must_use]
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Fits the factors of a document, from γ = α + N_d/K for every topic (`fresh`). Returns the number of iterations.
    pub fn fit(&mut self, bag: Bag<'_>, weights: &Weights) -> u32 {
        let start = self.alpha + bag.tokens() / self.topics as f64;
        self.gamma.as_flattened_mut()[..self.topics].fill(start);
        self.iterate(bag, weights)
    }

    /// The same from a given γ (`kept`).
    pub fn fit_from(&mut self, bag: Bag<'_>, weights: &Weights, gamma: &[f64]) -> u32 {
        self.gamma.as_flattened_mut()[..self.topics].copy_from_slice(gamma);
        self.iterate(bag, weights)
    }

    /// γ of the document of the last fit.
    #[must_use]
    pub fn share_parameters(&self) -> &[f64] {
        &self.gamma.as_flattened()[..self.topics]
    }

    /// n_w φ_wk of the document of the last fit, word by word of its bag: its share s_d of the statistics.
    #[must_use]
    pub fn expected(&self) -> &[f64] {
        &self.expected
    }

    /// Σ_w n_w ln Σ_k t_k b_kw with t = exp ψ(γ), of the document of the last fit.
    #[must_use]
    pub fn log_norms(&self, bag: Bag<'_>) -> f64 {
        bag.counts.iter().zip(self.norms.as_flattened()).map(|(count, norm)| count * ln(*norm)).sum()
    }

    fn iterate(&mut self, bag: Bag<'_>, weights: &Weights) -> u32 {
        self.gather(bag, weights);
        let simd = self.simd;
        simd.dispatch(Iterate { local: self, words: bag.words.len() })
    }

    /// Copies counts and weights of the document into tiles.
    fn gather(&mut self, bag: Bag<'_>, weights: &Weights) {
        let (topics, words, tiles) = (self.topics, bag.words.len(), bag.words.len().div_ceil(LANES));
        self.counts.clear();
        self.counts.resize(tiles, [0.0; LANES]);
        self.counts.as_flattened_mut()[..words].copy_from_slice(bag.counts);
        self.norms.resize(tiles, [0.0; LANES]);
        self.ratios.resize(tiles, [0.0; LANES]);
        self.expected.resize(words * topics, 0.0);
        self.by_word.clear();
        self.by_word.resize(words * self.gamma.len(), [0.0; LANES]);
        self.by_topic.clear();
        self.by_topic.resize(tiles * topics, [1.0; LANES]);
        for (index, &word) in bag.words.iter().enumerate() {
            let weights = weights.of_word(word);
            for (tile, weights) in weights.chunks(LANES).enumerate() {
                self.by_word[tile * words + index][..weights.len()].copy_from_slice(weights);
            }
            let tile = &mut self.by_topic[index / LANES * topics..][..topics];
            for (tile, weight) in tile.iter_mut().zip(weights) {
                tile[index % LANES] = *weight;
            }
        }
    }

    /// t from γ.
    #[inline(always)]
    fn share(&mut self) {
        for (share, gamma) in self.shares.iter_mut().zip(&self.gamma) {
            for (share, gamma) in share.iter_mut().zip(gamma) {
                *share = exp_digamma(*gamma);
            }
        }
    }

    /// Norms and ratios from t. A word that no topic has, with known topics, does not change γ.
    #[inline(always)]
    fn normalise(&mut self) {
        let shares = &self.shares.as_flattened()[..self.topics];
        let weights = self.by_topic.chunks_exact(self.topics);
        for (((norm, ratio), count), weights) in
            self.norms.iter_mut().zip(&mut self.ratios).zip(&self.counts).zip(weights)
        {
            let mut sum = [0.0; LANES];
            for (weights, share) in weights.iter().zip(shares) {
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum += share * weight;
                }
            }
            for (((norm, ratio), count), sum) in norm.iter_mut().zip(ratio).zip(count).zip(sum) {
                (*norm, *ratio) = (sum, if sum > 0.0 { count / sum } else { 0.0 });
            }
        }
    }

    /// γ from t and ratios; returns the sum of the absolute changes.
    #[inline(always)]
    fn update(&mut self, words: usize) -> f64 {
        let (ratios, mut changes) = (&self.ratios.as_flattened()[..words], [0.0; LANES]);
        let weights = self.by_word.chunks_exact(words);
        for ((gamma, share), weights) in self.gamma.iter_mut().zip(&self.shares).zip(weights) {
            let mut sum = [0.0; LANES];
            for (weights, ratio) in weights.iter().zip(ratios) {
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum += ratio * weight;
                }
            }
            for (((gamma, share), sum), change) in gamma.iter_mut().zip(share).zip(sum).zip(&mut changes) {
                let new = self.alpha + share * sum;
                *change += (new - *gamma).abs();
                *gamma = new;
            }
        }
        changes.iter().sum()
    }

    /// n φ from t and ratios.
    #[inline(always)]
    fn expect(&mut self, words: usize) {
        let ratios = &self.ratios.as_flattened()[..words];
        for (tile, (share, weights)) in self.shares.iter().zip(self.by_word.chunks_exact(words)).enumerate() {
            for ((expected, ratio), weights) in self.expected.chunks_exact_mut(self.topics).zip(ratios).zip(weights) {
                let expected = &mut expected[tile * LANES..];
                for ((expected, share), weight) in expected.iter_mut().zip(share).zip(weights) {
                    *expected = ratio * (share * weight);
                }
            }
        }
    }
}

struct Iterate<'a> {
    local: &'a mut Local,
    words: usize,
}

impl Kernel for Iterate<'_> {
    type Output = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        let Self { local, words } = self;
        if words == 0 {
            local.gamma.as_flattened_mut().fill(local.alpha);
            return 0;
        }
        let enough = local.tolerance.change * local.topics as f64;
        let mut steps = 0;
        local.share();
        local.normalise();
        while steps < local.tolerance.most_steps {
            steps += 1;
            let change = local.update(words);
            local.share();
            local.normalise();
            if change < enough {
                break;
            }
        }
        local.expect(words);
        steps
    }
}
