//! What a run does with its steps besides taking them: notes for a text, and which draws are collected.

/// What a run does with its steps, for the texts that say all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Practice {
    /// What the numbers are: method, noise, gradient, temperature; a comment each.
    pub notes: Vec<String>,
    /// Which draws are collected, in each of the parts.
    pub kept: Vec<Kept>,
}

/// Which draws of the sampling stages are collected in a part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// None: the method makes no draws.
    None,
    /// Those of the steps after `burn_in` that are `thin` ≥ 1 apart.
    Every {
        /// Steps dropped at the beginning of the run.
        burn_in: u64,
        /// Every how many steps a draw is collected.
        thin: u64,
    },
}

impl Kept {
    /// Whether the draw of step `k` ≥ 1, which is not in an exploration stage, is collected.
    pub(super) fn keeps(self, k: u64) -> bool {
        match self {
            Self::None => false,
            Self::Every { burn_in, thin } => k > burn_in && (k - burn_in).is_multiple_of(thin.max(1)),
        }
    }

    /// The same as a condition in Python.
    pub(super) fn condition(self) -> String {
        match self {
            Self::None => "False".to_owned(),
            Self::Every { burn_in, thin: 0 | 1 } => format!("k > {burn_in}"),
            Self::Every { burn_in: 0, thin } => format!("k % {thin} == 0"),
            Self::Every { burn_in, thin } => format!("k > {burn_in} and (k - {burn_in}) % {thin} == 0"),
        }
    }
}
