//! Table of trials as text: CSV with all digits for other programs, Markdown as it is read.

use super::table::{NONE, Quantity, Sheet};
use draw::words::tables::row;

/// The table as CSV: names of columns, then a line for each trial, numbers with all digits. What has no value is empty.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn csv(sheet: &Sheet) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(sheet.columns.iter().map(|column| column.head(sheet.several())))?;
    for trial in &sheet.trials {
        writer.write_record(sheet.columns.iter().map(|column| {
            let value = column.value(trial);
            match (&column.quantity, value.number) {
                // Beyond 2⁵³ a seed has more digits than a number with a point.
                (Quantity::Seed, _) => trial.seed.to_string(),
                (_, Some(number)) => number.to_string(),
                (Quantity::Title | Quantity::Note, None) => value.text,
                (Quantity::Measure(_), None) => String::new(),
                (_, None) if value.text == NONE => String::new(),
                (_, None) => value.text,
            }
        }))?;
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The table as Markdown, with the values as they are read.
#[must_use]
pub fn markdown(sheet: &Sheet) -> String {
    let head = sheet.columns.iter().map(|column| column.head(sheet.several()));
    let rule = sheet.columns.iter().map(|column| {
        let numbers = !sheet.trials.is_empty()
            && sheet
                .trials
                .iter()
                .all(|trial| column.value(trial).number.is_some() || column.value(trial).text == NONE);
        if numbers { "---:" } else { "---" }.to_owned()
    });
    let mut lines = vec![row(head), row(rule)];
    for trial in &sheet.trials {
        lines.push(row(sheet.columns.iter().map(|column| column.value(trial).text)));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::app::trials::testing::trial;
    use crate::app::trials::trial::Trial;

    fn sheet(trials: Vec<Trial>) -> Sheet {
        Sheet::of(trials.into_iter().map(Arc::new).collect(), &["tv".to_owned()])
    }

    #[test]
    fn a_table_has_a_line_for_each_trial() {
        let noted = Trial { note: "too long, \"bad\" | worse".to_owned(), ..trial(2, 0.25, &[0.125]) };
        let made = sheet(vec![trial(1, 0.1, &[f64::INFINITY]), noted]);
        let expected = "trial,step size α,Total variation,step,seed,note\n1,0.1,,100,7,\n\
                        2,0.25,0.125,100,7,\"too long, \"\"bad\"\" | worse\"\n";
        assert_eq!(csv(&made).unwrap(), expected);
        let expected = "| trial | step size α | Total variation | step | seed | note |\n\
                        | ---: | ---: | --- | ---: | ---: | --- |\n\
                        | 1 | 0.1 | inf | 100 | 7 |  |\n\
                        | 2 | 0.25 | 0.125 | 100 | 7 | too long, \"bad\" \\| worse |\n";
        assert_eq!(markdown(&made), expected);
    }

    /// The cells of a line of a table in Markdown.
    fn cells(line: &str) -> Vec<String> {
        let (mut found, mut escaped) = (vec![String::new()], false);
        for letter in line.trim_start_matches("| ").trim_end_matches(" |").chars() {
            match letter {
                '\\' if !escaped => {
                    escaped = true;
                    continue;
                }
                '|' if !escaped => found.push(String::new()),
                letter => found.last_mut().unwrap().push(letter),
            }
            escaped = false;
        }
        found.into_iter().map(|cell| cell.trim().to_owned()).collect()
    }

    proptest! {
        /// Whatever is in the notes: CSV gives them back as they are, and a table in Markdown has its cells and lines.
        #[test]
        fn any_note_and_any_value_stays_in_its_cell(
            notes in prop::collection::vec("[a-z,\"|\\\\\n\r\t *_`<>\\[\\]é–;=#]{0,12}", 1..5),
            value in prop::sample::select(vec![0.1, -1e300, 1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0]),
        ) {
            let noted = |(number, note): (usize, &String)| Trial {
                note: note.clone(), ..trial(number as u64 + 1, 0.1 * number as f64, &[value])
            };
            let made = sheet(notes.iter().enumerate().map(noted).collect());
            let text = csv(&made).unwrap();
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            prop_assert_eq!(reader.headers().unwrap().len(), made.columns.len());
            let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
            prop_assert_eq!(rows.len(), notes.len());
            let tv = made.columns.iter().position(|column| column.label == "Total variation").unwrap();
            for (row, note) in rows.iter().zip(&notes) {
                prop_assert_eq!(&row[made.columns.len() - 1], note);
                let read: Option<f64> = row[tv].parse().ok();
                prop_assert_eq!(read.map(f64::to_bits), value.is_finite().then(|| value.to_bits()));
            }
            let table = markdown(&made);
            prop_assert_eq!(table.lines().count(), notes.len() + 2);
            for (line, note) in table.lines().skip(2).zip(&notes) {
                let found = cells(line);
                prop_assert_eq!(found.len(), made.columns.len(), "{}", line);
                let flat = note.trim().replace(['\n', '\r', '\t'], " ");
                prop_assert_eq!(found.last().unwrap(), flat.trim());
            }
        }
    }
}
