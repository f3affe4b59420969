//! Columns of a CSV text: which they are, what their cells hold, and what is wrong with them.
//!
//! All columns are read in one pass. The head of [`super`] says how a column is named and when the first line is a header.

use std::mem::{Discriminant, discriminant};

use csv::StringRecord;

use super::cells::{COMMENT, CellError, Cells, Labels, MAX_NAMED, is_missing, is_number, is_row, value};
use super::{MAX_DATA, NumbersAndLevels};
use crate::targets::Folder;
use base::params::{ParamError, excerpt};

/// Largest number of columns in the first line.
const MAX_COLUMNS: usize = 1000;

/// What the rows of a file have to be.
const ROWS: &str = "rows of cells with commas, semicolons or tabs between them";

/// A column to read.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedColumn<'a> {
    /// The parameter that names it, where errors are.
    pub(super) key: &'static str,
    /// Its name in the first line, or its number from 1.
    pub(super) name: &'a str,
    /// What its cells may hold.
    pub(super) cells: Cells<'a>,
}

/// A column that was read.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its number from 0.
    pub(super) index: usize,
    /// Its name in the first line, if that is a header.
    pub(super) name: Option<String>,
    /// A number per row.
    pub(super) values: Vec<f64>,
    /// The levels of a factor, by their numbers.
    pub(super) levels: Vec<String>,
}

