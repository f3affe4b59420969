//! Data of posteriors: parameters of generated data, and CSV files with their errors.
//!
//! A CSV file is UTF-8 text with commas, semicolons or tabs between columns (the first line shows which) and a decimal
//! point. Empty lines are skipped. At most [`MAX_BYTES`], [`MAX_COLUMNS`] and [`MAX_DATA`] numbers are read.
//!
//! A column is named by its header, or by its number from 1. Whether the first line is a header is never guessed: a first
//! line of numbers only is data, one without any number is a header, and one that has the name of the column is a header.
//! These are ambiguous, and errors:
//!
//! - two columns have the name;
//! - the name of a column is a number that stands for another column (or for itself) as well;
//! - the column is given by its number, and the first line has numbers and words: a header with names that look like
//!   numbers, or data beside words;
//! - the column is given by its number, and the first cell begins like a number, or is a word for a missing number: a
//!   header, or a datum with a mistake.
//!
//! A header of numbers only, such as years, cannot be told from data, and counts as data.

use std::io::{self, Read};
use std::path::Path;

use csv::StringRecord;
use thiserror::Error;

use crate::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};
use crate::platform::files;

/// Largest number of data in a file.
pub(super) const MAX_DATA: usize = 1_000_000;

/// Largest size of a file.
const MAX_BYTES: u64 = 64 << 20;

/// Largest number of columns in the first line.
const MAX_COLUMNS: usize = 1000;

/// What the rows of a file have to be.
const ROWS: &str = "rows of cells with commas, semicolons or tabs between them";

/// Words that stand for a missing number.
const MISSING: [&str; 8] = ["na", "n/a", "null", "none", "nil", "missing", "-", "?"];

/// Largest absolute value of a datum: larger numbers count as mistakes, and squares of smaller ones keep their digits.
const LARGEST: f64 = 1e6;

/// Number of wrong values with an error each; further ones are counted together.
const MAX_NAMED: usize = 5;

const CSV_PARAMS: [ParamSpec; 2] = [PATH, column("column", "column", "1")];

/// The parameter for the path of a file.
pub(super) const PATH: ParamSpec = ParamSpec::of(
    "path",
    "file",
    ParamType::Text,
    DefaultValue::Required,
    "A text file with one datum per line. A relative path starts at the folder of the scenario.",
);

/// The parameter for a column of a file.
pub(super) const fn column(key: &'static str, label: &'static str, default: &'static str) -> ParamSpec {
    let help = "Which column to read: its name in the first line, or its number counted from 1.";
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Word(default), help)
}

/// Largest absolute value of a datum that is typed or drawn, as of one in a file.
pub(super) const LEGAL: Interval = Interval::closed(-LARGEST, LARGEST);

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

