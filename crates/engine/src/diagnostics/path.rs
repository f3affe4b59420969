//! Potential along the line between two draws: −log p(θ) along the straight line θ(λ) = λθ_b + (1−λ)θ_a, λ from 0 to 1,
//! in nats.
//!
//! Zhang, Li, Zhang, Chen and Wilson (2020, arXiv:1902.03932), figure 5b, look along the line between the ends of
//! consecutive cycles: flat inside one mode, a barrier between two. They plot a loss; here p is the density itself,
//! normalised, so heights of different lines can be compared. λ runs from the earlier draw a to the later b. The line is
//! looked at in equal steps, so a rise narrower than a step can be missed.

use base::math::Point;
use models::targets::Density;

/// Default number of points: a mode that takes up a fiftieth of the line still has eight.
pub const PLACES: usize = 401;

/// −log p along the line between two draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    ends: [Point; 2],
    heights: Vec<f64>,
}

impl Path {
    /// From `a` (λ = 0) to `b` (λ = 1), evaluated at `points` points, both ends among them: at least 2.
    #[must_use]
    pub fn between(target: &dyn Density, a: Point, b: Point, points: usize) -> Self {
        let steps = points.max(2) - 1;
        let point = |index: usize| match index as f64 / steps as f64 {
            // The ends themselves, whatever is rounded on the way.
            _ if index == 0 => a,
            _ if index == steps => b,
            share => b * share + a * (1.0 - share),
        };
        let normaliser = target.info().log_normaliser;
        let height = |at: Point| match normaliser - target.log_density(at) {
            height if height.is_nan() => f64::INFINITY,
            height => height,
        };
        Self { ends: [a, b], heights: (0..=steps).map(|index| height(point(index))).collect() }
    }

    /// The draws it lies between: λ = 0 and λ = 1.
    #[must_use]
    pub fn ends(&self) -> [Point; 2] {
        self.ends
    }

    /// −log p at λ = 0, 1/(n−1), …, 1; ∞ outside the support.
    #[must_use]
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// The points (λ, −log p).
    pub fn curve(&self) -> impl ExactSizeIterator<Item = (f64, f64)> + '_ {
        let steps = (self.heights.len() - 1) as f64;
        self.heights.iter().enumerate().map(move |(index, &height)| (index as f64 / steps, height))
    }

    /// Whether part of the line, ends included, lies where the target has no density.
    #[must_use]
    pub fn leaves_support(&self) -> bool {
        self.heights.iter().any(|height| height.is_infinite())
    }

    /// How far the line rises above the higher of its ends, in nats: 0 where it does not, ∞ where it leaves the support
    /// in between. `None` if an end lies outside the support.
    #[must_use]
    pub fn barrier(&self) -> Option<f64> {
        barrier(&self.heights)
    }
}

