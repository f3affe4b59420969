//! Data of posteriors: parameters of generated data, and CSV files with their errors.
//!
//! A CSV file is text in UTF-8, or in UTF-16 with a byte order mark, with commas, semicolons, tabs or | between columns: the first line shows
//! which, or a line `sep=;` above it. Decimals follow a point or a comma ([`numbers`] says how that is found), − counts as a minus sign.
//! Empty lines are skipped, and so are lines above the first row that begin with `#`. At most [`MAX_BYTES`], 1000 columns and [`MAX_DATA`]
//! rows are read.
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

mod cells;
mod decode;
pub(super) mod folder;
mod header;
mod layout;
pub(super) mod named_files;
mod note;
mod npy;
mod numbers;
mod parse;
mod reading;
#[cfg(test)]
mod round_trip;
mod sheet;
mod step_sizes;
mod table;

use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use self::decode::{NoTable, decode};
use self::header::WantedColumn;
use self::parse::{DataFile, parse};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};
use base::platform::files;
use folder::Folder;

pub(super) use self::cells::Cells;
pub use self::decode::sha256;
pub use self::note::DataNote;
pub use self::numbers::DecimalMark;
pub(super) use self::reading::{DECIMAL, MISSING, SHA256};
pub use self::reading::{DecimalChoice, HeaderChoice, MissingChoice, Reading};
pub use self::sheet::{Ambiguity, ColumnKind, Level, Sheet, SheetColumn, SheetError};
pub use self::step_sizes::{STEP_FILE, step_sizes};
pub(super) use self::table::{
    Limits, PREDICTORS, RESPONSE, STANDARDISE, STANDARDISED, Table, coefficient, mean_and_unit, read_table, scale,
    scale_by,
};

/// Largest number of data in a file.
pub(super) const MAX_DATA: usize = 1_000_000;

/// Largest size of a file.
const MAX_BYTES: u64 = 64 << 20;

/// Largest absolute value of a datum: larger numbers count as mistakes, and squares of smaller ones keep their digits.
const LARGEST: f64 = 1e6;

const CSV_PARAMS: [ParamSpec; 5] = [PATH, column("column", "column", "1"), DECIMAL, MISSING, SHA256];

/// The parameter for the path of a file.
pub(super) const PATH: ParamSpec = ParamSpec::of(
    "path",
    "file",
    ParamType::Text,
    DefaultValue::Required,
    "A text file with one datum per line. A relative path starts at the folder of the scenario.",
);

/// The parameter for a table inside of a scenario.
pub(super) const TABLE: ParamSpec = table("speed,distance\n4,2\n7,22\n8,16\n9,10\n10,26\n11,17\n12,28\n13,34\n");

/// The parameter for a table inside of a scenario, with the lines of its first one.
pub(super) const fn table(lines: &'static str) -> ParamSpec {
    let help = "The lines of the table as in a CSV file, the names of the columns first; at most 1 MiB.";
    ParamSpec::of("text", "table", ParamType::Text, DefaultValue::Word(lines), help).folded()
}

/// Largest size of a table inside of a scenario.
pub const MOST_INLINE: usize = 1 << 20;

/// The parameter for a column of a file.
pub(super) const fn column(key: &'static str, label: &'static str, default: &'static str) -> ParamSpec {
    let help = "Which column to read: its name in the first line, or its number counted from 1.";
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Word(default), help)
}

/// What a text names of the columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnChoice {
    /// One of them.
    One,
    /// One or more, with commas between them.
    Several,
}

/// What a parameter of a target names of the columns of a table; `None` if it is another one.
#[must_use]
pub fn column_choice(spec: &ParamSpec) -> Option<ColumnChoice> {
    const COLUMNS: [&str; 9] =
        ["column", "x_column", "y_column", "label_column", "response", "arm", "outcome", "sd", "group"];
    match spec.key {
        key if key == PREDICTORS.key => Some(ColumnChoice::Several),
        key if COLUMNS.contains(&key) => Some(ColumnChoice::One),
        _ => None,
    }
}

/// Largest absolute value of a datum that is typed or drawn, as of one in a file.
pub(super) const LEGAL: Interval = Interval::closed(-LARGEST, LARGEST);

