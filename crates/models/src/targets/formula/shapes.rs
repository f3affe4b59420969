//! How wide a density is around a point, and whether a high point is an isolated mode.
//!
//! A width is the distance at which the log density has fallen by a half. Where curvature says the same, curvature is taken, which has
//! more digits; where it does not, as at the top of −x⁴ and at a tip, curvature says nothing. A point that searches do not find again from
//! beside it lies on a ridge.

use super::search::climbed;
use crate::targets::Mode;
use crate::targets::kit::modes::{self, Surface};
use crate::targets::kit::poles::AXES;
use crate::targets::kit::transforms::TransformedSurface;
use base::math::{Matrix, Point};

/// The smallest curvature is no curvature below this share of the largest.
const FLAT: f64 = 1e-9;

/// The drop of the log density that says how wide a peak is.
pub(super) const DROP: f64 = 0.5;

/// Drops at the width that curvature says, within which it says something.
const DROPS: [f64; 2] = [0.01, 50.0];

/// The share of a width at which the density falls as at a mode.
const NEAR: f64 = 1.0 / 16.0;

/// How near a search has to come to the point it was started beside, in widths.
pub(super) const BACK: f64 = 0.05;

/// A distance from 0, in widths, and a component of a direction, that is none.
const EXACT: f64 = 1e-9;

/// Heights that differ by less are equal.
const LEVEL: f64 = 1e-9;

/// How far from the middle of a flat top the end of a search may be, in widths.
const ASIDE: f64 = 1e-3;

/// Points between two tops at which a flat one is as high.
const BETWEEN: u32 = 32;

/// Shares of a width at which a density falls back to the middle of a flat top, and the least share of its slope that does so at the second.
const FLAT_SHARES: [f64; 2] = [0.5, 0.97];
const LEADS_BACK: f64 = 0.1;

/// Directions in which a summit is looked at.
const DIRECTIONS: u32 = 16;

/// Modes from positions and weights; those with weight 0 are left out.
pub(super) fn described(surface: &dyn Surface, dimension: usize, at: &[Point], weights: &[f64]) -> Vec<Mode> {
    let covariance = |at: Point| {
        let mut covariance = shape(surface, dimension, at).try_inverse()?;
        if dimension == 1 {
            covariance.m22 = 0.0;
        }
        Some(covariance)
    };
    let modes = at.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    modes.filter_map(|(&at, &weight)| Some(Mode { at, weight, covariance: covariance(at)? })).collect()
}

/// The mode at a maximum; `None` if that is a point of a ridge.
pub(super) fn isolated(surface: &TransformedSurface, dimension: usize, peak: Point) -> Option<Point> {
    let precision = modes::precision(surface, dimension, peak);
    let eigen = precision.symmetric_eigen();
    if dimension == 2
        && eigen.eigenvalues.min() > 0.0
        && eigen.eigenvalues.min() >= FLAT * eigen.eigenvalues.max()
        && is_shape(surface, dimension, peak, precision)
    {
        return Some(peak);
    }
    let settled = modes::settled(surface, dimension, peak);
    if dimension == 1 {
        return Some(middle_of_flat(surface, settled));
    }
    let direction: Point = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into();
    let [before, after] = [-1.0, 1.0].map(|side| fall(surface, settled, direction * side));
    let width = before.min(after);
    let again = modes::peaks_along_ridges(surface, dimension, &[settled + direction * (0.5 * width)]);
    let returns = again.first().is_some_and(|at| (at - settled).norm() < BACK * width);
    if width.is_finite() && returns {
        return Some(settled);
    }
    let top = at_zero(surface, dimension, centred(surface, dimension, settled));
    if is_summit(surface, top) {
        return Some(top);
    }
    // A low mode with a higher one within its width is none by what is a width away, but by what is nearer.
    is_curved(surface, settled).then_some(settled)
}

