//! Built-in lessons: scenarios with a caption that says what to watch.

use std::path::Path;

use serde::Deserialize;

use super::{Scenario, ScenarioErrors, read};

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its name on the command line and in the window's menu.
    pub name: &'static str,
    /// Its text, as in the file it was made from.
    pub text: &'static str,
}

impl Lesson {
    /// The lesson called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        LESSONS.iter().find(|lesson| lesson.name == name)
    }

    /// Its title and its caption, without reading the rest.
    #[must_use]
    pub fn words(&self) -> (String, String) {
        /// The keys of a scenario that are words.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Words {
            title: String,
            caption: String,
        }
        let Words { title, caption } = toml::from_str(self.text).unwrap_or_default();
        (title, caption)
    }

    /// The lesson as a scenario.
    ///
    /// # Errors
    /// None in a program that passes its tests.
    pub fn scenario(&self) -> Result<Scenario, ScenarioErrors> {
        read(self.text, &format!("{}.toml", self.name), Path::new("."))
    }
}

/// The file `assets/lessons/<name>.toml` as a lesson.
macro_rules! lesson {
    ($name:literal) => {
        Lesson { name: $name, text: include_str!(concat!("../../assets/lessons/", $name, ".toml")) }
    };
}

/// All lessons, in the order in which they are taught.
pub const LESSONS: &[Lesson] = &[
    lesson!("authors-code"),
    lesson!("paper-text"),
    lesson!("four-chains-or-one-schedule"),
    lesson!("good-diagnostics"),
    lesson!("stein-blindness"),
    lesson!("welling-teh"),
    lesson!("gradient-noise"),
    lesson!("order-matters"),
    lesson!("bias-on-a-switch"),
    lesson!("why-momentum"),
    lesson!("preconditioning"),
    lesson!("beta-posterior"),
    lesson!("laplace"),
    lesson!("fisher"),
    lesson!("mean-field"),
    lesson!("zero-forcing"),
    lesson!("one-mode-of-twenty-five"),
    lesson!("coordinate-ascent"),
    lesson!("smoothed-gradients"),
    lesson!("equal-cost"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_scenario() {
        for lesson in LESSONS {
            let scenario = lesson.scenario().unwrap();
            assert_eq!(lesson.words(), (scenario.title, scenario.caption), "{}", lesson.name);
        }
    }
}
