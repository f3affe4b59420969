//! `sliced_w2`: sliced Wasserstein-2 distance between the draws and the target.
//!
//! SW₂ = √(mean of W₂² over directions), W₂² = ∫ (F̂⁻¹ − F⁻¹)² du between the projections of both distributions onto a
//! direction, in units of θ (Rabin, Peyré, Delon and Bernot 2012, Scale Space and Variational Methods; Bonneel, Rabin,
//! Peyré and Pfister 2015, J. Math. Imaging Vis. 51). The directions are 16 fixed ones, π(j + ½)/16, and not random:
//! the value is a function of the draws. A translation by t gives |t|/√2. On the line there is one direction, and the
//! value is W₂.
//!
//! Both distributions are taken from the same cells (see [`projections`](crate::diagnostics::projections)): the positions
//! of draws within a cell make no difference. Outside the view draws are counted in wider cells. If a draw lies more than
//! two views from the edge of the view, there is no value. Exact draws do not give 0: compare with the floor.

use super::super::prepared::NOT_IN_VIEW;
use super::super::{Better, MeasureSpec, NO_DRAWS, Outcome};
use super::input::{FURTHER_OUT, TruthInput};

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "sliced_w2",
    label: "Sliced W₂",
    help: "√ of the mean over 16 fixed directions of W₂², the squared Wasserstein-2 distance between the projections of \
           the draws and of the target, in units of θ (Bonneel et al. 2015). It says how far probability has to be moved (root mean square). \
           In one dimension it is W₂ itself.",
    better: Better::Lower,
    headline: false,
    of_truth: true,
};

