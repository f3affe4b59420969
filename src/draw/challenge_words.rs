//! Challenges in words: what was answered, what is true, and how far a goal is.

use super::numbers;
use crate::params::printable;
use crate::scenario::Challenge;
use crate::scenario::challenge::{Task, challenge_measures};
use crate::session::challenge::{Answer, Attempt, Key, Score};

/// Digits of values that are compared.
const DIGITS: usize = 3;

/// What was answered, with what it is worth: `You said 15: off by 3.`
#[must_use]
pub fn answered(challenge: &Challenge, key: &Key, answer: Option<&Answer>, score: Score, runs: &[&str]) -> String {
    match (&challenge.task, key, answer) {
        (Task::Mass { at_least, .. }, _, _) => {
            let (share, enough) = (numbers::percent(score.value), numbers::percent(*at_least));
            format!("Your chips account for {share} of the mass; {enough} are enough.")
        }
        (Task::Number { tolerance, .. }, _, Some(Answer::Number(number))) => {
            let number = value(*number);
            match score.value.abs() {
                error if error < f64::EPSILON => format!("You said {number}: exactly."),
                error if *tolerance > 0.0 => {
                    format!("You said {number}: off by {}; {} is allowed.", value(error), value(*tolerance))
                }
                error => format!("You said {number}: off by {}.", value(error)),
            }
        }
        (_, Key::Runs { values, .. }, Some(Answer::Runs(chosen))) => {
            let told = match (score.right, values.len()) {
                (false, count) if !chosen.is_empty() && score.value > 0.0 => {
                    #[expect(clippy::cast_precision_loss, reason = "a number of runs")]
                    let right = (score.value * count as f64).round();
                    format!(" ({right} of {count} runs told rightly)")
                }
                _ => String::new(),
            };
            format!("You said {}{told}.", named(chosen, runs))
        }
        _ => String::new(),
    }
}

/// What is true: `Modes covered of cSGLD: 18.`
#[must_use]
pub fn truth(challenge: &Challenge, key: &Key, runs: &[&str]) -> String {
    match key {
        Key::Mass { share, chips, .. } => {
            let share = numbers::percent(*share);
            format!("{} chips, one after the other where most is left, account for {share}.", chips.len())
        }
        Key::Number(number) => {
            let run = challenge.task.run().unwrap_or_default();
            format!("{} of {}: {}.", label(challenge), printable(run), value(*number))
        }
        Key::Runs { right, values } => {
            let each = values.iter().zip(runs).map(|(of, run)| match of {
                Ok(number) => format!("{} {}", printable(run), value(*number)),
                Err(reason) => format!("{} – ({reason})", printable(run)),
            });
            let each = each.collect::<Vec<_>>().join(", ");
            format!("Right: {}. {}: {each}.", named(right, runs), label(challenge))
        }
        Key::Goal(attempt) => goal_words(challenge, attempt),
    }
}

/// How far a goal is: `Modes covered 23 of at least 25, for 9 800 of 10 000 gradients.`
#[must_use]
pub fn goal_words(challenge: &Challenge, attempt: &Attempt) -> String {
    let Task::Goal { bound, within, .. } = &challenge.task else { return String::new() };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of evaluations, to be read")]
    let count = |evaluations: f64| numbers::count(evaluations.round() as u64);
    let cost = match within {
        None => format!("{} gradients", count(attempt.evaluations)),
        Some(most) => {
            let (spent, most) = (count(attempt.evaluations), count(*most));
            if attempt.affordable {
                format!("{spent} of {most} gradients")
            } else {
                format!("{spent} gradients are more than {most}")
            }
        }
    };
    format!("{} {}, {}; {cost}", label(challenge), value(attempt.value), bound.in_words())
}

/// A value as a reader of a sentence wants it: whole numbers whole, others to a few digits.
fn value(number: f64) -> String {
    if number.fract().abs() < f64::EPSILON { numbers::brief(number) } else { numbers::significant(number, DIGITS) }
}

fn label(challenge: &Challenge) -> &'static str {
    let key = challenge.task.measure().unwrap_or_default();
    challenge_measures().find(|spec| spec.key == key).map_or("", |spec| spec.label)
}

/// The names of some runs.
fn named(chosen: &[usize], runs: &[&str]) -> String {
    let names: Vec<String> =
        chosen.iter().filter_map(|run| runs.get(*run)).map(|name| printable(name).into_owned()).collect();
    if names.is_empty() { "none of them".to_owned() } else { names.join(" and ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Bound;
    use crate::scenario::challenge::Rule;

    fn of(task: Task) -> Challenge {
        Challenge { ask: String::new(), task }
    }

    #[test]
    fn numbers_are_told_with_their_error() {
        let number = |tolerance| of(Task::Number { run: "A".to_owned(), measure: "modes_covered", tolerance });
        let said = |tolerance, number_said: f64, error: f64| {
            let score = Score { right: true, value: error };
            answered(&number(tolerance), &Key::Number(18.0), Some(&Answer::Number(number_said)), score, &[])
        };
        assert_eq!(said(3.0, 16.0, -2.0), "You said 16: off by 2; 3 is allowed.");
        assert_eq!(said(0.0, 16.0, -2.0), "You said 16: off by 2.");
        assert_eq!(said(3.0, 18.0, 0.0), "You said 18: exactly.");
        assert_eq!(truth(&number(0.0), &Key::Number(18.0), &[]), "Modes covered of A: 18.");
    }

    #[test]
    fn runs_are_told_by_name_with_the_values_that_decide() {
        let choice = of(Task::Choice { measure: "tv", rule: Rule::Smallest });
        let key = Key::Runs { right: vec![1], values: vec![Ok(0.5), Ok(0.12345), Err("no draws")] };
        let runs = ["A", "B", "C"];
        assert_eq!(truth(&choice, &key, &runs), "Right: B. Total variation: A 0.5, B 0.123, C – (no draws).");
        let said = |chosen: &[usize], right, value| {
            answered(&choice, &key, Some(&Answer::Runs(chosen.to_vec())), Score { right, value }, &runs)
        };
        assert_eq!(said(&[1], true, 1.0), "You said B.");
        assert_eq!(said(&[0, 2], false, 1.0 / 3.0), "You said A and C (1 of 3 runs told rightly).");
        assert_eq!(said(&[], false, 2.0 / 3.0), "You said none of them.");
    }

    #[test]
    fn goals_are_told_with_their_cost() {
        let goal = |within| {
            of(Task::Goal { run: "A".to_owned(), measure: "modes_covered", bound: Bound::AtLeast(25.0), within })
        };
        let attempt = |evaluations, affordable| Attempt { value: 23.0, margin: -2.0, evaluations, affordable };
        let told = |within, evaluations, affordable| goal_words(&goal(within), &attempt(evaluations, affordable));
        assert_eq!(told(None, 500.0, true), "Modes covered 23, at least 25; 500 gradients");
        assert_eq!(told(Some(800.0), 500.0, true), "Modes covered 23, at least 25; 500 of 800 gradients");
        assert_eq!(told(Some(400.0), 500.0, false), "Modes covered 23, at least 25; 500 gradients are more than 400");
    }
}
