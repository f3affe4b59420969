//! Questions that a file of data can be asked.

use models::targets::{ColumnKind, Sheet, SheetColumn};

/// What is asked of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// A number explained by others, with normal noise.
    Linear,
    /// The same with noise of Student's t.
    Robust,
    /// Yes or no, explained by other columns; or successes among trials.
    Logistic,
    /// Counts explained by other columns.
    Counts,
    /// Means of groups of rows.
    Groups,
    /// The probability of yes.
    Coin,
    /// Two probabilities, one for each of two arms.
    Arms,
    /// A function of one number, by a small neural network.
    Function,
    /// Classes in the plane of two numbers, by a small neural network.
    Classes,
    /// Topics of texts.
    Topics,
}

impl Question {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Linear,
        Self::Robust,
        Self::Logistic,
        Self::Counts,
        Self::Groups,
        Self::Coin,
        Self::Arms,
        Self::Function,
        Self::Classes,
        Self::Topics,
    ];

    /// Its word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Robust => "robust",
            Self::Logistic => "logistic",
            Self::Counts => "counts",
            Self::Groups => "groups",
            Self::Coin => "coin",
            Self::Arms => "arms",
            Self::Function => "function",
            Self::Classes => "classes",
            Self::Topics => "topics",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Linear => "linear regression",
            Self::Robust => "robust regression",
            Self::Logistic => "logistic regression",
            Self::Counts => "Poisson regression",
            Self::Groups => "means of groups",
            Self::Coin => "probability of a coin",
            Self::Arms => "A/B test",
            Self::Function => "function by a network",
            Self::Classes => "classes by a network",
            Self::Topics => "topics",
        }
    }

    /// What it asks, in a sentence.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Linear => "Linear regression: the response is a number with normal noise.",
            Self::Robust => "Linear regression with noise of Student's t, for which outliers count less.",
            Self::Logistic => "Logistic regression: the response is yes or no, or a number of successes among trials.",
            Self::Counts => "Poisson regression: the response is a count.",
            Self::Groups => {
                "Hierarchical normal: the means of groups of rows, which come from a common distribution, as in eight schools."
            }
            Self::Coin => "Beta posterior of one probability: how often the response is yes.",
            Self::Arms => "Beta posteriors of two probabilities: how often the response is yes in each of two arms.",
            Self::Function => "Bayesian neural network of one number, with the band of its functions.",
            Self::Classes => "Bayesian neural network of two numbers that tells up to five classes apart.",
            Self::Topics => "Latent Dirichlet allocation: topics of the texts of one column.",
        }
    }

    /// Whether a table can be made into a target of this kind, or into one that has all that this kind has.
    #[must_use]
    pub fn makes(kind: &str) -> bool {
        MADE.contains(&kind)
    }

    /// The question with this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|question| question.word() == word)
    }

    /// Whether a column can be its response.
    #[must_use]
    pub fn suits(self, column: &SheetColumn) -> bool {
        match (self, &column.kind) {
            (Self::Linear | Self::Robust | Self::Groups | Self::Function, kind) => {
                matches!(kind, ColumnKind::Numbers { .. })
            }
            (Self::Counts, ColumnKind::Numbers { whole, low, .. }) => *whole && *low >= 0.0,
            (Self::Counts | Self::Coin | Self::Arms, ColumnKind::YesNo(_)) => true,
            // None of n, or all of them.
            (Self::Coin | Self::Arms, ColumnKind::Numbers { whole: true, low, high, different: 1 }) => {
                *low >= 0.0 && *high <= 1.0
            }
            (Self::Logistic, _) => is_binary(column),
            (Self::Coin, ColumnKind::Words(levels)) => levels.len() == 2,
            (Self::Classes, ColumnKind::Words(levels)) => (2..=MOST_CLASSES).contains(&levels.len()),
            (Self::Classes, ColumnKind::Numbers { whole, different, .. }) => {
                *whole && (2..=MOST_CLASSES).contains(different)
            }
            (Self::Classes, ColumnKind::YesNo(_)) => true,
            (Self::Topics, ColumnKind::Text { .. }) => true,
            _ => false,
        }
    }

    /// The questions that some column of a sheet suits.
    #[must_use]
    pub fn of_sheet(sheet: &Sheet) -> Vec<Self> {
        let suits = |question: &Self| sheet.columns.iter().any(|column| question.suits(column));
        Self::ALL.into_iter().filter(suits).collect()
    }
}

/// Kinds of targets that are made of a table; the older regressions in the plane are the kind `regression` then.
const MADE: [&str; 7] = [
    "regression",
    "linear-regression",
    "logistic-regression",
    "hierarchical-normal",
    "beta-posterior",
    "beta-pair",
    "network",
];

/// Most classes of the network.
const MOST_CLASSES: usize = 5;

/// Whether a column has two words or 0 and 1.
fn is_binary(column: &SheetColumn) -> bool {
    match &column.kind {
        ColumnKind::YesNo(_) => true,
        ColumnKind::Words(levels) => levels.len() == 2,
        _ => false,
    }
}
