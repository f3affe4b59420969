//! Targets for the tests of this module: mixtures of Gaussians in the plane and on the line.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::math::{Bounds, Gaussian, Matrix, Point, Purpose, Simd, Stream};
use models::targets::{Boundary, Density, Mode, Support, TargetInfo};

use super::{DrawCounts, Measure, TRUTH_MEASURES, Truth, measure_truth};

/// The measure called `key` of the draws in `draw_counts`.
pub(crate) fn measured(truth: &Truth, draw_counts: &DrawCounts, key: &str) -> Measure {
    let index = TRUTH_MEASURES.iter().position(|spec| spec.key == key).expect("a registered measure");
    measure_truth(truth, draw_counts, None).swap_remove(index)
}

/// The value of that measure.
pub(crate) fn value_of(truth: &Truth, draw_counts: &DrawCounts, key: &str) -> f64 {
    measured(truth, draw_counts, key).value.expect("a value")
}

/// The draws counted with weights of 1.
pub(crate) fn counts_of(truth: &Truth, draws: &[Point]) -> DrawCounts {
    weighted_counts_of(truth, &draws.iter().map(|&at| (at, 1.0)).collect::<Vec<_>>())
}

/// Exact draws.
pub(crate) fn exact_draws(target: &dyn Density, seed: u64, count: usize) -> Vec<Point> {
    let mut stream = Stream::derive(seed, Purpose::Start, 7, 7);
    (0..count).map(|_| target.exact_draw(&mut stream).expect("exact draws")).collect()
}

/// The draws of a poor sampler with weights from 0.5 to 1.5: uniform on a square somewhat larger than the grid.
pub(crate) fn poor_draws(seed: u64, count: usize) -> Vec<(Point, f64)> {
    let mut stream = Stream::derive(seed, Purpose::Chain, 0, 0);
    let mut one = || (14.0 * stream.uniform() - 7.0, 14.0 * stream.uniform() - 7.0, 0.5 + stream.uniform());
    (0..count).map(|_| one()).map(|(x, y, weight)| (Point::new(x, y), weight)).collect()
}

/// Weighted draws counted.
pub(crate) fn weighted_counts_of(truth: &Truth, draws: &[(Point, f64)]) -> DrawCounts {
    let mut draw_counts = DrawCounts::new(truth);
    let (x, y): (Vec<f64>, Vec<f64>) = draws.iter().map(|(at, _)| (at.x, at.y)).unzip();
    let weights: Vec<f64> = draws.iter().map(|(_, weight)| *weight).collect();
    draw_counts.add_rows(Simd::widest(), truth, &weights, &x, &y);
    draw_counts
}

/// The probability that one coordinate of a mixture of Gaussians is below `at`.
pub(crate) fn below(target: &dyn Density, axis: usize, at: f64) -> f64 {
    let one = |mode: &Mode| {
        mode.weight * 0.5 * libm::erfc((mode.at[axis] - at) / (2.0 * mode.covariance[(axis, axis)]).sqrt())
    };
    target.info().modes.iter().map(one).sum()
}

/// The quantiles (i + ½)/n of that coordinate, by bisection.
pub(crate) fn quantiles(target: &dyn Density, axis: usize, count: usize) -> Vec<f64> {
    let mut least = -50.0;
    let mut one = |number: usize| {
        let share = (number as f64 + 0.5) / count as f64;
        let mut ends = (least, 50.0);
        for _ in 0..45 {
            let middle = (ends.0 + ends.1) / 2.0;
            *(if below(target, axis, middle) < share { &mut ends.0 } else { &mut ends.1 }) = middle;
        }
        least = ends.0;
        least
    };
    (0..count).map(&mut one).collect()
}

/// A mixture whose components are well separated, so that they are its modes.
#[derive(Debug)]
pub(crate) struct Mixture {
    info: TargetInfo,
    exact: bool,
}

