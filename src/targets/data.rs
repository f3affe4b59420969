//! Data of posteriors: parameters of generated data, and CSV files with their errors.
//!
//! A CSV file is UTF-8 text with commas, semicolons or tabs between columns (the first line shows which) and a decimal
//! point. A column is named by its header, or by its number from 1; the first line is a header if its cell in that
//! column is not a number. Empty lines are skipped. At most [`MAX_BYTES`] and [`MAX_DATA`] numbers are read.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use csv::StringRecord;
use thiserror::Error;

use crate::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Largest number of data in a file.
pub(super) const MAX_DATA: usize = 1_000_000;

/// Largest size of a file.
const MAX_BYTES: u64 = 64 << 20;

/// Largest absolute value of a datum: larger numbers count as mistakes, and squares of smaller ones keep their digits.
const LARGEST: f64 = 1e6;

/// Number of wrong values with an error each; further ones are counted together.
const MAX_NAMED: usize = 5;

const CSV_PARAMS: [ParamSpec; 2] = [
    ParamSpec::of(
        "path",
        "file",
        ParamType::Text,
        DefaultValue::Required,
        "A text file with one datum per line. A relative path starts at the folder of the scenario.",
    ),
    ParamSpec::of(
        "column",
        "column",
        ParamType::Text,
        DefaultValue::Word("1"),
        "Which column to read: its name in the first line, or its number counted from 1.",
    ),
];

/// The kind of data that is read from a file.
pub(super) const CSV: KindSpec = KindSpec {
    name: "csv",
    label: "From a file",
    help: "One column of a CSV file: text with commas, semicolons or tabs between columns and a decimal point.",
    params: &CSV_PARAMS,
};

/// The parameter for a number of generated data.
pub(super) const fn size_param(legal: Interval, default: f64, help: &'static str) -> ParamSpec {
    ParamSpec::integer("n", "number of data N", default, legal, (10.0, 1000.0), help).log().unit("data")
}

/// The parameter for the seed of generated data.
pub(super) const SEED: ParamSpec = ParamSpec::integer(
    "seed",
    "data seed",
    1.0,
    Interval::closed(0.0, 9_007_199_254_740_991.0),
    (0.0, 100.0),
    "Seed of the data: another number gives another data set. It does not depend on the seed of the runs.",
);

/// The numbers in the file that `settings`, of the kind [`CSV`], name. Errors are at `path` or `column`.
pub(super) fn read(settings: &Settings, folder: &Path) -> Result<Vec<f64>, Vec<ParamError>> {
    read_legal(settings, folder, Legal::Number)
}

/// The same for data that are all 0 or 1: whether each is 1.
pub(super) fn read_flags(settings: &Settings, folder: &Path) -> Result<Vec<bool>, Vec<ParamError>> {
    let numbers = read_legal(settings, folder, Legal::Flag)?;
    Ok(numbers.into_iter().map(|number| number > 0.5).collect())
}

/// Legal values of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Legal {
    /// Any number up to [`LARGEST`].
    Number,
    /// 0 or 1.
    Flag,
}

impl Legal {
    fn in_words(self) -> String {
        match self {
            Self::Number => format!("a number with a decimal point from -{LARGEST} to {LARGEST} on every line"),
            Self::Flag => "0 or 1 on every line".to_owned(),
        }
    }

    fn contains(self, number: f64) -> bool {
        match self {
            Self::Number => number.abs() <= LARGEST,
            Self::Flag => [0.0, 1.0].contains(&number),
        }
    }
}

fn read_legal(settings: &Settings, folder: &Path, legal: Legal) -> Result<Vec<f64>, Vec<ParamError>> {
    let path = settings.word("path");
    let allowed = "the path of a CSV file";
    if path.is_empty() {
        return Err(vec![ParamError::new("path", "no file is named", allowed)]);
    }
    let text = read_text(&folder.join(path)).map_err(|problem| {
        let allowed = format!("a text file of at most {} MiB with a column of numbers", MAX_BYTES >> 20);
        vec![ParamError::new("path", format!("{path}: {problem}"), allowed)]
    })?;
    parse(&text, path, settings.word("column"), legal)
}

/// Why a data file has no text; the messages do not depend on the operating system.
#[derive(Debug, Error)]
enum FileError {
    #[error("there is no such file")]
    NotFound,
    #[error("the file may not be read")]
    Forbidden,
    #[error("the file cannot be read ({0})")]
    Unreadable(io::Error),
    #[error("this is not a file")]
    NotAFile,
    #[error("the file is too large")]
    TooLarge,
    #[error("this is not a text file in UTF-8")]
    NotText,
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::Forbidden,
            _ => Self::Unreadable(error),
        }
    }
}

/// The text of a file.
fn read_text(path: &Path) -> Result<String, FileError> {
    if !fs::metadata(path)?.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(FileError::TooLarge);
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(FileError::NotText),
    }
}

