//! The coordinates in which chains live: θ itself, or its logit where the support is an interval.
//!
//! With [`Boundary::Logit`], a coordinate θ with support (l, l + w) is sampled as z = ln((θ−l)/(l+w−θ)). The density of z
//! is p(θ) dθ/dz, dθ/dz = w s (1−s), s = 1/(1+e⁻ᶻ): the log density gains ln w + ln s + ln(1−s), the gradient is
//! multiplied by dθ/dz and gains 1 − 2s. Constants are kept, so the normaliser is that of the target.
//!
//! θ is rounded to a number of 53 bits, and far out that number is the edge itself. Hence density and derivatives are
//! evaluated at z clamped to ±[`FARTHEST`] (at a lower edge of 0, where numbers are denser, to −[`FARTHEST_FROM_ZERO`]),
//! and beyond, the log density goes on as a straight line.

use std::sync::Arc;

use super::arithmetic::{exp, ln, sigmoid};
use super::modes::{self, Surface};
use super::quadrature::Lattice;
use super::{Boundary, Data, Facts, Support, Target};
use crate::math::{Matrix, Point, Simd, Stream};

/// Where 1 − s is still a few roundings away from 0.
const FARTHEST: f64 = 35.0;

/// Where s is still far above the smallest number.
const FARTHEST_FROM_ZERO: f64 = 600.0;

/// Points whose θ are kept at a time.
const BLOCK: usize = 64;

/// Distance from the edges kept by a folded point, as a share of the interval (of 1 where it is open above): no
/// gradient is infinite there.
const EDGE: f64 = 1.0 / 9_007_199_254_740_992.0;

/// What a chain's coordinate means.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    /// θ itself.
    Plain,
    /// θ itself, folded into the interval from `min` with this `width`.
    Folded { min: f64, width: f64 },
    /// θ itself, folded to above `min`.
    Above { min: f64 },
    /// The logit of θ in the interval from `min` with this `width`.
    Logit { min: f64, width: f64 },
}

impl Axis {
    fn of(facts: &Facts, axis: usize) -> Self {
        let (min, width) = (facts.support.min[axis], facts.support.max[axis] - facts.support.min[axis]);
        match facts.boundary {
            Boundary::Logit if width.is_finite() => Self::Logit { min, width },
            Boundary::Reflect if width.is_finite() => Self::Folded { min, width },
            Boundary::Reflect if min.is_finite() => Self::Above { min },
            _ => Self::Plain,
        }
    }

    #[inline]
    fn theta_of(self, z: f64) -> f64 {
        match self {
            Self::Plain | Self::Folded { .. } | Self::Above { .. } => z,
            Self::Logit { min, width } => min + width * sigmoid(clamped(z, min)),
        }
    }

    #[inline]
    fn z_of(self, theta: f64) -> f64 {
        match self {
            Self::Plain | Self::Folded { .. } | Self::Above { .. } => theta,
            Self::Logit { min, width } => {
                let share = (theta - min) / width;
                clamped(ln(share) - ln(1.0 - share), min)
            }
        }
    }

    #[inline]
    fn fold(self, z: f64) -> f64 {
        match self {
            Self::Folded { min, width } => folded(z, min, width),
            Self::Above { min } => min + clear((z - min).abs()),
            Self::Plain | Self::Logit { .. } => z,
        }
    }
}

/// `z` kept to where θ still has digits, in an interval from `min`; NaN stays NaN.
#[inline]
fn clamped(z: f64, min: f64) -> f64 {
    let lowest = if min == 0.0 { -FARTHEST_FROM_ZERO } else { -FARTHEST };
    let z = if z > FARTHEST { FARTHEST } else { z };
    if z < lowest { lowest } else { z }
}

/// `z` reflected at the ends of an interval until it is inside, by [`EDGE`]; what is inside is not touched.
#[inline]
fn folded(z: f64, min: f64, width: f64) -> f64 {
    let place = z - min;
    let (nearest, farthest) = (width * EDGE, width * (1.0 - EDGE));
    if (place >= nearest && place <= farthest) || !place.is_finite() {
        return z;
    }
    let round = place.rem_euclid(2.0 * width);
    let inside = if round > width { 2.0 * width - round } else { round };
    min + inside.clamp(nearest, farthest)
}

/// A distance from an edge, at least [`EDGE`]; NaN stays NaN.
#[inline]
fn clear(distance: f64) -> f64 {
    if distance < EDGE { EDGE } else { distance }
}

/// The translation between the coordinates z in which chains live and θ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    axes: [Axis; 2],
}

impl Coordinates {
    /// The translation that a target with these facts asks for.
    #[must_use]
    pub fn of(facts: &Facts) -> Self {
        Self { axes: [Axis::of(facts, 0), Axis::of(facts, 1)] }
    }

