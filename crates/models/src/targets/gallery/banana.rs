//! The banana: a Gaussian bent along a parabola.
//!
//! x ~ N(0, s²), y | x ~ N(b (x² − s²), w²); s = 2, b = ¼, w = 1 by default, which is y | x ~ N((x² − 4)/4, 1). The log
//! density is −x²/2s² − (y − b (x² − s²))²/2w², so its normaliser is ln 2πsw, ln 4π by default. With u = x²/s² of mean
//! 1 and variance 2 the moments have closed forms: mean 0, variances s² and w² + 2b²s⁴, and no correlation. The shape
//! is that of Haario, Saksman and Tamminen (1999, Computational Statistics 14), who bend a Gaussian the same way.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::targets::kit::analytic::{Analytic, AnalyticDensity};
use crate::targets::kit::lanewise::{FirstLane, Lanewise, saturated};
use crate::targets::{Boundary, Folder, Mode, Support, Target, TargetEntry, TargetInfo};
use base::math::elementary::ln;
use base::math::{Bounds, Matrix, Point, Stream};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Standard deviations of x that the view shows.
const VIEW_RANGE: f64 = 4.0;

/// Standard deviations of y about the parabola that the view shows.
const VIEW_WIDTH: f64 = 4.5;

const PARAMS: [ParamSpec; 3] = [
    ParamSpec::number(
        "sd",
        "sd of x",
        2.0,
        Interval::closed(0.1, 10.0),
        (0.5, 4.0),
        "Standard deviation of x: how far the arms of the banana reach.",
    ),
    ParamSpec::number(
        "bend",
        "bend b",
        0.25,
        Interval::closed(-5.0, 5.0),
        (0.0, 1.0),
        "Strength of the bend: the mean of y is b (x² − sd²). With 0 the target is a Gaussian.",
    ),
    ParamSpec::number(
        "width",
        "width",
        1.0,
        Interval::closed(0.05, 10.0),
        (0.1, 2.0),
        "Standard deviation of y about the parabola. A narrow banana is harder to follow.",
    )
    .log(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "banana",
    label: "Banana",
    help: "A Gaussian bent along a parabola. It has one mode, but its direction changes: a step size that suits the middle \
           is too long across the arms, and an ellipse cannot follow the bend.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let [sd, bend, width] = ["sd", "bend", "width"].map(|key| settings.number(key));
    let density = Banana { sd, bend, width, precision: [1.0 / (sd * sd), 1.0 / (width * width)] };
    Ok(Target::plane(Arc::new(Analytic { info: density.info(), density })))
}

/// The density.
#[derive(Clone, Copy, Debug)]
struct Banana {
    /// s.
    sd: f64,
    /// b.
    bend: f64,
    /// w.
    width: f64,
    /// 1/s² and 1/w².
    precision: [f64; 2],
}

impl Banana {
    /// y minus the parabola at x.
    #[inline(always)]
    fn above(&self, x: f64, y: f64) -> f64 {
        // In this order a straight banana is 0 · x², not 0 · ∞.
        y - (self.bend * x * x - self.bend * self.sd * self.sd)
    }

    /// The point made of two independent standard normals.
    fn image(&self, normals: Point) -> Point {
        let x = self.sd * normals.x;
        Point::new(x, self.bend * (x * x - self.sd * self.sd) + self.width * normals.y)
    }

    fn info(&self) -> TargetInfo {
        let Self { sd, bend, width, .. } = *self;
        let (lowest, reach) = (-bend * sd * sd, VIEW_RANGE * sd);
        let furthest = bend * (reach * reach - sd * sd);
        let margin = VIEW_WIDTH * width;
        let rows = (lowest.min(furthest) - margin, lowest.max(furthest) + margin);
        let variance = sd * sd;
        let height = width * width + 2.0 * bend * bend * (variance * variance);
        TargetInfo {
            dimension: 2,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds::new((-reach, reach), rows),
            modes: vec![Mode {
                at: Point::new(0.0, lowest),
                weight: 1.0,
                covariance: Matrix::from_diagonal(&Point::new(sd * sd, width * width)),
            }],
            log_normaliser: ln(TAU * sd * width),
            mean: Point::zeros(),
            covariance: Matrix::from_diagonal(&Point::new(sd * sd, height)),
            // On an arm, so that the path along the bend is visible.
            start: Point::new(2.0 * sd, 3.0 * bend * sd * sd),
            unknown: None,
        }
    }
}

impl Lanewise for Banana {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            let pull = saturated(self.precision[1] * self.above(x[i], y[i]));
            gx[i] = 2.0 * self.bend * x[i] * pull - self.precision[0] * x[i];
            gy[i] = -pull;
        }
        (gx, gy)
    }
}

impl AnalyticDensity for Banana {
    fn log_density(&self, at: Point) -> f64 {
        let (along, across) = (at.x / self.sd, self.above(at.x, at.y) / self.width);
        -0.5 * (along * along + across * across)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let [along, across] = self.precision;
        let slope = 2.0 * self.bend * at.x;
        let xx = across * (2.0 * self.bend * self.above(at.x, at.y) - slope * slope) - along;
        Matrix::new(xx, across * slope, across * slope, -across)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Point {
        let (first, second) = stream.normal_pair();
        self.image(Point::new(first, second))
    }

    fn conditional_draw(&self, axis: usize, at: Point, [_, normal]: [f64; 2]) -> Option<f64> {
        (axis == 1).then(|| self.width * normal - self.above(at.x, 0.0))
    }

    fn image_of_normals(&self, normals: Point) -> Option<Point> {
        Some(self.image(normals))
    }
}
