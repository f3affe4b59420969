//! Modes of a smooth density: Newton's method from many starts.

use crate::targets::Mode;
use base::math::{Matrix, Point};

/// A log density with its first two derivatives, before its moments and modes are known.
pub(in crate::targets) trait Surface {
    /// Log density up to a constant; −∞ is legal, NaN is not.
    fn log_density(&self, at: Point) -> f64;

    /// Gradient of the log density.
    fn gradient(&self, at: Point) -> Point;

    /// Hessian of the log density.
    fn hessian(&self, at: Point) -> Matrix;
}

/// Largest number of steps of an ascent.
const MAX_STEPS: usize = 300;

/// Largest number of halvings of a step.
const MAX_HALVINGS: usize = 60;

/// Squared length of a Newton step, in standard deviations of the mode, below which the step is not checked.
const CLOSE: f64 = 1e-8;

/// Number of Newton steps from there; each doubles the number of correct digits.
const POLISHING_STEPS: usize = 3;

/// Curvatures below this share of the largest count as that much, so that steps stay finite; the second along ridges.
const LEAST_CURVATURES: [f64; 2] = [1e-6, 1e-11];

/// The largest curvature, in those across it, from which on a ridge is steep: a straight step leaves it where it is bent.
const STEEP: f64 = 100.0;

/// Halvings of a step along a steep ridge after which one leads back to it, and steps across it that do.
const MOST_RETURNS: usize = 20;
const STEPS_ACROSS: usize = 5;

/// How much such a step gains at least, more than rounding.
const GAIN: f64 = 1e-12;

/// Derivatives beyond this overflow on the way to a step.
const LARGEST: f64 = 1e150;

/// Two ends of ascents closer than this, in standard deviations of the mode, are one mode.
const SAME: f64 = 1e-3;

/// The distinct local maxima reached from `starts`, in the order in which they are first reached.
///
/// On a surface of dimension 1 the ascent is along x, at y = 0.
pub(in crate::targets) fn peaks(surface: &dyn Surface, dimension: usize, starts: &[Point]) -> Vec<Point> {
    reached(surface, dimension, starts, Way::Straight)
}

/// The same on a surface that may have steep ridges, which searches follow where they are bent.
pub(in crate::targets) fn peaks_along_ridges(surface: &dyn Surface, dimension: usize, starts: &[Point]) -> Vec<Point> {
    reached(surface, dimension, starts, Way::AlongRidges)
}

/// How an ascent goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Straight,
    AlongRidges,
}

fn reached(surface: &dyn Surface, dimension: usize, starts: &[Point], way: Way) -> Vec<Point> {
    let mut found: Vec<Point> = Vec::new();
    for start in starts {
        let Some(peak) = ascend(surface, dimension, *start, way) else { continue };
        let precision = precision(surface, dimension, peak);
        let known = |other: &Point| {
            let gap = peak - other;
            gap.dot(&(precision * gap)) < SAME * SAME
        };
        if !found.iter().any(known) {
            found.push(peak);
        }
    }
    found
}

/// The covariance of the Laplace approximation at a mode: (−Hessian)⁻¹.
pub(in crate::targets) fn laplace_covariance(surface: &dyn Surface, dimension: usize, mode: Point) -> Option<Matrix> {
    let mut covariance = precision(surface, dimension, mode).try_inverse()?;
    if dimension == 1 {
        covariance.m22 = 0.0;
    }
    Some(covariance)
}

/// −Hessian; the unused coordinate of a one-dimensional surface gets the same curvature as the other.
pub(in crate::targets) fn precision(surface: &dyn Surface, dimension: usize, at: Point) -> Matrix {
    let mut precision = -surface.hessian(at);
    if dimension == 1 {
        precision = Matrix::new(precision.m11, 0.0, 0.0, precision.m11);
    }
    precision
}

/// Modes from positions and weights, with Laplace covariances. Modes with weight 0 are left out.
pub(in crate::targets) fn laplace_modes(
    surface: &dyn Surface,
    dimension: usize,
    at: &[Point],
    weights: &[f64],
) -> Vec<Mode> {
    let modes = at.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    modes
        .filter_map(|(&at, &weight)| Some(Mode { at, weight, covariance: laplace_covariance(surface, dimension, at)? }))
        .collect()
}

/// The index of the point of `at` that is nearest to `point`.
pub(in crate::targets) fn nearest(at: &[Point], point: Point) -> usize {
    let mut best = (0, f64::INFINITY);
    for (index, candidate) in at.iter().enumerate() {
        let distance = (point - candidate).norm_squared();
        if distance < best.1 {
            best = (index, distance);
        }
    }
    best.0
}

