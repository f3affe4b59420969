//! Paths through the lessons: lists with a name, to be followed in order.

use super::lessons::{LESSONS, Lesson};

/// Lessons in the order in which they are read, with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonPath {
    /// Its key, which lessons name that need it.
    pub key: &'static str,
    /// Its name on the start page.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub about: &'static str,
    /// The names of its lessons.
    pub lessons: &'static [&'static str],
}

/// All paths. The first is for beginners; the last has all lessons.
pub static PATHS: &[LessonPath] = &[
    LessonPath {
        key: "start-here",
        name: "Start here",
        about: "For those who have heard of MCMC and know no more: eight short lessons, at first one step at a time.",
        lessons: &[
            "what-is-a-target",
            "random-walk",
            "step-sizes",
            "burn-in",
            "with-gradient",
            "noisy-gradient",
            "fitted-gaussian",
            "draws-or-fit",
        ],
    },
    LessonPath {
        key: "workshop",
        name: "Workshop: MCMC versus VI in an hour",
        about: "What samplers get wrong, what fitted distributions get wrong, and what both cost.",
        lessons: &[
            "bias-on-a-switch",
            "gradient-noise",
            "four-chains-or-one-schedule",
            "good-diagnostics",
            "mean-field",
            "zero-forcing",
            "one-mode-of-twenty-five",
            "laplace",
            "equal-cost",
        ],
    },
    LessonPath {
        key: "schedule",
        name: "Tune a schedule",
        about: "How long steps may be, how fast they have to shrink, and what cycles of step sizes find.",
        lessons: &[
            "bias-on-a-switch",
            "rates",
            "preconditioning",
            "authors-code",
            "paper-text",
            "four-chains-or-one-schedule",
            "challenge-modes",
            "challenge-cover-25",
        ],
    },
    LessonPath {
        key: "exact",
        name: "Without noise",
        about: "Exact distributions, computed without draws: what is bias, what is chance, and what only takes time.",
        lessons: &[
            "it-looks-stationary",
            "doors-that-close",
            "tuned-without-noise",
            "a-cycle-forgets",
            "when-is-the-mode-decided",
            "what-more-draws-cannot-cure",
        ],
    },
    LessonPath {
        key: "networks",
        name: "Networks",
        about: "Posteriors of small neural networks: many weights stand for one function.",
        lessons: &[
            "two-weights",
            "ridge",
            "gap-bands",
            "no-ensemble",
            "linearise",
            "noise-is-heat",
            "blind-outside",
            "dropout",
            "rhat-of-what",
            "cold",
        ],
    },
    LessonPath {
        key: "topics",
        name: "Topics",
        about: "Topics behind the words of documents, learned by variational inference and by sampling.",
        lessons: &[
            "ten-bars",
            "calm-costs-time",
            "smooth-lambda",
            "left-the-simplex",
            "upward-and-stuck",
            "sure-and-wrong",
            "inner-sweeps",
        ],
    },
    LessonPath {
        key: "all",
        name: "All lessons",
        about: "Every lesson by group, in the order in which they are taught.",
        lessons: &ALL,
    },
];

/// The names of all lessons.
const ALL: [&str; LESSONS.len()] = {
    let mut names = [""; LESSONS.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = LESSONS[number].name;
        number += 1;
    }
    names
};

