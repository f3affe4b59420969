//! Effective sample size: number of independent draws that would estimate a mean equally well.
//!
//! ESS = m n / τ for m chains of n draws, τ = −1 + 2 Σ ρ(t), with the autocorrelations of all chains together, ρ(t) = 1
//! − (W − γ(t))/V, where γ(t) is the mean autocovariance, W the mean variance and V the variance of all draws, that
//! between the chains included. The sum ends with the last pair ρ(2k) + ρ(2k+1) before the first negative one and does
//! not rise from pair to pair (Geyer 1992, initial monotone sequence). Source: Vehtari, Gelman, Simpson, Carpenter,
//! Bürkner 2021, arXiv:1903.08008, §3.2 and appendix A, on halves of chains, in the details of ArviZ 0.23 and Stan: a
//! last even ρ is added if it is positive, and τ is at least 1/log₁₀(m n), which bounds the ESS of antithetic chains.
//!
//! Where we deviate: draws that are all equal have no ESS here and as many as there are draws there; equal draws on
//! both sides of a quantile are that quantile, free of the rounding of an interpolation.

use super::super::{Outcome, TOO_FAR_OUT};
use super::autocovariance::autocovariance;
use super::halves::{ALL_EQUAL, Halves, checked, mean, variance};

/// ESS of the mean of what is in `halves`.
pub(super) fn effective(halves: &Halves) -> Outcome {
    if halves.all_equal() {
        return Err(ALL_EQUAL);
    }
    let length = halves.length as f64;
    let covariance = autocovariance(halves.each());
    let means: Vec<_> = halves.each().map(mean).collect();
    let within = covariance[0] * length / (length - 1.0);
    let total = covariance[0] + if means.len() > 1 { variance(&means) } else { 0.0 };
    if !(total.is_finite() && covariance[0].is_finite()) {
        return Err(TOO_FAR_OUT);
    }
    let draws = halves.draws.len() as f64;
    let rho = |lag: usize| 1.0 - (within - covariance[lag]) / total;
    let least = 1.0 / libm::log10(draws);
    Ok(draws / correlation_time(rho, halves.length).max(least))
}

/// −1 + 2 Σ ρ(t) over the initial monotone sequence of a chain of `length` draws.
fn correlation_time(rho: impl Fn(usize) -> f64, length: usize) -> f64 {
    let mut sequence = vec![1.0, rho(1)];
    let (mut even, mut odd) = (1.0, rho(1));
    let mut lag = 2;
    while lag + 2 < length && even + odd > 0.0 {
        (even, odd) = (rho(lag), rho(lag + 1));
        // The pair that turns negative counts as nothing, but for its first half below.
        sequence.extend(if even + odd >= 0.0 { [even, odd] } else { [0.0, 0.0] });
        lag += 2;
    }
    // The last pair is only good for its even lag.
    let last = lag - 2;
    if even > 0.0 {
        sequence[last] = even;
    }
    for pair in (2..last).step_by(2) {
        let before = sequence[pair - 2] + sequence[pair - 1];
        if sequence[pair] + sequence[pair + 1] > before {
            (sequence[pair], sequence[pair + 1]) = (before / 2.0, before / 2.0);
        }
    }
    -1.0 + 2.0 * sequence[..last].iter().sum::<f64>() + sequence[last]
}

/// ESS for the mean of the draws.
///
/// # Errors
///
/// With fewer than four draws per chain, draws that are not finite, or draws that are all equal.
pub fn ess_mean(chains: &[&[f64]]) -> Outcome {
    effective(&Halves::of(chains)?)
}

/// ESS for the standard deviation of the draws: that of their squared distances from the mean.
///
/// # Errors
///
/// Like [`ess_mean`].
pub fn ess_sd(chains: &[&[f64]]) -> Outcome {
    let length = checked(chains)?;
    let sum: f64 = chains.iter().map(|chain| mean(&chain[..length])).sum();
    let mean = sum / chains.len() as f64;
    effective(&Halves::mapped(chains, |draw| (draw - mean) * (draw - mean))?)
}