/// The columns of a text, one for each that is wanted and all of one length. `path` names the file in messages. `folder` learns what its
/// columns may be called.
pub(super) fn parse(
    text: &str,
    (path, folder): (&str, &Folder),
    wanted: &[WantedColumn<'_>],
) -> Result<Vec<Column>, Vec<ParamError>> {
    let (text, above) = below_comments(text.trim_start_matches('\u{feff}'));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut records = reader.records().filter(|record| !record.as_ref().is_ok_and(is_blank));
    let Some(first) = records.next() else {
        return Err(vec![ParamError::new("path", format!("{path}: the file is empty"), "a file with data")]);
    };
    let first = first.map_err(|error| vec![unreadable(path, above, &error)])?;
    folder.note_columns(path, offered(&first));
    let (indices, header) = column_indices(&first, (path, above + line_of(&first)), wanted)?;
    let mut found = ColumnReader::new((path, above), wanted, &indices);
    if !header {
        found.take(&first);
    }
    for record in records {
        let record = record.map_err(|error| vec![unreadable(path, above, &error)])?;
        if record.iter().skip(first.len()).any(|cell| !cell.is_empty()) {
            let (line, cells) = (above + line_of(&record), record.len());
            let problem = format!("{path}, line {line}: {cells} cells, where the first row has {}", first.len());
            return Err(vec![ParamError::new("path", problem, "no more cells in a row than in the first one")]);
        }
        found.take(&record);
        if found.rows > MAX_DATA {
            let problem = format!("{path}: there are too many data");
            return Err(vec![ParamError::new("path", problem, format!("at most {MAX_DATA} data"))]);
        }
    }
    let name = |index: usize| first.get(index).filter(|_| header).map(str::to_owned);
    let columns = indices.iter().zip(found.finish()?);
    let column = |(index, (values, levels)): (&usize, _)| Column { index: *index, name: name(*index), values, levels };
    Ok(columns.map(column).collect())
}

/// The text below the comments and empty lines at its head, and the number of lines above.
fn below_comments(mut text: &str) -> (&str, u64) {
    let mut above = 0;
    while text.trim_start_matches([' ', '\t']).starts_with([COMMENT, '\n', '\r']) {
        let Some((_, rest)) = text.split_once('\n') else { return ("", above) };
        (text, above) = (rest, above + 1);
    }
    (text, above)
}

/// The number of the line in which a row begins.
fn line_of(record: &StringRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

/// The character between columns, found in the first line.
fn delimiter(text: &str) -> u8 {
    let line = text.lines().next().unwrap_or_default();
    [b';', b'\t'].into_iter().find(|&candidate| line.as_bytes().contains(&candidate)).unwrap_or(b',')
}

fn is_blank(record: &StringRecord) -> bool {
    record.iter().all(str::is_empty)
}

/// The text is in memory and in UTF-8, and lines may differ in length: nothing is left for the reader to refuse. Should it
/// refuse all the same, the line is named.
fn unreadable(path: &str, above: u64, error: &csv::Error) -> ParamError {
    let line = above + error.position().map_or(1, csv::Position::line);
    ParamError::new("path", format!("{path}, line {line}: the line cannot be read as a row of a table"), ROWS)
}

/// The indices of all columns, and whether the first line is a header. What makes it one is the same for all of them.
fn column_indices(
    first: &StringRecord,
    (path, line): (&str, u64),
    wanted: &[WantedColumn<'_>],
) -> Result<(Vec<usize>, bool), Vec<ParamError>> {
    if first.len() > MAX_COLUMNS {
        let problem = format!("{path}: there are {} columns", first.len());
        return Err(vec![ParamError::new("path", problem, format!("at most {MAX_COLUMNS} columns"))]);
    }
    let (mut indices, mut header, mut errors) = (Vec::with_capacity(wanted.len()), false, Vec::new());
    for WantedColumn { key, name, .. } in wanted {
        match locate(first, (path, line), name) {
            Ok((index, named)) => {
                indices.push(index);
                header |= named;
            }
            Err((problem, allowed)) => errors.push(ParamError::new(*key, problem, allowed)),
        }
    }
    if errors.is_empty() { Ok((indices, header)) } else { Err(errors) }
}

/// What is wrong and what is allowed.
type Fault = (String, String);

/// The index of a column, and whether the first line is a header.
fn locate(first: &StringRecord, (path, line): (&str, u64), column: &str) -> Result<(usize, bool), Fault> {
    let numbers = first.iter().filter(|cell| is_number(cell)).count();
    let words = first.iter().filter(|cell| !cell.is_empty() && !is_number(cell)).count();
    let named: Vec<usize> = (0..first.len()).filter(|&index| words > 0 && first.get(index) == Some(column)).collect();
    let counted = column.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (&named[..], counted.filter(|index| *index < first.len())) {
        ([_, _, ..], _) => {
            let numbers: Vec<String> = named.iter().map(|index| (index + 1).to_string()).collect();
            let problem = format!("{path} has {} columns called \"{}\"", named.len(), excerpt(column));
            Err((problem, format!("the number of one of them: {}", numbers.join(", "))))
        }
        ([named], Some(counted)) => {
            let problem = if *named == counted {
                format!("\"{column}\" is the name and the number of column {} of {path}", named + 1)
            } else {
                format!(
                    "\"{column}\" is the name of column {} of {path}, and the number of column {}",
                    named + 1,
                    counted + 1
                )
            };
            Err((problem, "another name in the first line of the file, one that is no number".to_owned()))
        }
        ([named], None) => Ok((*named, true)),
        ([], None) => {
            let problem = format!("{path} has no column \"{}\"", excerpt(column));
            Err((problem, choices(first, words == 0)))
        }
        ([], Some(index)) => numbered(first, index, numbers > 0 && words > 0, (path, line)),
    }
}

/// The same for a column that is given by its number, in a first line that has numbers and words or not.
fn numbered(
    first: &StringRecord,
    index: usize,
    is_mixed: bool,
    (path, line): (&str, u64),
) -> Result<(usize, bool), Fault> {
    let cell = first.get(index).unwrap_or_default();
    let wrong = |problem: &str, allowed: &str| Err((format!("{path}, line {line}: {problem}"), allowed.to_owned()));
    if is_row(cell) {
        return wrong(&format!("\"{}\" has spaces between its numbers", excerpt(cell)), ROWS);
    }
    if is_mixed {
        let problem = "the line has numbers and words, so it may be a header or data";
        return wrong(problem, "a first line with a name for every column, and the name of the column that is meant");
    }
    if !is_number(cell) && begins_like_a_number(cell) {
        let problem = format!("\"{}\" may be the name of the column or a datum with a mistake", excerpt(cell));
        return wrong(&problem, "a number, or a name that does not look like one");
    }
    if cell.is_empty() {
        return wrong("the column has neither a name nor a number here", "a name for every column, or numbers only");
    }
    Ok((index, !is_number(cell)))
}

/// What stands for each column without doubt: its name in the first line; or its number, where that line has numbers only, or words only
/// and none for this column alone.
fn offered(first: &StringRecord) -> Vec<String> {
    let cells = || first.iter().take(MAX_COLUMNS);
    let numbers = cells().filter(|cell| is_number(cell)).count();
    let is_mixed = numbers > 0 && cells().any(|cell| !cell.is_empty() && !is_number(cell));
    let is_name = |cell: &str| {
        let alone = cells().filter(|other| *other == cell).count() == 1;
        !cell.is_empty() && !is_number(cell) && !cell.contains('\n') && alone
    };
    let name = |(index, cell): (usize, &str)| match cell {
        cell if is_name(cell) => Some(cell.to_owned()),
        "" if numbers == 0 => None,
        _ => (!is_mixed).then(|| (index + 1).to_string()),
    };
    cells().enumerate().filter_map(name).collect()
}

/// What can stand for a column, in words.
fn choices(first: &StringRecord, is_data: bool) -> String {
    let numbers = format!("a number from 1 to {}", first.len());
    if is_data {
        return format!("{numbers} (the first line has numbers only, so it is data and not names)");
    }
    let names: Vec<String> = first.iter().map(|cell| format!("\"{}\"", excerpt(cell))).collect();
    format!("{}, or {numbers}", names.join(", "))
}

/// Whether a cell begins with a digit, after a sign or a point, or is a word for a missing number.
fn begins_like_a_number(cell: &str) -> bool {
    let bare = cell.trim_start_matches(['+', '-', '.', '\u{2212}']);
    bare.starts_with(|c: char| c.is_ascii_digit()) || is_missing(cell)
}

/// Cells of a column with the same fault.
#[derive(Clone, Debug)]
struct Wrong {
    /// The number of the column among those that are wanted.
    column: usize,
    kind: Discriminant<CellError>,
    /// The first of them, with its line.
    first: String,
    lines: usize,
    /// What is allowed, where that is another layout of the file.
    layout: Option<&'static str>,
}

/// The numbers and errors found so far.
struct ColumnReader<'a> {
    path: &'a str,
    /// Lines above the text of the table.
    above: u64,
    wanted: &'a [WantedColumn<'a>],
    indices: &'a [usize],
    /// What has occurred in every column of labels.
    labels: Vec<Labels>,
    columns: Vec<Vec<f64>>,
    rows: usize,
    wrong: Vec<Wrong>,
    unnamed: usize,
}

impl<'a> ColumnReader<'a> {
    fn new((path, above): (&'a str, u64), wanted: &'a [WantedColumn<'a>], indices: &'a [usize]) -> Self {
        let (labels, columns) = (vec![Labels::default(); wanted.len()], vec![Vec::new(); wanted.len()]);
        Self { path, above, wanted, indices, labels, columns, rows: 0, wrong: Vec::new(), unnamed: 0 }
    }

    fn take(&mut self, record: &StringRecord) {
        self.rows += 1;
        let line = self.above + line_of(record);
        for (number, (wanted, index)) in self.wanted.iter().zip(self.indices).enumerate() {
            match value(record.get(*index), wanted.cells, &mut self.labels[number]) {
                Ok(value) => self.columns[number].push(value),
                Err(problem) => {
                    self.labels[number].note_word(record.get(*index), &problem);
                    self.note(number, line, &problem);
                }
            }
        }
    }

    /// Notes what is wrong in a column of a line. The same fault on other lines is reported once.
    fn note(&mut self, column: usize, line: u64, problem: &CellError) {
        let kind = discriminant(problem);
        let known = self.wrong.iter().position(|wrong| wrong.column == column && wrong.kind == kind);
        match known {
            Some(known) => self.wrong[known].lines += 1,
            None if self.wrong.len() == MAX_NAMED => self.unnamed += 1,
            None => {
                let of = match self.wanted[column].name.parse::<usize>() {
                    Ok(number) => format!("column {number}"),
                    Err(_) => format!("column \"{}\"", excerpt(self.wanted[column].name)),
                };
                let first = format!("{}, line {line}, {of}: {problem}", self.path);
                self.wrong.push(Wrong { column, kind, first, lines: 1, layout: problem.layout() });
            }
        }
    }

    /// The error about a fault.
    fn error(&self, wrong: &Wrong) -> ParamError {
        let (WantedColumn { cells, .. }, labels) = (&self.wanted[wrong.column], &self.labels[wrong.column]);
        let problem = match wrong.lines {
            1 => wrong.first.clone(),
            lines => format!("{} (the first of {lines} such lines)", wrong.first),
        };
        let of_words = wrong.kind == discriminant(&CellError::NotANumber(String::new()));
        let allowed = if of_words { labels.allowed(*cells) } else { cells.in_words() };
        ParamError::new("path", problem, wrong.layout.map_or(allowed, str::to_owned))
    }

    /// The numbers of every column, and the levels of factors.
    fn finish(self) -> Result<Vec<NumbersAndLevels>, Vec<ParamError>> {
        let mut errors: Vec<ParamError> = self.wrong.iter().map(|wrong| self.error(wrong)).collect();
        let path = self.path;
        if self.unnamed > 0 {
            let (units, allowed) = match self.wanted {
                [_] => ("lines", "a number on every line"),
                _ => ("cells", "a value in every cell"),
            };
            let problem = format!("{path}: {} more {units} are wrong", self.unnamed);
            errors.push(ParamError::new("path", problem, allowed));
        }
        if self.rows == 0 {
            let problem = format!("{path}: there are no data below the header");
            errors.push(ParamError::new("path", problem, "one or more"));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(self.columns.into_iter().zip(self.labels.into_iter().map(Labels::into_levels)).collect())
    }
}
