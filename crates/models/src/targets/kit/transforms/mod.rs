//! Coordinates of chains: θ itself, its logit if the support is an interval, or its logarithm if the support is a
//! half-line.
//!
//! With [`Boundary::Logit`], a coordinate θ with support (l, l + w) is sampled as z = ln((θ−l)/(l+w−θ)). The density of
//! z is p(θ) dθ/dz, dθ/dz = w s (1−s), s = 1/(1+e⁻ᶻ): the log density gains ln w + ln s + ln(1−s), the gradient is
//! multiplied by dθ/dz and gains 1 − 2s. With [`Boundary::Log`], a coordinate with support (l, ∞) is sampled as z =
//! ln(θ−l), dθ/dz = eᶻ: the log density gains z, the gradient is multiplied by eᶻ and gains 1. Constants are kept, so
//! the normaliser is that of the target.
//!
//! θ is rounded to 53 bits, and for large |z| the rounded number is on the boundary. So density and derivatives are
//! evaluated at z clamped to ±[`FARTHEST`] (to −[`FARTHEST_FROM_ZERO`] at a lower boundary of 0, where floating-point
//! numbers are denser, and to [`FARTHEST_FROM_ZERO`] on a half-line without upper boundary). Beyond that, the log
//! density continues as a straight line.

mod transformed;

pub(in crate::targets) use self::transformed::{TransformedSurface, in_coordinates, open_surface, surface_in};
pub use self::transformed::{open_density, sampling_density};
use crate::targets::{Boundary, TargetInfo};
use base::math::Point;
use base::math::elementary::{exp, ln, sigmoid};

/// Largest |z| at which 1 − s is still a few roundings away from 0.
const FARTHEST: f64 = 35.0;

/// Largest |z| at which s and eᶻ are still far from the smallest and the largest number.
const FARTHEST_FROM_ZERO: f64 = 600.0;

/// Smallest distance of a folded point from the boundary, as a share of the interval (of 1 on a half-line), so that no
/// gradient is infinite.
const EDGE: f64 = 1.0 / 9_007_199_254_740_992.0;

/// The relation between a coordinate z of a chain and θ.
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
    /// The logarithm of the distance of θ from `min`.
    Log { min: f64 },
}

impl Axis {
    fn of(info: &TargetInfo, axis: usize, boundary: Boundary) -> Self {
        let (min, width) = (info.support.min[axis], info.support.max[axis] - info.support.min[axis]);
        match boundary {
            Boundary::Logit | Boundary::Log if width.is_finite() => Self::Logit { min, width },
            Boundary::Logit | Boundary::Log if min.is_finite() => Self::Log { min },
            Boundary::Reflect if width.is_finite() => Self::Folded { min, width },
            Boundary::Reflect if min.is_finite() => Self::Above { min },
            _ => Self::Plain,
        }
    }

    #[inline]
    fn theta_of(self, z: f64) -> f64 {
        match self {
            Self::Plain | Self::Folded { .. } | Self::Above { .. } => z,
            Self::Logit { min, width } => min + width * sigmoid(self.clamped(z)),
            Self::Log { min } => min + exp(self.clamped(z)),
        }
    }

    /// ln dθ/dz, also where θ has lost its digits.
    #[inline]
    fn log_slope(self, z: f64) -> f64 {
        match self {
            Self::Plain | Self::Folded { .. } | Self::Above { .. } => 0.0,
            // ln s + ln(1−s) = −|z| − 2 ln(1 + e^−|z|)
            Self::Logit { width, .. } => ln(width) - z.abs() - 2.0 * ln(1.0 + exp(-z.abs())),
            Self::Log { .. } => z,
        }
    }

    /// See [`Coordinates::cut`].
    fn cut(self, theta: f64) -> f64 {
        match self {
            Self::Logit { min, .. } | Self::Log { min } if theta <= min => f64::NEG_INFINITY,
            Self::Logit { min, width } if theta >= min + width => f64::INFINITY,
            Self::Log { .. } if theta >= f64::INFINITY => f64::INFINITY,
            _ => self.z_of(theta),
        }
    }

    #[inline]
    fn z_of(self, theta: f64) -> f64 {
        match self {
            Self::Plain | Self::Folded { .. } | Self::Above { .. } => theta,
            Self::Logit { min, width } => {
                let share = (theta - min) / width;
                self.clamped(ln(share) - ln(1.0 - share))
            }
            Self::Log { min } => self.clamped(ln(theta - min)),
        }
    }

    #[inline]
    fn fold(self, z: f64) -> f64 {
        match self {
            Self::Folded { min, width } => folded(z, min, width),
            Self::Above { min } => min + clear((z - min).abs()),
            Self::Plain | Self::Logit { .. } | Self::Log { .. } => z,
        }
    }

    /// A way without whole rounds between two ends, which lead back to where they began.
    #[inline]
    fn shortened(self, way: f64) -> f64 {
        match self {
            Self::Folded { width, .. } if way.abs() >= 2.0 * width && way.is_finite() => way % (2.0 * width),
            _ => way,
        }
    }

    /// The distance between two ends where chains are folded back, else infinite.
    fn side(self) -> f64 {
        if let Self::Folded { width, .. } = self { width } else { f64::INFINITY }
    }