impl LessonPath {
    /// The path for beginners.
    #[must_use]
    pub fn start() -> &'static Self {
        &PATHS[0]
    }

    /// The path of all lessons.
    #[must_use]
    pub fn all() -> &'static Self {
        &PATHS[PATHS.len() - 1]
    }

    /// The path on which the lesson `number` is read: the one that was chosen if it has the lesson, else that for beginners, else all lessons.
    #[must_use]
    pub fn of(chosen: Option<&'static Self>, number: usize) -> &'static Self {
        let mut paths = chosen.into_iter().chain([Self::start()]);
        paths.find(|path| path.position(number).is_some()).unwrap_or(Self::all())
    }

    /// The position of the lesson `number` on this path, from 0.
    #[must_use]
    pub fn position(&self, number: usize) -> Option<usize> {
        let name = LESSONS.get(number)?.name;
        self.lessons.iter().position(|lesson| *lesson == name)
    }

    /// The lessons of this path by number.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.lessons.iter().filter_map(|name| LESSONS.iter().position(|lesson| lesson.name == *name))
    }

    /// The number of the lesson so many positions after the lesson `number`, if there is one.
    #[must_use]
    pub fn neighbour(&self, number: usize, steps: isize) -> Option<usize> {
        self.numbers().nth(self.position(number)?.checked_add_signed(steps)?)
    }

    /// The time for all of its lessons.
    #[must_use]
    pub fn minutes(&self) -> u32 {
        self.lessons.iter().filter_map(|name| Lesson::find(name)).map(|lesson| lesson.minutes).sum()
    }

    /// The name of the path or the title of the lesson that a lesson needs.
    #[must_use]
    pub fn needed(key: &str) -> String {
        let path = PATHS.iter().find(|path| path.key == key).map(|path| path.name.to_owned());
        path.or_else(|| Lesson::find(key).map(|lesson| lesson.words().0)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::scenario::lessons::{GROUPS, Level};
    use crate::scenario::{Pacing, Speed};

    #[test]
    fn paths_have_known_lessons_once_each() {
        for path in PATHS {
            let numbers: BTreeSet<usize> = path.numbers().collect();
            assert_eq!(numbers.len(), path.lessons.len(), "{}", path.name);
            assert!(path.about.ends_with('.') && !path.about[..path.about.len() - 1].contains(". "), "{}", path.about);
        }
        let keys: BTreeSet<&str> = PATHS.iter().map(|path| path.key).collect();
        assert_eq!(keys.len(), PATHS.len());
        assert!(keys.iter().all(|key| Lesson::find(key).is_none()), "a key is a path or a lesson");
    }

    #[test]
    fn the_first_path_is_the_first_group_and_short() {
        let first: Vec<usize> = LessonPath::start().numbers().collect();
        let group: Vec<usize> = (0..LESSONS.len()).filter(|number| LESSONS[*number].group == GROUPS[0]).collect();
        assert_eq!((first, LessonPath::start().name), (group, GROUPS[0]));
        for number in LessonPath::start().numbers() {
            let lesson = &LESSONS[number];
            assert!(lesson.level == Level::Introductory && lesson.minutes <= 6, "{}", lesson.name);
        }
        assert_eq!(LessonPath::all().numbers().collect::<Vec<_>>(), (0..LESSONS.len()).collect::<Vec<_>>());
    }

    /// A beginner sees few runs at a pace at which they can be followed, and is asked one thing.
    #[test]
    fn the_first_lessons_are_slow_and_complete() {
        for number in LessonPath::start().numbers() {
            let lesson = LESSONS[number].scenario().unwrap();
            let (name, caption) = (LESSONS[number].name, &lesson.caption);
            assert!((1..=3).contains(&lesson.runs.len()) && (1..=2).contains(&caption.tries.len()), "{name}");
            assert!(!caption.notice.is_empty() && !caption.answer.is_empty(), "{name}");
            assert!(matches!(lesson.view.speed, Some(Speed::Steps(rate)) if rate <= 100.0), "{name}");
            assert_eq!(lesson.view.pace, Some(Pacing::Watch), "{name}");
            assert!(lesson.title.chars().count() <= 30, "{}", lesson.title);
        }
    }

    #[test]
    fn the_workshop_takes_an_hour() {
        let workshop = PATHS.iter().find(|path| path.key == "workshop").unwrap();
        assert!((55..=65).contains(&workshop.minutes()), "{} minutes", workshop.minutes());
    }

    /// A lesson needs lessons that are taught before it, no harder than itself, or a path.
    #[test]
    fn what_a_lesson_needs_comes_before_it() {
        for (number, lesson) in LESSONS.iter().enumerate() {
            for key in lesson.needs {
                assert!(!LessonPath::needed(key).is_empty(), "{} needs {key}", lesson.name);
                let Some(before) = LESSONS.iter().position(|other| other.name == *key) else { continue };
                let easier = LESSONS[before].level <= lesson.level;
                assert!(before < number && easier, "{} needs {key}", lesson.name);
            }
        }
    }

    #[test]
    fn neighbours_are_those_on_the_path() {
        let number = |name: &str| LESSONS.iter().position(|lesson| lesson.name == name).unwrap();
        let topics = PATHS.iter().find(|path| path.key == "topics");
        let schedule = PATHS.iter().find(|path| path.key == "schedule").unwrap();
        assert_eq!(schedule.neighbour(number("preconditioning"), 1), Some(number("authors-code")));
        assert_eq!(schedule.neighbour(number("bias-on-a-switch"), -1), None);
        assert_eq!(schedule.neighbour(number("challenge-cover-25"), 1), None);
        assert_eq!(LessonPath::all().neighbour(number("draws-or-fit"), 1), Some(number("welling-teh")));
        assert_eq!(LessonPath::of(topics, number("ten-bars")).key, "topics");
        assert_eq!(LessonPath::of(topics, number("burn-in")).key, "start-here");
        assert_eq!(LessonPath::of(topics, number("welling-teh")).key, "all");
    }
}
