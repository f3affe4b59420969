//! `covariance_error`: Frobenius distance between the covariance of the draws and that of the target.
//!
//! ‖Σ̂ − Σ‖ = √(Σᵢⱼ (Σ̂ᵢⱼ − Σᵢⱼ)²), in the squared units of θ; Σ̂ is the weighted covariance about the
//! weighted mean, divided by the total weight. On a one-dimensional target it is the absolute error of the variance.

use super::super::{Better, HEAVY_TAILS, MeasureSpec, NO_DRAWS, Outcome, TOO_FAR_OUT};
use super::input::TruthInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "covariance_error",
    label: "Covariance error",
    help: "‖S − Σ‖, the Frobenius norm of the difference between the weighted covariance S of the draws and the exact covariance Σ, \
           in squared units of θ.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    let Some(fitted) = statistics.gaussian() else { return Err(NO_DRAWS) };
    if statistics.draws().is_some_and(|draws| draws < 2) {
        return Err("needs two draws");
    }
    if truth.covariance().iter().any(|entry| entry.is_nan()) {
        return Err(HEAVY_TAILS);
    }
    let error = (fitted.covariance - truth.covariance()).norm();
    if error.is_finite() { Ok(error) } else { Err(TOO_FAR_OUT) }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, measured, poor_draws, value_of, weighted_counts_of};
    use base::math::Point;

    #[test]
    fn it_is_the_frobenius_norm_of_the_difference() {
        let truth = Truth::new(&Mixture::single());
        let draws = poor_draws(8, 500);
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let mean = draws.iter().map(|(at, weight)| at * *weight).sum::<Point>() / total;
        let entry = |i: usize, j: usize, exact: f64| {
            let sum: f64 = draws.iter().map(|(at, weight)| weight * (at[i] - mean[i]) * (at[j] - mean[j])).sum();
            (sum / total - exact).powi(2)
        };
        let expected = (entry(0, 0, 1.0) + 2.0 * entry(0, 1, 0.6) + entry(1, 1, 2.0)).sqrt();
        let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "covariance_error");
        assert_relative_eq!(value, expected, epsilon = 1e-9);
    }

    #[test]
    fn on_a_line_it_is_the_error_of_the_variance() {
        let truth = Truth::new(&Mixture::line());
        let counts = counts_of(&truth, &[Point::new(-1.0, 0.0), Point::new(3.0, 0.0)]);
        // Var = ¼(0.04 + 9) + ¾(0.09 + 1) = 3.0775 against 4.
        assert_relative_eq!(value_of(&truth, &counts, "covariance_error"), 0.9225, epsilon = 1e-12);
    }

    #[test]
    fn one_draw_has_no_covariance() {
        let truth = Truth::new(&Mixture::grid());
        let measure = measured(&truth, &counts_of(&truth, &[Point::zeros()]), "covariance_error");
        assert_eq!((measure.value, measure.reason), (None, "needs two draws"));
    }
}
