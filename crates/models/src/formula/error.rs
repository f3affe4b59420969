//! What is wrong with a formula, and where.

use std::fmt;
use std::ops::Range;

/// A formula that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// The characters that it is about, counted from 0; empty at the end of the text.
    pub at: Range<usize>,
    /// What is wrong.
    pub problem: String,
    /// What is allowed.
    pub allowed: String,
}

impl FormulaError {
    pub(super) fn new(at: Range<usize>, problem: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { at, problem: problem.into(), allowed: allowed.into() }
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, problem, allowed } = self;
        write!(formatter, "character {}: {problem}; {allowed}", at.start + 1)
    }
}

impl std::error::Error for FormulaError {}
