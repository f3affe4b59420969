//! `check`: what is wrong with a scenario or a playlist, or what is known of its targets and what its runs cost.

use std::path::Path;

use serde_json::{Value as Json, json};

use base::params::{ParamErrors, printable};
use engine::diagnostics::Truth;
use engine::scenario::Scenario;
use engine::scenario::{LoadError, Playlist, ScenarioError, Shows};
use engine::session::sweep::SweepPlan;

use super::cost::Cost;
use super::{Either, Failure, complain, read, read_either, read_named, refused, say, truth};
use crate::app::files::OpenError;

/// Checks what is named, and says so, or writes it as JSON.
///
/// # Errors
/// Everything that is wrong with it.
pub fn check(path: &Path, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return check_as_json(path);
    }
    let scenario = match read_either(path)? {
        Either::Scenario(scenario) => *scenario,
        Either::Playlist(playlist) => return check_items(path, &playlist),
    };
    let runs = scenario.runs.len();
    // A file that hides its target does not have it named by accident; one that is packed tells nothing of it.
    let hides = scenario.view.hides_target();
    let target = if hides { "a hidden target" } else { scenario.target.kind.label };
    let file = path.display().to_string();
    let file = printable(&file);
    let experiment = scenario.build().map_err(ParamErrors)?;
    let plan = plan_of_sweep(&scenario)?;
    let costs: Vec<Cost> = experiment.runs.iter().map(|plan| Cost::of_run(&experiment, plan)).collect();
    say(&format!("{file}: valid; {runs} {} on {target}", if runs == 1 { "run" } else { "runs" }))?;
    let warnings =
        scenario.warnings().into_iter().chain(experiment.spans.iter().flat_map(|span| span.target.warnings()));
    let warnings = warnings.chain(draw::sheet::runs_alike(&scenario));
    complain(&warnings.map(|warning| format!("{file}: warning: {warning}")).collect::<Vec<_>>());
    for words in experiment.spans.iter().filter_map(|span| span.target.left_out()?.words_in_words()) {
        say(&format!("words: {}", printable(&words)))?;
    }
    for note in experiment.spans.iter().filter_map(|span| span.target.data_note()) {
        say(&format!("data: {}: {}", printable(&note.file), note.in_words()))?;
    }
    for span in experiment.spans.iter().filter(|_| !(hides && scenario.view.packed)) {
        let since = if span.from > 0 { format!(" from step {} on", span.from) } else { String::new() };
        say(&format!("truth{since}: {}", truth::in_words(span.target.as_ref())))?;
    }
    for (plan, cost) in experiment.runs.iter().zip(&costs) {
        let name = printable(&plan.name);
        say(&format!("{name}: {}", cost.in_words()))?;
        plan.remarks().try_for_each(|remark| say(&format!("{name}: {remark}")))?;
    }
    if runs > 1 {
        say(&format!("together: {}", costs.into_iter().fold(Cost::default(), Cost::plus).in_words()))?;
    }
    for challenge in &scenario.challenges {
        say(&format!("challenge, {}: {}", challenge.task.kind(), printable(&challenge.words())))?;
    }
    if let (Some(sweep), Some(plan)) = (&scenario.sweep, &plan) {
        let axes: Vec<&str> = sweep.axes.iter().map(|axis| axis.parameter.as_str()).collect();
        let axes = match &axes[..] {
            [first, second, third] => format!("{first}, {second} and {third}"),
            fewer => fewer.join(" and "),
        };
        let run = printable(&sweep.run);
        say(&format!("sweep: {} cells of {} seeds of {run}, over {axes}", plan.cells(), sweep.seeds))?;
    }
    Ok(())
}

/// What the sweep of a scenario computes, if it has one.
fn plan_of_sweep(scenario: &Scenario) -> Result<Option<SweepPlan>, ParamErrors> {
    scenario.sweep.is_some().then(|| SweepPlan::new(scenario)).transpose().map_err(ParamErrors)
}