    /// θ at z. With [`Boundary::Logit`] it lies strictly inside the support for every finite z.
    #[must_use]
    #[inline]
    pub fn to_theta(&self, z: Point) -> Point {
        Point::new(self.axes[0].theta_of(z.x), self.axes[1].theta_of(z.y))
    }

    /// z at θ. With [`Boundary::Logit`] it is finite for θ in the support and on its edges, NaN outside.
    #[must_use]
    #[inline]
    pub fn from_theta(&self, theta: Point) -> Point {
        Point::new(self.axes[0].z_of(theta.x), self.axes[1].z_of(theta.y))
    }

    /// With [`Boundary::Reflect`], z reflected at the edges of the support until it is inside, for every finite
    /// z; otherwise z itself.
    #[must_use]
    #[inline]
    pub fn fold(&self, z: Point) -> Point {
        Point::new(self.axes[0].fold(z.x), self.axes[1].fold(z.y))
    }

    /// Whether z is θ, fold or no fold.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        !self.axes.iter().any(|axis| matches!(axis, Axis::Logit { .. }))
    }
}

/// The target in the coordinates in which chains live: itself, or wrapped in its logit coordinates.
#[must_use]
pub fn sampling_target(target: &Arc<dyn Target>) -> Arc<dyn Target> {
    let coordinates = Coordinates::of(target.facts());
    if coordinates.is_identity() {
        return Arc::clone(target);
    }
    Arc::new(LogitTarget::new(LogitSurface { target: Arc::clone(target), coordinates }))
}

/// The density of z, without facts.
#[derive(Clone, Debug)]
struct LogitSurface {
    target: Arc<dyn Target>,
    coordinates: Coordinates,
}

/// What an axis contributes at z: dθ/dz, its logarithm, and the derivatives of that.
#[derive(Clone, Copy, Debug)]
struct Jacobian {
    slope: f64,
    log: f64,
    /// d/dz of `log`.
    gradient: f64,
    /// d²/dz² of `log`.
    curvature: f64,
}

impl Jacobian {
    #[inline]
    fn of(axis: Axis, z: f64) -> Self {
        let Axis::Logit { min, width } = axis else {
            return Self { slope: 1.0, log: 0.0, gradient: 0.0, curvature: 0.0 };
        };
        let z = clamped(z, min);
        // Not sigmoid(−z): the rounding of θ cancels where a gradient has a pole at the edge.
        let share = sigmoid(z);
        let rest = 1.0 - share;
        Self {
            slope: width * share * rest,
            // ln s + ln(1−s) = −|z| − 2 ln(1 + e^−|z|)
            log: ln(width) - z.abs() - 2.0 * ln(1.0 + exp(-z.abs())),
            gradient: rest - share,
            curvature: -2.0 * share * rest,
        }
    }
}

impl LogitSurface {
    #[inline]
    fn jacobians(&self, z: Point) -> [Jacobian; 2] {
        let [first, second] = self.coordinates.axes;
        [Jacobian::of(first, z.x), Jacobian::of(second, z.y)]
    }

    /// A gradient in θ turned into one in z, without the Jacobian's own.
    #[inline]
    fn scaled(&self, z: Point, gradient: Point) -> Point {
        let [first, second] = self.jacobians(z);
        Point::new(gradient.x * first.slope, gradient.y * second.slope)
    }

    /// The gradient of the log Jacobian.
    #[inline]
    fn own(&self, z: Point) -> Point {
        let [first, second] = self.jacobians(z);
        Point::new(first.gradient, second.gradient)
    }

    /// z where density and derivatives are evaluated, and how far the true z lies beyond.
    fn split(&self, z: Point) -> (Point, Point) {
        let kept = |axis: Axis, z: f64| match axis {
            Axis::Logit { min, .. } => clamped(z, min),
            Axis::Plain | Axis::Folded { .. } | Axis::Above { .. } => z,
        };
        let inside = Point::new(kept(self.coordinates.axes[0], z.x), kept(self.coordinates.axes[1], z.y));
        (inside, z - inside)
    }

    /// Turns gradients in θ at z into gradients in z, in place, for all points.
    fn scale_all(&self, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        for i in 0..x.len() {
            let z = Point::new(x[i], y[i]);
            let gradient = self.scaled(z, Point::new(gx[i], gy[i])) + self.own(z);
            (gx[i], gy[i]) = (gradient.x, gradient.y);
        }
    }

