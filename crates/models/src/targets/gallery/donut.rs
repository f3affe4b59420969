//! The donut: a ring of radius R and width σ.
//!
//! log p = −(r − R)²/2σ², r the distance from the centre. All points of the ring are equally high: there is no isolated
//! mode. With k = R/σ and the partial moments Mⱼ = ∫ tʲ e^{−t²/2} dt over t > −k,
//!
//! M₀ = √2π Φ(k), M₁ = e^{−k²/2}, M₂ = M₀ − k M₁, M₃ = (k² + 2) M₁,
//!
//! the normaliser is 2πσ (R M₀ + σ M₁), and E r² = (R³M₀ + 3R²σM₁ + 3Rσ²M₂ + σ³M₃)/(R M₀ + σ M₁); the variance of
//! either coordinate is half of that. Draws: r has density ∝ r e^{−(r−R)²/2σ²}. With r₀ = R + σ²/r₀ and ln r ≤ ln r₀ +
//! r/r₀ − 1, a draw from N(r₀, σ²) that is positive is kept with probability (r/r₀) e^{1−r/r₀}.
//!
//! In the centre the density has a kink, like a cone. There the gradient counts as 0, and the curvature near the centre
//! is that at [`CLOSEST`] radii from it. No chain comes that close.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::targets::kit::analytic::{Analytic, AnalyticDensity};
use crate::targets::kit::lanewise::{FirstLane, Lanewise};
use crate::targets::{Boundary, Folder, Support, Target, TargetEntry, TargetInfo};
use base::math::elementary::{exp, ln, sin_cos_2pi};
use base::math::{Bounds, Matrix, Point, Stream, normal_cdf};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Distance from the centre, in radii of the ring, below which derivatives stay as they are.
const CLOSEST: f64 = 1e-12;

/// Widths beyond the ring that the view shows.
const VIEW_RANGE: f64 = 4.5;

/// Largest ratio of radius and width: a thinner ring falls between the cells on which densities are integrated.
const THINNEST: f64 = 50.0;

const PARAMS: [ParamSpec; 2] = [
    ParamSpec::number("radius", "radius R", 3.0, Interval::closed(0.1, 100.0), (0.5, 6.0), "Radius of the ring."),
    ParamSpec::number(
        "width",
        "width σ",
        0.3,
        Interval::closed(0.005, 100.0),
        (0.1, 2.0),
        "Standard deviation across the ring. A narrow ring needs short steps, which take long to go around it.",
    )
    .log(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "donut",
    label: "Donut",
    help: "A ring, all of whose points are equally likely. It has no isolated mode: a good method goes around it fast. \
           Measures of modes do not apply.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// If the ring is too thin to be seen.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let (radius, width) = (settings.number("radius"), settings.number("width"));
    if radius > THINNEST * width {
        let problem = format!("a ring of radius {radius} and width {width} is too thin");
        return Err(vec![ParamError::new("width", problem, format!("at least radius/{THINNEST}"))]);
    }
    let density = Donut { radius, width, precision: 1.0 / (width * width) };
    Ok(Target::plane(Arc::new(Analytic { info: density.info(), density })))
}

/// The density.
#[derive(Clone, Copy, Debug)]
struct Donut {
    /// R.
    radius: f64,
    /// σ.
    width: f64,
    /// 1/σ².
    precision: f64,
}

impl Donut {
    /// The distance from the centre with a lower bound above 0; infinite where its square is.
    #[inline(always)]
    fn distance(&self, x: f64, y: f64) -> f64 {
        let distance = (x * x + y * y).sqrt();
        let closest = CLOSEST * self.radius;
        if distance < closest { closest } else { distance }
    }

    fn info(&self) -> TargetInfo {
        let Self { radius, width, .. } = *self;
        let ratio = radius / width;
        let zeroth = TAU.sqrt() * normal_cdf(ratio);
        let first = exp(-0.5 * ratio * ratio);
        let (second, third) = (zeroth - ratio * first, (ratio * ratio + 2.0) * first);
        let mass = radius * zeroth + width * first;
        let square = radius * radius * radius * zeroth
            + 3.0 * radius * radius * width * first
            + 3.0 * radius * width * width * second
            + (width * width * width) * third;
        let half = Point::repeat(radius + VIEW_RANGE * width);
        TargetInfo {
            dimension: 2,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds { min: -half, max: half },
            modes: Vec::new(),
            log_normaliser: ln(TAU * width * mass),
            mean: Point::zeros(),
            covariance: Matrix::identity() * (0.5 * square / mass),
            start: Point::new(radius, 0.0),
            unknown: None,
        }
    }
}

impl Lanewise for Donut {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            // Where r is infinite, R/r is 0 and the rest is finite.
            let pull = self.precision * (self.radius / self.distance(x[i], y[i]) - 1.0);
            gx[i] = pull * x[i];
            gy[i] = pull * y[i];
        }
        (gx, gy)
    }
}

impl AnalyticDensity for Donut {
    fn log_density(&self, at: Point) -> f64 {
        let deviation = ((at.x * at.x + at.y * at.y).sqrt() - self.radius) / self.width;
        -0.5 * deviation * deviation
    }

    /// −1/σ² along the radius, (R/r − 1)/σ² across it.
    fn hessian(&self, at: Point) -> Matrix {
        let distance = self.distance(at.x, at.y);
        let (out, bend) = (at / distance, self.radius / distance);
        (Matrix::identity() * (bend - 1.0) - out * out.transpose() * bend) * self.precision
    }

    fn exact_draw(&self, stream: &mut Stream) -> Point {
        let Self { radius, width, .. } = *self;
        let highest = 0.5 * (radius + (radius * radius + 4.0 * width * width).sqrt());
        loop {
            let (normal, _) = stream.normal_pair();
            let distance = highest + width * normal;
            let share = distance / highest;
            if distance > 0.0 && stream.uniform() < share * exp(1.0 - share) {
                let (sine, cosine) = sin_cos_2pi(stream.uniform());
                return Point::new(distance * cosine, distance * sine);
            }
        }
    }
}
