//! `ksd`: kernel Stein discrepancy of draws from the target, which needs the score alone and no exact draws.
//!
//! KSD² = (1/n²) Σᵢⱼ k₀(θᵢ, θⱼ), a V-statistic (all pairs, each draw with itself too), with the Stein kernel of a base
//! kernel k and the score s = ∇log p,
//!
//! ```text
//! k₀(x, y) = s(x)·s(y) k + s(x)·∇_y k + s(y)·∇_x k + tr ∇_x∇_y k
//! ```
//!
//! (Liu, Lee and Jordan 2016, arXiv:1602.03253; Gorham and Mackey 2017, arXiv:1703.01717). k is the inverse
//! multiquadric (c² + r²)^−β with c = 1 and β = ½, r the distance in θ, for which KSD → 0 means convergence to p. With
//! q = 1 + r², u = x − y and dimension d
//!
//! ```text
//! k₀ = q^−½ [s(x)·s(y) + ((s(x) − s(y))·u + d)/q − 3 r²/q²],     k₀(x, x) = |s(x)|² + d.
//! ```
//!
//! All draws count equally; the caller thins weighted draws. Exact draws give about (E k₀(θ, θ)/n)^½: compare a value
//! with that of as many exact draws. The score of a mixture hardly depends on the weights of distant components, so a
//! missing mode does not show. If a density does not vanish at the boundary of its support, the value of exact draws
//! does not go to 0.

use super::{Better, MeasureSpec, TOO_FAR_OUT};
use base::math::Point;
use models::targets::Density;

/// The description of this measure. It is in no registry, because it needs the draws one by one.
pub const SPEC: MeasureSpec = MeasureSpec {
    key: "ksd",
    label: "Stein discrepancy",
    help: "Kernel Stein discrepancy: √ of the mean Stein kernel over all pairs of at most 1000 evenly thinned draws; inverse multiquadric, c = 1, \
           β = ½ (Gorham and Mackey 2017). It sees bias within a mode, but not missing modes. Exact draws do not \
           give 0 either: compare with the value in brackets.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

/// Number of draws used at most: 1000 make half a million pairs, some milliseconds.
pub const MOST: usize = 1000;

/// The kernel Stein discrepancy of `draws`, of which a one-dimensional target looks at x alone. The time taken grows
/// with the square of their number: see [`MOST`].
///
/// # Errors
/// Why there is no value: fewer than two draws, a draw where the target has no density, or one too far out.
pub fn ksd(target: &dyn Density, draws: &[Point]) -> Result<f64, &'static str> {
    if draws.len() < 2 {
        return Err("fewer than two draws");
    }
    let planar = target.info().dimension == 2;
    let mut witnesses = Vec::with_capacity(draws.len());
    for draw in draws {
        let at = if planar { *draw } else { Point::new(draw.x, 0.0) };
        if !(at.x.is_finite() && at.y.is_finite() && target.log_density(at).is_finite()) {
            return Err("a draw where the target has no density");
        }
        let score = target.gradient(at);
        witnesses.push(Witness { at, score: if planar { score } else { Point::new(score.x, 0.0) } });
    }
    let dimension = if planar { 2.0 } else { 1.0 };
    let with_itself: f64 = witnesses.iter().map(|one| one.score.norm_squared() + dimension).sum();
    let with_others: f64 = witnesses.iter().enumerate().map(|(i, one)| one.row(&witnesses[..i], dimension)).sum();
    // The kernel is positive definite; only rounding can make the sum negative.
    let count = draws.len() as f64;
    let mean = ((with_itself + 2.0 * with_others) / (count * count)).max(0.0);
    if mean.is_finite() { Ok(mean.sqrt()) } else { Err(TOO_FAR_OUT) }
}

/// A draw with the score there.
#[derive(Clone, Copy, Debug)]
struct Witness {
    at: Point,
    score: Point,
}

impl Witness {
    /// Σ k₀ with the draws before this one.
    fn row(&self, earlier: &[Self], dimension: f64) -> f64 {
        earlier.iter().map(|other| self.stein_kernel(other, dimension)).sum()
    }