    /// `z` clamped to the range where θ has digits; NaN stays NaN.
    #[inline]
    fn clamped(self, z: f64) -> f64 {
        let (min, highest) = match self {
            Self::Plain | Self::Folded { .. } | Self::Above { .. } => return z,
            Self::Logit { min, .. } => (min, FARTHEST),
            Self::Log { min } => (min, FARTHEST_FROM_ZERO),
        };
        let lowest = if min == 0.0 { -FARTHEST_FROM_ZERO } else { -FARTHEST };
        let z = if z > highest { highest } else { z };
        if z < lowest { lowest } else { z }
    }
}

/// `z` reflected at the ends of an interval until it is inside by [`EDGE`]; a point inside does not change.
#[inline]
fn folded(z: f64, min: f64, width: f64) -> f64 {
    let distance = z - min;
    let (nearest, farthest) = (width * EDGE, width * (1.0 - EDGE));
    if (distance >= nearest && distance <= farthest) || !distance.is_finite() {
        return z;
    }
    let round = distance.rem_euclid(2.0 * width);
    let inside = if round > width { 2.0 * width - round } else { round };
    min + inside.clamp(nearest, farthest)
}

/// A distance from the boundary, at least [`EDGE`]; NaN stays NaN.
#[inline]
fn clear(distance: f64) -> f64 {
    if distance < EDGE { EDGE } else { distance }
}

/// The translation between the coordinates z of chains and θ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    axes: [Axis; 2],
}

impl Coordinates {
    /// The translation that a target declares.
    #[must_use]
    pub fn of(info: &TargetInfo) -> Self {
        Self { axes: [0, 1].map(|axis| Axis::of(info, axis, info.boundary)) }
    }

    /// No translation: z is θ.
    #[must_use]
    pub fn plain() -> Self {
        Self { axes: [Axis::Plain; 2] }
    }

    /// The translation into coordinates without boundary, whatever samplers do at the boundary of the target: the logit
    /// if the support is an interval, the logarithm if it is a half-line.
    #[must_use]
    pub fn open(info: &TargetInfo) -> Self {
        Self { axes: [0, 1].map(|axis| Axis::of(info, axis, Boundary::Logit)) }
    }

    /// θ at z. With [`Boundary::Logit`] and [`Boundary::Log`] it lies strictly inside the support for every finite z.
    #[must_use]
    #[inline]
    pub fn to_theta(&self, z: Point) -> Point {
        Point::new(self.axes[0].theta_of(z.x), self.axes[1].theta_of(z.y))
    }

    /// z at θ. With [`Boundary::Logit`] and [`Boundary::Log`] it is finite for θ in the support and on its boundary,
    /// NaN outside.
    #[must_use]
    #[inline]
    pub fn from_theta(&self, theta: Point) -> Point {
        Point::new(self.axes[0].z_of(theta.x), self.axes[1].z_of(theta.y))
    }

    /// log |dθ/dz| at z: the log density of z is that of θ plus this.
    #[must_use]
    #[inline]
    pub fn log_slope(&self, z: Point) -> f64 {
        self.axes[0].log_slope(z.x) + self.axes[1].log_slope(z.y)
    }

    /// The z of coordinate `axis`, 0 or 1, below which θ is below `theta`. In logits and logarithms it is −∞ or ∞ for
    /// `theta` on the boundary of the support and beyond.
    #[inline]
    #[must_use]
    pub fn cut(&self, axis: usize, theta: f64) -> f64 {
        self.axes[axis].cut(theta)
    }

    /// With [`Boundary::Reflect`], z reflected at the boundary of the support until it is inside, for every finite
    /// z; otherwise z itself.
    #[must_use]
    #[inline]
    pub fn fold(&self, z: Point) -> Point {
        Point::new(self.axes[0].fold(z.x), self.axes[1].fold(z.y))
    }

    /// The way of a chain along coordinate `axis`, 0 or 1, without whole rounds between two ends that reflect. Where it ends is the
    /// same, but a position does not lose its digits when a way of many widths is added.
    #[must_use]
    #[inline]
    pub fn shortened(&self, axis: usize, way: f64) -> f64 {
        self.axes[axis].shortened(way)
    }

    /// The distance along coordinate `axis`, 0 or 1, between two ends that reflect; infinite where there are none.
    #[inline]
    #[must_use]
    pub fn side(&self, axis: usize) -> f64 {
        self.axes[axis].side()
    }

    /// [`fold`](Self::fold) of many points, given by their coordinates.
    #[inline]
    pub fn fold_all(&self, x: &mut [f64], y: &mut [f64]) {
        for (axis, positions) in self.axes.into_iter().zip([x, y]) {
            if matches!(axis, Axis::Folded { .. } | Axis::Above { .. }) {
                positions.iter_mut().for_each(|z| *z = axis.fold(*z));
            }
        }
    }

    /// Whether z is θ, with or without folding.
    #[inline]
    #[must_use]
    pub fn is_identity(&self) -> bool {
        [0, 1].into_iter().all(|axis| self.is_identity_along(axis))
    }

    /// The same for coordinate `axis`, 0 or 1.
    #[inline]
    #[must_use]
    pub fn is_identity_along(&self, axis: usize) -> bool {
        !matches!(self.axes[axis], Axis::Logit { .. } | Axis::Log { .. })
    }
}
