//! Cells of a CSV column: what they may hold, and the number that each stands for.

use thiserror::Error;

use super::LARGEST;
use base::params::excerpt;

/// Number of faults with an error each; further ones are counted together.
pub(super) const MAX_NAMED: usize = 5;

/// The sign with which a comment begins.
pub(super) const COMMENT: char = '#';

/// Words that stand for a missing number.
const MISSING: [&str; 8] = ["na", "n/a", "null", "none", "nil", "missing", "-", "?"];

/// What the cells of a column may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::targets) enum Cells<'a> {
    /// Any number up to [`LARGEST`].
    Number,
    /// 0 or 1. Where the settings may name a word that stands for 1, with the key of that parameter.
    Flag(Option<&'a str>),
    /// A word that stands for 1, or one other word that stands for 0.
    Label(&'a str),
    /// A whole number that names a class, at most so many different ones.
    Class(usize),
    /// A word or a number that names a level of a factor, at most so many different ones.
    Level(usize),
}

impl Cells<'_> {
    pub(super) fn in_words(self) -> String {
        match self {
            Self::Number => format!("a number with a decimal point from -{LARGEST} to {LARGEST} on every line"),
            Self::Flag(_) => "0 or 1 on every line".to_owned(),
            Self::Label(one) => format!("\"{}\" for 1, and one other word for 0, on every line", excerpt(one)),
            Self::Class(most) => format!("a whole number for the class on every line, at most {most} different ones"),
            Self::Level(most) => format!("a word or a number on every line, at most {most} different ones"),
        }
    }

    fn contains(self, number: f64) -> bool {
        match self {
            Self::Number => number.abs() <= LARGEST,
            Self::Flag(_) | Self::Label(_) => [0.0, 1.0].contains(&number),
            Self::Class(_) => number.fract() == 0.0 && number.abs() <= LARGEST,
            Self::Level(_) => true,
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
    /// The numbers of classes.
    classes: Vec<f64>,
    /// The levels of a factor, as they are written, in the order in which they come.
    levels: Vec<String>,
}

impl Labels {
    /// The levels of a factor that have occurred.
    pub(super) fn into_levels(self) -> Vec<String> {
        self.levels
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
        let Cells::Flag(Some(key)) = cells else { return cells.in_words() };
        if !(1..=2).contains(&self.words.len()) {
            return cells.in_words();
        }
        let named: Vec<String> = self.words.iter().map(|word| format!("{key} = \"{}\"", excerpt(word))).collect();
        format!("{}, or the word that counts as 1: {}", cells.in_words(), named.join(" or "))
    }
}

/// The number that is written in a cell. The sign − of typeset tables is a minus sign.
fn number(cell: &str) -> Option<f64> {
    if cell.contains('\u{2212}') { cell.replace('\u{2212}', "-").parse().ok() } else { cell.parse().ok() }
}

/// Whether a cell is a number.
pub(super) fn is_number(cell: &str) -> bool {
    number(cell).is_some()
}

/// Whether a cell has several numbers with spaces between them: the columns of a table of another kind.
pub(super) fn is_row(cell: &str) -> bool {
    cell.split_whitespace().count() > 1 && cell.split_whitespace().all(is_number)
}

/// Whether a cell is a word for a missing number.
pub(super) fn is_missing(cell: &str) -> bool {
    MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word))
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
    /// What is allowed in its place, where that is another layout of the file.
    pub(super) fn layout(&self) -> Option<&'static str> {
        match self {
            Self::Spaces(_) => Some("commas, semicolons or tabs between columns"),
            Self::Comment(_) => Some("lines that begin with # above the first row"),
            _ => None,
        }
    }
}

/// The number that a cell stands for.
pub(super) fn value(cell: Option<&str>, cells: Cells<'_>, labels: &mut Labels) -> Result<f64, CellError> {
    let cell = cell.ok_or(CellError::Missing)?;
    if cell.is_empty() {
        return Err(CellError::Empty);
    }
    if cell.contains('\n') {
        return Err(CellError::Quoted);
    }
    if let Cells::Label(one) = cells {
        return label(cell, one, &mut labels.other);
    }
    if let Cells::Level(most) = cells {
        return level(cell, most, &mut labels.levels);
    }
    let number = number(cell).ok_or_else(|| match excerpt(cell) {
        text if is_row(cell) => CellError::Spaces(text),
        text if cell.starts_with(COMMENT) => CellError::Comment(text),
        text => CellError::NotANumber(text),
    })?;
    if !cells.contains(number) {
        return Err(CellError::NotAllowed(excerpt(cell)));
    }
    if let Cells::Class(most) = cells {
        // −0 is 0.
        let class = number + 0.0;
        if !labels.classes.contains(&class) {
            if labels.classes.len() == most {
                return Err(CellError::OneClassMore(excerpt(cell), most));
            }
            labels.classes.push(class);
        }
        return Ok(class);
    }
    Ok(number)
}

/// 1 for the word that stands for it, 0 for the other word.
fn label(cell: &str, one: &str, other: &mut Option<String>) -> Result<f64, CellError> {
    if cell == one {
        return Ok(1.0);
    }
    if is_missing(cell) {
        return Err(CellError::MissingLabel(excerpt(cell)));
    }
    match other.get_or_insert_with(|| cell.to_owned()) {
        known if known == cell => Ok(0.0),
        known => Err(CellError::ThirdLabel(excerpt(cell), excerpt(known))),
    }
}

/// The number of a level, from 0 in the order in which they come.
fn level(cell: &str, most: usize, levels: &mut Vec<String>) -> Result<f64, CellError> {
    if is_missing(cell) {
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
