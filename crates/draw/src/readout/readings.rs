//! Readings: the values of the readout as plain data, for tables that are kept, compared and written.

use super::copy::words;
use super::rows::{Cell, DIVERGED, Row, WORKING};
use super::table::Table;
use super::value::read;

/// One measure of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The key of the measure.
    pub key: &'static str,
    /// Its name.
    pub label: &'static str,
    /// The number of the run.
    pub run: usize,
    /// The value; `None` without one, or where it is no finite number.
    pub value: Option<f64>,
    /// The value as it is read, or a dash.
    pub text: String,
    /// The same with what as many exact draws score, or the reason why there is no value.
    pub words: String,
    /// Whether the value of the newest step is still being computed.
    pub pending: bool,
    /// The earlier step that the value is of, meanwhile.
    pub step: Option<u64>,
    /// Why the value says less than it seems to, if it does.
    pub doubt: Option<&'static str>,
}

/// All values of a table, row by row.
#[must_use]
pub fn readings(table: &Table) -> Vec<Reading> {
    let of_row = |row: &Row| {
        let of = |(run, cell): (usize, &Cell)| reading(row, run, cell);
        row.cells.iter().enumerate().map(of).collect::<Vec<_>>()
    };
    table.rows().flat_map(of_row).collect()
}

fn reading(row: &Row, run: usize, cell: &Cell) -> Reading {
    let value = cell.value.filter(|value| value.is_finite());
    let none = || if cell.reason == DIVERGED { DIVERGED } else { "–" }.to_owned();
    let text = cell.value.map_or_else(none, |value| read(row, value));
    let missing = cell.value.is_none() && cell.reason == WORKING;
    let (key, label) = (row.spec.key, row.spec.label);
    let doubt = row.doubt(run).filter(|_| value.is_some());
    let (words, step) = (words(row, cell), cell.step);
    Reading { key, label, run, value, text, words, pending: missing || step.is_some(), step, doubt }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    #[test]
    fn every_cell_is_a_reading_and_what_is_being_computed_is_pending() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let mut table = Table::of(&frame(Fake::grid(), &[recipe, recipe]));
        let cells = table.rows().map(|row| row.cells.len()).sum::<usize>();
        assert_eq!(readings(&table).len(), cells);
        let row = &mut table.sections[0].rows[0];
        row.cells[0] = Cell::plain(Some(f64::INFINITY), "");
        row.cells[1] = Cell::plain(None, WORKING);
        let [first, second] = &readings(&table)[..2] else { panic!() };
        assert_eq!((first.value, first.text.as_str(), first.pending), (None, "∞", false));
        assert_eq!((second.value, second.text.as_str(), second.pending), (None, "–", true));
        assert_eq!(second.words, "– being computed");
        let row = &mut table.sections[0].rows[0];
        row.cells[0] = Cell { step: Some(7), ..Cell::plain(Some(2.0), "") };
        let late = &readings(&table)[0];
        assert_eq!(
            (late.value, late.step, late.pending),
            (Some(2.0), Some(7), true),
            "of an earlier step, which it says"
        );
    }
}
