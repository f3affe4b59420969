//! A density over the whole plane, in coordinates in which the near and the far have one size, with upper bounds.
//!
//! With w = c + s sinh t along each axis, c a high point and s a width there, t is proportional to w − c near c and to the logarithm
//! of the distance far away. The axes of w are turned to those of the density where it lies aslant.

use super::{FARTHEST, Written, near};
use crate::targets::Coordinates;
use crate::targets::kit::poles::AXES;
use base::math::elementary::{exp, ln};
use base::math::{Matrix, Point};

/// Values and bounds end here, so that sums of them are numbers.
const MOST: f64 = 1e200;

/// Points along a side of a grid that measures an area, and half its width in t.
const SIDE: u32 = 96;
const REACH: f64 = 12.0;

/// Sides of a box in t up to which derivatives give better bounds.
const SMALL: f64 = 1.0;

/// Sides of a box in t in which values stand for a bound that does not exist.
const TINY: f64 = 1.0 / 32.0;

/// A written density in coordinates t.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    /// As a function of w.
    pub(super) density: &'a Written,
    pub(super) coordinates: Coordinates,
    /// From w, whose axes are those of the integration, to z: a linear map, and none where z is not θ.
    pub(super) turn: Matrix,
    /// c, in w.
    pub(super) centre: Point,
    /// s, in w.
    pub(super) scale: Point,
    /// The log density of z at the highest point.
    pub(super) top: f64,
}

