//! Rows and cells of the readout: values of one measure for all runs, and the run that is best by it.

use crate::diagnostics::{Better, Measure, MeasureSpec, NoiseFloor};

/// Relative difference below which two values count as equal and none is the best.
const SAME: f64 = 0.005;

/// The reason for a slow measure that is missing.
pub(super) const WORKING: &str = "being computed";

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
}

/// A measure of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The value, if there is one.
    pub value: Option<f64>,
    /// What as many exact draws score.
    pub floor: Option<NoiseFloor>,
    /// The reason for a missing value.
    pub reason: &'static str,
    /// The step of the value, if that is an earlier one.
    pub step: Option<u64>,
    /// One draw in so many is used; 1 for all draws.
    pub thinning: u64,
}

/// A row, with the best run.
pub(super) fn row(spec: &MeasureSpec, cells: Vec<Cell>) -> Row {
    let best = best(spec.better, &cells);
    Row { spec: *spec, cells, best }
}

/// A measure, or the reason why it is missing.
pub(super) fn cell(measure: Option<&Measure>, missing: &'static str, step: Option<u64>) -> Cell {
    match measure {
        Some(measure) => Cell { value: measure.value, floor: measure.floor, reason: measure.reason, step, thinning: 1 },
        None => Cell { value: None, floor: None, reason: missing, step: None, thinning: 1 },
    }
}

/// The run that is clearly best by a measure, if there is one.
fn best(better: Better, cells: &[Cell]) -> Option<usize> {
    let badness = |cell: &Cell| {
        let value = cell.value?;
        match better {
            Better::Higher => Some(-value),
            Better::Lower => Some(value),
            Better::NearFloor => Some((value - cell.floor?.mean).abs()),
            Better::Neither => None,
        }
    };
    let mut ranked: Vec<(usize, f64)> =
        cells.iter().enumerate().filter_map(|(index, cell)| Some((index, badness(cell)?))).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [(first, least), (_, next), ..] = ranked.as_slice() else { return None };
    (next - least > SAME * least.abs().max(next.abs())).then_some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: Option<f64>) -> Cell {
        Cell { value, floor: Some(NoiseFloor { mean: 0.5, low: 0.4, high: 0.6 }), reason: "", step: None, thinning: 1 }
    }

    #[test]
    fn the_best_run_stands_out_only_if_it_is_better() {
        let cells = [cell(Some(0.2)), cell(Some(0.9)), cell(None)];
        assert_eq!(best(Better::Lower, &cells), Some(0));
        assert_eq!(best(Better::Higher, &cells), Some(1));
        assert_eq!(best(Better::NearFloor, &cells), Some(0));
        assert_eq!(best(Better::Neither, &cells), None);
        assert_eq!(best(Better::Lower, &[cell(Some(0.2)), cell(Some(0.2))]), None);
        assert_eq!(best(Better::Lower, &cells[..1]), None);
    }
}
