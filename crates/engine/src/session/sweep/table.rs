//! Cells of a sweep as a table of comma-separated values.

use super::{Cell, SweepPlan};

/// A header, and a line for each seed of a cell: number of the cell, values of the axes, seed, evaluations, chains that left, and the
/// measures, with all digits. What has no value is empty. No entry needs quotes: paths and keys have neither quotes nor commas.
#[must_use]
pub fn cells_as_csv(plan: &SweepPlan, cells: &[Cell]) -> String {
    let sweep = plan.sweep();
    let axes = sweep.axes.iter().map(|axis| axis.parameter.as_str());
    let names = ["cell"].into_iter().chain(axes).chain(["seed", "evaluations", "chains_left"]);
    let mut text = names.chain(sweep.measures.iter().copied()).collect::<Vec<_>>().join(",");
    text.push('\n');
    for cell in cells {
        let values = plan.values_of(cell.number);
        for (seed, (evaluations, diverged)) in (0..).zip(cell.evaluations.iter().zip(&cell.diverged)) {
            let mut line = vec![cell.number.to_string()];
            line.extend(values.iter().map(f64::to_string));
            line.push(plan.scenario().seed.wrapping_add(seed as u64).to_string());
            line.extend([evaluations.to_string(), diverged.to_string()]);
            let value = |of_seeds: &Vec<Option<f64>>| of_seeds.get(seed).copied().flatten();
            line.extend(cell.measures.iter().map(|all| value(all).map_or_else(String::new, |value| value.to_string())));
            text += &line.join(",");
            text.push('\n');
        }
    }
    text
}
