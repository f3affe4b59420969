//! Minibatches: the indices of the data that a gradient estimate is made of.

/// A minibatch: the indices of n data, which lie evenly spaced in a list.
#[derive(Clone, Copy, Debug)]
pub struct Minibatch<'a> {
    /// Datum `j` at `j · stride`.
    indices: &'a [u32],
    stride: usize,
    size: usize,
}

impl<'a> Minibatch<'a> {
    /// n, the number of data.
    #[must_use]
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are no data.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Index number `number` < n.
    #[inline(always)]
    pub(super) fn get(&self, number: usize) -> u32 {
        self.indices[number * self.stride]
    }

    /// The indices in order.
    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = u32> + use<'a> {
        (0..self.size).map(move |number| self.get(number))
    }
}

impl<'a> From<&'a [u32]> for Minibatch<'a> {
    fn from(indices: &'a [u32]) -> Self {
        Self { indices, stride: 1, size: indices.len() }
    }
}

/// Indices of the data in the minibatches of consecutive steps: a minibatch of n data per step and chain, or one per step
/// that all chains share.
#[derive(Clone, Copy, Debug, Default)]
pub struct Minibatches<'a> {
    /// Datum `j` of the minibatch of chain `c` in step `k` at `(k · size + j) · row + first + min(c, last)`.
    indices: &'a [u32],
    /// n.
    size: usize,
    /// Indices that belong together: datum `j` of all minibatches of a step.
    row: usize,
    /// Index of the first chain within a row.
    first: usize,
    /// The last chain with a minibatch of its own; later ones have the same.
    last: usize,
}

impl<'a> Minibatches<'a> {
    /// The minibatches with the given indices, of `size` data each and `row` ≥ 1 minibatches per step: datum `j` of
    /// minibatch `c` in step `k` at `(k · size + j) · row + c`. A single minibatch per step belongs to all chains.
    #[must_use]
    pub fn new(indices: &'a [u32], size: usize, row: usize) -> Self {
        Self { indices, size, row, first: 0, last: row.saturating_sub(1) }
    }

    /// n, the number of data in each minibatch; 0 if there are no minibatches.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether all chains have the same minibatch.
    #[inline]
    #[must_use]
    pub fn are_shared(&self) -> bool {
        self.last == 0
    }

    /// The minibatches of the steps from number `from` to `to` − 1.
    #[inline]
    #[must_use]
    pub fn steps(self, from: usize, to: usize) -> Self {
        let step = self.size * self.row;
        Self { indices: &self.indices[from * step..to * step], ..self }
    }

    /// The minibatches of the chains from number `chain` on.
    #[inline]
    #[must_use]
    pub fn from_chain(self, chain: usize) -> Self {
        let skipped = chain.min(self.last);
        Self { first: self.first + skipped, last: self.last - skipped, ..self }
    }

    /// The minibatch of a chain in a step.
    #[must_use]
    #[inline(always)]
    pub fn of(self, step: usize, chain: usize) -> Minibatch<'a> {
        let Self { indices, size, row, .. } = self;
        if size == 0 {
            return Minibatch::from(&[][..]);
        }
        let column = self.first + chain.min(self.last);
        Minibatch { indices: &indices[step * size * row + column..], stride: row, size }
    }

    /// Datum `number` of the minibatches of the `L` chains from `chain` on in a step; chains beyond the last one have
    /// its minibatch.
    #[inline(always)]
    pub(super) fn lanes<const L: usize>(&self, step: usize, number: usize, chain: usize) -> [u32; L] {
        let row = &self.indices[(step * self.size + number) * self.row + self.first..];
        let own = &row[chain.min(self.last)..=self.last];
        match own.first_chunk() {
            Some(whole) => *whole,
            None => std::array::from_fn(|lane| own[lane.min(own.len() - 1)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minibatches of `size` data in `steps` steps of `row` chains, where every index tells its step, number and chain.
    fn indices(steps: u32, size: u32, row: u32) -> Vec<u32> {
        let numbers = (0..steps).flat_map(|step| (0..size).map(move |number| (step, number)));
        numbers.flat_map(|(step, number)| (0..row).map(move |chain| step * 10_000 + number * 100 + chain)).collect()
    }

    #[test]
    fn every_chain_has_its_own() {
        let indices = indices(3, 2, 5);
        let batches = Minibatches::new(&indices, 2, 5);
        assert!(!batches.are_shared());
        assert_eq!(batches.of(1, 3).iter().collect::<Vec<_>>(), [10_003, 10_103]);
        assert_eq!(batches.steps(1, 3).of(1, 4).iter().collect::<Vec<_>>(), [20_004, 20_104]);
        assert_eq!(batches.from_chain(2).of(0, 1).iter().collect::<Vec<_>>(), [3, 103]);
        assert_eq!(batches.from_chain(2).of(2, 9).iter().collect::<Vec<_>>(), [20_004, 20_104]);
        assert_eq!(batches.lanes::<2>(2, 1, 1), [20_101, 20_102]);
        assert_eq!(batches.from_chain(1).lanes::<2>(2, 1, 1), [20_102, 20_103]);
        assert_eq!(batches.lanes::<4>(0, 0, 3), [3, 4, 4, 4]);
    }

    #[test]
    fn a_shared_one_belongs_to_every_chain() {
        let indices = indices(2, 3, 1);
        let batches = Minibatches::new(&indices, 3, 1);
        assert!(batches.are_shared());
        for chain in [0, 7, 100] {
            assert_eq!(batches.of(1, chain).iter().collect::<Vec<_>>(), [10_000, 10_100, 10_200]);
            assert_eq!(batches.from_chain(chain).of(1, 3).iter().collect::<Vec<_>>(), [10_000, 10_100, 10_200]);
            assert_eq!(batches.lanes::<4>(1, 2, chain), [10_200; 4]);
        }
        assert!(Minibatches::default().of(3, 4).is_empty());
    }
}
