//! Columns of a CSV text: which they are, what their cells hold, and what is wrong with them.
//!
//! All columns are read in one pass, after another one where decimal marks have to be found.

use std::mem::{Discriminant, discriminant};

use csv::StringRecord;

use super::cells::{CellError, Cells, Labels, MAX_NAMED, is_absent, value};
use super::header::{ROWS, WantedColumn, column_indices, offered};
use super::layout::Layout;
use super::note::DataNote;
use super::numbers::{DecimalMark, Evidence, Unclear, is_number, mark_of, mark_of_file, number};
use super::reading::{DECIMAL, MISSING, MissingChoice, Reading};
use super::{MAX_DATA, NumbersAndLevels};
use crate::targets::Folder;
use base::params::{ParamError, excerpt};

/// A file whose columns are read.
#[derive(Clone, Debug)]
pub(super) struct DataFile<'a> {
    pub(super) text: String,
    /// Its name in messages.
    pub(super) path: &'a str,
    pub(super) sha256: String,
    pub(super) reading: Reading,
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
    /// The levels of a factor, or the classes if they are words, by their numbers.
    pub(super) levels: Vec<String>,
}

/// The columns of a file, one for each that is wanted and all of one length. `folder` learns what its columns may be called, and how many
/// rows were read.
pub(super) fn parse(
    file: &DataFile<'_>,
    folder: &Folder,
    wanted: &[WantedColumn<'_>],
) -> Result<Vec<Column>, Vec<ParamError>> {
    let (path, layout) = (file.path, Layout::of(&file.text));
    let above = layout.above;
    let mut reader = layout.reader();
    let mut records = reader.records().filter(|record| !record.as_ref().is_ok_and(is_blank));
    let Some(first) = records.next() else {
        return Err(vec![ParamError::new("path", format!("{path}: the file is empty"), "a file with data")]);
    };
    let first = first.map_err(|error| vec![unreadable(path, above, &error)])?;
    folder.note_columns(path, offered(&first).into_iter().flatten().collect());
    let (indices, header) = column_indices(&first, (path, above + line_of(&first)), wanted)?;
    let marks = marks(file, &layout, (wanted, &indices))?;
    let mut found = ColumnReader::new((file, above), wanted, &indices, &marks);
    if !header {
        found.take(&first);
    }
    let mut second = None;
    for record in records {
        let record = record.map_err(|error| vec![unreadable(path, above, &error)])?;
        if record.iter().skip(first.len()).any(|cell| !cell.is_empty()) {
            let (line, cells) = (above + line_of(&record), record.len());
            let problem = format!("{path}, line {line}: {cells} cells, where the first row has {}", first.len());
            return Err(vec![ParamError::new("path", problem, "no more cells in a row than in the first one")]);
        }
        found.take(&record);
        second.get_or_insert_with(|| record.clone());
        if found.rows + found.left_out > MAX_DATA {
            let problem = format!("{path}: there are too many data");
            return Err(vec![ParamError::new("path", problem, format!("at most {MAX_DATA} data"))]);
        }
    }
    let name = |index: usize| first.get(index).filter(|_| header).map(str::to_owned);
    let unused = unused(&first, second.as_ref().filter(|_| header), &indices);
    let note = DataNote { unused, ..found.note_of_data() };
    let columns = indices.iter().zip(found.finish()?);
    let column = |(index, (values, levels)): (&usize, _)| Column { index: *index, name: name(*index), values, levels };
    folder.note_data(note);
    Ok(columns.map(column).collect())
}

/// What columns without a use are called, if they seem to have numbers: a header, the row below it, and the columns in use.
fn unused(first: &StringRecord, below: Option<&StringRecord>, used: &[usize]) -> Vec<String> {
    let row = below.unwrap_or(first);
    let has_numbers = |index: &usize| row.get(*index).is_some_and(|cell| is_number(cell) || is_absent(cell));
    let others = (0..first.len()).filter(|index| !used.contains(index)).filter(has_numbers);
    let name = |index: usize| below.and(first.get(index)).filter(|name| !name.is_empty()).map(str::to_owned);
    others.map(|index| name(index).unwrap_or_else(|| (index + 1).to_string())).collect()
}

/// The decimal mark of each column that is wanted.
fn marks(
    file: &DataFile<'_>,
    layout: &Layout<'_>,
    (wanted, indices): (&[WantedColumn<'_>], &[usize]),
) -> Result<Vec<DecimalMark>, Vec<ParamError>> {
    let chosen = file.reading.decimal.mark().or((!layout.may_have_commas()).then_some(DecimalMark::Point));
    if let Some(mark) = chosen {
        return Ok(vec![mark; wanted.len()]);
    }
    let evidence = evidence(layout);
    let of_file = mark_of_file(&evidence);
    let (mut marks, mut errors) = (Vec::with_capacity(wanted.len()), Vec::new());
    for (wanted, index) in wanted.iter().zip(indices) {
        let mark = evidence.get(*index).map_or(Ok(DecimalMark::Point), |column| mark_of(column, of_file));
        match mark {
            Ok(mark) => marks.push(mark),
            Err(unclear) if wanted.cells.are_numbers() => errors.push(ambiguous(file.path, wanted, &unclear)),
            Err(_) => marks.push(DecimalMark::Point),
        }
    }
    errors.truncate(MAX_NAMED);
    if errors.is_empty() { Ok(marks) } else { Err(errors) }
}

/// What the cells of every column say of the decimal mark. A first line with words does not count.
fn evidence(layout: &Layout<'_>) -> Vec<Evidence> {
    let (mut reader, mut record, mut evidence) = (layout.reader(), StringRecord::new(), Vec::<Evidence>::new());
    // Lines that cannot be read are errors later.
    while reader.read_record(&mut record).unwrap_or(false) {
        if is_blank(&record) {
            continue;
        }
        let is_first = evidence.is_empty();
        evidence.resize(evidence.len().max(record.len()), Evidence::default());
        if is_first && record.iter().any(|cell| !cell.is_empty() && !is_number(cell)) {
            continue;
        }
        let line = layout.above + line_of(&record);
        for (evidence, cell) in evidence.iter_mut().zip(&record).filter(|(_, cell)| !is_absent(cell)) {
            evidence.note(cell, line);
        }
    }
    evidence
}

/// The error of a column whose numbers can be read in two ways.
fn ambiguous(path: &str, wanted: &WantedColumn<'_>, unclear: &Unclear) -> ParamError {
    let [point, comma] =
        [DecimalMark::Point, DecimalMark::Comma].map(|mark| number(&unclear.cell, mark).unwrap_or(f64::NAN));
    let problem = format!(
        "{path}, line {}, {}: \"{}\" is {point} with a decimal point, and {comma} with a decimal comma",
        unclear.line,
        column_in_words(wanted.name),
        excerpt(&unclear.cell)
    );
    ParamError::new(DECIMAL.key, problem, "decimal = \"point\" or decimal = \"comma\"")
}

/// A column in messages.
fn column_in_words(name: &str) -> String {
    match name.parse::<usize>() {
        Ok(number) => format!("column {number}"),
        Err(_) => format!("column \"{}\"", excerpt(name)),
    }
}

/// The number of the line in which a row begins.
pub(super) fn line_of(record: &StringRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

/// Whether a row has nothing in its cells.
pub(super) fn is_blank(record: &StringRecord) -> bool {
    record.iter().all(str::is_empty)
}

/// The text is in memory and in UTF-8, and lines may differ in length: nothing is left for the reader to refuse. Should it
/// refuse all the same, the line is named.
fn unreadable(path: &str, above: u64, error: &csv::Error) -> ParamError {
    let line = above + error.position().map_or(1, csv::Position::line);
    ParamError::new("path", format!("{path}, line {line}: the line cannot be read as a row of a table"), ROWS)
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
    /// Whether the rows can be left out.
    is_missing: bool,
}

/// The numbers and errors found so far.
struct ColumnReader<'a> {
    file: &'a DataFile<'a>,
    /// Lines above the text of the table.
    above: u64,
    wanted: &'a [WantedColumn<'a>],
    indices: &'a [usize],
    marks: &'a [DecimalMark],
    /// What has occurred in every column of labels.
    labels: Vec<Labels>,
    columns: Vec<Vec<f64>>,
    rows: usize,
    /// Rows that lack a value, and the line of the first of them.
    left_out: usize,
    first_left_out: Option<u64>,
    wrong: Vec<Wrong>,
    unnamed: usize,
}

impl<'a> ColumnReader<'a> {
    fn new(
        (file, above): (&'a DataFile<'a>, u64),
        wanted: &'a [WantedColumn<'a>],
        indices: &'a [usize],
        marks: &'a [DecimalMark],
    ) -> Self {
        let (labels, columns) = (vec![Labels::default(); wanted.len()], vec![Vec::new(); wanted.len()]);
        Self {
            file,
            above,
            wanted,
            indices,
            marks,
            labels,
            columns,
            rows: 0,
            left_out: 0,
            first_left_out: None,
            wrong: Vec::new(),
            unnamed: 0,
        }
    }

    fn take(&mut self, record: &StringRecord) {
        let line = self.above + line_of(record);
        let lacks = |(wanted, index): (&WantedColumn<'_>, &usize)| {
            record.get(*index).is_none_or(|cell| wanted.cells.lack(cell))
        };
        if self.file.reading.missing == MissingChoice::LeaveOut && self.wanted.iter().zip(self.indices).any(lacks) {
            self.left_out += 1;
            self.first_left_out.get_or_insert(line);
            return;
        }
        self.rows += 1;
        for (number, (wanted, index)) in self.wanted.iter().zip(self.indices).enumerate() {
            match value(record.get(*index), (wanted.cells, self.marks[number]), &mut self.labels[number]) {
                Ok(value) => self.columns[number].push(value),
                Err(problem) => {
                    self.labels[number].note_word(record.get(*index), &problem);
                    self.note(number, line, &problem);
                }
            }
        }
    }

    /// What is told of the data.
    fn note_of_data(&self) -> DataNote {
        DataNote {
            file: self.file.path.to_owned(),
            sha256: self.file.sha256.clone(),
            rows: self.rows,
            left_out: self.left_out,
            first_left_out: self.first_left_out,
            unused: Vec::new(),
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
                let of = column_in_words(self.wanted[column].name);
                let first = format!("{}, line {line}, {of}: {problem}", self.file.path);
                let (layout, is_missing) = (problem.layout(), problem.is_missing());
                self.wrong.push(Wrong { column, kind, first, lines: 1, layout, is_missing });
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
        let mut allowed = wrong.layout.map_or(allowed, str::to_owned);
        // A step is never left out.
        if wrong.is_missing && *cells != Cells::StepSize {
            let (key, choice) = (MISSING.key, MissingChoice::LeaveOut.word());
            allowed += &format!(", or {key} = \"{choice}\", which leaves such rows out");
        }
        ParamError::new("path", problem, allowed)
    }

    /// The numbers of every column, and the levels of factors.
    fn finish(self) -> Result<Vec<NumbersAndLevels>, Vec<ParamError>> {
        let mut errors: Vec<ParamError> = self.wrong.iter().map(|wrong| self.error(wrong)).collect();
        let path = self.file.path;
        if self.unnamed > 0 {
            let (units, allowed) = match self.wanted {
                [_] => ("lines", "a number on every line"),
                _ => ("cells", "a value in every cell"),
            };
            let problem = format!("{path}: {} more {units} are wrong", self.unnamed);
            errors.push(ParamError::new("path", problem, allowed));
        }
        if self.rows == 0 {
            let problem = match self.left_out {
                0 => format!("{path}: there are no data below the header"),
                rows => format!("{path}: all {rows} rows lack a value in one of the columns"),
            };
            errors.push(ParamError::new("path", problem, "one or more"));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(self.columns.into_iter().zip(self.labels).map(|(values, labels)| labels.finish(values)).collect())
    }
}
