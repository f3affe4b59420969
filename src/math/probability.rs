//! Probabilities of intervals and cells under standard distributions, accurate far out in the tails.
//!
//! The normal distribution uses erfc of libm (msun), the gamma distribution the regularised incomplete gamma functions of
//! statrs. For measures, not for trajectories.

use statrs::function::gamma::{checked_gamma_lr, checked_gamma_ur};

/// The standard normal distribution function.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The probability of the interval between two quantiles of the standard normal distribution, `low` ≤ `high`: the
/// difference of tails on the side where they are small, which keeps its digits far out.
#[must_use]
pub fn normal_interval(low: f64, high: f64) -> f64 {
    if low > 0.0 { normal_cdf(-low) - normal_cdf(-high) } else { normal_cdf(high) - normal_cdf(low) }
}

/// The probability of the interval from `low` to `high` under Gamma(`shape`, 1), `shape` > 0 and finite; what lies
/// below 0 has none.
#[must_use]
pub fn gamma_interval(shape: f64, low: f64, high: f64) -> f64 {
    let below = |x: f64| match x {
        x if x <= 0.0 => 0.0,
        f64::INFINITY => 1.0,
        x => checked_gamma_lr(shape, x).unwrap_or(f64::NAN),
    };
    let above = |x: f64| match x {
        x if x <= 0.0 => 1.0,
        f64::INFINITY => 0.0,
        x => checked_gamma_ur(shape, x).unwrap_or(f64::NAN),
    };
    if low > shape { above(low) - above(high) } else { below(high) - below(low) }
}

/// The products of probabilities along x and y, by rows.
#[must_use]
pub fn crossed(x: &[f64], y: &[f64]) -> Vec<f64> {
    y.iter().flat_map(|row| x.iter().map(move |column| column * row)).collect()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// Against values of scipy 1.17 (`scipy.stats.norm` and `scipy.stats.gamma`).
    #[test]
    fn known_probabilities() {
        assert_relative_eq!(normal_interval(1.0, 2.0), 0.135_905_121_983_277_83, max_relative = 1e-13);
        assert_relative_eq!(normal_interval(10.0, 11.0), 7.619_661_958_203_02e-24, max_relative = 1e-12);
        assert_relative_eq!(gamma_interval(6.5, 3.0, 7.0), 0.572_308_982_584_767_6, max_relative = 1e-12);
        assert_relative_eq!(gamma_interval(6.5, 40.0, f64::INFINITY), 1.103_294_180_207_503e-11, max_relative = 1e-10);
        assert_relative_eq!(gamma_interval(0.4, -1.0, 0.01), 0.178_118_173_134_940_36, max_relative = 1e-12);
        assert_relative_eq!(gamma_interval(0.4, f64::NEG_INFINITY, f64::INFINITY), 1.0, max_relative = 1e-15);
    }
}
