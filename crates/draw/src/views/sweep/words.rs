//! Sweeps in words: names of axes and measures, what is known of a cell, and answers to questions.

use super::input::SweepInput;
use crate::words::numbers;
use engine::diagnostics::is_estimate;
use engine::scenario::{Bound, COST, Number, Question, sweep_measures};
use engine::session::sweep::{Answer, Spread, SweepPlan, mean_cost, seeds_left};

/// The name of a measure.
#[must_use]
pub fn measure(key: &str) -> &str {
    sweep_measures().find(|spec| spec.key == key).map_or(key, |spec| spec.label)
}

/// The name of the parameter along an axis, as its control has it; its path if there is none.
#[must_use]
pub fn parameter(plan: &SweepPlan, path: &str) -> String {
    let number = plan.numbers().iter().find(|number| number.path == path);
    number.map_or_else(|| path.to_owned(), Number::full_label)
}

/// The same with its unit, for an axis.
#[must_use]
pub fn axis(plan: &SweepPlan, number: usize) -> String {
    match plan.numbers().get(number) {
        Some(number) if number.unit.is_empty() => number.full_label(),
        Some(number) => format!("{} ({})", number.full_label(), number.unit),
        None => String::new(),
    }
}

/// The values of a cell: "initial step size α₀ = 0.043, cycles = 500", without the axis `but`.
#[must_use]
pub fn values(plan: &SweepPlan, cell: usize, but: Option<&str>) -> Vec<String> {
    let axes = plan.numbers().iter().zip(plan.values_of(cell));
    axes.filter(|(axis, _)| but != Some(axis.path.as_str()))
        .map(|(axis, value)| format!("{} = {}", axis.full_label(), numbers::significant(value, 3)))
        .collect()
}

/// What is known of a cell, in lines.
pub(super) fn of_cell(input: &SweepInput<'_>, number: usize) -> String {
    let mut lines = values(input.plan, number, None);
    let Some(cell) = input.cell(number) else {
        lines.push("not computed yet".to_owned());
        return lines.join("\n");
    };
    let digits = |value: f64| numbers::significant(value, 3);
    for (number, (key, values)) in input.plan.sweep().measures.iter().zip(&cell.measures).enumerate() {
        let value = Spread::of(values).map_or_else(
            || no_value(cell.reasons.get(number).map_or("", String::as_str)),
            |spread| match spread.standard_error() {
                None => digits(spread.mean),
                Some(error) => format!(
                    "{} ± {}, {} to {}",
                    digits(spread.mean),
                    numbers::significant(error, 2),
                    digits(spread.least),
                    digits(spread.most)
                ),
            },
        );
        lines.push(format!("{}: {value}", measure(key)));
    }
    lines.push(format!("cost: {}", gradients(mean_cost(cell))));
    let (left, seeds) = (seeds_left(cell), cell.diverged.len());
    if left > 0 {
        lines.push(format!("chains have left with {left} of {seeds} seeds: measures are of what is left"));
    }
    lines.join("\n")
}

/// The values that the scenario has now.
#[must_use]
pub fn present(plan: &SweepPlan) -> &'static str {
    let of_target = plan.numbers().iter().any(Number::is_of_target);
    match (plan.numbers().len(), of_target) {
        (1, false) => "present value of the run",
        (1, true) => "present value of the target",
        (_, false) => "present parameters of the run",
        (_, true) => "present parameters",
    }
}

/// What the Pareto front is of.
#[must_use]
pub fn front(plan: &SweepPlan) -> String {
    let each = if plan.targets() > 1 { ", for each target" } else { "" };
    format!("Pareto front of missing modes, KL within modes and cost{each}")
}

/// That there is no value, and why if that is known.
pub(super) fn no_value(reason: &str) -> String {
    if reason.is_empty() { "no value".to_owned() } else { format!("no value: {reason}") }
}

/// A cost: "50 000 gradients".
#[must_use]
pub fn gradients(cost: f64) -> String {
    format!("{} gradients", numbers::brief(cost))
}

/// What can be asked for: a parameter, or the cost.
#[must_use]
pub fn quantity(plan: &SweepPlan, of: &str) -> String {
    if of == COST { "cost".to_owned() } else { parameter(plan, of) }
}

/// The name of a measure in a question, which takes errors without their sign: "|error of the mean of x|".
#[must_use]
pub fn asked(key: &str) -> String {
    if is_estimate(key) { format!("|{}|", measure(key)) } else { measure(key).to_owned() }
}

/// A question: "largest initial step size α₀ with KL within modes ≤ 0.1".
#[must_use]
pub fn question(plan: &SweepPlan, question: &Question) -> String {
    let end = if question.largest { "largest" } else { "smallest" };
    let (sign, bound) = match question.bound {
        Bound::AtMost(most) => ("≤", most),
        Bound::AtLeast(least) => ("≥", least),
    };
    let of = quantity(plan, &question.of);
    format!("{end} {of} with {} {sign} {}", asked(question.measure), numbers::brief(bound))
}

/// An answer: "0.043 (95 %: 0.043 to 0.043), with cycles = 500".
#[must_use]
pub fn answer(plan: &SweepPlan, question: &Question, answer: &Answer) -> String {
    let number = |value: f64| {
        if question.of == COST { gradients(value) } else { numbers::significant(value, 3) }
    };
    let Some(value) = answer.value else { return "no cell is within the bound".to_owned() };
    let mut text = number(value);
    if let Some((low, high)) = answer.interval {
        text += &format!(" (95 %: {} to {})", numbers::significant(low, 3), number(high));
    }
    let others = answer.cell.map(|cell| values(plan, cell, Some(&question.of))).unwrap_or_default();
    if !others.is_empty() {
        text += &format!(", with {}", others.join(", "));
    }
    if answer.unanswered > 0.0 {
        text += &format!("; no cell in {} of the resamples", numbers::percent(answer.unanswered.max(0.01)));
    }
    text
}
