//! `kl`: Kullback–Leibler divergence of the draws from the target, binned on the cells of a grid.
//!
//! KL(p̂‖p) = Σ p̂ ln(p̂/p) in nats over the cells of the [`Truth`](super::Truth) and one more cell for everything
//! outside (Kullback and Leibler 1951). p̂ is the weighted share of draws, without pseudo-counts: an empty cell
//! contributes 0. p is the exact probability mixed with a trace of the uniform distribution over all m cells,
//! (1−η)p + η/m with η = 10⁻⁹, so that a draw where the density underflows adds ln(m/η) ≈ 30 nats and not infinity. Both
//! arguments stay distributions (up to 10⁻⁶ where the target has less than that outside), so the divergence is never negative. With n draws it is far above 0 even for
//! exact ones (about m/2n once cells are well filled): compare with the floor.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;

/// Share of the uniform distribution mixed into the truth, chosen well below the probability of any cell that matters.
pub(super) const UNIFORM_SHARE: f64 = 1e-9;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "kl",
    label: "KL(draws‖target), binned",
    help: "Kullback–Leibler divergence Σ p̂ ln(p̂/p) in nats over the cells of a grid and the outside: p̂ is the share of draws in a cell, p its exact \
           probability (mixed with 10⁻⁹ of the uniform distribution, so that the value stays finite). No pseudo-counts (Kullback and Leibler 1951). Exact draws do \
           not give 0 either: compare with the value in brackets.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    let trace = UNIFORM_SHARE / (truth.probabilities().len() + 1) as f64;
    let term = |(&weight, &probability): (&f64, &f64)| match weight / statistics.weight() {
        share if share > 0.0 => share * libm::log(share / ((1.0 - UNIFORM_SHARE) * probability + trace)),
        _ => 0.0,
    };
    let inside: f64 = statistics.cells().iter().zip(truth.probabilities()).map(term).sum();
    Ok((inside + term((&statistics.outside(), &truth.beyond()))).max(0.0))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, poor_draws, value_of, weighted_counts_of};
    use base::math::Point;

    /// Σ p̂ ln(p̂/p) the other way round: draws gathered by cell in a map, cells without draws never looked at.
    fn by_hand(truth: &Truth, draws: &[(Point, f64)]) -> f64 {
        let mut weights: HashMap<Option<usize>, f64> = HashMap::new();
        draws.iter().for_each(|(at, weight)| *weights.entry(truth.grid().cell(*at)).or_default() += weight);
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let probability = |cell: Option<usize>| cell.map_or(truth.beyond(), |cell| truth.probabilities()[cell]);
        let truth = |cell| probability(cell) * (1.0 - 1e-9) + 1e-9 / 14_401.0;
        weights.iter().map(|(&cell, weight)| weight / total * (weight / total / truth(cell)).ln()).sum()
    }

    #[test]
    fn the_sum_over_cells_agrees_with_the_sum_over_draws() {
        let truth = Truth::new(&Mixture::grid());
        for seed in 0..5 {
            let draws = poor_draws(seed, 3000);
            let expected = by_hand(&truth, &draws);
            assert_relative_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), "kl"), expected, epsilon = 1e-9);
        }
    }

    #[test]
    fn draws_in_the_proportions_of_the_truth_give_zero() {
        let truth = Truth::new(&Mixture::grid());
        let probabilities = truth.probabilities().iter().enumerate();
        let draws: Vec<_> = probabilities.map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
        let draw_counts = weighted_counts_of(&truth, &draws);
        assert_abs_diff_eq!(value_of(&truth, &draw_counts, "kl"), 0.0, epsilon = 2.0 * UNIFORM_SHARE);
    }

    #[test]
    fn a_draw_where_nothing_should_be_costs_a_finite_price() {
        let truth = Truth::new(&Mixture::grid());
        let far = value_of(&truth, &counts_of(&truth, &[Point::new(1e9, 0.0)]), "kl");
        assert_relative_eq!(far, (14_401.0_f64 / 1e-9).ln(), epsilon = 1e-6);
    }
}
