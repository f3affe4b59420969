//! Settings in words: a kind and its parameters, for pins those that are not at their defaults, for footers all numbers.

use super::numbers;
use base::params::{NamedNumber, ParamSpec, ParamType, Settings, Value};
use models::targets;
use samplers::schedules::{self, ALPHA, label, symbol};

/// The parameters that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    /// Those that are not at their defaults.
    Changed,
    /// All numbers, and the words that are not at their defaults.
    Numbers,
}

/// What stands for an empty list or text where both values of a parameter are told.
const NOTHING: &str = "none";

/// What stands in the place of a target that must not be named.
pub const TARGET_HIDDEN: &str = "Target hidden";

/// What became of the columns of a regression that are not as in the file, and the name of an axis of its coefficients.
#[must_use]
pub fn scaled_columns(target: &Settings) -> Option<[&'static str; 2]> {
    let is_on = |key: &str| target.get(key) == Some(&Value::Flag(true));
    match (is_on("standardise"), is_on("centre")) {
        (true, _) => Some(["units of standardised columns", "value, in units of standardised columns"]),
        (false, true) => Some(["columns shifted to mean 0", "value, of columns shifted to mean 0"]),
        (false, false) => None,
    }
}

/// A kind and its parameters without those at their defaults, and without empty lists.
#[must_use]
pub fn settings(settings: &Settings) -> String {
    listed(settings, Listed::Changed)
}

/// A kind with all its numbers, also those at their defaults, and the words that are not at theirs.
#[must_use]
pub fn settings_in_full(settings: &Settings) -> String {
    listed(settings, Listed::Numbers)
}

/// Parameters that change nothing, of a target or of a schedule.
pub(super) fn idle(settings: &Settings) -> Vec<&'static str> {
    [targets::idle_parameters(settings), schedules::idle_parameters(settings)].concat()
}

fn listed(settings: &Settings, which: Listed) -> String {
    let defaults = Settings::defaults(settings.kind);
    let has_numbers = |value: &Value| match value {
        Value::Number(_) | Value::Pair(_) | Value::Covariance(_) | Value::Points(_) | Value::Named(_) => true,
        Value::Group(group) => listed(group, Listed::Numbers).ends_with(')'),
        Value::Flag(_) | Value::Choice(_) | Value::Text(_) | Value::List(_) | Value::Picture(_) => false,
    };
    let idle = idle(settings);
    let listed = settings.iter().filter(|(spec, _)| !idle.contains(&spec.key)).filter(|(spec, value)| {
        defaults.get(spec.key) != Some(*value) || (which == Listed::Numbers && has_numbers(value))
    });
    let worded = listed.map(|(spec, value)| (spec, words(spec, value, which)));
    let worded = worded.filter(|(_, words)| !words.is_empty());
    let parameters: Vec<String> = worded.map(|(spec, words)| parameter(&label(settings, spec), &words)).collect();
    let kind = settings.kind.label;
    if parameters.is_empty() { kind.to_owned() } else { format!("{kind} ({})", parameters.join(", ")) }
}

/// A parameter by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its dotted path in the settings.
    pub path: String,
    /// Its name, as its control has it.
    pub label: String,
    /// Its value in words.
    pub words: String,
    /// Its value, of a number.
    pub number: Option<f64>,
}

/// All parameters of settings that have a value, each by itself; of a choice of kinds the kind, followed by its own.
#[must_use]
pub fn parameters(settings: &Settings) -> Vec<Parameter> {
    let mut found = Vec::new();
    parameters_of(settings, ("", ALPHA), &mut found);
    found
}

fn parameters_of(settings: &Settings, (within, sign): (&str, &str), found: &mut Vec<Parameter>) {
    let idle = idle(settings);
    for (spec, value) in settings.iter().filter(|(spec, _)| !idle.contains(&spec.key)) {
        let path = format!("{within}{}", spec.key);
        let label = label(settings, spec).replace(ALPHA, sign);
        if let Value::Group(group) = value {
            let several = matches!(spec.ty, ParamType::Group(kinds) if kinds.len() > 1);
            if several {
                found.push(Parameter { path: path.clone(), label, words: group.kind.label.to_owned(), number: None });
            }
            parameters_of(group, (&format!("{path}."), symbol(spec)), found);
        } else {
            let number = if let Value::Number(number) = value { Some(*number) } else { None };
            found.push(Parameter { path, label, words: words(spec, value, Listed::Changed), number });
        }
    }
}

