//! What a target declares about itself besides its density.

use base::math::{Bounds, Matrix, Point};

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
    #[inline]
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
    /// Why the truth is not known, or which moments of it do not exist, in words; none where all of it is known.
    pub unknown: Option<String>,
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
            unknown: None,
        }
    }
}

/// What is smaller than this, in standard deviations, is rounding of a quadrature.
const ROUNDING: f64 = 1e-9;

impl TargetInfo {
    /// Mean and covariance as they are reported: what is rounding beside the width of the density is 0. Of a coordinate without a variance
    /// the width is that of the view.
    #[must_use]
    pub fn told_moments(&self) -> (Point, Matrix) {
        let size = self.view.size();
        let width = |axis: usize| {
            let sd = self.covariance[(axis, axis)].sqrt();
            if sd > 0.0 && sd.is_finite() { sd } else { size[axis] }
        };
        let rounded = |value: f64, width: f64| if value.abs() <= ROUNDING * width { 0.0 } else { value };
        let mean = Point::new(rounded(self.mean.x, width(0)), rounded(self.mean.y, width(1)));
        let entry = |row: usize, column: usize| {
            let value = self.covariance[(row, column)];
            if row == column { value } else { rounded(value, width(row) * width(column)) }
        };
        (mean, Matrix::from_fn(entry))
    }

    /// log Z as it is reported, where rounding of 0 is 0.
    #[must_use]
    pub fn told_log_normaliser(&self) -> f64 {
        if self.log_normaliser.abs() <= ROUNDING { 0.0 } else { self.log_normaliser }
    }
}

/// The farthest coordinate of a view: areas of boxes millions of times as large are still numbers.
const FARTHEST: f64 = 1e100;

/// The narrowest view, as a share of its distance from 0: the ends of its cells, and pixels on it, are still different numbers.
const NARROWEST: f64 = 1e-10;

impl TargetInfo {
    /// Why nothing can be drawn or counted in the view, or no chain started, if that is so. Of a target that
    /// [`build`](super::build) makes there is no fault.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let Bounds { min, max } = self.view;
        let ends = [min.x, max.x, min.y, max.y];
        let (numbers, points) = (|at: &Point| at.iter().all(|x| x.is_finite()), self.modes.iter().map(|mode| &mode.at));
        if !ends.iter().all(|end| end.abs() <= FARTHEST) {
            Some("its view has no finite ends")
        } else if self.narrow_axis().is_some() {
            Some("its view has no width, or is too narrow for its distance from 0")
        } else if !numbers(&self.start) {
            Some("chains have no place to start at")
        } else if !points.clone().all(numbers) {
            Some("a mode has no place")
        } else if self.log_normaliser.is_infinite() {
            Some("its normaliser is not a number")
        } else {
            None
        }
    }

    /// The first axis, 0 or 1, along which the view has no width, or too little for its distance from 0.
    pub(super) fn narrow_axis(&self) -> Option<usize> {
        let Bounds { min, max } = self.view;
        // Not for NaN.
        let is_wide = |axis: usize| max[axis] - min[axis] > NARROWEST * min[axis].abs().max(max[axis].abs());
        (0..2).find(|axis| !is_wide(*axis))
    }
}

/// Words for messages about a target without isolated modes.
pub const NO_MODES: &str = "no isolated modes";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_told_as_0_and_small_numbers_are_not() {
        let view = Bounds::new((-3.0, 3.0), (-3e-12, 3e-12));
        let moments_of = |mean: Point, covariance: Matrix| {
            TargetInfo { mean, covariance, ..TargetInfo::unknown(["x", "y"], view, Point::zeros()) }.told_moments()
        };
        let (mean, covariance) = moments_of(Point::new(-1.5e-18, 2e-13), Matrix::new(1.0, 3e-25, 3e-25, 1e-24));
        assert_eq!((mean, covariance), (Point::new(0.0, 2e-13), Matrix::new(1.0, 0.0, 0.0, 1e-24)));
        let heavy = moments_of(Point::new(-1.5e-18, 2e-13), Matrix::repeat(f64::NAN)).0;
        assert_eq!(heavy, Point::new(0.0, 2e-13), "without a variance");
    }

    /// Every number of a sound description, one after the other, in the place of which there is a bad one.
    #[test]
    fn every_number_that_is_none_is_a_fault() {
        let view = Bounds::new((-3.0, 5.0), (1.0, 2.0));
        let mode = Mode { at: Point::zeros(), weight: 1.0, covariance: Matrix::identity() };
        let sound = TargetInfo {
            modes: vec![mode],
            log_normaliser: 1.0,
            ..TargetInfo::unknown(["x", "y"], view, Point::new(0.5, 1.5))
        };
        assert_eq!(sound.fault(), None);
        assert_eq!(TargetInfo { log_normaliser: f64::NAN, ..sound.clone() }.fault(), None, "not known is no fault");
        let entries: [fn(&mut TargetInfo) -> &mut f64; 8] = [
            |info| &mut info.view.min.x,
            |info| &mut info.view.min.y,
            |info| &mut info.view.max.x,
            |info| &mut info.view.max.y,
            |info| &mut info.start.x,
            |info| &mut info.start.y,
            |info| &mut info.modes[0].at.x,
            |info| &mut info.modes[0].at.y,
        ];
        for (number, entry) in entries.into_iter().enumerate() {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut info = sound.clone();
                *entry(&mut info) = bad;
                assert!(info.fault().is_some(), "{number}: {bad}");
            }
        }
        let ends = [(5.0, -3.0), (2.0, 2.0), (1e300, 2e300), (-1e101, 0.0), (1e6, 1e6 + 1e-5), (0.0, 0.0)];
        for (min, max) in ends {
            for view in [Bounds::new((min, max), (0.0, 1.0)), Bounds::new((0.0, 1.0), (min, max))] {
                assert!(TargetInfo { view, ..sound.clone() }.fault().is_some(), "{view:?}");
            }
        }
        for (min, max) in [(0.0, 1e-300), (-1e99, 1e99), (1e6, 1e6 + 1e-3), (-1e-3, 0.0)] {
            let view = Bounds::new((min, max), (min, max));
            assert_eq!(TargetInfo { view, ..sound.clone() }.fault(), None, "{view:?}");
        }
        assert!(TargetInfo { log_normaliser: f64::INFINITY, ..sound }.fault().is_some());
    }
}
