//! Minibatches: the indices of the data in each of them, at random, shuffled, or in order.

use super::{BatchOrder, Gradient};
use crate::math::Stream;

/// A source of minibatches for one run: all its chains share them. A clone continues exactly like the original.
///
/// `shuffled` deals out a random permutation (Fisher and Yates 1938, as in Durstenfeld 1964) and shuffles again when it
/// is used up, also in the middle of a batch: every N consecutive indices from the start of an epoch are a permutation.
/// The batch size may change during the run (an event); the order of the data continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batches {
    stream: Stream,
    permutation: Vec<u32>,
    /// Number of indices of the epoch that are used up.
    position: usize,
}

impl Batches {
    /// A source that takes its randomness from `stream`, in its first epoch.
    #[must_use]
    pub fn new(stream: Stream) -> Self {
        Self { stream, permutation: Vec::new(), position: 0 }
    }

    /// Fills `batches` with the next `count` minibatches out of `data` ≥ 1 data, one after another; leaves it empty if
    /// the gradient uses no minibatches.
    pub fn fill(&mut self, gradient: &Gradient, data: usize, count: usize, batches: &mut Vec<u32>) {
        batches.clear();
        let Gradient::Minibatch { size, order, .. } = *gradient else { return };
        let total = u32::try_from(data).unwrap_or(u32::MAX).max(1);
        let numbers = 0..count * size;
        match order {
            BatchOrder::Random => batches.extend(numbers.map(|_| self.stream.below(total))),
            BatchOrder::Shuffled => batches.extend(numbers.map(|_| self.dealt(total))),
            BatchOrder::Cyclic => batches.extend(numbers.map(|_| self.counted(total))),
        }
    }

    /// The next index of the permutation; shuffles again when the permutation is used up.
    fn dealt(&mut self, total: u32) -> u32 {
        let position = self.advance(total);
        if position == 0 || self.permutation.len() != total as usize {
            self.shuffle(total);
        }
        self.permutation[position]
    }

    /// The next index in the order of the data.
    fn counted(&mut self, total: u32) -> u32 {
        u32::try_from(self.advance(total)).unwrap_or(0)
    }

    /// Returns the position within the epoch, and moves one step on.
    fn advance(&mut self, total: u32) -> usize {
        let position = self.position % total as usize;
        self.position = position + 1;
        position
    }

    fn shuffle(&mut self, total: u32) {
        self.permutation.clear();
        self.permutation.extend(0..total);
        for last in (1..total).rev() {
            let other = self.stream.below(last + 1);
            self.permutation.swap(last as usize, other as usize);
        }
    }
}
