//! A table over seeds as rows of text: for people with errors and floors beside the values, for programs with a number in each cell.

use super::numbers::against;
use super::tables::TableFormat;
use engine::diagnostics::chain::CONVERGED;
use engine::session::seed_table::{Disagreement, SeedCell, SeedMeasure, SeedTable};

/// The table of a scenario with this title in a format: as CSV a line for every run and measure, with all digits; else a row for every run.
#[must_use]
pub fn written(title: &str, table: &SeedTable, runs: &[String], format: TableFormat) -> String {
    let rows = if format == TableFormat::Csv { numbers(table, runs) } else { for_people(table, runs) };
    format.written(&rows, &caption(title, table, runs))
}

/// What stands below the table.
fn caption(title: &str, table: &SeedTable, runs: &[String]) -> String {
    let title = if title.is_empty() { String::new() } else { format!("{}. ", title.trim_end_matches('.')) };
    let cells = || leading(table).flat_map(|measure| measure.runs.iter().flatten());
    let seeds = if table.seeds == 1 {
        "One seed".to_owned()
    } else {
        format!("Mean ± standard error over {} seeds", table.seeds)
    };
    let floors = if cells().any(|cell| cell.floor.is_some()) {
        "; in brackets what as many exact draws have on average"
    } else {
        ""
    };
    let ranks = if cells().any(|cell| cell.ranks.is_some()) {
        "; #: rank by Student's test of paired seeds at 95 %: runs share ranks unless one has less error and less error above the bracket"
    } else {
        ""
    };
    format!("{title}{seeds}{floors}{ranks}.{}", warnings(table, runs))
}

/// Runs whose chains do not agree with some seed.
fn warnings(table: &SeedTable, runs: &[String]) -> String {
    let of = |(name, found): (&String, &Option<Disagreement>)| {
        let found = found.filter(|found| found.seeds > 0)?;
        let rhat = against(found.rhat, CONVERGED, 3);
        let seeds = match table.seeds {
            1 => format!("R-hat is {rhat}"),
            all => format!("R-hat is up to {rhat}, above {CONVERGED} with {} of {all} seeds", found.seeds),
        };
        Some(format!(" {name} has not converged: {seeds}."))
    };
    runs.iter().zip(&table.disagreement).filter_map(of).collect()
}

/// The measures for which there is room, in their order.
fn leading(table: &SeedTable) -> impl Iterator<Item = &SeedMeasure> {
    table.leading.iter().filter_map(|key| table.measures.iter().find(|measure| measure.spec.key == *key))
}

fn for_people(table: &SeedTable, runs: &[String]) -> Vec<Vec<String>> {
    let has_ranks: Vec<bool> =
        leading(table).map(|measure| measure.runs.iter().flatten().any(|cell| cell.ranks.is_some())).collect();
    let mut head = vec!["run".to_owned()];
    for (measure, ranked) in leading(table).zip(&has_ranks) {
        head.push(measure.spec.label.to_owned());
        head.extend(ranked.then(|| "#".to_owned()));
    }
    let row = |(number, name): (usize, &String)| {
        let mut row = vec![name.clone()];
        for (measure, ranked) in leading(table).zip(&has_ranks) {
            let cell = measure.runs.get(number).copied().flatten();
            row.push(cell.map_or_else(|| "–".to_owned(), value));
            row.extend(ranked.then(|| cell.and_then(|cell| cell.ranks).map_or_else(|| "–".to_owned(), rank)));
        }
        row
    };
    std::iter::once(head).chain(runs.iter().enumerate().map(row)).collect()
}

/// The share of a value below which its spread is that of rounding.
const EXACT: f64 = 1e-6;

/// A value with its error to two digits, and its floor.
fn value(cell: SeedCell) -> String {
    // Below that it is a rounding error.
    let is_spread = |error: &f64| *error > EXACT * cell.mean.abs();
    let spread = cell.error.filter(is_spread).unwrap_or(0.1 * cell.mean.abs());
    let digits = decimals(spread);
    let number = |value: f64| match digits {
        Some(digits) => format!("{value:.digits$}"),
        None => format!("{value:.2e}"),
    };
    let error = match cell.error {
        Some(error) if is_spread(&error) => format!(" ± {}", number(error)),
        Some(_) => " ± 0".to_owned(),
        None => String::new(),
    };
    let floor = cell.floor.map_or_else(String::new, |floor| format!(" ({})", number(floor)));
    format!("{}{error}{floor}", number(cell.mean))
}