    fn stein_kernel(&self, other: &Self, dimension: f64) -> f64 {
        let apart = self.at - other.at;
        let square = apart.norm_squared();
        let inverse = 1.0 / (1.0 + square);
        let slope = (self.score - other.score).dot(&apart);
        let bracket = (slope + dimension - 3.0 * (square * inverse)) * inverse;
        inverse.sqrt() * (self.score.dot(&other.score) + bracket)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::diagnostics::test_targets::{Exponentials, exact_draws, poor_draws};
    use crate::diagnostics::testing::Fake;
    use base::math::{Purpose, Stream};
    use base::params::{Settings, Value, find_kind};
    use models::targets::{TARGETS, build};

    fn target(kind: &str, values: &[(&str, Value)]) -> Arc<dyn Density> {
        let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
        values.iter().for_each(|(path, value)| settings.set(path, value.clone()).unwrap());
        build(&settings, Path::new("")).unwrap().density().unwrap().clone()
    }

    fn value(target: &Arc<dyn Density>, draws: &[Point]) -> f64 {
        ksd(target.as_ref(), draws).unwrap()
    }

    fn grid() -> Arc<dyn Density> {
        target("gaussian-grid", &[])
    }

    /// Draws of a round Gaussian.
    fn cloud(seed: u64, centre: Point, sd: f64, count: usize) -> Vec<Point> {
        let mut stream = Stream::derive(seed, Purpose::Chain, 3, 0);
        let mut one = || stream.normal_pair();
        (0..count).map(|_| one()).map(|(x, y)| centre + sd * Point::new(x, y)).collect()
    }

    /// Mean and standard deviation over repeats.
    fn mean_and_sd(values: &[f64]) -> (f64, f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        (mean, (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt())
    }

    /// k₀ from its definition, with the derivatives of k by central differences of step h: errors of order h² and of
    /// 10⁻¹⁶/h² in the mixed ones, 10⁻⁷ together.
    fn by_differences(target: &dyn Density, x: Point, y: Point) -> f64 {
        let k = |x: Point, y: Point| (1.0 + (x - y).norm_squared()).powf(-0.5);
        let h = 2e-4;
        let (sx, sy) = (target.gradient(x), target.gradient(y));
        let mut sum = sx.dot(&sy) * k(x, y);
        for axis in 0..target.info().dimension {
            let by = Point::ith(axis, h);
            sum += sx[axis] * (k(x, y + by) - k(x, y - by)) / (2.0 * h);
            sum += sy[axis] * (k(x + by, y) - k(x - by, y)) / (2.0 * h);
            let mixed = k(x + by, y + by) - k(x + by, y - by) - k(x - by, y + by) + k(x - by, y - by);
            sum += mixed / (4.0 * h * h);
        }
        sum
    }

    #[test]
    fn the_kernel_agrees_with_differences_of_its_definition() {
        let beta = target("beta-posterior", &[]);
        let line: Vec<Point> = (2..8).map(|tenth| Point::new(f64::from(tenth) / 10.0, 0.0)).collect();
        let plane: Vec<Point> = poor_draws(5, 7).iter().map(|(at, _)| at * 0.6).collect();
        for (target, draws) in [(beta, line), (target("gaussian-mixture", &[]), plane.clone()), (grid(), plane)] {
            let pairs = draws.iter().flat_map(|&x| draws.iter().map(move |&y| (x, y)));
            let sum: f64 = pairs.map(|(x, y)| by_differences(target.as_ref(), x, y)).sum();
            let expected = sum.sqrt() / draws.len() as f64;
            assert_relative_eq!(value(&target, &draws), expected, max_relative = 1e-5);
        }
    }

    /// A standard Gaussian on the x axis of the plane at ±1: s = −x, q = 5, so k₀(x, x) = 1 + 2 and
    /// k₀(1, −1) = 5^−½ (−1 + (−4 + 2)/5 − 12/25).
    #[test]
    fn a_single_pair_has_a_closed_form() {
        let plane = target("gaussian", &[("correlation", Value::Number(0.0))]);
        let pair = [Point::new(1.0, 0.0), Point::new(-1.0, 0.0)];
        let cross = (-1.0 - 2.0 / 5.0 - 12.0 / 25.0) / 5.0_f64.sqrt();
        assert_relative_eq!(value(&plane, &pair), ((3.0 + cross) / 2.0).sqrt(), epsilon = 1e-12);
    }

    /// Beta(40, 75), s(x) = 39/x − 74/(1 − x), at 0.3 and 0.4: q = 1.01. The second coordinates mean nothing.
    #[test]
    fn a_single_pair_on_the_line_has_a_closed_form() {
        let line = Fake::beta();
        let score = |x: f64| 39.0 / x - 74.0 / (1.0 - x);
        let (x, y) = (0.3, 0.4);
        let (square, q) = (0.01, 1.01);
        let cross = (score(x) * score(y) + ((score(x) - score(y)) * (x - y) + 1.0) / q - 3.0 * square / (q * q))
            / 1.01_f64.sqrt();
        let sum = score(x).powi(2) + score(y).powi(2) + 2.0 + 2.0 * cross;
        let draws = [Point::new(x, 7.0), Point::new(y, -2.0)];
        assert_relative_eq!(ksd(&line, &draws).unwrap(), sum.sqrt() / 2.0, epsilon = 1e-10);
    }

    #[test]
    fn order_does_not_matter() {
        let target = grid();
        let mut draws = exact_draws(target.as_ref(), 8, 100);
        let before = value(&target, &draws);
        draws.reverse();
        draws.rotate_left(37);
        assert_relative_eq!(value(&target, &draws), before, max_relative = 1e-12);
    }

    /// E KSD² = E k₀(θ, θ)/n exactly, since E k₀(θ, θ′) = 0, and E|s|² = 2/.03 up to the overlap of the modes, here and
    /// for exact draws of one mode alone: (2/0.03 + 2)/300 = 0.478². A single value has a standard deviation of 0.07
    /// around 0.47 with all modes and of 0.20 around 0.43 with one; the 0.50 and 0.42 known from elsewhere are such
    /// values.
    #[test]
    fn a_missing_mode_does_not_show() {
        let target = grid();
        let all = |seed| value(&target, &exact_draws(target.as_ref(), seed, 300));
        let one = |seed| value(&target, &cloud(seed, Point::new(2.0, -4.0), 0.03_f64.sqrt(), 300));
        let (all, one): (Vec<f64>, Vec<f64>) = (0..100).map(|seed| (all(seed), one(seed))).unzip();
        // Alert at 4.5 standard errors (t with 99 degrees of freedom): a false alarm in one seed of 50 000. With
        // one mode the squares are skewed and it is at 6: one of 200 000, by resampling 3000 of them.
        for (values, known, alert) in [(all, 0.50, 4.5), (one, 0.42, 6.0)] {
            let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
            let (mean, sd) = mean_and_sd(&squares);
            assert_abs_diff_eq!(mean, (2.0 / 0.03 + 2.0) / 300.0, epsilon = alert * sd / 10.0);
            let (mean, sd) = mean_and_sd(&values);
            assert!((known - mean).abs() < 2.0 * sd, "{mean} {sd}");
        }
    }

    /// For exact draws E KSD² = E k₀(θ, θ)/n exactly, all other terms having mean 0; for N(0, I) that is 4/n.
    #[test]
    fn exact_draws_fall_with_the_root_of_their_number() {
        let target = target("gaussian", &[("correlation", Value::Number(0.0))]);
        for count in [50, 200, 800] {
            let squares: Vec<f64> = (0..60)
                .map(|seed| value(&target, &exact_draws(target.as_ref(), seed, count)).powi(2) * count as f64)
                .collect();
            let (mean, sd) = mean_and_sd(&squares);
            // Alert at 4.5 standard errors (t with 59 degrees of freedom): a false alarm in one seed of 30 000.
            assert_abs_diff_eq!(mean, 4.0, epsilon = 4.5 * sd / 60.0_f64.sqrt());
        }
    }

    /// Published cyclical draws have a variance of 0.142 where 0.03 is right; half as much again already shows. The
    /// means over repeats are 0.44, 0.81, 1.60 and 3.46 with a standard deviation of 0.2 each; the same normals are
    /// scaled, so that luck is shared.
    #[test]
    fn draws_that_spread_too_far_are_seen() {
        let target = grid();
        let values: Vec<f64> = [0.03, 0.045, 0.07, 0.142]
            .map(|variance: f64| value(&target, &cloud(4, Point::zeros(), variance.sqrt(), 300)))
            .to_vec();
        for (value, mean) in values.iter().zip([0.44, 0.81, 1.60, 3.46]) {
            // Alert at 4.5 standard deviations.
            assert_abs_diff_eq!(*value, mean, epsilon = 4.5 * 0.2);
        }
        assert!(values.is_sorted(), "{values:?}");
    }

    #[test]
    fn a_value_that_cannot_be_had_has_a_reason() {
        let target = grid();
        let at = Point::zeros();
        assert_eq!(ksd(target.as_ref(), &[at]), Err("fewer than two draws"));
        assert_eq!(
            ksd(&Exponentials::new(), &[Point::new(1.0, 1.0), at]),
            Err("a draw where the target has no density")
        );
        for bad in [f64::NAN, f64::INFINITY] {
            let draws = [at, Point::new(0.0, bad)];
            assert_eq!(ksd(target.as_ref(), &draws), Err("a draw where the target has no density"));
        }
        // Close to the boundary of its support the score of a Beta density grows without bound.
        let edge = [Point::new(1e-200, 0.0), Point::new(0.5, 0.0)];
        assert_eq!(ksd(&Fake::beta(), &edge), Err(TOO_FAR_OUT));
    }
}
