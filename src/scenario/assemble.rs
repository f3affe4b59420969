//! Building: settings become a target, methods and schedules, and what only shows once they meet is checked.

use std::path::Path;
use std::sync::Arc;

use super::read::Draft;
use super::walk::{Walker, join};
use super::{Collect, Event, Experiment, RunPlan, RunSpec, Scenario, Segment, Start, check, edit, events};
use crate::math::Point;
use crate::methods::{self, Gradient};
use crate::params::{ParamError, Settings, Value, type_in_words};
use crate::schedules::{self, Schedule};
use crate::targets::{self, Target};

impl Scenario {
    /// Makes everything ready to run.
    ///
    /// # Errors
    /// Everything that is wrong, with paths from the scenario down, runs and events counted from 0:
    /// `target.data.path`, `run[1].step_size.cycles`, `event[0].set.step_size.initial`.
    pub fn build(&self) -> Result<Experiment, Vec<ParamError>> {
        let mut errors = self.check_names();
        let target = keep(build_target(&self.target, &self.folder), &mut errors);
        let plan = |(index, run)| build_run(run, index, &self.events, target.as_deref());
        let plans: Vec<_> = self.runs.iter().enumerate().map(plan).collect();
        let runs: Vec<_> = plans.into_iter().filter_map(|plan| keep(plan, &mut errors)).collect();
        match target {
            Some(target) if errors.is_empty() => {
                let sampled = targets::sampling_target(&target);
                Ok(Experiment { target, sampled, runs })
            }
            _ => Err(errors),
        }
    }

    /// Makes the runs ready again for a target that is there already.
    ///
    /// # Errors
    /// As [`Scenario::build`].
    pub fn build_runs(&self, target: &dyn Target) -> Result<Vec<RunPlan>, Vec<ParamError>> {
        let mut errors = self.check_names();
        let plans = (0..self.runs.len()).filter_map(|index| keep(self.build_run(index, target), &mut errors)).collect();
        if errors.is_empty() { Ok(plans) } else { Err(errors) }
    }

    /// Makes run number `index` ready again for a target that is there already.
    ///
    /// # Errors
    /// Everything that is wrong with the run and its events.
    pub fn build_run(&self, index: usize, target: &dyn Target) -> Result<RunPlan, Vec<ParamError>> {
        let missing = || vec![ParamError::new(run_path(index), "there is no such run", "a run of the scenario")];
        build_run(self.runs.get(index).ok_or_else(missing)?, index, &self.events, Some(target))
    }

    /// What is wrong with the names of runs, and with the runs that events name.
    fn check_names(&self) -> Vec<ParamError> {
        let mut errors = Vec::new();
        if self.runs.is_empty() {
            errors.push(ParamError::new("run", "there is no run", "one or more runs"));
        }
        for (index, run) in self.runs.iter().enumerate() {
            let earlier = self.runs[..index].iter().map(|run| run.name.as_str());
            errors.extend(edit::check_name(&run.name, earlier).err().map(|error| error.under(&run_path(index))));
        }
        for (index, event) in self.events.iter().enumerate() {
            if self.run_index(&event.run).is_none() {
                errors.push(self.no_run(&event.run).under(&event_path(index)));
            }
        }
        errors
    }
}

/// The scenario of a draft. What could be read is built as well, so that what is wrong with the parts
/// together is found in the same go as what is wrong with the text.
pub(super) fn complete(draft: Draft, folder: &Path, walker: &mut Walker) -> Option<Scenario> {
    let mut errors = Vec::new();
    let target = draft.target.as_ref().and_then(|target| keep(build_target(target, folder), &mut errors));
    let runs = draft.runs.into_iter().map(|run| Some(RunSpec { name: run.name?, settings: run.settings? }));
    let runs: Vec<Option<RunSpec>> = runs.collect();
    for (index, run) in runs.iter().enumerate() {
        let Some(run) = run else { continue };
        errors.extend(build_run(run, index, &draft.events.events, target.as_deref()).err().into_iter().flatten());
    }
    for error in errors {
        walker.fault_at_path(draft.events.as_in_file(error));
    }
    Some(Scenario {
        title: draft.title,
        caption: draft.caption,
        seed: draft.seed,
        target: draft.target?,
        runs: runs.into_iter().collect::<Option<_>>()?,
        events: draft.events.events,
        folder: folder.to_owned(),
    })
}

