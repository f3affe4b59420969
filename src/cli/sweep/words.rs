//! The answers of a sweep in words, for a terminal.

use serde_json::Value as Json;

use engine::diagnostics::{Better, is_estimate};
use engine::scenario::sweep_measures;
use engine::session::sweep::SweepPlan;

/// What a sweep has found, a line for each answer.
pub fn answers(plan: &SweepPlan, summary: &Json) -> String {
    let exact = summary["exact"] == true;
    let first = format!("{} cells of {} seeds", plan.cells(), plan.sweep().seeds);
    let mut lines = vec![if exact { format!("{} cells of endlessly many chains", plan.cells()) } else { first }];
    lines.extend(refused(list_of(summary, "cells")).filter(|_| exact));
    let list = |key: &str| summary[key].as_array().map_or(&[][..], Vec::as_slice);
    if let Some(front) = summary["front"].as_array() {
        lines.push(format!("Pareto front of missing modes, KL within modes and cost: {} cells", front.len()));
    }
    let parameters: Vec<&str> = plan.sweep().axes.iter().map(|axis| axis.parameter.as_str()).collect();
    lines.extend(best(list("best"), &parameters, exact));
    lines.extend(without_best(plan));
    lines.extend(left(list("cells"), plan.sweep().seeds));
    lines.extend(list("answers").iter().map(|answer| in_words(answer, &parameters) + &at_the_edge(answer, plan)));
    lines.join("\n")
}

/// That no cell is best by some measures.
fn without_best(plan: &SweepPlan) -> Option<String> {
    let is_of = |better| matches!(better, Better::Neither | Better::NearFloor);
    let neither = |key: &&str| sweep_measures().any(|spec| spec.key == *key && is_of(spec.better));
    let keys: Vec<&str> =
        plan.sweep().measures.iter().copied().filter(|key| neither(key) && !is_estimate(key)).collect();
    let sizes = keys.iter().any(|key| key.starts_with("ess"));
    let instead = if sizes { "; ess_per_gradient has one" } else { "" };
    (!keys.is_empty()).then(|| format!("no best cell of {}: more is not better by itself{instead}", keys.join(", ")))
}

/// That beyond an answer there are no cells, where it is the last value of its axis.
fn at_the_edge(answer: &Json, plan: &SweepPlan) -> String {
    let axis = plan.sweep().axes.iter().find(|axis| answer["of"] == axis.parameter.as_str());
    let Some((axis, value)) = axis.zip(answer["value"].as_f64()) else { return String::new() };
    let end = if answer["find"] == "largest" { axis.from.max(axis.to) } else { axis.from.min(axis.to) };
    let is_last = (value - end).abs() <= 1e-9 * end.abs();
    if is_last {
        "; it is the last value of its axis, beyond which nothing was tried".to_owned()
    } else {
        String::new()
    }
}

fn list_of<'j>(of: &'j Json, key: &str) -> &'j [Json] {
    of[key].as_array().map_or(&[][..], Vec::as_slice)
}

/// How many cells of an exact sweep have a measure without a value, and why the first has none.
fn refused(cells: &[Json]) -> Option<String> {
    let why = |cell: &Json| {
        let mut measures = cell["measures"].as_object()?.iter();
        measures.find_map(|(key, of)| Some(format!("{key}: {}", of["reason"].as_str()?)))
    };
    let reasons: Vec<String> = cells.iter().filter_map(why).collect();
    let first = reasons.first()?;
    Some(format!("{} of {} cells have a measure that is not computed: {first}", reasons.len(), cells.len()))
}

/// The best cell of each measure: "best mean tv: 0.031 ± 0.002 with step_size.a = 0.01; 2 other cells are as good within two standard errors". Of
/// endlessly many chains there is no mean over seeds, and of a mean squared error the squared bias is left.
fn best(all: &[Json], parameters: &[&str], exact: bool) -> Vec<String> {
    /// Lines at most.
    const MOST: usize = 12;
    let one = |best: &Json| {
        let key = best["measure"].as_str().unwrap_or_default();
        let measure = match exact {
            false => format!("mean {key}"),
            true if key.ends_with(".mse") => format!("{key} (the squared bias)"),
            true => key.to_owned(),
        };
        let left_out = match best["left_out"].as_u64() {
            None | Some(0) => String::new(),
            Some(1) => "; 1 cell that lacks a value is not compared".to_owned(),
            Some(count) => format!("; {count} cells that lack a value are not compared"),
        };
        let Some(mean) = best["mean"].as_f64() else { return format!("best {measure}: no cell{left_out}") };
        let error = best["standard_error"].as_f64().map_or_else(String::new, |error| format!(" ± {}", shorter(error)));
        let values = best["values"].as_array().map_or(&[][..], Vec::as_slice);
        let at: Vec<String> = named(parameters, values);
        let as_good = match best["as_good"].as_u64() {
            None => String::new(),
            Some(0) => "; no other cell is as good within two standard errors".to_owned(),
            Some(1) => "; 1 other cell is as good within two standard errors".to_owned(),
            Some(count) => format!("; {count} other cells are as good within two standard errors"),
        };
        let mean = short(mean);
        format!("best {measure}: {mean}{error}, with {}{as_good}{left_out}", at.join(", "))
    };
    let mut lines: Vec<String> = all.iter().take(MOST).map(one).collect();
    if all.len() > MOST {
        lines.push(format!("{} more best cells are in summary.json", all.len() - MOST));
    }
    lines
}