/// Decimals that show two digits of an error; `None` where that are very many, or none before the point.
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn decimals(error: f64) -> Option<usize> {
    let exponent = if error > 0.0 { libm::log10(error).floor() } else { 0.0 };
    (-6.0..6.0).contains(&exponent).then(|| (1.0 - exponent).max(0.0) as usize)
}

fn rank([best, worst]: [usize; 2]) -> String {
    if best == worst { best.to_string() } else { format!("{best}–{worst}") }
}

fn numbers(table: &SeedTable, runs: &[String]) -> Vec<Vec<String>> {
    let head = ["run", "measure", "mean", "standard_error", "seeds", "floor", "best_rank", "worst_rank"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (number, name) in runs.iter().enumerate() {
        for measure in &table.measures {
            let Some(cell) = measure.runs.get(number).copied().flatten() else { continue };
            let optional = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
            let ranks = [0, 1].map(|end| cell.ranks.map_or_else(String::new, |ranks| ranks[end].to_string()));
            rows.push(vec![
                name.clone(),
                measure.spec.key.to_owned(),
                cell.mean.to_string(),
                optional(cell.error),
                cell.seeds.to_string(),
                optional(cell.floor),
                ranks[0].clone(),
                ranks[1].clone(),
            ]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::diagnostics::{Better, MeasureSpec};

    #[test]
    fn values_have_the_digits_of_their_errors() {
        let cell = |mean, error, floor| SeedCell { mean, error, seeds: 8, floor, ranks: None };
        assert_eq!(value(cell(0.123_456, Some(0.004_3), Some(0.05))), "0.1235 ± 0.0043 (0.0500)");
        assert_eq!(value(cell(1234.5, Some(56.0), None)), "1234 ± 56");
        assert_eq!(value(cell(0.5, None, None)), "0.500");
        assert_eq!(value(cell(2e-9, Some(1e-9), None)), "2.00e-9 ± 1.00e-9");
        assert_eq!(value(cell(25.0, Some(0.0), None)), "25.0 ± 0");
        assert_eq!(value(cell(1.0, Some(1.1e-7), None)), "1.00 ± 0");
    }

    #[test]
    fn ranks_have_columns_where_there_are_some() {
        let spec =
            |key, label| MeasureSpec { key, label, help: "", better: Better::Lower, headline: true, of_truth: false };
        let cell = |mean, ranks| Some(SeedCell { mean, error: Some(0.01), seeds: 3, floor: None, ranks });
        let table = SeedTable {
            seeds: 3,
            measures: vec![
                SeedMeasure { spec: spec("tv", "TV"), runs: vec![cell(0.1, Some([1, 1])), cell(0.2, Some([2, 3]))] },
                SeedMeasure { spec: spec("kl", "KL"), runs: vec![cell(0.3, None), None] },
                SeedMeasure { spec: spec("mmd2", "MMD²"), runs: vec![cell(0.4, None), None] },
            ],
            disagreement: vec![
                Some(Disagreement { seeds: 2, rhat: 1.3 }),
                Some(Disagreement { seeds: 0, rhat: 1.001 }),
            ],
            leading: vec!["tv".to_owned(), "kl".to_owned()],
        };
        let names = ["A", "B"].map(str::to_owned);
        let text = written("Title", &table, &names, TableFormat::Markdown);
        let expected = "| run | TV | # | KL |\n| --- | ---: | ---: | ---: |\n\
                        | A | 0.100 ± 0.010 | 1 | 0.300 ± 0.010 |\n| B | 0.200 ± 0.010 | 2–3 | – |\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains(" A has not converged: R-hat is up to 1.3, above 1.01 with 2 of 3 seeds."), "{text}");
        assert!(!text.contains("B has not"), "{text}");
        let csv = written("Title", &table, &names, TableFormat::Csv);
        assert_eq!(csv.lines().nth(2).unwrap(), "A,kl,0.3,0.01,3,,,");
        assert_eq!(csv.lines().count(), 5, "programs get all measures");
    }
}
