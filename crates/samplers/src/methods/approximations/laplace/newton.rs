//! Newton ascent on a log density with safeguards, one iterate at a time.
//!
//! Where −∇² log p is positive definite, the step is Newton's, H⁻¹∇. Elsewhere it is saddle-free (Dauphin et al. 2014,
//! arXiv:1406.2572): it uses the absolute values of the curvatures along the principal axes, so that the step goes
//! upwards along each axis and away from saddles. There curvatures have a lower bound and steps an upper one. A step is
//! halved until the log density has risen by a share of the rise that the slope predicts (Armijo 1966, Pacific J. Math.
//! 16:1). So the log density never falls, except by rounding.
//!
//! The unit of length is the view: every coordinate is divided by the width of the target's view along it. So the
//! thresholds are plain numbers, and coordinates with different units count alike. Along an axis with a boundary, a
//! step goes at most a fixed share of the way to it, as in interior-point methods; an ascent towards the boundary ends
//! there.

use crate::methods::FitState;
use base::math::{Matrix, Point};
use models::targets::{Density, Derivatives};

/// Curvatures (per view²) and slopes (per view) up to this count as 0: a peak as wide as a thousand views is no peak.
const FLAT: f64 = 1e-6;

/// Curvatures below this share of the largest may be rounding errors.
const ROUNDED: f64 = 1e-14;

/// Where −∇² log p is not positive definite, curvatures below this share of the largest count as that much.
const FLOOR: f64 = 1e-6;

/// The ascent has ended if the squared length of the Newton step, in standard deviations of the peak, is below this: the
/// step after it would be shorter than a rounding error.
const STILL: f64 = 1e-20;

/// A step that changes no coordinate by more than this share of its value counts as no change.
const UNSEEN: f64 = 4.0 * f64::EPSILON;

/// The longest step in views where the curvature is not that of a peak; it is one view at a peak. Outside the view, the
/// way back to it is added. Chosen by eye.
const LONGEST: f64 = 0.25;

/// The share of the way to the boundary of the support that a step may go (0.99 to 0.9995 in interior-point methods).
const TOWARDS_EDGE: f64 = 0.99;

/// An ascent towards the boundary has ended if it is closer than this to the boundary, in views.
const EDGE: f64 = 1e-9;

/// The share of the predicted rise that is enough (Nocedal and Wright 2006, Numerical Optimization, section 3.1).
const ENOUGH: f64 = 1e-4;

/// Bound of the rounding error of a log density, as a share of its size.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Largest number of halvings of a step.
const MAX_HALVINGS: usize = 60;

/// Derivatives (in views) beyond this are clamped, so that their products stay finite.
const LARGEST: f64 = 1e150;

/// A target with the units of its view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landscape<'a> {
    target: &'a dyn Density,
    line: bool,
    /// The size of the view.
    unit: Point,
    /// The middle of the view.
    middle: Point,
}

/// A step of the ascent, in the coordinates of the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// To the top of the parabola with the slope and the curvature, or upwards along each axis where it has none.
    pub(super) whole: Point,
    /// As much of it as a step may go: not far beyond the view, and not over the boundary of the support.
    pub(super) step: Point,
    /// How much the slope promises over the step.
    rise: f64,
    /// Whether the curvature is that of a peak.
    pub(super) is_peak: bool,
}

impl<'a> Landscape<'a> {
    /// The landscape of a target.
    pub(super) fn new(target: &'a dyn Density) -> Self {
        let info = target.info();
        let middle = (info.view.min + info.view.max) * 0.5;
        Self { target, line: info.dimension == 1, unit: info.view.size(), middle }
    }

    /// The log density at a point with its derivatives.
    pub(super) fn derivatives(&self, at: Point) -> Derivatives {
        Derivatives {
            log_density: self.target.log_density(at),
            gradient: self.target.gradient(at),
            hessian: self.target.hessian(at),
        }
    }

    /// A matrix of second derivatives, per view². On the line the second coordinate is not used and gets the curvature of
    /// the first.
    pub(super) fn in_views(&self, matrix: Matrix) -> Matrix {
        let first = cut(matrix.m11 * self.unit.x * self.unit.x);
        if self.line {
            return Matrix::from_diagonal_element(first);
        }
        let mixed = cut(matrix.m12 * self.unit.x * self.unit.y);
        Matrix::new(first, mixed, mixed, cut(matrix.m22 * self.unit.y * self.unit.y))
    }

    /// The slopes per view.
    fn slope(&self, gradient: Point) -> Point {
        let slope = gradient.component_mul(&self.unit).map(cut);
        if self.line { Point::new(slope.x, 0.0) } else { slope }
    }

