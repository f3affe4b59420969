//! Built-in lessons: scenarios with a caption that says what to watch.

use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Caption, Scenario, ScenarioErrors, read, read_unbuilt};

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its name on the command line.
    pub name: &'static str,
    /// The part of a workshop that it belongs to, one of [`GROUPS`].
    pub group: &'static str,
    /// Its text, as in the file it was made from.
    pub text: &'static str,
}

impl Lesson {
    /// The lesson called `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        LESSONS.iter().find(|lesson| lesson.name == name)
    }

    /// The number of the lesson that a scenario is; `None` if it is no lesson, or a changed one.
    #[must_use]
    pub fn number_of(scenario: &Scenario) -> Option<usize> {
        static WORDS: LazyLock<Vec<(String, Caption)>> = LazyLock::new(|| LESSONS.iter().map(Lesson::words).collect());
        LESSONS.iter().zip(&*WORDS).position(|(lesson, (title, caption))| {
            let same_words = *title == scenario.title && *caption == scenario.caption;
            same_words && lesson.unbuilt().is_ok_and(|lesson| lesson.runs_as(scenario))
        })
    }

    /// Its title and its caption, without reading the rest.
    #[must_use]
    pub fn words(&self) -> (String, Caption) {
        /// The keys of a scenario that are words.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Words {
            title: String,
            caption: CaptionWords,
        }
        /// A caption as a string, or in parts.
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum CaptionWords {
            Watch(String),
            Parts(Parts),
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Parts {
            watch: String,
            notice: String,
            r#try: Vec<String>,
            answer: String,
        }
        impl Default for CaptionWords {
            fn default() -> Self {
                Self::Watch(String::new())
            }
        }
        let Words { title, caption } = toml::from_str(self.text).unwrap_or_default();
        let caption = match caption {
            CaptionWords::Watch(watch) => Caption { watch, ..Caption::default() },
            CaptionWords::Parts(Parts { watch, notice, r#try, answer }) => {
                Caption { watch, notice, tries: r#try, answer }
            }
        };
        (title, caption)
    }

    /// The lesson as a scenario.
    ///
    /// # Errors
    /// None in a program that passes its tests.
    pub fn scenario(&self) -> Result<Scenario, ScenarioErrors> {
        read(self.text, &format!("{}.toml", self.name), Path::new("."))
    }

    /// The lesson as a scenario of which nothing is built.
    ///
    /// # Errors
    /// As [`Self::scenario`].
    pub fn unbuilt(&self) -> Result<Scenario, ScenarioErrors> {
        read_unbuilt(self.text, &format!("{}.toml", self.name), Path::new("."))
    }
}

/// The parts of a workshop, in order. Each has lessons.
pub const GROUPS: &[&str] = &[
    "SGLD",
    "Cyclical step sizes",
    "Momentum",
    "Variational inference",
    "Smoothed gradients",
    "Laplace",
    "Diagnostics",
    "MCMC versus VI",
    "Weights and functions",
    "Topics",
    "Exact samplers",
    "Tempering and particles",
    "Challenges",
];

/// The file `assets/lessons/<name>.toml` as a lesson of a group.
macro_rules! lesson {
    ($group:literal, $name:literal) => {
        Lesson {
            name: $name,
            group: GROUPS[$group],
            text: include_str!(concat!("../../../../assets/lessons/", $name, ".toml")),
        }
    };
}

/// All lessons, in the order in which they are taught.
pub const LESSONS: &[Lesson] = &[
    lesson!(0, "welling-teh"),
    lesson!(0, "gradient-noise"),
    lesson!(0, "order-matters"),
    lesson!(0, "beta-posterior"),
    lesson!(0, "bias-on-a-switch"),
    lesson!(0, "preconditioning"),
    lesson!(0, "your-own-density"),
    lesson!(1, "authors-code"),
    lesson!(1, "paper-text"),
    lesson!(1, "four-chains-or-one-schedule"),
    lesson!(1, "rates"),
    lesson!(1, "wasserstein"),
    lesson!(2, "why-momentum"),
    lesson!(2, "unit-speed"),
    lesson!(3, "mean-field"),
    lesson!(3, "zero-forcing"),
    lesson!(3, "one-mode-of-twenty-five"),
    lesson!(3, "coordinate-ascent"),
    lesson!(4, "smoothed-gradients"),
    lesson!(5, "laplace"),
    lesson!(5, "fisher"),
    lesson!(5, "few-data"),
    lesson!(6, "good-diagnostics"),
    lesson!(6, "stein-blindness"),
    lesson!(7, "equal-cost"),
    lesson!(8, "two-weights"),
    lesson!(8, "ridge"),
    lesson!(8, "gap-bands"),
    lesson!(8, "no-ensemble"),
    lesson!(8, "linearise"),
    lesson!(8, "noise-is-heat"),
    lesson!(8, "blind-outside"),
    lesson!(8, "dropout"),
    lesson!(8, "rhat-of-what"),
    lesson!(8, "cold"),
    lesson!(9, "ten-bars"),
    lesson!(9, "calm-costs-time"),
    lesson!(9, "smooth-lambda"),
    lesson!(9, "left-the-simplex"),
    lesson!(9, "upward-and-stuck"),
    lesson!(9, "sure-and-wrong"),
    lesson!(9, "inner-sweeps"),
    lesson!(10, "one-coordinate"),
    lesson!(10, "no-u-turn"),
    lesson!(10, "too-long-for-mala"),
    lesson!(10, "learning-from-the-past"),
    lesson!(11, "tempering"),
    lesson!(11, "flat-energies"),
    lesson!(11, "differences"),
    lesson!(11, "particles"),
    lesson!(12, "challenge-mass"),
    lesson!(12, "challenge-modes"),
    lesson!(12, "challenge-converged"),
    lesson!(12, "challenge-cover-25"),
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

    #[test]
    fn every_group_has_lessons_and_they_follow_its_order() {
        let mut groups: Vec<&str> = LESSONS.iter().map(|lesson| lesson.group).collect();
        groups.dedup();
        assert_eq!(groups, GROUPS);
    }

    #[test]
    fn every_file_of_a_lesson_is_a_lesson() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/lessons")).unwrap();
        let mut files: Vec<String> =
            files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().into()).collect();
        let mut names: Vec<&str> = LESSONS.iter().map(|lesson| lesson.name).collect();
        files.sort();
        names.sort_unstable();
        assert_eq!(names, files);
    }

    #[test]
    fn a_lesson_is_found_until_its_runs_are_changed() {
        let mut scenario = LESSONS[3].scenario().unwrap();
        scenario.view = super::super::ViewSpec::default();
        assert_eq!(Lesson::number_of(&scenario), Some(3));
        scenario.seed += 1;
        assert_eq!(Lesson::number_of(&scenario), None);
    }
}
