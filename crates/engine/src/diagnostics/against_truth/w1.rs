//! `w1_x`, `w1_y`: Wasserstein-1 distance between the marginal distributions of the draws and of the target.
//!
//! W₁ = ∫ |F̂ − F|, the area between the distribution functions, in units of θ: how far probability has to be moved on
//! average to turn one distribution into the other (Vallender 1974, Theory Probab. Appl. 18). F̂ is that of the
//! weighted draws, F is exact. Both are compared at the edges of the cells in which draws are counted, 240 of them over
//! the view, where F̂ has no error and F next to none; see [`marginal`](crate::diagnostics::marginal) for the accuracy.
//! If a draw lies more than two views from the edge of the view, there is no value; nor is there one for a target of
//! which more than a thousandth lies outside the view.
//!
//! For n exact draws the expectation is ∫ E|Bin(n, F)/n − F| ≈ √(2/πn) ∫ √(F(1 − F)), not 0: compare with the floor.

use super::super::prepared::NOT_IN_VIEW;
use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::{FURTHER_OUT, TruthInput};

pub(super) const SPEC_X: MeasureSpec = MeasureSpec {
    key: "w1_x",
    label: "W₁, coordinate 1",
    help: "∫ |F̂ − F| over the first coordinate, in units of θ: the Wasserstein-1 distance between the marginal distribution of the \
           draws and the exact one (Vallender 1974). It says how far probability has to be moved on average; large when distant modes are missing.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) const SPEC_Y: MeasureSpec = MeasureSpec {
    key: "w1_y",
    label: "W₁, coordinate 2",
    help: "∫ |F̂ − F| over the second coordinate, in units of θ: the Wasserstein-1 distance between the marginal distribution of the \
           draws and the exact one (Vallender 1974). It says how far probability has to be moved on average; large when distant modes are missing.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value_x(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    let columns = truth.outer_grid().x.cells;
    let mut outer = vec![0.0; if statistics.outer_cells().is_empty() { 0 } else { columns }];
    for row in statistics.outer_cells().chunks(columns) {
        outer.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
    }
    value(input, 0, statistics.columns(), &outer)
}

pub(super) fn value_y(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if truth.dimension() == 1 {
        return Err("the target has one coordinate");
    }
    let rows = statistics.outer_cells().chunks(truth.outer_grid().x.cells);
    let outer: Vec<f64> = rows.map(|row| row.iter().sum()).collect();
    value(input, 1, statistics.rows(), &outer)
}

