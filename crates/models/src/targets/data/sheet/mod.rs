//! A sheet: a file of cells as a person meets it, read once before any target asks for its columns. It says what was found, what is
//! unclear, and what is missing.
//!
//! Targets read files by the same rules ([`parse`](super::parse)), each the columns that it needs.

mod column;
#[cfg(test)]
mod tests;

use csv::StringRecord;
use thiserror::Error;

use self::column::Scan;
pub use self::column::{ColumnKind, Level, SheetColumn};
use super::cells::is_absent;
use super::decode::{NoTable, decode, sha256};
use super::header::{MAX_COLUMNS, offered};
use super::layout::Layout;
use super::numbers::{DecimalMark, Evidence, Unclear, is_number, mark_of, mark_of_file, number};
use super::parse::{is_blank, line_of};
use super::reading::{HeaderChoice, Reading};
use super::{MAX_BYTES, MAX_DATA};
use crate::encoding::Encoding;
use base::params::excerpt;

/// Rows that are kept as text.
const KEPT: usize = 100;

/// A file of cells.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// How its characters are encoded.
    pub encoding: Encoding,
    /// Comment lines at its head.
    pub comments: usize,
    /// The character between columns.
    pub separator: char,
    /// Whether a line `sep=` names it.
    pub separator_is_told: bool,
    /// Whether the first line has names.
    pub has_header: bool,
    /// The decimal mark of its numbers, where some have one.
    pub decimal: Option<DecimalMark>,
    /// Whether some numbers have separators of thousands.
    pub has_thousands: bool,
    /// Rows of data.
    pub rows: usize,
    /// Its columns.
    pub columns: Vec<SheetColumn>,
    /// What can be read in two ways, unless the reading decides; what else is told here follows one of them.
    pub ambiguity: Option<Ambiguity>,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// How it was read.
    pub reading: Reading,
    first: Vec<Vec<String>>,
}

/// What can be read in two ways.
#[derive(Clone, Debug, PartialEq)]
pub enum Ambiguity {
    /// A number with a comma, which may stand before decimals or between thousands.
    Decimal {
        /// The index of its column.
        column: usize,
        /// Its line.
        line: u64,
        /// The cell.
        cell: String,
        /// The number with a decimal point.
        point: f64,
        /// The number with a decimal comma.
        comma: f64,
    },
    /// A first line of numbers and words, which may be names or data.
    Header {
        /// Its line.
        line: u64,
        /// A number in it.
        number: String,
        /// A word in it.
        word: String,
    },
}

impl Ambiguity {
    /// Both readings, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Decimal { line, cell, point, comma, .. } => format!(
                "\"{}\" in line {line} is {point} with a decimal point, and {comma} with a decimal comma",
                excerpt(cell)
            ),
            Self::Header { line, number, word } => format!(
                "line {line} has numbers (\"{}\") and words (\"{}\"): it may have the names of the columns, or data",
                excerpt(number),
                excerpt(word)
            ),
        }
    }
}

/// Why a file is no sheet.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SheetError {
    /// It has bytes that are no text, and no array.
    #[error(transparent)]
    NoTable(#[from] NoTable),
    /// It is too large.
    #[error("the file is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// It has no row.
    #[error("the file has no data")]
    Empty,
    /// A line is no row.
    #[error("line {0} cannot be read as a row of a table")]
    Unreadable(u64),
    /// A row is longer than the first one.
    #[error("line {line} has {cells} cells, where the first row has {first}")]
    Ragged {
        /// Its line.
        line: u64,
        /// Its cells.
        cells: usize,
        /// Those of the first row.
        first: usize,
    },
    /// There are too many columns.
    #[error("{0} columns are more than {MAX_COLUMNS}")]
    TooManyColumns(usize),
    /// There are too many rows.
    #[error("there are more than {MAX_DATA} rows")]
    TooManyRows,
}

