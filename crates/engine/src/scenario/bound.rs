//! Bound of a measure, as goals of challenges and questions of sweeps have it.

use base::params::{Choice, Interval, ParamSpec, ParamType, Settings};

/// The key of a bound from above.
pub(super) const AT_MOST: ParamSpec = of("at_most", "The largest value that is within the bound.");

/// The key of a bound from below.
pub(super) const AT_LEAST: ParamSpec = of("at_least", "The smallest value that is within the bound.");

/// The two ends that a question can ask for.
pub(super) const ENDS: ParamType = ParamType::Choice(&[
    Choice { name: "smallest", label: "smallest", help: "The smallest value." },
    Choice { name: "largest", label: "largest", help: "The largest value." },
]);

const fn of(key: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, key, 0.0, Interval::ANY, (0.0, 1.0), help).optional()
}

/// A bound of a measure, itself included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// From above.
    AtMost(f64),
    /// From below.
    AtLeast(f64),
}

impl Bound {
    /// The number of the bound.
    #[must_use]
    pub fn limit(self) -> f64 {
        match self {
            Self::AtMost(limit) | Self::AtLeast(limit) => limit,
        }
    }

    /// Whether a value is within the bound.
    #[must_use]
    pub fn admits(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }

    /// The bound in words: `at most 0.1`.
    #[must_use]
    pub fn in_words(self) -> String {
        match self {
            Self::AtMost(most) => format!("at most {most}"),
            Self::AtLeast(least) => format!("at least {least}"),
        }
    }

    /// How far a value is within the bound; negative outside.
    #[must_use]
    pub fn within(self, value: f64) -> f64 {
        match self {
            Self::AtMost(most) => most - value,
            Self::AtLeast(least) => value - least,
        }
    }

    /// The bounds that settings give with [`AT_MOST`] and [`AT_LEAST`].
    pub(super) fn given(settings: &Settings) -> impl Iterator<Item = Self> {
        let most = settings.optional_number("at_most").map(Self::AtMost);
        let least = settings.optional_number("at_least").map(Self::AtLeast);
        most.into_iter().chain(least)
    }

    /// The key in a file, and the number.
    pub(super) fn key_and_number(self) -> (&'static str, f64) {
        match self {
            Self::AtMost(most) => ("at_most", most),
            Self::AtLeast(least) => ("at_least", least),
        }
    }
}
