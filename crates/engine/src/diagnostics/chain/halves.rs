//! Split chains: the halves of every chain, which R̂ and the effective sample sizes compare.
//!
//! A chain that drifts looks well mixed against itself but not its first half against its second (Gelman et al., Bayesian
//! Data Analysis, 3rd ed. 2013, §11.4). Of an odd number of draws the middle one is left out.

use super::super::Outcome;

/// Draws per chain below which nothing is computed: a half needs two to have a variance.
const FEWEST_DRAWS: usize = 4;

/// Reason before a chain has two draws in each half.
pub(super) const TOO_FEW_DRAWS: &str = "needs at least 4 draws per chain";

/// Reason if there is only one chain to compare.
pub(super) const ONE_CHAIN: &str = "needs at least two chains";

/// Reason if the draws have no spread.
pub(super) const ALL_EQUAL: &str = "the draws are all equal";

/// Reason if a draw is not finite.
pub(super) const DIVERGED: &str = "a chain has left";

/// Largest spread, as a share of the largest value, that rounding alone can cause: squares of two deviations that are
/// equal up to the rounding of their mean differ by no more.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The number of draws per chain, if something can be made of them.
///
/// # Errors
///
/// With fewer than four draws per chain or draws that are not finite.
pub(super) fn checked(chains: &[&[f64]]) -> Result<usize, &'static str> {
    let length = chains.iter().map(|chain| chain.len()).min().unwrap_or(0);
    debug_assert!(chains.iter().all(|chain| chain.len() == length), "chains of equal lengths");
    if length < FEWEST_DRAWS {
        return Err(TOO_FEW_DRAWS);
    }
    if chains.iter().any(|chain| chain.iter().any(|draw| !draw.is_finite())) {
        return Err(DIVERGED);
    }
    Ok(length)
}

/// Numbers of several chains, of equally many draws each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Halves {
    /// One chain after the other.
    pub draws: Vec<f64>,
    /// Draws of each.
    pub length: usize,
}

impl Halves {
    /// The first and the second half of each chain.
    ///
    /// # Errors
    ///
    /// See [`checked`].
    pub fn of(chains: &[&[f64]]) -> Result<Self, &'static str> {
        Self::mapped(chains, |draw| draw)
    }

    /// The halves of what `map` makes of each draw.
    ///
    /// # Errors
    ///
    /// See [`checked`].
    pub fn mapped(chains: &[&[f64]], map: impl Fn(f64) -> f64) -> Result<Self, &'static str> {
        let length = checked(chains)?;
        let half = length / 2;
        let mut draws = Vec::with_capacity(2 * half * chains.len());
        for chain in chains {
            draws.extend(chain[..half].iter().chain(&chain[length - half..length]).map(|&draw| map(draw)));
        }
        Ok(Self { draws, length: half })
    }

    /// One slice per half.
    pub fn each(&self) -> std::slice::ChunksExact<'_, f64> {
        self.draws.chunks_exact(self.length)
    }

    /// Whether there is no spread at all.
    pub fn all_equal(&self) -> bool {
        spread_is_rounding(&self.draws)
    }
}

fn spread_is_rounding(draws: &[f64]) -> bool {
    let ends = |(low, high): (f64, f64), &draw: &f64| (low.min(draw), high.max(draw));
    let (low, high) = draws.iter().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    high - low <= ROUNDING * high.abs().max(low.abs())
}

/// Whether all `values` are the same number.
pub(super) fn all_same(values: &[f64]) -> bool {
    values.iter().all(|value| (value - values[0]).abs() <= 0.0)
}

/// The mean of `values`, which are some.
pub(super) fn mean(values: &[f64]) -> f64 {
    // In blocks, so that rounding does not grow with the number of values.
    let sum: f64 = values.chunks(BLOCK).map(|block| block.iter().sum::<f64>()).sum();
    sum / values.len() as f64
}

/// Values summed up before their sum is added to the others.
const BLOCK: usize = 256;

/// The unbiased variance of `values`, which are at least two.
pub(super) fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = |block: &[f64]| block.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    values.chunks(BLOCK).map(squares).sum::<f64>() / (values.len() - 1) as f64
}

/// R̂ of chains that are not split any further: √(((n − 1) + B/W) / n) with B n times the variance of the means of the
/// chains and W the mean of their variances.
pub(super) fn potential_scale_reduction(halves: &Halves) -> Outcome {
    if halves.all_equal() {
        return Err(ALL_EQUAL);
    }
    if halves.each().all(spread_is_rounding) {
        return Err("no spread within any chain");
    }
    let length = halves.length as f64;
    let means: Vec<_> = halves.each().map(mean).collect();
    let variances: Vec<_> = halves.each().map(variance).collect();
    Ok(((length * variance(&means) / mean(&variances) + length - 1.0) / length).sqrt())
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn of_an_odd_number_of_draws_the_middle_one_is_left_out() {
        let halves = Halves::of(&[&[1.0, 2.0, 3.0, 4.0, 5.0], &[6.0, 7.0, 8.0, 9.0, 10.0]]).unwrap();
        let each: Vec<_> = halves.each().collect();
        assert_eq!(each, [[1.0, 2.0], [4.0, 5.0], [6.0, 7.0], [9.0, 10.0]]);
    }

    #[test]
    fn what_cannot_be_halved_is_refused_in_words() {
        assert_eq!(Halves::of(&[]), Err(TOO_FEW_DRAWS));
        assert_eq!(Halves::of(&[&[1.0, 2.0, 3.0]]), Err(TOO_FEW_DRAWS));
        assert_eq!(Halves::of(&[&[1.0, 2.0, 3.0, f64::NAN]]), Err(DIVERGED));
        assert_eq!(Halves::of(&[&[1.0, 2.0, 3.0, f64::INFINITY]]), Err(DIVERGED));
    }

    #[test]
    fn rounding_is_no_spread() {
        let third = 1.0 / 3.0;
        let squares: Vec<_> = (0..100).map(|i| (f64::from(i % 2) - 0.5 + 1e-17 * third).powi(2)).collect();
        assert!(spread_is_rounding(&squares));
        assert!(!spread_is_rounding(&[1e-300, 2e-300]) && !spread_is_rounding(&[1.0, 1.0 + 1e-12]));
    }

    #[test]
    fn between_and_within_in_small_numbers() {
        // Means 1 and 3, so B = 2·2; variances 2 and 2: R̂² = (4/2 + 1)/2.
        let halves = Halves { draws: vec![0.0, 2.0, 2.0, 4.0], length: 2 };
        assert_relative_eq!(potential_scale_reduction(&halves).unwrap(), 1.5_f64.sqrt());
        let stuck = Halves { draws: vec![0.1, 0.1, 0.2, 0.2], length: 2 };
        assert_eq!(potential_scale_reduction(&stuck), Err("no spread within any chain"));
    }
}