/// The parameters that differ, each with both values: `cycles 10 → 30`. Of settings of different kinds, both whole.
#[must_use]
pub fn differences(before: &Settings, after: &Settings) -> Vec<String> {
    if before.kind.name != after.kind.name {
        return vec![format!("{} → {}", settings(before), settings(after))];
    }
    let difference = |spec: &'static ParamSpec| match (before.get(spec.key), after.get(spec.key)) {
        (old, new) if old == new => Vec::new(),
        (Some(Value::Group(old)), Some(Value::Group(new))) => {
            differences(old, new).into_iter().map(|words| words.replace('α', symbol(spec))).collect()
        }
        (old, new) => {
            let said = |value: Option<&Value>| match value.map(|value| words(spec, value, Listed::Changed)) {
                None => "–".to_owned(),
                Some(words) if words.is_empty() => NOTHING.to_owned(),
                Some(words) => words,
            };
            let [old, new] = [said(old), said(new)];
            vec![format!("{} {old} → {new}", label(after, spec))]
        }
    };
    after.kind.params.iter().flat_map(difference).collect()
}

/// A parameter with its value. A group whose only kind has the name of the parameter is named once.
fn parameter(label: &str, value: &str) -> String {
    if value.to_lowercase().starts_with(&label.to_lowercase()) { value.to_owned() } else { format!("{label} {value}") }
}

/// A value in words, of groups what is not at its default; none of an empty list or text.
pub(super) fn in_words(spec: &ParamSpec, value: &Value) -> String {
    words(spec, value, Listed::Changed)
}

/// A value in words; none of an empty list or text.
fn words(spec: &ParamSpec, value: &Value, which: Listed) -> String {
    let pair = |[a, b]: [f64; 2]| format!("[{}, {}]", numbers::exact(a), numbers::exact(b));
    match value {
        Value::Number(number) => numbers::exact(*number),
        Value::Flag(on) => if *on { "on" } else { "off" }.to_owned(),
        Value::Choice(word) => (*word).to_owned(),
        Value::Text(text) => text.clone(),
        Value::Pair(numbers) => pair(*numbers),
        Value::Covariance([a, b]) => format!("[{}, {}]", pair(*a), pair(*b)),
        Value::Points(points) if points.is_empty() => String::new(),
        Value::List(items) if items.is_empty() => String::new(),
        Value::Points(points) if matches!(spec.ty, ParamType::Points { .. }) => {
            format!("{} points", numbers::count(points.len() as u64))
        }
        Value::Points(knots) => knots.iter().copied().map(pair).collect::<Vec<_>>().join(" "),
        Value::Group(group) => listed(group, which).replace('α', symbol(spec)),
        Value::List(items) => format!("{} entries", items.len()),
        Value::Picture(picture) => picture.in_words(),
        Value::Named(named) => {
            let entry = |number: &NamedNumber| format!("{} = {}", number.name, numbers::exact(number.value));
            named.iter().map(entry).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::find_kind;

    fn formula(density: &str, named: &[(&str, f64)]) -> Settings {
        let mut made = Settings::defaults(find_kind(&targets::TARGETS, "formula").unwrap());
        let numbers = named.iter().map(|(name, value)| NamedNumber::new(*name, *value)).collect();
        made.set("density", Value::Text(density.to_owned())).unwrap();
        made.set("parameters", Value::Named(numbers)).unwrap();
        made
    }

    #[test]
    fn parameters_stand_by_themselves_with_their_paths() {
        let mut made = Settings::defaults(find_kind(&samplers::methods::METHODS, "sgld").unwrap());
        made.set("step_size.value", Value::Number(0.25)).ok();
        let found = parameters(&made);
        let of = |path: &str| found.iter().find(|one| one.path == path);
        assert!(of("step_size").is_some_and(|kind| kind.number.is_none() && !kind.words.is_empty()));
        assert!(of("steps").is_some_and(|steps| steps.number == Some(made.number("steps"))));
        assert!(found.iter().all(|one| made.at(&one.path).is_some()), "{found:?}");
        let mut paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), found.len());
    }

    #[test]
    fn an_empty_list_is_left_out_and_is_none_beside_another() {
        let (with, without) = (formula("-a*x^2", &[("a", 2.0)]), formula("-x^2", &[]));
        for words in [settings, settings_in_full] {
            assert!(words(&with).contains("a = 2"), "{}", words(&with));
            let listed = words(&without);
            assert!(!listed.contains("parameters") && !listed.contains(" )") && !listed.contains(", )"), "{listed}");
        }
        let changed = differences(&with, &without);
        assert!(changed.iter().any(|words| words.ends_with("a = 2 → none")), "{changed:?}");
        assert!(differences(&without, &with).iter().any(|words| words.ends_with("none → a = 2")));
    }

    #[test]
    fn empty_lists_of_every_kind_have_no_words() {
        let empty = [Value::Named(Vec::new()), Value::Points(Vec::new()), Value::List(Vec::new())];
        let specs = || targets::TARGETS.iter().flat_map(|kind| kind.params);
        for spec in specs() {
            for value in &empty {
                assert_eq!(words(spec, value, Listed::Numbers), "", "{}", spec.key);
            }
        }
        assert!(specs().next().is_some());
    }
}