    /// The state of an ascent at a point.
    pub(super) fn state(&self, at: Point, here: &Derivatives) -> FitState {
        let (slope, precision) = (self.slope(here.gradient), self.in_views(-here.hessian));
        let numbers = slope.iter().chain(precision.iter()).chain([&here.log_density]);
        if !numbers.copied().all(f64::is_finite) {
            return FitState::Diverged;
        }
        if slope.amax() <= FLAT && precision.amax() <= FLAT {
            return FitState::Plateau;
        }
        let step = ascent(precision, slope);
        let unseen = |axis: usize| (step[axis] * self.unit[axis]).abs() <= UNSEEN * at[axis].abs();
        if slope.dot(&step) <= STILL || (0..self.dimension()).all(unseen) {
            return if is_peak(&precision) { FitState::Converged } else { FitState::NotAPeak };
        }
        let at_boundary = |axis: usize| {
            let (ahead, towards) = self.edge_ahead(at, axis, slope[axis]);
            towards && ahead <= EDGE
        };
        let still = |axis: usize| {
            let curvature = precision[(axis, axis)].abs().max(FLAT);
            slope[axis] * slope[axis] <= STILL * curvature || unseen(axis)
        };
        let at_any_boundary = (0..self.dimension()).any(at_boundary);
        if at_any_boundary && (0..self.dimension()).all(|axis| at_boundary(axis) || still(axis)) {
            return FitState::AtTheEdge;
        }
        FitState::Moving
    }

    fn dimension(&self) -> usize {
        if self.line { 1 } else { 2 }
    }

    /// The distance in views to the boundary of the support in a direction along an axis, and whether there is one.
    fn edge_ahead(&self, at: Point, axis: usize, direction: f64) -> (f64, bool) {
        let support = &self.target.info().support;
        let edge = if direction > 0.0 { support.max[axis] } else { support.min[axis] };
        ((edge - at[axis]).abs() / self.unit[axis], edge.is_finite())
    }

    /// The step from a point, before it is known how much of it is taken.
    pub(super) fn aim(&self, at: Point, here: &Derivatives) -> Aim {
        let (slope, precision) = (self.slope(here.gradient), self.in_views(-here.hessian));
        let outside = ((at - self.middle).component_div(&self.unit).amax() - 0.5).max(0.0);
        let longest = outside + if is_peak(&precision) { 1.0 } else { LONGEST };
        let whole = ascent(precision, slope);
        let limited = whole * (longest / whole.amax()).min(1.0);
        let step = self.inside(at, slope, &precision, limited, longest);
        let in_theta = |step: Point| step.component_mul(&self.unit);
        Aim { whole: in_theta(whole), step: in_theta(step), rise: slope.dot(&step), is_peak: is_peak(&precision) }
    }

    /// The next iterate along a step with the share of it that is taken, if a higher one is found, and the number of trial points.
    pub(super) fn ascend(&self, at: Point, here: &Derivatives, aim: &Aim) -> (Option<(Point, f64)>, f64) {
        let Aim { step, rise, .. } = *aim;
        let (mut share, mut trials) = (1.0, 0.0);
        for _ in 0..=MAX_HALVINGS {
            let next = at + step * share;
            if next == at {
                break;
            }
            trials += 1.0;
            let log_density = self.target.log_density(next);
            let enough = here.log_density + ENOUGH * share * rise - ROUNDING * here.log_density.abs();
            if log_density.is_finite() && log_density >= enough {
                return (Some((next, share)), trials);
            }
            share *= 0.5;
        }
        (None, trials)
    }

    /// A step along an axis, shortened so that it stays inside the support.
    fn stopped(&self, at: Point, axis: usize, step: f64) -> f64 {
        let (ahead, edge) = self.edge_ahead(at, axis, step);
        let most = (TOWARDS_EDGE * ahead).max(0.0);
        if edge { step.clamp(-most, most) } else { step }
    }

    /// A step that stays inside the support. If one coordinate of the step is shortened, the other gets its best value
    /// given the shortened one. If that step does not go upwards, or if both coordinates are shortened, the whole step
    /// is scaled.
    fn inside(&self, at: Point, slope: Point, precision: &Matrix, step: Point, longest: f64) -> Point {
        let stopped = |axis: usize, length: f64| self.stopped(at, axis, length);
        let mut cut = Point::new(stopped(0, step.x), if self.line { step.y } else { stopped(1, step.y) });
        let is_cut = [0, 1].map(|axis| cut[axis].abs() < step[axis].abs());
        for (axis, other) in [(0, 1), (1, 0)] {
            if is_cut[axis] && !is_cut[other] && !self.line {
                let pull = slope[other] - precision[(other, axis)] * cut[axis];
                let best = pull / precision[(other, other)].abs().max(FLAT);
                cut[other] = stopped(other, best.clamp(-longest, longest));
            }
        }
        if slope.dot(&cut) > 0.0 {
            return cut;
        }
        let share = |axis: usize| if is_cut[axis] { stopped(axis, step[axis]) / step[axis] } else { 1.0 };
        step * share(0).min(share(1))
    }
}

/// A number clamped to ±[`LARGEST`]; NaN stays NaN.
fn cut(number: f64) -> f64 {
    number.clamp(-LARGEST, LARGEST)
}

