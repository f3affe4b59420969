//! Writer of `[[challenge]]`.

use super::{Rule, Task};
use crate::scenario::write::{line, number_text, quote};
use crate::scenario::{Bound, Scenario};

/// The tables of all challenges that suit the runs.
pub(in crate::scenario) fn write(scenario: &Scenario, text: &mut String) {
    for challenge in scenario.suited_challenges() {
        text.push_str("\n[[challenge]]\n");
        line(text, "kind", &quote(challenge.task.kind()));
        if !challenge.ask.is_empty() {
            line(text, "ask", &quote(&challenge.ask));
        }
        if let Some(run) = challenge.task.run() {
            line(text, "run", &quote(run));
        }
        if let Some(measure) = challenge.task.measure() {
            line(text, "measure", &quote(measure));
        }
        match &challenge.task {
            Task::Mass { chips, at_least, .. } => {
                line(text, "chips", &chips.to_string());
                line(text, "at_least", &number_text(*at_least));
            }
            Task::Number { tolerance, .. } => line(text, "tolerance", &number_text(*tolerance)),
            Task::Choice { rule, .. } => match rule {
                Rule::Smallest => line(text, "find", &quote("smallest")),
                Rule::Largest => line(text, "find", &quote("largest")),
                Rule::Within(bound) => bound_line(text, *bound),
                Rule::Floors(times) => line(text, "floors", &number_text(*times)),
            },
            Task::Goal { bound, within, .. } => {
                bound_line(text, *bound);
                if let Some(most) = within {
                    line(text, "within", &number_text(*most));
                }
            }
        }
    }
}

fn bound_line(text: &mut String, bound: Bound) {
    let (key, number) = bound.key_and_number();
    line(text, key, &number_text(number));
}
