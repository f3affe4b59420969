//! Tiles of numbers side by side, and a draw of a topic by its weights.

/// Numbers side by side: the widest vector register.
pub(super) const LANES: usize = 8;

/// As many numbers side by side.
pub(super) type Tile = [f64; LANES];

/// The index that a uniform number in (0, 1) chooses with probabilities in proportion to `weights`: the number of running
/// sums up to `uniform` times the total. Weights beyond the last index are 0. Each tile has a running sum of its own, and
/// `sums` is memory for them.
#[inline(always)]
pub(super) fn pick(weights: &[Tile], sums: &mut [Tile], uniform: f64) -> usize {
    let mut total = 0.0;
    for (sums, weights) in sums.iter_mut().zip(weights) {
        let mut sum = 0.0;
        for (out, weight) in sums.iter_mut().zip(weights) {
            sum += weight;
            *out = total + sum;
        }
        total += sum;
    }
    let target = uniform * total;
    let mut index = 0;
    for sum in sums.as_flattened() {
        index += usize::from(*sum <= target);
    }
    index
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
