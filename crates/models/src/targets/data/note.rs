//! What is told of the data that a target read from a file.

/// The rows of a file that a target uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataNote {
    /// The file, as the scenario names it.
    pub file: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// Rows that are used.
    pub rows: usize,
    /// Rows that lack a value and were left out.
    pub left_out: usize,
    /// The line of the first of them.
    pub first_left_out: Option<u64>,
    /// Columns of numbers that are not used, by their names, or their numbers from 1.
    pub unused: Vec<String>,
}

impl DataNote {
    /// In words: 434 rows; 1 left out: a cell is missing.
    #[must_use]
    pub fn in_words(&self) -> String {
        let rows = format!("{} {}", self.rows, if self.rows == 1 { "row" } else { "rows" });
        match (self.left_out, self.first_left_out) {
            (0, _) | (_, None) => rows,
            (1, Some(line)) => format!("{rows}; 1 left out: a cell is missing in line {line}"),
            (count, Some(line)) => format!("{rows}; {count} left out: a cell is missing, first in line {line}"),
        }
    }
}
