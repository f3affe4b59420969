//! Errors of scenario files, each with its line and column, and with what is allowed.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use base::params::more_errors;

/// One thing that is wrong with a scenario file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// The file, as it was named to the reader.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Keys from the top of the file down, lists counted from 0: `run[1].step_size.cycles`.
    /// Empty where the text is not TOML.
    pub key: String,
    /// What is wrong, with the offending value.
    pub problem: String,
    /// What is allowed instead.
    pub allowed: String,
}

impl Display for ScenarioError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, key, problem, allowed } = self;
        let separator = if key.is_empty() { "" } else { ": " };
        write!(f, "{file}:{line}:{column}: {key}{separator}{problem}; allowed: {allowed}")
    }
}

/// What is wrong with a scenario file, in the order of the text. Displayed one per line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ScenarioErrors {
    /// At least one, and at most [`MOST_ERRORS`](base::params::MOST_ERRORS).
    pub errors: Vec<ScenarioError>,
    /// Number of errors that are not among them.
    pub more: usize,
}

impl Display for ScenarioErrors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        if self.more > 0 {
            write!(f, "\n{}", more_errors(self.more))?;
        }
        Ok(())
    }
}

/// Why a scenario file could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("{}: there is no such file; check its name and its folder", .0.display())]
    Missing(PathBuf),
    /// The path names a folder.
    #[error("{}: this is a folder; name a scenario file in it, or a folder with texts, each a .txt file", .0.display())]
    Folder(PathBuf),
    /// The path names a pipe or a device.
    #[error("{}: this is a pipe or a device, and no file; name a scenario file, or /dev/stdin", .0.display())]
    NoFile(PathBuf),
    /// The file is a playlist.
    #[error("{}: this is a playlist, and no scenario; name one of its items, or open it in the window", .path.display())]
    Playlist {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
    },
    /// The file is larger than any scenario.
    #[error("{}: {size} bytes are too many for a scenario; allowed: at most {limit}", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// The file is not text.
    #[error(
        "{}: this is not a text file (byte {offset} is not UTF-8 text); a scenario is a TOML file in UTF-8",
        .path.display()
    )]
    NotText {
        /// The file.
        path: PathBuf,
        /// Where the first byte that is not text stands, from 0.
        offset: usize,
    },
    /// The system could not read the file.
    #[error("{}: cannot be read: {source}; {}", .path.display(), remedy(source))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The message of the system.
        source: io::Error,
    },
    /// The text is not a valid scenario.
    #[error(transparent)]
    Invalid(#[from] ScenarioErrors),
}

impl LoadError {
    /// The system refuses to read the file at `path`.
    #[must_use]
    pub fn refused(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            // A folder on the way to it may be a file.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing(path.to_owned()),
            _ => Self::Unreadable { path: path.to_owned(), source },
        }
    }
}

/// What helps where the system refuses to read a file.
fn remedy(refused: &io::Error) -> &'static str {
    match refused.kind() {
        io::ErrorKind::PermissionDenied => "allow it, or name another file",
        _ => "name another file",
    }
}

/// Finds lines and columns, both from 1, of ascending byte offsets in one pass; columns count characters.
#[derive(Debug)]
pub(super) struct TextPositions<'t> {
    text: &'t str,
    offset: usize,
    line: usize,
    column: usize,
}

impl<'t> TextPositions<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, offset: 0, line: 1, column: 1 }
    }

    /// Line and column of an offset, which is not before the last one; of one after the end, those of the end.
    pub(super) fn at(&mut self, offset: usize) -> (usize, usize) {
        let between = self.text.get(self.offset..offset.min(self.text.len())).unwrap_or_default();
        self.offset += between.len();
        let mut lines = between.rsplit('\n');
        let last = lines.next().unwrap_or_default().chars().count();
        let breaks = lines.count();
        self.line += breaks;
        self.column = if breaks > 0 { 1 } else { self.column } + last;
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let text = "ab\nα = 1\n";
        let cases = [(0, (1, 1)), (1, (1, 2)), (3, (2, 1)), (6, (2, 3)), (text.len(), (3, 1)), (99, (3, 1))];
        let mut positions = TextPositions::new(text);
        for (offset, expected) in cases {
            assert_eq!(TextPositions::new(text).at(offset), expected, "{offset}");
            assert_eq!(positions.at(offset), expected, "{offset} after others");
        }
    }

    #[test]
    fn errors_are_displayed_one_per_line() {
        let error = |key: &str| ScenarioError {
            file: "a.toml".into(),
            line: 2,
            column: 5,
            key: key.into(),
            problem: "is missing".into(),
            allowed: "a number".into(),
        };
        let errors = ScenarioErrors { errors: vec![error("seed"), error("")], more: 7 };
        assert_eq!(
            errors.to_string(),
            "a.toml:2:5: seed: is missing; allowed: a number\na.toml:2:5: is missing; allowed: a number\nand 7 more errors"
        );
    }
}