impl Field<'_> {
    pub(super) fn is_line(&self) -> bool {
        self.density.info.dimension == 1
    }

    /// w along an axis.
    pub(super) fn z(&self, axis: usize, t: f64) -> f64 {
        self.centre[axis] + self.scale[axis] * sinh_cosh(t)[0]
    }

    /// t along an axis of w.
    pub(super) fn t(&self, axis: usize, z: f64) -> f64 {
        libm::asinh((z - self.centre[axis]) / self.scale[axis])
    }

    /// θ along an axis of w.
    pub(super) fn theta(&self, axis: usize, t: f64) -> f64 {
        self.coordinates.to_theta(AXES[axis] * self.z(axis, t))[axis]
    }

    /// Whether w is not z.
    pub(super) fn is_turned(&self) -> bool {
        self.turn != Matrix::identity()
    }

    /// Log densities of w, less the highest.
    pub(super) fn heights(&self, w: &[Point]) -> Vec<f64> {
        let mut heights = self.density.heights(&self.coordinates, w);
        heights.iter_mut().for_each(|height| *height -= self.top);
        heights
    }

    /// An upper bound of the log density over a box, less the highest.
    pub(super) fn highest(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        let above = |([x, y], slope): ([[f64; 2]; 2], f64)| self.density.density.value_bounds(x, y)[1] + slope;
        self.region(x, y).map_or(f64::NEG_INFINITY, above)
    }

    /// A box in θ, and an upper bound of log |dθ/dz| less the highest log density over it; `None` where there are no numbers.
    fn region(&self, x: [f64; 2], y: [f64; 2]) -> Option<([[f64; 2]; 2], f64)> {
        let z = [x.map(|t| self.z(0, t)), y.map(|t| self.z(1, t))];
        let ends = [0, 1].map(|end| self.coordinates.to_theta(Point::new(z[0][end], z[1][end])));
        let is_beyond =
            |axis: usize| !self.coordinates.is_identity_along(axis) && ends.iter().all(|at| at[axis] > FARTHEST);
        if is_beyond(0) || is_beyond(1) {
            return None;
        }
        let ends = ends.map(near);
        Some(([0, 1].map(|axis| [ends[0][axis], ends[1][axis]]), self.slope(z) - self.top))
    }

    /// An upper bound of the density of t over a box, relative to that at c; below `enough` it need not be the lowest.
    pub(super) fn bound(&self, x: [f64; 2], y: [f64; 2], enough: f64) -> f64 {
        let y = if self.is_line() { [0.0; 2] } else { y };
        let Some(([x_ends, y_ends], slope)) = self.region(x, y) else { return 0.0 };
        let stretch = |[from, to]: [f64; 2]| sinh_cosh(from.abs().max(to.abs()))[1];
        let other = if self.is_line() { 1.0 } else { stretch(y) };
        let jacobian = stretch(x) * other;
        let value = |height: f64| (exp(height + slope) * jacobian).min(MOST);
        let natural = self.density.density.value_bounds(x_ends, y_ends)[1];
        if natural == f64::NEG_INFINITY {
            return 0.0;
        }
        let found = value(natural);
        let is_small = |[from, to]: [f64; 2]| to - from <= SMALL;
        if found > enough && is_small(x) && is_small(y) {
            let tangent = value(self.tangent(x_ends, y_ends));
            if tangent < MOST || found < MOST {
                return found.min(tangent);
            }
        }
        // A height above all numbers is one all the same.
        if found < MOST || natural < f64::INFINITY {
            return found;
        }
        let is_tiny = |[from, to]: [f64; 2]| to - from <= TINY;
        // A quotient by 0 has no bound, whatever is there: in a small box its values have to do.
        if is_tiny(x) && is_tiny(y) { value(self.shown(x_ends, y_ends)) } else { MOST }
    }

    /// The largest value of the formula at nine points of a box.
    fn shown(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        let inside = |[from, to]: [f64; 2]| [0.1, 0.5, 0.9].map(|share| from + share * (to - from));
        let values = inside(x).into_iter().flat_map(|x| inside(y).map(|y| self.density.density.value(x, y)));
        values.filter(|value| *value < f64::INFINITY).fold(f64::NEG_INFINITY, f64::max)
    }

    /// An upper bound of the formula from its value in the middle of a box and its derivatives over the box.
    fn tangent(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        let middle = [x, y].map(|[from, to]| 0.5 * (from + to));
        let value = self.density.density.value(middle[0], middle[1]);
        let slopes = self.density.density.gradient_bounds(x, y);
        let mut above = value;
        for (([from, to], middle), slope) in [x, y].into_iter().zip(middle).zip(slopes) {
            let away = (to - middle).max(middle - from);
            if away > 0.0 {
                above += away * slope[0].abs().max(slope[1].abs());
            }
        }
        if above.is_nan() { f64::INFINITY } else { above }
    }

    /// An upper bound of log |dθ/dz| over a box.
    fn slope(&self, z: [[f64; 2]; 2]) -> f64 {
        if self.coordinates.is_identity() {
            return 0.0;
        }
        // Along each axis it grows, or falls on both sides of 0.
        let ends = |[from, to]: [f64; 2]| [from, to, 0.0_f64.clamp(from, to)];
        let heights =
            ends(z[0]).into_iter().flat_map(|x| ends(z[1]).map(|y| self.coordinates.log_slope(Point::new(x, y))));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The area in w in which the density is above a depth, roughly.
    pub(super) fn area(&self, depth: f64) -> f64 {
        let size = 2.0 * REACH / f64::from(SIDE);
        let points: Vec<f64> = (0..SIDE).map(|index| size * (f64::from(index) + 0.537) - REACH).collect();
        points
            .iter()
            .map(|x| {
                let w: Vec<Point> = points.iter().map(|y| Point::new(self.z(0, *x), self.z(1, *y))).collect();
                let cells = points.iter().zip(self.heights(&w)).filter(|(_, height)| *height > -depth);
                cells.map(|(y, _)| sinh_cosh(*y)[1]).sum::<f64>() * sinh_cosh(*x)[1]
            })
            .sum::<f64>()
            * (size * size * self.scale.x * self.scale.y)
    }

    /// log ∫p of a sum of densities of t relative to that at c.
    pub(super) fn log_normaliser(&self, mass: f64) -> f64 {
        let size = if self.is_line() { self.scale.x } else { self.scale.x * self.scale.y };
        let log_normaliser = self.top + ln(mass) + ln(size);
        if self.is_turned() { log_normaliser + ln(self.turn.determinant().abs()) } else { log_normaliser }
    }
}

/// sinh t and cosh t.
pub(super) fn sinh_cosh(t: f64) -> [f64; 2] {
    let up = exp(t);
    let down = 1.0 / up;
    [0.5 * (up - down), 0.5 * (up + down)]
}

/// The mass at a height, times the stretch of t.
pub(super) fn mass(height: f64, stretch: f64) -> f64 {
    let mass = exp(height) * stretch;
    if mass > 0.0 { mass.min(MOST) } else { 0.0 }
}
