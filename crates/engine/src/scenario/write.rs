//! Writer of scenario files in readable TOML. Parameters are written also where they have their
//! defaults, so that a file keeps its meaning when a later version has other defaults.

use toml::de::DeValue;

use super::{Change, FORMAT, RunSpec, Scenario, challenge, events, packed, sweep, view};
use base::params::{DefaultValue, NamedNumber, ParamSpec, ParamType, Picture, Settings, Value};

/// The text of a scenario file. [`super::read`] gives the scenario back, and the same scenario always
/// gives the same text. It is packed if the scenario is.
#[must_use]
pub fn write(scenario: &Scenario) -> String {
    let text = write_open(scenario);
    if scenario.view.packed { packed::file(&text) } else { text }
}

/// The text of the scenario that a figure or a report carries: packed where a reader is to find something out, that is, while the truth is
/// hidden, and where there are questions.
#[must_use]
pub fn write_carried(scenario: &Scenario) -> String {
    let asks = scenario.challenges.iter().any(|challenge| challenge.task.is_question());
    let text = write_open(scenario);
    if scenario.view.packed || scenario.view.hides_target() || asks { packed::file(&text) } else { text }
}

/// The text of a scenario file that anyone can read, whether the scenario was packed or not.
#[must_use]
pub fn write_open(scenario: &Scenario) -> String {
    let mut text = format!("format = {FORMAT}\n");
    line(&mut text, "title", &quote(&scenario.title));
    scenario.caption.write(&mut text);
    line(&mut text, "seed", &scenario.seed.to_string());
    if let Some(budget) = scenario.budget {
        line(&mut text, "budget", &number_text(budget));
    }
    text.push_str("\n[target]\n");
    line(&mut text, "kind", &quote(scenario.target.kind.name));
    settings_lines(&mut text, &scenario.target);
    for run in &scenario.runs {
        text.push_str("\n[[run]]\n");
        line(&mut text, "name", &quote(&run.name));
        line(&mut text, "method", &quote(run.settings.kind.name));
        settings_lines(&mut text, &run.settings);
    }
    event_tables(&mut text, scenario);
    challenge::write(scenario, &mut text);
    sweep::write(scenario, &mut text);
    view::write(&scenario.view, &mut text);
    text
}

/// Events, each written with the parameters its run has by then.
fn event_tables(text: &mut String, scenario: &Scenario) {
    let mut current: Vec<RunSpec> = scenario.runs.clone();
    for event in &scenario.events {
        let (name, set) = match &event.change {
            Change::Run { run, set } => (run, set),
            Change::Target(target) => {
                text.push_str("\n[[event]]\n");
                line(text, "step", &event.step.to_string());
                text.push_str("[event.target]\n");
                line(text, "kind", &quote(target.kind.name));
                settings_lines(text, target);
                continue;
            }
        };
        let Some(run) = current.iter_mut().find(|run| run.name == *name) else { continue };
        let mut changes = Vec::new();
        for (path, value) in events::in_order(set) {
            let spec = run.settings.spec_at(path);
            changes.push(format!("{} = {}", quote(path), change_text(spec, value)));
            // One that is not allowed is passed over, as where events are applied.
            events::assign(&mut run.settings, path, value.clone()).ok();
        }
        text.push_str("\n[[event]]\n");
        line(text, "run", &quote(name));
        line(text, "step", &event.step.to_string());
        line(text, "set", &format!("{{ {} }}", changes.join(", ")));
    }
}

/// Like [`value_text`], but a group always says its kind: without one it would stand for single parameters.
fn change_text(spec: Option<&ParamSpec>, value: &Value) -> String {
    match value {
        Value::Group(group) => group_text(group, true),
        _ => value_text(spec.map(|spec| spec.ty), value),
    }
}

pub(super) fn settings_lines(text: &mut String, settings: &Settings) {
    settings_lines_but(text, settings, &[]);
}

/// The same without those of some keys that say no more than leaving them out does.
pub(super) fn settings_lines_but(text: &mut String, settings: &Settings, keys: &[&str]) {
    let usual = Settings::defaults(settings.kind);
    let says = |key: &str, value: &Value| !keys.contains(&key) || usual.get(key) != Some(value);
    for (spec, value) in settings.iter().filter(|(spec, value)| says(spec.key, value)) {
        line(text, spec.key, &value_text(Some(spec.ty), value));
    }
}

