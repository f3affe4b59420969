//! Vectors of the chains of a model in more dimensions than are drawn, kept over a run: predictions are made from them.
//!
//! All draws speak for the posterior alike, so vectors are kept evenly among the collected steps of a target: one of every
//! `stride`, the last of each group. When they become too many every second is dropped, and the stride doubles. Which steps are
//! kept depends on the number of collected steps alone, and each kept vector stands for as many of them.
//!
//! Beside them there are those of the newest step whose parts are recorded ([`super::step_parts`]), or of the last step: the
//! members of an ensemble as they are now.

use std::sync::Arc;

use base::math::Coords;

/// Numbers in all vectors of a run, at most, as far as [`FEWEST`] allows: 64 MiB.
const MOST_NUMBERS: usize = 1 << 23;

/// Steps whose vectors are kept, at least where there are as many, and at most.
const FEWEST: usize = 16;
const MOST: usize = 4096;

/// Where chains are in all dimensions after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorsAt {
    /// Number of the step.
    pub step: u64,
    /// A vector per chain; NaN for chains that have diverged.
    pub places: Coords,
}

impl VectorsAt {
    /// The vectors of blocks of chains, in order.
    fn of<'a>(step: u64, dimension: usize, blocks: impl Iterator<Item = &'a Coords> + Clone) -> Self {
        let mut places = Coords::zeros(dimension, blocks.clone().map(Coords::len).sum());
        let all = blocks.flat_map(|block| (0..block.len()).map(move |index| (block, index)));
        for (to, (block, from)) in all.enumerate() {
            places.copy_vector(to, block, from);
        }
        Self { step, places }
    }
}

/// The vectors that are kept of a run up to a step. Cloning shares them.
#[derive(Clone, Debug)]
pub struct KeptVectors {
    /// Rows at most.
    most: usize,
    stride: u64,
    /// Steps of the present target that have been collected.
    collected: u64,
    even: Arc<Vec<Arc<VectorsAt>>>,
    newest: Option<Arc<VectorsAt>>,
}

impl KeptVectors {
    /// None yet, of so many chains in this many dimensions.
    pub fn new(dimension: usize, chains: usize) -> Self {
        let most = (MOST_NUMBERS / (dimension * chains).max(1)).clamp(FEWEST, MOST);
        Self { most, stride: 1, collected: 0, even: Arc::default(), newest: None }
    }

    /// Begins again with another target, whose draws are counted from here on.
    pub fn begin(&mut self) {
        (self.stride, self.collected, self.even) = (1, 0, Arc::default());
    }

    /// The number of collected steps after which vectors are kept next, the present one not counted.
    pub fn next_after(&self) -> u64 {
        self.stride - self.collected % self.stride
    }

    /// Goes on to a step before which so many have been collected since the last call, it included, and at most
    /// [`KeptVectors::next_after`]. Its vectors are kept if it is their turn, and are the newest if they are `sampled`.
    pub fn go_on<'a>(
        &mut self,
        (step, collected, sampled): (u64, u64, bool),
        dimension: usize,
        blocks: impl Iterator<Item = &'a Coords> + Clone,
    ) {
        self.collected += collected;
        let mut due = collected > 0 && self.collected.is_multiple_of(self.stride);
        if !due && !sampled {
            return;
        }
        if due && self.even.len() == self.most {
            let mut number = 0;
            Arc::make_mut(&mut self.even).retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.stride *= 2;
            due = self.collected.is_multiple_of(self.stride);
        }
        let at = Arc::new(VectorsAt::of(step, dimension, blocks));
        if due {
            Arc::make_mut(&mut self.even).push(at.clone());
        }
        if sampled {
            self.newest = Some(at);
        }
    }

    /// Those that are kept evenly among the collected steps of the present target.
    pub fn even(&self) -> &Arc<Vec<Arc<VectorsAt>>> {
        &self.even
    }

    /// The newest.
    pub fn newest(&self) -> Option<&Arc<VectorsAt>> {
        self.newest.as_ref()
    }
}

/// The stride at which at most `most` of `count` are taken, and more than half as many of a large number: 1, 2, 4, …
#[must_use]
pub fn stride(count: usize, most: usize) -> usize {
    count.div_ceil(most.max(1)).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(first: usize, chains: usize) -> Coords {
        let mut block = Coords::zeros(3, chains);
        (0..chains).for_each(|chain| block.fill(chain, (first + chain) as f64));
        block
    }

    #[test]
    fn the_chains_of_all_blocks_are_kept() {
        let blocks = [block(0, 40), block(40, 40)];
        let at = VectorsAt::of(9, 3, blocks.iter());
        assert_eq!((at.step, at.places.len(), at.places.dimension()), (9, 80, 3));
        let expected: Vec<f64> = (0..80).map(f64::from).collect();
        assert!(at.places.axes().all(|axis| axis == expected));
    }

    /// Whichever steps are collected, the kept ones are every stride-th of them, and more than half as many as there may be.
    #[test]
    fn vectors_are_kept_evenly_among_collected_steps() {
        let place = block(0, 1);
        let rules: [fn(u64) -> bool; 4] =
            [|_| true, |step| step > 1000, |step| step.is_multiple_of(7), |step| step % 50 > 20];
        for (most, collects) in [1, 2, 5, 8, 64].into_iter().flat_map(|most| rules.map(|rule| (most, rule))) {
            let mut kept = KeptVectors { most, ..KeptVectors::new(3, 1) };
            let mut collected = Vec::new();
            let mut since = 0;
            for step in 1..=3000 {
                let of_step = collects(step);
                since += u64::from(of_step);
                collected.extend(of_step.then_some(step));
                let sampled = step % 90 == 0;
                // A run goes on to the steps that are due or sampled, and no other.
                if sampled || since == kept.next_after() {
                    kept.go_on((step, since, sampled), 3, std::iter::once(&place));
                    since = 0;
                }
                let found: Vec<u64> = kept.even().iter().map(|at| at.step).collect();
                let stride = usize::try_from(kept.stride).unwrap();
                let expected: Vec<u64> = collected.iter().copied().skip(stride - 1).step_by(stride).collect();
                assert_eq!(found, expected, "{most}, step {step}");
                assert!(found.len() <= most && found.len() >= collected.len().min(most / 2), "{most}, step {step}");
                assert_eq!(kept.newest().map_or(0, |at| at.step), step / 90 * 90);
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        assert_eq!((KeptVectors::new(31, 8).most, KeptVectors::new(31, 512).most), (MOST, 528));
        assert_eq!(KeptVectors::new(100_000, 4096).most, FEWEST);
    }

    #[test]
    fn a_stride_keeps_more_than_half_of_what_is_allowed() {
        for (count, most, expected) in [(0, 5, 1), (5, 5, 1), (6, 5, 2), (11, 5, 4), (7, 0, 8)] {
            assert_eq!(stride(count, most), expected);
        }
    }
}
