//! Settings as the caption of a paper tells them: `4 chains of 12 000 steps`, `cyclical step size (initial step size α₀ = 0.07, 30 cycles)`.
//! What is at its default is left out, but for what a method is not understood without: how long it runs, its step size, its gradient.

use super::numbers;
use super::settings::{idle, in_words};
use base::params::{Choice, ParamSpec, ParamType, Settings, Value};
use samplers::schedules::{label, symbol};

/// How many chains there are and how long they are, which is one clause.
const EXTENT: [&str; 2] = ["chains", "steps"];

/// The parameters of a method that are told at their defaults too.
const NEEDED: [&str; 2] = ["step_size", "gradient"];

/// Groups whose kinds are adjectives, not names.
const ADJECTIVES: [&str; 3] = ["step_size", "gradient", "start"];

/// A number of steps, and the share that it replaces where it is given.
const REPLACED: (&str, &str) = ("exploration_steps", "exploration");

/// What a caption tells of settings after the name of their kind.
#[must_use]
pub fn clauses(settings: &Settings) -> Vec<String> {
    let defaults = Settings::defaults(settings.kind);
    let idle = idle(settings);
    let mut found: Vec<String> = extent(settings).into_iter().collect();
    for (spec, value) in settings.iter() {
        let elsewhere = EXTENT.contains(&spec.key) || idle.contains(&spec.key);
        // The exact gradient is no news.
        let needed =
            NEEDED.contains(&spec.key) && !matches!(value, Value::Group(group) if group.kind.params.is_empty());
        if !elsewhere && (needed || defaults.get(spec.key) != Some(value)) {
            found.extend(clause(&label(settings, spec), spec, value));
        }
    }
    found
}

/// A kind with what a caption tells of it: `Gaussian (correlation ρ = 0.5)`.
#[must_use]
pub fn kind_with_clauses(settings: &Settings) -> String {
    with_list(settings.kind.label, &clauses(settings))
}

/// `4 chains of 12 000 steps`.
fn extent(settings: &Settings) -> Option<String> {
    let of = |key: &str| {
        let spec = settings.kind.param(key)?;
        let count = settings.optional_number(key)?;
        Some(counted(count, spec.label))
    };
    match EXTENT.map(of) {
        [Some(chains), Some(steps)] => Some(format!("{chains} of {steps}")),
        [chains, steps] => chains.or(steps),
    }
}

/// What is told of a parameter: nothing, a clause, or one of each parameter of a group that has no kinds.
fn clause(label: &str, spec: &ParamSpec, value: &Value) -> Vec<String> {
    let told = match value {
        Value::Number(number) => numbered(label, spec, *number),
        Value::Flag(on) => {
            if *on {
                label.to_owned()
            } else {
                format!("no {label}")
            }
        }
        Value::Choice(word) => format!("{} {label}", word_of(spec, word)),
        Value::Group(group) => return group_clauses(label, spec, group),
        _ => {
            let words = in_words(spec, value);
            if words.is_empty() {
                return Vec::new();
            }
            format!("{label} {words}")
        }
    };
    vec![told]
}

fn group_clauses(label_of_group: &str, spec: &ParamSpec, group: &Settings) -> Vec<String> {
    let defaults = Settings::defaults(group.kind);
    let idle = idle(group);
    let several = matches!(spec.ty, ParamType::Group(kinds) if kinds.len() > 1);
    let replaced = group.get(REPLACED.0).map(|_| REPLACED.1);
    let told = |(spec, value): &(&ParamSpec, &Value)| {
        let changed = defaults.get(spec.key) != Some(value);
        let number = matches!(value, Value::Number(number) if number.abs() > 0.0) || matches!(value, Value::Points(_));
        !idle.contains(&spec.key) && replaced != Some(spec.key) && (changed || (several && number))
    };
    let parameters: Vec<(&ParamSpec, &Value)> = group.iter().filter(told).collect();
    let inner: Vec<String> = parameters
        .iter()
        .flat_map(|(spec, value)| clause(&label(group, spec), spec, value))
        .map(|clause| clause.replace('α', symbol(spec)))
        .collect();
    if !several {
        return inner;
    }
    let (noun, _) = without_sign(label_of_group);
    // A point has coordinates, no parameters.
    if let [(first, Value::Number(x)), (second, Value::Number(y))] = parameters[..]
        && (first.key, second.key) == ("x", "y")
    {
        return vec![format!("{noun} at ({}, {})", numbers::exact(*x), numbers::exact(*y))];
    }
    let kind = group.kind.label;
    if kind.contains(' ') {
        return vec![with_list(&format!("{noun}: {kind}"), &inner)];
    }
    let kind = if ADJECTIVES.contains(&spec.key) { kind.to_lowercase() } else { kind.to_owned() };
    // `constant step size α = 0.1`.
    if let ([(only, Value::Number(_))], [clause]) = (&parameters[..], &inner[..])
        && without_sign(only.label).0 == noun
    {
        return vec![format!("{kind} {clause}")];
    }
    vec![with_list(&format!("{kind} {noun}"), &inner)]
}