impl Sheet {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no text, has no data, or has rows of more cells than the first one.
    pub fn read(bytes: &[u8], reading: &Reading) -> Result<Self, SheetError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(SheetError::TooLarge);
        }
        let (text, encoding) = decode(bytes.to_vec())?;
        let (layout, told) = (Layout::of(&text), *reading);
        let reading = &told.in_encoding(encoding);
        let head = Head::of(&layout, reading)?;
        let evidence = evidence(&layout, &head)?;
        let of_file = reading.decimal.mark().or_else(|| mark_of_file(&evidence));
        let marks: Vec<_> = evidence
            .iter()
            .map(|column| match reading.decimal.mark() {
                Some(mark) => Ok(mark),
                None => mark_of(column, of_file),
            })
            .collect();
        let unclear = marks.iter().enumerate().find_map(|(column, mark)| {
            let unclear = mark.as_ref().err().filter(|_| evidence[column].is_of_numbers())?;
            Some(decimal_ambiguity(column, unclear))
        });
        let mut scans: Vec<Scan> = marks
            .iter()
            .zip(&evidence)
            .map(|(mark, column)| Scan::new(*mark.as_ref().unwrap_or(&DecimalMark::Point), column.is_of_numbers()))
            .collect();
        let (mut rows, mut first) = (0, Vec::new());
        each_row(&layout, &head, |record, line| {
            for (index, scan) in scans.iter_mut().enumerate() {
                scan.take(record.get(index).unwrap_or_default(), rows, line);
            }
            rows += 1;
            if first.len() < KEPT {
                first.push(
                    (0..head.cells.len()).map(|index| record.get(index).unwrap_or_default().to_owned()).collect(),
                );
            }
        })?;
        if rows == 0 {
            return Err(SheetError::Empty);
        }
        let has_thousands = scans.iter().any(|scan| scan.has_thousands);
        let names = head.names();
        let columns = scans
            .into_iter()
            .zip(names)
            .enumerate()
            .map(|(index, (scan, (name, reference)))| scan.finish(index, name, reference));
        Ok(Self {
            encoding,
            comments: layout.comments,
            separator: layout.separator,
            separator_is_told: layout.is_told,
            has_header: head.is_names,
            decimal: of_file,
            has_thousands,
            rows,
            columns: columns.collect(),
            ambiguity: unclear.or(head.ambiguity),
            sha256: sha256(bytes),
            reading: told,
            first,
        })
    }

    /// The first rows of data, at most a hundred, as text: a cell for every column.
    #[must_use]
    pub fn first_rows(&self) -> &[Vec<String>] {
        &self.first
    }

    /// The column that targets know by this name.
    #[must_use]
    pub fn column(&self, reference: &str) -> Option<&SheetColumn> {
        self.columns.iter().find(|column| column.reference.as_deref() == Some(reference))
    }

    /// How many rows lack a value in one of these columns, by their indices.
    #[must_use]
    pub fn rows_without(&self, columns: &[usize]) -> usize {
        let of = |column: &usize| self.columns.get(*column).map_or(&[][..], SheetColumn::missing_rows);
        let mut rows: Vec<u32> = columns.iter().flat_map(of).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows.len()
    }

    /// What was found, in a line: 434 rows and 5 columns, separated by semicolons, with a decimal comma.
    #[must_use]
    pub fn in_words(&self) -> String {
        let plural = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let separator = match self.separator {
            ';' => "semicolons",
            '\t' => "tabs",
            '|' => "vertical bars",
            _ => "commas",
        };
        let mut words = format!("{} and {}", plural(self.rows, "row"), plural(self.columns.len(), "column"));
        if !self.has_header {
            words += " without names";
        }
        let is_text = self.encoding != Encoding::NumPy;
        if self.columns.len() > 1 && is_text {
            words += &format!(", separated by {separator}");
        }
        if let Some(mark) = self.decimal.filter(|_| is_text) {
            words += &format!(", with {}", mark.in_words());
        }
        if self.has_thousands {
            words += " and separators of thousands";
        }
        if self.comments > 0 {
            words += &format!(", below {}", plural(self.comments, "comment line"));
        }
        if self.encoding != Encoding::Utf8 {
            words += &format!(", in {}", self.encoding.name());
        }
        words
    }
}

