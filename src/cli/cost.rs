//! Cost of a scenario before it runs: steps, gradient evaluations, draws on disk, and memory of the history.
//!
//! Steps, draws of runs without cycles, and memory are exact. Stages of cyclical schedules are looked at in at most 10 000
//! steps, and lengths of numbers in a text differ: what depends on these is about right, and the text says so.

use crate::methods::Fitting;
use crate::scenario::{Experiment, RunPlan, Segment, Shares};
use crate::session::{CAPACITY, KEPT_RECORDS};

use crate::output::draws::{COLUMNS, npy};

/// Bytes of a position in the history.
const POSITION: u64 = 16;

/// Bytes of the record of an approximation after a step.
const RECORD: u64 = 120;

/// Bytes of a coordinate in a CSV file, with its sign and point, on average.
const COORDINATE: f64 = 18.5;

/// Bytes of the word "sampling", which collected draws of cycles have in a CSV file.
const STAGE: f64 = 8.0;

/// The cost of a run, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Steps of all chains together.
    pub steps: f64,
    /// Evaluations of the gradient over all data.
    pub evaluations: f64,
    /// Collected draws.
    pub draws: f64,
    /// Bytes of these draws as CSV.
    pub csv: f64,
    /// Bytes of these draws for NumPy.
    pub npy: f64,
    /// Bytes of the history that the window keeps.
    pub history: f64,
}

impl Cost {
    /// The cost of a run on an experiment's targets.
    #[expect(clippy::cast_precision_loss, reason = "a cost is shown with two digits")]
    pub fn of_run(experiment: &Experiment, plan: &RunPlan) -> Self {
        let chains = plan.chains as f64;
        let since = plan.target_since(u64::MAX);
        let mut cost = Self { steps: plan.steps as f64 * chains, ..Self::default() };
        for (segment, end) in plan.segments_with_ends() {
            let data = experiment.data_at(segment.from);
            let share = Shares::of(segment, end, data);
            cost.evaluations += share.evaluations * chains * end.saturating_sub(segment.from) as f64;
            // Files have the draws from the last target alone.
            cost.draws += share.sampling * chains * kept(segment, segment.from.max(since), end) as f64;
        }
        let fitting = plan.segments.last().and_then(|segment| segment.method.fitting());
        cost.draws += fitting.map_or(0.0, |Fitting { draws, .. }| draws as f64);
        let digits = |number: u64| number.max(1).ilog10() as f64 + 1.0;
        let weight = if plan.segments.iter().any(|segment| segment.collect.weighted) { COORDINATE } else { 3.0 };
        let cycles = plan.segments.last().and_then(|segment| segment.schedule.cycle(plan.steps));
        let stage = cycles.map_or(0.0, |cycles| digits(cycles) + STAGE);
        let line = digits(plan.chains as u64 - 1) + digits(plan.steps) + 2.0 * COORDINATE + weight + stage + 7.0;
        cost.csv = cost.draws * line;
        cost.npy = npy::HEADER as f64 + cost.draws * 8.0 * COLUMNS as f64;
        let rows = (plan.steps + 1).saturating_mul(plan.chains as u64);
        let records = if fitting.is_some() { rows.min(KEPT_RECORDS as u64) * RECORD } else { 0 };
        cost.history = (rows.min(CAPACITY as u64) * POSITION + records) as f64;
        cost
    }

    /// The costs of two runs together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            evaluations: self.evaluations + other.evaluations,
            draws: self.draws + other.draws,
            csv: self.csv + other.csv,
            npy: self.npy + other.npy,
            history: self.history + other.history,
        }
    }

    /// The cost in words.
    pub fn in_words(&self) -> String {
        format!(
            "{} steps of all chains, about {} gradient evaluations; {} draws: about {} as CSV, {} as NumPy; history {}",
            count(self.steps),
            count(self.evaluations),
            count(self.draws),
            bytes(self.csv),
            bytes(self.npy),
            bytes(self.history)
        )
    }
}

/// The steps after `from` and up to `end` whose draws are kept by burn-in and thinning.
fn kept(segment: &Segment, from: u64, end: u64) -> u64 {
    let up_to = |step: u64| step.saturating_sub(segment.collect.burn_in) / segment.collect.thin.max(1);
    up_to(end).saturating_sub(up_to(from))
}

/// A count with its digits in groups of three, or its power of ten from a billion on.
fn count(number: f64) -> String {
    if number >= 1e9 {
        return format!("{number:.1e}");
    }
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes with a fitting unit.
fn bytes(number: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let unit = units.iter().find(|(size, _)| number >= *size);
    unit.map_or_else(|| format!("{number:.0} bytes"), |(size, name)| format!("{:.1} {name}", number / size))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario;

    fn cost(run: &str) -> Cost {
        let text = format!("format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"one\"\n{run}\n");
        let experiment = scenario::read(&text, "cost.toml", Path::new("")).unwrap().build().unwrap();
        Cost::of_run(&experiment, &experiment.runs[0])
    }

    fn is(found: f64, expected: f64) {
        approx::assert_relative_eq!(found, expected, max_relative = 1e-12);
    }

    #[test]
    fn burn_in_and_thinning_leave_their_draws() {
        let found = cost("method = \"sgld\"\nchains = 3\nsteps = 1000\ncollect = { burn_in = 100, thin = 7 }");
        is(found.steps, 3000.0);
        is(found.evaluations, 3000.0);
        is(found.draws, 3.0 * 128.0);
        is(found.npy, 128.0 + 56.0 * found.draws);
        is(found.history, 16.0 * 3.0 * 1001.0);
    }

    /// Half of each of ten cycles explores, without collecting.
    #[test]
    fn cycles_collect_in_their_sampling_stages() {
        let found = cost(
            "method = \"csgld\"\nsteps = 1000\nstep_size = { kind = \"cyclical\", cycles = 10, exploration = 0.5 }",
        );
        is(found.draws, 500.0);
    }

    #[test]
    fn the_longest_history_has_a_bound() {
        let found = cost(
            "method = \"sgld\"\nchains = 4096\nsteps = 100000000\nstep_size = { kind = \"constant\", value = 1e-3 }",
        );
        is(found.history, 16.0 * 12e6);
        is(found.steps, 4.096e11);
        assert!(
            found.in_words().starts_with("4.1e11 steps of all chains, about 4.1e11 gradient evaluations; 4.1e11 draws")
        );
    }

    #[test]
    fn numbers_are_read_at_a_glance() {
        assert_eq!([count(0.0), count(999.0), count(1000.0), count(1_234_567.0)], ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([bytes(12.0), bytes(1234.0), bytes(9.87e10)], ["12 bytes", "1.2 kB", "98.7 GB"]);
    }
}
