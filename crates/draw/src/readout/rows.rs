//! Rows and cells of the readout: values of one measure for all runs, and the run that is best by it.

use engine::diagnostics::chain::asked_below;
use engine::diagnostics::{Better, Measure, MeasureSpec, NoiseFloor};

/// Relative difference below which two values without noise floors count as equal and none is the best.
const SAME: f64 = 0.05;

/// Values below this share of the scale of a measure are rounding errors: some thousand times the precision of a number.
const ROUNDING: f64 = 1e-12;

/// The reason for a slow measure that is missing.
pub(super) const WORKING: &str = "being computed";

/// The reason for the missing measures of a run that has left the target: the word that stands in their place.
pub const DIVERGED: &str = "diverged";

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Title; empty for the first section.
    pub title: &'static str,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A measure of all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The measure.
    pub spec: MeasureSpec,
    /// Its value for every run.
    pub cells: Vec<Cell>,
    /// The run that is clearly best by it, if there is one.
    pub best: Option<usize>,
    /// Why the value of a run says less than it seems to, for every run; empty where no value does.
    pub doubts: Vec<Option<&'static str>>,
    /// Which runs can be the best, for every run; empty of a row whose runs are not compared.
    pub able: Vec<bool>,
    /// How many times the noise of as many independent draws that of a run is, for every run.
    pub noise: Vec<f64>,
    /// The numbers of the runs that the window does not show at present: their values are pale, and compared with nothing.
    pub unseen: Vec<usize>,
    /// Numbers that its values are compared with elsewhere: what is read is on the same side of them.
    pub limits: Vec<f64>,
}

/// A measure of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The value, if there is one.
    pub value: Option<f64>,
    /// What as many exact draws score.
    pub floor: Option<NoiseFloor>,
    /// The standard error of a Monte Carlo estimate.
    pub error: Option<f64>,
    /// The reason for a missing value.
    pub reason: &'static str,
    /// The step of the value, if that is an earlier one.
    pub step: Option<u64>,
    /// One draw in so many is used; 1 for all draws.
    pub thinning: u64,
    /// Whether what as many exact draws score is still being computed.
    pub waits: bool,
}

/// A row; [`Row::compare`] finds the best run later.
pub(super) fn row(spec: &MeasureSpec, cells: Vec<Cell>) -> Row {
    let limits = asked_below(spec.key).into_iter().collect();
    Row {
        spec: *spec,
        cells,
        best: None,
        limits,
        doubts: Vec::new(),
        able: Vec::new(),
        noise: Vec::new(),
        unseen: Vec::new(),
    }
}

impl Row {
    /// Finds the run that is clearly best. Only runs that are `able` take part; `noise` is that of the field.
    pub(super) fn compare(&mut self, able: &[bool], noise: &[f64]) {
        self.able = able.to_vec();
        self.noise = noise.to_vec();
        self.best = best(self.spec.better, &self.as_noisy(), able);
    }

    /// The cells with bands as wide as those of the draws that a run is worth.
    fn as_noisy(&self) -> Vec<Cell> {
        let of = |(cell, noise): (&Cell, &f64)| Cell {
            floor: cell.floor.map(|floor| widened(self.spec.better, floor, *noise)),
            ..cell.clone()
        };
        self.cells.iter().zip(&self.noise).map(of).collect()
    }

    /// Compares only the `shown` runs; the others are pale.
    pub(super) fn among(&mut self, shown: &[usize]) {
        self.unseen = (0..self.cells.len()).filter(|run| !shown.contains(run)).collect();
        if !self.able.is_empty() {
            let able: Vec<bool> =
                self.able.iter().enumerate().map(|(run, able)| *able && shown.contains(&run)).collect();
            self.best = best(self.spec.better, &self.as_noisy(), &able);
        }
    }

    /// Why the value of run number `run` says less than it seems to, if it does.
    #[must_use]
    pub fn doubt(&self, run: usize) -> Option<&'static str> {
        self.doubts.get(run).copied().flatten()
    }
}

impl Cell {
    /// A value of the newest step without a floor, or the reason why there is none.
    pub(super) fn plain(value: Option<f64>, reason: &'static str) -> Self {
        Self { value, floor: None, error: None, reason, step: None, thinning: 1, waits: false }
    }
}

/// A measure, or the reason why it is missing.
pub(super) fn cell(measure: Option<&Measure>, missing: &'static str, step: Option<u64>) -> Cell {
    match measure {
        Some(measure) => Cell { floor: measure.floor, step, ..Cell::plain(measure.value, measure.reason) },
        None => Cell::plain(None, missing),
    }
}

