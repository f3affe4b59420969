//! Neal's funnel in the plane.
//!
//! v ~ N(0, s²), x | v ~ N(0, eᵛ), s = 3 by default (Neal 2003, "Slice sampling", Annals of Statistics 31, with one x
//! instead of nine). The log density is −v²/2s² − v/2 − x²e⁻ᵛ/2, so its normaliser is ln 2πs. Mean 0, variances
//! e^{s²/2} and s², no correlation. The only mode, (0, −s²/2), is in the neck: far from most of the mass, and, with
//! curvature e^{s²/2}, much narrower. x has tails like those of a lognormal distribution: its variance comes from v
//! around s², where draws are rare.
//!
//! The probability of a cell is ∫ N(v; 0, s²) (Φ(x₁e^{−v/2}) − Φ(x₀e^{−v/2})) dv over its rows, by a Gauss–Legendre
//! rule. The integral along x is exact, so the neck may be much narrower than a cell. About a hundredth of the mass is
//! outside the view, beside the mouth: in a view of all of it, the rest of the funnel would be a line.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::targets::kit::analytic::{Analytic, AnalyticDensity};
use crate::targets::kit::basins::RULE;
use crate::targets::kit::lanewise::{FirstLane, Lanewise};
use crate::targets::{Boundary, Folder, Mode, Support, Target, TargetEntry, TargetInfo};
use base::math::elementary::{exp, ln};
use base::math::{Bounds, Matrix, Point, Stream, normal_interval};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Standard deviations of v that the view shows.
const VIEW_RANGE: f64 = 3.5;

/// Half the width of the view, in standard deviations of x at v = 2s.
const VIEW_WIDTH: f64 = 1.25;

/// Largest |v|/2, beyond which its exponential would overflow; the density is 0 long before.
const FURTHEST: f64 = 350.0;

/// Height of the panels to which the rule is applied, at most: seven digits where densities fall as steeply as in the
/// last cells that count.
const PANEL: f64 = 0.2;

const PARAMS: [ParamSpec; 1] = [ParamSpec::number(
    "sd",
    "sd of v",
    3.0,
    Interval::closed(0.1, 5.0),
    (0.5, 4.0),
    "Standard deviation of v, the logarithm of the variance of x. With a large value, neck and mouth differ more in width.",
)];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "funnel",
    label: "Neal's funnel",
    help: "A funnel: v is normal, and x is normal with variance exp(v) (Neal 2003), as in a hierarchical model with few \
           data. Steps short enough for the neck are far too short for the mouth; with one step size, a method misses one \
           of them.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let sd = settings.number("sd");
    let density = Funnel { sd, precision: 1.0 / (sd * sd) };
    Ok(Target::plane(Arc::new(Analytic { info: density.info(), density })))
}

/// The density.
#[derive(Clone, Copy, Debug)]
struct Funnel {
    /// s.
    sd: f64,
    /// 1/s².
    precision: f64,
}

/// e^{−v/2}, by which x is divided to have variance 1; finite and positive.
#[inline(always)]
fn narrowness(v: f64) -> f64 {
    let half = -0.5 * v;
    let below = if half > FURTHEST { FURTHEST } else { half };
    exp(if below < -FURTHEST { -FURTHEST } else { below })
}

impl Funnel {
    /// The point made of two independent standard normals.
    fn image(&self, normals: Point) -> Point {
        let v = self.sd * normals.x;
        Point::new(normals.y * exp(0.5 * v), v)
    }

    fn info(&self) -> TargetInfo {
        let variance = self.sd * self.sd;
        let half = Point::new(VIEW_WIDTH * exp(self.sd), VIEW_RANGE * self.sd);
        TargetInfo {
            dimension: 2,
            axes: ["x", "v"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds { min: -half, max: half },
            modes: vec![Mode {
                at: Point::new(0.0, -0.5 * variance),
                weight: 1.0,
                covariance: Matrix::from_diagonal(&Point::new(exp(-0.5 * variance), variance)),
            }],
            log_normaliser: ln(TAU * self.sd),
            mean: Point::zeros(),
            covariance: Matrix::from_diagonal(&Point::new(exp(0.5 * variance), variance)),
            // In the mouth, so that the chain has to find the neck.
            start: Point::new(0.0, self.sd),
            unknown: None,
        }
    }

    /// The density of v.
    fn of_v(&self, v: f64) -> f64 {
        exp(-0.5 * v * v * self.precision) / (TAU.sqrt() * self.sd)
    }

    /// Adds the probabilities of the cells between the edges `x` and from `low` to `high`, one panel, to `row`.
    fn add_panel(&self, x: &[f64], low: f64, high: f64, row: &mut [f64]) {
        for (share, weight) in RULE {
            let v = low + (high - low) * share;
            let (mass, scale) = (weight * (high - low) * self.of_v(v), narrowness(v));
            for (sum, ends) in row.iter_mut().zip(x.windows(2)) {
                *sum += mass * normal_interval(ends[0] * scale, ends[1] * scale);
            }
        }
    }
}

impl Lanewise for Funnel {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            let scale = narrowness(y[i]);
            let deviation = x[i] * scale;
            gx[i] = -deviation * scale;
            gy[i] = 0.5 * (deviation * deviation - 1.0) - self.precision * y[i];
        }
        (gx, gy)
    }
}

impl AnalyticDensity for Funnel {
    fn log_density(&self, at: Point) -> f64 {
        let (deviation, height) = (at.x * narrowness(at.y), at.y / self.sd);
        -0.5 * (height * height + at.y + deviation * deviation)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let scale = narrowness(at.y);
        let deviation = at.x * scale;
        let mixed = deviation * scale;
        Matrix::new(-scale * scale, mixed, mixed, -0.5 * deviation * deviation - self.precision)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Point {
        let (first, second) = stream.normal_pair();
        self.image(Point::new(first, second))
    }

    fn conditional_draw(&self, axis: usize, at: Point, [_, normal]: [f64; 2]) -> Option<f64> {
        (axis == 0).then(|| normal * exp(0.5 * at.y))
    }

    fn image_of_normals(&self, normals: Point) -> Option<Point> {
        Some(self.image(normals))
    }

    #[expect(clippy::cast_sign_loss, reason = "few panels")]
    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let columns = x.len().saturating_sub(1);
        let mut cells = vec![0.0; columns * y.len().saturating_sub(1)];
        for (row, ends) in cells.chunks_exact_mut(columns.max(1)).zip(y.windows(2)) {
            let panels = ((ends[1] - ends[0]) / PANEL).ceil().max(1.0) as usize;
            let edge = |panel: usize| ends[0] + (ends[1] - ends[0]) * (panel as f64 / panels as f64);
            (0..panels).for_each(|panel| self.add_panel(x, edge(panel), edge(panel + 1), row));
        }
        Some(cells)
    }
}
