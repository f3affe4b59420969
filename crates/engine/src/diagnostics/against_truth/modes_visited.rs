//! `modes_visited`: number of modes with at least one draw within the coverage radius of their centre.
//!
//! The radius is 0.25 on the 25-Gaussian target of Zhang et al. (2020, arXiv:1902.03932), whose spacing is 2;
//! other targets use the same fraction of their own spacing, see [`Truth::radius`](super::Truth::radius).
//! Every draw counts as one, whatever its weight; a fit has no draws, and no value.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;
use models::targets::NO_MODES;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "modes_visited",
    label: "Modes visited",
    help: "Number of modes with at least one draw close to their centre: within 1/8 of the smallest distance between \
           two modes (0.25 on the default grid, the radius of Zhang et al. 2020); with a single mode, within one standard deviation.",
    better: Better::Higher,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    modes_with(input, 1)
}

/// Why a fit has no value.
const COUNTS_DRAWS: &str = "counts draws; q has none";

/// The number of modes with at least `draws` draws within the coverage radius.
pub(super) fn modes_with(input: TruthInput<'_>, draws: u64) -> Outcome {
    if input.truth.modes().is_empty() {
        return Err(NO_MODES);
    }
    match input.statistics.draws() {
        None => return Err(COUNTS_DRAWS),
        Some(0) => return Err(NO_DRAWS),
        Some(_) => {}
    }
    let modes = input.statistics.close_draws().iter().filter(|&&count| count >= draws).count();
    Ok(modes as f64)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, measured, value_of, weighted_counts_of};
    use base::math::Point;

    #[test]
    fn one_draw_within_the_radius_is_a_visit() {
        let truth = Truth::new(&Mixture::grid());
        let edge = [Point::new(0.25, 0.0), Point::new(2.0, 2.0 - 0.25), Point::new(-4.0, 0.0), Point::new(-4.1, 0.1)];
        assert_relative_eq!(value_of(&truth, &counts_of(&truth, &edge), "modes_visited"), 3.0);
        let beyond = [Point::new(0.2501, 0.0), Point::new(2.18, 2.18), Point::new(1.0, 1.0), Point::new(40.0, 0.0)];
        assert_relative_eq!(value_of(&truth, &counts_of(&truth, &beyond), "modes_visited"), 0.0);
    }

    #[test]
    fn small_weights_count_like_large_ones() {
        let truth = Truth::new(&Mixture::grid());
        let draws = [(Point::zeros(), 1e-12), (Point::new(4.0, 4.0), 1e12)];
        assert_relative_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), "modes_visited"), 2.0);
    }

    #[test]
    fn before_the_first_draw_there_is_no_count() {
        let truth = Truth::new(&Mixture::grid());
        let measure = measured(&truth, &counts_of(&truth, &[]), "modes_visited");
        assert_eq!((measure.value, measure.reason), (None, "no draws yet"));
    }
}
