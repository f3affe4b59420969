//! Answers to the questions of a sweep, with intervals: the largest or smallest value of an axis, or of the cost, among the cells whose
//! mean measure is within a bound. An error with a sign counts as what it is without: −2 is no better than 2.
//!
//! The interval is a percentile bootstrap over seeds (Efron and Tibshirani 1993, chapter 13): [`RESAMPLES`] times the seeds are drawn
//! with replacement, the same ones for all cells, since all cells have the same seeds; the interval has the middle 95 % of the answers.
//! It is one of values of the grid: nothing is interpolated. With one seed there is no interval.

use super::{Cell, Spread};
use crate::diagnostics::is_estimate;
use crate::scenario::{COST, Question};
use base::math::{Purpose, Stream};

/// Resamples of the seeds.
pub const RESAMPLES: usize = 1000;

/// Seed of the bootstrap, the same for all sweeps.
const SEED: u64 = 1;

/// The share of answers on either side of an interval.
const TAIL: f64 = 0.025;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The number of the cell; of several with the same value the one with the best measure, and of these the first.
    pub cell: Option<usize>,
    /// The value that was asked for; `None` if no cell is within the bound.
    pub value: Option<f64>,
    /// The middle 95 % of the values of the bootstrap; `None` with one seed, or if no resample has an answer.
    pub interval: Option<(f64, f64)>,
    /// The share of resamples in which no cell is within the bound.
    pub unanswered: f64,
}

/// Answers a question from all cells of a sweep. `measure` is the number of its measure among those of the sweep, `value_of` the value of
/// its axis in a cell.
#[must_use]
pub fn answer(question: &Question, measure: usize, cells: &[Cell], value_of: impl Fn(usize) -> f64) -> Answer {
    let cost =
        |cell: &Cell| Spread::of(&cell.evaluations.iter().copied().map(Some).collect::<Vec<_>>()).map(|cost| cost.mean);
    let values: Vec<Option<f64>> =
        cells.iter().map(|cell| if question.of == COST { cost(cell) } else { Some(value_of(cell.number)) }).collect();
    let seeds = cells.iter().map(|cell| cell.evaluations.len()).max().unwrap_or(0);
    let all: Vec<usize> = (0..seeds).collect();
    let found = best(question, measure, cells, &values, &all);
    let mut stream = Stream::derive(SEED, Purpose::Measure, 0, 0);
    let mut answers = Vec::new();
    let resamples = if seeds > 1 { RESAMPLES } else { 0 };
    let mut drawn = vec![0; seeds];
    for _ in 0..resamples {
        let below = u32::try_from(seeds).unwrap_or(u32::MAX);
        drawn.iter_mut().for_each(|seed| *seed = stream.below(below) as usize);
        answers.extend(best(question, measure, cells, &values, &drawn).map(|(_, value)| value));
    }
    answers.sort_by(f64::total_cmp);
    let unanswered = if resamples == 0 { 0.0 } else { 1.0 - answers.len() as f64 / resamples as f64 };
    let interval = (!answers.is_empty()).then(|| (quantile(&answers, TAIL), quantile(&answers, 1.0 - TAIL)));
    Answer { cell: found.map(|(cell, _)| cell), value: found.map(|(_, value)| value), interval, unanswered }
}

/// The best cell and its value for these seeds. A cell one of whose seeds has no value is left out: it has no mean.
fn best(
    question: &Question,
    measure: usize,
    cells: &[Cell],
    values: &[Option<f64>],
    seeds: &[usize],
) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64, f64)> = None;
    let counted = |value: f64| if is_estimate(question.measure) { value.abs() } else { value };
    for (cell, value) in cells.iter().zip(values) {
        let (Some(value), Some(of_seeds)) = (*value, cell.measures.get(measure)) else { continue };
        let sum = seeds.iter().try_fold(0.0, |sum, &seed| Some(sum + counted((*of_seeds.get(seed)?)?)));
        let Some(mean) = sum.map(|sum| sum / seeds.len() as f64).filter(|mean| question.bound.admits(*mean)) else {
            continue;
        };
        // Further within the bound is better among equal values.
        let (ahead, within) = (if question.largest { value } else { -value }, question.bound.within(mean));
        if best.is_none_or(|(_, before, inside)| ahead > before || (ahead >= before && within > inside)) {
            best = Some((cell.number, ahead, within));
        }
    }
    best.map(|(cell, ahead, _)| (cell, if question.largest { ahead } else { -ahead }))
}

