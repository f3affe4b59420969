//! Schedules of runs as handles show them, and the edits that handles ask for.

use base::params::{Settings, Value};
use engine::scenario::Scenario;
use engine::scenario::practice::step_symbol;
use engine::session::Frame;
use samplers::schedules::{ALPHA, Course, Moves, Spot, in_epsilon};

/// The parameter of methods under which their schedule is.
const PATH: &str = "step_size";

/// An edit of the schedule of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduleEdit {
    /// Number of the run.
    pub run: usize,
    /// Dotted path of the parameter.
    pub path: String,
    /// Its new value.
    pub value: Value,
}

/// The schedule of a run as its handles show it: with edits that the frame does not show yet, and on steps that the run has
/// still to take.
pub(super) fn course(frame: &Frame, scenario: &Scenario, run: usize) -> Option<Course> {
    let (spec, made) = (scenario.runs.get(run)?, frame.runs.get(run)?);
    // A finished run is computed again from its first step.
    let from = if made.step < made.plan.steps { made.step } else { 0 };
    let settings = scenario.settings_at(spec, from);
    // Under a budget the steps follow from it, not from the settings.
    let planned = scenario.budget.and_then(|_| Some(made.plan.segments.last()?.steps));
    let steps = planned.unwrap_or_else(|| settings.count("steps"));
    Some(Course { settings: settings.group(PATH)?.clone(), steps, from })
}

/// Whether the file lets a person change the step sizes of a run at a path below them; all of them without one.
pub(super) fn is_free(scenario: &Scenario, run: usize, key: Option<&str>) -> bool {
    let path = key.map_or_else(|| PATH.to_owned(), |key| format!("{PATH}.{key}"));
    scenario.runs.get(run).is_some_and(|spec| !scenario.view.locks(Some(&spec.name), &path))
}

/// Whether a range test can set the step size of a run: what it would change is not locked.
pub(super) fn can_be_tested(frame: &Frame, scenario: &Scenario, run: usize) -> bool {
    let Some(course) = course(frame, scenario, run) else { return false };
    let handles = course.handles();
    let first = handles.iter().find(|handle| handle.spec.moves == Moves::Up).or(handles.first());
    first.is_some_and(|handle| is_free(scenario, run, Some(handle.spec.key)))
}

/// The symbol of the step size of a run in the convention of its settings.
pub(super) fn symbol(scenario: &Scenario, run: usize, settings: &Settings) -> String {
    let method = scenario.runs.get(run).and_then(|run| step_symbol(run.settings.kind)).unwrap_or(ALPHA);
    if method == ALPHA && in_epsilon(settings) { "ε".to_owned() } else { method.to_owned() }
}

/// The edit that gives a run this largest step size: its first handle of step sizes moves, knots all by the same factor.
#[must_use]
pub fn with_step_size(frame: &Frame, scenario: &Scenario, run: usize, alpha: f64) -> Option<ScheduleEdit> {
    let course = course(frame, scenario, run)?;
    let handles = course.handles();
    if let Some(handle) = handles.iter().find(|handle| handle.spec.moves == Moves::Up) {
        let value = handle.moved(&course, Spot { alpha, ..handle.spot })?;
        return edit(run, &course, handle.spec.key, value);
    }
    let largest = handles.iter().map(|handle| handle.spot.alpha).fold(0.0, f64::max);
    let first = handles.first()?;
    let factor = alpha / largest;
    let scaled = handles.iter().fold(course.clone(), |course, handle| {
        let to = Spot { alpha: factor * handle.spot.alpha, ..handle.spot };
        handle.moved(&course, to).and_then(|value| course.with(handle.spec.key, &value)).unwrap_or(course)
    });
    edit(run, &course, first.spec.key, scaled.settings.get(first.spec.key)?.clone())
}

/// The edit of a parameter of a schedule, if it changes.
pub(super) fn edit(run: usize, course: &Course, key: &str, value: Value) -> Option<ScheduleEdit> {
    let new = course.settings.get(key) != Some(&value);
    new.then(|| ScheduleEdit { run, path: format!("{PATH}.{key}"), value })
}

/// The edit of a whole schedule.
pub(super) fn edit_all(run: usize, settings: Settings) -> ScheduleEdit {
    ScheduleEdit { run, path: PATH.to_owned(), value: Value::Group(settings) }
}
