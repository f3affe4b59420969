//! How the lines of an algorithm are shown.

use crate::words::word::Word;
use base::params::ParamSpec;
use engine::scenario::view::options;

/// How the lines of an algorithm are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lines {
    /// In plain words.
    #[default]
    Words,
    /// As NumPy code.
    Code,
    /// Not at all.
    Hidden,
}

impl Word for Lines {
    const SPEC: &'static ParamSpec = &options::LINES;
    const ALL: &'static [Self] = &[Self::Words, Self::Code, Self::Hidden];
}
