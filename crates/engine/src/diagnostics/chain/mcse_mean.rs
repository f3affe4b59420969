//! `mcse_mean`: Monte Carlo standard error of the mean.
//!
//! sd/√ESS, with the ESS of the mean (Vehtari et al. 2021, arXiv:1903.08008, §4.2) and, for draws of weights w, the
//! weighted sd and ESS · (Σw)²/(n Σw²), Kish's factor: an approximation that takes weights and draws for independent.
//! Of a long series it is that of the means of batches of 2, 4, 8 … consecutive draws
//! ([`Series::batch_means`](crate::diagnostics::Series::batch_means)): their mean is the mean of all draws, so that its
//! error is estimated in the same way and from all of them.
//! Coordinates are put together as √Σ MCSE², so that it can be read against `mean_error`: larger errors are bias.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome, TOO_FAR_OUT};
use super::ess::{ess_mean, ess_sd};
use super::halves::{all_same, checked, mean, variance};
use super::input::ChainInput;
use super::weight_ess::share_of_weights;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mcse_mean",
    label: "MCSE of the mean",
    help: "Monte Carlo standard error of the mean, sd/√ESS, combined over coordinates as √ of the sum of squares; with weights the ESS \
           is multiplied by (Σw)²/(nΣw²). Compare it with the mean error: an error many times as large is bias, which a chain cannot show by \
           itself (Vehtari et al. 2021). Above a million draws it is computed from means of 2, 4 … consecutive draws, so that every draw counts. \
           It does not see modes that no chain has found.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    let (series, weights) = (input.series, input.series.batch_weights());
    if series.rows() == 0 {
        return Err(NO_DRAWS);
    }
    let squares = (0..input.truth.dimension())
        .map(|axis| mcse_mean_weighted(&series.batch_means(axis), weights).map(|error| error * error));
    finite(squares.sum::<Outcome>()?.sqrt())
}

/// A value of draws that are not too far out.
fn finite(value: f64) -> Outcome {
    if value.is_finite() { Ok(value) } else { Err(TOO_FAR_OUT) }
}

/// sd/√ESS of the mean.
///
/// # Errors
///
/// With fewer than four draws per chain, draws that are not finite, or draws that are all equal.
pub fn mcse_mean(chains: &[&[f64]]) -> Outcome {
    let ess = ess_mean(chains)?;
    finite((variance(&chains.concat()) / ess).sqrt())
}

/// The same with one weight for each row of draws. All equal they change nothing; rows without a positive one do not
/// count.
///
/// # Errors
///
/// Like [`mcse_mean`], also if no weight is positive.
pub fn mcse_mean_weighted(chains: &[&[f64]], weights: &[f64]) -> Outcome {
    let length = checked(chains)?;
    let weights = &weights[..length.min(weights.len())];
    if all_same(weights) {
        return mcse_mean(chains);
    }
    let share = share_of_weights(weights).ok_or("no draw has a weight")?;
    let (total, weighted_mean) = weighted(chains, weights, |draw| draw);
    let (_, spread) = weighted(chains, weights, |draw| (draw - weighted_mean) * (draw - weighted_mean));
    let draws = share * (chains.len() * length) as f64;
    if !(draws > 1.0 && total.is_finite()) {
        return Err("one draw has all the weight");
    }
    // Unbiased for weights that are not frequencies: Σw(x − m̂)²/(Σw − Σw²/Σw).
    let variance = spread * draws / (draws - 1.0);
    finite((variance / (ess_mean(chains)? * share)).sqrt())
}

/// Total weight, and the weighted mean of what `of` makes of each draw.
pub(super) fn weighted(chains: &[&[f64]], weights: &[f64], of: impl Fn(f64) -> f64) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for chain in chains {
        let counted = |(draw, weight): &(&f64, &f64)| draw.is_finite() && **weight > 0.0 && weight.is_finite();
        for (&draw, &weight) in chain.iter().zip(weights).filter(counted) {
            sums.0 += weight;
            sums.1 += weight * of(draw);
        }
    }
    (sums.0, sums.1 / sums.0)
}

/// Standard error of the standard deviation, by the delta method from that of the variance.
///
/// # Errors
///
/// Like [`mcse_mean`].
pub fn mcse_sd(chains: &[&[f64]]) -> Outcome {
    let ess = ess_sd(chains)?;
    let mut squares = chains.concat();
    let centre = mean(&squares);
    squares.iter_mut().for_each(|draw| *draw = (*draw - centre) * (*draw - centre));
    let second = mean(&squares);
    squares.iter_mut().for_each(|square| *square *= *square);
    Ok(((mean(&squares) - second * second) / ess / second / 4.0).sqrt())
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn equal_weights_change_nothing() {
        let chain: Vec<_> = (0..200).map(|i| f64::from(i * i % 17)).collect();
        let chains = [&chain[..100], &chain[100..]];
        let plain = mcse_mean(&chains).unwrap();
        assert_relative_eq!(mcse_mean_weighted(&chains, &[0.3; 100]).unwrap(), plain);
        // Nearly equal ones go the other way and hardly change it.
        let mut nearly = [0.3; 100];
        nearly[5] += 1e-9;
        assert_relative_eq!(mcse_mean_weighted(&chains, &nearly).unwrap(), plain, max_relative = 1e-7);
    }

    #[test]
    fn draws_of_half_the_rows_are_worth_half() {
        let chain: Vec<_> = (0..400).map(|i| f64::from(i * i % 17)).collect();
        let weights: Vec<_> = (0..400).map(|i| f64::from(i % 2)).collect();
        let even: Vec<_> = chain.iter().skip(1).step_by(2).copied().collect();
        let expected = (variance(&even) / (ess_mean(&[&chain]).unwrap() / 2.0)).sqrt();
        assert_relative_eq!(mcse_mean_weighted(&[&chain], &weights).unwrap(), expected, max_relative = 1e-12);
    }

    #[test]
    fn weights_that_leave_nothing_to_compare_are_named() {
        let mut weights = [0.0; 10];
        let chain = [1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 1.0, 5.0, 1.0, 6.0];
        weights[3] = 1.0;
        assert_eq!(mcse_mean_weighted(&[&chain], &weights), Err("one draw has all the weight"));
        weights[3] = f64::NAN;
        assert_eq!(mcse_mean_weighted(&[&chain], &weights), Err("no draw has a weight"));
    }
}
