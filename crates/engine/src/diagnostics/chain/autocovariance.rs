//! Autocovariance and autocorrelation of chains, by Fourier transforms.
//!
//! γ(t) = (1/n) Σ (x_i − x̄)(x_{i+t} − x̄), the biased estimator, averaged over chains, each about its own mean. The
//! transform of a chain padded with zeros to twice its length has γ as the transform of its squared modulus
//! (Wiener–Khinchin). Two chains go through one complex transform: of the sum of the squared moduli the real part of the
//! transform is the sum of both.

use nalgebra::Complex;

use super::halves::{all_same, mean};
use base::math::Fourier;

/// The mean autocovariance of `chains`, which have equal lengths, at the lags 0, 1 … one less than their length.
pub(super) fn autocovariance<'a>(chains: impl IntoIterator<Item = &'a [f64]>) -> Vec<f64> {
    let mut chains = chains.into_iter().peekable();
    let length = chains.peek().map_or(0, |chain| chain.len());
    if length == 0 {
        return Vec::new();
    }
    let transform = Fourier::of_at_least(2 * length);
    let padded = transform.points();
    let mut scratch = Vec::new();
    let mut values = vec![Complex::ZERO; padded];
    let mut power = vec![0.0; padded];
    let mut count = 0_u32;
    while let Some(first) = chains.next() {
        values.fill(Complex::ZERO);
        let centre = mean(first);
        values.iter_mut().zip(first).for_each(|(value, draw)| value.re = draw - centre);
        count += 1;
        if let Some(second) = chains.next() {
            let centre = mean(second);
            values.iter_mut().zip(second).for_each(|(value, draw)| value.im = draw - centre);
            count += 1;
        }
        transform.transform(&mut values, &mut scratch);
        power.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value.norm_sqr());
    }
    // The squared moduli are real, so that there and back differ only in the sign of the imaginary part.
    values.iter_mut().zip(&power).for_each(|(value, &power)| *value = Complex::new(power, 0.0));
    transform.transform(&mut values, &mut scratch);
    let scale = padded as f64 * length as f64 * f64::from(count);
    values[..length].iter().map(|value| value.re / scale).collect()
}

/// The autocorrelation of `chains` at the lags 0, 1 … `lags`, or as many as there are: γ(t)/γ(0), with the
/// autocovariance of all chains about their own means.
///
/// Empty where there is none: without draws, with draws that are not finite or too far out for arithmetic, or if no chain
/// moves.
#[must_use]
pub fn autocorrelation(chains: &[&[f64]], lags: usize) -> Vec<f64> {
    let is_number = |chain: &&[f64]| chain.iter().all(|draw| draw.is_finite());
    if !chains.iter().all(is_number) {
        return Vec::new();
    }
    if chains.iter().all(|chain| all_same(chain)) {
        return Vec::new();
    }
    let covariance = autocovariance(chains.iter().copied());
    if !covariance.iter().all(|value| value.is_finite()) {
        return Vec::new();
    }
    covariance.iter().take(lags + 1).map(|value| value / covariance[0]).collect()
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use proptest::prelude::*;

    use super::*;

    fn directly(chains: &[Vec<f64>], lag: usize) -> f64 {
        let one = |chain: &Vec<f64>| {
            let mean = chain.iter().sum::<f64>() / chain.len() as f64;
            let product = |pair: (&f64, &f64)| (pair.0 - mean) * (pair.1 - mean);
            chain.iter().zip(&chain[lag..]).map(product).sum::<f64>() / chain.len() as f64
        };
        chains.iter().map(one).sum::<f64>() / chains.len() as f64
    }

    proptest! {
        #[test]
        fn transforms_give_what_sums_of_products_give(
            chains in (1..6_usize, 1..50_usize).prop_flat_map(|(chains, length)| {
                prop::collection::vec(prop::collection::vec(-9.0..9.0_f64, length), chains)
            }),
        ) {
            let found = autocovariance(chains.iter().map(Vec::as_slice));
            prop_assert_eq!(found.len(), chains[0].len());
            for (lag, value) in found.into_iter().enumerate() {
                // MomentSums of 50 products below 400 in 53 bits.
                assert_abs_diff_eq!(value, directly(&chains, lag), epsilon = 1e-11);
            }
        }
    }

    #[test]
    fn an_alternating_chain_is_perfectly_anticorrelated_but_for_its_ends() {
        let chain: Vec<_> = (0..10).map(|i| f64::from(i % 2)).collect();
        let found = autocorrelation(&[&chain], 3);
        for (lag, value) in found.iter().enumerate() {
            let sign = if lag % 2 == 0 { 1.0 } else { -1.0 };
            assert_relative_eq!(*value, sign * (10 - lag) as f64 / 10.0, epsilon = 1e-14);
        }
        assert_eq!(found.len(), 4);
        assert_eq!(autocorrelation(&[&chain], 50).len(), 10);
    }

    #[test]
    fn where_there_is_no_autocorrelation_there_is_none() {
        assert!(autocorrelation(&[], 5).is_empty());
        assert!(autocorrelation(&[&[]], 5).is_empty());
        assert!(autocorrelation(&[&[0.1; 30], &[0.2; 30]], 5).is_empty());
        assert!(autocorrelation(&[&[0.1, f64::NAN]], 5).is_empty());
    }
}
