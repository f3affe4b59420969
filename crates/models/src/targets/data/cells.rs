//! Cells of a CSV column: what they may hold, and the number that each stands for.

use thiserror::Error;

use super::numbers::{DecimalMark, is_row, number};
use super::{LARGEST, NumbersAndLevels};
use base::params::excerpt;

/// Number of faults with an error each; further ones are counted together.
pub(super) const MAX_NAMED: usize = 5;

/// Largest absolute value of a number in a regression: its columns are standardised, or measured in units that a person chose.
const LARGEST_MEASURE: f64 = 1e9;

/// Most classes that any column may have.
const MOST_CLASSES: usize = 1000;

/// The sign with which a comment begins.
pub(super) const COMMENT: char = '#';

/// Words that stand for a missing number.
const MISSING: [&str; 8] = ["na", "n/a", "null", "none", "nil", "missing", "-", "?"];

/// More of them, which are numbers, comments or nothing to other programs.
const ABSENT: [&str; 3] = ["nan", "#n/a", "."];

/// What the cells of a column may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets) enum Cells<'a> {
    /// Any number up to [`LARGEST`].
    Number,
    /// Any number up to [`LARGEST_MEASURE`], or false and true, no and yes for 0 and 1.
    Measure,
    /// A step size, from 0 to [`LARGEST`].
    StepSize,
    /// 0 or 1, false or true, no or yes. Where the settings may name a word that stands for 1, with the key of that parameter.
    Flag(Option<&'a str>),
    /// A word that stands for 1, or one other word that stands for 0.
    Label(&'a str),
    /// A word that stands for 1, or any other that stands for 0.
    Is(&'a str),
    /// A whole number or a word that names a class, at most so many different ones.
    Class(usize),
    /// A word or a number that names a level of a factor, at most so many different ones.
    Level(usize),
}

impl Cells<'_> {
    /// Whether a cell lacks a value.
    pub(super) fn lack(self, cell: &str) -> bool {
        match self {
            Self::Label(_) | Self::Is(_) | Self::Class(_) | Self::Level(_) => is_absent_word(cell),
            Self::Number | Self::Measure | Self::StepSize | Self::Flag(_) => is_absent(cell),
        }
    }

    pub(super) fn in_words(self) -> String {
        match self {
            Self::Number => format!("a number from -{LARGEST} to {LARGEST} on every line"),
            Self::Measure => format!("a number from -{LARGEST_MEASURE} to {LARGEST_MEASURE} on every line"),
            Self::StepSize => format!("a step size from 0 to {LARGEST} on every line"),
            Self::Flag(_) => "0 or 1 on every line".to_owned(),
            Self::Label(one) => format!("\"{}\" for 1, and one other word for 0, on every line", excerpt(one)),
            Self::Is(_) => "a word on every line".to_owned(),
            Self::Class(most) => {
                format!("a whole number or a word for the class on every line, at most {most} different ones")
            }
            Self::Level(most) => format!("a word or a number on every line, at most {most} different ones"),
        }
    }

    /// Whether the cells are read as numbers.
    pub(super) fn are_numbers(self) -> bool {
        !matches!(self, Self::Label(_) | Self::Is(_) | Self::Level(_))
    }

    fn contains(self, number: f64) -> bool {
        match self {
            Self::Number => number.abs() <= LARGEST,
            Self::Measure => number.abs() <= LARGEST_MEASURE,
            Self::StepSize => (0.0..=LARGEST).contains(&number),
            Self::Flag(_) | Self::Label(_) => [0.0, 1.0].contains(&number),
            Self::Class(_) => number.fract() == 0.0 && number.abs() <= LARGEST,
            Self::Is(_) | Self::Level(_) => true,
        }
    }
}

/// The labels of a column that have occurred.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// Words in the place of 0 and 1, up to a third one.
    words: Vec<String>,
    /// The word for 0.
    other: Option<String>,
    /// The classes: as they are written, and their numbers.
    classes: Vec<(String, Option<f64>)>,
    /// Whether words for false and true have occurred, and numbers besides 0 and 1.
    has_flags: bool,
    has_numbers: bool,
    /// The levels of a factor, as they are written, in the order in which they come.
    levels: Vec<String>,
}

