//! Assembly of a scenario: targets, methods and schedules are built from settings, and checked against each other.

use std::sync::Arc;

use super::read::Draft;
use super::read_run::DraftRun;
use super::segments::build_run;
use super::table_reader::{TableReader, join};
use super::{
    Collect, Event, Experiment, Folder, MAX_EVENTS, MAX_RUNS, MAX_TARGET_EVENTS, METHOD, RunPlan, RunSpec, Scenario,
    Segment, Start, TargetSpan, check, edit, events,
};
use base::math::Point;
use base::params::{DefaultValue, ParamError, Settings, Value, type_in_words};
use models::targets::{self, Target};
use samplers::methods::{self, Fitting, Gradient, StartAt, TopicStart};
use samplers::schedules::{self, Schedule};

impl Scenario {
    /// Builds the targets and runs.
    ///
    /// # Errors
    /// Everything that is wrong, with paths from the scenario down, runs and events counted from 0:
    /// `target.data.path`, `run[1].step_size.cycles`, `event[0].set.step_size.initial`.
    pub fn build(&self) -> Result<Experiment, Vec<ParamError>> {
        let mut errors = self.check_names();
        let spans = keep(build_spans(&self.target, &self.events, &self.folder), &mut errors);
        let plan = |(index, run)| build_run(run, (index, &self.events, &self.folder), self.budget, spans.as_deref());
        let plans: Vec<_> = self.runs.iter().enumerate().map(plan).collect();
        let runs: Vec<_> = plans.into_iter().filter_map(|plan| keep(plan, &mut errors)).collect();
        match spans {
            Some(spans) if errors.is_empty() => Ok(Experiment { spans, runs }),
            _ => Err(errors),
        }
    }

    /// Builds the runs for targets that exist already.
    ///
    /// # Errors
    /// As [`Scenario::build`].
    pub fn build_runs(&self, spans: &[TargetSpan]) -> Result<Vec<RunPlan>, Vec<ParamError>> {
        let mut errors = self.check_names();
        let plans = (0..self.runs.len()).filter_map(|index| keep(self.build_run(index, spans), &mut errors)).collect();
        if errors.is_empty() { Ok(plans) } else { Err(errors) }
    }

    /// Builds run number `index` for targets that exist already.
    ///
    /// # Errors
    /// Everything that is wrong with the run and its events.
    pub fn build_run(&self, index: usize, spans: &[TargetSpan]) -> Result<RunPlan, Vec<ParamError>> {
        let missing = || vec![ParamError::new(run_path(index), "there is no such run", "a run of the scenario")];
        let run = self.runs.get(index).ok_or_else(missing)?;
        build_run(run, (index, &self.events, &self.folder), self.budget, Some(spans))
    }

    /// Builds the targets alone.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn build_spans(&self) -> Result<Vec<TargetSpan>, Vec<ParamError>> {
        build_spans(&self.target, &self.events, &self.folder)
    }

    /// Builds a target that replaces one of so many dimensions after `step` steps.
    ///
    /// # Errors
    /// Everything that is wrong with it, and if it has another dimension.
    pub fn build_span(&self, target: &Settings, step: u64, dimension: usize) -> Result<TargetSpan, Vec<ParamError>> {
        let target = build_target(target, &self.folder)?;
        let span = TargetSpan { from: step, target };
        check::dimension(&span, dimension).map_or(Ok(span), |error| Err(vec![error.under("target")]))
    }

    /// What is wrong with the names of runs, and with the runs that events name.
    fn check_names(&self) -> Vec<ParamError> {
        let mut errors = Vec::new();
        if self.runs.is_empty() {
            errors.push(ParamError::new("run", "there is no run", "one or more runs"));
        }
        errors.extend(check::number("run", self.runs.len(), MAX_RUNS));
        errors.extend(check::number("event", self.events.len(), MAX_EVENTS));
        for (index, run) in self.runs.iter().enumerate() {
            let earlier = self.runs[..index].iter().map(|run| run.name.as_str());
            errors.extend(edit::check_name(&run.name, earlier).err().map(|error| error.under(&run_path(index))));
        }
        for (index, event) in self.events.iter().enumerate() {
            if let Some(run) = event.run().filter(|run| self.run_index(run).is_none()) {
                errors.push(self.no_run(run).under(&event_path(index)));
            }
        }
        errors.extend(self.late_targets());
        errors
    }

    /// Changes of the target after the last step of all runs.
    fn late_targets(&self) -> impl Iterator<Item = ParamError> {
        let last = self.last_step();
        let events =
            self.events.iter().enumerate().filter(move |(_, event)| event.target().is_some() && event.step >= last);
        events.map(move |(index, event)| late(event.step, last).under(&event_path(index)))
    }
}

