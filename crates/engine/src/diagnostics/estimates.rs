//! Errors of estimates, with their signs: the mean of x, y, x² or y² over the draws, minus its exact value.
//!
//! From several seeds they give the bias and the mean squared error of the estimate, as in the theorems about cyclical
//! SGLD (R. Zhang et al. 2020, arXiv:1902.03932, theorem 1), where φ is the test function: here φ(θ) = x, y, x² or y².
//! Units: those of x, or their square. On the line y has none.

use super::{Better, DrawCounts, Measure, MeasureSpec, NO_DRAWS, Outcome, Truth};

const fn spec(key: &'static str, label: &'static str, help: &'static str) -> MeasureSpec {
    MeasureSpec { key, label, help, better: Better::Neither, headline: false, of_truth: true }
}

/// The errors, in the order in which they are written.
pub static ESTIMATES: [MeasureSpec; 4] = [
    spec("error_x", "error of the mean of x", "Mean of x over the draws minus that of the target."),
    spec("error_y", "error of the mean of y", "Mean of y over the draws minus that of the target."),
    spec("error_xx", "error of the mean of x²", "Mean of x² over the draws minus that of the target."),
    spec("error_yy", "error of the mean of y²", "Mean of y² over the draws minus that of the target."),
];

/// Whether a measure is one of these errors, which have a sign.
#[must_use]
pub fn is_estimate(key: &str) -> bool {
    ESTIMATES.iter().any(|spec| spec.key == key)
}

/// The errors in `draw_counts`, in the order of [`ESTIMATES`]. The counts must have been made for this `truth`.
#[must_use]
pub fn estimate_errors(truth: &Truth, draw_counts: &DrawCounts) -> [Measure; 4] {
    std::array::from_fn(|index| {
        let outcome = error(truth, draw_counts, index % 2, index / 2 == 1);
        Measure::new(ESTIMATES[index].key, outcome)
    })
}

/// The error along an axis: of the mean, or of the mean square.
fn error(truth: &Truth, draw_counts: &DrawCounts, axis: usize, square: bool) -> Outcome {
    if let Some(doubt) = truth.doubt() {
        return Err(doubt);
    }
    if axis >= truth.dimension() {
        return Err("the target has one dimension");
    }
    let draws = draw_counts.gaussian().ok_or(NO_DRAWS)?;
    let value = |mean: f64, variance: f64| if square { variance + mean * mean } else { mean };
    let exact = value(truth.mean()[axis], truth.covariance()[(axis, axis)]);
    if exact.is_nan() {
        return Err(super::HEAVY_TAILS);
    }
    let error = value(draws.mean[axis], draws.covariance[(axis, axis)]) - exact;
    if error.is_finite() { Ok(error) } else { Err(super::TOO_FAR_OUT) }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use crate::diagnostics::test_targets::{Mixture, counts_of, exact_draws};

    #[test]
    fn errors_are_means_minus_exact_means() {
        let target = Mixture::grid();
        let truth = Truth::new(&target);
        let draws = exact_draws(&target, 5, 700);
        let found = estimate_errors(&truth, &counts_of(&truth, &draws));
        // 25 modes at −4, −2, 0, 2, 4 with variance 0.03: E x = 0, E x² = 8.03.
        let mean = |of: &dyn Fn(usize) -> f64| (0..700).map(of).sum::<f64>() / 700.0;
        let expected = [
            mean(&|index| draws[index].x),
            mean(&|index| draws[index].y),
            mean(&|index| draws[index].x * draws[index].x) - 8.03,
            mean(&|index| draws[index].y * draws[index].y) - 8.03,
        ];
        for (measure, expected) in found.iter().zip(expected) {
            assert_relative_eq!(measure.value.unwrap(), expected, epsilon = 1e-6);
        }
    }

    #[test]
    fn without_draws_there_is_a_reason() {
        let truth = Truth::new(&Mixture::grid());
        let found = estimate_errors(&truth, &DrawCounts::new(&truth));
        assert!(found.iter().all(|measure| measure.value.is_none() && !measure.reason.is_empty()));
    }
}
