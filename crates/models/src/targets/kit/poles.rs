//! Poles: points near which a density grows without bound, though its integral may be finite, as that of 1/√|x|.

use crate::targets::Density;
use base::math::Point;

/// Distances from a point, in units of 1 or of its largest coordinate, and the height by which the log density grows from one to the next
/// and to the point itself at least, that make it a pole.
pub(in crate::targets) const BESIDE: [f64; 2] = [1e-6, 1e-9];
pub(in crate::targets) const POLE: f64 = 1.0;

/// A distance from which the growth goes on to the point itself, by a share of that between the others at least. Towards the top of a needle
/// it ends.
const CLOSE: f64 = 1e-10;
const GOES_ON: f64 = 0.1;

/// How many times nearer to 0, and farther from it, a mode that is hardly beside 0 is the highest.
const ASIDE: f64 = 8.0;

/// Directions of the axes.
pub(in crate::targets) const AXES: [Point; 2] = [Point::new(1.0, 0.0), Point::new(0.0, 1.0)];

/// Whether the density of a target grows at a point, along an axis at least, however near one comes to it. A narrow top does not.
#[must_use]
pub fn is_pole(target: &dyn Density, at: Point) -> bool {
    growth(|at| target.log_density(at), target.info().dimension, at) > POLE
}

/// How much a log density grows from one distance to the next and to a point itself, the least of both, along the axis where that is most;
/// 0 where it ends before.
pub(in crate::targets) fn growth(log_density: impl Fn(Point) -> f64, dimension: usize, at: Point) -> f64 {
    let top = log_density(at);
    // A log-normal density may have its mode at 1e-16: numbers are close there, and it falls on both sides.
    let is_top_beside_0 = |axis: &Point| {
        let from_0 = axis.component_mul(&at);
        let scaled = |times: f64| log_density(at - from_0 + from_0 * times);
        from_0.amax() > 0.0 && from_0.amax() < CLOSE && scaled(ASIDE) < top && scaled(1.0 / ASIDE) < top
    };
    let along = |axis: &Point| {
        let beside = |distance: f64| {
            // Far out numbers are less close.
            let distance = distance * at.amax().max(1.0);
            let [before, after] = [-distance, distance].map(|away| log_density(at + axis * away));
            before.max(after)
        };
        let (far, near) = (beside(BESIDE[0]), beside(BESIDE[1]));
        let (before, last) = (near - far, top - near);
        let goes_on = top - beside(CLOSE) > GOES_ON * before;
        if goes_on && !is_top_beside_0(axis) { before.min(last) } else { 0.0 }
    };
    AXES[..dimension].iter().map(along).fold(f64::NEG_INFINITY, f64::max)
}