pub(super) fn value(input: TruthInput<'_>) -> Outcome {
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
    Ok(truth.projections().mean_squared_distance(statistics).sqrt())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{
        Mixture, counts_of, exact_draws, poor_draws, quantiles, value_of, weighted_counts_of,
    };
    use base::math::{Gaussian, Matrix, Point};
    use models::targets::Density;

    /// The value from draws sorted along every direction and the quantiles of the exact distribution there, at 2·10⁴
    /// points.
    fn by_hand(draws: &[(Point, f64)], directions: &[Point], quantiles: impl Fn(Point) -> Vec<f64>) -> f64 {
        let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
        let squared = |direction: &Point| -> f64 {
            let mut sorted: Vec<_> = draws.iter().map(|(at, weight)| (at.dot(direction), weight / total)).collect();
            sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
            let exact = quantiles(*direction);
            let (mut index, mut share, mut sum) = (0, sorted[0].1, 0.0);
            for (number, quantile) in exact.iter().enumerate() {
                while share < (number as f64 + 0.5) / exact.len() as f64 && index + 1 < sorted.len() {
                    index += 1;
                    share += sorted[index].1;
                }
                sum += (sorted[index].0 - quantile).powi(2) / exact.len() as f64;
            }
            sum
        };
        (directions.iter().map(squared).sum::<f64>() / directions.len() as f64).sqrt()
    }

    fn directions() -> Vec<Point> {
        (0..16).map(|j| PI * (f64::from(j) + 0.5) / 16.0).map(|angle| Point::new(angle.cos(), angle.sin())).collect()
    }

    /// Draws are known to a cell, a tenth of a standard deviation of this target wide.
    #[test]
    fn it_is_the_distance_of_sorted_projections() {
        let target = Mixture::single();
        let truth = Truth::new(&target);
        let standard = quantiles(&Mixture::standard(), 0, 20_000);
        let Gaussian { mean, covariance } = Gaussian { mean: target.info().mean, covariance: target.info().covariance };
        let exact = |direction: Point| -> Vec<f64> {
            let (middle, sd) = (mean.dot(&direction), direction.dot(&(covariance * direction)).sqrt());
            standard.iter().map(|z| middle + sd * z).collect()
        };
        let own: Vec<_> = exact_draws(&target, 5, 300).into_iter().map(|at| (at, 1.0)).collect();
        let near = own.iter().filter(|(at, _)| at.x < 1.0).map(|&(at, weight)| (at, weight + at.y.abs())).collect();
        for draws in [poor_draws(1, 3000), own, near] {
            let expected = by_hand(&draws, &directions(), exact);
            let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "sliced_w2");
            assert_abs_diff_eq!(value, expected, epsilon = 4e-3);
        }
    }

    #[test]
    fn on_a_line_it_is_w2() {
        let target = Mixture::line();
        let truth = Truth::new(&target);
        let exact = quantiles(&target, 0, 20_000);
        let own: Vec<_> = exact_draws(&target, 5, 300).into_iter().map(|at| (at, 1.0)).collect();
        for draws in [poor_draws(2, 2000), own] {
            let expected = by_hand(&draws, &[Point::new(1.0, 0.0)], |_| exact.clone());
            let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "sliced_w2");
            assert_abs_diff_eq!(value, expected, epsilon = 4e-3);
        }
    }

    /// The mean of (t·e)² over the directions is |t|²/2. Moved by whole cells nothing is lost to them.
    #[test]
    fn a_translation_by_cells_is_exact() {
        let truth = Truth::new(&Mixture::single());
        let grid = *truth.grid();
        for (right, up) in [(3_i32, -2_i32), (-7, -1), (0, 5)] {
            let by = Point::new(f64::from(right) * grid.x.width(), f64::from(up) * grid.y.width());
            let shares = truth.probabilities().iter().enumerate();
            let draws: Vec<_> = shares.map(|(cell, &share)| (grid.centre(cell) + by, share)).collect();
            let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "sliced_w2");
            assert_abs_diff_eq!(value, by.norm() / 2.0_f64.sqrt(), epsilon = 1e-6);
        }
    }

    /// Between N(m, Σ) and N(m + t, c²Σ) the mean is ½|t|² + ½(c − 1)² tr Σ. Small distances: a tenth of a cell and less.
    #[test]
    fn between_gaussians_it_is_the_closed_form() {
        let base = Mixture::single();
        let truth = Truth::new(&base);
        let (mean, covariance) = (base.info().mean, base.info().covariance);
        for (by, factor) in [
            (Point::new(0.01, 0.0), 1.0),
            (Point::new(0.3, -0.7), 1.0),
            (Point::zeros(), 0.8),
            (Point::new(0.2, 0.1), 1.2),
        ] {
            let part = Gaussian { mean: mean + by, covariance: covariance * factor * factor };
            let other = Truth::new(&Mixture::new(2, &[(1.0, part)], base.info().view));
            let shares = other.probabilities().iter().enumerate();
            let draws: Vec<_> = shares.map(|(cell, &share)| (other.grid().centre(cell), share)).collect();
            let value = value_of(&truth, &weighted_counts_of(&truth, &draws), "sliced_w2");
            let exact = (0.5 * by.norm_squared() + 0.5 * (factor - 1.0).powi(2) * covariance.trace()).sqrt();
            assert_relative_eq!(value, exact, max_relative = 0.005);
        }
    }

    #[test]
    fn draws_in_the_proportions_of_the_truth_give_zero() {
        for truth in [Mixture::grid(), Mixture::single(), Mixture::line()].map(|target| Truth::new(&target)) {
            let shares = truth.all_in_cells();
            let draws: Vec<_> =
                shares.iter().enumerate().map(|(cell, &share)| (truth.grid().centre(cell), share)).collect();
            assert_abs_diff_eq!(
                value_of(&truth, &weighted_counts_of(&truth, &draws), "sliced_w2"),
                0.0,
                epsilon = 1e-7
            );
        }
    }

    #[test]
    fn a_lone_draw_outside_is_as_far_as_it_is() {
        let part = Gaussian { mean: Point::zeros(), covariance: Matrix::identity() * 1e-4 };
        let narrow = Mixture::new(2, &[(1.0, part)], Mixture::grid().info().view);
        let truth = Truth::new(&narrow);
        for at in [Point::new(20.25, 3.25), Point::new(-11.25, -28.75), Point::new(7.25, -5.25)] {
            let value = value_of(&truth, &counts_of(&truth, &[at]), "sliced_w2");
            // The draw is in the middle of its cell and spread over it, 0.5 wide, with a variance of 1/48 each way.
            let exact = (0.5 * (at.norm_squared() + 2.0 * 0.25 / 12.0)).sqrt();
            assert_abs_diff_eq!(value, exact, epsilon = 1e-3);
        }
    }
}
