//! A grid of equal isotropic Gaussians, the multimodal test density of cyclical SG-MCMC.
//!
//! p(x, y) = (rows · columns)⁻¹ Σ N((x, y); (cⱼ, cᵢ), v I), centres `spacing` apart and symmetric about 0.
//! With the defaults these are the 25 Gaussians of Zhang, Li, Zhang, Chen and Wilson, "Cyclical stochastic
//! gradient MCMC for Bayesian deep learning" (2020, arXiv:1902.03932).
//!
//! The density is a product of two one-dimensional mixtures with equally spaced centres ([`comb`]).

mod comb;

use std::sync::Arc;

use self::comb::Comb;
use crate::targets::kit::lanewise::{FirstLane, Lanewise, LanewiseSweep};
use crate::targets::{Boundary, Density, EulerSteps, Folder, Mode, Support, Target, TargetEntry, TargetInfo};
use base::math::{Bounds, Matrix, Point, Simd, Stream, crossed};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

const COUNT: Interval = Interval::closed(1.0, 20.0);
const LENGTH: Interval = Interval::closed(1e-3, 1e4);
const VARIANCE: Interval = Interval::closed(1e-6, 1e4);

const PARAMS: [ParamSpec; 4] = [
    ParamSpec::integer("rows", "rows", 5.0, COUNT, (1.0, 10.0), "Number of rows of Gaussians."),
    ParamSpec::integer("columns", "columns", 5.0, COUNT, (1.0, 10.0), "Number of columns of Gaussians."),
    ParamSpec::number(
        "spacing",
        "spacing",
        2.0,
        LENGTH,
        (0.5, 5.0),
        "Distance between neighbouring centres. With a large one, chains have to cross deep valleys.",
    ),
    ParamSpec::number(
        "variance",
        "variance",
        0.03,
        VARIANCE,
        (0.005, 1.0),
        "Variance of each Gaussian, the same in every direction. Langevin steps are stable only below twice this number.",
    )
    .log(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "gaussian-grid",
    label: "Grid of Gaussians",
    help: "Equal round Gaussians on a regular grid. With small steps, a chain stays in the Gaussian where it started: the \
           standard test of whether a method moves between modes.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let (spacing, variance) = (settings.number("spacing"), settings.number("variance"));
    let comb = |key| Comb::new(settings.number(key), spacing, variance);
    Ok(Target::plane(Arc::new(GaussianGrid::new(comb("columns"), comb("rows")))))
}

/// The product of a mixture in x and one in y.
#[derive(Clone, Debug)]
struct GaussianGrid {
    x: Comb,
    y: Comb,
    info: TargetInfo,
}

impl GaussianGrid {
    fn new(x: Comb, y: Comb) -> Self {
        let (across, up) = (x.modes(), y.modes());
        let modes = up.iter().flat_map(|row| across.iter().map(|column| crossing(column, row))).collect();
        let half = Point::new(x.half_width(), y.half_width());
        let info = TargetInfo {
            dimension: 2,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds { min: -half, max: half },
            modes,
            log_normaliser: 0.0,
            mean: Point::zeros(),
            covariance: Matrix::from_diagonal(&Point::new(x.total_variance(), y.total_variance())),
            start: Point::zeros(),
            unknown: None,
        };
        Self { x, y, info }
    }
}

/// The mode where a column's and a row's mode meet.
fn crossing(column: &Mode, row: &Mode) -> Mode {
    Mode {
        at: Point::new(column.at.x, row.at.x),
        weight: column.weight * row.weight,
        covariance: Matrix::from_diagonal(&Point::new(column.covariance.m11, row.covariance.m11)),
    }
}

impl Density for GaussianGrid {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        self.x.log_density_at(at.x) + self.y.log_density_at(at.y)
    }

    fn gradient(&self, at: Point) -> Point {
        Point::new(self.x.slope_at(at.x), self.y.slope_at(at.y))
    }

    fn hessian(&self, at: Point) -> Matrix {
        Matrix::from_diagonal(&Point::new(self.x.curvature_at(at.x), self.y.curvature_at(at.y)))
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        if self.x.steep {
            simd.dispatch(LanewiseSweep { function: Combs::<true> { x: self.x, y: self.y }, x, y, gx, gy });
        } else {
            simd.dispatch(LanewiseSweep { function: Combs::<false> { x: self.x, y: self.y }, x, y, gx, gy });
        }
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        if self.x.steep {
            steps.through(Combs::<true> { x: self.x, y: self.y });
        } else {
            steps.through(Combs::<false> { x: self.x, y: self.y });
        }
    }

    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        Some(crossed(&self.x.intervals(x), &self.y.intervals(y)))
    }

    /// The coordinates are independent.
    fn conditional_draw(&self, axis: usize, _at: Point, [uniform, normal]: [f64; 2]) -> Option<f64> {
        let comb = if axis == 0 { &self.x } else { &self.y };
        let index = (uniform * comb.count).floor().min(comb.count - 1.0);
        Some(comb.centre(index) + comb.variance.sqrt() * normal)
    }

    #[expect(clippy::cast_sign_loss, reason = "at most 20 rows and columns")]
    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        let column = f64::from(stream.below(self.x.count as u32));
        let row = f64::from(stream.below(self.y.count as u32));
        let sd = self.x.variance.sqrt();
        let (first, second) = stream.normal_pair();
        Some(Point::new(self.x.centre(column) + sd * first, self.y.centre(row) + sd * second))
    }
}

/// The gradient; both combs are steep or neither is, since they share spacing and variance.
struct Combs<const STEEP: bool> {
    x: Comb,
    y: Comb,
}

impl<const STEEP: bool> Lanewise for Combs<STEEP> {
    const HAS_SHORTCUT: bool = STEEP;

    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        if STEEP { (self.x.steep_slopes(*x), self.y.steep_slopes(*y)) } else { (self.x.slopes(*x), self.y.slopes(*y)) }
    }

    #[inline(always)]
    fn shortcut(&self, x: f64, y: f64) -> (f64, f64, bool) {
        let ((gx, alone_x), (gy, alone_y)) = (self.x.slope_alone(x), self.y.slope_alone(y));
        (gx, gy, alone_x & alone_y)
    }
}
