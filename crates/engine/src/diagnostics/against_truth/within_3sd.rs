//! `within_3sd`: share of draws within three standard deviations of the nearest mode.
//!
//! Nearest in Euclidean distance; standard deviations are Mahalanobis distance with the covariance of that mode,
//! d² = (θ−m)ᵀ C⁻¹ (θ−m) ≤ 9. Exact for well separated Gaussians: 1 − e^(−9/2) = 0.98889 in two dimensions, 0.99730 in
//! one. Smaller: the draws are too spread out. Larger: too concentrated. The share is weighted.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;
use models::targets::NO_MODES;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "within_3sd",
    label: "Within 3 sd",
    help: "Share of draws, by weight, within three standard deviations (Mahalanobis) of the nearest mode. Separate \
           Gaussians give 0.9889 in two dimensions and 0.9973 in one; a smaller share means that the draws are too spread out.",
    better: Better::NearFloor,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if truth.modes().is_empty() {
        return Err(NO_MODES);
    }
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    if !truth.modes_have_width() {
        return Err("a mode has no covariance");
    }
    Ok((statistics.within_3sd() / statistics.weight()).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, exact_draws, value_of, weighted_counts_of};
    use base::math::Point;
    use models::targets::Density;

    /// Alert at 4.5 standard errors of a binomial share: a false alarm in one seed of 150 000.
    fn assert_share(target: &dyn Density, exact: f64) {
        let truth = Truth::new(target);
        let count = 100_000;
        let counts = counts_of(&truth, &exact_draws(target, 11, count));
        let error = (exact * (1.0 - exact) / count as f64).sqrt();
        assert_abs_diff_eq!(value_of(&truth, &counts, "within_3sd"), exact, epsilon = 4.5 * error);
    }

    #[test]
    fn exact_draws_have_the_share_of_the_chi_squared_distribution() {
        let plane = 1.0 - (-4.5_f64).exp();
        assert_share(&Mixture::grid(), plane);
        assert_share(&Mixture::single(), plane);
        assert_share(&Mixture::line(), libm::erf(3.0 / 2.0_f64.sqrt()));
    }

    #[test]
    fn the_share_is_weighted() {
        let truth = Truth::new(&Mixture::grid());
        let draws = [(Point::zeros(), 1.0), (Point::new(1.0, 1.0), 3.0)];
        assert_relative_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), "within_3sd"), 0.25);
    }

    #[test]
    fn distance_is_measured_with_the_covariance() {
        let truth = Truth::new(&Mixture::single());
        let centre = Point::new(1.0, -0.5);
        // Along the ridge (1, 1) three sd reach further than across it.
        let along = counts_of(&truth, &[centre + Point::new(2.5, 2.5)]);
        let across = counts_of(&truth, &[centre + Point::new(2.5, -2.5)]);
        assert_relative_eq!(value_of(&truth, &along, "within_3sd"), 1.0);
        assert_relative_eq!(value_of(&truth, &across, "within_3sd"), 0.0);
    }
}
