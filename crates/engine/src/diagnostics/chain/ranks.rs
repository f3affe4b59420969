//! Ranks among the draws of all chains, and their normal scores.
//!
//! The draw of rank r among n becomes z = Φ⁻¹((r − 3/8)/(n + 1/4)), ties share the mean of their ranks (Blom 1958;
//! Vehtari et al. 2021, eq. 14). Whatever the draws are, scores have mean and variance, so that R̂ and ESS of them
//! exist.

use base::math::normal_quantile;

use super::halves::{Halves, checked};

/// Draws in ascending order, each with its index among those given.
#[derive(Clone, Debug)]
pub(super) struct SortedDraws(Vec<(f64, u32)>);

impl SortedDraws {
    /// Sorts finite draws, fewer than 2³².
    pub fn new(draws: &[f64]) -> Self {
        let mut order: Vec<_> = draws.iter().copied().zip(0..).collect();
        order.sort_unstable_by(|(one, _), (other, _)| one.total_cmp(other));
        Self(order)
    }

    /// The order of the distances from the median: the two ends of the draws, folded upon each other.
    pub fn folded(&self) -> Self {
        let Self(order) = self;
        let middle = order.len() / 2;
        let Some(&(above, _)) = order.get(middle) else { return Self(Vec::new()) };
        let median = if order.len().is_multiple_of(2) { (order[middle - 1].0 + above) / 2.0 } else { above };
        let distance = |&(draw, index): &(f64, u32)| ((draw - median).abs(), index);
        // Distances rise towards either end, so that they need no sorting, only merging.
        let (low, high) = order.split_at(order.partition_point(|(draw, _)| *draw < median));
        let mut low = low.iter().rev().map(distance).peekable();
        let mut high = high.iter().map(distance).peekable();
        let next = || match (low.peek(), high.peek()) {
            (Some(one), Some(other)) if one.0 <= other.0 => low.next(),
            (Some(_), None) => low.next(),
            _ => high.next(),
        };
        Self(std::iter::from_fn(next).collect())
    }

    /// Calls `found` with each group of equal draws: the mean of their ranks, from 1, and their indices.
    fn ranks(&self, mut found: impl FnMut(f64, &[(f64, u32)])) {
        let mut before = 0;
        // In ascending order a draw that is not smaller is equal.
        for equal in self.0.chunk_by(|(one, _), (next, _)| one >= next) {
            let (first, last) = (before + 1, before + equal.len());
            found((first + last) as f64 / 2.0, equal);
            before = last;
        }
    }

    /// The normal score of each draw, in the order in which the draws were given.
    pub fn scores(&self, table: &Scores) -> Vec<f64> {
        let mut scores = vec![0.0; self.0.len()];
        self.ranks(|rank, equal| {
            let score = table.of(rank);
            equal.iter().for_each(|(_, index)| scores[*index as usize] = score);
        });
        scores
    }
}

/// Normal scores of whole ranks among a number of draws.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    draws: usize,
    /// Those of the lower half: the upper ones mirror them.
    lower: Vec<f64>,
}

impl Scores {
    /// Among so many draws.
    pub fn among(draws: usize) -> Self {
        Self { draws, lower: (1..=draws.div_ceil(2)).map(|rank| score(rank as f64, draws)).collect() }
    }

    #[expect(clippy::cast_sign_loss, reason = "a rank is from 1 to the number of draws")]
    fn of(&self, rank: f64) -> f64 {
        let whole = rank as usize;
        if rank > whole as f64 {
            return score(rank, self.draws);
        }
        if whole <= self.lower.len() { self.lower[whole - 1] } else { -self.lower[self.draws - whole] }
    }
}

fn score(rank: f64, draws: usize) -> f64 {
    let share = (rank - 0.375) / (draws as f64 + 0.25);
    normal_quantile(share)
}

impl Halves {
    /// The normal scores of these draws, and of their distances from the median.
    pub fn scores_and_folded(&self) -> (Self, Self) {
        let (order, table) = (SortedDraws::new(&self.draws), Scores::among(self.draws.len()));
        let like = |draws| Self { draws, length: self.length };
        (like(order.scores(&table)), like(order.folded().scores(&table)))
    }

    /// The normal scores of these draws.
    pub fn scores(&self) -> Self {
        let draws = SortedDraws::new(&self.draws).scores(&Scores::among(self.draws.len()));
        Self { draws, length: self.length }
    }
}

