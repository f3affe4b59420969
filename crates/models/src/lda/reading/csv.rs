//! CSV: a document in each row, in columns that the header names.

use csv::{Position, ReaderBuilder, StringRecord};

use super::refusals::{Refusals, text};
use super::{Raw, Source, WORDS, WordRules};
use base::params::excerpt;

/// Columns that a message names at most.
const MOST_NAMED: usize = 20;

/// The documents of some columns, with titles from another one if it is named.
pub(super) fn rows(
    source: &Source,
    (columns, title): (&[String], Option<&str>),
    rules: &WordRules,
    refusals: &mut Refusals<'_>,
) -> Raw {
    let mut raw = Raw::default();
    let Some(file) = text(source, refusals) else { return raw };
    raw.guessed += usize::from(file.is_guessed);
    let text = file.text.as_ref();
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut records = reader.records();
    let header = records.next().and_then(Result::ok).unwrap_or_default();
    let documents: Vec<usize> =
        columns.iter().filter_map(|column| column_index(&header, column, "column", source, refusals)).collect();
    let titles = title.and_then(|title| column_index(&header, title, "title", source, refusals));
    let Some(&last) = documents.iter().max().filter(|_| refusals.is_empty()) else { return raw };
    let mut lines = Lines { text, at: 0, line: 1 };
    for record in records {
        // The text is UTF-8 and rows may differ in length: nothing is left that the reader refuses.
        let Ok(record) = record else { continue };
        let line = lines.line_of(&record);
        if !refusals.go_on(WORDS, lines.at, text.len()) {
            break;
        }
        if record.len() <= last {
            let problem = format!("there are {} cells, and none in column {}", record.len(), last + 1);
            refusals.line(source, line, problem, "a cell for every column of the header");
            continue;
        }
        let cells: Vec<&str> = documents.iter().filter_map(|column_index| record.get(*column_index)).collect();
        let title = titles.and_then(|titles| record.get(titles)).filter(|title| !title.trim().is_empty());
        let name = title.map_or_else(|| format!("line {line}"), str::to_owned);
        if !raw.push(name, &cells.join("\n"), rules, source, refusals) {
            break;
        }
    }
    raw
}

/// Lines of rows that come in their order. The reader counts empty lines before a row as part of it.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line, from 1, on which a row begins.
    fn line_of(&mut self, record: &StringRecord) -> usize {
        let begin = record.position().map_or(0, Position::byte);
        let begin = usize::try_from(begin).unwrap_or(usize::MAX).clamp(self.at, self.text.len());
        let rest = &self.text.as_bytes()[begin..];
        let begin = begin + rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.line += self.text.as_bytes()[self.at..begin].iter().filter(|byte| **byte == b'\n').count();
        self.at = begin;
        self.line
    }
}

/// The index of a column by its name.
fn column_index(
    header: &StringRecord,
    name: &str,
    key: &str,
    source: &Source,
    refusals: &mut Refusals<'_>,
) -> Option<usize> {
    let mut indices = (0..header.len()).filter(|index| header.get(*index).map(str::trim) == Some(name));
    match (indices.next(), indices.next()) {
        (Some(only), None) => return Some(only),
        (Some(_), Some(_)) => {
            let problem = format!("{}, line 1: there are two columns \"{}\"", source.name, excerpt(name));
            refusals.add(key, problem, "a name that one column has");
        }
        _ => {
            let names: Vec<String> =
                header.iter().take(MOST_NAMED).map(|name| format!("\"{}\"", excerpt(name))).collect();
            let problem = format!("{}, line 1: there is no column \"{}\"", source.name, excerpt(name));
            refusals.add(key, problem, if names.is_empty() { "a header".to_owned() } else { names.join(", ") });
        }
    }
    None
}