/// The value, or nothing and the errors put to the others.
fn keep<T>(result: Result<T, Vec<ParamError>>, errors: &mut Vec<ParamError>) -> Option<T> {
    result.map_err(|found| errors.extend(found)).ok()
}

fn run_path(index: usize) -> String {
    format!("run[{index}]")
}

fn event_path(index: usize) -> String {
    format!("event[{index}]")
}

/// Errors seen from the table that holds theirs.
fn under(errors: Vec<ParamError>, key: &str) -> Vec<ParamError> {
    errors.into_iter().map(|error| error.under(key)).collect()
}

pub(super) fn build_target(settings: &Settings, folder: &Path) -> Result<Arc<dyn Target>, Vec<ParamError>> {
    complete_settings(settings)
        .and_then(|()| targets::build(settings, folder))
        .map_err(|errors| under(errors, "target"))
}

/// Checks that every required parameter has a value, in groups and lists too.
fn complete_settings(settings: &Settings) -> Result<(), Vec<ParamError>> {
    let mut errors: Vec<_> =
        settings.missing().map(|spec| ParamError::new(spec.key, "is missing", type_in_words(spec.ty))).collect();
    for (spec, value) in settings.iter() {
        let (parts, is_list) = match value {
            Value::Group(group) => (std::slice::from_ref(group), false),
            Value::List(items) => (items.as_slice(), true),
            _ => continue,
        };
        for (index, part) in parts.iter().enumerate() {
            let key = if is_list { format!("{}[{index}]", spec.key) } else { spec.key.to_owned() };
            errors.extend(complete_settings(part).err().into_iter().flatten().map(|error| error.under(&key)));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Makes a run ready. The target is missing where it could not be built itself; then what depends on it
/// goes unchecked.
fn build_run(
    run: &RunSpec,
    index: usize,
    events: &[Event],
    target: Option<&dyn Target>,
) -> Result<RunPlan, Vec<ParamError>> {
    let errors = check_events(run, index, events);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut errors: Vec<ParamError> = Vec::new();
    let mut segments = Vec::new();
    for (from, settings, changes) in stretches(run, events) {
        match build_segment(&settings, from, target) {
            Ok(segment) => segments.push(segment),
            Err(found) => {
                let found = found.into_iter().map(|error| blame(error, index, events, &changes));
                // A segment repeats what was wrong with the one before.
                let new: Vec<_> = found.filter(|error| !errors.contains(error)).collect();
                errors.extend(new);
            }
        }
    }
    let start = keep(start(&run.settings, target).map_err(|found| under(found, &run_path(index))), &mut errors);
    match start {
        Some(start) if errors.is_empty() => Ok(RunPlan {
            name: run.name.clone(),
            chains: usize::try_from(run.settings.count("chains")).unwrap_or(usize::MAX).max(1),
            steps: run.settings.count("steps"),
            start,
            segments,
        }),
        _ => Err(errors),
    }
}

/// The stretches of a run between its events: the number of steps before, the settings that hold, and the
/// numbers of the events so far. Events at the same step make one stretch.
fn stretches(run: &RunSpec, events: &[Event]) -> Vec<(u64, Settings, Vec<usize>)> {
    let mut stretches = vec![(0, run.settings.clone(), Vec::new())];
    for (number, event) in events.iter().enumerate().filter(|(_, event)| event.run == run.name) {
        let Some((from, mut settings, mut changes)) = stretches.last().cloned() else { break };
        events::apply(&mut settings, &event.set);
        changes.push(number);
        if from == event.step {
            stretches.pop();
        }
        stretches.push((event.step, settings, changes));
    }
    stretches
}

/// What is wrong with the events of a run by themselves: their steps, their order, and whether each of
/// their changes is allowed.
pub(super) fn check_events(run: &RunSpec, index: usize, events: &[Event]) -> Vec<ParamError> {
    let steps = run.settings.count("steps");
    let mut settings = run.settings.clone();
    let mut errors = Vec::new();
    let mut earlier = 0;
    for (number, event) in events.iter().enumerate().filter(|(_, event)| event.run == run.name) {
        let wrong = |key: &str, problem: String, allowed: String| {
            ParamError::new(join(&event_path(number), key), problem, allowed)
        };
        if event.step >= steps {
            let problem = format!("the run ends before step {}", event.step.saturating_add(1));
            errors.push(wrong("step", problem, format!("from 0 to {}", steps.saturating_sub(1))));
        }
        if event.step < earlier {
            errors.push(wrong("step", "an earlier event is later in the run".to_owned(), "events in order".to_owned()));
        }
        earlier = event.step;
        for (path, value) in &event.set {
            let key = join("set", path);
            if settings.spec_at(path).is_some() && !events::is_live(&settings, path) {
                let problem = format!("\"{path}\" is fixed while {} goes on", run_path(index));
                errors.push(wrong(&key, problem, events::live_paths(&settings).join(", ")));
            } else if let Err(error) = settings.set(path, value.clone()) {
                errors.push(wrong(&key, error.problem, error.allowed));
            }
        }
    }
    errors
}

/// Puts an error of a run to the last event that touched its parameter, or else to the run.
fn blame(error: ParamError, index: usize, events: &[Event], changes: &[usize]) -> ParamError {
    let within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    for &number in changes.iter().rev() {
        let touched = events[number].set.keys().find(|key| within(&error.path, key) || within(key, &error.path));
        if let Some(key) = touched {
            let path = if within(&error.path, key) { error.path.clone() } else { key.clone() };
            return ParamError { path, ..error }.under("set").under(&event_path(number));
        }
    }
    error.under(&run_path(index))
}

/// Builds what holds from one event to the next, with paths from the run down.
fn build_segment(settings: &Settings, from: u64, target: Option<&dyn Target>) -> Result<Segment, Vec<ParamError>> {
    complete_settings(settings)?;
    let mut errors = Vec::new();
    let steps = settings.count("steps");
    let method = keep(methods::build(settings), &mut errors);
    let gradient = settings.group("gradient").map_or(Gradient::Exact, Gradient::from_settings);
    let schedule = keep(schedule(settings, steps), &mut errors);
    let collect = collect(settings);
    errors.extend(check::collection(collect, steps));
    if let Some(target) = target {
        errors.extend(gradient.check(target).err().map(|error| error.under("gradient")));
    }
    if let (Some(method), Some(schedule)) = (&method, &schedule) {
        errors.extend(method.check(&gradient, schedule.as_ref(), steps));
    }
    match (method, schedule) {
        (Some(method), Some(schedule)) if errors.is_empty() => {
            Ok(Segment { from, method, gradient, schedule, collect })
        }
        _ => Err(errors),
    }
}

/// The schedule of a run. A method without step sizes gets the constant one, which it never looks at.
fn schedule(settings: &Settings, steps: u64) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    match settings.group("step_size") {
        Some(group) => schedules::build(group, steps).map_err(|errors| under(errors, "step_size")),
        None => schedules::build(&Settings::defaults(&schedules::SCHEDULES[0]), steps),
    }
}

fn collect(settings: &Settings) -> Collect {
    settings.group("collect").map_or(Collect { burn_in: 0, thin: 1, weighted: false }, |group| Collect {
        burn_in: group.count("burn_in"),
        thin: group.count("thin").max(1),
        weighted: group.flag("weighted"),
    })
}

/// Where the chains of a run start; without a word about it, where the target says.
pub(super) fn start(settings: &Settings, target: Option<&dyn Target>) -> Result<Start, Vec<ParamError>> {
    let suggested = target.map_or_else(Point::zeros, |target| target.facts().start);
    let start = match settings.group("start") {
        Some(group) if group.kind.name == "uniform" => {
            Start::Uniform { low: group.number("low"), high: group.number("high") }
        }
        Some(group) if group.kind.name == "target" => Start::Target,
        Some(group) => {
            let coordinate = |axis: usize, key| group.optional_number(key).unwrap_or(suggested[axis]);
            Start::Point(Point::new(coordinate(0, "x"), coordinate(1, "y")))
        }
        None => Start::Point(suggested),
    };
    let errors = check::start(start, target);
    if errors.is_empty() { Ok(start) } else { Err(errors) }
}
