//! Coefficients on an axis: their intervals in values or in standard deviations of the reference, what the axis shows, and where rows are.

use crate::words::word::Word;
use base::params::ParamSpec;
use engine::scenario::view::options;
use engine::session::Described;

/// The interquartile range of a normal distribution, in standard deviations.
const QUARTILES: f64 = 1.349;

/// How far intervals of runs may widen the axis beyond those of the reference, on either side as a share of the width of these.
const BEYOND: f64 = 1.0;

/// The distance of 0 below which the axis shows it, as a share of its width.
const NEAR_ZERO: f64 = 0.3;

/// Space at both ends of the axis, as a share of its width.
const MARGIN: f64 = 0.04;

/// Share of the height of a row that its runs take, at most.
const FILLED: f32 = 0.72;

/// The scale on which coefficients are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Their values.
    #[default]
    Values,
    /// The difference from the mean of the reference, in units of its standard deviation.
    ReferenceSds,
    /// Intercept, coefficients and σ in the units of the data file.
    FileUnits,
}

impl Word for Scale {
    const SPEC: &'static ParamSpec = &options::SCALE;
    const ALL: &'static [Self] = &[Self::Values, Self::ReferenceSds, Self::FileUnits];
}

/// The middle and the width of a distribution: its mean and standard deviation where they exist, else those that a normal distribution
/// with its median and quartiles has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The value at 0.
    pub centre: f64,
    /// The distance that is 1.
    pub size: f64,
}

impl Unit {
    /// Of values as they are.
    pub const VALUES: Self = Self { centre: 0.0, size: 1.0 };

    /// Of a reference.
    #[must_use]
    pub fn of(reference: &Described) -> Self {
        let [_, lower, median, upper, _] = reference.quantiles;
        let or = |moment: f64, otherwise: f64| if moment.is_finite() { moment } else { otherwise };
        Self { centre: or(reference.mean, median), size: or(reference.sd, (upper - lower) / QUARTILES) }
    }

    /// The position of a value on the axis.
    #[must_use]
    pub fn position(self, value: f64) -> f64 {
        (value - self.centre) / self.size
    }
}

/// A distribution on the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean; the median where there is none.
    pub middle: f64,
    /// The interval with 50 %, and that with 90 %.
    pub inner: [f64; 2],
    /// The interval with 90 %.
    pub outer: [f64; 2],
}

impl Interval {
    /// Of moments and quantiles.
    #[must_use]
    pub fn of(described: &Described, unit: Unit) -> Self {
        let [lowest, lower, median, upper, highest] = described.quantiles.map(|quantile| unit.position(quantile));
        let middle = if described.mean.is_finite() { unit.position(described.mean) } else { median };
        Self { middle, inner: [lower, upper], outer: [lowest, highest] }
    }
}

/// The ends of the axis: all intervals of the references, and those of the runs as far as they are not far from them.
#[must_use]
pub fn range(references: &[Interval], runs: &[Interval]) -> [f64; 2] {
    let (low, high) = match (ends(references), ends(runs)) {
        (Some((low, high)), of_runs) => {
            let most = BEYOND * (high - low);
            let (lowest, highest) = of_runs.unwrap_or((low, high));
            (low.min(lowest.max(low - most)), high.max(highest.min(high + most)))
        }
        (None, Some(ends)) => ends,
        (None, None) => (-1.0, 1.0),
    };
    let width = high - low;
    let width = if width > 0.0 { width } else { low.abs().max(1.0) };
    let low = if low > 0.0 && low < NEAR_ZERO * width { 0.0 } else { low };
    let high = if high < 0.0 && -high < NEAR_ZERO * width { 0.0 } else { high };
    [low - MARGIN * width, high + MARGIN * width]
}

