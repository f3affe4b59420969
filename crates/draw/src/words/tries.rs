//! What there is to try that a person can do: nothing that a file locks.

use super::settings::parameters;
use engine::scenario::{Scenario, ViewSpec};

/// Words with which a change of a parameter begins.
const CHANGES: [&str; 22] = [
    "Set", "Give", "Switch", "Change", "Raise", "Lower", "Divide", "Double", "Halve", "Drag", "Move", "Choose", "Make",
    "Let", "Add", "Take", "Start", "Type", "In", "Colour", "Predict", "Replace",
];

/// What follows such a word where something else is changed: what is seen, what is played, or where a person looks.
const ELSEWHERE: [&str; 9] = [
    "Set Layers",
    "Switch to Instant",
    "Switch to Watch",
    "Switch on Step arrows",
    "Switch on the step arrows",
    "Take single steps",
    "Choose Run ▸",
    "Drag the time cursor",
    "Colour the draws",
];

/// How a text names the seed.
const SEED: [&str; 2] = ["Shift N", "seed"];

/// What there is to try in a scenario as it is shown.
#[must_use]
pub fn possible(scenario: &Scenario) -> Vec<&str> {
    let view = &scenario.view;
    let tries = scenario.caption.tries.iter().map(String::as_str);
    tries.filter(|text| view.locked.is_empty() || can_be_done(text, scenario, view)).collect()
}

/// What there is to try in a scenario that cannot be done with the locks of a view.
#[must_use]
pub fn left_out<'s>(scenario: &'s Scenario, view: &ViewSpec) -> Vec<&'s str> {
    let tries = scenario.caption.tries.iter().map(String::as_str);
    tries.filter(|text| !view.locked.is_empty() && !can_be_done(text, scenario, view)).collect()
}

fn can_be_done(text: &str, scenario: &Scenario, view: &ViewSpec) -> bool {
    if SEED.iter().any(|word| text.contains(word)) {
        return !view.locks(None, "seed");
    }
    let first = text.split([' ', ',']).next().unwrap_or_default();
    if !CHANGES.contains(&first) || ELSEWHERE.iter().any(|start| text.starts_with(start)) {
        return true;
    }
    let of_runs = scenario.runs.iter().flat_map(|run| {
        let name = run.name.as_str();
        parameters(&run.settings).into_iter().map(move |one| (view.locks(Some(name), &one.path), one.label))
    });
    let of_target = parameters(&scenario.target).into_iter();
    let of_target = of_target.map(|one| (view.locks(None, &format!("target.{}", one.path)), one.label));
    let named: Vec<bool> =
        of_runs.chain(of_target).filter(|(_, label)| is_named(text, label)).map(|(locked, _)| locked).collect();
    // What names no parameter by its name changes one all the same.
    if named.is_empty() { view.locked.iter().all(|entry| entry != "*") } else { named.contains(&false) }
}

/// Whether a text names a parameter: by all words of its name, in any of their forms, or by its symbol.
fn is_named(text: &str, label: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || "₀₁₂".contains(letter);
    let words: Vec<String> = text.split(|letter| !is_letter(letter)).map(str::to_owned).collect();
    let plain = |word: &&str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let (mut names, symbol): (Vec<&str>, Vec<&str>) = label.split_whitespace().partition(plain);
    names.retain(|name| !["of", "the", "a"].contains(name));
    let has = |name: &str| {
        let name = name.to_lowercase();
        let stem = name.strip_suffix('s').unwrap_or(&name);
        words.iter().any(|word| word.to_lowercase().starts_with(stem))
    };
    let by_symbol = symbol.iter().any(|symbol| words.iter().any(|word| word == symbol));
    by_symbol || !names.is_empty() && names.iter().all(|name| has(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::{LESSONS, Lesson};

    fn kept<'s>(scenario: &'s Scenario, locked: &[&str], unlocked: &[&str]) -> Vec<&'s str> {
        let strings = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let view = ViewSpec { locked: strings(locked), unlocked: strings(unlocked), ..ViewSpec::default() };
        let out = left_out(scenario, &view);
        scenario.caption.tries.iter().map(String::as_str).filter(|text| !out.contains(text)).collect()
    }

    #[test]
    fn what_needs_a_locked_parameter_is_left_out() {
        let scenario = Lesson::find("step-sizes").unwrap().unbuilt().unwrap();
        let [drag, press] = [0, 1].map(|number| scenario.caption.tries[number].as_str());
        assert_eq!(kept(&scenario, &["*"], &[]), [press], "to look is always possible");
        assert_eq!(kept(&scenario, &["*"], &["Short steps.step_size.value"]), [drag, press]);
        assert_eq!(kept(&scenario, &["*"], &["Short steps.start"]), [press], "another parameter is no way to it");
        assert_eq!(kept(&scenario, &[], &[]), [drag, press]);
    }

    #[test]
    fn a_new_seed_needs_a_free_seed() {
        let scenario = Lesson::find("what-is-a-target").unwrap().unbuilt().unwrap();
        let all = scenario.caption.tries.len();
        assert_eq!(kept(&scenario, &["*"], &["seed"]).len(), all);
        assert_eq!(kept(&scenario, &["*"], &[]).len(), all - 1);
    }

    /// With everything locked nothing that names a start, a step size or a number of chains is left, whatever the lesson.
    #[test]
    fn nothing_to_change_is_left_where_everything_is_locked() {
        for lesson in LESSONS {
            let scenario = lesson.unbuilt().unwrap();
            for text in kept(&scenario, &["*"], &[]) {
                let changes = ["Set the", "Give", "Raise", "Lower", "Halve", "Double", "Divide", "Change"];
                assert!(!changes.iter().any(|start| text.starts_with(start)), "{}: {text}", lesson.name);
            }
            assert_eq!(possible(&scenario).len(), {
                let out = left_out(&scenario, &scenario.view);
                scenario.caption.tries.len() - out.len()
            });
        }
    }

    #[test]
    fn names_have_forms_and_symbols() {
        assert!(is_named("Give the chains of the first run different starts.", "start"));
        assert!(is_named("Set L = 10 to L = 30.", "leapfrog steps L") && !is_named("Let it go.", "leapfrog steps L"));
        assert!(is_named("Switch “subtract gradient noise” on.", "subtract gradient noise"));
        assert!(
            !is_named("Set the step to 2.", "step size α") && is_named("Lower α₀ below 0.06.", "first step size α₀")
        );
    }
}
