//! `within_mode_kl`: Kullback–Leibler divergence of the draws from the target inside the modes that the draws have found.
//!
//! By the chain rule (Cover and Thomas 2006, theorem 2.5.3) a divergence over cells falls into two parts, KL(p̂‖p) =
//! KL(ŵ‖w) + Σₘ ŵₘ KL(p̂ₘ‖pₘ): that of the mode weights and, averaged by the weight that each mode has among the draws,
//! that of the distributions within the modes. The first part, `mode_weight_kl`, measures coverage; the second part
//! accuracy within modes. It is computed as `kl` − `mode_weight_kl`, and not below 0; with a single mode it is `kl`.
//!
//! The rule is exact for cells that belong to one mode. Cells across the border of two basins, and the outside, which
//! is one cell for `kl`, are counted as wholes there and by their draws' modes here; between separate modes next to
//! nothing lies there.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::TruthInput;
use super::{kl, mode_weight_kl};
use models::targets::NO_MODES;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "within_mode_kl",
    label: "KL within modes",
    help: "Σ ŵ KL(p̂|mode ‖ p|mode) in nats over the cells of a grid: the error inside the modes that the draws have found. By the chain rule \
           (Cover and Thomas 2006) it is KL(draws‖target) minus mode-weight KL: accuracy within modes, as opposed to coverage of modes. Exact draws \
           do not give 0: compare with the value in brackets.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    if input.truth.modes().is_empty() {
        return Err(NO_MODES);
    }
    let all = kl::value(input)?;
    if input.truth.modes().len() < 2 {
        return Ok(all);
    }
    Ok((all - mode_weight_kl::value(input)?).max(0.0))
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, exact_draws, poor_draws, value_of, weighted_counts_of};
    use base::math::Point;

    const KEY: &str = "within_mode_kl";

    /// Σ ŵ KL(p̂ₘ‖pₘ), mode by mode. The boundaries of basins of the grid are edges of cells.
    #[test]
    fn the_difference_is_the_weighted_mean_over_modes() {
        let target = Mixture::grid();
        let truth = Truth::new(&target);
        let grid = truth.grid();
        let inside = |draws: &mut Vec<(Point, f64)>| draws.retain(|(at, _)| grid.cell(*at).is_some());
        let mut poor = poor_draws(3, 4000);
        inside(&mut poor);
        let near: Vec<_> =
            exact_draws(&target, 4, 3000).into_iter().filter(|at| at.x < 1.0).map(|at| (at, 1.0)).collect();
        for draws in [poor, near] {
            let counts = weighted_counts_of(&truth, &draws);
            let statistics = counts.statistics(&truth);
            let mode_of = |cell: usize| truth.nearest(grid.centre(cell)).mode;
            let mut weights = [0.0; 25];
            (0..grid.len()).for_each(|cell| weights[mode_of(cell)] += truth.probabilities()[cell]);
            let mut expected = 0.0;
            for (cell, &weight) in statistics.cells().iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let mode = mode_of(cell);
                let among_draws = weight / statistics.basins()[mode];
                let p = truth.probabilities()[cell] * (1.0 - 1e-9) + 1e-9 / 14_401.0;
                expected += weight / statistics.weight() * (among_draws / (p / weights[mode])).ln();
            }
            assert_relative_eq!(value_of(&truth, &counts, KEY), expected, epsilon = 1e-6);
        }
    }

    #[test]
    fn faithful_draws_of_one_mode_score_zero_but_do_not_cover() {
        let truth = Truth::new(&Mixture::grid());
        let shares = truth.probabilities().iter().enumerate();
        let in_one = shares.filter(|&(cell, _)| truth.grid().centre(cell).abs().max() < 1.0);
        let draws: Vec<_> = in_one.map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
        let counts = weighted_counts_of(&truth, &draws);
        assert_abs_diff_eq!(value_of(&truth, &counts, KEY), 0.0, epsilon = 1e-6);
        assert_relative_eq!(value_of(&truth, &counts, "mode_weight_kl"), 25.0_f64.ln(), epsilon = 1e-9);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same number")]
    fn with_one_mode_it_is_the_whole_divergence() {
        let truth = Truth::new(&Mixture::single());
        let counts = counts_of(&truth, &exact_draws(&Mixture::single(), 2, 100));
        assert_eq!(value_of(&truth, &counts, KEY), value_of(&truth, &counts, "kl"));
    }
}
