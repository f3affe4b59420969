//! `kl_reverse`: Kullback–Leibler divergence of the target from the draws, binned on the cells of a grid.
//!
//! KL(p‖p̂) = Σ p ln(p/p̂) in nats over the cells of the [`Truth`](super::Truth) and one more cell for everything
//! outside (Kullback and Leibler 1951). This direction penalises what is missing: where the target has probability and
//! the draws have none, it would be infinite. So p̂ is the mean of a share under a Dirichlet distribution with half a
//! draw in each of the m cells beforehand (Jeffreys 1946; Krichevsky and Trofimov 1981): (n p̂ + ½)/(n + m/2), n draws,
//! or as many of equal weight as are worth the weighted ones, (Σw)²/Σw². For few draws that is nearly uniform, and the
//! value is that of the uniform distribution; for n exact ones it falls to about m/2n once cells are well filled:
//! compare with the floor. A fit has no draws and no pseudo-counts; its share is mixed with a trace of the uniform
//! distribution instead, as `kl` does with the truth, so that no cell adds more than about ln(m/η) ≈ 30 nats times its
//! probability.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;
use super::kl::UNIFORM_SHARE;

/// Draws put into every cell beforehand (Jeffreys 1946, Proc. R. Soc. A 186).
const PSEUDO_COUNT: f64 = 0.5;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "kl_reverse",
    label: "KL(target‖draws), binned",
    help: "Kullback–Leibler divergence Σ p ln(p/p̂) in nats over the cells of a grid and the outside. This direction penalises regions of the target \
           without draws (Kullback and Leibler 1951). p is the exact probability of a cell, p̂ the share of draws with half a draw more in \
           every cell (Jeffreys 1946); of a fitted distribution q, its exact share without pseudo-counts. Exact draws do not give 0 either: compare with the value in brackets.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    let cells = (truth.probabilities().len() + 1) as f64;
    // (n p̂ + ½)/(n + m/2) is p̂ with the share (m/2)/(n + m/2) of the uniform distribution mixed in.
    let uniform = statistics.effective_draws().map_or(UNIFORM_SHARE, |draws| {
        let pseudo = PSEUDO_COUNT * cells;
        pseudo / (draws + pseudo)
    });
    let term = |(&weight, &probability): (&f64, &f64)| {
        if probability <= 0.0 {
            return 0.0;
        }
        let share = (1.0 - uniform) * (weight / statistics.weight()) + uniform / cells;
        probability * libm::log(probability / share)
    };
    let inside: f64 = statistics.cells().iter().zip(truth.probabilities()).map(term).sum();
    Ok((inside + term((&statistics.outside(), &truth.outside()))).max(0.0))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use approx::assert_relative_eq;

    use super::*;
    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{
        Mixture, counts_of, exact_draws, measured, poor_draws, value_of, weighted_counts_of,
    };
    use base::math::Point;

    const KEY: &str = "kl_reverse";

    /// The sum over cells with draws gathered in a map, as the definition has it.
    fn by_hand(truth: &Truth, draws: &[(Point, f64)]) -> f64 {
        let mut weights: HashMap<Option<usize>, f64> = HashMap::new();
        draws.iter().for_each(|(at, weight)| *weights.entry(truth.grid().cell(*at)).or_default() += weight);
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let n = total * total / draws.iter().map(|(_, weight)| weight * weight).sum::<f64>();
        let cells = (0..truth.grid().len()).map(Some).chain([None]);
        let term = |cell: Option<usize>| {
            let p = cell.map_or(truth.outside(), |cell| truth.probabilities()[cell]);
            let share = weights.get(&cell).copied().unwrap_or(0.0) / total;
            let smoothed = (n * share + 0.5) / (n + 14_401.0 / 2.0);
            if p > 0.0 { p * (p / smoothed).ln() } else { 0.0 }
        };
        cells.map(term).sum()
    }

    #[test]
    fn it_is_the_sum_with_half_a_draw_in_every_cell() {
        let truth = Truth::new(&Mixture::grid());
        for (seed, count) in [(0, 3000), (1, 50), (2, 1)] {
            let draws = poor_draws(seed, count);
            let value = value_of(&truth, &weighted_counts_of(&truth, &draws), KEY);
            assert_relative_eq!(value, by_hand(&truth, &draws), max_relative = 1e-9);
        }
        let draws = exact_draws(&Mixture::grid(), 1, 1000);
        let equal: Vec<_> = draws.iter().map(|&at| (at, 1.0)).collect();
        let value = value_of(&truth, &counts_of(&truth, &draws), KEY);
        assert_relative_eq!(value, by_hand(&truth, &equal), max_relative = 1e-9);
    }

    /// A missing mode costs this direction more and more as draws pile up elsewhere, the other one never more than ln 25.
    #[test]
    fn what_is_missing_is_punished() {
        let truth = Truth::new(&Mixture::grid());
        let missing = |count: usize| {
            let mut draws = exact_draws(&Mixture::grid(), 2, count);
            draws.retain(|at| at.x < 1.0);
            value_of(&truth, &counts_of(&truth, &draws), KEY)
        };
        let (few, many) = (missing(100_000), missing(1_000_000));
        assert!(many > few + 0.4, "{few} {many}");
    }

    #[test]
    fn draws_in_the_proportions_of_the_truth_come_close_to_zero() {
        let truth = Truth::new(&Mixture::grid());
        let shares = truth.probabilities().iter().enumerate();
        let rows: Vec<_> = shares.map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
        let n = 1.0 / rows.iter().map(|(_, weight)| weight * weight).sum::<f64>();
        // The same draws again and again, until half a one in every cell does not matter.
        let mut draw_counts = weighted_counts_of(&truth, &rows);
        (0..24).for_each(|_| draw_counts = draw_counts.clone().merged(&draw_counts));
        let value = value_of(&truth, &draw_counts, KEY);
        // KL(p ‖ (1 − u)p + u/m) ≤ −ln(1 − u) with u = (m/2)/(n + m/2).
        let most = (14_401.0 / 2.0 / (n * 2.0_f64.powi(24))).ln_1p();
        assert!((0.0..=most).contains(&value) && most < 1e-6, "{value}, at most {most}");
    }

    #[test]
    fn before_the_first_draw_there_is_none() {
        let truth = Truth::new(&Mixture::grid());
        assert_eq!(measured(&truth, &counts_of(&truth, &[]), KEY).reason, NO_DRAWS);
    }
}