fn value(input: TruthInput<'_>, axis: usize, fine: &[f64], outer: &[f64]) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if !truth.is_in_view() {
        return Err(NOT_IN_VIEW);
    }
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    if statistics.beyond() > 0.0 {
        return Err(FURTHER_OUT);
    }
    Ok(truth.marginals()[axis].area_between(statistics, fine, outer))
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{
        Mixture, below, counts_of, exact_draws, measured, poor_draws, quantiles, value_of, weighted_counts_of,
    };
    use base::math::Point;
    use models::targets::Density;

    /// ∫ |F̂ − F| from sorted draws and the distribution function in closed form, by 2·10⁵ rectangles.
    fn by_hand(target: &dyn Density, draws: &[(Point, f64)], axis: usize) -> f64 {
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let mut sorted: Vec<_> = draws.iter().map(|(at, weight)| (at[axis], weight / total)).collect();
        sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut next, mut share, mut area) = (sorted.iter().peekable(), 0.0, 0.0);
        for step in 0..200_000 {
            let at = -20.0 + (f64::from(step) + 0.5) * 2e-4;
            while let Some((_, weight)) = next.next_if(|(draw, _)| *draw <= at) {
                share += weight;
            }
            area += (share - below(target, axis, at)).abs() * 2e-4;
        }
        area
    }

    /// Draws are known to a cell, 1/240 of the view wide (1/24 outside): with thousands of them that moves the area
    /// by some ten thousandths of the view.
    #[test]
    fn it_is_the_area_between_sorted_draws_and_the_exact_distribution() {
        for target in [Mixture::grid(), Mixture::single(), Mixture::line()] {
            let truth = Truth::new(&target);
            let width = truth.grid().x.max - truth.grid().x.min;
            let mut exact: Vec<_> = exact_draws(&target, 5, 1000).into_iter().map(|at| (at, 1.0)).collect();
            let near = exact.iter().filter(|(at, _)| at.x < 1.0).map(|&(at, _)| (at, 2.5)).collect();
            exact.truncate(50);
            for draws in [poor_draws(1, 3000), exact, near] {
                let counts = weighted_counts_of(&truth, &draws);
                for (axis, key) in ["w1_x", "w1_y"].into_iter().enumerate().take(truth.dimension()) {
                    let expected = by_hand(&target, &draws, axis);
                    assert_abs_diff_eq!(value_of(&truth, &counts, key), expected, epsilon = 4e-4 * width);
                }
            }
        }
    }

    #[test]
    fn a_shift_costs_its_length() {
        let target = Mixture::single();
        let truth = Truth::new(&target);
        let (x, y) = (quantiles(&target, 0, 5000), quantiles(&target, 1, 5000));
        for (dx, dy) in [(0.37, -0.011), (-2.0, 0.8), (9.0, -14.0)] {
            let draws: Vec<_> = x.iter().zip(&y).map(|(x, y)| Point::new(x + dx, y + dy)).collect();
            let counts = counts_of(&truth, &draws);
            assert_abs_diff_eq!(value_of(&truth, &counts, "w1_x"), dx.abs(), epsilon = 1e-3);
            assert_abs_diff_eq!(value_of(&truth, &counts, "w1_y"), dy.abs(), epsilon = 1e-3);
        }
    }

    #[test]
    fn missing_modes_cost_the_way_to_them() {
        // All draws at the middle of five equal modes, 2 apart: (4 + 2 + 0 + 2 + 4)/5, and the mean width of the middle
        // one; a lone point, spread over its cell of 0.05, is a quarter of that nearer.
        let truth = Truth::new(&Mixture::grid());
        let middle = value_of(&truth, &counts_of(&truth, &[Point::zeros()]), "w1_x");
        let width = 0.2 * 0.03_f64.sqrt() * (2.0 / std::f64::consts::PI).sqrt();
        assert_abs_diff_eq!(middle, 2.4 + width - 0.05 / 4.0, epsilon = 2e-3);
    }

    #[test]
    fn draws_without_a_place_have_no_distance() {
        for (target, edge) in [(Mixture::grid(), 30.0), (Mixture::line(), 25.0)] {
            let truth = Truth::new(&target);
            for key in ["w1_x", "sliced_w2"] {
                let at = |x: f64| measured(&truth, &counts_of(&truth, &[Point::zeros(), Point::new(x, 0.0)]), key);
                assert!(at(edge - 0.1).value.is_some() && at(0.1 - edge).value.is_some());
                assert_eq!(at(edge + 0.1).reason, "draws too far outside the view");
                assert_eq!(at(f64::MIN).reason, "draws too far outside the view");
            }
        }
        let line = Truth::new(&Mixture::line());
        assert_eq!(
            measured(&line, &counts_of(&line, &[Point::zeros()]), "w1_y").reason,
            "the target has one coordinate"
        );
    }

    #[test]
    fn where_draws_outside_the_view_are_matters() {
        let truth = Truth::new(&Mixture::line());
        let at = |x: f64| value_of(&truth, &counts_of(&truth, &[Point::new(x, 0.0)]), "w1_x");
        // Beyond all probability another unit costs a unit, once draws have moved by whole cells.
        let unit = 2.0 * 50.0 / 120.0;
        assert_relative_eq!(at(7.1 + unit) - at(7.1), unit, epsilon = 1e-9);
        assert_relative_eq!(at(-7.1 - unit) - at(-7.1), unit, epsilon = 1e-9);
    }
}