impl Labels {
    /// The values of a column with its levels. Classes with words have numbers from 0 in the order in which they come; if all are numbers,
    /// these stay.
    pub(super) fn finish(self, mut values: Vec<f64>) -> NumbersAndLevels {
        if self.classes.is_empty() {
            return (values, self.levels);
        }
        let numbers: Option<Vec<f64>> = self.classes.iter().map(|(_, number)| *number).collect();
        let Some(numbers) = numbers else {
            return (values, self.classes.into_iter().map(|(name, _)| name).collect());
        };
        for value in &mut values {
            *value = index_of(*value).and_then(|class| numbers.get(class)).copied().unwrap_or(*value);
        }
        (values, Vec::new())
    }

    /// 0 or 1 for a word that stands for it, unless there are other numbers in the column.
    fn flag(&mut self, cell: &str) -> Option<f64> {
        let flag = flag_word(cell).filter(|_| !self.has_numbers)?;
        self.has_flags = true;
        Some(if flag { 1.0 } else { 0.0 })
    }

    /// Notes a cell that is no number.
    pub(super) fn note_word(&mut self, cell: Option<&str>, problem: &CellError) {
        let Some(cell) = cell.filter(|cell| matches!(problem, CellError::NotANumber(_)) && !is_missing(cell)) else {
            return;
        };
        // Two words may stand for 0 and 1, three cannot.
        if self.words.len() < 3 && !self.words.iter().any(|known| known == cell) {
            self.words.push(cell.to_owned());
        }
    }

    /// What is allowed in the place of words: where they stand for 0 and 1, how one of them counts as 1.
    pub(super) fn allowed(&self, cells: Cells<'_>) -> String {
        let key = match (cells, &self.words[..]) {
            (Cells::Flag(Some(key)), _) => key,
            (Cells::Measure, [word, ..]) => {
                let word = excerpt(word);
                return format!("{}; of words make factor(c), or c == \"{word}\" for 0 and 1", cells.in_words());
            }
            _ => return cells.in_words(),
        };
        if !(1..=2).contains(&self.words.len()) {
            return cells.in_words();
        }
        let named: Vec<String> = self.words.iter().map(|word| format!("{key} = \"{}\"", excerpt(word))).collect();
        format!("{}, or the word that counts as 1: {}", cells.in_words(), named.join(" or "))
    }
}

