//! Errors of parameters: where they are, what is wrong, what is allowed. Texts and lists have a largest length, because they
//! quote files.

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

/// Characters of the path of an error at most.
const LONGEST_PATH: usize = 120;

/// Characters of what is wrong at most.
const LONGEST_PROBLEM: usize = 300;

/// Characters of what is allowed at most; the longest list of keys has less than half of them.
const LONGEST_ALLOWED: usize = 2000;

/// Errors that are displayed one by one; more are counted.
pub const MOST_ERRORS: usize = 200;

/// The beginning of a text, with an ellipsis in the place of what is left out.
fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Error of a parameter: its path, the problem, and the allowed values.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{path}: {problem}; allowed: {allowed}")]
pub struct ParamError {
    /// Keys from the owner of the settings down, joined by dots: `step_size.initial`.
    pub path: String,
    /// The problem, with the wrong value.
    pub problem: String,
    /// The allowed values.
    pub allowed: String,
}

impl ParamError {
    /// An error at `path`. Its texts may quote a file, so they are cut where they are longer than a message can be.
    pub fn new(path: impl Into<String>, problem: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self {
            path: cut(path.into(), LONGEST_PATH),
            problem: cut(problem.into(), LONGEST_PROBLEM),
            allowed: cut(allowed.into(), LONGEST_ALLOWED),
        }
    }

    /// The same error with the path from the table that contains this one under `key`.
    #[must_use]
    pub fn under(mut self, key: &str) -> Self {
        self.path = if self.path.is_empty() { key.to_owned() } else { format!("{key}.{}", self.path) };
        self
    }
}

/// Several errors, displayed one per line; of very many the first [`MOST_ERRORS`] and the number of the others.
#[derive(Clone, Debug, Error, PartialEq)]
pub struct ParamErrors(pub Vec<ParamError>);

impl Display for ParamErrors {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = self.0.iter().take(MOST_ERRORS).map(ToString::to_string).collect();
        lines.extend(self.0.len().checked_sub(MOST_ERRORS + 1).map(|more| more_errors(more + 1)));
        f.write_str(&lines.join("\n"))
    }
}

/// The line that stands for errors that are not named.
#[must_use]
pub fn more_errors(more: usize) -> String {
    format!("and {more} more {}", if more == 1 { "error" } else { "errors" })
}