/// Whether the density in the plane falls on all sides as its second derivatives say, near a point.
fn is_curved(surface: &TransformedSurface, at: Point) -> bool {
    let eigen = modes::precision(surface, 2, at).symmetric_eigen();
    let top = surface.log_density(at);
    let falls = |index: usize, side: f64| {
        let away = eigen.eigenvectors.column(index) * (side * NEAR / eigen.eigenvalues[index].sqrt());
        let drop = (top - surface.log_density(at + away)) / (0.5 * NEAR * NEAR);
        drop > 0.5 && drop < 2.0
    };
    eigen.eigenvalues.min() > FLAT * eigen.eigenvalues.max()
        && (0..2).all(|index| falls(index, 1.0) && falls(index, -1.0))
}

/// A point on the line where a search has ended, or the middle of a flat top, as that of −x²⁰⁰, on which searches end anywhere.
fn middle_of_flat(surface: &TransformedSurface, at: Point) -> Point {
    if is_shape(surface, 1, at, modes::precision(surface, 1, at)) {
        return at;
    }
    let middle = centred(surface, 1, at);
    let is_aside = (middle - at).norm() > ASIDE * widths(surface, 1, at, Matrix::identity()).x;
    if is_aside { middle } else { at }
}

/// Whether two points lie on one flat top: the density is as high everywhere between them.
pub(super) fn is_level(surface: &TransformedSurface, one: Point, other: Point) -> bool {
    let heights = [one, other].map(|at| surface.log_density(at));
    let least = heights[0].min(heights[1]) - LEVEL;
    let between = |index: u32| one + (other - one) * (f64::from(index) / f64::from(BETWEEN));
    (heights[0] - heights[1]).abs() <= LEVEL && (1..BETWEEN).all(|index| surface.log_density(between(index)) >= least)
}

/// Whether searches without derivatives from both sides of a point, along its widest direction, come back to it, as they do to a tip, and to
/// the middle of a top that is nearly flat.
fn is_summit(surface: &TransformedSurface, at: Point) -> bool {
    let fall_along = |direction: Point| {
        let [before, after] = [-1.0, 1.0].map(|side| fall(surface, at, direction * side));
        before.max(after)
    };
    let angles = (0..DIRECTIONS).map(|index| std::f64::consts::PI * f64::from(index) / f64::from(DIRECTIONS));
    // Along the axes exactly: a flat ridge may lie there.
    let exact = |share: f64| if share.abs() < EXACT { 0.0 } else { share };
    let all = angles.map(|angle| Point::new(exact(libm::cos(angle)), exact(libm::sin(angle))));
    let widest = all.map(|direction| (fall_along(direction), direction)).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((width, direction)) = widest.filter(|(width, _)| width.is_finite()) else { return false };
    let height = surface.log_density(at);
    [-0.5, 0.5].iter().all(|share| {
        let beside = at + direction * (share * width);
        let top = climbed(surface, 2, beside).map(|(top, _)| centred(surface, 2, top));
        let falls = || {
            surface.log_density(beside) < height - LEVEL
                || is_flat_top(surface, at, direction * (share.signum() * width))
        };
        falls() && top.is_some_and(|top| (top - at).norm() < BACK * width)
    })
}

/// Whether the density falls from a point to so far away, however little: on a plateau it has no slope at all.
fn is_flat_top(surface: &TransformedSurface, at: Point, away: Point) -> bool {
    let [near, far] = FLAT_SHARES.map(|share| surface.gradient(at + away * share));
    near.dot(&away) < 0.0 && far.dot(&away) < -LEADS_BACK * far.norm() * away.norm()
}

/// A point that a search has found, which has few digits beside 0, with zeros in their place.
fn at_zero(surface: &TransformedSurface, dimension: usize, at: Point) -> Point {
    let width = widths(surface, dimension, at, Matrix::identity());
    at.zip_map(&width, |coordinate, width| if coordinate.abs() < EXACT * width { 0.0 } else { coordinate })
}