/// Tables whose columns something else names: in a file, and inside of a scenario.
pub(super) const TABLES: [KindSpec; 2] = [
    KindSpec {
        name: "csv",
        label: "From a file",
        help: "Columns of a CSV file: text with commas, semicolons or tabs between columns.",
        params: &[PATH, DECIMAL, MISSING, SHA256],
    },
    KindSpec {
        name: "inline",
        label: "In the scenario",
        help: "A table inside of the scenario, which then needs no file: text as in a CSV file.",
        params: &[TABLE, DECIMAL, MISSING],
    },
];

/// Errors of a table inside of a scenario are at its text, as those of a file are at its path.
fn at_table(settings: &Settings, mut errors: Vec<ParamError>) -> Vec<ParamError> {
    if is_inline(settings) {
        errors
            .iter_mut()
            .filter(|error| error.path == PATH.key)
            .for_each(|error| TABLE.key.clone_into(&mut error.path));
    }
    errors
}

/// Whether the settings of data have the table itself.
fn is_inline(settings: &Settings) -> bool {
    settings.kind.param(TABLE.key).is_some()
}

/// What messages call the table that settings of data name or have.
pub(super) fn called(settings: &Settings) -> &str {
    if is_inline(settings) { INLINE } else { settings.word(PATH.key) }
}

/// What messages call a table inside of a scenario.
const INLINE: &str = "the table";

/// Whether an error is about the table, or about reading it; one of a table inside of the scenario is at its text.
pub(super) fn of_table(settings: &Settings, mut error: ParamError) -> Result<ParamError, ParamError> {
    if ![PATH, TABLE, DECIMAL, SHA256].iter().any(|spec| spec.key == error.path) {
        return Err(error);
    }
    if settings.kind.name == TABLES[1].name && error.path == PATH.key {
        TABLE.key.clone_into(&mut error.path);
    }
    Ok(error)
}

/// The kind of data that is read from a file.
pub(super) const CSV: KindSpec = KindSpec {
    name: "csv",
    label: "From a file",
    help: "One column of a CSV file: text with commas, semicolons or tabs between columns.",
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
pub(super) fn read(settings: &Settings, folder: &Folder) -> Result<Vec<f64>, Vec<ParamError>> {
    read_one(settings, folder, Cells::Number)
}

/// The same for data that are all 0 or 1: whether each is 1.
pub(super) fn read_flags(settings: &Settings, folder: &Folder) -> Result<Vec<bool>, Vec<ParamError>> {
    let numbers = read_one(settings, folder, Cells::Flag(None))?;
    Ok(numbers.into_iter().map(|number| number > 0.5).collect())
}

/// The numbers in several columns of the file that `settings` name under `path`: `columns` are the parameters that have the
/// columns, each a name or a number, with what their cells hold. All columns have as many numbers. Errors are at `path` or at a key.
pub(super) fn read_cells<const N: usize>(
    settings: &Settings,
    folder: &Folder,
    columns: [(&'static str, Cells<'_>); N],
) -> Result<[Vec<f64>; N], Vec<ParamError>> {
    read_leveled(settings, folder, columns).map(|columns| columns.map(|(values, _)| values))
}

/// The same with the levels of each column, or its classes if they are words.
pub(super) fn read_leveled<const N: usize>(
    settings: &Settings,
    folder: &Folder,
    columns: [(&'static str, Cells<'_>); N],
) -> Result<[NumbersAndLevels; N], Vec<ParamError>> {
    let file = file_of(settings, folder)?;
    let wanted = columns.map(|(key, cells)| WantedColumn { key, name: settings.word(key), cells });
    let found = parse(&file, folder, &wanted);
    let mut found = found.map_err(|errors| at_table(settings, errors))?.into_iter();
    Ok(columns.map(|_| found.next().map(|column| (column.values, column.levels)).unwrap_or_default()))
}

/// A column of a table by its name or number, as a parameter names it, and what its cells hold.
pub(super) type Named<'a> = (&'static str, &'a str, Cells<'a>);

/// The numbers of a column and, of a factor, its levels by these numbers.
pub(super) type NumbersAndLevels = (Vec<f64>, Vec<String>);