/// The numbers in several columns of the file that `settings` name under `path`: `keys` are the parameters that have the
/// columns, each a name or a number. All columns have as many numbers. Errors are at `path` or at a key.
pub(super) fn read_columns<const N: usize>(
    settings: &Settings,
    folder: &Path,
    keys: [&'static str; N],
) -> Result<[Vec<f64>; N], Vec<ParamError>> {
    let (text, path) = text_of(settings, folder)?;
    let mut columns = keys.map(|_| Vec::new());
    for (column, key) in columns.iter_mut().zip(keys) {
        let named = |mut error: ParamError| {
            if error.path == "column" {
                key.clone_into(&mut error.path);
            }
            error
        };
        *column = parse(&text, path, settings.word(key), Legal::Number)
            .map_err(|errors| errors.into_iter().map(named).collect::<Vec<_>>())?;
    }
    Ok(columns)
}

fn read_legal(settings: &Settings, folder: &Path, legal: Legal) -> Result<Vec<f64>, Vec<ParamError>> {
    let (text, path) = text_of(settings, folder)?;
    parse(&text, path, settings.word("column"), legal)
}

/// The text of the file that `settings` name, and its path there.
fn text_of<'a>(settings: &'a Settings, folder: &Path) -> Result<(String, &'a str), Vec<ParamError>> {
    let path = settings.word("path");
    let allowed = "the path of a CSV file";
    if path.is_empty() {
        return Err(vec![ParamError::new("path", "no file is named", allowed)]);
    }
    let text = read_text(&folder.join(path)).map_err(|problem| {
        let allowed = format!("a text file of at most {} MiB with a column of numbers", MAX_BYTES >> 20);
        vec![ParamError::new("path", format!("{path}: {problem}"), allowed)]
    })?;
    Ok((text, path))
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
    if !files::metadata(path)?.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut bytes = Vec::new();
    files::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
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

/// The text is in memory and in UTF-8, and lines may differ in length: nothing is left for the reader to refuse. Should it
/// refuse all the same, the line is named.
fn unreadable(path: &str, error: &csv::Error) -> ParamError {
    let line = error.position().map_or(1, csv::Position::line);
    ParamError::new("path", format!("{path}, line {line}: the line cannot be read as a row of a table"), ROWS)
}

/// The index of the column, and whether the first line is a header; see the head of this file.
fn locate(first: &StringRecord, path: &str, column: &str) -> Result<(usize, bool), Vec<ParamError>> {
    let wrong = |key: &str, problem: String, allowed: String| Err(vec![ParamError::new(key, problem, allowed)]);
    if first.len() > MAX_COLUMNS {
        let problem = format!("{path}: there are {} columns", first.len());
        return wrong("path", problem, format!("at most {MAX_COLUMNS} columns"));
    }
    let numbers = first.iter().filter(|cell| is_number(cell)).count();
    let words = first.iter().filter(|cell| !cell.is_empty() && !is_number(cell)).count();
    let named: Vec<usize> = (0..first.len()).filter(|&index| words > 0 && first.get(index) == Some(column)).collect();
    let counted = column.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (&named[..], counted.filter(|index| *index < first.len())) {
        ([_, _, ..], _) => {
            let places: Vec<String> = named.iter().map(|index| (index + 1).to_string()).collect();
            let problem = format!("{path} has {} columns called \"{}\"", named.len(), excerpt(column));
            wrong("column", problem, format!("the number of one of them: {}", places.join(", ")))
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
            wrong("column", problem, "another name in the first line of the file, one that is no number".to_owned())
        }
        ([named], None) => Ok((*named, true)),
        ([], None) => {
            let problem = format!("{path} has no column \"{}\"", excerpt(column));
            wrong("column", problem, choices(first, words == 0))
        }
        ([], Some(index)) => numbered(first, index, numbers > 0 && words > 0, path),
    }
}

/// The same for a column that is given by its number, in a first line that has numbers and words or not.
fn numbered(first: &StringRecord, index: usize, is_mixed: bool, path: &str) -> Result<(usize, bool), Vec<ParamError>> {
    let cell = first.get(index).unwrap_or_default();
    let wrong = |problem: &str, allowed: &str| {
        Err(vec![ParamError::new("column", format!("{path}, line 1: {problem}"), allowed)])
    };
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

/// What can stand for a column, in words.
fn choices(first: &StringRecord, is_data: bool) -> String {
    let numbers = format!("a number from 1 to {}", first.len());
    if is_data {
        return format!("{numbers} (the first line has numbers only, so it is data and not names)");
    }
    let names: Vec<String> = first.iter().map(|cell| format!("\"{}\"", excerpt(cell))).collect();
    format!("{}, or {numbers}", names.join(", "))
}

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok()
}

/// Whether a cell begins with a digit, after a sign or a point, or is a word for a missing number.
fn begins_like_a_number(cell: &str) -> bool {
    let bare = cell.trim_start_matches(['+', '-', '.', '\u{2212}']);
    bare.starts_with(|c: char| c.is_ascii_digit()) || MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word))
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
    #[error("a quotation mark opens a text that goes on over several lines")]
    Quoted,
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
    if cell.contains('\n') {
        return Err(CellError::Quoted);
    }
    let number: f64 = cell.parse().map_err(|_| CellError::NotANumber(excerpt(cell)))?;
    if legal.contains(number) { Ok(number) } else { Err(CellError::NotAllowed(excerpt(cell))) }
}