/// The scenario of a draft. What could be read is built as well, so that errors of the
/// parts together are found at once with errors of the text.
pub(super) fn complete(draft: Draft, folder: &Folder, reader: &mut TableReader) -> Option<Scenario> {
    let mut errors = Vec::new();
    let events = &draft.events.events;
    let spans = draft.target.as_ref().and_then(|target| keep(build_spans(target, events, folder), &mut errors));
    for (index, run) in draft.runs.iter().enumerate() {
        let Some(run) = run.spec() else { continue };
        let built = build_run(&run, (index, events, folder), draft.budget, spans.as_deref());
        errors.extend(built.err().into_iter().flatten());
    }
    scenario_of(draft, folder, errors, reader)
}

/// The scenario of a draft, of which nothing is built.
pub(super) fn unbuilt(draft: Draft, folder: &Folder, reader: &mut TableReader) -> Option<Scenario> {
    scenario_of(draft, folder, Vec::new(), reader)
}

/// The scenario of a draft, in which these errors were found. They are reported with the errors of its text alone.
fn scenario_of(
    mut draft: Draft,
    folder: &Folder,
    mut errors: Vec<ParamError>,
    reader: &mut TableReader,
) -> Option<Scenario> {
    let runs: Option<Vec<RunSpec>> = draft.runs.iter().map(DraftRun::spec).collect();
    let scenario = draft.target.zip(runs).map(|(target, runs)| Scenario {
        title: draft.title,
        caption: draft.caption,
        seed: draft.seed,
        budget: draft.budget,
        target,
        runs,
        events: std::mem::take(&mut draft.events.events),
        challenges: draft.challenges,
        sweep: draft.sweep,
        view: draft.view,
        folder: folder.clone(),
    });
    errors.extend(scenario.iter().flat_map(Scenario::late_targets));
    let swept = scenario.iter().filter_map(|scenario| scenario.sweep.as_ref()?.values(scenario).err());
    errors.extend(swept.flatten());
    errors.extend(scenario.iter().flat_map(Scenario::challenge_errors));
    for error in errors {
        reader.fault_at_path(draft.events.as_in_file(error));
    }
    scenario
}

/// The value, or nothing and the errors put to the others.
pub(super) fn keep<T>(result: Result<T, Vec<ParamError>>, errors: &mut Vec<ParamError>) -> Option<T> {
    result.map_err(|found| errors.extend(found)).ok()
}

pub(super) fn run_path(index: usize) -> String {
    format!("run[{index}]")
}

pub(super) fn event_path(index: usize) -> String {
    format!("event[{index}]")
}

/// Errors seen from the table that holds theirs.
pub(super) fn under(errors: Vec<ParamError>, key: &str) -> Vec<ParamError> {
    errors.into_iter().map(|error| error.under(key)).collect()
}

/// Builds the targets, one for each span.
fn build_spans(first: &Settings, events: &[Event], folder: &Folder) -> Result<Vec<TargetSpan>, Vec<ParamError>> {
    let mut errors = Vec::new();
    let mut spans: Vec<TargetSpan> = Vec::new();
    let changes = events.iter().filter(|event| event.target().is_some()).count();
    if let Some(error) = check::number("event", changes, MAX_TARGET_EVENTS) {
        return Err(vec![ParamError { problem: format!("{} that change the target", error.problem), ..error }]);
    }
    spans.extend(keep(build_target(first, folder), &mut errors).map(|target| TargetSpan { from: 0, target }));
    for (number, event) in events.iter().enumerate() {
        let Some(target) = event.target() else { continue };
        let built = build_target(target, folder).map_err(|found| under(found, &event_path(number)));
        let Some(target) = keep(built, &mut errors) else { continue };
        let span = TargetSpan { from: event.step, target };
        let dimension = spans.first().map(|first| first.target.dimension());
        let wrong = dimension.and_then(|dimension| check::dimension(&span, dimension));
        errors.extend(wrong.map(|error| error.under(&join(&event_path(number), "target"))));
        spans.push(span);
    }
    if errors.is_empty() { Ok(spans) } else { Err(errors) }
}

