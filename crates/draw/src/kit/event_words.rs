//! Events in words: what they change, with the new values.

use crate::words::numbers;
use base::params::{Settings, Value};
use engine::scenario::{Change, Event, Scenario};
use samplers::schedules;

/// What an event changes.
pub(super) fn event_words(scenario: &Scenario, event: &Event) -> String {
    match &event.change {
        Change::Target(target) => {
            format!("target: {}", target_words(scenario.target_at(event.step.saturating_sub(1)), target))
        }
        Change::Run { run: name, set } => {
            let run = scenario.runs.iter().find(|run| run.name == *name);
            let after = run.map(|run| scenario.settings_at(run, event.step));
            let words = |(path, value): (&String, &Value)| change_words(after.as_ref(), path, value);
            let changes: Vec<String> = set.iter().map(words).collect();
            if changes.is_empty() { name.clone() } else { format!("{name}: {}", changes.join(", ")) }
        }
    }
}

/// The difference between two targets, in words.
fn target_words(before: &Settings, after: &Settings) -> String {
    if before.kind != after.kind {
        return after.kind.label.to_owned();
    }
    let changed = after.iter().filter(|(spec, value)| before.get(spec.key) != Some(*value));
    changed.map(|(spec, value)| change_words(Some(after), spec.key, value)).collect::<Vec<_>>().join(", ")
}

/// The label of a parameter and its new value, if that is short.
fn change_words(settings: Option<&Settings>, path: &str, value: &Value) -> String {
    let label = settings.and_then(|settings| label_at(settings, path));
    let label = label.unwrap_or_else(|| path.rsplit('.').next().unwrap_or(path).replace('_', " "));
    match value {
        Value::Number(number) => format!("{label} {}", numbers::significant(*number, 3)),
        Value::Flag(on) => format!("{label} {}", if *on { "on" } else { "off" }),
        Value::Choice(word) => format!("{label} {word}"),
        _ => label,
    }
}

/// The label of the parameter at a dotted path.
fn label_at(settings: &Settings, path: &str) -> Option<String> {
    match path.split_once('.') {
        None => Some(schedules::label(settings, settings.kind.param(path)?)),
        Some((key, rest)) => {
            let symbol = schedules::symbol(settings.kind.param(key)?);
            Some(label_at(settings.group(key)?, rest)?.replace('α', symbol))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::find_kind;

    #[test]
    fn changes_have_a_label_and_a_value() {
        let csgld = engine::scenario::default_run(find_kind(&samplers::methods::METHODS, "csgld").unwrap()).settings;
        assert_eq!(change_words(Some(&csgld), "step_size.initial", &Value::Number(0.05)), "initial step size α₀ 0.05");
        assert_eq!(change_words(None, "step_size.initial", &Value::Number(0.05)), "initial 0.05");
        // The exact gradient has no such parameter: its key stands for the label.
        assert_eq!(change_words(Some(&csgld), "gradient.compensate", &Value::Flag(false)), "compensate off");
    }
}
