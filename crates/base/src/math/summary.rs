//! Summaries of a few numbers.

/// The quantile of values in ascending order, linear between the ranks (type 7 of Hyndman and Fan 1996); `None` without values. A share
/// outside of [0, 1] is that of the nearer end.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "a rank among the values")]
pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    let rank = share.clamp(0.0, 1.0) * ascending.len().checked_sub(1)? as f64;
    let (below, above) = (ascending[rank.floor() as usize], ascending[rank.ceil() as usize]);
    Some(below + (above - below) * rank.fract())
}

/// Mean, and standard deviation with divisor N − 1; of one number the latter is NaN.
#[must_use]
pub fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (count - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_numbers() {
        let numbers = [1.0, 2.0, 4.0, 8.0, 16.0];
        for (probability, expected) in [(0.0, 1.0), (0.25, 2.0), (0.375, 3.0), (0.9, 12.8), (1.0, 16.0)] {
            assert!((quantile(&numbers, probability).unwrap() - expected).abs() < 1e-12);
        }
        assert!(quantile(&[], 0.5).is_none() && quantile(&[3.0], 0.7).unwrap().to_bits() == 3.0_f64.to_bits());
    }

    #[test]
    fn the_sd_divides_by_one_less() {
        let (mean, sd) = mean_and_sd(&[1.0, 3.0, 5.0]);
        assert!((mean - 3.0).abs() < 1e-15 && (sd - 2.0).abs() < 1e-15);
        assert!(mean_and_sd(&[7.0]).1.is_nan());
    }
}
