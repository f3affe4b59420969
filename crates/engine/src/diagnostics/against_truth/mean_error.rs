//! `mean_error`: Euclidean distance between the mean of the draws and the mean of the target.
//!
//! ‖m̂ − m‖, in the units of θ; m̂ is the weighted mean. For n exact draws its square has expectation
//! tr(Σ)/n, with Σ the target's covariance.

use super::super::{Better, HEAVY_TAILS, MeasureSpec, NO_DRAWS, Outcome, TOO_FAR_OUT};
use super::input::TruthInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mean_error",
    label: "Mean error",
    help: "‖m̂ − m‖, the Euclidean distance between the weighted mean of the draws and the exact mean, in units of θ. It does not see \
           missing modes if the modes that were found have the right mean.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let Some(fitted) = input.statistics.gaussian() else { return Err(NO_DRAWS) };
    let mean = input.truth.mean();
    if mean.iter().any(|mean| mean.is_nan()) {
        return Err(HEAVY_TAILS);
    }
    let error = (fitted.mean - mean).norm();
    if error.is_finite() { Ok(error) } else { Err(TOO_FAR_OUT) }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, measured, value_of, weighted_counts_of};
    use base::math::Point;

    #[test]
    fn it_is_the_distance_of_the_weighted_mean() {
        let truth = Truth::new(&Mixture::grid());
        let draws = [(Point::new(3.0, 0.0), 1.0), (Point::new(3.0, 8.0), 1.0), (Point::new(3.0, 4.0), 5.0)];
        assert_relative_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), "mean_error"), 5.0, epsilon = 1e-12);
    }

    #[test]
    fn one_draw_has_a_mean() {
        let truth = Truth::new(&Mixture::single());
        let counts = counts_of(&truth, &[Point::new(1.0, 1.5)]);
        assert_relative_eq!(value_of(&truth, &counts, "mean_error"), 2.0, epsilon = 1e-12);
    }

    #[test]
    fn overflow_is_reported_not_shown() {
        let truth = Truth::new(&Mixture::grid());
        let counts = counts_of(&truth, &[Point::new(1e300, 0.0), Point::new(-1e300, 1e300)]);
        assert_eq!(measured(&truth, &counts, "mean_error").reason, "draws too far out to compute");
        assert_eq!(measured(&truth, &counts, "covariance_error").reason, "draws too far out to compute");
    }
}
