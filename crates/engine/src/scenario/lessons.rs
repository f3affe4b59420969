//! Built-in lessons: scenarios with a caption that says what to watch.

use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{AnswerValue, Caption, Scenario, ScenarioErrors, read, read_unbuilt, write};

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its name on the command line.
    pub name: &'static str,
    /// The part of a workshop that it belongs to, one of [`GROUPS`].
    pub group: &'static str,
    /// How much it presupposes.
    pub level: Level,
    /// About how long it takes, with its questions.
    pub minutes: u32,
    /// What comes before it: names of lessons, or keys of [`super::PATHS`].
    pub needs: &'static [&'static str],
    /// Its text, as in the file it was made from.
    pub text: &'static str,
}

/// How much a lesson presupposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing but what a density is.
    Introductory,
    /// Steps, chains, gradients and fits, as in the lessons of the first path.
    Intermediate,
    /// Knowledge of a field: schedules, networks, topics, diagnostics.
    Advanced,
}

impl Level {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Introductory => "introductory",
            Self::Intermediate => "intermediate",
            Self::Advanced => "advanced",
        }
    }
}

impl Lesson {
    /// Level and time in words.
    #[must_use]
    pub fn effort(&self) -> String {
        format!("{}, {} min", self.level.name(), self.minutes)
    }

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

