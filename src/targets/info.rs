//! What a target declares about itself besides its density.

use crate::math::{Bounds, Matrix, Point};

/// Where a density is positive, one interval per coordinate (open ends at ±∞).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Lower ends.
    pub min: Point,
    /// Upper ends.
    pub max: Point,
}

impl Support {
    /// The whole plane.
    #[must_use]
    pub fn everywhere() -> Self {
        Self { min: Point::repeat(f64::NEG_INFINITY), max: Point::repeat(f64::INFINITY) }
    }

    /// Whether `point` lies strictly inside.
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        (0..2).all(|axis| point[axis] > self.min[axis] && point[axis] < self.max[axis])
    }
}

/// What a chain does at the boundary of the support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Nothing: the support is the whole space, or the chain may leave it.
    Open,
    /// A step across the boundary is folded back.
    Reflect,
    /// The chain uses the logit of θ as its coordinate, of a coordinate without upper bound as [`Log`](Self::Log) does; log
    /// density and gradient include the Jacobian.
    Logit,
    /// The chain uses ln(θ − l) in coordinates with a lower bound l and no upper one, of a coordinate with two bounds as
    /// [`Logit`](Self::Logit) does; the Jacobian is included.
    Log,
}

/// A local maximum of the density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Its position.
    pub at: Point,
    /// The probability of its basin, the points to which this mode is the nearest, in (0, 1]; all weights add up to 1.
    pub weight: f64,
    /// Covariance at the mode: of the mixture component if there is one, otherwise that of the Laplace approximation.
    pub covariance: Matrix,
}

/// Everything a target declares about itself besides its density.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetInfo {
    /// 1 or 2.
    pub dimension: usize,
    /// Names of the coordinates, as labels of the axes: `θ₁`.
    pub axes: [&'static str; 2],
    /// Where the density is positive.
    pub support: Support,
    /// What a chain does at the boundary of the support.
    pub boundary: Boundary,
    /// A box that shows the density well.
    pub view: Bounds,
    /// Its modes. Empty if there is no isolated one, as on a ring, all of whose points are equally high. Then measures
    /// that count, weigh or compare modes do not apply, and [`start`](Self::start) is one of the highest points.
    pub modes: Vec<Mode>,
    /// log ∫ exp(log density).
    pub log_normaliser: f64,
    /// Mean of the density; NaN along an axis with tails that are too heavy for one.
    pub mean: Point,
    /// Covariance of the density; NaN where tails are too heavy for it.
    pub covariance: Matrix,
    /// The default start of a chain.
    pub start: Point,
}

impl TargetInfo {
    /// Of a target in the whole plane whose density there is not known, and so has neither modes nor moments.
    #[must_use]
    pub fn unknown(axes: [&'static str; 2], view: Bounds, start: Point) -> Self {
        Self {
            dimension: 2,
            axes,
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view,
            modes: Vec::new(),
            log_normaliser: f64::NAN,
            mean: Point::repeat(f64::NAN),
            covariance: Matrix::repeat(f64::NAN),
            start,
        }
    }
}

/// Words for messages about a target without isolated modes.
pub const NO_MODES: &str = "no isolated modes";
