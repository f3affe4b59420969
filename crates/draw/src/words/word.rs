//! Types whose values are the words of an option of a tab. Keys, labels and helps are those of the table in
//! `engine::scenario::view::options`.

use base::params::{Choice, ParamSpec};

/// A choice of a person, of a few words.
pub trait Word: Copy + PartialEq + 'static {
    /// The option.
    const SPEC: &'static ParamSpec;

    /// All values, in the order of the words.
    const ALL: &'static [Self];

    /// Its entry in the table.
    #[must_use]
    fn choice(self) -> &'static Choice {
        const { assert!(Self::ALL.len() == Self::SPEC.choices().len(), "a value for each word") };
        &Self::SPEC.choices()[Self::ALL.iter().position(|value| *value == self).unwrap_or(0)]
    }

    /// Its word in a file.
    #[must_use]
    fn key(self) -> &'static str {
        self.choice().name
    }

    /// Its name in the window.
    #[must_use]
    fn label(self) -> &'static str {
        self.choice().label
    }

    /// What it shows.
    #[must_use]
    fn help(self) -> &'static str {
        self.choice().help
    }

    /// The value with this word.
    #[must_use]
    fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.key() == word)
    }
}