/// For each chain, how many of its draws have a rank among all draws in each of `bins` equal parts of the ranks.
///
/// Chains that mix have flat histograms; one that stays low has most of its draws in the first bins (Vehtari et al. 2021,
/// §4.3). Ties share the mean of their ranks.
///
/// # Errors
///
/// With fewer than four draws per chain or draws that are not finite.
pub fn rank_histogram(chains: &[&[f64]], bins: usize) -> Result<Vec<Vec<f64>>, &'static str> {
    let length = checked(chains)?;
    let draws: Vec<f64> = chains.iter().flat_map(|chain| &chain[..length]).copied().collect();
    let bins = bins.max(1);
    let mut counts = vec![vec![0.0; bins]; chains.len()];
    SortedDraws::new(&draws).ranks(|rank, equal| {
        let bin = bin_of(rank, draws.len(), bins);
        equal.iter().for_each(|(_, index)| counts[*index as usize / length][bin] += 1.0);
    });
    Ok(counts)
}

#[expect(clippy::cast_sign_loss, reason = "between 0 and the number of bins")]
fn bin_of(rank: f64, draws: usize, bins: usize) -> usize {
    (((rank - 0.5) * bins as f64 / draws as f64) as usize).min(bins - 1)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scores_are_those_of_the_normal_distribution() {
        // Φ⁻¹((r − 3/8)/(n + 1/4)) as SciPy 1.17 gives it.
        for (draws, rank, score) in [
            (10, 1.0, -1.546_635_271_399_23),
            (10, 2.0, -1.000_490_545_619_315_2),
            (10, 5.5, 0.0),
            (10, 10.0, 1.546_635_271_399_23),
            (7, 3.0, -0.352_933_986_126_916_45),
            (1000, 499.0, -0.003_759_011_513_839_555_6),
            (200_000, 1.0, -4.517_750_991_694_534),
            (1_000_000, 1.0, -4.847_542_961_156_084),
        ] {
            let found = Scores::among(draws).of(rank);
            assert_relative_eq!(found, score, epsilon = 1e-15, max_relative = 1e-14);
        }
    }

    #[test]
    fn ties_share_the_mean_of_their_ranks() {
        let draws = [3.0, 1.0, 3.0, -0.0, 0.0, 3.0];
        let scores = SortedDraws::new(&draws).scores(&Scores::among(6));
        assert_eq!((scores[0], scores[2], scores[3]), (scores[5], scores[5], scores[4]));
        assert_eq!((scores[0], scores[1], scores[3]), (score(5.0, 6), score(3.0, 6), score(1.5, 6)));
    }

    proptest! {
        #[test]
        fn folding_is_sorting_the_distances_from_the_median(draws in prop::collection::vec(-9..9_i32, 1..40)) {
            let draws: Vec<f64> = draws.into_iter().map(|draw| f64::from(draw) / 3.0).collect();
            let mut sorted = draws.clone();
            sorted.sort_by(f64::total_cmp);
            let median = (sorted[(draws.len() - 1) / 2] + sorted[draws.len() / 2]) / 2.0;
            let distances: Vec<_> = draws.iter().map(|draw| (draw - median).abs()).collect();
            let table = Scores::among(draws.len());
            prop_assert_eq!(SortedDraws::new(&draws).folded().scores(&table), SortedDraws::new(&distances).scores(&table));
        }
    }

    #[test]
    fn a_chain_that_stays_low_fills_the_first_bins() {
        let chains: [&[f64]; 2] = [&[0.1, 0.4, 0.3, 0.2], &[0.5, 0.8, 0.6, 0.7]];
        assert_eq!(rank_histogram(&chains, 4).unwrap(), [[2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2.0]]);
        let mixed: [&[f64]; 2] = [&[0.1, 0.5, 0.3, 0.7], &[0.2, 0.6, 0.4, 0.8]];
        assert_eq!(rank_histogram(&mixed, 4).unwrap(), [[1.0; 4], [1.0; 4]]);
        let all_equal: [&[f64]; 1] = [&[1.0; 5]];
        assert_eq!(rank_histogram(&all_equal, 2).unwrap(), [[0.0, 5.0]]);
        assert_eq!(rank_histogram(&[&[1.0, 2.0]], 2), Err("needs at least 4 draws per chain"));
    }
}