impl Mixture {
    /// Components (weight, Gaussian) seen through `view`.
    pub(crate) fn new(dimension: usize, components: &[(f64, Gaussian)], view: Bounds) -> Self {
        let mode = |&(weight, Gaussian { mean: at, covariance }): &(f64, Gaussian)| Mode { at, weight, covariance };
        let mean: Point = components.iter().map(|(weight, part)| part.mean * *weight).sum();
        let spread = |part: &Gaussian| part.covariance + (part.mean - mean) * (part.mean - mean).transpose();
        let covariance: Matrix = components.iter().map(|(weight, part)| spread(part) * *weight).sum();
        let info = TargetInfo {
            dimension,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view,
            modes: components.iter().map(mode).collect(),
            log_normaliser: 1.5,
            mean,
            covariance,
            start: Point::zeros(),
            unknown: None,
        };
        Self { info, exact: true }
    }

    /// The same density without exact draws.
    pub(crate) fn inexact(mut self) -> Self {
        self.exact = false;
        self
    }

    /// The same density, of which no covariance is known.
    pub(crate) fn without_covariance(mut self) -> Self {
        self.info.covariance = Matrix::zeros();
        self
    }

    /// The 25 Gaussians of the published experiment.
    pub(crate) fn grid() -> Self {
        let centre = |index: i32| Point::new(f64::from(index % 5) * 2.0 - 4.0, f64::from(index / 5) * 2.0 - 4.0);
        let part = |index| (0.04, Gaussian { mean: centre(index), covariance: Matrix::identity() * 0.03 });
        let components: Vec<_> = (0..25).map(part).collect();
        Self::new(2, &components, Bounds::new((-6.0, 6.0), (-6.0, 6.0)))
    }

    /// One correlated Gaussian.
    pub(crate) fn single() -> Self {
        let part = Gaussian { mean: Point::new(1.0, -0.5), covariance: Matrix::new(1.0, 0.6, 0.6, 2.0) };
        Self::new(2, &[(1.0, part)], Bounds::new((-4.0, 6.0), (-7.0, 6.0)))
    }

    /// The standard Gaussian on the line.
    pub(crate) fn standard() -> Self {
        let part = Gaussian { mean: Point::zeros(), covariance: Matrix::new(1.0, 0.0, 0.0, 0.0) };
        Self::new(1, &[(1.0, part)], Bounds::new((-6.0, 6.0), (0.0, 1.0)))
    }

    /// Two unequal Gaussians on the line.
    pub(crate) fn line() -> Self {
        let part = |weight, mean, variance| {
            let covariance = Matrix::new(variance, 0.0, 0.0, 0.0);
            (weight, Gaussian { mean: Point::new(mean, 0.0), covariance })
        };
        Self::new(1, &[part(0.25, -2.0, 0.04), part(0.75, 2.0, 0.09)], Bounds::new((-5.0, 5.0), (0.0, 1.0)))
    }

    pub(crate) fn shared(self) -> Arc<dyn Density> {
        Arc::new(self)
    }

    fn component(&self, mode: &Mode, at: Point) -> f64 {
        if self.info.dimension == 2 {
            let part = Gaussian { mean: mode.at, covariance: mode.covariance };
            return mode.weight * part.log_density(at).exp();
        }
        let variance = mode.covariance[(0, 0)];
        mode.weight * (-0.5 * (at.x - mode.at.x).powi(2) / variance).exp() / (std::f64::consts::TAU * variance).sqrt()
    }
}

impl Density for Mixture {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        let density: f64 = self.info.modes.iter().map(|mode| self.component(mode, at)).sum();
        density.ln() + self.info.log_normaliser
    }

    fn gradient(&self, _at: Point) -> Point {
        Point::zeros()
    }

    fn hessian(&self, _at: Point) -> Matrix {
        Matrix::zeros()
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        if !self.exact {
            return None;
        }
        let mut left = stream.uniform();
        let (first, second) = stream.normal_pair();
        let mode = self.info.modes.iter().find(|mode| {
            left -= mode.weight;
            left < 0.0
        })?;
        if self.info.dimension == 1 {
            return Some(mode.at + Point::new(mode.covariance[(0, 0)].sqrt() * first, 0.0));
        }
        let root = Gaussian { mean: mode.at, covariance: mode.covariance }.cholesky()?;
        Some(mode.at + root * Point::new(first, second))
    }
}

