//! A regular expression that says what a word is.

use regex::Regex;

use base::params::{ParamError, excerpt};

/// What is allowed, for messages.
const ALLOWED: &str = "a regular expression such as \\w+ or \\S+, which is matched with text in lower case";

/// A regular expression in the notation of the crate `regex`: no look-around, no references, in time that is linear in the text.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Pattern {
    /// The pattern of a text.
    ///
    /// # Errors
    /// A text that is no regular expression, or a very large one; at `pattern`.
    pub fn of(text: &str) -> Result<Self, ParamError> {
        Regex::new(text).map(Self).map_err(|error| {
            let reason = match error {
                regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
                // The last line of the message says what is wrong; those before it draw the place.
                error => error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
            };
            ParamError::new("pattern", format!("\"{}\" is no pattern: {reason}", excerpt(text)), ALLOWED)
        })
    }

    /// Calls back with every match: its first group, if the pattern has groups, else all of it.
    pub(super) fn matches(&self, text: &str, mut each: impl FnMut(&str)) {
        if self.0.captures_len() > 1 {
            self.0.captures_iter(text).filter_map(|found| found.get(1)).for_each(|word| each(word.as_str()));
        } else {
            self.0.find_iter(text).for_each(|word| each(word.as_str()));
        }
    }
}
