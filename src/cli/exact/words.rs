//! What `exact` says: of every run its distributions, errors and cycles, with trusted digits alone.

use engine::diagnostics::all_measures;
use engine::distributions::{Cycles, Described, Found, MeanError, NotComputed, Stationary};
use engine::scenario::Experiment;

use super::RunFound;
use crate::cli::{Failure, say};

/// A number with its trusted digits.
fn digits(value: &engine::distributions::Trusted) -> String {
    let text = value.to_string();
    if text == "?" { "no digit".to_owned() } else { text }
}

/// A number of steps with its trusted digits.
fn steps(value: &engine::distributions::Trusted) -> String {
    let text = value.to_string();
    if text == "?" { "not known to a whole step".to_owned() } else { format!("{text} steps") }
}

/// What is said of runs, one after the other. Those of which nothing is computed wait for one of which something is: if there is none, the
/// error at the end has their reasons.
#[derive(Debug)]
pub struct Saying {
    quiet: bool,
    said: bool,
    waiting: Vec<String>,
}

impl Saying {
    /// Nothing so far; nothing at all if `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self { quiet, said: false, waiting: Vec::new() }
    }

    /// Says what was found of a run, or keeps it.
    pub fn add(&mut self, experiment: &Experiment, run: &RunFound) -> Result<(), Failure> {
        self.waiting.push(of_run(experiment, run));
        if why_nothing(run).is_some() { Ok(()) } else { self.end() }
    }

    /// Says what is kept.
    pub fn end(&mut self) -> Result<(), Failure> {
        for text in std::mem::take(&mut self.waiting).into_iter().filter(|_| !self.quiet) {
            let text = if std::mem::replace(&mut self.said, true) { format!("\n{text}") } else { text };
            say(&text)?;
        }
        Ok(())
    }
}

/// Why nothing of a run is computed; `None` if something is.
pub fn why_nothing(run: &RunFound) -> Option<String> {
    match &run.found {
        Err(why) => Some(why.to_string()),
        Ok(found) if columns(found).is_empty() && found.errors.is_err() && found.cycles.is_err() => {
            let first = found.stationary.as_ref().err().or_else(|| Some(refusals(found).first()?.1));
            Some(first.map_or_else(String::new, ToString::to_string))
        }
        Ok(_) => None,
    }
}

fn of_run(experiment: &Experiment, run: &RunFound) -> String {
    let found = match &run.found {
        Ok(found) => found,
        Err(why) => return format!("{}: no exact distribution: {why}", run.name),
    };
    let mut lines = vec![format!("{}: exact distribution{}", run.name, how(run))];
    lines.push(format!("  grid: {}", grid(found)));
    let axes = experiment.spans[0].target.axis_labels();
    let columns = columns(found);
    lines.extend(table(&columns, &axes));
    if columns.iter().any(|(_, described)| described.measure("tv").is_some()) {
        lines.push("  divergences and distances compare probabilities of cells, as those of draws do".to_owned());
    }
    for (name, why) in refusals(found) {
        lines.push(format!("  {name}: not computed: {why}"));
    }
    if let Ok(found) = &found.stationary {
        lines.extend(long_run(found, &axes));
    }
    if let Ok(errors) = &found.errors {
        lines.extend(errors_of_means(errors, &axes));
    }
    if let Ok(cycles) = &found.cycles {
        lines.extend(of_cycles(cycles));
    }
    lines.join("\n")
}

fn how(run: &RunFound) -> String {
    let Some((kind, approximation)) = &run.kind else { return String::new() };
    let approximation = approximation.map_or_else(String::new, |what| format!("; {what}"));
    format!(", {}{approximation}", kind.in_words())
}

fn grid(found: &Found) -> String {
    let axis = |(low, high, [coarse, fine]): &(f64, f64, [usize; 2])| {
        format!("{low:.4} to {high:.4} on {coarse} and {fine} nodes")
    };
    found.region.iter().map(axis).collect::<Vec<_>>().join("; ")
}

/// The distributions that were found, with their names.
fn columns(found: &Found) -> Vec<(String, &Described)> {
    let steps = found.steps.iter().filter_map(|at| Some((format!("step {}", at.step), at.found.as_ref().ok()?)));
    let collected = found.collected.iter().map(|described| ("collected".to_owned(), described));
    let stationary = found.stationary.iter().map(|found| ("stationary".to_owned(), &found.described));
    steps.chain(collected).chain(stationary).collect()
}

fn refusals(found: &Found) -> Vec<(String, &NotComputed)> {
    let steps = found.steps.iter().filter_map(|at| Some((format!("step {}", at.step), at.found.as_ref().err()?)));
    let mut all: Vec<(String, &NotComputed)> = steps.collect();
    all.extend(found.collected.as_ref().err().map(|why| ("collected".to_owned(), why)));
    all.extend(found.stationary.as_ref().err().map(|why| ("stationary".to_owned(), why)));
    all.extend(found.errors.as_ref().err().map(|why| ("error of means".to_owned(), why)));
    all.extend(found.cycles.as_ref().err().map(|why| ("cycles".to_owned(), why)));
    all
}

