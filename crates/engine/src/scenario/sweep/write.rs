//! Writer of `[sweep]`.

use super::{Axis, Question};
use crate::scenario::Scenario;
use crate::scenario::write::{line, number_text, quote, texts};

/// The lines of the sweep, if it suits the runs.
pub(in crate::scenario) fn write(scenario: &Scenario, text: &mut String) {
    let Some(sweep) = scenario.suited_sweep() else { return };
    text.push_str("\n[sweep]\n");
    line(text, "run", &quote(&sweep.run));
    line(text, "seeds", &sweep.seeds.to_string());
    let measures: Vec<String> = sweep.measures.iter().map(|key| (*key).to_owned()).collect();
    line(text, "measures", &texts(&measures));
    line(text, "axes", &list(sweep.axes.iter().map(axis)));
    if !sweep.questions.is_empty() {
        line(text, "questions", &list(sweep.questions.iter().map(question)));
    }
}

fn axis(axis: &Axis) -> String {
    let (parameter, scale) = (quote(&axis.parameter), if axis.log { "log" } else { "linear" });
    let (from, to) = (number_text(axis.from), number_text(axis.to));
    format!("parameter = {parameter}, from = {from}, to = {to}, count = {}, scale = \"{scale}\"", axis.count)
}

fn question(question: &Question) -> String {
    let (key, bound) = question.bound.key_and_number();
    let find = if question.largest { "largest" } else { "smallest" };
    let (measure, of) = (quote(question.measure), quote(&question.of));
    format!("measure = {measure}, {key} = {}, find = \"{find}\", of = {of}", number_text(bound))
}

fn list(items: impl Iterator<Item = String>) -> String {
    let lines: String = items.map(|item| format!("    {{ {item} }},\n")).collect();
    format!("[\n{lines}]")
}
