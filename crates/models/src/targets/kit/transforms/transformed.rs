//! Transformed target: density and derivatives in the logit or logarithm of θ, with the Jacobian.

use std::sync::Arc;

use super::super::lanewise::saturated;
use super::super::modes::{self, Surface};
use super::super::quadrature::Lattice;
use super::{Axis, Coordinates};
use crate::targets::{Boundary, Data, Density, Derivatives, Minibatch, Support, TargetInfo};
use base::math::elementary::{exp, sigmoid};
use base::math::{Matrix, Point, Simd, Stream};

/// Number of points that are transformed at a time.
const BLOCK: usize = 64;

/// The density in the coordinates of samplers: itself, or transformed to logits or logarithms.
#[must_use]
pub fn sampling_density(density: &Arc<dyn Density>) -> Arc<dyn Density> {
    in_coordinates(density, Coordinates::of(density.info()))
}

/// The density in coordinates without boundary: itself, or transformed to logits or logarithms.
#[must_use]
pub fn open_density(density: &Arc<dyn Density>) -> Arc<dyn Density> {
    in_coordinates(density, Coordinates::open(density.info()))
}

pub(in crate::targets) fn in_coordinates(density: &Arc<dyn Density>, coordinates: Coordinates) -> Arc<dyn Density> {
    if coordinates.is_identity() {
        return Arc::clone(density);
    }
    Arc::new(Transformed::new(TransformedSurface { target: Arc::clone(density), coordinates }))
}

/// The density of a target in coordinates without boundary.
pub(in crate::targets) fn open_surface(target: Arc<dyn Density>) -> TransformedSurface {
    let coordinates = Coordinates::open(target.info());
    surface_in(target, coordinates)
}

/// The same in other coordinates.
pub(in crate::targets) fn surface_in(target: Arc<dyn Density>, coordinates: Coordinates) -> TransformedSurface {
    TransformedSurface { target, coordinates }
}

/// The density of z, before its moments and modes are known.
#[derive(Clone, Debug)]
pub(in crate::targets) struct TransformedSurface {
    target: Arc<dyn Density>,
    /// From z to θ.
    pub(in crate::targets) coordinates: Coordinates,
}

/// The Jacobian of an axis at z: dθ/dz, its logarithm, and the derivatives of the logarithm.
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
        let z = axis.clamped(z);
        let width = match axis {
            Axis::Plain | Axis::Folded { .. } | Axis::Above { .. } => {
                return Self { slope: 1.0, log: 0.0, gradient: 0.0, curvature: 0.0 };
            }
            Axis::Log { .. } => return Self { slope: exp(z), log: z, gradient: 1.0, curvature: 0.0 },
            Axis::Logit { width, .. } => width,
        };
        // Not sigmoid(−z): so the rounding of θ cancels where a gradient has a pole at the boundary.
        let share = sigmoid(z);
        let rest = 1.0 - share;
        Self {
            slope: width * share * rest,
            log: axis.log_slope(z),
            gradient: rest - share,
            curvature: -2.0 * share * rest,
        }
    }
}

impl TransformedSurface {
    #[inline]
    fn jacobians(&self, z: Point) -> [Jacobian; 2] {
        let [first, second] = self.coordinates.axes;
        [Jacobian::of(first, z.x), Jacobian::of(second, z.y)]
    }

    /// A gradient in θ transformed to z, without the gradient of the Jacobian; finite where the gradient is.
    #[inline]
    fn scaled(&self, z: Point, gradient: Point) -> Point {
        let [first, second] = self.jacobians(z);
        Point::new(saturated(gradient.x * first.slope), saturated(gradient.y * second.slope))
    }

    /// Derivatives in θ transformed to z, without those of the Jacobian: J∇ and J H J + diag(∇ · d²θ/dz²), with
    /// J = dθ/dz and d²θ/dz² = J · d log J/dz.
    fn transformed(&self, z: Point, of_theta: Derivatives) -> Derivatives {
        let Derivatives { log_density, gradient, hessian } = of_theta;
        let [first, second] = self.jacobians(z);
        let bend = |gradient: f64, axis: Jacobian| gradient * axis.slope * axis.gradient;
        let xy = hessian.m12 * first.slope * second.slope;
        let hessian = Matrix::new(
            hessian.m11 * first.slope * first.slope + bend(gradient.x, first),
            xy,
            xy,
            hessian.m22 * second.slope * second.slope + bend(gradient.y, second),
        );
        Derivatives { log_density, gradient: self.scaled(z, gradient), hessian }
    }

    /// The gradient of the log Jacobian.
    #[inline]
    fn own(&self, z: Point) -> Point {
        let [first, second] = self.jacobians(z);
        Point::new(first.gradient, second.gradient)
    }

    /// The z at which density and derivatives are evaluated, and the distance of the true z beyond it.
    fn split(&self, z: Point) -> (Point, Point) {
        let [first, second] = self.coordinates.axes;
        let inside = Point::new(first.clamped(z.x), second.clamped(z.y));
        (inside, z - inside)
    }