/// How far some heights rise above the higher of the first and the last; `None` if there are none, or if one of these is not finite.
pub(super) fn barrier(heights: &[f64]) -> Option<f64> {
    let (first, last) = (heights.first()?, heights.last()?);
    let higher_end = first.max(*last);
    let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    higher_end.is_finite().then_some(top - higher_end)
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::diagnostics::test_targets::{Exponentials, Mixture};
    use base::math::{Bounds, Gaussian, Matrix};

    /// Two equal round Gaussians of variance v at (±m, 0).
    fn pair(m: f64, v: f64) -> Mixture {
        let part = |x| (0.5, Gaussian { mean: Point::new(x, 0.0), covariance: Matrix::identity() * v });
        Mixture::new(2, &[part(-m), part(m)], Bounds::new((-4.0, 4.0), (-4.0, 4.0)))
    }

    /// Half way −log p is log 2πv + m²/2v. At the modes it is log 2πv + log 2 − log(1 + e^(−2m²/v)).
    #[test]
    fn between_two_modes_the_barrier_has_a_closed_form() {
        let (m, v) = (1.0, 0.1);
        let path = Path::between(&pair(m, v), Point::new(-m, 0.0), Point::new(m, 0.0), PLACES);
        let scale = (std::f64::consts::TAU * v).ln();
        let at_mode = scale + 2.0_f64.ln() - (-2.0 * m * m / v).exp().ln_1p();
        let half_way = scale + m * m / (2.0 * v);
        assert_relative_eq!(path.heights()[0], at_mode, epsilon = 1e-12);
        assert_relative_eq!(path.heights()[PLACES / 2], half_way, epsilon = 1e-12);
        assert_relative_eq!(path.barrier().unwrap(), half_way - at_mode, epsilon = 1e-12);
        assert!(!path.leaves_support());
    }

    /// From −1 to 3 sd across a Gaussian of variance v = ¼: λ ↦ log 2πv + (4λ − 1)²/2, highest at an end.
    #[test]
    fn inside_a_gaussian_it_is_a_parabola_without_a_barrier() {
        let v = 0.25;
        let part = Gaussian { mean: Point::new(0.3, -0.2), covariance: Matrix::identity() * v };
        let target = Mixture::new(2, &[(1.0, part)], Bounds::new((-2.0, 2.0), (-2.0, 2.0)));
        let along = Point::new(0.6, 0.8) * v.sqrt();
        let path = Path::between(&target, part.mean - along, part.mean + 3.0 * along, 33);
        for (share, height) in path.curve() {
            let exact = (std::f64::consts::TAU * v).ln() + (4.0 * share - 1.0).powi(2) / 2.0;
            assert_abs_diff_eq!(height, exact, epsilon = 1e-12);
        }
        assert_eq!((path.curve().len(), path.barrier()), (33, Some(0.0)));
    }

    #[test]
    fn either_direction_rises_alike() {
        let (target, a, b) = (Mixture::grid(), Point::new(-4.0, -4.0), Point::new(2.1, 0.1));
        let (there, back) = (Path::between(&target, a, b, 101), Path::between(&target, b, a, 101));
        for (one, other) in there.heights().iter().zip(back.heights().iter().rev()) {
            assert_abs_diff_eq!(*one, *other, epsilon = 1e-9);
        }
        assert!(there.barrier().unwrap() > 5.0);
    }

    #[test]
    fn outside_the_support_it_is_infinitely_high() {
        let (target, inside) = (Exponentials::new(), Point::new(1.0, 2.0));
        let out = Path::between(&target, inside, Point::new(-1.0, 2.0), 5);
        assert_eq!((out.leaves_support(), out.barrier()), (true, None));
        let nowhere = Path::between(&target, Point::repeat(f64::NAN), inside, 5);
        assert_eq!((nowhere.leaves_support(), nowhere.barrier()), (true, None));
    }

    #[test]
    fn a_line_that_leaves_the_support_in_between_cannot_be_crossed() {
        #[derive(Debug)]
        struct Ring(Exponentials);
        impl Density for Ring {
            fn info(&self) -> &models::targets::TargetInfo {
                self.0.info()
            }
            fn log_density(&self, at: Point) -> f64 {
                if at.norm() > 1.0 { -at.norm() } else { f64::NEG_INFINITY }
            }
            fn gradient(&self, _at: Point) -> Point {
                Point::zeros()
            }
            fn hessian(&self, _at: Point) -> Matrix {
                Matrix::zeros()
            }
        }
        let path = Path::between(&Ring(Exponentials::new()), Point::new(-2.0, 0.5), Point::new(2.0, 0.0), 21);
        assert_eq!((path.leaves_support(), path.barrier()), (true, Some(f64::INFINITY)));
    }

    #[test]
    fn at_one_place_it_is_flat() {
        let at = Point::new(0.5, 0.5);
        let path = Path::between(&Mixture::single(), at, at, 9);
        assert_eq!((path.ends(), path.barrier()), ([at, at], Some(0.0)));
    }
}
