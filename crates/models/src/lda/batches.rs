//! Minibatches of documents.

use base::math::Stream;

/// The order in which documents come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// A new permutation for every epoch. A rest shorter than a batch is left out.
    #[default]
    Shuffled,
    /// Each document at random, with replacement.
    Random,
    /// In the order of the documents, again and again.
    Cyclic,
}

/// A source of minibatches of B documents out of D.
#[derive(Clone, Debug, PartialEq)]
pub struct Batches {
    order: Order,
    size: usize,
    documents: u32,
    /// The present permutation, of `Shuffled` only.
    permutation: Vec<u32>,
    /// Documents of the epoch that are used up.
    used: usize,
    batch: Vec<u32>,
}

impl Batches {
    /// Batches of `size` ≤ `documents` documents; both at least 1.
    #[must_use]
    pub fn new(order: Order, size: usize, documents: usize) -> Self {
        let documents = u32::try_from(documents).unwrap_or(u32::MAX).max(1);
        let size = size.clamp(1, documents as usize);
        Self { order, size, documents, permutation: Vec::new(), used: 0, batch: Vec::new() }
    }

    /// The next batch. `Cyclic` takes nothing from the stream.
    pub fn next(&mut self, stream: &mut Stream) -> &[u32] {
        self.batch.clear();
        match self.order {
            Order::Shuffled => self.deal(stream),
            Order::Random => self.batch.extend((0..self.size).map(|_| stream.below(self.documents))),
            Order::Cyclic => {
                let documents = self.documents as usize;
                let indices = (self.used..self.used + self.size).map(|index| index % documents);
                self.batch.extend(indices.filter_map(|index| u32::try_from(index).ok()));
                self.used = (self.used + self.size) % documents;
            }
        }
        &self.batch
    }

    fn deal(&mut self, stream: &mut Stream) {
        if self.used + self.size > self.permutation.len() {
            self.shuffle(stream);
        }
        self.batch.extend_from_slice(&self.permutation[self.used..][..self.size]);
        self.used += self.size;
    }

    /// A new permutation (Fisher and Yates 1938, as in Durstenfeld 1964).
    fn shuffle(&mut self, stream: &mut Stream) {
        self.used = 0;
        self.permutation.clear();
        self.permutation.extend(0..self.documents);
        for last in (1..self.documents).rev() {
            let other = stream.below(last + 1);
            self.permutation.swap(last as usize, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Purpose;

    fn stream() -> Stream {
        Stream::derive(1, Purpose::Minibatch, 0, 0)
    }

    #[test]
    fn an_epoch_has_every_document_once_and_drops_a_short_rest() {
        let (mut batches, mut stream) = (Batches::new(Order::Shuffled, 3, 10), stream());
        for _ in 0..20 {
            let mut epoch: Vec<u32> = (0..3).flat_map(|_| batches.next(&mut stream).to_vec()).collect();
            epoch.sort_unstable();
            epoch.dedup();
            assert_eq!(epoch.len(), 9);
        }
    }

    #[test]
    fn cyclic_batches_follow_the_order_and_take_no_random_numbers() {
        let (mut batches, mut stream) = (Batches::new(Order::Cyclic, 3, 4), stream());
        let before = stream.clone();
        let all: Vec<u32> = (0..4).flat_map(|_| batches.next(&mut stream).to_vec()).collect();
        assert_eq!(all, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
        assert_eq!(stream, before);
    }

    #[test]
    fn random_batches_repeat_documents() {
        let (mut batches, mut stream) = (Batches::new(Order::Random, 5, 5), stream());
        let repeats = (0..100).filter(|_| {
            let mut batch = batches.next(&mut stream).to_vec();
            batch.sort_unstable();
            batch.dedup();
            batch.len() < 5
        });
        // All five differ with probability 5!/5⁵ = 0.0384; fewer than 85 of 100 has a probability below 10⁻⁵.
        assert!(repeats.count() >= 85);
    }
}