    /// The number of the lesson that a scenario is, and nothing else, if it is one.
    #[must_use]
    pub fn exactly(scenario: &Scenario) -> Option<usize> {
        let number = Self::number_of(scenario)?;
        let known = LESSONS[number].scenario().ok()?;
        (write(&known) == write(scenario)).then_some(number)
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
            values: Vec<Value>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Value {
            name: String,
            run: String,
            measure: String,
            expected: String,
        }
        impl Default for CaptionWords {
            fn default() -> Self {
                Self::Watch(String::new())
            }
        }
        let Words { title, caption } = toml::from_str(self.text).unwrap_or_default();
        let caption = match caption {
            CaptionWords::Watch(watch) => Caption { watch, ..Caption::default() },
            CaptionWords::Parts(Parts { watch, notice, r#try, answer, values }) => {
                let value = |Value { name, run, measure, expected }| AnswerValue { name, run, measure, expected };
                let values = values.into_iter().map(value).collect();
                Caption { watch, notice, tries: r#try, answer, values }
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
    "Start here",
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
    "Exact distributions",
    "Challenges",
];

/// The file `assets/lessons/<name>.toml` as a lesson of a group, with its level, its minutes and what comes before it.
macro_rules! lesson {
    ($group:literal, $name:literal, $level:ident, $minutes:literal, $needs:expr) => {
        Lesson {
            name: $name,
            group: GROUPS[$group],
            level: Level::$level,
            minutes: $minutes,
            needs: &$needs,
            text: include_str!(concat!("../../../../assets/lessons/", $name, ".toml")),
        }
    };
}

/// All lessons, in the order in which they are taught.
pub const LESSONS: &[Lesson] = &[
    lesson!(0, "what-is-a-target", Introductory, 3, []),
    lesson!(0, "random-walk", Introductory, 4, ["what-is-a-target"]),
    lesson!(0, "step-sizes", Introductory, 4, ["random-walk"]),
    lesson!(0, "burn-in", Introductory, 5, ["step-sizes"]),
    lesson!(0, "with-gradient", Introductory, 4, ["step-sizes"]),
    lesson!(0, "noisy-gradient", Introductory, 5, ["with-gradient"]),
    lesson!(0, "fitted-gaussian", Introductory, 4, ["what-is-a-target"]),
    lesson!(0, "draws-or-fit", Introductory, 5, ["with-gradient", "fitted-gaussian"]),
    lesson!(1, "welling-teh", Intermediate, 8, ["start-here"]),
    lesson!(1, "gradient-noise", Intermediate, 6, ["noisy-gradient"]),
    lesson!(1, "order-matters", Intermediate, 7, ["noisy-gradient"]),
    lesson!(1, "beta-posterior", Intermediate, 8, ["noisy-gradient"]),
    lesson!(1, "bias-on-a-switch", Intermediate, 5, ["with-gradient"]),
    lesson!(1, "preconditioning", Intermediate, 6, ["with-gradient"]),
    lesson!(1, "your-own-density", Intermediate, 8, ["start-here"]),
    lesson!(2, "authors-code", Intermediate, 8, ["noisy-gradient"]),
    lesson!(2, "paper-text", Intermediate, 6, ["authors-code"]),
    lesson!(2, "four-chains-or-one-schedule", Intermediate, 7, ["authors-code"]),
    lesson!(2, "rates", Advanced, 10, ["noisy-gradient"]),
    lesson!(2, "wasserstein", Advanced, 10, ["rates"]),
    lesson!(3, "why-momentum", Intermediate, 6, ["with-gradient"]),
    lesson!(3, "unit-speed", Advanced, 7, ["why-momentum"]),
    lesson!(4, "mean-field", Intermediate, 7, ["fitted-gaussian"]),
    lesson!(4, "zero-forcing", Intermediate, 8, ["fitted-gaussian"]),
    lesson!(4, "one-mode-of-twenty-five", Intermediate, 5, ["zero-forcing"]),
    lesson!(4, "coordinate-ascent", Intermediate, 7, ["mean-field"]),
    lesson!(5, "smoothed-gradients", Advanced, 9, ["mean-field"]),
    lesson!(6, "laplace", Intermediate, 7, ["fitted-gaussian"]),
    lesson!(6, "fisher", Advanced, 8, ["laplace"]),
    lesson!(6, "few-data", Intermediate, 8, ["laplace"]),
    lesson!(7, "good-diagnostics", Intermediate, 7, ["burn-in"]),
    lesson!(7, "stein-blindness", Advanced, 8, ["good-diagnostics"]),
    lesson!(8, "equal-cost", Intermediate, 8, ["draws-or-fit"]),
    lesson!(9, "two-weights", Intermediate, 8, ["start-here"]),
    lesson!(9, "ridge", Intermediate, 8, ["two-weights"]),
    lesson!(9, "gap-bands", Advanced, 10, ["two-weights"]),
    lesson!(9, "no-ensemble", Advanced, 8, ["gap-bands"]),
    lesson!(9, "linearise", Advanced, 8, ["gap-bands", "laplace"]),
    lesson!(9, "noise-is-heat", Advanced, 8, ["gap-bands", "gradient-noise"]),
    lesson!(9, "blind-outside", Advanced, 8, ["gap-bands", "mean-field"]),
    lesson!(9, "dropout", Advanced, 8, ["gap-bands"]),
    lesson!(9, "rhat-of-what", Advanced, 7, ["burn-in", "two-weights"]),
    lesson!(9, "cold", Advanced, 8, ["gap-bands"]),
    lesson!(10, "ten-bars", Intermediate, 10, ["start-here"]),
    lesson!(10, "calm-costs-time", Advanced, 8, ["ten-bars"]),
    lesson!(10, "smooth-lambda", Advanced, 8, ["calm-costs-time"]),
    lesson!(10, "left-the-simplex", Advanced, 8, ["calm-costs-time"]),
    lesson!(10, "upward-and-stuck", Advanced, 8, ["ten-bars"]),
    lesson!(10, "sure-and-wrong", Advanced, 8, ["ten-bars"]),
    lesson!(10, "inner-sweeps", Advanced, 8, ["ten-bars"]),
    lesson!(11, "one-coordinate", Intermediate, 6, ["random-walk"]),
    lesson!(11, "no-u-turn", Intermediate, 8, ["with-gradient"]),
    lesson!(11, "too-long-for-mala", Intermediate, 6, ["with-gradient"]),
    lesson!(11, "learning-from-the-past", Intermediate, 6, ["step-sizes"]),
    lesson!(12, "tempering", Intermediate, 7, ["burn-in"]),
    lesson!(12, "flat-energies", Advanced, 8, ["tempering"]),
    lesson!(12, "differences", Intermediate, 7, ["step-sizes"]),
    lesson!(12, "particles", Intermediate, 7, ["draws-or-fit"]),
    lesson!(13, "tuned-without-noise", Advanced, 8, ["authors-code"]),
    lesson!(13, "what-more-draws-cannot-cure", Advanced, 8, ["authors-code"]),
    lesson!(13, "a-cycle-forgets", Advanced, 7, ["tuned-without-noise"]),
    lesson!(13, "when-is-the-mode-decided", Advanced, 6, ["tuned-without-noise"]),
    lesson!(13, "doors-that-close", Intermediate, 6, ["noisy-gradient"]),
    lesson!(13, "it-looks-stationary", Intermediate, 6, ["bias-on-a-switch"]),
    lesson!(14, "challenge-mass", Intermediate, 5, ["noisy-gradient"]),
    lesson!(14, "challenge-modes", Intermediate, 6, ["authors-code"]),
    lesson!(14, "challenge-converged", Intermediate, 7, ["burn-in"]),
    lesson!(14, "challenge-cover-25", Intermediate, 10, ["authors-code"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_scenario() {
        for lesson in LESSONS {
            let scenario = lesson.scenario().unwrap();
            assert_eq!(lesson.words(), (scenario.title, scenario.caption), "{}", lesson.name);
            let markup = |line: &&str| line.starts_with("caption") && line.contains(['*', '`']);
            assert_eq!(lesson.text.lines().find(markup), None, "{}: words are shown as they are", lesson.name);
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
