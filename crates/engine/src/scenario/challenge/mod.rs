//! Challenges of a scenario: questions that are answered before its runs are shown, and goals that are reached by changing its parameters.
//! Each is a `[[challenge]]` table of a file.
//!
//! Challenges change no result. What is true of them is a function of a frame ([`crate::session::challenge`]).

mod check;
mod read;
mod write;

pub(super) use {read::read, write::write};

use super::Bound;
use crate::diagnostics::{CHAIN_MEASURES, MeasureSpec, TRUTH_MEASURES};

/// Most challenges of a scenario.
pub const MAX_CHALLENGES: usize = 20;

/// A question, or a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenge {
    /// The words of the file; empty for the usual ones.
    pub ask: String,
    /// What is asked.
    pub task: Task,
}

/// What a challenge asks. Measures are keys of [`challenge_measures`], runs are names.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Place chips where the mass is.
    Mass {
        /// The run whose draws are meant at its end; `None` for the target.
        run: Option<String>,
        /// Number of chips, from 1 to [`MOST_CHIPS`](crate::diagnostics::chips::MOST).
        chips: usize,
        /// The share of the mass that chips have to account for, from 0 to 1.
        at_least: f64,
    },
    /// Predict a measure of a run at its end.
    Number {
        /// The run.
        run: String,
        /// The measure.
        measure: &'static str,
        /// The largest error of a right answer, at least 0.
        tolerance: f64,
    },
    /// Name the runs of which something is true at their end.
    Choice {
        /// The measure that decides.
        measure: &'static str,
        /// How it decides.
        rule: Rule,
    },
    /// Bring a measure of a run within a bound.
    Goal {
        /// The run.
        run: String,
        /// The measure.
        measure: &'static str,
        /// Where the measure has to be.
        bound: Bound,
        /// The most gradient evaluations of all chains together; densities of methods without gradients count like them.
        within: Option<f64>,
    },
}

/// Which runs are named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// The one with the smallest value.
    Smallest,
    /// The one with the largest value.
    Largest,
    /// All whose value is within a bound.
    Within(Bound),
    /// All whose value is at most so many times what as many exact draws score on average, the noise floor.
    Floors(f64),
}

impl Rule {
    /// Whether one run is asked for; if not, there may be several or none.
    #[must_use]
    pub fn names_one(self) -> bool {
        matches!(self, Self::Smallest | Self::Largest)
    }
}

/// The measures that a challenge can ask for: those against the truth, and those of chains.
pub fn challenge_measures() -> impl Iterator<Item = &'static MeasureSpec> + Clone {
    TRUTH_MEASURES.iter().chain(&CHAIN_MEASURES)
}

impl Task {
    /// The name of the kind in a file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mass { .. } => "mass",
            Self::Number { .. } => "number",
            Self::Choice { .. } => "choice",
            Self::Goal { .. } => "goal",
        }
    }

    /// The run that the task is about, if it is about one.
    #[must_use]
    pub fn run(&self) -> Option<&str> {
        match self {
            Self::Mass { run, .. } => run.as_deref(),
            Self::Number { run, .. } | Self::Goal { run, .. } => Some(run),
            Self::Choice { .. } => None,
        }
    }

    /// The measure that it asks for, if it asks for one.
    #[must_use]
    pub fn measure(&self) -> Option<&'static str> {
        match self {
            Self::Mass { .. } => None,
            Self::Number { measure, .. } | Self::Choice { measure, .. } | Self::Goal { measure, .. } => Some(measure),
        }
    }

    /// Whether it is a question, which is answered before the runs are shown; if not, it is a goal.
    #[must_use]
    pub fn is_question(&self) -> bool {
        !matches!(self, Self::Goal { .. })
    }
}

impl Challenge {
    /// The question or the goal in words: those of the file, or the usual ones.
    #[must_use]
    pub fn words(&self) -> String {
        if !self.ask.is_empty() {
            return self.ask.clone();
        }
        let label = self.task.measure().map_or("", label);
        match &self.task {
            Task::Mass { run: None, .. } => "Where is the mass of the target?".to_owned(),
            Task::Mass { run: Some(run), .. } => format!("Where will the draws of {run} be?"),
            Task::Number { run, .. } => format!("{label} of {run}: what will it be at the end?"),
            Task::Choice { rule: Rule::Smallest, .. } => format!("Which run will have the smallest {label}?"),
            Task::Choice { rule: Rule::Largest, .. } => format!("Which run will have the largest {label}?"),
            Task::Choice { rule: Rule::Within(bound), .. } => {
                format!("Which runs will have {label} {}?", bound.in_words())
            }
            Task::Choice { rule: Rule::Floors(times), .. } => {
                format!("Which runs will have {label} at most {times} times that of as many exact draws?")
            }
            Task::Goal { run, bound, within, .. } => {
                let cost = within.map_or_else(String::new, |most| format!(" within {most} gradient evaluations"));
                format!("Bring {label} of {run} to {}{cost}.", bound.in_words())
            }
        }
    }

    /// Follows the new name of a run.
    pub(super) fn rename_run(&mut self, from: &str, to: &str) {
        let name = match &mut self.task {
            Task::Mass { run, .. } => run.as_mut(),
            Task::Number { run, .. } | Task::Goal { run, .. } => Some(run),
            Task::Choice { .. } => None,
        };
        if let Some(name) = name.filter(|name| *name == from) {
            to.clone_into(name);
        }
    }
}

/// The name of a measure in the window.
fn label(key: &str) -> &'static str {
    challenge_measures().find(|spec| spec.key == key).map_or("", |spec| spec.label)
}

#[cfg(test)]
mod tests;