/// Whether a cell is a word for a missing number.
pub(super) fn is_missing(cell: &str) -> bool {
    MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Words that stand for a missing number, and are words like others in a column of words: a diet, or a smoker, may be none.
const WORDS: [&str; 3] = ["none", "nil", "-"];

/// Whether a cell of a column of words is a word for a missing one.
fn is_missing_word(cell: &str) -> bool {
    is_missing(cell) && !WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// The same of an empty cell, or of any other that stands for a missing value.
pub(super) fn is_absent_word(cell: &str) -> bool {
    is_absent(cell) && !WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Whether a cell is empty or stands for a missing value of any kind.
pub(super) fn is_absent(cell: &str) -> bool {
    cell.is_empty() || is_missing(cell) || ABSENT.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Whether a word is yes or true, or else no or false; `None` of other words.
pub(super) fn flag_word(cell: &str) -> Option<bool> {
    let is = |words: [&str; 2]| words.iter().any(|word| cell.eq_ignore_ascii_case(word));
    if is(["true", "yes"]) { Some(true) } else { is(["false", "no"]).then_some(false) }
}

/// Why a cell of a data file is no datum.
#[derive(Debug, Error)]
pub(super) enum CellError {
    #[error("the column is missing")]
    Missing,
    #[error("the cell is empty")]
    Empty,
    #[error("a quotation mark opens a text that goes on over several lines")]
    Quoted,
    #[error("\"{0}\" is not a number")]
    NotANumber(String),
    #[error("\"{0}\" has spaces between its numbers")]
    Spaces(String),
    #[error("\"{0}\" begins with #, below the first row")]
    Comment(String),
    #[error("{0} is not allowed")]
    NotAllowed(String),
    #[error("\"{0}\" stands for a missing value")]
    MissingLabel(String),
    #[error("\"{0}\" is a third word beside \"{1}\"")]
    ThirdLabel(String, String),
    #[error("{0} is one class more than {1}")]
    OneClassMore(String, usize),
    #[error("\"{0}\" is one level more than {1}")]
    OneLevelMore(String, usize),
}

impl CellError {
    /// Whether there is no value.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing | Self::Empty | Self::MissingLabel(_))
    }

    /// What is allowed in its place, where that is another layout of the file.
    pub(super) fn layout(&self) -> Option<&'static str> {
        match self {
            Self::Spaces(_) => Some("commas, semicolons, tabs or | between columns"),
            Self::Comment(_) => Some("lines that begin with # above the first row"),
            _ => None,
        }
    }
}

/// The number that a cell stands for.
pub(super) fn value(
    cell: Option<&str>,
    (cells, mark): (Cells<'_>, DecimalMark),
    labels: &mut Labels,
) -> Result<f64, CellError> {
    let cell = cell.ok_or(CellError::Missing)?;
    if cell.is_empty() {
        return Err(CellError::Empty);
    }
    if cell.contains('\n') {
        return Err(CellError::Quoted);
    }
    match cells {
        Cells::Label(one) => return label(cell, one, &mut labels.other),
        Cells::Is(_) if is_missing_word(cell) => return Err(CellError::MissingLabel(excerpt(cell))),
        Cells::Is(word) => return Ok(if cell == word { 1.0 } else { 0.0 }),
        Cells::Level(most) => return level(cell, most, &mut labels.levels),
        _ => {}
    }
    let Some(number) = number(cell, mark) else {
        return match cells {
            Cells::Class(most) if !is_missing_word(cell) => class(cell, None, most, &mut labels.classes),
            _ if is_missing(cell) => Err(CellError::MissingLabel(excerpt(cell))),
            Cells::Flag(_) | Cells::Measure => labels.flag(cell).ok_or_else(|| no_number(cell)),
            _ => Err(no_number(cell)),
        };
    };
    if !cells.contains(number) {
        return Err(CellError::NotAllowed(excerpt(cell)));
    }
    if let Cells::Class(most) = cells {
        return class(cell, Some(number + 0.0), most, &mut labels.classes);
    }
    labels.has_numbers |= ![0.0, 1.0].contains(&number);
    if labels.has_flags && labels.has_numbers {
        return Err(CellError::NotAllowed(excerpt(cell)));
    }
    Ok(number)
}

/// The error of a cell that should be a number.
fn no_number(cell: &str) -> CellError {
    match excerpt(cell) {
        text if is_row(cell) => CellError::Spaces(text),
        text if cell.starts_with(COMMENT) => CellError::Comment(text),
        text => CellError::NotANumber(text),
    }
}

/// The number of a class, from 0 in the order in which they come. Numbers are alike if they are equal, words if they are the same.
fn class(
    cell: &str,
    number: Option<f64>,
    most: usize,
    classes: &mut Vec<(String, Option<f64>)>,
) -> Result<f64, CellError> {
    let is = |(name, of): &(String, Option<f64>)| match (number, of) {
        (Some(number), Some(of)) => (number - of).abs() <= 0.0,
        (None, None) => name == cell,
        _ => false,
    };
    let known = classes.iter().position(is).unwrap_or(classes.len());
    if known == most {
        return Err(CellError::OneClassMore(excerpt(cell), most));
    }
    if known == classes.len() {
        classes.push((cell.to_owned(), number));
    }
    Ok(known as f64)
}

/// The index that a number of a class or level stands for.
fn index_of(number: f64) -> Option<usize> {
    (0..MOST_CLASSES).find(|index| (*index as f64 - number).abs() < 0.5)
}

/// 1 for the word that stands for it, 0 for the other word.
fn label(cell: &str, one: &str, other: &mut Option<String>) -> Result<f64, CellError> {
    if cell == one {
        return Ok(1.0);
    }
    if is_missing_word(cell) {
        return Err(CellError::MissingLabel(excerpt(cell)));
    }
    match other.get_or_insert_with(|| cell.to_owned()) {
        known if known == cell => Ok(0.0),
        known => Err(CellError::ThirdLabel(excerpt(cell), excerpt(known))),
    }
}

/// The number of a level, from 0 in the order in which they come.
fn level(cell: &str, most: usize, levels: &mut Vec<String>) -> Result<f64, CellError> {
    if is_missing_word(cell) {
        return Err(CellError::MissingLabel(excerpt(cell)));
    }
    let known = levels.iter().position(|level| level == cell);
    match known {
        Some(known) => Ok(known as f64),
        None if levels.len() == most => Err(CellError::OneLevelMore(excerpt(cell), most)),
        None => {
            levels.push(cell.to_owned());
            Ok((levels.len() - 1) as f64)
        }
    }
}
