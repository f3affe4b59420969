//! `tv`: total variation distance between the draws and the target, binned on the cells of a grid.
//!
//! TV = ½ Σ |p̂ − p| over the cells of the [`Truth`](super::Truth) and one more cell for everything outside
//! (Levin and Peres, Markov Chains and Mixing Times, 2nd ed. 2017, §4.1); p̂ is the weighted share of draws, without
//! pseudo-counts. It is the largest error of any probability that can be read
//! off the cells. Its expectation under n exact draws is ½ Σ E|Bin(n, p)/n − p|, not 0: compare with the floor.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "tv",
    label: "Total variation",
    help: "½ Σ |p̂ − p| over the cells of a grid and the outside: p̂ is the share of draws in a cell, p its exact \
           probability. Between 0 and 1: the largest error of any probability read off the cells (Levin and Peres 2017). Exact draws do not \
           give 0 either: compare with the value in brackets.",
    better: Better::Lower,
    headline: true,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    let term = |(weight, probability): (&f64, &f64)| (weight / statistics.weight() - probability).abs();
    let inside: f64 = statistics.cells().iter().zip(truth.probabilities()).map(term).sum();
    Ok((0.5 * (inside + term((&statistics.outside(), &truth.outside())))).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, poor_draws, value_of, weighted_counts_of};
    use base::math::Point;

    #[test]
    fn it_is_the_largest_gain_over_the_truth() {
        // TV is also Σ (p̂ − p)⁺, a sum over the cells that hold draws.
        let truth = Truth::new(&Mixture::grid());
        for seed in 0..5 {
            let draws = poor_draws(seed, 4000);
            let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
            let mut shares = vec![0.0; truth.grid().len()];
            let mut outside = 0.0;
            for (at, weight) in &draws {
                *truth.grid().cell(*at).map_or(&mut outside, |cell| &mut shares[cell]) += weight / total;
            }
            let gain = |(share, truth): (&f64, &f64)| (share - truth).max(0.0);
            let gains: f64 = shares.iter().zip(truth.probabilities()).map(gain).sum();
            let expected = gains + gain((&outside, &truth.outside()));
            assert_relative_eq!(value_of(&truth, &weighted_counts_of(&truth, &draws), "tv"), expected, epsilon = 1e-9);
        }
    }

    #[test]
    fn the_ends_of_the_scale() {
        let truth = Truth::new(&Mixture::grid());
        let far = counts_of(&truth, &[Point::new(100.0, 0.0)]);
        assert_relative_eq!(value_of(&truth, &far, "tv"), 1.0, epsilon = 1e-12);
        let probabilities = truth.probabilities().iter().enumerate();
        let draws: Vec<_> = probabilities.map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
        let draw_counts = weighted_counts_of(&truth, &draws);
        assert_abs_diff_eq!(value_of(&truth, &draw_counts, "tv"), 0.0, epsilon = 1e-12);
    }
}