/// ESS for the `share` quantile of the draws, the median for ½: that of the indicator of draws up to it.
///
/// # Errors
///
/// Like [`ess_mean`], also if all draws are on one side.
pub fn ess_quantile(chains: &[&[f64]], share: f64) -> Outcome {
    let length = checked(chains)?;
    let mut draws: Vec<f64> = chains.iter().flat_map(|chain| &chain[..length]).copied().collect();
    of_quantile(chains, quantile(&mut draws, share))
}

/// ESS of the indicator of draws up to `quantile`.
pub(super) fn of_quantile(chains: &[&[f64]], quantile: f64) -> Outcome {
    effective(&Halves::mapped(chains, |draw| f64::from(draw <= quantile))?)
}

/// The `share` quantile of at least two finite draws, by linear interpolation between ranks (type 7 of Hyndman and Fan
/// 1996); reorders them.
#[expect(clippy::cast_sign_loss, reason = "a rank is from 1 to the number of draws")]
pub(super) fn quantile(draws: &mut [f64], share: f64) -> f64 {
    let count = draws.len() as f64;
    let position = count * share + (1.0 - share);
    let rank = position.clamp(1.0, count - 1.0).floor();
    let weight = (position - rank).clamp(0.0, 1.0);
    let (_, &mut low, above) = draws.select_nth_unstable_by(rank as usize - 1, f64::total_cmp);
    let high = above.iter().copied().fold(f64::INFINITY, f64::min);
    if high > low { (1.0 - weight) * low + weight * high } else { low }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// τ of a sequence that is 0 from its end on.
    fn time(rho: &[f64], length: usize) -> f64 {
        correlation_time(|lag| rho.get(lag).copied().unwrap_or(0.0), length)
    }

    #[test]
    fn the_time_of_a_geometric_sequence() {
        let rho: Vec<_> = (0..400).map(|lag| 0.9_f64.powi(lag)).collect();
        assert_relative_eq!(time(&rho, 1000), 19.0, max_relative = 1e-12);
    }

    #[test]
    fn the_sum_ends_at_the_first_negative_pair_and_keeps_its_even_part() {
        // Pairs 1.5, 0.3, −0.1: −1 + 2(1.5 + 0.3) + 0.1, and nothing of what comes later.
        assert_relative_eq!(time(&[1.0, 0.5, 0.2, 0.1, 0.1, -0.2, 0.9, 0.9], 100), 2.7, max_relative = 1e-14);
        assert_relative_eq!(time(&[1.0, 0.5, 0.2, 0.1, -0.1, -0.2, 0.9, 0.9], 100), 2.6, max_relative = 1e-14);
    }

    #[test]
    fn pairs_do_not_rise() {
        // 0.1 + 0.1, then 0.3 + 0.3, lowered to 0.1 each.
        assert_relative_eq!(time(&[1.0, 0.2, 0.1, 0.1, 0.3, 0.3, -0.1, -0.1], 100), 2.2, max_relative = 1e-14);
    }

    #[test]
    fn quantiles_lie_between_ranks() {
        let draws = || [4.0, 1.0, 3.0, 2.0];
        for (share, value) in [(0.0, 1.0), (0.05, 1.15), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)] {
            assert_relative_eq!(quantile(&mut draws(), share), value, max_relative = 1e-14);
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "a quantile between equal draws is that draw")]
    fn a_quantile_between_equal_draws_is_that_draw() {
        for hundredths in 0..=100 {
            assert_eq!(quantile(&mut [0.1; 7], f64::from(hundredths) / 100.0), 0.1);
        }
    }

    #[test]
    fn independent_draws_are_worth_their_number_and_antithetic_ones_more() {
        let alternating: Vec<_> = (0..1000).map(|i| f64::from(i % 2)).collect();
        assert_relative_eq!(ess_mean(&[&alternating]).unwrap(), 3000.0, max_relative = 1e-12);
    }
}
