//! `hellinger`: Hellinger distance between the draws and the target, binned on the cells of a grid.
//!
//! H = √(1 − Σ √(p̂p)) over the cells of the [`Truth`](super::Truth) and one more cell for everything outside
//! (Hellinger 1909; the form of Le Cam 1986); p̂ is the weighted share of draws, without pseudo-counts. It is computed
//! as the equal √(½ Σ (√p̂ − √p)²), which keeps its digits near 0. Between 0 and 1, and H² ≤ TV ≤ H √2. Unlike `kl` it
//! is bounded whatever the draws, and unlike `tv` it notices small cells. With n exact draws H² ≈ m/8n over m well
//! filled cells, not 0: compare with the floor.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "hellinger",
    label: "Hellinger distance",
    help: "√(1 − Σ √(p̂p)) over the cells of a grid and the outside: p̂ is the share of draws in a cell, p its exact \
           probability. Between 0 and 1, without pseudo-counts (Hellinger 1909). Its square is at most the total variation. Exact draws do \
           not give 0 either: compare with the value in brackets.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    let term = |(weight, probability): (&f64, &f64)| {
        let difference = (weight / statistics.weight()).sqrt() - probability.sqrt();
        difference * difference
    };
    let inside: f64 = statistics.cells().iter().zip(truth.probabilities()).map(term).sum();
    Ok((0.5 * (inside + term((&statistics.outside(), &truth.outside())))).sqrt().clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, poor_draws, value_of, weighted_counts_of};
    use base::math::Point;

    /// √(1 − Σ √(p̂p)) over the cells that hold draws, gathered in a map.
    fn by_hand(truth: &Truth, draws: &[(Point, f64)]) -> f64 {
        let mut weights: HashMap<Option<usize>, f64> = HashMap::new();
        for &(at, weight) in draws {
            *weights.entry(truth.grid().cell(truth.within_dimension(at))).or_default() += weight;
        }
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let truth = |cell: Option<usize>| cell.map_or(truth.outside(), |cell| truth.probabilities()[cell]);
        let affinity: f64 = weights.iter().map(|(&cell, weight)| (weight / total * truth(cell)).sqrt()).sum();
        (1.0 - affinity).sqrt()
    }

    #[test]
    fn the_sum_over_cells_agrees_with_the_sum_over_draws() {
        for truth in [Mixture::grid(), Mixture::single(), Mixture::line()].map(|target| Truth::new(&target)) {
            for seed in 0..5 {
                let draws = poor_draws(seed, 3000);
                let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "hellinger");
                assert_relative_eq!(value, by_hand(&truth, &draws), epsilon = 1e-9);
            }
        }
    }

    #[test]
    fn the_ends_of_the_scale() {
        let truth = Truth::new(&Mixture::grid());
        let far = counts_of(&truth, &[Point::new(100.0, 0.0)]);
        assert_relative_eq!(value_of(&truth, &far, "hellinger"), 1.0, epsilon = 1e-12);
        let probabilities = truth.probabilities().iter().enumerate();
        let draws: Vec<_> = probabilities.map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
        assert_abs_diff_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), "hellinger"), 0.0, epsilon = 1e-12);
    }

    #[test]
    fn one_of_25_equal_modes_is_missing_four_fifths_of_its_affinity() {
        let truth = Truth::new(&Mixture::grid());
        let shares = truth.probabilities().iter().enumerate();
        let in_one = shares.filter(|&(cell, _)| truth.grid().centre(cell).norm() < 1.0);
        let draws: Vec<_> = in_one.map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
        // Σ √(25 p · p) over the mode is √25/25; what lies more than a unit, 5.8 sd, from its centre is below 10⁻⁷.
        let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "hellinger");
        assert_relative_eq!(value, 0.8_f64.sqrt(), epsilon = 1e-6);
    }
}