/// The line of a scenario file that sets one parameter: `step_size = { kind = "constant", value = 0.01 }`. Empty if the
/// parameter has no value.
#[must_use]
pub fn write_parameter(settings: &Settings, key: &str) -> String {
    let mut text = String::new();
    if let Some((spec, value)) = settings.iter().find(|(spec, _)| spec.key == key) {
        line(&mut text, spec.key, &value_text(Some(spec.ty), value));
    }
    text
}

pub(super) fn line(text: &mut String, key: &str, value: &str) {
    text.push_str(key);
    text.push_str(" = ");
    text.push_str(value);
    text.push('\n');
}

pub(super) fn value_text(ty: Option<ParamType>, value: &Value) -> String {
    match value {
        Value::Number(number) if matches!(ty, Some(ParamType::Integer { .. })) => format!("{number}"),
        Value::Number(number) => number_text(*number),
        Value::Flag(flag) => flag.to_string(),
        Value::Choice(word) => quote(word),
        Value::Text(words) => quote(words),
        Value::Pair(pair) => row_text(pair),
        Value::Covariance(rows) => rows_text(rows),
        Value::Points(knots) => rows_text(knots),
        Value::Group(group) => group_text(group, matches!(ty, Some(ParamType::Group(kinds)) if kinds.len() > 1)),
        Value::List(items) => list_text(items),
        Value::Named(numbers) => named_text(numbers),
        Value::Picture(picture) => picture_text(picture),
    }
}

/// The shortest text that is read as the same number: `0.03`, `-10.0`, `3.98e-5`.
pub(super) fn number_text(number: f64) -> String {
    format!("{number:?}")
}

fn row_text(row: &[f64; 2]) -> String {
    format!("[{}, {}]", number_text(row[0]), number_text(row[1]))
}

pub(super) fn rows_text(rows: &[[f64; 2]]) -> String {
    format!("[{}]", rows.iter().map(row_text).collect::<Vec<_>>().join(", "))
}

/// A group on one line. Where an optional parameter is given, it may stand in for others, as the end points
/// of a schedule do for its coefficients; then what has its default is left out, not to contradict it.
fn group_text(group: &Settings, with_kind: bool) -> String {
    let kind = with_kind.then(|| format!("kind = {}", quote(group.kind.name)));
    let defaults = Settings::defaults(group.kind);
    let terse = group.iter().any(|(spec, _)| spec.default == DefaultValue::Absent);
    let values = group
        .iter()
        .filter(|(spec, value)| !terse || defaults.get(spec.key) != Some(*value))
        .map(|(spec, value)| format!("{} = {}", spec.key, value_text(Some(spec.ty), value)));
    let entries: Vec<_> = kind.into_iter().chain(values).collect();
    if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
}

fn list_text(items: &[Settings]) -> String {
    let lines: String = items.iter().map(|item| format!("    {},\n", group_text(item, false))).collect();
    format!("[\n{lines}]")
}

fn named_text(numbers: &[NamedNumber]) -> String {
    let entry = |NamedNumber { name, value, range }: &NamedNumber| {
        let value = number_text(*value);
        let text = match range.map(|(from, to)| (number_text(from), number_text(to))) {
            None => value,
            Some((from, to)) => format!("{{ value = {value}, from = {from}, to = {to} }}"),
        };
        format!("{} = {text}", key_text(name))
    };
    let entries: Vec<String> = numbers.iter().map(entry).collect();
    if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
}

/// The rows of a picture below each other.
fn picture_text(picture: &Picture) -> String {
    let lines: String = picture.lines().map(|row| format!("    {},\n", quote(&row))).collect();
    format!("[\n{lines}]")
}

/// A list of texts.
pub(super) fn texts(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quote(text)).collect::<Vec<_>>().join(", "))
}

/// A key, in quotes where it needs them.
pub(super) fn key_text(key: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { quote(key) }
}

/// A value that was read, as TOML on one line.
pub(super) fn toml_text(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quote(text),
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(array) => {
            let entries: Vec<String> = array.iter().map(|entry| toml_text(entry.get_ref())).collect();
            format!("[{}]", entries.join(", "))
        }
        DeValue::Table(table) => {
            let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
                let key: &std::borrow::Cow<'_, str> = key.get_ref();
                format!("{} = {}", key_text(key), toml_text(value.get_ref()))
            };
            let entries: Vec<String> = table.iter().map(entry).collect();
            if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
        }
    }
}

/// A text in quotes, on one line.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