/// The smallest of ascending values below which there is at least this share of them.
#[expect(clippy::cast_sign_loss, reason = "a rank is not negative")]
fn quantile(ascending: &[f64], share: f64) -> f64 {
    let rank = (share * ascending.len() as f64).ceil() as usize;
    ascending[rank.clamp(1, ascending.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Bound;

    fn cell(number: usize, cost: f64, values: &[f64]) -> Cell {
        Cell {
            number,
            evaluations: vec![cost; values.len()],
            diverged: vec![0; values.len()],
            measures: vec![values.iter().copied().map(Some).collect()],
            reasons: Vec::new(),
        }
    }

    fn question(bound: Bound, largest: bool, of: &str) -> Question {
        Question { measure: "kl", bound, largest, of: of.to_owned() }
    }

    /// Two seeds: a resample has (first, first), both, or (second, second) with probabilities ¼, ½, ¼. Cell 2 is within the bound unless
    /// both are the second, cell 1 always.
    #[test]
    fn the_interval_has_the_answers_of_the_resamples() {
        let cells = [
            cell(0, 1.0, &[0.0, 0.0]),
            cell(1, 1.0, &[0.4, 0.4]),
            cell(2, 1.0, &[0.0, 0.9]),
            cell(3, 1.0, &[0.0, 9.0]),
        ];
        let found = answer(&question(Bound::AtMost(0.5), true, "x"), 0, &cells, |cell| 10.0 * cell as f64);
        assert_eq!((found.cell, found.value, found.interval), (Some(2), Some(20.0), Some((10.0, 30.0))));
        assert_eq!(found.unanswered.to_bits(), 0.0_f64.to_bits());
        let found = answer(&question(Bound::AtLeast(4.0), true, "x"), 0, &cells, |cell| cell as f64);
        assert_eq!((found.cell, found.interval), (Some(3), Some((3.0, 3.0))));
        // A binomial with 1000 draws and probability ¼: within five standard deviations.
        assert!((found.unanswered - 0.25).abs() < 5.0 * (0.25 * 0.75 / 1000.0_f64).sqrt(), "{}", found.unanswered);
    }

    #[test]
    fn the_least_cost_is_that_of_the_best_cell_with_it() {
        let cells = [cell(0, 5.0, &[25.0]), cell(1, 3.0, &[24.0]), cell(2, 3.0, &[24.5]), cell(3, 1.0, &[23.0])];
        let found = answer(&question(Bound::AtLeast(24.0), false, COST), 0, &cells, |_| f64::NAN);
        assert_eq!((found.cell, found.value, found.interval), (Some(2), Some(3.0), None));
        let none = answer(&question(Bound::AtLeast(26.0), false, COST), 0, &cells, |_| f64::NAN);
        assert_eq!((none.cell, none.value), (None, None));
    }

    /// The errors −2 and 2 have the mean 0, and −2 is below any bound: neither is small.
    #[test]
    fn errors_with_a_sign_are_compared_without_it() {
        let cells = [cell(0, 1.0, &[0.2, 0.4]), cell(1, 9.0, &[-2.0, 2.0]), cell(2, 9.0, &[-2.0, -2.0])];
        let asked = |bound, largest| Question { measure: "error_xx", ..question(bound, largest, COST) };
        let found = answer(&asked(Bound::AtMost(0.5), true), 0, &cells, |_| f64::NAN);
        assert_eq!((found.cell, found.interval), (Some(0), Some((1.0, 1.0))));
        let equal = [cell(0, 1.0, &[-0.4, -0.4]), cell(1, 1.0, &[-0.1, 0.1])];
        assert_eq!(answer(&asked(Bound::AtMost(0.5), true), 0, &equal, |_| f64::NAN).cell, Some(1));
    }

    #[test]
    fn a_cell_without_a_mean_is_no_answer() {
        let mut cells = [cell(0, 1.0, &[0.1, 0.1]), cell(1, 1.0, &[0.1, 0.1])];
        cells[1].measures[0][1] = None;
        let found = answer(&question(Bound::AtMost(1.0), true, "x"), 0, &cells, |cell| cell as f64);
        assert_eq!(found.cell, Some(0));
    }

    #[test]
    fn quantiles_are_values() {
        let values: Vec<f64> = (1..=1000).map(f64::from).collect();
        assert_eq!((quantile(&values, TAIL), quantile(&values, 1.0 - TAIL)).0.to_bits(), 25.0_f64.to_bits());
        assert_eq!(quantile(&values, 0.975).to_bits(), 975.0_f64.to_bits());
        assert_eq!(quantile(&[4.0], 0.5).to_bits(), 4.0_f64.to_bits());
    }
}
