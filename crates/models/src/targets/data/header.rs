//! The first line of a CSV text: which columns are wanted, and whether it is a header.
//!
//! The head of [`super`] says how a column is named and when the first line is a header.

use csv::StringRecord;

use super::cells::{Cells, is_missing};
use super::numbers::{is_number, is_row};
use base::params::{ParamError, excerpt};

/// Largest number of columns in the first line.
pub(super) const MAX_COLUMNS: usize = 1000;

/// What the rows of a file have to be.
pub(super) const ROWS: &str = "rows of cells with commas, semicolons, tabs or | between them";

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

/// The indices of all columns, and whether the first line is a header. What makes it one is the same for all of them.
pub(super) fn column_indices(
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
pub(super) fn offered(first: &StringRecord) -> Vec<Option<String>> {
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
    cells().enumerate().map(name).collect()
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
