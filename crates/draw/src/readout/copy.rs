//! Readout for the clipboard: text in columns, or CSV with all digits.

use super::rows::{Cell, Row};
use super::table::Table;
use super::value::{beside, read};
use engine::diagnostics::NoiseFloor;

/// The table as text in columns, floors in brackets.
#[must_use]
pub fn text(table: &Table) -> String {
    let mut lines = vec![[String::new()].into_iter().chain(table.runs.iter().cloned()).collect::<Vec<_>>()];
    for section in &table.sections {
        if !section.title.is_empty() {
            lines.push(Vec::new());
            lines.push(vec![section.title.to_owned()]);
        }
        let cells = |row: &Row| {
            [row.spec.label.to_owned()].into_iter().chain(row.cells.iter().map(|cell| words(row, cell))).collect()
        };
        lines.extend(section.rows.iter().map(cells));
    }
    let columns = table.runs.len() + 1;
    let length = |text: &String| text.chars().count();
    // Titles of sections are alone in their lines and need no column.
    let rows = || lines.iter().filter(|line| line.len() == columns);
    let widths: Vec<usize> =
        (0..columns).map(|column| rows().map(|line| length(&line[column])).max().unwrap_or(0)).collect();
    let line = |line: &Vec<String>| {
        let padded = line.iter().zip(&widths).map(|(text, width)| format!("{text:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

/// A value with its floor or its error, or a dash and the reason.
pub(crate) fn words(row: &Row, cell: &Cell) -> String {
    let Some(value) = cell.value else { return format!("– {}", cell.reason) };
    let parts = [Some(read(row, value)), beside(row, cell)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The table as CSV: one line per measure, with value, floor and its band of every run in all digits, empty if missing.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn csv(table: &Table) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns =
        |run: &String| [run.clone(), format!("{run} floor"), format!("{run} floor 5 %"), format!("{run} floor 95 %")];
    let heads = table.runs.iter().flat_map(columns);
    writer.write_record(["key".to_owned(), "measure".to_owned()].into_iter().chain(heads))?;
    for row in table.rows() {
        let digits = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let cells = row.cells.iter().flat_map(|cell| {
            let floor = |of: fn(NoiseFloor) -> f64| digits(cell.floor.map(of));
            [digits(cell.value), floor(|floor| floor.mean), floor(|floor| floor.low), floor(|floor| floor.high)]
        });
        writer.write_record([row.spec.key.to_owned(), row.spec.label.to_owned()].into_iter().chain(cells))?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::rows::Section;
    use engine::diagnostics::{Better, MeasureSpec};

    fn table() -> Table {
        let spec =
            |key, label| MeasureSpec { key, label, help: "", better: Better::Lower, headline: true, of_truth: false };
        let cell = |value: Option<f64>, floor| Cell {
            floor,
            ..Cell::plain(value, if value.is_none() { "one chain" } else { "" })
        };
        Table {
            fits: false,
            floors: true,
            runs: vec!["SGLD".to_owned(), "two, too".to_owned()],
            sections: vec![
                Section {
                    title: "",
                    rows: vec![Row {
                        spec: spec("draws", "Draws"),
                        cells: vec![cell(Some(48_520.0), None), cell(Some(7.0), None)],
                        best: None,
                        doubts: Vec::new(),
                        able: Vec::new(),
                        noise: Vec::new(),
                        unseen: Vec::new(),
                        limits: Vec::new(),
                    }],
                },
                Section {
                    title: "Of the chains",
                    rows: vec![Row {
                        spec: spec("rhat", "R-hat"),
                        cells: vec![
                            cell(Some(1.0 / 3.0), Some(NoiseFloor { mean: 0.0782, low: 0.07, high: 0.09 })),
                            cell(None, None),
                        ],
                        best: Some(0),
                        doubts: Vec::new(),
                        able: Vec::new(),
                        noise: Vec::new(),
                        unseen: Vec::new(),
                        limits: Vec::new(),
                    }],
                },
            ],
        }
    }

    #[test]
    fn text_is_in_columns_with_floors_and_reasons() {
        let expected = [
            "       SGLD           two, too",
            "Draws  48\u{202f}520         7",
            "",
            "Of the chains",
            "R-hat  0.333 (0.078)  – one chain",
        ];
        assert_eq!(text(&table()).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn csv_has_all_digits_and_quotes_what_needs_it() {
        let expected = "key,measure,SGLD,SGLD floor,SGLD floor 5 %,SGLD floor 95 %,\"two, too\",\"two, too floor\",\
                        \"two, too floor 5 %\",\"two, too floor 95 %\"\n\
                        draws,Draws,48520,,,,7,,,\n\
                        rhat,R-hat,0.3333333333333333,0.0782,0.07,0.09,,,,\n";
        assert_eq!(csv(&table()).unwrap(), expected);
    }
}
