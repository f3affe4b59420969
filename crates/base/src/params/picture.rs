//! Pictures: levels on the cells of a grid, written as rows of characters that a person can read and change.

use super::error::ParamError;
use super::printable::excerpt;

/// The characters of the levels 0, 1, 2 …
const ALPHABET: &[u8; 62] = b".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Other characters of the level 0.
const BLANKS: [char; 2] = [' ', '0'];

/// Most rows, and most columns.
const MOST_CELLS: usize = 64;

/// The allowed characters in words, for messages.
const LEVELS: &str = "\".\" for 0, then 1 to 9, A to Z and a to z, the highest";

/// A level on each cell of a grid with 1 to 64 rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    columns: usize,
    /// By rows, from the top.
    levels: Vec<u8>,
}

impl Picture {
    /// The highest level.
    pub const HIGHEST: u8 = 61;

    /// One row and one column of level 0.
    #[must_use]
    pub fn empty() -> Self {
        Self { columns: 1, levels: vec![0] }
    }

    /// From levels by rows, the upper row first; higher levels than [`HIGHEST`](Self::HIGHEST) count as this one. `None` unless
    /// they fill 1 to 64 rows of 1 to 64 columns.
    #[must_use]
    pub fn new(columns: usize, levels: Vec<u8>) -> Option<Self> {
        let legal = |count: usize| (1..=MOST_CELLS).contains(&count);
        if !legal(columns) || !levels.len().is_multiple_of(columns) || !legal(levels.len() / columns) {
            return None;
        }
        let levels = levels.into_iter().map(|level| level.min(Self::HIGHEST)).collect();
        Some(Self { columns, levels })
    }

    /// Reads rows of characters, the upper row first.
    ///
    /// # Errors
    /// If there are no or too many rows or columns, if a row has another length than the first, or if a character is not a
    /// level. The path of the error is the number of the row, from 0, or empty.
    pub fn read<'t>(rows: impl ExactSizeIterator<Item = &'t str>) -> Result<Self, ParamError> {
        let count = rows.len();
        if !(1..=MOST_CELLS).contains(&count) {
            return Err(ParamError::new("", format!("there are {count} rows"), format!("1 to {MOST_CELLS} rows")));
        }
        let (mut columns, mut levels) = (None, Vec::new());
        for (number, row) in (1..).zip(rows) {
            let wrong = |problem: String, allowed: &str| ParamError::new(format!("{}", number - 1), problem, allowed);
            let length = row.chars().take(MOST_CELLS + 1).count();
            if !(1..=MOST_CELLS).contains(&length) {
                let problem = if length == 0 { "is empty" } else { "is too long" };
                return Err(wrong(format!("row {number} {problem}"), &format!("1 to {MOST_CELLS} characters")));
            }
            let first = *columns.get_or_insert(length);
            if length != first {
                let problem = format!("row {number} has a length of {length}, row 1 of {first}");
                return Err(wrong(problem, "rows of equal length"));
            }
            for (column, character) in (1..).zip(row.chars()) {
                levels.push(level(character).ok_or_else(|| {
                    let shown = excerpt(&character.to_string());
                    wrong(format!("row {number}, column {column}: \"{shown}\" is not a level"), LEVELS)
                })?);
            }
        }
        Ok(Self { columns: columns.unwrap_or(1), levels })
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.levels.len() / self.columns
    }

    /// The levels by rows, from the top.
    #[must_use]
    pub fn levels(&self) -> &[u8] {
        &self.levels
    }

    /// The rows as text, from the top. [`read`](Self::read) gives the picture back.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let character = |level: &u8| char::from(ALPHABET[usize::from(*level)]);
        self.levels.chunks(self.columns).map(move |row| row.iter().map(character).collect())
    }

    /// Its size in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        format!("{} × {} cells", self.columns, self.rows())
    }
}

/// What a picture is in a file, in words.
pub(super) fn in_words() -> String {
    format!("a list of rows of equal length, in quotes, 1 to {MOST_CELLS} of 1 to {MOST_CELLS} characters: {LEVELS}")
}

/// The level that a character stands for.
fn level(character: char) -> Option<u8> {
    if BLANKS.contains(&character) {
        return Some(0);
    }
    ALPHABET.iter().position(|known| char::from(*known) == character).map(|level| level as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &[&str]) -> Result<Picture, ParamError> {
        Picture::read(rows.iter().copied())
    }

    #[test]
    fn every_level_has_its_character() {
        let all = Picture::new(31, (0..=Picture::HIGHEST).collect()).unwrap();
        let lines: Vec<String> = all.lines().collect();
        assert_eq!(lines, [".123456789ABCDEFGHIJKLMNOPQRSTU", "VWXYZabcdefghijklmnopqrstuvwxyz"]);
        let rows: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(read(&rows), Ok(all));
    }

    #[test]
    fn spaces_and_zeros_are_empty_cells() {
        let picture = read(&[" 0.z", "1A a"]).unwrap();
        assert_eq!((picture.columns(), picture.rows()), (4, 2));
        assert_eq!(picture.levels(), [0, 0, 0, 61, 1, 10, 0, 36]);
        assert_eq!(picture.lines().collect::<Vec<_>>(), ["...z", "1A.a"]);
        assert_eq!(picture.in_words(), "4 × 2 cells");
    }

    #[test]
    fn what_is_wrong_has_a_row_and_a_column() {
        let long = "1".repeat(65);
        let many = vec!["1"; 65];
        for (rows, path, problem) in [
            (&[][..], "", "there are 0 rows"),
            (&many, "", "there are 65 rows"),
            (&["12", "123"], "1", "row 2 has a length of 3, row 1 of 2"),
            (&["12", ""], "1", "row 2 is empty"),
            (&[""], "0", "row 1 is empty"),
            (&[&long], "0", "row 1 is too long"),
            (&["12", "1ß"], "1", "row 2, column 2: \"ß\" is not a level"),
            (&["\u{1b}"], "0", "row 1, column 1: \"\\u001B\" is not a level"),
        ] {
            let error = read(rows).unwrap_err();
            assert_eq!((error.path.as_str(), error.problem.as_str()), (path, problem));
            assert!(!error.allowed.is_empty());
        }
    }

    #[test]
    fn levels_have_to_fill_a_grid() {
        for (columns, count) in [(0, 0), (3, 7), (65, 65), (1, 65), (2, 0)] {
            assert_eq!(Picture::new(columns, vec![0; count]), None, "{columns} columns, {count} levels");
        }
        assert_eq!(Picture::new(1, vec![200]).unwrap().levels(), [Picture::HIGHEST]);
        assert_eq!(Picture::new(64, vec![1; 64 * 64]).unwrap().rows(), 64);
    }
}