/// The intervals that an axis in the units of a file shows, of all of them and whether each is of a slope: those of slopes, and others that are
/// not far from them. An intercept or σ that is would leave the slopes no space.
#[must_use]
pub fn beside_slopes(intervals: &[(bool, Interval)]) -> Vec<Interval> {
    /// How far from 0 others may be, in distances of the farthest slope.
    const FAR: f64 = 4.0;
    let farthest = |interval: &Interval| interval.outer[0].abs().max(interval.outer[1].abs());
    let of_slopes =
        intervals.iter().filter(|(is_slope, _)| *is_slope).map(|(_, interval)| farthest(interval)).fold(0.0, f64::max);
    let is_near = |(is_slope, interval): &&(bool, Interval)| {
        *is_slope || of_slopes <= 0.0 || farthest(interval) <= FAR * of_slopes
    };
    intervals.iter().filter(is_near).map(|(_, interval)| *interval).collect()
}

fn ends(intervals: &[Interval]) -> Option<(f64, f64)> {
    let all = intervals.iter().flat_map(|interval| [interval.middle, interval.outer[0], interval.outer[1]]);
    let finite = all.filter(|end| end.is_finite()).map(|end| (end, end));
    finite.reduce(|(low, high), (end, _)| (low.min(end), high.max(end)))
}

/// An estimate with its standard error either way, on the axis.
#[must_use]
pub fn estimate([value, error]: [f64; 2], unit: Unit) -> Interval {
    let ends = [value - error, value + error].map(|end| unit.position(end));
    Interval { middle: unit.position(value), inner: ends, outer: ends }
}

/// What is seen of an interval on an axis, and at which ends it goes on; `None` if nothing is.
#[must_use]
pub fn seen([low, high]: [f64; 2], axis: [f64; 2]) -> Option<([f64; 2], [bool; 2])> {
    let is_there = low.is_finite() && high.is_finite() && high >= axis[0] && low <= axis[1];
    is_there.then(|| ([low.max(axis[0]), high.min(axis[1])], [low < axis[0], high > axis[1]]))
}

/// Rows of the same height, each with a lane for every run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rows {
    /// Their number.
    pub count: usize,
    /// The height of each.
    pub height: f32,
    /// Lanes in each.
    pub lanes: usize,
    /// The distance of lanes.
    pub apart: f32,
}

impl Rows {
    /// In a height: as high as they may be, and no lower than `least` unless they have to `fit`; lanes are at most `apart` from each other.
    #[must_use]
    pub fn new((count, lanes): (usize, usize), height: f32, (least, apart): (f32, f32), fit: bool) -> Self {
        let share = height / count.max(1) as f32;
        let height = if fit { share } else { share.max(least) };
        let apart = apart.min(FILLED * height / lanes.max(1) as f32);
        Self { count, height, lanes, apart }
    }

    /// The height of all rows.
    #[must_use]
    pub fn total(&self) -> f32 {
        self.height * self.count as f32
    }

    /// The middle of a row, below the top of the first.
    #[must_use]
    pub fn middle(&self, row: usize) -> f32 {
        self.height * (row as f32 + 0.5)
    }

    /// The middle of a lane of a row.
    #[must_use]
    pub fn lane(&self, row: usize, lane: usize) -> f32 {
        self.middle(row) + self.apart * (lane as f32 - 0.5 * (self.lanes.max(1) as f32 - 1.0))
    }

    /// Half the height of what the lanes of a row take.
    #[must_use]
    pub fn half(&self) -> f32 {
        0.5 * self.apart * self.lanes.max(1) as f32
    }

    /// The row at a distance below the top, and the nearest of its lanes.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "at least 0")]
    pub fn at(&self, below: f32) -> Option<(usize, usize)> {
        let row = (below / self.height).floor();
        let row = (row >= 0.0 && row < self.count as f32).then_some(row as usize)?;
        let lane = (below - self.lane(row, 0)) / self.apart;
        Some((row, (lane.round().max(0.0) as usize).min(self.lanes.max(1) - 1)))
    }