/// The same as an object; errors with line, column, key, problem and what is allowed.
fn check_as_json(path: &Path) -> Result<(), Failure> {
    let file = path.display().to_string();
    let (found, outcome) = match described(path) {
        Ok(found) => (found, Ok(())),
        Err((errors, failure)) => (json!({ "valid": false, "errors": errors }), Err(failure)),
    };
    let mut all = json!({ "file": file });
    if let (Some(all), Json::Object(found)) = (all.as_object_mut(), found) {
        all.extend(found);
    }
    say(&format!("{all:#}"))?;
    outcome
}

/// What is known of a scenario; or its errors as JSON, and as the failure that they are.
fn described(path: &Path) -> Result<Json, (Vec<Json>, Failure)> {
    let plain = |failure: Failure| {
        let errors = failure.lines().into_iter().map(|problem| json!({ "problem": problem })).collect();
        (errors, failure)
    };
    let scenario = read_named(path).map_err(plain)?.map_err(|error| (errors(&error), refused(path, error)))?;
    let experiment = scenario.build().map_err(|errors| plain(ParamErrors(errors).into()))?;
    plan_of_sweep(&scenario).map_err(|errors| plain(errors.into()))?;
    let hides = scenario.view.hides_target();
    let truths = experiment.spans.iter().filter(|_| !hides).map(|span| {
        let known = span.target.density().is_some() && Truth::of(span.target.as_ref()).is_known();
        let (words, numbers) = (truth::in_words(span.target.as_ref()), truth::in_numbers(span.target.as_ref()));
        json!({ "from_step": span.from, "known": known, "words": words, "numbers": numbers })
    });
    let runs = experiment.runs.iter().map(|plan| {
        let cost = Cost::of_run(&experiment, plan);
        json!({
            "name": plan.name,
            "steps": cost.steps,
            "gradient_evaluations": cost.gradients,
            "density_evaluations": cost.densities,
            "draws": cost.draws,
            "csv_bytes": cost.csv,
            "npy_bytes": cost.npy,
            "history_bytes": cost.history,
            "remarks": plan.remarks().collect::<Vec<_>>(),
        })
    });
    let of_targets = experiment.spans.iter().flat_map(|span| span.target.warnings());
    let warnings = scenario.warnings().into_iter().chain(of_targets).chain(draw::sheet::runs_alike(&scenario));
    Ok(json!({
        "valid": true,
        "title": scenario.title,
        "target": if hides { None } else { Some(scenario.target.kind.name) },
        "truth": truths.collect::<Vec<_>>(),
        "runs": runs.collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
    }))
}

/// What is wrong with a file, an object for each error.
fn errors(error: &OpenError) -> Vec<Json> {
    let (OpenError::Invalid(found) | OpenError::Load(LoadError::Invalid(found))) = error else {
        return vec![json!({ "problem": error.to_string() })];
    };
    let one = |error: &ScenarioError| {
        let ScenarioError { line, column, key, problem, allowed, .. } = error;
        json!({ "line": line, "column": column, "key": key, "problem": problem, "allowed": allowed })
    };
    found.errors.iter().map(one).collect()
}

/// Reads the items of a playlist; a line for each.
fn check_items(path: &Path, playlist: &Playlist) -> Result<(), Failure> {
    let (file, mut wrong) = (path.display().to_string(), Vec::new());
    say(&format!("{}: a playlist of {} items", printable(&file), playlist.items.len()))?;
    for (index, item) in playlist.items.iter().enumerate() {
        let read = match &item.shows {
            // These were read with the playlist.
            Shows::Lesson(_) | Shows::Scenario(_) => Ok(()),
            Shows::File(file) => read(&playlist.path_of(file)).map(drop),
        };
        let words = if read.is_ok() { "valid" } else { "not valid" };
        say(&format!("{}. {}: {words}", index + 1, printable(&item.title())))?;
        wrong.extend(read.err().into_iter().flat_map(|failure| failure.lines()));
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Scenario(wrong)) }
}
