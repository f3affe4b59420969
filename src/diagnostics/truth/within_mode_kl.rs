//! `within_mode_kl`: the Kullback–Leibler divergence of the draws from the target inside the modes they have found.
//!
//! By the chain rule (Cover and Thomas 2006, theorem 2.5.3) a divergence over cells falls into two parts,
//! KL(p̂‖p) = KL(ŵ‖w) + Σₘ ŵₘ KL(p̂ₘ‖pₘ): that of the mode weights and, averaged by the weight that each mode has among the draws,
//! that of the laws within the modes. The second part is the fidelity of the draws, `mode_weight_kl`, the first, their coverage. It is
//! computed as `kl` − `mode_weight_kl`, and not below 0; with a single mode it is `kl`.
//!
//! The rule is exact for cells that belong to one mode. Cells across the border of two basins, and the outside, which is one cell for
//! `kl`, are counted as wholes there and by their draws' modes here; between separate modes next to nothing lies there.

use super::{Better, Evidence, MeasureSpec, Outcome, kl, mode_weight_kl};
use crate::targets::NO_MODES;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "within_mode_kl",
    label: "KL within modes",
    help: "Σ ŵ KL(p̂|mode ‖ p|mode) in nats over the cells of a grid: how wrong the draws are inside the modes they have found. \
           By the chain rule (Cover and Thomas 2006) it is KL on cells less KL of mode weights: fidelity beside coverage. Compare with the floor.",
    better: Better::Lower,
    headline: false,
};

pub(super) fn value(evidence: Evidence<'_>) -> Outcome {
    if evidence.reference.modes().is_empty() {
        return Err(NO_MODES);
    }
    let all = kl::value(evidence)?;
    if evidence.reference.modes().len() < 2 {
        return Ok(all);
    }
    Ok((all - mode_weight_kl::value(evidence)?).max(0.0))
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Reference;
    use crate::diagnostics::test_targets::{Mixture, exact_draws, poor_draws, tallied, value_of, weighed};
    use crate::math::Point;

    const KEY: &str = "within_mode_kl";

    /// Σ ŵ KL(p̂ₘ‖pₘ), mode by mode. The borders of basins of the grid are edges of cells.
    #[test]
    fn the_difference_is_the_weighted_mean_over_modes() {
        let target = Mixture::grid();
        let reference = Reference::new(&target);
        let grid = reference.grid();
        let inside = |draws: &mut Vec<(Point, f64)>| draws.retain(|(at, _)| grid.cell(*at).is_some());
        let mut poor = poor_draws(3, 4000);
        inside(&mut poor);
        let near: Vec<_> =
            exact_draws(&target, 4, 3000).into_iter().filter(|at| at.x < 1.0).map(|at| (at, 1.0)).collect();
        for draws in [poor, near] {
            let tally = weighed(&reference, &draws);
            let totals = tally.totals(&reference);
            let mode_of = |cell: usize| reference.nearest(grid.centre(cell)).mode;
            let mut truth = [0.0; 25];
            (0..grid.len()).for_each(|cell| truth[mode_of(cell)] += reference.probabilities()[cell]);
            let mut expected = 0.0;
            for (cell, &weight) in totals.cells().iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let mode = mode_of(cell);
                let among_draws = weight / totals.basins()[mode];
                let p = reference.probabilities()[cell] * (1.0 - 1e-9) + 1e-9 / 14_401.0;
                expected += weight / totals.weight() * (among_draws / (p / truth[mode])).ln();
            }
            assert_relative_eq!(value_of(&reference, &tally, KEY), expected, epsilon = 1e-6);
        }
    }

    #[test]
    fn faithful_draws_of_one_mode_score_zero_but_do_not_cover() {
        let reference = Reference::new(&Mixture::grid());
        let shares = reference.probabilities().iter().enumerate();
        let in_one = shares.filter(|&(cell, _)| reference.grid().centre(cell).abs().max() < 1.0);
        let draws: Vec<_> = in_one.map(|(cell, &share)| (reference.grid().centre(cell), share)).collect();
        let tally = weighed(&reference, &draws);
        assert_abs_diff_eq!(value_of(&reference, &tally, KEY), 0.0, epsilon = 1e-6);
        assert_relative_eq!(value_of(&reference, &tally, "mode_weight_kl"), 25.0_f64.ln(), epsilon = 1e-9);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same number")]
    fn with_one_mode_it_is_the_whole_divergence() {
        let reference = Reference::new(&Mixture::single());
        let tally = tallied(&reference, &exact_draws(&Mixture::single(), 2, 100));
        assert_eq!(value_of(&reference, &tally, KEY), value_of(&reference, &tally, "kl"));
    }
}
