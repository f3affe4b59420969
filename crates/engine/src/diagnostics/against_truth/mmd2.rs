//! `mmd2`: squared maximum mean discrepancy between the draws and the target.
//!
//! MMD² = Σᵢⱼ (p̂ᵢ − pᵢ)(p̂ⱼ − pⱼ) k(xᵢ, xⱼ) over the centres x of the cells (Gretton, Borgwardt, Rasch, Schölkopf and
//! Smola 2012, JMLR 13, the V-statistic), with the weighted share p̂ of draws in a cell and its exact probability p. k
//! is the mean of five kernels exp(−‖x − x′‖²/2ℓ²), ℓ = s, s/2, … s/16 with s² = ½ tr Σ, the mean variance of the
//! target's coordinates (Σ on the line), so that it sees missing modes as well as wrong widths. Everything outside the
//! view counts as one more cell, infinitely far from the others: it adds (p̂ − p)². The double sum is computed in
//! [Fourier space](crate::diagnostics::spectrum).
//!
//! Between 0 and 2. Counting draws at the centres of cells h wide moves a kernel by a relative h²/12ℓ² at most about.
//! For n exact draws the expectation is (1 − E k(x, x′))/n, x and x′ independent from the target: compare with the
//! floor.

use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::TruthInput;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "mmd2",
    label: "MMD²",
    help: "Squared maximum mean discrepancy Σ (p̂ − p)(p̂′ − p′) k over pairs of cells (Gretton et al. 2012), k the mean of \
           five Gaussian kernels of widths s, s/2, … s/16, s² the mean variance of the target's coordinates. The outside \
           counts as one more cell, infinitely far away. n exact draws give about 1/n.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
    let TruthInput { truth, statistics } = input;
    if statistics.is_empty() {
        return Err(NO_DRAWS);
    }
    let Some(spectrum) = truth.spectrum() else { return Err("the target has no covariance") };
    let difference = |(weight, probability): (&f64, &f64)| weight / statistics.weight() - probability;
    let inside: Vec<f64> = statistics.cells().iter().zip(truth.probabilities()).map(difference).collect();
    let outside = difference((&statistics.outside(), &truth.outside()));
    Ok(spectrum.energy(&inside) + outside * outside)
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Mixture, counts_of, exact_draws, poor_draws, value_of, weighted_counts_of};
    use base::math::{Bounds, Gaussian, Matrix, Point};
    use models::targets::{Density, Mode};

    /// The five widths.
    fn lengths(target: &dyn Density) -> [f64; 5] {
        let variance = target.info().covariance.trace() / target.info().dimension as f64;
        [1.0, 2.0, 4.0, 8.0, 16.0].map(|divisor| variance.sqrt() / divisor)
    }

    /// The mean of k between N(x, v I) and N(y, 0): (ℓ²/(ℓ²+v))^(d/2) exp(−‖x − y‖²/2(ℓ²+v)).
    fn smoothed(target: &dyn Density, between: Point, variance: f64) -> f64 {
        let power = target.info().dimension as f64 / 2.0;
        let one = |length: f64| {
            let wider = length * length + variance;
            (length * length / wider).powf(power) * (-0.5 * between.norm_squared() / wider).exp()
        };
        lengths(target).into_iter().map(one).sum::<f64>() / 5.0
    }

    /// MMD² between draws where they are and the exact distribution of a mixture of isotropic Gaussians, in closed form.
    fn by_hand(target: &dyn Density, draws: &[(Point, f64)]) -> f64 {
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let modes = &target.info().modes;
        let variance = |mode: &Mode| mode.covariance[(0, 0)];
        let mut sum = 0.0;
        for &(at, weight) in draws {
            let share = weight / total;
            sum += draws.iter().map(|(other, w)| share * w / total * smoothed(target, at - other, 0.0)).sum::<f64>();
            let cross = |mode: &Mode| mode.weight * smoothed(target, at - mode.at, variance(mode));
            sum -= 2.0 * share * modes.iter().map(cross).sum::<f64>();
        }
        for one in modes {
            let pair = |other: &Mode| {
                one.weight * other.weight * smoothed(target, one.at - other.at, variance(one) + variance(other))
            };
            sum += modes.iter().map(pair).sum::<f64>();
        }
        sum
    }

    /// Positions within a cell h wide are unknown by a variance of h²/12 each way, a 40th of ℓ² for the narrowest kernel.
    /// That moves kernels by a percent or so, and n draws scatter by some hundredths of 1/n about the result.
    #[test]
    fn it_is_the_closed_form_for_the_draws_themselves_but_for_the_cells() {
        for target in [Mixture::grid(), Mixture::line()] {
            let truth = Truth::new(&target);
            let poor = poor_draws(3, 600).into_iter().map(|(at, weight)| (truth.within_dimension(at), weight));
            let inside: Vec<_> = poor.filter(|(at, _)| truth.grid().cell(*at).is_some()).collect();
            let own: Vec<_> = exact_draws(&target, 5, 400).into_iter().map(|at| (at, 1.0)).collect();
            let near = own.iter().filter(|(at, _)| at.x < 1.0).copied().collect();
            for draws in [inside, own, near] {
                let (value, exact) =
                    (value_of(&truth, &weighted_counts_of(&truth, &draws), "mmd2"), by_hand(&target, &draws));
                assert_abs_diff_eq!(value, exact, epsilon = 0.01 * exact + 0.1 / draws.len() as f64);
            }
        }
    }

    /// Σ (p̂ − p)(p̂′ − p′) k over all pairs of cells of a line, and the outside.
    #[test]
    fn on_a_line_it_is_the_double_sum_over_cells() {
        let target = Mixture::line();
        let truth = Truth::new(&target);
        for seed in 0..3 {
            let draws = poor_draws(seed, 500);
            let statistics = weighted_counts_of(&truth, &draws).statistics(&truth);
            let pairs = statistics.cells().iter().zip(truth.probabilities());
            let differences: Vec<f64> = pairs.map(|(weight, truth)| weight / statistics.weight() - truth).collect();
            let mut expected = (statistics.outside() / statistics.weight() - truth.outside()).powi(2);
            for (i, one) in differences.iter().enumerate() {
                for (j, other) in differences.iter().enumerate() {
                    let between = truth.grid().centre(i) - truth.grid().centre(j);
                    expected += one * other * smoothed(&target, between, 0.0);
                }
            }
            let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "mmd2");
            assert_relative_eq!(value, expected, max_relative = 1e-10);
        }
    }

    #[test]
    fn the_ends_of_the_scale() {
        let part = Gaussian { mean: Point::zeros(), covariance: Matrix::identity() * 1e-6 };
        let narrow = Mixture::new(2, &[(1.0, part)], Bounds::new((-1.0, 1.01), (-1.0, 1.01)));
        let truth = Truth::new(&narrow);
        for far in [Point::new(1e9, 0.0), Point::new(0.9, 0.9)] {
            // All but 10⁻⁶ of the target is in one cell.
            assert_relative_eq!(value_of(&truth, &counts_of(&truth, &[far]), "mmd2"), 2.0, epsilon = 2e-6);
        }
        let grid = Truth::new(&Mixture::grid());
        let shares = grid.probabilities().iter().enumerate();
        let draws: Vec<_> = shares.map(|(cell, &share)| (grid.grid().centre(cell), share)).collect();
        assert_abs_diff_eq!(value_of(&grid, &weighted_counts_of(&grid, &draws), "mmd2"), 0.0, epsilon = 1e-15);
    }
}
