//! Poles: places near which a density grows without bound, though its integral may be finite, as that of 1/√|x|.

use super::Target;
use crate::math::Point;

/// Distances from a place, and the height by which the log density grows from one to the next and to the place itself at least, that make
/// it a pole.
pub(super) const BESIDE: [f64; 2] = [1e-6, 1e-9];
pub(super) const POLE: f64 = 1.0;

/// The share of the growth from one distance to the next that goes on to the place itself at least. Towards the top of a needle it ends.
const GOES_ON: f64 = 0.1;

/// Directions of the axes.
pub(super) const AXES: [Point; 2] = [Point::new(1.0, 0.0), Point::new(0.0, 1.0)];

/// Whether the density of a target grows at a place, along an axis at least, however near one comes to it. A narrow top does not.
#[must_use]
pub fn is_pole(target: &dyn Target, at: Point) -> bool {
    growth(|at| target.log_density(at), target.info().dimension, at) > POLE
}

/// How much a log density grows from one distance to the next and to a place itself, the least of both, along the axis where that is most;
/// 0 where it ends before.
pub(super) fn growth(log_density: impl Fn(Point) -> f64, dimension: usize, at: Point) -> f64 {
    let along = |axis: &Point| {
        let beside = |distance: f64| {
            let [before, after] = [-distance, distance].map(|away| log_density(at + axis * away));
            before.max(after)
        };
        let (far, near) = (beside(BESIDE[0]), beside(BESIDE[1]));
        let (before, last) = (near - far, log_density(at) - near);
        if last > GOES_ON * before { before.min(last) } else { 0.0 }
    };
    AXES[..dimension].iter().map(along).fold(f64::NEG_INFINITY, f64::max)
}
