//! What a person decides about the reading of a file: parameters that every kind of data from a CSV file has.

use super::numbers::DecimalMark;
use crate::encoding::Encoding;
use base::params::{Choice, DefaultValue, ParamSpec, ParamType, Settings};

/// Which decimal mark numbers have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalChoice {
    /// The one that the cells decide for.
    #[default]
    Automatic,
    /// A point; a comma separates thousands.
    Point,
    /// A comma; a point separates thousands.
    Comma,
}

impl DecimalChoice {
    /// The mark, if one was chosen.
    #[must_use]
    pub fn mark(self) -> Option<DecimalMark> {
        match self {
            Self::Automatic => None,
            Self::Point => Some(DecimalMark::Point),
            Self::Comma => Some(DecimalMark::Comma),
        }
    }

    /// The word in a scenario file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Point => "point",
            Self::Comma => "comma",
        }
    }

    /// The choice with this word; the default without one.
    #[must_use]
    pub fn of(word: &str) -> Self {
        [Self::Point, Self::Comma].into_iter().find(|choice| choice.word() == word).unwrap_or_default()
    }
}

/// What becomes of rows that lack a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingChoice {
    /// They are an error.
    #[default]
    Refuse,
    /// They are left out.
    LeaveOut,
}

impl MissingChoice {
    /// The word in a scenario file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::LeaveOut => "leave-out",
        }
    }

    /// The choice with this word; the default without one.
    #[must_use]
    pub fn of(word: &str) -> Self {
        if word == Self::LeaveOut.word() { Self::LeaveOut } else { Self::Refuse }
    }
}

/// Whether the first line has the names of the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderChoice {
    /// If it has words only; of numbers and words it is unclear.
    #[default]
    Automatic,
    /// It has names.
    Names,
    /// It has data.
    Data,
}

/// What a person decides about the reading of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The decimal mark.
    pub decimal: DecimalChoice,
    /// Rows that lack a value.
    pub missing: MissingChoice,
    /// The first line.
    pub header: HeaderChoice,
}

impl Reading {
    /// What the settings of data from a file say.
    pub(super) fn of(settings: &Settings) -> Self {
        let word = |spec: &ParamSpec| settings.kind.param(spec.key).map_or("", |spec| settings.word(spec.key));
        Self {
            decimal: DecimalChoice::of(word(&DECIMAL)),
            missing: MissingChoice::of(word(&MISSING)),
            header: HeaderChoice::Automatic,
        }
    }

    /// The same of a file in this encoding: numbers of an array have points, whatever its words look like.
    pub(super) fn in_encoding(self, encoding: Encoding) -> Self {
        if encoding == Encoding::NumPy { Self { decimal: DecimalChoice::Point, ..self } } else { self }
    }
}

static DECIMALS: [Choice; 3] = [
    Choice { name: "automatic", label: "automatic", help: "The mark that the numbers of the file decide for." },
    Choice { name: "point", label: "point", help: "Decimals follow a point: 0.5. A comma separates thousands: 1,120." },
    Choice { name: "comma", label: "comma", help: "Decimals follow a comma: 0,5. A point separates thousands: 1.120." },
];

static MISSINGS: [Choice; 2] = [
    Choice { name: "refuse", label: "are an error", help: "A missing value is an error that names its line." },
    Choice {
        name: "leave-out",
        label: "are left out",
        help: "Rows without a value in one of the columns that are used are left out, and counted.",
    },
];

/// The parameter for the decimal mark.
pub(in crate::targets) const DECIMAL: ParamSpec = ParamSpec::of(
    "decimal",
    "decimal mark",
    ParamType::Choice(&DECIMALS),
    DefaultValue::Word("automatic"),
    "The mark before the decimals of numbers. If 1,120 may be 1120 or 1.12 and no other number decides, it must be chosen.",
)
.folded();

/// The parameter for missing values.
pub(in crate::targets) const MISSING: ParamSpec = ParamSpec::of(
    "missing",
    "rows without a value",
    ParamType::Choice(&MISSINGS),
    DefaultValue::Word("refuse"),
    "What happens to rows in which a cell of a column that is used is empty or has a word for a missing value, such as NA.",
)
.folded();

/// The parameter for the sum of the file.
pub(in crate::targets) const SHA256: ParamSpec = ParamSpec::of(
    "sha256",
    "SHA-256 of the file",
    ParamType::Text,
    DefaultValue::Absent,
    "The SHA-256 of the file, as sha256sum tells it. If it is given, another or a changed file is an error.",
)
.folded();
