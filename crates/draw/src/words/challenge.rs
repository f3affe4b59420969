//! Challenges in words: what was answered, what is true, and how far a goal is.

use super::numbers;
use base::params::printable;
use engine::scenario::Challenge;
use engine::scenario::challenge::{Rule, Task, challenge_measures};
use engine::session::challenge::{Answer, Attempt, Key, Score};

/// Digits of values that are compared.
const DIGITS: usize = 3;

/// What was answered, alone: `15`.
#[must_use]
pub fn said(answer: &Answer, runs: &[&str]) -> String {
    match answer {
        Answer::Chips(chips) => format!("{} chips placed.", chips.len()),
        Answer::Number(number) => format!("{}.", value(*number)),
        Answer::Runs(chosen) => format!("{}.", named(chosen, runs)),
    }
}

/// What was answered, with what it is worth: `You said 15: off by 3.`
#[must_use]
pub fn answered(challenge: &Challenge, key: &Key, answer: Option<&Answer>, score: Score, runs: &[&str]) -> String {
    match (&challenge.task, key, answer) {
        (Task::Mass { at_least, .. }, _, _) => {
            let share = numbers::percent_against(score.value, *at_least);
            let enough = format!("{} %", numbers::exact(100.0 * at_least));
            format!("Your chips cover {share} of the mass; {enough} is enough.")
        }
        (Task::Number { tolerance, .. }, _, Some(Answer::Number(number))) => {
            let number = value(*number);
            match score.value.abs() {
                error if error < f64::EPSILON => format!("You said {number}: exactly."),
                error if *tolerance > 0.0 => {
                    let error = numbers::against(error, *tolerance, DIGITS);
                    format!("You said {number}: off by {error}; {} is allowed.", numbers::exact(*tolerance))
                }
                error => format!("You said {number}: off by {}.", value(error)),
            }
        }
        (_, Key::Runs { right, .. }, Some(Answer::Runs(chosen))) => {
            let hits: Vec<usize> = chosen.iter().copied().filter(|run| right.contains(run)).collect();
            let told = match (score.right, hits.as_slice()) {
                (false, []) if chosen.len() > 1 => ": none of them is right".to_owned(),
                (false, hits) if !hits.is_empty() && hits.len() < chosen.len() => {
                    format!(": only {} {} right", named(hits, runs), if hits.len() == 1 { "is" } else { "are" })
                }
                (false, hits) if !hits.is_empty() => ": right, but not all".to_owned(),
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
            match chips.len() {
                1 => format!("A good answer is one chip where most of the mass is: it covers {share}."),
                count => format!(
                    "A good answer puts {count} chips one after the other, each where most of the mass is left: together they cover {share}."
                ),
            }
        }
        Key::Number(number) => {
            let run = challenge.task.run().unwrap_or_default();
            format!("{} of {}: {}.", label(challenge), printable(run), value(*number))
        }
        Key::Runs { right, values } => {
            let known = values.iter().filter_map(|value| value.ok());
            let told = |number: f64| match &challenge.task {
                Task::Choice { rule: Rule::Within(bound), .. } => {
                    numbers::against(number, bound.limit(), digits(challenge))
                }
                Task::Choice { rule: Rule::Smallest, .. } => apart(number, &known, f64::min),
                Task::Choice { rule: Rule::Largest, .. } => apart(number, &known, f64::max),
                _ => value(number),
            };
            let each = values.iter().zip(runs).map(|(of, run)| match of {
                Ok(number) => format!("{} {}", printable(run), told(*number)),
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
    #[expect(clippy::cast_sign_loss, reason = "a number of evaluations, to be read")]
    let count = |evaluations: f64| numbers::count(evaluations.round() as u64);
    let cost = match within {
        None => format!("{} gradients", count(attempt.evaluations)),
        Some(most) => {
            let spent = match count(attempt.evaluations) {
                same if !attempt.affordable && same == count(*most) => {
                    numbers::against(attempt.evaluations, *most, DIGITS)
                }
                spent => spent,
            };
            let most = if most.fract().abs() < f64::EPSILON { count(*most) } else { numbers::exact(*most) };
            if attempt.affordable {
                format!("{spent} of {most} gradients")
            } else {
                format!("{spent} gradients are more than {most}")
            }
        }
    };
    let value = numbers::against(attempt.value, bound.limit(), digits(challenge));
    format!("{} {value}, {}; {cost}", label(challenge), bound.in_words())
}

/// A value among others of which the smallest or largest is asked for: with the digits that keep that one apart from the others.
fn apart(number: f64, all: &(impl Iterator<Item = f64> + Clone), extreme: fn(f64, f64) -> f64) -> String {
    let Some(best) = all.clone().reduce(extreme) else { return value(number) };
    let shown = |digits: usize, number: f64| numbers::parse(&numbers::significant(number, digits)).unwrap_or(number);
    let parted = |digits: &usize| {
        let best_shown = shown(*digits, best);
        all.clone().all(|other| other.partial_cmp(&best) == shown(*digits, other).partial_cmp(&best_shown))
    };
    numbers::significant(number, (DIGITS..numbers::ALL_DIGITS).find(parted).unwrap_or(numbers::ALL_DIGITS))
}

/// A value as a reader of a sentence wants it: whole numbers whole, others to a few digits.
fn value(number: f64) -> String {
    if number.fract().abs() < f64::EPSILON { numbers::brief(number) } else { numbers::significant(number, DIGITS) }
}

/// Digits of the measure that is asked for: as many as in the readout.
fn digits(challenge: &Challenge) -> usize {
    let fine = challenge.task.measure().is_some_and(|key| numbers::FINE.contains(&key));
    if fine { DIGITS + 1 } else { DIGITS }
}

fn label(challenge: &Challenge) -> &'static str {
    let key = challenge.task.measure().unwrap_or_default();
    challenge_measures().find(|spec| spec.key == key).map_or("", |spec| spec.label)
}

/// The names of some runs.
fn named(chosen: &[usize], runs: &[&str]) -> String {
    let names: Vec<String> =
        chosen.iter().filter_map(|run| runs.get(*run)).map(|name| printable(name).into_owned()).collect();
    match names.split_last() {
        None => "none of them".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::Bound;

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
        assert_eq!(said(&[0], false, 1.0 / 3.0), "You said A.", "nothing of it is right");
        assert_eq!(said(&[0, 2], false, 0.0), "You said A and C: none of them is right.");
        assert_eq!(said(&[0, 1], false, 2.0 / 3.0), "You said A and B: only B is right.");
        let several = Key::Runs { right: vec![0, 1], values: vec![Ok(0.5), Ok(0.12345), Ok(9.0)] };
        let score = Score { right: false, value: 2.0 / 3.0 };
        let one = answered(&choice, &several, Some(&Answer::Runs(vec![1])), score, &runs);
        assert_eq!(one, "You said B: right, but not all.");
        assert_eq!(said(&[], false, 2.0 / 3.0), "You said none of them.");
    }

    /// R-hat of 1.0098 is below 1.01, and is not told as 1.01; nor are two values told alike of which one is right.
    #[test]
    fn values_are_told_on_the_side_of_their_limit() {
        let runs = ["A", "B", "C"];
        let within = of(Task::Choice { measure: "rhat", rule: Rule::Within(Bound::AtMost(1.01)) });
        let key = Key::Runs { right: vec![0, 2], values: vec![Ok(1.0098), Ok(1.0104), Ok(1.01)] };
        assert_eq!(truth(&within, &key, &runs), "Right: A and C. R-hat: A 1.0098, B 1.0104, C 1.01.");
        let smallest = of(Task::Choice { measure: "tv", rule: Rule::Smallest });
        let key = Key::Runs { right: vec![1], values: vec![Ok(0.12444), Ok(0.12436), Ok(0.9)] };
        assert_eq!(truth(&smallest, &key, &runs), "Right: B. Total variation: A 0.12444, B 0.12436, C 0.9.");
        let mass = of(Task::Mass { run: None, chips: 5, at_least: 0.8 });
        let score = |value: f64| Score { right: value >= 0.8, value };
        let said = |value| answered(&mass, &Key::Number(0.0), None, score(value), &[]);
        assert_eq!(said(0.797), "Your chips cover 79.7 % of the mass; 80 % is enough.");
        assert_eq!(said(0.42), "Your chips cover 42 % of the mass; 80 % is enough.");
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
