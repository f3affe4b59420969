//! Vectors of the chains of a model in more dimensions than are drawn, kept now and then over a run: predictions are made
//! from them.
//!
//! They are kept at the steps whose parts are recorded too ([`super::step_parts`]) and at the last step of a run, of the first
//! chains.

use crate::math::Coords;

/// Chains whose vectors are kept, at most.
pub const MOST_CHAINS: usize = 64;

/// Where chains are in all dimensions after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorsAt {
    /// Number of the step.
    pub step: u64,
    /// A vector per chain, of the first [`MOST_CHAINS`]; NaN for chains that have diverged.
    pub places: Coords,
}

impl VectorsAt {
    /// The first vectors of blocks of chains, in order.
    pub fn of<'a>(step: u64, dimension: usize, blocks: impl Iterator<Item = &'a Coords> + Clone) -> Self {
        let chains = blocks.clone().map(Coords::len).sum::<usize>().min(MOST_CHAINS);
        let mut places = Coords::zeros(dimension, chains);
        let all = blocks.flat_map(|block| (0..block.len()).map(move |index| (block, index)));
        for (to, (block, from)) in (0..chains).zip(all) {
            places.copy_vector(to, block, from);
        }
        Self { step, places }
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

    #[test]
    fn the_first_chains_of_all_blocks_are_kept() {
        let block = |first: usize, chains: usize| {
            let mut block = Coords::zeros(3, chains);
            (0..chains).for_each(|chain| block.fill(chain, (first + chain) as f64));
            block
        };
        let blocks = [block(0, 40), block(40, 40)];
        let at = VectorsAt::of(9, 3, blocks.iter());
        assert_eq!((at.step, at.places.len(), at.places.dimension()), (9, MOST_CHAINS, 3));
        let expected: Vec<f64> = (0..MOST_CHAINS).map(|chain| chain as f64).collect();
        assert!(at.places.axes().all(|axis| axis == expected));
        assert_eq!(VectorsAt::of(0, 3, blocks[..1].iter()).places.len(), 40);
    }

    #[test]
    fn a_stride_keeps_more_than_half_of_what_is_allowed() {
        for (count, most, expected) in [(0, 5, 1), (5, 5, 1), (6, 5, 2), (11, 5, 4), (7, 0, 8)] {
            assert_eq!(stride(count, most), expected);
        }
    }
}
