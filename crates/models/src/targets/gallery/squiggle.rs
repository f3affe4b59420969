//! The squiggle: a Gaussian bent by a sine.
//!
//! x ~ N(0, s²), y | x ~ N(A sin ωx, w²): the log density is −x²/2s² − (y − A sin ωx)²/2w², with normaliser ln 2πsw.
//! Since E e^{iωx} = e^{−ω²s²/2}, the moments have closed forms: mean 0, variances s² and w² + A²(1 − e^{−2ω²s²})/2,
//! covariance Aωs² e^{−ω²s²/2}. The gradient vanishes only at 0: on the ridge y = A sin ωx the density is that of x.
//! The shape is common in demonstrations of samplers; here the sine is in the mean of y and not in y itself.
//!
//! Sines come from the kernel for fractions of a turn, which has no meaning beyond 2⁴⁹ turns. Further out, where the
//! density is 0 anyway, the ridge counts as straight.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::targets::kit::analytic::{Analytic, AnalyticDensity};
use crate::targets::kit::lanewise::{FirstLane, Lanewise, saturated};
use crate::targets::{Boundary, Folder, Mode, Support, Target, TargetEntry, TargetInfo};
use base::math::elementary::{exp, ln, sin_cos_2pi};
use base::math::{Bounds, Matrix, Point, Stream};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Standard deviations that the view shows along and across the ridge.
const VIEW_RANGE: f64 = 4.0;

/// Turns of the sine beyond which it counts as 0, well below the limit of the kernel.
const MAX_TURNS: f64 = 1e12;

const PARAMS: [ParamSpec; 4] = [
    ParamSpec::number(
        "sd",
        "sd of x",
        2.0,
        Interval::closed(0.1, 10.0),
        (0.5, 4.0),
        "Standard deviation of x: how far the squiggle reaches to either side.",
    ),
    ParamSpec::number(
        "amplitude",
        "amplitude A",
        1.5,
        Interval::closed(0.0, 10.0),
        (0.0, 3.0),
        "Height of the waves. With 0 the target is a Gaussian.",
    ),
    ParamSpec::number(
        "frequency",
        "frequency ω",
        1.5,
        Interval::closed(0.1, 10.0),
        (0.5, 5.0),
        "Frequency of the waves in radians per unit of x: one wave is 2π/ω long.",
    ),
    ParamSpec::number(
        "width",
        "width",
        0.35,
        Interval::closed(0.05, 10.0),
        (0.1, 2.0),
        "Standard deviation of y about the wave. A narrow ridge needs small steps.",
    )
    .log(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "squiggle",
    label: "Squiggle",
    help: "A Gaussian bent by a sine: a narrow ridge whose direction changes everywhere. It has a single mode, but chains \
           move slowly along the ridge.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let [sd, amplitude, frequency, width] = ["sd", "amplitude", "frequency", "width"].map(|key| settings.number(key));
    let precision = [1.0 / (sd * sd), 1.0 / (width * width)];
    let density = Squiggle { sd, amplitude, frequency, width, precision };
    Ok(Target::plane(Arc::new(Analytic { info: density.info(), density })))
}

/// The density.
#[derive(Clone, Copy, Debug)]
struct Squiggle {
    /// s.
    sd: f64,
    /// A.
    amplitude: f64,
    /// ω.
    frequency: f64,
    /// w.
    width: f64,
    /// 1/s² and 1/w².
    precision: [f64; 2],
}

impl Squiggle {
    /// A sin ωx and its derivative.
    #[inline(always)]
    fn wave(&self, x: f64) -> (f64, f64) {
        let turns = x * (self.frequency / TAU);
        let near = if turns.abs() <= MAX_TURNS { turns } else { 0.0 };
        let (sine, cosine) = sin_cos_2pi(near);
        (self.amplitude * sine, self.amplitude * self.frequency * cosine)
    }

    /// The point made of two independent standard normals.
    fn image(&self, normals: Point) -> Point {
        let x = self.sd * normals.x;
        Point::new(x, self.wave(x).0 + self.width * normals.y)
    }

    fn info(&self) -> TargetInfo {
        let Self { sd, amplitude, frequency, width, .. } = *self;
        let (variance, phase) = (sd * sd, frequency * frequency * sd * sd);
        let (steepest, noise) = (amplitude * frequency, width * width);
        let mixed = steepest * variance * exp(-0.5 * phase);
        let height = noise + 0.5 * amplitude * amplitude * (1.0 - exp(-2.0 * phase));
        let half = Point::new(VIEW_RANGE * sd, amplitude + VIEW_RANGE * width);
        let tangent = steepest * variance;
        TargetInfo {
            dimension: 2,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds { min: -half, max: half },
            modes: vec![Mode {
                at: Point::zeros(),
                weight: 1.0,
                covariance: Matrix::new(variance, tangent, tangent, noise + steepest * tangent),
            }],
            log_normaliser: ln(TAU * sd * width),
            mean: Point::zeros(),
            covariance: Matrix::new(variance, mixed, mixed, height),
            // At one end of the ridge, so that the path along the waves is visible.
            start: Point::new(-2.0 * sd, self.wave(-2.0 * sd).0),
            unknown: None,
        }
    }
}

impl Lanewise for Squiggle {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            let (wave, slope) = self.wave(x[i]);
            let pull = saturated(self.precision[1] * (y[i] - wave));
            gx[i] = slope * pull - self.precision[0] * x[i];
            gy[i] = -pull;
        }
        (gx, gy)
    }
}

impl AnalyticDensity for Squiggle {
    fn log_density(&self, at: Point) -> f64 {
        let (along, across) = (at.x / self.sd, (at.y - self.wave(at.x).0) / self.width);
        -0.5 * (along * along + across * across)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let [along, across] = self.precision;
        let (wave, slope) = self.wave(at.x);
        let curvature = -self.frequency * self.frequency * wave;
        let xx = across * (curvature * (at.y - wave) - slope * slope) - along;
        Matrix::new(xx, across * slope, across * slope, -across)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Point {
        let (first, second) = stream.normal_pair();
        self.image(Point::new(first, second))
    }

    fn conditional_draw(&self, axis: usize, at: Point, [_, normal]: [f64; 2]) -> Option<f64> {
        (axis == 1).then(|| self.wave(at.x).0 + self.width * normal)
    }

    fn image_of_normals(&self, normals: Point) -> Option<Point> {
        Some(self.image(normals))
    }
}