/// The run that is clearly best by a measure, if there is one: better than every other by more than what noise explains. Values
/// of draws have a floor, the histogram of as many exact draws; those of fits come from quadrature and have none. Where both are
/// in a row there is no best one: the difference is one of estimators.
fn best(better: Better, cells: &[Cell], able: &[bool]) -> Option<usize> {
    let with_number: Vec<(usize, &Cell)> =
        cells.iter().enumerate().filter(|(index, cell)| able[*index] && cell.value.is_some()).collect();
    let floors = with_number.iter().filter(|(_, cell)| cell.floor.is_some()).count();
    if with_number.len() < 2 || (floors > 0 && floors < with_number.len()) {
        return None;
    }
    let others = |index: usize| with_number.iter().filter(move |(other, _)| *other != index);
    let winner = with_number.iter().find(|(index, cell)| others(*index).all(|(_, other)| beats(better, cell, other)));
    winner.map(|(index, _)| *index)
}

/// The band of fewer independent draws, whose noise is so many times as large: an error itself grows with it, other values spread.
/// Where it is not known how large, nothing is outside.
fn widened(better: Better, floor: NoiseFloor, noise: f64) -> NoiseFloor {
    if noise.is_infinite() {
        return NoiseFloor { low: f64::NEG_INFINITY, high: f64::INFINITY, ..floor };
    }
    let above = match better {
        Better::Lower => floor.high * noise,
        _ => floor.mean + (floor.high - floor.mean) * noise,
    };
    NoiseFloor { low: floor.mean - (floor.mean - floor.low) * noise, high: above.max(floor.high), ..floor }
}

/// Whether a value is better than another by more than noise, by itself and by what it has beyond its own floor: more draws alone
/// are no better draws, and fewer draws no excuse.
fn beats(better: Better, one: &Cell, other: &Cell) -> bool {
    let (Some(value), Some(next)) = (one.value, other.value) else { return false };
    let noise = match (one.floor, other.floor) {
        (Some(one), Some(other)) => (one.high - one.low).max(other.high - other.low),
        _ => SAME * value.abs().max(next.abs()),
    };
    let apart = |badness: fn(Better, &Cell) -> Option<f64>| {
        badness(better, other)
            .zip(badness(better, one))
            .is_some_and(|(worse, least)| worse - least > noise.max(ROUNDING))
    };
    apart(badness) && (one.floor.is_none() || apart(excess))
}

/// How far a value is from perfect. All values within the band of exact draws are equally good.
fn badness(better: Better, cell: &Cell) -> Option<f64> {
    let (value, floor) = (cell.value?, cell.floor);
    match better {
        Better::Higher => Some(floor.map_or(-value, |floor| -value.min(floor.low))),
        Better::Lower => Some(floor.map_or(value, |floor| value.max(floor.high))),
        Better::NearFloor => excess(better, cell),
        Better::Neither => None,
    }
}

/// How far a value is beyond the band of as many exact draws.
fn excess(better: Better, cell: &Cell) -> Option<f64> {
    let (value, floor) = (cell.value?, cell.floor?);
    match better {
        Better::Higher => Some((floor.low - value).max(0.0)),
        Better::Lower => Some((value - floor.high).max(0.0)),
        Better::NearFloor => Some((floor.low - value).max(value - floor.high).max(0.0)),
        Better::Neither => None,
    }
}