/// A number with its label: `noise variance V = 1`, `30 cycles`, `warm-up 0.1`.
fn numbered(label: &str, spec: &ParamSpec, number: f64) -> String {
    if without_sign(label).1.is_some() {
        return format!("{label} = {}", numbers::exact(number));
    }
    if matches!(spec.ty, ParamType::Integer { .. }) && label.ends_with('s') {
        return counted(number, label);
    }
    format!("{label} {}", numbers::exact(number))
}

/// A number of things whose name in the plural is known.
fn counted(number: f64, plural: &str) -> String {
    let one = (number - 1.0).abs() < 0.5;
    let noun = if one { plural.strip_suffix('s').unwrap_or(plural) } else { plural };
    format!("{} {noun}", numbers::exact(number))
}

/// A label without the sign that it ends in, and the sign: a word of one letter or of a letter with an index.
fn without_sign(label: &str) -> (&str, Option<&str>) {
    match label.rsplit_once(' ') {
        Some((noun, sign)) if sign.chars().count() <= 2 => (noun, Some(sign)),
        None if label.chars().count() <= 2 => (label, Some(label)),
        _ => (label, None),
    }
}

/// The word of a choice that people read.
fn word_of<'a>(spec: &ParamSpec, word: &'a str) -> &'a str {
    let known: &[Choice] = if let ParamType::Choice(choices) = spec.ty { choices } else { &[] };
    known.iter().find(|choice| choice.name == word).map_or(word, |choice| choice.label)
}

/// Words with a list in brackets after them, if there is one.
fn with_list(words: &str, list: &[String]) -> String {
    if list.is_empty() { words.to_owned() } else { format!("{words} ({})", list.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::find_kind;
    use samplers::methods::METHODS;

    fn method(name: &str) -> Settings {
        Settings::defaults(find_kind(&METHODS, name).unwrap())
    }

    #[test]
    fn methods_are_told_as_a_paper_tells_them() {
        let mut made = method("random-walk");
        made.set("steps", Value::Number(2000.0)).unwrap();
        let told = clauses(&made).join(", ");
        assert!(told.starts_with("1 chain of 2000 steps, constant step size α = "), "{told}");
        let told = clauses(&method("csgld")).join(", ");
        for part in ["cyclical step size (initial step size α₀ = ", " cycles"] {
            assert!(told.contains(part), "{part}: {told}");
        }
        // Nothing is told that says nothing.
        for absent in ["burn-in", "start", "exact", "(,", "()"] {
            assert!(!told.contains(absent), "{absent}: {told}");
        }
    }

    #[test]
    fn what_is_not_usual_is_told() {
        let mut made = method("sgld");
        made.set("chains", Value::Number(4.0)).unwrap();
        let noisy = Settings::defaults(find_kind(&samplers::methods::GRADIENTS, "noisy").unwrap());
        made.set("gradient", Value::Group(noisy)).unwrap();
        let told = clauses(&made);
        assert!(told[0].starts_with("4 chains of "), "{told:?}");
        assert!(told.iter().any(|clause| clause == "noisy gradient (noise variance V = 1)"), "{told:?}");
    }

    #[test]
    fn every_method_is_told_without_empty_words() {
        for kind in &METHODS {
            let told = kind_with_clauses(&Settings::defaults(kind));
            assert!(!told.contains("()") && !told.contains(", ,") && !told.contains("  "), "{told}");
        }
    }
}
