//! Seeded streams of random numbers, one per purpose, run and chain.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is for: streams with different purposes never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Normals of a chain.
    Chain,
    /// Uniforms of a chain (Metropolis decisions).
    Accept,
    /// Indices of minibatches of a run.
    Minibatch,
    /// Starts of chains.
    Start,
    /// Generated data.
    Data,
    /// Exact draws, for noise floors.
    Reference,
}

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream for a purpose, a run and an index within it.
    #[must_use]
    pub fn derive(seed: u64, purpose: Purpose, run: u64, index: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed ^ (purpose as u64) << 60 ^ run << 40 ^ index))
    }

    /// A uniform in (0, 1).
    pub fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / 9007199254740992.0
    }

    /// A uniform index below `n` ≥ 1.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0.random_range(0..n)
    }

    /// Two independent standard normals.
    pub fn normal_pair(&mut self) -> (f64, f64) {
        let r = (-2.0 * libm::log(self.uniform())).sqrt();
        let a = std::f64::consts::TAU * self.uniform();
        (r * libm::cos(a), r * libm::sin(a))
    }
}

/// Fills `first[i]`, `second[i]` with the i-th pair of one stream.
pub fn fill_pairs_one(stream: &mut Stream, first: &mut [f64], second: &mut [f64]) {
    for i in 0..first.len() {
        (first[i], second[i]) = stream.normal_pair();
    }
}

/// Fills `first[i]`, `second[i]` with the next pair of stream `i`.
pub fn fill_pairs_many(streams: &mut [Stream], first: &mut [f64], second: &mut [f64]) {
    for (i, stream) in streams.iter_mut().enumerate() {
        (first[i], second[i]) = stream.normal_pair();
    }
}
