//! Sweep of a scenario: one of its runs over a grid of up to three numbers of the run or of its target, with several seeds in each cell. It
//! is the `[sweep]` table of a file.
//!
//! A sweep changes no result of the scenario itself. Its cells are numbered by rows: cell (i·n + j)·m + k has value i of the first axis,
//! value j of the second, which has n values, and value k of the third, which has m. All cells have the same seeds, so that two cells differ by their parameters and not by their
//! luck: seed r is that of the scenario plus r, as in repeats.

mod check;
mod measures;
mod numbers;
mod read;
mod write;

pub use measures::{MeasureGroup, group_of, sweep_measures};
pub use numbers::{Number, TARGET};
pub(super) use {read::read, write::write};

use super::Bound;

/// Most cells of a sweep.
pub const MAX_CELLS: usize = 100_000;

/// Most targets of a sweep: the truth about each is computed once, and takes up to some megabytes.
pub const MAX_TARGETS: usize = 100;

/// Most axes of a sweep.
pub const MAX_AXES: usize = 3;

/// Most values along the third axis: each has a map of its own.
pub const MAX_MAPS: usize = 36;

/// Most questions of a sweep.
const MAX_QUESTIONS: usize = 100;

/// The word for the cost of a cell among the names of axes.
pub const COST: &str = "cost";

/// The measures of a sweep that names none: coverage of modes, accuracy within modes, and both together.
pub const USUAL_MEASURES: [&str; 3] = ["modes_covered", "within_mode_kl", "kl"];

/// A grid of numbers of one run and its target, and what is measured in its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The name of the run; the others are not computed.
    pub run: String,
    /// One to three axes.
    pub axes: Vec<Axis>,
    /// Seeds in each cell, at least 1.
    pub seeds: u64,
    /// Keys of [`sweep_measures`], at least one.
    pub measures: Vec<&'static str>,
    /// What the sweep is to answer.
    pub questions: Vec<Question>,
}

/// Values of a parameter from one end to the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The path of the number: `step_size.initial`, `target.temperature`.
    pub parameter: String,
    /// The first value.
    pub from: f64,
    /// The last value.
    pub to: f64,
    /// Number of values, before whole numbers that come twice are dropped.
    pub count: u64,
    /// Whether values follow each other in equal ratios rather than at equal distances.
    pub log: bool,
}

/// A question: the largest or smallest value of an axis, or of the cost, among the cells whose measure is within a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The measure, one of those of the sweep.
    pub measure: &'static str,
    /// Where its mean over seeds has to be.
    pub bound: Bound,
    /// Whether the largest value is asked for; if not, the smallest.
    pub largest: bool,
    /// The parameter of an axis, or [`COST`].
    pub of: String,
}

impl Axis {
    /// The values, whole numbers if the parameter `is_whole`. The first and the last are `from` and `to` themselves.
    #[must_use]
    pub fn values(&self, is_whole: bool) -> Vec<f64> {
        let last = self.count.saturating_sub(1);
        let value = |number: u64| match number {
            0 => self.from,
            _ if number == last => self.to,
            _ => {
                let share = number as f64 / last as f64;
                if self.log {
                    self.from * libm::pow(self.to / self.from, share)
                } else {
                    self.from + (self.to - self.from) * share
                }
            }
        };
        let mut values: Vec<f64> = (0..self.count.max(1)).map(value).collect();
        if is_whole {
            values.iter_mut().for_each(|value| *value = value.round());
        }
        values.dedup();
        values
    }
}

#[cfg(test)]
mod tests;