/// A row for each number, a column for each distribution.
fn table(columns: &[(String, &Described)], axes: &[&str; 2]) -> Vec<String> {
    let Some((_, first)) = columns.first() else { return Vec::new() };
    let dimension = first.mean.len();
    let mut rows: Vec<Vec<String>> =
        vec![std::iter::once(String::new()).chain(columns.iter().map(|(name, _)| name.clone())).collect()];
    let mut row = |name: String, of: &dyn Fn(&Described) -> Option<String>| {
        let cells: Vec<Option<String>> = columns.iter().map(|(_, described)| of(described)).collect();
        if cells.iter().any(Option::is_some) {
            rows.push(
                std::iter::once(name)
                    .chain(cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".to_owned())))
                    .collect(),
            );
        }
    };
    for (axis, label) in axes.iter().enumerate().take(dimension) {
        row(format!("E {label}"), &|described| described.mean.get(axis).map(digits));
    }
    for a in 0..dimension {
        for b in a..dimension {
            let name = if a == b { format!("Var {}", axes[a]) } else { format!("Cov {}, {}", axes[a], axes[b]) };
            row(name, &|described| described.covariance.get(a * dimension + b).map(digits));
        }
    }
    for spec in all_measures() {
        row(spec.key.to_owned(), &|described| described.measure(spec.key).map(|value| digits(&value)));
    }
    row("left the box".to_owned(), &|described| (described.lost > 1e-9).then(|| format!("{:.2e}", described.lost)));
    aligned(&rows)
}

fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("  {cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn long_run(found: &Stationary, axes: &[&str; 2]) -> Vec<String> {
    let mut lines = vec![format!(
        "  relaxation time: {} (|λ₂| {})",
        steps(&found.relaxation_time),
        digits(&found.second_eigenvalue)
    )];
    for (time, axis) in found.autocorrelation_times.iter().zip(axes) {
        lines.push(match time {
            Ok(time) => format!("  autocorrelation time of {axis}: {}", steps(time)),
            Err(why) => format!("  autocorrelation time of {axis}: not computed: {why}"),
        });
    }
    if let Some(acceptance) = &found.acceptance {
        lines.push(format!("  acceptance: {}", digits(acceptance)));
    }
    if found.exit_rate.value > 1e-9 {
        lines.push(format!("  chains leave for ever: {:.3e} in each step", found.exit_rate.value));
    }
    lines
}

fn errors_of_means(errors: &[MeanError], axes: &[&str; 2]) -> Vec<String> {
    let mut lines = Vec::new();
    for (error, axis) in errors.iter().zip(axes) {
        let parts = match (&error.bias, &error.transient) {
            (Some(bias), Some(transient)) => format!("bias {}, transient {}", digits(bias), digits(transient)),
            _ => format!("bias of what is collected {}", digits(&error.systematic)),
        };
        lines.push(format!(
            "  error of the mean of {axis}: {parts}, variance {}; rmse {}",
            digits(&error.variance),
            digits(&error.rmse)
        ));
    }
    lines
}

fn of_cycles(cycles: &Cycles) -> Vec<String> {
    let or = |value: &Result<engine::distributions::Trusted, NotComputed>| match value {
        Ok(value) => digits(value),
        Err(why) => format!("not computed ({why})"),
    };
    let defect = cycles.defect.map_or_else(String::new, |defect| {
        format!("; two cycles differ from the product of their matrices by {defect:.1e}")
    });
    let mut lines = vec![
        format!("  cycles: {}; memory |λ₂| {}{defect}", cycles.count, digits(&cycles.memory)),
        format!(
            "  modes at the ends of cycles: {} expected, sd {}; KL of their frequencies {}",
            or(&cycles.end_modes),
            or(&cycles.end_modes_sd),
            or(&cycles.end_kl)
        ),
    ];
    let names: &[&str] = if cycles.matrices.len() == 2 { &["along x", "along y"] } else { &[""] };
    for ((matrix, difference), name) in cycles.matrices.iter().zip(names) {
        let alike = cycles.matrices.len() == 2 && cycles.matrices[0].0 == cycles.matrices[1].0;
        if alike && *name == "along y" {
            continue;
        }
        let name = if alike { "along either axis" } else { *name };
        lines.push(format!("  matrix of modes of a cycle {name}, from row to column:"));
        for row in matrix.row_iter() {
            let entries: Vec<String> = row.iter().map(|entry| entry_of(*entry, *difference)).collect();
            lines.push(format!("    {}", entries.join("  ")));
        }
    }
    lines
}

/// An entry of a matrix with the digits on which two grids agree, at most six.
fn entry_of(value: f64, difference: f64) -> String {
    let trusted = engine::distributions::Trusted { value, difference: difference.max(5e-7) };
    format!("{:>8}", digits(&trusted))
}
