//! What is wrong with a challenge of a scenario.

use super::{Challenge, Rule, Task};
use crate::diagnostics::{Better, TRUTH_MEASURES};
use crate::scenario::Scenario;
use crate::scenario::table_reader::quoted;
use base::params::ParamError;
use models::targets::family_of;

impl Challenge {
    /// Everything that keeps the challenge from being one of this scenario, with paths within the challenge.
    #[must_use]
    pub fn errors(&self, scenario: &Scenario) -> Vec<ParamError> {
        let mut errors = Vec::new();
        if let Some(run) = self.task.run().filter(|run| scenario.run_index(run).is_none()) {
            errors.push(scenario.no_run(run));
        }
        if let Some(why) = &family_of(scenario.target.kind).no_positions {
            errors.push(ParamError::new("kind", why.challenge, "a target in the plane or on the line"));
        }
        if let Task::Choice { measure, rule } = &self.task {
            if scenario.runs.len() < 2 {
                let problem = "there is no choice with one run";
                errors.push(ParamError::new("kind", problem, "two runs or more, or another kind"));
            }
            let with_floors = || TRUTH_MEASURES.iter().filter(|spec| spec.better == Better::Lower);
            if matches!(rule, Rule::Floors(_)) && !with_floors().any(|spec| spec.key == *measure) {
                let problem = format!("\"{measure}\" has no floor from which values rise");
                errors.push(ParamError::new("measure", problem, quoted(with_floors().map(|spec| spec.key))));
            }
        }
        errors
    }
}

impl Scenario {
    /// The errors of all challenges, with paths from `challenge` down.
    pub(in crate::scenario) fn challenge_errors(&self) -> impl Iterator<Item = ParamError> {
        self.challenges.iter().enumerate().flat_map(|(number, challenge)| {
            let errors = challenge.errors(self).into_iter();
            errors.map(move |error| error.under(&format!("challenge[{number}]")))
        })
    }

    /// Whether it asks something that is answered before its runs are shown.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.challenges.iter().any(|challenge| challenge.task.is_question())
    }
}