/// The cells of which chains have left with some seeds.
fn left(cells: &[Json], seeds: u64) -> Option<String> {
    let of = |cell: &Json| cell["seeds_with_chains_left"].as_u64().unwrap_or(0);
    let with = cells.iter().filter(|cell| of(cell) > 0).count();
    let whole = cells.iter().filter(|cell| of(cell) >= seeds).count();
    let is_or_are = if with == 1 { "cell has" } else { "cells have" };
    (with > 0).then(|| {
        format!(
            "{with} of {} {is_or_are} chains that left, {whole} of them with all seeds: measures there are of what is left, and they are not \
             among the best",
            cells.len()
        )
    })
}

/// Parameters with their values.
fn named(parameters: &[&str], values: &[Json]) -> Vec<String> {
    let one = |(parameter, value): (&&str, &Json)| Some(format!("{parameter} = {}", short(value.as_f64()?)));
    parameters.iter().zip(values).filter_map(one).collect()
}

/// What the measures of a sweep leave out, if its chains start together on a target with several modes.
pub fn remark(plan: &SweepPlan) -> Option<&'static str> {
    let sweep = plan.sweep();
    let run = plan.scenario().runs.iter().find(|run| run.name == sweep.run)?;
    let together = run.settings.group("start").is_none_or(|start| start.kind.name == "point");
    let of_chains = sweep.measures.iter().any(|key| key.starts_with("rhat") || key.starts_with("ess"));
    let seen = sweep.measures.iter().any(|key| key.starts_with("modes"));
    let several = plan.modes_of(0).is_some_and(|modes| modes > 1);
    (together && of_chains && !seen && several).then_some(
        "remark: all chains start at one point of a target with several modes: R-hat and sample sizes say nothing of modes that no chain has seen; \
         another start, or the measure modes_covered, tells",
    )
}

/// An answer: "largest step_size.initial with mean kl at most 0.5: 0.02 (95 %: 0.01 to 0.03), with step_size.cycles = 30".
fn in_words(answer: &Json, parameters: &[&str]) -> String {
    let word = |key: &str| answer[key].as_str().unwrap_or_default();
    let bound = match (answer["at_most"].as_f64(), answer["at_least"].as_f64()) {
        (Some(most), _) => format!("at most {most}"),
        (_, Some(least)) => format!("at least {least}"),
        (None, None) => String::new(),
    };
    let measure = word("measure");
    let measure = if is_estimate(measure) { format!("|{measure}|") } else { measure.to_owned() };
    let question = format!("{} {} with mean {measure} {bound}", word("find"), word("of"));
    let Some(value) = answer["value"].as_f64() else { return format!("{question}: no cell") };
    let ends =
        answer["interval"].as_array().map_or_else(Vec::new, |ends| ends.iter().filter_map(Json::as_f64).collect());
    let interval = match ends[..] {
        [low, high] => format!(" (95 %: {} to {})", short(low), short(high)),
        _ => String::new(),
    };
    let values = answer["values"].as_array().map_or(&[][..], Vec::as_slice);
    let others = parameters.iter().zip(values).filter(|(parameter, _)| **parameter != word("of"));
    let others: Vec<String> =
        others.filter_map(|(parameter, value)| Some(format!("{parameter} = {}", short(value.as_f64()?)))).collect();
    let at = if others.is_empty() { String::new() } else { format!(", with {}", others.join(", ")) };
    let unanswered = answer["unanswered"].as_f64().filter(|share| *share > 0.0);
    let doubt = unanswered
        .map_or_else(String::new, |share| format!("; no cell in {:.0} % of the resamples", (100.0 * share).max(1.0)));
    format!("{question}: {}{interval}{at}{doubt}", short(value))
}

/// A number with two significant digits, or fewer.
fn shorter(number: f64) -> String {
    let rounded = format!("{number:.1e}").parse().unwrap_or(number);
    format!("{rounded}")
}

/// A number with four significant digits, or fewer.
fn short(number: f64) -> String {
    let rounded = format!("{number:.3e}").parse().unwrap_or(number);
    format!("{rounded}")
}