pub(super) fn build_target(settings: &Settings, folder: &Folder) -> Result<Arc<Target>, Vec<ParamError>> {
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

/// The number of chains of a run and where they start: as the run says, unless its method starts at every mode, or at draws
/// from the prior.
pub(super) fn population(
    settings: &Settings,
    segments: &[Segment],
    target: Option<&Target>,
    start: Start,
) -> (usize, Start) {
    let fitting = segments.first().and_then(|segment| segment.method.fitting());
    if let (Some(Fitting { start_at: StartAt::Modes, .. }), Some(target)) = (fitting, target) {
        return (target.info().modes.len().max(1), Start::Modes);
    }
    let from_prior = segments.first().is_some_and(|segment| segment.method.starts_from_prior());
    let start = if from_prior { Start::Prior } else { start };
    (chains(settings), start)
}

/// The number of chains that a run asks for.
pub(super) fn chains(settings: &Settings) -> usize {
    let chains = settings.kind.param("chains").map_or(1, |_| settings.count("chains"));
    usize::try_from(chains).unwrap_or(usize::MAX).max(1)
}

/// What is wrong with the events of a run by themselves: their steps, their order, and whether each of
/// their changes is allowed.
pub(super) fn check_events(run: &RunSpec, index: usize, events: &[Event]) -> Vec<ParamError> {
    let mut settings = run.settings.clone();
    let mut errors = Vec::new();
    let mut earlier = 0;
    for (number, event) in events.iter().enumerate() {
        let Some(set) = event.changes_of(&run.name) else { continue };
        let wrong = |key: &str, problem: String, allowed: String| {
            ParamError::new(join(&event_path(number), key), problem, allowed)
        };
        let steps = settings.count("steps");
        if event.step >= steps {
            errors.push(late(event.step, steps).under(&event_path(number)));
        }
        if event.step < earlier {
            errors.push(wrong(
                "step",
                "an event of an earlier step comes later in the list".to_owned(),
                "events in order of step".to_owned(),
            ));
        }
        earlier = event.step;
        for (path, value) in events::in_order(set) {
            let key = join("set", path);
            if settings.spec_at(path).is_some() && !events::is_live(&settings, path) {
                let problem = format!("\"{path}\" cannot change while {} is under way", run_path(index));
                errors.push(wrong(&key, problem, events::live_paths(&settings).join(", ")));
            } else if let Err(error) = events::assign(&mut settings, path, value.clone()) {
                errors.push(wrong(&key, error.problem, error.allowed));
            } else if let Some(reason) = methods::begins_anew(settings.kind).filter(|_| path == METHOD) {
                let problem = format!("\"{}\" {reason}", settings.kind.name);
                errors.push(wrong(&key, problem, "a method that takes over the chains".to_owned()));
            }
        }
        let steps = settings.count("steps");
        if set.contains_key("steps") && steps <= event.step {
            let problem = format!("{} steps have been taken already", event.step);
            errors.push(wrong("set.steps", problem, format!("above {}", event.step)));
        }
    }
    errors
}

/// The error of an event after the last of `steps` steps.
fn late(step: u64, steps: u64) -> ParamError {
    let problem = format!("the run ends before step {}", step.saturating_add(1));
    ParamError::new("step", problem, format!("from 0 to {}", steps.saturating_sub(1)))
}

/// Builds what holds from one event to the next, with paths from the run down.
pub(super) fn build_segment(
    settings: &Settings,
    folder: &Folder,
    from: u64,
    target: Option<&Target>,
) -> Result<Segment, Vec<ParamError>> {
    complete_settings(settings)?;
    let mut errors = Vec::new();
    let steps = settings.count("steps");
    let mut method = keep(methods::build(settings), &mut errors);
    let gradient = gradient(settings);
    let schedule = keep(schedule(settings, steps, folder), &mut errors);
    let collect = collect(settings);
    errors.extend(check::collection(collect, steps));
    if let Some(target) = target {
        let on = method.as_ref().map(|method| method.on(target.space()));
        // That a method needs positions says all about its gradients.
        let says_all = |error: &ParamError| error.path == METHOD && target.family().no_positions.is_some();
        if !matches!(&on, Some(Err(error)) if says_all(error)) {
            errors.extend(gradient.check(target, chains(settings)).err().map(|error| error.under("gradient")));
        }
        match on {
            Some(Ok(there)) => method = Some(there),
            Some(Err(error)) => errors.push(error),
            None => {}
        }
    }
    if let (Some(method), Some(schedule)) = (&method, &schedule) {
        errors.extend(method.check(&gradient, schedule.as_ref(), steps));
    }
    match (method, schedule) {
        (Some(method), Some(schedule)) if errors.is_empty() => {
            let samples = method.fitting().is_none();
            let data = target.and_then(Target::data_count);
            Ok(Segment { from, steps, method, gradient, schedule, collect, samples, data })
        }
        _ => Err(errors),
    }
}

/// What is wrong with the method of a run, by itself, under its schedule and with its gradients; the schedule itself is
/// not looked at.
pub(super) fn method_errors(settings: &Settings, folder: &Folder) -> Vec<ParamError> {
    let steps = settings.count("steps");
    match (methods::build(settings), schedule(settings, steps, folder)) {
        (Err(errors), _) => errors,
        (Ok(method), Ok(schedule)) => method.check(&gradient(settings), schedule.as_ref(), steps),
        (Ok(_), Err(_)) => Vec::new(),
    }
}

/// How a run estimates its gradients.
pub(super) fn gradient(settings: &Settings) -> Gradient {
    settings.group("gradient").map_or(Gradient::Exact, Gradient::from_settings)
}

/// The schedule of a run. A method without step sizes gets the constant one, which it does not use.
fn schedule(settings: &Settings, steps: u64, folder: &Folder) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    match settings.group("step_size") {
        Some(group) => schedules::build_in(group, steps, folder).map_err(|errors| under(errors, "step_size")),
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

/// Whether a method starts in this way unless the scenario says otherwise.
fn is_default(settings: &Settings, kind: &str) -> bool {
    settings.kind.param("start").is_some_and(|spec| matches!(spec.default, DefaultValue::Kind(own) if own == kind))
}

/// Where the chains of a run start; without a setting, at the point that the target suggests.
pub(super) fn start(settings: &Settings, target: Option<&Target>) -> Result<Start, Vec<ParamError>> {
    let suggested = target.map_or_else(Point::zeros, |target| target.info().start);
    let own = target.and_then(|target| target.family().start).and_then(TopicStart::of_kind).map(Start::Topics);
    let group = settings.group("start");
    let start = match group.map(|group| (group.kind.name, group)) {
        Some(("uniform", group)) => Start::Uniform { low: group.number("low"), high: group.number("high") },
        Some(("target", _)) => Start::Target,
        Some(("prior", _)) => Start::Prior,
        Some(("point", group)) => {
            let [x, y] = ["x", "y"].map(|key| group.optional_number(key));
            let point = Start::Point(Point::new(x.unwrap_or(suggested.x), y.unwrap_or(suggested.y)));
            own.filter(|_| x.or(y).is_none()).unwrap_or(point)
        }
        // That a method needs topics is said elsewhere.
        Some((kind, _)) if target.is_some() && own.is_none() && is_default(settings, kind) => Start::Point(suggested),
        Some((kind, _)) => TopicStart::of_kind(kind).map_or(Start::Point(suggested), Start::Topics),
        None => own.unwrap_or(Start::Point(suggested)),
    };
    let errors = check::start(start, target);
    if errors.is_empty() { Ok(start) } else { Err(errors) }
}