/// Ascends from `start` to a point with zero gradient and negative definite Hessian, if there is one on its path.
fn ascend(surface: &dyn Surface, dimension: usize, start: Point, way: Way) -> Option<Point> {
    let mut at = start;
    let follows = way == Way::AlongRidges;
    for _ in 0..MAX_STEPS {
        let gradient = surface.gradient(at);
        let precision = precision(surface, dimension, at);
        let step = ascent_step(precision, gradient, LEAST_CURVATURES[usize::from(follows)])?;
        let decrement = gradient.dot(&step);
        if decrement < CLOSE && precision.cholesky().is_some() {
            return polish(surface, dimension, at);
        }
        let returns = if follows && dimension == 2 && is_steep(precision) { MOST_RETURNS } else { 0 };
        at = advance(surface, at, step, returns)?;
    }
    None
}

/// Whether the curvature across a ridge is far above that along it.
fn is_steep(precision: Matrix) -> bool {
    let curvatures = precision.symmetric_eigenvalues();
    curvatures.max() > STEEP * curvatures.min().abs()
}

/// The last Newton steps, whose changes of the log density are rounding errors.
fn polish(surface: &dyn Surface, dimension: usize, start: Point) -> Option<Point> {
    let mut at = start;
    for _ in 0..POLISHING_STEPS {
        at += precision(surface, dimension, at).try_inverse()? * surface.gradient(at);
    }
    let definite = precision(surface, dimension, at).cholesky().is_some();
    (definite && at.iter().all(|coordinate| coordinate.is_finite())).then_some(at)
}

/// Where Newton's method ends near a maximum without curvature, as at the top of −x⁴: its steps become shorter by a factor.
pub(in crate::targets) fn settled(surface: &dyn Surface, dimension: usize, peak: Point) -> Point {
    let mut at = peak;
    let mut length = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let Some(inverse) = precision(surface, dimension, at).try_inverse() else { break };
        let step = inverse * surface.gradient(at);
        // Also false for NaN.
        if !(step.norm() < length && surface.log_density(at + step) >= surface.log_density(at)) {
            break;
        }
        at += step;
        length = step.norm();
    }
    at
}

/// The Newton step where the log density is concave; elsewhere one with the curvature made positive.
fn ascent_step(precision: Matrix, gradient: Point, least: f64) -> Option<Point> {
    // Also false for NaN.
    if !(precision.amax() < LARGEST && gradient.amax() < LARGEST) {
        return None;
    }
    let eigen = precision.symmetric_eigen();
    let floor = least * eigen.eigenvalues.amax();
    let step = (0..2).map(|index| {
        let direction = eigen.eigenvectors.column(index);
        direction * (direction.dot(&gradient) / eigen.eigenvalues[index].abs().max(floor))
    });
    let step: Point = step.fold(Point::zeros(), |sum, part| sum + part);
    step.iter().all(|coordinate| coordinate.is_finite()).then_some(step)
}

/// The end of the longest of step, step/2, step/4 … that increases the log density; the first ones may return to the ridge beside which they
/// end.
fn advance(surface: &dyn Surface, at: Point, step: Point, returns: usize) -> Option<Point> {
    let here = surface.log_density(at);
    let least = here + GAIN * (1.0 + here.abs());
    let mut length = 1.0;
    for halvings in 0..MAX_HALVINGS {
        let next = at + step * length;
        if surface.log_density(next) > here {
            return Some(next);
        }
        if halvings < returns
            && let Some(next) = on_ridge(surface, next).filter(|next| surface.log_density(*next) > least)
        {
            return Some(next);
        }
        length *= 0.5;
    }
    None
}

/// The top across a ridge in the plane, from a point beside it.
fn on_ridge(surface: &dyn Surface, beside: Point) -> Option<Point> {
    let mut at = beside;
    for _ in 0..STEPS_ACROSS {
        let (precision, gradient) = (precision(surface, 2, at), surface.gradient(at));
        // Also false for NaN.
        if !(precision.amax() < LARGEST && gradient.amax() < LARGEST) {
            return None;
        }
        let eigen = precision.symmetric_eigen();
        let largest = eigen.eigenvalues.imax();
        let (across, curvature) = (eigen.eigenvectors.column(largest), eigen.eigenvalues[largest]);
        if curvature <= 0.0 {
            return None;
        }
        at += across * (across.dot(&gradient) / curvature);
    }
    Some(at)
}