/// Tips to which searches without derivatives lead, each once; one point of a ridge is enough.
pub(super) fn tips(surface: &TransformedSurface, dimension: usize, starts: &[Point]) -> Vec<Point> {
    let mut found: Vec<Point> = Vec::new();
    for (at, _) in starts.iter().filter_map(|start| climbed(surface, dimension, *start)) {
        let at = centred(surface, dimension, at);
        let width = widths(surface, dimension, at, Matrix::identity());
        if found.iter().all(|other| (other - at).component_div(&width).amax() > BACK) {
            found.push(at);
        }
        if dimension == 2 && !is_summit(surface, at_zero(surface, dimension, found[0])) {
            break;
        }
    }
    found
}

/// A point of a flat top, moved to the middle between its sides; any other point as it is.
pub(super) fn centred(surface: &TransformedSurface, dimension: usize, from: Point) -> Point {
    let mut at = from;
    for axis in AXES.iter().take(dimension).cycle().take(2 * dimension) {
        let [before, after] = [-1.0, 1.0].map(|side| fall(surface, at, axis * side));
        let middle = at + axis * (0.5 * (after - before));
        if surface.log_density(middle) >= surface.log_density(at) {
            at = middle;
        }
    }
    at
}

/// Whether the log density falls as these second derivatives say.
fn is_shape(surface: &dyn Surface, dimension: usize, peak: Point, precision: Matrix) -> bool {
    let (eigen, top) = (precision.symmetric_eigen(), surface.log_density(peak));
    (0..2).take(dimension).all(|index| {
        let width: Point = eigen.eigenvectors.column(index) / eigen.eigenvalues[index].sqrt();
        let width = if dimension == 1 { AXES[0] * eigen.eigenvalues[index].sqrt().recip() } else { width };
        let [before, after] = [-width, width].map(|away| top - surface.log_density(peak + away));
        // A side beyond an end has no value; the other one says how wide the peak is.
        let drop = match [before, after].map(f64::is_finite) {
            [true, true] => 0.5 * (before + after),
            [true, false] => before,
            _ => after,
        };
        drop > DROPS[0] && drop < DROPS[1]
    })
}

/// What describes the density around a peak as a precision: −Hessian, or widths where that says nothing.
pub(super) fn shape(surface: &dyn Surface, dimension: usize, peak: Point) -> Matrix {
    let precision = modes::precision(surface, dimension, peak);
    if is_shape(surface, dimension, peak, precision) {
        return precision;
    }
    let directions = if precision.iter().all(|entry| entry.is_finite()) && dimension == 2 {
        precision.symmetric_eigen().eigenvectors
    } else {
        Matrix::identity()
    };
    let along = |index: usize| {
        let direction: Point = directions.column(index).into();
        let [before, after] = [-1.0, 1.0].map(|side| fall(surface, peak, direction * side));
        let width = if before.is_finite() && after.is_finite() { 0.5 * (before + after) } else { before.min(after) };
        direction * direction.transpose() / (width * width)
    };
    let first = along(0);
    if dimension == 1 { Matrix::from_diagonal_element(first.m11) } else { first + along(1) }
}

/// Widths along turned axes; 1 where the density does not fall.
pub(super) fn widths(surface: &dyn Surface, dimension: usize, at: Point, turn: Matrix) -> Point {
    let along = |axis: usize| {
        let [before, after] = [-1.0, 1.0].map(|side| fall(surface, at, turn.column(axis) * side));
        let width = if before.is_finite() && after.is_finite() { 0.5 * (before + after) } else { before.min(after) };
        if width.is_finite() { width } else { 1.0 }
    };
    Point::new(along(0), if dimension == 1 { 1.0 } else { along(1) })
}

/// The distance from a point, in a direction, at which the log density has fallen by [`DROP`].
fn fall(surface: &dyn Surface, from: Point, direction: Point) -> f64 {
    let least = surface.log_density(from) - DROP;
    let is_below = |distance: f64| {
        let height = surface.log_density(from + direction * distance);
        height.is_nan() || height <= least
    };
    let powers = (-60..100).map(|power| libm::exp2(f64::from(power)));
    let Some(mut high) = powers.into_iter().find(|distance| is_below(*distance)) else { return f64::INFINITY };
    let mut low = 0.5 * high;
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if is_below(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