/// As many columns as are named of the file that `settings` name under `path`. Errors are at `path` or at the key of a column.
pub(super) fn read_named(
    settings: &Settings,
    folder: &Folder,
    columns: &[Named<'_>],
) -> Result<Vec<NumbersAndLevels>, Vec<ParamError>> {
    let file = file_of(settings, folder)?;
    let wanted: Vec<_> = columns.iter().map(|&(key, name, cells)| WantedColumn { key, name, cells }).collect();
    let found = parse(&file, folder, &wanted)?;
    Ok(found.into_iter().map(|column| (column.values, column.levels)).collect())
}

fn read_one(settings: &Settings, folder: &Folder, cells: Cells<'_>) -> Result<Vec<f64>, Vec<ParamError>> {
    read_cells(settings, folder, [("column", cells)]).map(|[numbers]| numbers)
}

/// The file that `settings` name.
fn file_of<'a>(settings: &'a Settings, folder: &Folder) -> Result<DataFile<'a>, Vec<ParamError>> {
    if is_inline(settings) {
        return inline(settings).map_err(|error| vec![error]);
    }
    let path = settings.word("path");
    let allowed = "the path of a CSV file";
    if path.is_empty() {
        return Err(vec![ParamError::new("path", "no file is named", allowed)]);
    }
    let bytes = bytes_of(&folder.join(path));
    let read = bytes.and_then(|bytes| {
        let sum = sha256(&bytes);
        Ok((decode(bytes)?, sum))
    });
    let ((text, encoding), sum) = read.map_err(|problem| {
        let allowed = format!("a text file of at most {} MiB with a column of numbers", MAX_BYTES >> 20);
        let within = match problem {
            FileError::NotFound if Path::new(path).is_relative() && !folder.as_os_str().is_empty() => {
                format!(" in {}", folder.display())
            }
            _ => String::new(),
        };
        vec![ParamError::new("path", format!("{path}: {problem}{within}"), allowed)]
    })?;
    check_sum(settings, path, &sum).map_err(|error| vec![error])?;
    Ok(DataFile { text, path, sha256: sum, reading: Reading::of(settings).in_encoding(encoding) })
}

/// The table inside of the settings.
fn inline(settings: &Settings) -> Result<DataFile<'_>, ParamError> {
    let text = settings.word(TABLE.key);
    let allowed = || format!("lines of a table, at most {} MiB", MOST_INLINE >> 20);
    if text.len() > MOST_INLINE {
        return Err(ParamError::new(TABLE.key, format!("the table has {} bytes", text.len()), allowed()));
    }
    let sha256 = sha256(text.as_bytes());
    let (text, _) = decode(text.as_bytes().to_vec())
        .map_err(|_| ParamError::new(TABLE.key, "the table has characters that are no text", allowed()))?;
    Ok(DataFile { text, path: INLINE, sha256, reading: Reading::of(settings) })
}

/// The file is the one that the settings mean, if they say its sum.
fn check_sum(settings: &Settings, path: &str, sum: &str) -> Result<(), ParamError> {
    let told = settings.kind.param(SHA256.key).map_or("", |spec| settings.word(spec.key)).trim();
    if told.is_empty() || told.eq_ignore_ascii_case(sum) {
        return Ok(());
    }
    if told.len() != sum.len() || !told.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let problem = format!("\"{}\" is no SHA-256", excerpt(told));
        return Err(ParamError::new(SHA256.key, problem, format!("64 hexadecimal digits; of {path} they are {sum}")));
    }
    let problem =
        format!("{path} has changed since the scenario was written, or is another file: its SHA-256 is {sum}");
    Err(ParamError::new(SHA256.key, problem, "the file as it was; to accept it as it is, remove sha256"))
}

/// The error of a table with more data than a target takes.
pub(super) fn too_many(settings: &Settings, count: usize, most: usize) -> ParamError {
    let (key, name) = (if is_inline(settings) { TABLE.key } else { PATH.key }, called(settings));
    ParamError::new(key, format!("{name}: {count} data are too many"), format!("at most {most} data"))
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
    #[error(transparent)]
    NoTable(#[from] NoTable),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // A folder on the way to it may be a file.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::Forbidden,
            _ => Self::Unreadable(error),
        }
    }
}

/// The bytes of a file.
fn bytes_of(path: &Path) -> Result<Vec<u8>, FileError> {
    if !files::metadata(path)?.is_file() {
        return Err(FileError::NotAFile);
    }
    let mut bytes = Vec::new();
    files::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(FileError::TooLarge) } else { Ok(bytes) }
}
