//! Minibatches: the indices of the data in each of them, at random, shuffled, or in order.
//!
//! Every chain has index streams of its own, so that chains are independent. With `shared` minibatches all chains of a
//! run use those of one stream: cheaper, but then the chains share their gradient noise, and are not independent.

use std::ops::Range;

use crate::methods::{BatchOrder, Gradient};
use base::math::{Purpose, Simd, Streams};
use models::targets::Minibatches;

/// A source of minibatches for some chains of a run. A clone continues exactly like the original.
#[derive(Clone, Debug)]
pub struct Batches {
    own: Sequences,
    shared: Sequences,
}

impl Batches {
    /// The source for `chains` chains of run number `run`, those with numbers from `first` on, in their first epoch.
    #[must_use]
    pub fn new(seed: u64, run: u64, first: u64, chains: u64) -> Self {
        Self { own: Sequences::new(seed, run, first..first + chains), shared: Sequences::new(seed, run, 0..1) }
    }

    /// The minibatches of the next `steps` steps out of `data` ≥ 1 data, whose indices are put into `memory`; none if the
    /// gradient uses no minibatches.
    pub fn fill<'a>(
        &mut self,
        simd: Simd,
        gradient: &Gradient,
        (data, steps): (usize, usize),
        memory: &'a mut Vec<u32>,
    ) -> Minibatches<'a> {
        let Gradient::Minibatch { size, order, shared, .. } = *gradient else { return Minibatches::default() };
        let source = if shared { &mut self.shared } else { &mut self.own };
        let row = source.streams.len();
        memory.resize(steps * size * row, 0);
        source.fill(simd, order, u32::try_from(data).unwrap_or(u32::MAX).max(1), memory);
        gradient.minibatches(memory, row)
    }
}

/// Sequences of indices, one per stream.
///
/// `shuffled` deals out random permutations (Fisher and Yates 1938, as in Durstenfeld 1964) and shuffles again when they
/// are used up, also in the middle of a batch: every N consecutive indices from the start of an epoch are a permutation.
/// `cyclic` begins with the first datum in chain 0, and at a random datum in every other chain. The batch size may change
/// during the run (an event); the order of the data continues.
#[derive(Debug)]
struct Sequences {
    streams: Streams,
    /// Whether the first stream is that of chain 0.
    from_zero: bool,
    /// Number of indices of the epoch that are used up.
    position: usize,
    /// The data with which `cyclic` sequences begin; empty until there is one.
    begin: Vec<u32>,
    /// The streams before the last shuffle, and the number of data then.
    shuffled_from: Option<(Streams, u32)>,
    /// The permutations of the last shuffle: entry `i` of stream `s` at `i · streams + s`. A clone makes them again when it
    /// needs them.
    permutations: Vec<u32>,
}

/// Checkpoints keep clones, so that these do without the permutations.
impl Clone for Sequences {
    fn clone(&self) -> Self {
        Self {
            streams: self.streams.clone(),
            from_zero: self.from_zero,
            position: self.position,
            begin: self.begin.clone(),
            shuffled_from: self.shuffled_from.clone(),
            permutations: Vec::new(),
        }
    }
}

impl Sequences {
    /// The sequences of the chains of a run with the numbers `chains`.
    fn new(seed: u64, run: u64, chains: Range<u64>) -> Self {
        let from_zero = chains.start == 0;
        let streams = Streams::derive(seed, Purpose::Minibatch, run, chains);
        Self { streams, from_zero, position: 0, begin: Vec::new(), shuffled_from: None, permutations: Vec::new() }
    }

    /// Fills rows of one index per stream with the next indices of `total` data.
    fn fill(&mut self, simd: Simd, order: BatchOrder, total: u32, rows: &mut [u32]) {
        match order {
            BatchOrder::Random => self.streams.fill_below(simd, total, rows),
            BatchOrder::Shuffled => self.deal(simd, total, rows),
            BatchOrder::Cyclic => self.count(simd, total, rows),
        }
    }

    /// The next indices of the permutations; shuffles again when they are used up.
    fn deal(&mut self, simd: Simd, total: u32, rows: &mut [u32]) {
        let (streams, length) = (self.streams.len(), total as usize * self.streams.len());
        if self.permutations.is_empty()
            && let Some((before, data)) = self.shuffled_from.take()
        {
            let after = std::mem::replace(&mut self.streams, before);
            self.shuffle(simd, data);
            self.streams = after;
        }
        for row in rows.chunks_exact_mut(streams) {
            let position = self.advance(total);
            if position == 0 || self.permutations.len() != length {
                self.shuffle(simd, total);
            }
            row.copy_from_slice(&self.permutations[position * streams..(position + 1) * streams]);
        }
    }

    /// The next indices in the order of the data.
    fn count(&mut self, simd: Simd, total: u32, rows: &mut [u32]) {
        let streams = self.streams.len();
        if self.begin.is_empty() {
            self.begin = vec![0; streams];
            self.streams.fill_below(simd, total, &mut self.begin);
            if self.from_zero {
                self.begin[0] = 0;
            }
        }
        for row in rows.chunks_exact_mut(streams) {
            let position = u32::try_from(self.advance(total)).unwrap_or(0);
            for (index, begin) in row.iter_mut().zip(&self.begin) {
                *index = (begin % total + position) % total;
            }
        }
    }

    /// Returns the position within the epoch, and moves one step on.
    fn advance(&mut self, total: u32) -> usize {
        let position = self.position % total as usize;
        self.position = position + 1;
        position
    }

    fn shuffle(&mut self, simd: Simd, total: u32) {
        let streams = self.streams.len();
        self.shuffled_from = Some((self.streams.clone(), total));
        self.permutations.clear();
        self.permutations.extend((0..total).flat_map(|index| std::iter::repeat_n(index, streams)));
        let mut others = vec![0; streams];
        for last in (1..total).rev() {
            self.streams.fill_below(simd, last + 1, &mut others);
            for (stream, other) in others.iter().enumerate() {
                self.permutations.swap(last as usize * streams + stream, *other as usize * streams + stream);
            }
        }
    }
}