/// The posterior of two means (Welling and Teh 2011, Section 5.1) on 100 quantiles of the data's distribution, which counts how often it is
/// evaluated.
#[derive(Debug)]
pub(crate) struct Posterior {
    info: TargetInfo,
    data: Vec<f64>,
    evaluations: AtomicUsize,
}

impl Posterior {
    pub(crate) fn quantile100() -> Self {
        let mode = |x, y, weight, (a, b, c)| Mode {
            at: Point::new(x, y),
            weight,
            covariance: Matrix::new(a, b, b, c).try_inverse().expect("positive definite"),
        };
        let info = TargetInfo {
            dimension: 2,
            axes: ["θ₁", "θ₂"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds::new((-1.6, 2.6), (-3.2, 3.2)),
            modes: vec![
                mode(0.25365, 0.49166, 0.5, (48.637, 24.2715, 12.9491)),
                mode(0.70759, -0.41808, 0.5, (49.0329, 24.4592, 12.7264)),
            ],
            log_normaliser: -185.147_505,
            mean: Point::new(0.49028, 0.01731),
            covariance: Matrix::new(0.19435, -0.34611, -0.34611, 0.69386),
            start: Point::zeros(),
            unknown: None,
        };
        let data = (1..=100).map(|i| quantile((f64::from(i) - 0.5) / 100.0)).collect();
        Self { info, data, evaluations: AtomicUsize::new(0) }
    }

    pub(crate) fn evaluations(&self) -> usize {
        self.evaluations.load(Ordering::Relaxed)
    }
}

/// The inverse distribution function of ½N(0,2) + ½N(1,2), by bisection.
fn quantile(share: f64) -> f64 {
    let below = |x: f64| 0.5 + 0.25 * (libm::erf(x / 2.0) + libm::erf((x - 1.0) / 2.0));
    let mut ends = (-20.0, 20.0);
    for _ in 0..80 {
        let middle = (ends.0 + ends.1) / 2.0;
        *(if below(middle) < share { &mut ends.0 } else { &mut ends.1 }) = middle;
    }
    ends.0
}

impl Density for Posterior {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        let normal = |x: f64, mean: f64, variance: f64| {
            (-0.5 * (x - mean).powi(2) / variance).exp() / (std::f64::consts::TAU * variance).sqrt()
        };
        let datum = |&x: &f64| (0.5 * normal(x, at.x, 2.0) + 0.5 * normal(x, at.x + at.y, 2.0)).ln();
        normal(at.x, 0.0, 10.0).ln() + normal(at.y, 0.0, 1.0).ln() + self.data.iter().map(datum).sum::<f64>()
    }

    fn gradient(&self, _at: Point) -> Point {
        Point::zeros()
    }

    fn hessian(&self, _at: Point) -> Matrix {
        Matrix::zeros()
    }
}

/// Two independent exponential distributions of rate 2: a density that jumps at the boundary of its support.
#[derive(Debug)]
pub(crate) struct Exponentials(TargetInfo);

impl Exponentials {
    pub(crate) fn new() -> Self {
        let mut info = Mixture::single().info;
        info.support.min = Point::zeros();
        info.view = Bounds::new((-0.31, 5.0), (-0.27, 5.0));
        info.log_normaliser = 0.0;
        info.modes[0].at = Point::repeat(1e-9);
        Self(info)
    }
}

impl Density for Exponentials {
    fn info(&self) -> &TargetInfo {
        &self.0
    }

    fn log_density(&self, at: Point) -> f64 {
        if self.0.support.contains(at) { 4.0_f64.ln() - 2.0 * (at.x + at.y) } else { f64::NEG_INFINITY }
    }

    fn gradient(&self, _at: Point) -> Point {
        Point::zeros()
    }

    fn hessian(&self, _at: Point) -> Matrix {
        Matrix::zeros()
    }
}
