//! Files of `exact --out`: `exact.json`, probabilities of cells as NumPy arrays, matrices and curves as CSV.

use std::io::Write;

use anyhow::Context;

use crate::output::draws::npy::header;
use base::math::Axis;
use engine::diagnostics::Truth;
use engine::distributions::{Cycles, Described, Found};
use engine::scenario::{Experiment, Scenario};

use super::{RunFound, json};
use crate::cli::results::Results;

/// File name of the summary.
const SUMMARY: &str = "exact.json";

/// Writes all files.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    results: &mut Results,
    experiment: &Experiment,
    named: &str,
    scenario: &Scenario,
    runs: &[RunFound],
) -> anyhow::Result<()> {
    let text = format!("{:#}\n", json::document(named, scenario, runs));
    put(results, SUMMARY, text.as_bytes())?;
    for run in runs {
        if let Ok(found) = &run.found {
            of_run(results, experiment, &run.name, found)?;
        }
    }
    Ok(())
}

fn put(results: &mut Results, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = results.file(name)?;
    file.write_all(bytes).with_context(|| name.to_owned())?;
    results.close(name, file)
}

fn of_run(results: &mut Results, experiment: &Experiment, run: &str, found: &Found) -> anyhow::Result<()> {
    let truth_at = |step: u64| {
        let span = experiment.spans.iter().rev().find(|span| span.from < step.max(1)).or(experiment.spans.first());
        span.map(|span| Truth::of(span.target.as_ref()))
    };
    let last = truth_at(u64::MAX);
    for at in &found.steps {
        if let (Ok(described), Some(truth)) = (&at.found, truth_at(at.step)) {
            cells(results, &format!("cells/{run}/step-{}.npy", at.step), &truth, described)?;
        }
    }
    if let Some(truth) = &last {
        if let Ok(described) = &found.collected {
            cells(results, &format!("cells/{run}/collected.npy"), truth, described)?;
        }
        if let Ok(stationary) = &found.stationary {
            cells(results, &format!("cells/{run}/stationary.npy"), truth, &stationary.described)?;
        }
        put(results, &format!("cells/{run}/edges.csv"), edges(truth).as_bytes())?;
    }
    if let Ok(cycles) = &found.cycles {
        of_cycles(results, run, cycles)?;
    }
    Ok(())
}

/// Probabilities of cells, by rows from the lower left; on the line one row.
fn cells(results: &mut Results, name: &str, truth: &Truth, described: &Described) -> anyhow::Result<()> {
    let image = truth.image_grid();
    let shape = format!("({}, {})", image.y.cells, image.x.cells);
    let mut bytes = header("'<f8'", &shape);
    described.cells.iter().for_each(|cell| bytes.extend_from_slice(&cell.to_le_bytes()));
    put(results, name, &bytes)
}

/// Edges of the cells along both axes.
fn edges(truth: &Truth) -> String {
    let image = truth.image_grid();
    let axis = |name: &str, axis: &Axis| -> String {
        (0..=axis.cells).map(|number| format!("{name},{number},{}\n", axis.edge(number))).collect()
    };
    let up = if truth.dimension() == 2 { axis("y", &image.y) } else { String::new() };
    format!("axis,edge,at\n{}{up}", axis("x", &image.x))
}

fn of_cycles(results: &mut Results, run: &str, cycles: &Cycles) -> anyhow::Result<()> {
    for ((matrix, _), axis) in cycles.matrices.iter().zip(["x", "y"]) {
        let mut text = String::from("from,to,probability\n");
        for i in 0..matrix.nrows() {
            for j in 0..matrix.ncols() {
                text.push_str(&format!("{i},{j},{}\n", matrix[(i, j)]));
            }
        }
        put(results, &format!("cycles/{run}/matrix-{axis}.csv"), text.as_bytes())?;
    }
    let mut text = String::from("position,changes,difference\n");
    for (position, change) in &cycles.changes {
        text.push_str(&format!("{position},{},{}\n", change.value, change.difference));
    }
    put(results, &format!("cycles/{run}/changes.csv"), text.as_bytes())?;
    let columns = cycles.centres.first().map_or(1, Vec::len).max(1);
    let mut text = String::from("mode,x,y,first_end,long_run\n");
    for (mode, share) in cycles.long_run.iter().enumerate() {
        let at = |axis: usize, number: usize| {
            cycles.centres.get(axis).and_then(|centres| centres.get(number)).map(f64::to_string).unwrap_or_default()
        };
        let first = cycles.first_ends.get(mode).map(|share| share.value.to_string()).unwrap_or_default();
        text.push_str(&format!("{mode},{},{},{first},{}\n", at(0, mode % columns), at(1, mode / columns), share.value));
    }
    put(results, &format!("cycles/{run}/modes.csv"), text.as_bytes())
}
