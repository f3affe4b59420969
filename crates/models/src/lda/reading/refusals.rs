//! What is wrong with files: a list of errors with a largest length.

use std::borrow::Cow;

use super::{Progress, Source};
use crate::encoding::{Encoding, decode, windows_1252};
use base::params::{ParamError, more_errors};

/// Errors that are named; the last one counts the others if there are more.
const MOST: usize = 20;

/// What is wrong with a file that is no text, and what is allowed.
const NO_TEXT: &str = "this is not text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252";
const TEXT: &str = "a text file in UTF-8";

/// Errors found so far, and how far reading is.
#[derive(Debug)]
pub(super) struct Refusals<'a> {
    errors: Vec<ParamError>,
    more: usize,
    progress: &'a Progress,
}

impl<'a> Refusals<'a> {
    /// None yet, of a reading with this progress.
    pub fn new(progress: &'a Progress) -> Self {
        Self { errors: Vec::new(), more: 0, progress }
    }

    /// Says how much of a phase is done. Returns whether to go on.
    pub fn go_on(&self, phase: (f32, f32), done: usize, all: usize) -> bool {
        self.progress.tell(phase, done, all)
    }

    /// Whether nothing was wrong so far.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Refuses a file for what is on a line, counted from 1.
    pub fn line(&mut self, source: &Source, line: usize, problem: impl AsRef<str>, allowed: impl Into<String>) {
        self.add(source.key, format!("{}, line {line}: {}", source.name, problem.as_ref()), allowed);
    }

    /// Refuses a file as a whole.
    pub fn file(&mut self, source: &Source, problem: impl AsRef<str>, allowed: impl Into<String>) {
        self.add(source.key, format!("{}: {}", source.name, problem.as_ref()), allowed);
    }

    /// Refuses the value of a parameter.
    pub fn add(&mut self, key: &str, problem: String, allowed: impl Into<String>) {
        if self.errors.len() < MOST {
            self.errors.push(ParamError::new(key, problem, allowed));
        } else {
            self.more += 1;
        }
    }

    /// The errors, if there are any.
    pub fn finish(mut self) -> Result<(), Vec<ParamError>> {
        if self.progress.is_stopped() {
            return Err(vec![ParamError::new("corpus", "reading was stopped", "reading to the end")]);
        }
        if self.errors.is_empty() {
            return Ok(());
        }
        if self.more > 0
            && let Some(last) = self.errors.last_mut()
        {
            last.problem = more_errors(self.more + 1);
        }
        Err(self.errors)
    }
}

/// The text of a file.
#[derive(Debug)]
pub(super) struct FileText<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether nothing in the file says how it is encoded: it is no UTF-8, and read as Windows-1252.
    pub(super) is_guessed: bool,
}

/// The text of a file. Of one that is no text every such line is refused.
pub(super) fn text<'a>(source: &'a Source, refusals: &mut Refusals<'_>) -> Option<FileText<'a>> {
    if let Ok(text) = str::from_utf8(&source.bytes)
        && !text.contains('\0')
    {
        return Some(FileText { text: text.strip_prefix('\u{feff}').unwrap_or(text).into(), is_guessed: false });
    }
    if let Some((text, encoding)) = decode(source.bytes.to_vec()) {
        return Some(FileText { text: text.into(), is_guessed: encoding == Encoding::Windows1252 });
    }
    let before = refusals.errors.len();
    for (number, line) in source.bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.contains(&0) || str::from_utf8(line).is_err() && windows_1252(line).is_none() {
            refusals.line(source, number + 1, NO_TEXT, TEXT);
        }
    }
    if refusals.errors.len() == before && refusals.more == 0 {
        refusals.file(source, NO_TEXT, TEXT);
    }
    None
}
