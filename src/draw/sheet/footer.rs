//! Footer of a figure: the settings that reproduce it.

use crate::draw::numbers;
use crate::draw::settings_text::settings;
use crate::scenario::RunSpec;
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
