//! Table of the stochastic average gradient (SAG): the newest contribution of every datum.
//!
//! Le Roux, Schmidt and Bach (2012), "A stochastic gradient method with an exponential convergence rate for finite training
//! sets", arXiv:1202.6258, here for the statistics of natural gradients as in Mandt and Blei (2014), section 3. Until all
//! data have been seen, the sum over the seen ones is scaled up to all.

use super::Natural;

/// One entry per datum, and their sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    entries: Vec<Option<Natural>>,
    seen: usize,
    sum: Natural,
    /// Entries replaced since the sum was last computed from all entries.
    replaced: usize,
}

impl Table {
    /// A table for `data` data, none of which has been seen.
    pub(crate) fn new(data: usize) -> Self {
        Self { entries: vec![None; data], ..Self::default() }
    }

    /// Number of data.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Stores the new contribution of a datum.
    pub(crate) fn replace(&mut self, index: usize, entry: Natural) {
        let Some(slot) = self.entries.get_mut(index) else { return };
        match slot.replace(entry) {
            Some(before) => self.sum += entry - before,
            None => {
                self.sum += entry;
                self.seen += 1;
            }
        }
        self.replaced += 1;
        // A new sum once per pass over the data removes the rounding errors of the differences.
        if self.replaced >= self.entries.len() {
            self.sum = self.entries.iter().flatten().sum();
            self.replaced = 0;
        }
    }

    /// The sum over all data, scaled up from the data seen so far.
    pub(crate) fn total(&self) -> Natural {
        self.sum * (self.entries.len() as f64 / self.seen.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use base::math::{Purpose, Stream};

    #[test]
    fn totals_are_those_of_the_newest_entries_scaled_to_all_data() {
        let mut stream = Stream::derive(8, Purpose::Chain, 0, 0);
        let mut table = Table::new(7);
        let mut newest: [Option<Natural>; 7] = [None; 7];
        assert_eq!((table.len(), table.total()), (7, Natural::zeros()));
        for _ in 0..500 {
            let (index, number) = (stream.below(7) as usize, stream.normal_pair().0);
            let entry = Natural::new(number, 1.0, -number, 2.0 * number, number * number);
            newest[index] = Some(entry);
            table.replace(index, entry);
            let seen: Vec<Natural> = newest.into_iter().flatten().collect();
            let expected = seen.iter().sum::<Natural>() * (7.0 / seen.len() as f64);
            // About twenty roundings of numbers below 100 between two full sums.
            assert_relative_eq!(table.total(), expected, epsilon = 1e-12);
        }
    }
}
