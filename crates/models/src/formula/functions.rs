//! The functions that a formula may name.

use std::ops::RangeInclusive;

/// A function of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// eˣ.
    Exp,
    /// The natural logarithm, also under the name `log`.
    Ln,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Atan,
    Tanh,
    /// 1/(1 + e^−x).
    Sigmoid,
    /// ln(1 + eˣ).
    Softplus,
    Abs,
    /// The smallest of its arguments.
    Min,
    /// The largest of its arguments.
    Max,
    /// ln Σ e^xᵢ.
    LogSumExp,
}

/// Names and functions.
const FUNCTIONS: [(&str, Function); NAMES.len()] = [
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("log", Function::Ln),
    ("sqrt", Function::Sqrt),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("atan", Function::Atan),
    ("tanh", Function::Tanh),
    ("sigmoid", Function::Sigmoid),
    ("softplus", Function::Softplus),
    ("abs", Function::Abs),
    ("min", Function::Min),
    ("max", Function::Max),
    ("logsumexp", Function::LogSumExp),
];

/// The names of all functions; `log` is the natural logarithm `ln`.
pub const NAMES: [&str; 15] = [
    "exp",
    "ln",
    "log",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "atan",
    "tanh",
    "sigmoid",
    "softplus",
    "abs",
    "min",
    "max",
    "logsumexp",
];

/// The function of this name.
pub(super) fn function(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}

impl Function {
    /// Its name, of two the first.
    pub(super) fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }

    /// How many arguments it takes.
    pub(super) fn arguments(self) -> RangeInclusive<usize> {
        match self {
            Self::Min | Self::Max | Self::LogSumExp => 2..=usize::MAX,
            _ => 1..=1,
        }
    }
}
