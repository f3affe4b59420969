//! Targets with known moments and densities, for tests of plots.

#![expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform")]

use base::math::{Bounds, Matrix, Moments, Point};
use models::targets::{Boundary, Density, Mode, Support, TargetInfo};

/// A mixture of equal Gaussians in the plane, or a beta distribution on the unit interval.
#[derive(Debug)]
pub struct Fake {
    info: TargetInfo,
    variance: f64,
}

impl Fake {
    /// A mixture of Gaussians with the given centres and variance; the view reaches from −`half` to `half`.
    #[expect(clippy::unwrap_used, reason = "a test ends where it has no centres")]
    pub fn mixture(centres: &[Point], variance: f64, half: f64) -> Self {
        let covariance = Matrix::identity() * variance;
        let weight = 1.0 / centres.len() as f64;
        let modes = centres.iter().map(|&at| Mode { at, weight, covariance }).collect();
        let mut moments = Moments::default();
        centres.iter().for_each(|&at| moments.add(at, 1.0));
        let overall = moments.gaussian().unwrap();
        let info = TargetInfo {
            dimension: 2,
            axes: ["θ₁", "θ₂"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds::new((-half, half), (-half, half)),
            modes,
            log_normaliser: (std::f64::consts::TAU * variance * centres.len() as f64).ln(),
            mean: overall.mean,
            covariance: overall.covariance + covariance,
            start: Point::zeros(),
            unknown: None,
        };
        Self { info, variance }
    }

    /// 5 × 5 Gaussians, as in the experiment with 25 modes.
    pub fn grid() -> Self {
        let centre = |index: i32| Point::new(f64::from(index % 5) * 2.0 - 4.0, f64::from(index / 5) * 2.0 - 4.0);
        Self::mixture(&(0..25).map(centre).collect::<Vec<_>>(), 0.03, 5.5)
    }

    /// The same with another view, whatever it is.
    pub fn seen_in(mut self, view: Bounds) -> Self {
        self.info.view = view;
        self
    }

    /// Beta(40, 75) on the unit interval.
    pub fn beta() -> Self {
        let (a, b) = (40.0_f64, 75.0);
        let (mean, at) = (a / (a + b), (a - 1.0) / (a + b - 2.0));
        let variance = mean * (1.0 - mean) / (a + b + 1.0);
        let covariance = Matrix::new(variance, 0.0, 0.0, 0.0);
        let info = TargetInfo {
            dimension: 1,
            axes: ["θ", ""],
            support: Support { min: Point::zeros(), max: Point::repeat(1.0) },
            boundary: Boundary::Reflect,
            view: Bounds::new((0.1, 0.6), (-0.25, 0.25)),
            modes: vec![Mode { at: Point::new(at, 0.0), weight: 1.0, covariance }],
            log_normaliser: libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b),
            mean: Point::new(mean, 0.0),
            covariance,
            start: Point::new(0.5, 0.0),
            unknown: None,
        };
        Self { info, variance: 0.0 }
    }
}

impl Density for Fake {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        if self.info.dimension == 1 {
            let inside = at.x > 0.0 && at.x < 1.0;
            return if inside { 39.0 * at.x.ln() + 74.0 * (1.0 - at.x).ln() } else { f64::NEG_INFINITY };
        }
        let terms = self.info.modes.iter().map(|mode| -(at - mode.at).norm_squared() / (2.0 * self.variance));
        let largest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
        largest + terms.map(|term| (term - largest).exp()).sum::<f64>().ln()
    }

    fn gradient(&self, at: Point) -> Point {
        let step = 1e-5;
        let along = |by: Point| (self.log_density(at + by) - self.log_density(at - by)) / (2.0 * step);
        if self.info.dimension == 1 {
            return Point::new(39.0 / at.x - 74.0 / (1.0 - at.x), 0.0);
        }
        Point::new(along(Point::new(step, 0.0)), along(Point::new(0.0, step)))
    }

    fn hessian(&self, at: Point) -> Matrix {
        if self.info.dimension == 1 {
            return Matrix::new(-39.0 / (at.x * at.x) - 74.0 / (1.0 - at.x).powi(2), 0.0, 0.0, 0.0);
        }
        -Matrix::identity() / self.variance
    }
}
