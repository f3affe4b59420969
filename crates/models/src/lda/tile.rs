//! Tiles of numbers side by side, and a draw of a topic by its weights.

/// Numbers side by side: the widest vector register.
pub(super) const LANES: usize = 8;

/// As many numbers side by side.
pub(super) type Tile = [f64; LANES];

/// The index that a uniform number in (0, 1) chooses with probabilities in proportion to `weights`: the number of running
/// sums up to `uniform` times the total. Weights beyond the last index are 0. `sums` is memory for the running sums.
#[inline(always)]
pub(super) fn pick(weights: &[Tile], sums: &mut [Tile], uniform: f64) -> usize {
    let mut total = 0.0;
    for (sums, weights) in sums.iter_mut().zip(weights) {
        *sums = running(weights).map(|sum| total + sum);
        total = sums[LANES - 1];
    }
    let target = uniform * total;
    let mut index = [0_u64; LANES];
    for sums in sums.iter() {
        for (index, sum) in index.iter_mut().zip(sums) {
            *index += u64::from(*sum <= target);
        }
    }
    index.iter().sum::<u64>() as usize
}

/// Running sums of a tile, by sums of 2, 4 and 8 numbers: three additions one after the other (Hillis and Steele 1986).
#[inline(always)]
fn running(weights: &Tile) -> Tile {
    let by_two = shifted_sum::<1>(weights);
    let by_four = shifted_sum::<2>(&by_two);
    shifted_sum::<4>(&by_four)
}

/// Every number and the one `N` entries before it.
#[inline(always)]
fn shifted_sum<const N: usize>(tile: &Tile) -> Tile {
    let mut sum = *tile;
    for lane in N..LANES {
        sum[lane] += tile[lane - N];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_has_the_interval_of_its_weight() {
        let mut weights = [[0.0; LANES]; 2];
        weights.as_flattened_mut()[..10].copy_from_slice(&[1.0, 2.0, 0.0, 1.0, 1.0, 0.5, 0.5, 1.0, 2.0, 1.0]);
        for (uniform, expected) in
            [(1e-16, 0), (0.099, 0), (0.1, 1), (0.299, 1), (0.3, 3), (0.45, 4), (0.69, 7), (0.71, 8), (0.99, 9)]
        {
            assert_eq!(pick(&weights, &mut [[0.0; LANES]; 2], uniform), expected, "{uniform}");
        }
    }
}
