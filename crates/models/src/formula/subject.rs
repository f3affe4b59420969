//! What a formula is of: a point in the plane, or a step of a sequence. Names and functions depend on it.

use super::functions::{Function, NAMES, SEQUENCE_NAMES, function, function_of_sequences};

/// Names of coordinates.
pub(super) const COORDINATES: [&str; 2] = ["x", "y"];

/// Names of a step of a sequence, counted from 0 and from 1, and of the number of steps.
pub(super) const OF_STEPS: [&str; 3] = ["t", "k", "T"];

/// What a formula is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A point in the plane.
    Plane,
    /// A step of a sequence: there are no coordinates, and remainders instead.
    Sequence,
}

impl Subject {
    /// The number of a coordinate by its name.
    pub(super) fn coordinate(self, name: &str) -> Option<usize> {
        match self {
            Self::Plane => COORDINATES.iter().position(|coordinate| *coordinate == name),
            Self::Sequence => None,
        }
    }

    /// The function of this name.
    pub(super) fn function(self, name: &str) -> Option<Function> {
        match self {
            Self::Plane => function(name),
            Self::Sequence => function_of_sequences(name),
        }
    }

    /// Names that have a meaning of their own.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Plane => &COORDINATES,
            Self::Sequence => &OF_STEPS,
        }
    }

    /// The names of all functions.
    pub(super) fn functions(self) -> &'static [&'static str] {
        match self {
            Self::Plane => &NAMES,
            Self::Sequence => &SEQUENCE_NAMES,
        }
    }

    /// A formula, as an example.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Plane => "−(x² + y²)/2",
            Self::Sequence => "a*k^(-0.55)",
        }
    }
}
