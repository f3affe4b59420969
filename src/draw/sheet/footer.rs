//! Footer of a figure: the settings that reproduce it.

use crate::draw::numbers;
use crate::params::{ParamSpec, Settings, Value};
use crate::scenario::RunSpec;
use crate::schedules::{label, symbol};
use crate::session::Frame;

/// Title, target, methods with the parameters that are not at their defaults at the step shown; events, seed.
#[must_use]
pub fn text(frame: &Frame) -> String {
    let scenario = &frame.scenario;
    let target = settings(scenario.target_at(frame.step));
    let title = &scenario.title;
    let mut lines = vec![if title.is_empty() { target } else { format!("{title} · {target}") }];
    let now = |run: &RunSpec| settings(&scenario.settings_at(run, frame.step));
    lines.extend(scenario.runs.iter().map(|run| format!("{}: {}", run.name, now(run))));
    let events = match scenario.events.len() {
        0 => String::new(),
        1 => " · 1 change during the run".to_owned(),
        several => format!(" · {several} changes during the run"),
    };
    let seed = scenario.seed;
    let (step, total) = (numbers::count(frame.step), numbers::count(frame.total));
    lines.push(format!("seed {seed} · step {step} of {total}{events} · Sampler Lab {}", env!("CARGO_PKG_VERSION")));
    lines.join("\n")
}

/// A kind and its parameters without those at their defaults.
#[must_use]
pub fn settings(settings: &Settings) -> String {
    let defaults = Settings::defaults(settings.kind);
    let told = settings.iter().filter(|(spec, value)| defaults.get(spec.key) != Some(*value));
    let parameters: Vec<String> =
        told.map(|(spec, value)| format!("{} {}", label(settings, spec), words(spec, value))).collect();
    let kind = settings.kind.label;
    if parameters.is_empty() { kind.to_owned() } else { format!("{kind} ({})", parameters.join(", ")) }
}

fn words(spec: &ParamSpec, value: &Value) -> String {
    let pair = |[a, b]: [f64; 2]| format!("[{}, {}]", numbers::exact(a), numbers::exact(b));
    match value {
        Value::Number(number) => numbers::exact(*number),
        Value::Flag(on) => if *on { "on" } else { "off" }.to_owned(),
        Value::Choice(word) => (*word).to_owned(),
        Value::Text(text) => text.clone(),
        Value::Pair(numbers) => pair(*numbers),
        Value::Covariance([a, b]) => format!("[{}, {}]", pair(*a), pair(*b)),
        Value::Knots(knots) => knots.iter().copied().map(pair).collect::<Vec<_>>().join(" "),
        Value::Group(group) => settings(group).replace('α', symbol(spec)),
        Value::List(items) => format!("{} entries", items.len()),
    }
}
