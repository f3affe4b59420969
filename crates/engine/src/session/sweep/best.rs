//! The best cell of each measure: the one with the best mean over seeds, its standard error, and how many other cells are as good as far as
//! the seeds tell.

use super::{Cell, Spread, SweepPlan};
use crate::diagnostics::{Better, is_estimate};
use crate::scenario::sweep_measures;

/// Standard errors of a difference below which two cells are not told apart.
const APART: f64 = 2.0;

/// The best cell of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The key of the measure.
    pub measure: &'static str,
    /// Whether values are squared, as those of errors with a sign are: the mean is the mean squared error.
    pub is_squared: bool,
    /// The number of the target, where the sweep has several.
    pub target: usize,
    /// The cell, with the spread of its values; `None` if no cell can be compared.
    pub cell: Option<(usize, Spread)>,
    /// Other cells whose mean is within two standard errors of the difference, seed by seed; `None` of one seed.
    pub as_good: Option<usize>,
    /// Cells that are not compared: with some seed all chains or some have left, or the measure has no value.
    pub left_out: usize,
}

/// Seeds of a cell with which chains have left.
#[must_use]
pub fn seeds_left(cell: &Cell) -> usize {
    cell.diverged.iter().filter(|chains| **chains > 0).count()
}

/// The best cells, measure by measure in the order of the sweep, for each target by itself. Measures of which no values are better are left
/// out. A cell is compared only if it has a value with every seed, and no chain has left: the mean over the others would make it better than
/// it is.
#[must_use]
pub fn best_cells(plan: &SweepPlan, cells: &[Cell]) -> Vec<Best> {
    let better = |key: &str| sweep_measures().find(|spec| spec.key == key).map(|spec| spec.better);
    let mut found = Vec::new();
    for (place, &measure) in plan.sweep().measures.iter().enumerate() {
        let is_squared = is_estimate(measure);
        let sign = match better(measure) {
            _ if is_squared => 1.0,
            Some(Better::Lower) => 1.0,
            Some(Better::Higher) => -1.0,
            Some(Better::NearFloor | Better::Neither) | None => continue,
        };
        for target in 0..plan.targets() {
            let own: Vec<&Cell> = cells.iter().filter(|cell| plan.target_of(cell.number) == target).collect();
            found.push(best((measure, place, is_squared), sign, target, &own));
        }
    }
    found
}

fn best((measure, place, is_squared): (&'static str, usize, bool), sign: f64, target: usize, cells: &[&Cell]) -> Best {
    let values = |cell: &&Cell| -> Option<(usize, Vec<f64>)> {
        let own = cell.measures.get(place)?.iter();
        let values = own.map(|value| value.map(|value| if is_squared { value * value } else { value }));
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        (seeds_left(cell) == 0 && !values.is_empty() && values.iter().all(|value| value.is_finite()))
            .then_some((cell.number, values))
    };
    let compared: Vec<(usize, Vec<f64>)> = cells.iter().filter_map(values).collect();
    let spread = |values: &[f64]| Spread::of(&values.iter().copied().map(Some).collect::<Vec<_>>());
    let means = compared.iter().filter_map(|(cell, values)| Some((*cell, values, spread(values)?)));
    let top = means.min_by(|(_, _, one), (_, _, other)| (sign * one.mean).total_cmp(&(sign * other.mean)));
    let as_good = top.as_ref().filter(|(_, values, _)| values.len() > 1).map(|(cell, values, _)| {
        let is_as_good = |(other, of_other): &&(usize, Vec<f64>)| {
            let differences: Vec<f64> =
                of_other.iter().zip(values.iter()).map(|(other, own)| sign * (other - own)).collect();
            let apart = spread(&differences).and_then(|spread| Some((spread.mean, spread.standard_error()?)));
            other != cell && apart.is_some_and(|(mean, error)| mean <= APART * error)
        };
        compared.iter().filter(is_as_good).count()
    });
    let left_out = cells.len() - compared.len();
    Best { measure, is_squared, target, cell: top.map(|(cell, _, spread)| (cell, spread)), as_good, left_out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(number: usize, values: &[Option<f64>], diverged: &[u64]) -> Cell {
        Cell {
            number,
            evaluations: vec![1.0; values.len()],
            diverged: diverged.to_vec(),
            measures: vec![values.to_vec()],
            reasons: vec![String::new()],
        }
    }

    /// Cell 2 would be best if the seed that it lost were not counted; cell 3 is worse by 0.1 with every seed, cell 4 by 0.2 on average with
    /// differences 0, 0.1 and 0.5, of standard error 0.153.
    #[test]
    fn the_best_cell_has_all_its_seeds_and_says_which_others_are_as_good() {
        let some = |values: [f64; 3]| values.map(Some);
        let cells = [
            cell(0, &some([0.9, 0.8, 1.0]), &[0; 3]),
            cell(1, &some([0.5, 0.3, 0.4]), &[0; 3]),
            cell(2, &[Some(0.1), None, Some(0.1)], &[0, 2, 0]),
            cell(3, &some([0.6, 0.4, 0.5]), &[0; 3]),
            cell(4, &some([0.5, 0.4, 0.9]), &[0; 3]),
            cell(5, &some([0.1, 0.1, 0.1]), &[0, 0, 1]),
        ];
        let of = |sign: f64, is_squared: bool| best(("tv", 0, is_squared), sign, 0, &cells.iter().collect::<Vec<_>>());
        let found = of(1.0, false);
        let (number, spread) = found.cell.unwrap();
        assert_eq!((number, found.as_good, found.left_out), (1, Some(1), 2));
        assert!(
            (spread.mean - 0.4).abs() < 1e-12
                && (spread.standard_error().unwrap() - 0.1 / 3.0_f64.sqrt()).abs() < 1e-12
        );
        assert_eq!(of(-1.0, false).cell.unwrap().0, 0);
        let (number, spread) = of(1.0, true).cell.unwrap();
        assert!(number == 1 && (spread.mean - (0.25 + 0.09 + 0.16) / 3.0).abs() < 1e-12);
        let one = [cell(0, &[Some(1.0)], &[0])];
        assert_eq!(best(("tv", 0, false), 1.0, 0, &one.iter().collect::<Vec<_>>()).as_good, None);
        assert_eq!((seeds_left(&cells[2]), seeds_left(&cells[1])), (1, 0));
    }
}
