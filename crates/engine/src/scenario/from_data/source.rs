//! Where the table of a scenario of data is: in a file, or in the scenario itself.

use std::borrow::Cow;
use std::path::Path;

use crate::scenario::write::quote;

/// Where a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// In a file with this path, as it is named from the folder of the scenario.
    File(&'a str),
    /// In the scenario, with this text.
    Inline(&'a str),
}

impl<'a> Source<'a> {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> Cow<'a, str> {
        match self {
            Self::File(path) => Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy()),
            Self::Inline(_) => "pasted table".into(),
        }
    }

    /// Whether another program may change it.
    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::File(_))
    }

    /// The lines of a table of data that name it: the kind, of two, and the path or the text.
    pub(super) fn lines(self, [file, inline]: [&str; 2]) -> String {
        match self {
            Self::File(path) => format!("kind = {}\npath = {}\n", quote(file), quote(path)),
            Self::Inline(text) => format!("kind = {}\ntext = {}\n", quote(inline), quote(text)),
        }
    }
}
