//! `modes_covered`: number of modes with at least 100 draws within the coverage radius of their centre.
//!
//! The rule of the published experiment on 25 Gaussians (Zhang et al. 2020, arXiv:1902.03932; 100 draws within
//! 0.25 of the centre, modes 2 apart). The radius scales with the target as in
//! [`Truth::radius`](super::Truth::radius); the threshold does not, so that short runs cannot cover.
//! Every draw counts as one, whatever its weight.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::TruthInput;
use super::modes_visited::modes_with;

/// Draws that make a mode covered, from the published experiment.
pub const COVERED_DRAWS: u64 = 100;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "modes_covered",
    label: "Modes covered",
    help: "Number of modes with at least 100 draws close to their centre: within 1/8 of the smallest distance between \
           two modes (0.25 on the default grid, the rule of Zhang et al. 2020); with a single mode, within one \
           standard deviation.",
    better: Better::Higher,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    modes_with(input, COVERED_DRAWS)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::COVERED_DRAWS;
    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, exact_draws, value_of};
    use base::math::Point;

    #[test]
    fn the_hundredth_draw_covers_a_mode() {
        let truth = Truth::new(&Mixture::grid());
        let mut draws = vec![Point::new(-2.0, 4.1); 99];
        let covered = |draws: &[Point]| value_of(&truth, &counts_of(&truth, draws), "modes_covered");
        assert_relative_eq!(covered(&draws), 0.0);
        draws.push(Point::new(-2.0, 4.26));
        assert_relative_eq!(covered(&draws), 0.0);
        draws.push(Point::new(-2.0, 4.25));
        assert_relative_eq!(covered(&draws), 1.0);
        let statistics = counts_of(&truth, &draws).statistics(&truth);
        assert_eq!(statistics.close_draws().iter().max(), Some(&COVERED_DRAWS));
    }

    /// Each mode has 1000 draws, 0.647 of them within 0.25: all are covered unless a binomial misses by 36 sd.
    #[test]
    fn exact_draws_cover_every_mode() {
        let target = Mixture::grid();
        let truth = Truth::new(&target);
        let counts = counts_of(&truth, &exact_draws(&target, 3, 25_000));
        assert_relative_eq!(value_of(&truth, &counts, "modes_covered"), 25.0);
    }
}