/// A value as it is read: what is only a rounding error is 0. The scale is 1, since measures are in nats or in shares, and less where
/// exact draws score less, in units of a small target. Other runs have no say: one of them may have left the target.
pub(super) fn without_rounding(row: &Row, value: f64) -> f64 {
    let scale =
        row.cells.iter().filter_map(|cell| cell.floor).fold(1.0, |scale: f64, floor| scale.min(floor.mean.abs()));
    if value.abs() <= ROUNDING * scale { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: Option<f64>) -> Cell {
        Cell { floor: Some(NoiseFloor { mean: 0.5, low: 0.4, high: 0.6 }), ..Cell::plain(value, "") }
    }

    fn among(better: Better, values: &[f64]) -> Option<usize> {
        let cells: Vec<Cell> = values.iter().map(|value| cell(Some(*value))).collect();
        best(better, &cells, &vec![true; cells.len()])
    }

    #[test]
    fn a_run_stands_out_only_if_it_is_better_by_more_than_noise() {
        assert_eq!(among(Better::Lower, &[0.65, 1.2]), Some(0));
        assert_eq!(among(Better::Lower, &[0.65, 0.7]), None, "as different as two sets of exact draws");
        assert_eq!(among(Better::Lower, &[0.1, 0.55]), None, "both are as good as exact draws");
        assert_eq!(among(Better::Higher, &[0.1, 0.38]), Some(1));
        assert_eq!(among(Better::Higher, &[0.45, 0.9]), None);
        assert_eq!(among(Better::NearFloor, &[0.5, 0.9]), Some(0));
        assert_eq!(among(Better::Neither, &[0.1, 0.9]), None);
        assert_eq!(among(Better::Lower, &[0.2]), None);
        let bare = |value| Cell { floor: None, ..cell(Some(value)) };
        assert_eq!(best(Better::Higher, &[bare(100.0), bare(103.0)], &[true; 2]), None);
        assert_eq!(best(Better::Higher, &[bare(100.0), bare(110.0), cell(None)], &[true; 3]), Some(1));
    }

    /// A histogram of few draws has a large value about its floor, whatever sampler they are of.
    #[test]
    fn estimators_of_two_kinds_are_not_compared() {
        let draws = |value, mean, half: f64| Cell {
            floor: Some(NoiseFloor { mean, low: mean - half, high: mean + half }),
            ..Cell::plain(Some(value), "")
        };
        let fit = |value| Cell::plain(Some(value), "");
        let both = |better, cells: &[Cell]| best(better, cells, &vec![true; cells.len()]);
        let exact = draws(0.486, 0.48, 0.01);
        assert_eq!(both(Better::Lower, &[exact.clone(), fit(0.0046)]), None);
        assert_eq!(both(Better::Lower, &[exact.clone(), draws(0.6, 0.48, 0.01), fit(0.0046)]), None);
        assert_eq!(best(Better::Lower, &[exact.clone(), fit(0.2), fit(0.1)], &[false, true, true]), Some(2));
        // More draws are not better ones, and a biased run with many draws is not better than an exact one with few, nor worse.
        let more = draws(0.05, 0.049, 0.002);
        assert_eq!(both(Better::Lower, &[exact.clone(), more.clone()]), None);
        assert_eq!(both(Better::Lower, &[exact, draws(0.2, 0.049, 0.002)]), None);
        assert_eq!(both(Better::Lower, &[draws(0.7, 0.48, 0.01), more]), Some(1));
    }

    #[test]
    fn a_run_that_has_diverged_or_stands_still_is_never_best() {
        let cells = [cell(Some(0.7)), cell(Some(2.0)), cell(Some(3.0))];
        assert_eq!(best(Better::Lower, &cells, &[false, true, true]), Some(1));
        assert_eq!(best(Better::Lower, &cells, &[false, true, false]), None);
    }

    /// A histogram of 4000 draws that are worth 40, beside one of as many independent draws.
    #[test]
    fn a_few_effective_draws_are_not_told_apart() {
        let spec =
            MeasureSpec { key: "tv", label: "TV", help: "", better: Better::Lower, headline: true, of_truth: false };
        let draws = |value| Cell {
            floor: Some(NoiseFloor { mean: 0.05, low: 0.045, high: 0.055 }),
            ..Cell::plain(Some(value), "")
        };
        let found = |values: [f64; 2], noise: [f64; 2]| {
            let mut row = row(&spec, values.map(draws).to_vec());
            row.compare(&[true; 2], &noise);
            row.best
        };
        assert_eq!(found([0.1, 0.4], [1.0, 1.0]), Some(0));
        assert_eq!(found([0.1, 0.4], [1.0, 10.0]), None, "0.4 is what forty draws score");
        assert_eq!(found([0.1, 0.4], [10.0, 1.0]), None, "0.1 was luck");
        assert_eq!(found([0.1, 0.4], [1.5, 1.5]), Some(0));
        assert_eq!(found([0.1, 0.4], [f64::INFINITY, 1.0]), None, "it is not known how many they are worth");
        let mut fits = row(&spec, [0.1, 0.4].map(|value| Cell::plain(Some(value), "")).to_vec());
        fits.compare(&[true; 2], &[f64::INFINITY; 2]);
        assert_eq!(fits.best, Some(0), "the value of a fit is not one of draws");
    }

    #[test]
    fn rounding_errors_are_read_as_zero() {
        let spec =
            MeasureSpec { key: "kl", label: "KL", help: "", better: Better::Lower, headline: true, of_truth: false };
        let row = row(&spec, vec![cell(Some(3e-16)), cell(Some(-2e-13)), cell(Some(1e-9)), cell(Some(4e12))]);
        let read: Vec<f64> =
            row.cells.iter().filter_map(|cell| cell.value).map(|value| without_rounding(&row, value)).collect();
        assert_eq!(read, [0.0, 0.0, 1e-9, 4e12], "a run that has left makes no error of another one 0");
        let floor = Some(NoiseFloor { mean: 1e-13, low: 0.0, high: 2e-13 });
        let small = super::row(&spec, vec![Cell { floor, ..cell(Some(3e-13)) }]);
        assert_eq!(without_rounding(&small, 3e-13).to_bits(), 3e-13_f64.to_bits(), "in units of a small target");
    }
}
