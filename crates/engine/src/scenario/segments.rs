//! Segments of a run: what holds between two events, built one after another.
//!
//! The settings of one segment are kept at a time, and each segment knows the events before it by their number, so that
//! time and memory grow with the number of events and no faster. `assemble` calls [`build_run`]; this file calls it back
//! for the parts that a segment is made of.

use super::assemble::{build_segment, chains, event_path, gradient, keep, population, run_path, start, under};
use super::{Change, Event, Folder, RunPlan, RunSpec, TargetSpan, assemble, events};
use base::params::{MOST_ERRORS, ParamError, ParamType, Settings, Value};
use models::targets::Target;
use samplers::methods;
use samplers::schedules::Stage;

/// Builds a run by its number among the events, with its files in a folder. Without targets, which could not be built then, what depends on them is not checked.
pub(super) fn build_run(
    run: &RunSpec,
    (index, events, folder): (usize, &[Event], &Folder),
    allowance: Option<f64>,
    spans: Option<&[TargetSpan]>,
) -> Result<RunPlan, Vec<ParamError>> {
    let bounded = allowance.map(|allowance| with_steps(run, allowance, target_at(spans, 0)));
    let run = bounded.as_ref().unwrap_or(run);
    let errors = assemble::check_events(run, index, events);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut errors: Vec<ParamError> = Vec::new();
    let mut seen: Vec<ParamError> = Vec::new();
    let mut segments = Vec::new();
    each_segment(run, events, |from, settings, changes| {
        if errors.len() >= MOST_ERRORS {
            return;
        }
        match build_segment(settings, folder, from, target_at(spans, from)) {
            Ok(segment) => segments.push(segment),
            Err(found) => {
                // A segment repeats what was wrong with the one before.
                let new: Vec<_> = found.into_iter().filter(|error| !seen.contains(error)).collect();
                seen.extend(new.iter().cloned());
                errors.extend(new.into_iter().map(|error| blame(error, index, events, changes)));
            }
        }
    });
    let start = start(&run.settings, target_at(spans, 0)).map_err(|found| under(found, &run_path(index)));
    match keep(start, &mut errors).map(|start| population(&run.settings, &segments, target_at(spans, 0), start)) {
        Some((chains, start)) if errors.is_empty() => Ok(RunPlan {
            name: run.name.clone(),
            chains,
            steps: segments.last().map_or(1, |segment| segment.steps),
            budget: allowance,
            start,
            segments,
            targets_change: events.iter().filter(|event| event.target().is_some()).map(|event| event.step).collect(),
        }),
        _ => Err(errors),
    }
}

/// A run with the steps that a budget allows it on a target; as it is where its method cannot be built.
fn with_steps(run: &RunSpec, budget: f64, target: Option<&Target>) -> RunSpec {
    let mut run = run.clone();
    let Ok(method) = methods::build(&run.settings) else { return run };
    let method = match target.map(|target| method.on(target.space())) {
        Some(Ok(there)) => there,
        _ => method,
    };
    let (gradient, data) = (gradient(&run.settings), target.and_then(Target::data_count).unwrap_or(1));
    // A step whose cost is not fixed takes one evaluation at least.
    let of = |stage| method.most_evaluations().map_or_else(|| method.evaluations(&gradient, data, stage), |_| 1.0);
    let least = Stage::ALL.into_iter().map(of).fold(f64::INFINITY, f64::min).max(1e-9) * chains(&run.settings) as f64;
    let most = match run.settings.spec_at("steps").map(|spec| spec.ty) {
        Some(ParamType::Integer { legal, .. }) => legal.max,
        _ => f64::INFINITY,
    };
    let steps = (budget / least - 1e-9).ceil().clamp(1.0, most);
    run.settings.set("steps", Value::Number(steps)).ok();
    run
}

/// The target after `step` steps.
pub(super) fn target_at(spans: Option<&[TargetSpan]>, step: u64) -> Option<&Target> {
    spans?.iter().rev().find(|span| span.from <= step).map(|span| span.target.as_ref())
}

/// Calls `visit` for each segment of a run between its events and those of the target, with the number of steps before,
/// the settings, and the numbers of the events so far. Events at the same step start one segment.
fn each_segment(run: &RunSpec, events: &[Event], mut visit: impl FnMut(u64, &Settings, &[usize])) {
    let mut settings = run.settings.clone();
    let mut changes = Vec::new();
    let mut from = 0;
    for (number, event) in events.iter().enumerate() {
        let set = event.changes_of(&run.name);
        let is_relevant = set.is_some() || event.target().is_some() && event.step < settings.count("steps");
        if !is_relevant {
            continue;
        }
        if event.step != from {
            visit(from, &settings, &changes);
            from = event.step;
        }
        if let Some(set) = set {
            events::apply(&mut settings, set);
        }
        changes.push(number);
    }
    visit(from, &settings, &changes);
}

/// Puts an error of a run to the last event that touched its parameter, or else to the run.
fn blame(error: ParamError, index: usize, events: &[Event], changes: &[usize]) -> ParamError {
    let within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    for &number in changes.iter().rev() {
        let Change::Run { set, .. } = &events[number].change else {
            // The settings were right for the target before, so the new target causes the error.
            let problem = format!("{} ({} of {})", error.problem, error.path, run_path(index));
            return ParamError::new("target", problem, error.allowed).under(&event_path(number));
        };
        let touched = set.keys().find(|key| within(&error.path, key) || within(key, &error.path));
        if let Some(key) = touched {
            let path = if within(&error.path, key) { error.path.clone() } else { key.clone() };
            return ParamError { path, ..error }.under("set").under(&event_path(number));
        }
    }
    error.under(&run_path(index))
}