/// The principal curvatures of a symmetric matrix, the larger first, and a unit vector along the first.
fn principal(matrix: &Matrix) -> ([f64; 2], Point) {
    let (first, mixed, last) = (matrix.m11, matrix.m12, matrix.m22);
    let (mean, half) = (0.5 * (first + last), 0.5 * (first - last));
    let radius = (half * half + mixed * mixed).sqrt();
    if radius <= 0.0 {
        return ([mean, mean], Point::x());
    }
    // The eigenvalue nearer to 0 is the determinant over the other one: a difference would lose digits.
    let determinant = first * last - mixed * mixed;
    let values = if mean > 0.0 {
        [mean + radius, determinant / (mean + radius)]
    } else {
        [if mean < 0.0 { determinant / (mean - radius) } else { radius }, mean - radius]
    };
    let along = if half >= 0.0 { Point::new(half + radius, mixed) } else { Point::new(mixed, radius - half) };
    (values, along / along.amax() / (along / along.amax()).norm())
}

/// Whether a precision, per view², is that of a peak.
pub(super) fn is_peak(precision: &Matrix) -> bool {
    let ([larger, smaller], _) = principal(precision);
    smaller > FLAT && smaller > ROUNDED * larger
}

/// The inverse of a positive definite matrix.
pub(super) fn inverse(matrix: Matrix) -> Matrix {
    let determinant = matrix.m11 * matrix.m22 - matrix.m12 * matrix.m12;
    let mixed = -matrix.m12 / determinant;
    Matrix::new(matrix.m22 / determinant, mixed, mixed, matrix.m11 / determinant)
}

/// The full step upwards, in views.
fn ascent(precision: Matrix, slope: Point) -> Point {
    if is_peak(&precision) {
        return inverse(precision) * slope;
    }
    let ([larger, smaller], along) = principal(&precision);
    let floor = (FLOOR * larger.abs().max(smaller.abs())).max(FLAT);
    let across = Point::new(-along.y, along.x);
    let part = |direction: Point, curvature: f64| direction * (direction.dot(&slope) / curvature.abs().max(floor));
    part(along, larger) + part(across, smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrices() -> Vec<Matrix> {
        let symmetric = |a, b, c| Matrix::new(a, b, b, c);
        vec![
            Matrix::zeros(),
            Matrix::identity(),
            symmetric(2.0, 0.0, -3.0),
            symmetric(-2.0, 0.0, 5.0),
            symmetric(1.0, 2.0, 1.0),
            symmetric(-1.0, 2.0, 1.0),
            symmetric(1.0, -1.0, 1.0),
            symmetric(-4.0, 1e-3, -4.0),
            symmetric(1e12, 3e5, 1.0),
            symmetric(-1e-9, 2e-8, -3e3),
            symmetric(LARGEST, LARGEST, LARGEST),
            symmetric(LARGEST, -0.5 * LARGEST, -LARGEST),
        ]
    }

    /// Σ λ v vᵀ is the matrix, up to rounding errors of its largest entry.
    #[test]
    fn principal_curvatures_and_axes_give_the_matrix() {
        for matrix in matrices() {
            let ([larger, smaller], along) = principal(&matrix);
            let across = Point::new(-along.y, along.x);
            let again = along * along.transpose() * larger + across * across.transpose() * smaller;
            assert!((again - matrix).amax() <= 8.0 * f64::EPSILON * matrix.amax(), "{matrix}: {again}");
            assert!(larger >= smaller && (along.norm() - 1.0).abs() < 4.0 * f64::EPSILON, "{matrix}");
        }
    }

    #[test]
    fn steps_go_upwards() {
        for matrix in matrices() {
            for slope in [Point::new(1.0, 0.0), Point::new(-0.3, 2.0), Point::new(1e-9, -1e-9), Point::new(1e9, 1e-9)] {
                let step = ascent(matrix, slope);
                assert!(step.iter().all(|part| part.is_finite()), "{matrix}: {step}");
                assert!(step.dot(&slope) > 0.0, "{matrix} {slope}: {step}");
            }
        }
        assert_eq!(ascent(Matrix::new(4.0, 0.0, 0.0, 2.0), Point::new(8.0, -1.0)), Point::new(2.0, -0.5));
        assert_eq!(ascent(Matrix::new(-4.0, 0.0, 0.0, 2.0), Point::new(8.0, -1.0)), Point::new(2.0, -0.5));
    }

    #[test]
    fn ridges_and_saddles_are_no_peaks() {
        let diagonal = |a, b| Matrix::new(a, 0.0, 0.0, b);
        assert!(is_peak(&Matrix::identity()) && is_peak(&diagonal(1e8, 1e-3)));
        for matrix in
            [diagonal(1.0, 0.0), diagonal(1.0, 1e-9), diagonal(1.0, -1.0), Matrix::zeros(), diagonal(1e12, 1e-3)]
        {
            assert!(!is_peak(&matrix), "{matrix}");
        }
        assert!(!is_peak(&Matrix::new(1.0, 1.0, 1.0, 1.0)));
    }
}