fn decimal_ambiguity(column: usize, unclear: &Unclear) -> Ambiguity {
    let [point, comma] =
        [DecimalMark::Point, DecimalMark::Comma].map(|mark| number(&unclear.cell, mark).unwrap_or(f64::NAN));
    Ambiguity::Decimal { column, line: unclear.line, cell: unclear.cell.clone(), point, comma }
}

/// The first line.
struct Head {
    cells: StringRecord,
    is_names: bool,
    ambiguity: Option<Ambiguity>,
}

impl Head {
    fn of(layout: &Layout<'_>, reading: &Reading) -> Result<Self, SheetError> {
        let mut reader = layout.reader();
        let mut rows = reader.records().filter(|record| !record.as_ref().is_ok_and(is_blank));
        let cells = rows.next().ok_or(SheetError::Empty)?.map_err(|_| SheetError::Unreadable(layout.above + 1))?;
        if cells.len() > MAX_COLUMNS {
            return Err(SheetError::TooManyColumns(cells.len()));
        }
        let number = cells.iter().find(|cell| is_number(cell));
        let word = cells.iter().find(|cell| !cell.is_empty() && !is_number(cell));
        let line = layout.above + line_of(&cells);
        let ambiguity = match (number, word, reading.header) {
            (Some(number), Some(word), HeaderChoice::Automatic) => {
                Some(Ambiguity::Header { line, number: number.to_owned(), word: word.to_owned() })
            }
            _ => None,
        };
        let is_names = match reading.header {
            HeaderChoice::Automatic => word.is_some(),
            HeaderChoice::Names => true,
            HeaderChoice::Data => false,
        };
        Ok(Self { is_names, ambiguity, cells })
    }

    /// The name of each column, and what targets call it.
    fn names(&self) -> Vec<(Option<String>, Option<String>)> {
        let name = |cell: &str| (self.is_names && !cell.is_empty()).then(|| cell.to_owned());
        self.cells.iter().map(name).zip(offered(&self.cells)).collect()
    }
}

/// What the cells of every column say of the decimal mark.
fn evidence(layout: &Layout<'_>, head: &Head) -> Result<Vec<Evidence>, SheetError> {
    let mut evidence = vec![Evidence::default(); head.cells.len()];
    each_row(layout, head, |record, line| {
        for (evidence, cell) in evidence.iter_mut().zip(record) {
            if !is_absent(cell) {
                evidence.note(cell, line);
            }
        }
    })?;
    Ok(evidence)
}

/// Goes through the rows of data with their lines.
fn each_row(layout: &Layout<'_>, head: &Head, mut take: impl FnMut(&StringRecord, u64)) -> Result<(), SheetError> {
    let (mut reader, mut record) = (layout.reader(), StringRecord::new());
    let (mut is_first, mut rows) = (head.is_names, 0);
    while reader.read_record(&mut record).map_err(|error| unreadable(layout, &error))? {
        if is_blank(&record) {
            continue;
        }
        if std::mem::take(&mut is_first) {
            continue;
        }
        let line = layout.above + line_of(&record);
        if record.iter().skip(head.cells.len()).any(|cell| !cell.is_empty()) {
            return Err(SheetError::Ragged { line, cells: record.len(), first: head.cells.len() });
        }
        rows += 1;
        if rows > MAX_DATA {
            return Err(SheetError::TooManyRows);
        }
        take(&record, line);
    }
    Ok(())
}

fn unreadable(layout: &Layout<'_>, error: &csv::Error) -> SheetError {
    SheetError::Unreadable(layout.above + error.position().map_or(1, csv::Position::line))
}