    /// Every how many rows there is space for a label of some height.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    pub fn labels(&self, height: f32) -> usize {
        (height / self.height.max(1e-3)).ceil().max(1.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, high: f64) -> Interval {
        let width = high - low;
        let inner = [low + 0.25 * width, high - 0.25 * width];
        Interval { middle: 0.5 * (low + high), inner, outer: [low, high] }
    }

    #[test]
    fn a_unit_is_mean_and_sd_or_what_a_normal_with_these_quartiles_has() {
        let mut reference = Described { mean: 2.0, sd: 0.5, quantiles: [1.2, 1.7, 2.0, 2.3, 2.8] };
        assert!((Unit::of(&reference).position(3.0) - 2.0).abs() < 1e-12);
        (reference.mean, reference.sd) = (f64::NAN, f64::NAN);
        let unit = Unit::of(&reference);
        assert!((unit.centre - 2.0).abs() < 1e-12 && (unit.size - 0.6 / 1.349).abs() < 1e-12);
        let of = Interval::of(&reference, Unit::VALUES);
        assert!((of.middle - 2.0).abs() < 1e-12, "the median where there is no mean");
    }

    #[test]
    fn the_axis_shows_references_and_what_is_not_far_from_them() {
        let near = |[low, high]: [f64; 2], expected: [f64; 2]| {
            assert!((low - expected[0]).abs() < 1e-9 && (high - expected[1]).abs() < 1e-9, "{low} {high}");
        };
        near(range(&[interval(1.0, 2.0)], &[]), [0.96, 2.04]);
        near(range(&[interval(0.2, 1.2)], &[interval(0.4, 1.3)]), [-0.044, 1.344]);
        // A run that went far away takes no more than the width of the references.
        near(range(&[interval(5.0, 6.0)], &[interval(100.0, 200.0)]), [4.92, 7.08]);
        near(range(&[], &[interval(3.0, 3.0)]), [2.88, 3.12]);
        near(range(&[], &[interval(f64::NAN, f64::NAN)]), [-1.08, 1.08]);
    }

    #[test]
    fn an_intercept_that_is_far_away_leaves_space_for_slopes() {
        let all = [(false, interval(-90.0, -80.0)), (true, interval(-1.0, 2.0)), (false, interval(6.0, 7.0))];
        assert_eq!(beside_slopes(&all), [interval(-1.0, 2.0), interval(6.0, 7.0)]);
        assert_eq!(beside_slopes(&all[..1]), [interval(-90.0, -80.0)]);
    }

    #[test]
    fn intervals_end_at_the_axis_and_say_so() {
        assert_eq!(seen([-3.0, 0.5], [-1.0, 1.0]), Some(([-1.0, 0.5], [true, false])));
        assert_eq!(seen([2.0, 3.0], [-1.0, 1.0]), None);
        assert_eq!(seen([f64::NAN, 3.0], [-1.0, 1.0]), None);
    }

    #[test]
    fn rows_fill_the_height_or_scroll_and_lanes_stay_in_them() {
        let rows = Rows::new((4, 3), 200.0, (20.0, 8.0), false);
        assert!((rows.height - 50.0).abs() < 1e-6 && (rows.apart - 8.0).abs() < 1e-6);
        assert_eq!((rows.at(75.0), rows.at(51.0), rows.at(199.0)), (Some((1, 1)), Some((1, 0)), Some((3, 2))));
        assert_eq!((rows.at(-1.0), rows.at(200.5)), (None, None));
        let many = Rows::new((100, 8), 200.0, (20.0, 8.0), false);
        assert!((many.total() - 2000.0).abs() < 1e-3);
        assert!(many.half() <= 0.5 * many.height);
        let printed = Rows::new((100, 8), 200.0, (20.0, 8.0), true);
        assert!((printed.total() - 200.0).abs() < 1e-3);
        assert_eq!((printed.labels(14.0), rows.labels(14.0)), (7, 1));
    }
}
