//! Numbers of a posterior predictive check: distribution functions of data sets, and histograms of their statistics.

use crate::words::word::Word;
use base::params::ParamSpec;
use engine::scenario::view::options;
use engine::session::replicates::DataSet;

/// Bins of a histogram.
const BINS: usize = 30;

/// Space at both ends of an axis, as a share of its width.
const MARGIN: f64 = 0.05;

/// Share of the replicates whose ends the axis shows: a few far ones would make the data narrow.
const SHOWN: f64 = 0.9;

/// A statistic of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistic {
    /// The smallest.
    Min,
    /// The largest.
    #[default]
    Max,
    /// The mean.
    Mean,
    /// The standard deviation.
    Sd,
}

impl Word for Statistic {
    const SPEC: &'static ParamSpec = &options::STATISTIC;
    const ALL: &'static [Self] = &[Self::Min, Self::Max, Self::Mean, Self::Sd];
}

impl Statistic {
    /// Its number among those of a data set.
    #[must_use]
    pub fn number(self) -> usize {
        self as usize
    }
}

/// The empirical distribution function as a line with steps, between the ends of an axis.
#[must_use]
pub fn steps(set: &DataSet, [low, high]: [f64; 2]) -> Vec<[f64; 2]> {
    let count = set.sorted.len() as f64;
    let mut line = vec![[low, 0.0]];
    for (number, value) in set.sorted.iter().enumerate() {
        let below = number as f64 / count;
        line.push([*value, below]);
        line.push([*value, below + 1.0 / count]);
    }
    line.push([high, 1.0]);
    line
}

/// The axis of data sets: all of the observed data, and most of the replicated ones.
#[must_use]
pub fn axis<'a>(observed: &DataSet, replicated: &(impl Iterator<Item = &'a DataSet> + Clone)) -> [f64; 2] {
    let [low, high, ..] = observed.statistics;
    let end = |number: usize, share: f64| {
        let mut ends: Vec<f64> = replicated.clone().map(|set| set.statistics[number]).collect();
        ends.sort_by(f64::total_cmp);
        base::math::quantile(&ends, share)
    };
    let low = end(0, 1.0 - SHOWN).map_or(low, |end| end.min(low));
    let high = end(1, SHOWN).map_or(high, |end| end.max(high));
    let width = if high > low { high - low } else { low.abs().max(1.0) };
    [low - MARGIN * width, high + MARGIN * width]
}

/// The ends of an axis for values, in which an observed one is.
#[must_use]
pub fn around(values: impl Iterator<Item = f64>, observed: f64) -> [f64; 2] {
    let (low, high) = values.fold((observed, observed), |(low, high), value| (low.min(value), high.max(value)));
    let width = if high > low { high - low } else { low.abs().max(1.0) };
    [low - MARGIN * width, high + MARGIN * width]
}

/// The outline of a histogram of values: shares of the bins of an axis.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "numbers of bins")]
pub fn histogram(values: &[f64], [low, high]: [f64; 2]) -> Vec<[f64; 2]> {
    let mut counts = [0_usize; BINS];
    for value in values {
        let bin = (value - low) / (high - low) * BINS as f64;
        if (0.0..BINS as f64).contains(&bin) {
            counts[bin as usize] += 1;
        }
    }
    let edge = |number: usize| low + (high - low) * number as f64 / BINS as f64;
    let bin = |(number, count): (usize, &usize)| {
        let share = *count as f64 / values.len().max(1) as f64;
        [[edge(number), share], [edge(number + 1), share]]
    };
    counts.iter().enumerate().flat_map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(sorted: &[f64]) -> DataSet {
        let ends = [sorted[0], sorted[sorted.len() - 1]];
        DataSet { sorted: sorted.to_vec(), statistics: [ends[0], ends[1], 0.0, 1.0] }
    }

    #[test]
    fn a_distribution_function_rises_at_every_datum() {
        let line = steps(&set(&[1.0, 3.0]), [0.0, 4.0]);
        assert_eq!(line, [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [3.0, 0.5], [3.0, 1.0], [4.0, 1.0]]);
    }

    #[test]
    fn the_axis_shows_the_data_and_most_replicates() {
        let replicated: Vec<DataSet> =
            (0..11).map(|k| set(&[0.5 - f64::from(k), if k == 10 { 1e9 } else { 5.0 }])).collect();
        let [low, high] = axis(&set(&[0.0, 4.0]), &replicated.iter());
        assert!((low - (-8.5 - 0.05 * 13.5)).abs() < 1e-9 && (high - (5.0 + 0.05 * 13.5)).abs() < 1e-9, "{low} {high}");
        assert_eq!(around([3.0, 3.0].into_iter(), 3.0), [3.0 - 0.15, 3.0 + 0.15]);
    }

    #[test]
    fn a_histogram_has_shares() {
        let outline = histogram(&[0.01, 0.02, 0.99, 7.0], [0.0, 1.0]);
        assert_eq!(outline.len(), 2 * BINS);
        assert!((outline[0][1] - 0.5).abs() < 1e-12 && (outline[59][1] - 0.25).abs() < 1e-12);
    }
}
