//! Vectors of the chains of a model in more dimensions than are drawn, kept over a run: predictions are made from them.
//!
//! All draws speak for the posterior alike, so vectors are kept evenly among the collected steps of a target ([`super::kept`]).
//!
//! Beside them there are those of the newest step whose parts are recorded ([`super::step_parts`]), or of the last step: the
//! members of an ensemble as they are now.

use std::sync::Arc;

use super::kept::Kept;
use base::math::Coords;
use samplers::methods::Transition;

/// Numbers in all vectors of a run, at most, as far as [`FEWEST`] allows: 64 MiB.
const MOST_NUMBERS: usize = 1 << 23;

/// The same where every collected step is to be kept: 2 GiB.
const MOST_UNTHINNED: usize = 1 << 28;

/// Steps whose vectors are kept, at least where there are as many, and at most.
const FEWEST: usize = 16;
const MOST: usize = 4096;

/// The positions of chains in all dimensions after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorsAt {
    /// Number of the step.
    pub step: u64,
    /// A vector per chain; NaN for chains that have diverged.
    pub positions: Coords,
    /// What the method reports of the step.
    pub told: Told,
}

/// What a method reports of the draws of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The factor of their weight, 1 unless a method gives them one.
    pub weight: f64,
    /// The transitions that led to them, one per chain; empty if the method tells of none, or the step was not kept.
    pub transitions: Vec<Transition>,
}

impl Default for Told {
    fn default() -> Self {
        Self { weight: 1.0, transitions: Vec::new() }
    }
}

impl VectorsAt {
    /// Steps whose vectors are kept of a run, at most.
    #[must_use]
    pub fn most(dimension: usize, chains: usize) -> usize {
        (MOST_NUMBERS / (dimension * chains).max(1)).clamp(FEWEST, MOST)
    }

    /// The same where every collected step is to be kept, as far as there is memory.
    #[must_use]
    pub fn most_unthinned(dimension: usize, chains: usize) -> usize {
        (MOST_UNTHINNED / (dimension * chains).max(1)).max(Self::most(dimension, chains))
    }

    /// The vectors of blocks of chains, in order.
    fn of<'a>(step: u64, dimension: usize, (blocks, told): (impl Iterator<Item = &'a Coords> + Clone, Told)) -> Self {
        let mut positions = Coords::zeros(dimension, blocks.clone().map(Coords::len).sum());
        let all = blocks.flat_map(|block| (0..block.len()).map(move |index| (block, index)));
        for (to, (block, from)) in all.enumerate() {
            positions.copy_vector(to, block, from);
        }
        Self { step, positions, told }
    }
}

/// The vectors that are kept of a run up to a step. Cloning shares them.
#[derive(Clone, Debug)]
pub struct KeptVectors {
    /// Vectors kept evenly among the collected steps of the present target.
    pub even: Kept<Arc<VectorsAt>>,
    /// Vectors of the newest sampled step.
    pub newest: Option<Arc<VectorsAt>>,
}

impl KeptVectors {
    /// None yet, of so many chains in this many dimensions.
    pub fn new(dimension: usize, chains: usize) -> Self {
        Self { even: Kept::new(VectorsAt::most(dimension, chains), |at| at.step), newest: None }
    }

    /// Goes on to a step before which so many have been collected since the last call, it included, and at most
    /// [`Kept::next_after`]. Its vectors are kept if it is their turn, and are the newest if they are `sampled`; `told` is asked for what the
    /// method reports of them.
    pub fn go_on<'a>(
        &mut self,
        (step, collected, sampled): (u64, u64, bool),
        dimension: usize,
        (blocks, told): (impl Iterator<Item = &'a Coords> + Clone, impl FnOnce() -> Told),
    ) {
        let due = self.even.count(collected);
        if !due && !sampled {
            return;
        }
        let at = Arc::new(VectorsAt::of(step, dimension, (blocks, told())));
        if due {
            self.even.push(at.clone());
        }
        if sampled {
            self.newest = Some(at);
        }
    }
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
        let at = VectorsAt::of(9, 3, (blocks.iter(), Told::default()));
        assert_eq!((at.step, at.positions.len(), at.positions.dimension()), (9, 80, 3));
        let expected: Vec<f64> = (0..80).map(f64::from).collect();
        assert!(at.positions.axes().all(|axis| axis == expected));
    }

    /// The newest is that of the last sampled step, whether it is collected or not.
    #[test]
    fn sampled_vectors_are_the_newest() {
        let vectors = block(0, 1);
        let mut kept = KeptVectors::new(3, 1);
        for (step, collected, sampled) in [(1, 1, false), (5, 1, true), (7, 0, true), (9, 1, false)] {
            kept.go_on((step, collected, sampled), 3, (std::iter::once(&vectors), Told::default));
        }
        let steps: Vec<u64> = kept.even.all().iter().map(|at| at.step).collect();
        assert_eq!((steps, kept.newest.unwrap().step), (vec![1, 5, 9], 7));
    }

    #[test]
    fn memory_is_bounded() {
        assert_eq!((KeptVectors::new(31, 8).even.most(), KeptVectors::new(31, 512).even.most()), (MOST, 528));
        assert_eq!(KeptVectors::new(100_000, 4096).even.most(), FEWEST);
        assert_eq!(VectorsAt::most_unthinned(31, 8), (1 << 28) / (31 * 8));
        assert_eq!(VectorsAt::most_unthinned(100_000, 4096), FEWEST);
    }
}