    /// Transforms gradients in θ at z to gradients in z, in place, for all points.
    fn scale_all(&self, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        for i in 0..x.len() {
            let z = Point::new(x[i], y[i]);
            let gradient = self.scaled(z, Point::new(gx[i], gy[i])) + self.own(z);
            (gx[i], gy[i]) = (gradient.x, gradient.y);
        }
    }

    /// Calls `evaluate` with θ for blocks of z, and with the range of the block.
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

impl Surface for TransformedSurface {
    fn log_density(&self, z: Point) -> f64 {
        let (inside, beyond) = self.split(z);
        let [first, second] = self.jacobians(inside);
        let inside_value = self.target.log_density(self.coordinates.to_theta(inside)) + first.log + second.log;
        // Most points are not beyond, and need no gradient.
        if beyond == Point::zeros() {
            return inside_value;
        }
        // Never upwards: if the other coordinate is beyond its bound too, the slope may not be that of the tail yet.
        inside_value + self.gradient(inside).dot(&beyond).min(0.0)
    }

    fn gradient(&self, z: Point) -> Point {
        self.scaled(z, self.target.gradient(self.coordinates.to_theta(z))) + self.own(z)
    }

    fn hessian(&self, z: Point) -> Matrix {
        let theta = self.coordinates.to_theta(z);
        let of_theta = Derivatives {
            log_density: 0.0,
            gradient: self.target.gradient(theta),
            hessian: self.target.hessian(theta),
        };
        let [first, second] = self.jacobians(z);
        self.transformed(z, of_theta).hessian + Matrix::new(first.curvature, 0.0, 0.0, second.curvature)
    }
}

/// A target in logits or logarithms of θ.
#[derive(Clone, Debug)]
struct Transformed {
    surface: TransformedSurface,
    info: TargetInfo,
}

impl Transformed {
    fn new(surface: TransformedSurface) -> Self {
        let info = info(&surface);
        Self { surface, info }
    }
}

/// Moments and modes in z. If no mode is found, because the density has none inside, those of θ are kept.
fn info(surface: &TransformedSurface) -> TargetInfo {
    let of_theta = surface.target.info();
    let dimension = of_theta.dimension;
    let starts: Vec<Point> = of_theta.modes.iter().map(|mode| surface.coordinates.from_theta(mode.at)).collect();
    let start = surface.coordinates.from_theta(of_theta.start);
    let open = TargetInfo { boundary: Boundary::Open, support: Support::everywhere(), start, ..of_theta.clone() };
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
    TargetInfo { view, modes: modes::laplace_modes(surface, dimension, &peaks, &weights), mean, covariance, ..open }
}

impl Density for Transformed {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        let at = if self.info.dimension == 1 { Point::new(at.x, 0.0) } else { at };
        if self.info.support.contains(at) { self.surface.log_density(at) } else { f64::NEG_INFINITY }
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

    fn conditional_draw(&self, axis: usize, at: Point, numbers: [f64; 2]) -> Option<f64> {
        let mut theta = self.surface.coordinates.to_theta(at);
        theta[axis] = self.surface.target.conditional_draw(axis, theta, numbers)?;
        Some(self.surface.coordinates.from_theta(theta)[axis])
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.surface.coordinates.from_theta(self.surface.target.exact_draw(stream)?))
    }
}

impl Data for Transformed {
    fn len(&self) -> usize {
        self.surface.target.data().map_or(0, Data::len)
    }

    /// The gradient of the Jacobian is included, because it belongs to no datum.
    fn prior_gradient(&self, at: Point) -> Point {
        let Some(data) = self.surface.target.data() else { return Point::zeros() };
        self.surface.scaled(at, data.prior_gradient(self.surface.coordinates.to_theta(at))) + self.surface.own(at)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let Some(data) = self.surface.target.data() else { return Point::zeros() };
        self.surface.scaled(at, data.datum_gradient(self.surface.coordinates.to_theta(at), index))
    }

    fn prior(&self, at: Point) -> Derivatives {
        let Some(data) = self.surface.target.data() else { return Derivatives::default() };
        let theta = self.surface.coordinates.to_theta(at);
        let [first, second] = self.surface.jacobians(at);
        let own = Derivatives {
            log_density: first.log + second.log,
            gradient: self.surface.own(at),
            hessian: Matrix::new(first.curvature, 0.0, 0.0, second.curvature),
        };
        self.surface.transformed(at, data.prior(theta)) + own
    }

    fn datum(&self, at: Point, index: usize) -> Derivatives {
        let Some(data) = self.surface.target.data() else { return Derivatives::default() };
        self.surface.transformed(at, data.datum(self.surface.coordinates.to_theta(at), index))
    }

    fn batch_gradient(&self, at: Point, batch: Minibatch<'_>) -> Point {
        let Some(data) = self.surface.target.data() else { return Point::zeros() };
        self.surface.scaled(at, data.batch_gradient(self.surface.coordinates.to_theta(at), batch))
    }
}