/// The numbers in a column of a text; `path` only names the file in messages.
fn parse(text: &str, path: &str, column: &str, legal: Legal) -> Result<Vec<f64>, Vec<ParamError>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut records = reader.records().filter(|record| !record.as_ref().is_ok_and(is_blank));
    let mut found = Found::default();
    let Some(first) = records.next() else {
        return Err(vec![ParamError::new("path", format!("{path}: the file is empty"), "a file with data")]);
    };
    let first = first.map_err(|error| vec![unreadable(path, &error)])?;
    let (index, header) = locate(&first, path, column)?;
    if !header {
        found.take(&first, index, path, legal);
    }
    for record in records {
        let record = record.map_err(|error| vec![unreadable(path, &error)])?;
        found.take(&record, index, path, legal);
        if found.numbers.len() > MAX_DATA {
            let problem = format!("{path}: there are too many data");
            return Err(vec![ParamError::new("path", problem, format!("at most {MAX_DATA} data"))]);
        }
    }
    found.finish(path)
}

/// The character between columns, found in the first line.
fn delimiter(text: &str) -> u8 {
    let line = text.lines().next().unwrap_or_default();
    [b';', b'\t'].into_iter().find(|&candidate| line.as_bytes().contains(&candidate)).unwrap_or(b',')
}

fn is_blank(record: &StringRecord) -> bool {
    record.iter().all(str::is_empty)
}

fn unreadable(path: &str, error: &csv::Error) -> ParamError {
    ParamError::new("path", format!("{path}: the table cannot be read ({error})"), "a CSV file")
}

/// The index of the column, and whether the first line is a header.
fn locate(first: &StringRecord, path: &str, column: &str) -> Result<(usize, bool), Vec<ParamError>> {
    let all_numbers = first.iter().all(|cell| cell.parse::<f64>().is_ok());
    if !all_numbers && let Some(index) = first.iter().position(|cell| cell == column) {
        return Ok((index, true));
    }
    if let Some(index) = column.parse::<usize>().ok().and_then(|number| number.checked_sub(1))
        && let Some(cell) = first.get(index)
    {
        return Ok((index, cell.parse::<f64>().is_err()));
    }
    let numbers = format!("a number from 1 to {}", first.len());
    let allowed = if all_numbers {
        format!("{numbers} (the columns have no names)")
    } else {
        let names: Vec<String> = first.iter().map(|cell| format!("\"{}\"", excerpt(cell))).collect();
        format!("{}, or {numbers}", names.join(", "))
    };
    Err(vec![ParamError::new("column", format!("{path} has no column \"{}\"", excerpt(column)), allowed)])
}

/// The numbers and errors found so far.
#[derive(Default)]
struct Found {
    numbers: Vec<f64>,
    errors: Vec<ParamError>,
    unnamed: usize,
}

impl Found {
    fn take(&mut self, record: &StringRecord, index: usize, path: &str, legal: Legal) {
        let line = record.position().map_or(0, csv::Position::line);
        match number(record.get(index), legal) {
            Ok(number) => self.numbers.push(number),
            Err(_) if self.errors.len() >= MAX_NAMED => self.unnamed += 1,
            Err(problem) => {
                let problem = format!("{path}, line {line}: {problem}");
                self.errors.push(ParamError::new("path", problem, legal.in_words()));
            }
        }
    }

    fn finish(mut self, path: &str) -> Result<Vec<f64>, Vec<ParamError>> {
        if self.unnamed > 0 {
            let problem = format!("{path}: {} more lines are wrong", self.unnamed);
            self.errors.push(ParamError::new("path", problem, "a number on every line"));
        }
        if self.errors.is_empty() && self.numbers.is_empty() {
            self.errors.push(ParamError::new(
                "path",
                format!("{path}: there are no data below the header"),
                "one or more",
            ));
        }
        if self.errors.is_empty() { Ok(self.numbers) } else { Err(self.errors) }
    }
}

/// Why a cell of a data file is no datum.
#[derive(Debug, Error)]
enum CellError {
    #[error("the column is missing")]
    Missing,
    #[error("the cell is empty")]
    Empty,
    #[error("\"{0}\" is not a number")]
    NotANumber(String),
    #[error("{0} is not allowed")]
    NotAllowed(String),
}

/// The number in a cell.
fn number(cell: Option<&str>, legal: Legal) -> Result<f64, CellError> {
    let cell = cell.ok_or(CellError::Missing)?;
    if cell.is_empty() {
        return Err(CellError::Empty);
    }
    let number: f64 = cell.parse().map_err(|_| CellError::NotANumber(excerpt(cell)))?;
    if legal.contains(number) { Ok(number) } else { Err(CellError::NotAllowed(excerpt(cell))) }
}