    /// Calls `evaluate` with θ for blocks of z; `evaluate` also receives where the block begins and ends.
    fn in_blocks(&self, x: &[f64], y: &[f64], mut evaluate: impl FnMut(&[f64], &[f64], std::ops::Range<usize>)) {
        let (mut theta_x, mut theta_y) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut begin = 0;
        for (x, y) in x.chunks(BLOCK).zip(y.chunks(BLOCK)) {
            for i in 0..x.len() {
                let theta = self.coordinates.to_theta(Point::new(x[i], y[i]));
                (theta_x[i], theta_y[i]) = (theta.x, theta.y);
            }
            evaluate(&theta_x[..x.len()], &theta_y[..x.len()], begin..begin + x.len());
            begin += x.len();
        }
    }
}

impl Surface for LogitSurface {
    fn log_density(&self, z: Point) -> f64 {
        let (inside, beyond) = self.split(z);
        let [first, second] = self.jacobians(inside);
        let inside_value = self.target.log_density(self.coordinates.to_theta(inside)) + first.log + second.log;
        // Most points are not beyond, and are spared a gradient.
        if beyond == Point::zeros() { inside_value } else { inside_value + self.gradient(inside).dot(&beyond) }
    }

    fn gradient(&self, z: Point) -> Point {
        self.scaled(z, self.target.gradient(self.coordinates.to_theta(z))) + self.own(z)
    }

    /// J H J + diag(∇ · d²θ/dz²) + the Jacobian's own, J = dθ/dz; d²θ/dz² = J · d log J/dz.
    fn hessian(&self, z: Point) -> Matrix {
        let theta = self.coordinates.to_theta(z);
        let (gradient, hessian) = (self.target.gradient(theta), self.target.hessian(theta));
        let [first, second] = self.jacobians(z);
        let bend = |gradient: f64, axis: Jacobian| gradient * axis.slope * axis.gradient + axis.curvature;
        let xy = hessian.m12 * first.slope * second.slope;
        Matrix::new(
            hessian.m11 * first.slope * first.slope + bend(gradient.x, first),
            xy,
            xy,
            hessian.m22 * second.slope * second.slope + bend(gradient.y, second),
        )
    }
}

/// A target in logit coordinates.
#[derive(Clone, Debug)]
struct LogitTarget {
    surface: LogitSurface,
    facts: Facts,
}

impl LogitTarget {
    fn new(surface: LogitSurface) -> Self {
        let facts = facts(&surface);
        Self { surface, facts }
    }
}

/// The facts in z. Should no mode be found, which takes a density without one inside, those of θ stay.
fn facts(surface: &LogitSurface) -> Facts {
    let of_theta = surface.target.facts();
    let dimension = of_theta.dimension;
    let starts: Vec<Point> = of_theta.modes.iter().map(|mode| surface.coordinates.from_theta(mode.at)).collect();
    let start = surface.coordinates.from_theta(of_theta.start);
    let open = Facts { boundary: Boundary::Open, support: Support::everywhere(), start, ..of_theta.clone() };
    let peaks = modes::peaks(surface, dimension, &starts);
    if peaks.is_empty() {
        return open;
    }
    let lattice = Lattice::survey(surface, dimension, &peaks);
    let weights = lattice.basin_weights(surface, &peaks);
    let (mean, covariance) = lattice.moments();
    let mut view = lattice.view();
    if dimension == 1 {
        (view.min.y, view.max.y) = (of_theta.view.min.y, of_theta.view.max.y);
    }
    Facts { view, modes: modes::laplace_modes(surface, dimension, &peaks, &weights), mean, covariance, ..open }
}

impl Target for LogitTarget {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn log_density(&self, at: Point) -> f64 {
        self.surface.log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        self.surface.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.surface.hessian(at)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        self.surface.in_blocks(x, y, |theta_x, theta_y, block| {
            self.surface.target.gradients(simd, theta_x, theta_y, &mut gx[block.clone()], &mut gy[block]);
        });
        self.surface.scale_all(x, y, gx, gy);
    }

    fn data(&self) -> Option<&dyn Data> {
        self.surface.target.data().map(|_| self as &dyn Data)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.surface.coordinates.from_theta(self.surface.target.exact_draw(stream)?))
    }
}

impl Data for LogitTarget {
    fn len(&self) -> usize {
        self.surface.target.data().map_or(0, Data::len)
    }

    /// With the gradient of the Jacobian, which belongs to no datum.
    fn prior_gradient(&self, at: Point) -> Point {
        let Some(data) = self.surface.target.data() else { return Point::zeros() };
        self.surface.scaled(at, data.prior_gradient(self.surface.coordinates.to_theta(at))) + self.surface.own(at)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let Some(data) = self.surface.target.data() else { return Point::zeros() };
        self.surface.scaled(at, data.datum_gradient(self.surface.coordinates.to_theta(at), index))
    }

    fn batch_gradient(&self, at: Point, batch: &[u32]) -> Point {
        let Some(data) = self.surface.target.data() else { return Point::zeros() };
        self.surface.scaled(at, data.batch_gradient(self.surface.coordinates.to_theta(at), batch))
    }
}
