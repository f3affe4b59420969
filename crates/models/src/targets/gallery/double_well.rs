//! The double well: two wells of a potential on the line, with a barrier between them.
//!
//! U = h ((x/w)⁴ − 2 (x/w)²): wells at ±w, and a barrier of height h between them. With h = w = 1 it is U = −2x² + x⁴,
//! the potential of Chen, Fox and Guestrin, "Stochastic gradient Hamiltonian Monte Carlo" (2014, arXiv:1402.4102), Fig.
//! 1, for which E x² = 0.83275. The log density is −U. Normaliser and variance come from quadrature, modes and their
//! curvature 8h/w² from the formula; by symmetry the mean is 0 and each well has probability ½.
//!
//! Draws: for t = x/w > 0, −h (t² − 1)² = −h (t − 1)² (t + 1)² ≤ −h (t − 1)², so draws of N(1, 1/2h) that are positive
//! are kept with probability exp(−h (t − 1)² ((t + 1)² − 1)), about a half of them, and given either sign.

use std::sync::Arc;

use crate::families::LINE;
use crate::targets::kit::analytic::{Analytic, AnalyticDensity};
use crate::targets::kit::lanewise::{FirstLane, Lanewise};
use crate::targets::{Boundary, Folder, Mode, Support, Target, TargetEntry, TargetInfo};
use base::math::elementary::{exp, ln};
use base::math::{Bounds, Matrix, Point, Stream};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Depth of what the view shows below the highest point, as a difference of log densities.
const VIEW_DEPTH: f64 = 12.0;

/// Nodes of the quadrature on one side, and the depth at which it ends.
const NODES: u32 = 1500;
const DEPTH: f64 = 45.0;

/// Height of the view in peaks of the density.
const VIEW_HEIGHT: f64 = 1.15;

const PARAMS: [ParamSpec; 2] = [
    ParamSpec::number(
        "barrier",
        "barrier h",
        1.0,
        Interval::closed(0.01, 100.0),
        (0.2, 10.0),
        "Height of the barrier between the wells, as a difference of log densities: the time to cross it grows like exp(h).",
    )
    .log(),
    ParamSpec::number(
        "wells",
        "well position w",
        1.0,
        Interval::closed(0.05, 20.0),
        (0.5, 3.0),
        "The wells are at −w and w.",
    ),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "double-well",
    label: "Double well",
    help: "Two wells with a barrier between them, on the line: the potential −2x² + x⁴ on which Chen, Fox and Guestrin \
           (2014) show the effect of noisy gradients on Hamiltonian Monte Carlo.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { family: &LINE, ..TargetEntry::new(SPEC, build) };

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let density = DoubleWell { barrier: settings.number("barrier"), wells: settings.number("wells") };
    Ok(Target::plane(Arc::new(Analytic { info: density.info(), density })))
}

/// How far out, in distances of the wells, the density is e^−depth of its highest value.
fn reach(barrier: f64, depth: f64) -> f64 {
    (1.0 + (depth / barrier).sqrt()).sqrt()
}

/// The density.
#[derive(Clone, Copy, Debug)]
struct DoubleWell {
    /// h.
    barrier: f64,
    /// w.
    wells: f64,
}

impl DoubleWell {
    /// log ∫ exp(−U) and E x², by the trapezoidal rule from 0 on.
    ///
    /// All derivatives vanish at either end, nearly or by symmetry, so it converges faster than any power of the spacing;
    /// with [`NODES`] a well is a few dozen spacings wide at the highest barrier.
    fn integrals(&self) -> (f64, f64) {
        let Self { barrier, wells } = *self;
        let spacing = reach(barrier, DEPTH) / f64::from(NODES);
        let (mut mass, mut square) = (0.5 * exp(-barrier), 0.0);
        for node in 1..=NODES {
            let share = f64::from(node) * spacing;
            let gap = share * share - 1.0;
            let density = exp(-barrier * gap * gap);
            mass += density;
            square += density * share * share;
        }
        (barrier + ln(2.0 * mass * spacing * wells), wells * wells * square / mass)
    }

    fn info(&self) -> TargetInfo {
        let Self { barrier, wells } = *self;
        let peaks = [Point::new(-wells, 0.0), Point::new(wells, 0.0)];
        let (log_normaliser, square) = self.integrals();
        let line = |variance: f64| Matrix::new(variance, 0.0, 0.0, 0.0);
        let half = wells * reach(barrier, VIEW_DEPTH);
        let laplace = wells * wells / (8.0 * barrier);
        TargetInfo {
            dimension: 1,
            axes: ["x", ""],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds::new((-half, half), (0.0, VIEW_HEIGHT * exp(barrier - log_normaliser))),
            modes: peaks.map(|at| Mode { at, weight: 0.5, covariance: line(laplace) }).to_vec(),
            log_normaliser,
            mean: Point::zeros(),
            covariance: line(square),
            // In one of the wells, so that the chain has to find the other.
            start: peaks[0],
            unknown: None,
        }
    }
}

impl Lanewise for DoubleWell {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], _y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let slope = 4.0 * self.barrier / self.wells;
        let pull = |x: f64| {
            let share = x / self.wells;
            slope * share * (1.0 - share * share)
        };
        (x.map(pull), [0.0; L])
    }
}

impl AnalyticDensity for DoubleWell {
    fn log_density(&self, at: Point) -> f64 {
        let square = (at.x / self.wells) * (at.x / self.wells);
        self.barrier * (square * (2.0 - square))
    }

    fn hessian(&self, at: Point) -> Matrix {
        let square = (at.x / self.wells) * (at.x / self.wells);
        let curvature = 4.0 * self.barrier / (self.wells * self.wells);
        Matrix::new(curvature * (1.0 - 3.0 * square), 0.0, 0.0, 0.0)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Point {
        let sd = (0.5 / self.barrier).sqrt();
        loop {
            let (normal, _) = stream.normal_pair();
            let share = 1.0 + sd * normal;
            let (gap, sum) = (share - 1.0, share + 1.0);
            if share > 0.0 && stream.uniform() < exp(-self.barrier * gap * gap * (sum * sum - 1.0)) {
                let side = if stream.uniform() < 0.5 { -self.wells } else { self.wells };
                return Point::new(side * share, 0.0);
            }
        }
    }
}
