//! Events: parameters changed while a run went on.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::Event;
use super::read::{DraftRun, read_tables, read_text, whole};
use super::walk::{Span, Walker, found, join, quoted, suggestion};
use crate::params::{ParamError, ParamType, Settings, Value};

/// The keys of an `[[event]]`.
const KEYS: [&str; 3] = ["run", "step", "set"];

/// What stands under `set`.
const NEW_VALUES: &str = "a table of parameters and their new values";

/// The events of a file in order of step, and the number in the file of each.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    pub events: Vec<Event>,
    pub numbers: Vec<usize>,
}

impl Ordered {
    /// An error whose path counts events in order of step, with the number that the file gives to the event.
    pub(super) fn as_in_file(&self, mut error: ParamError) -> ParamError {
        let number = error.path.strip_prefix("event[").and_then(|rest| rest.split_once(']'));
        if let Some((number, rest)) = number
            && let Some(number) = number.parse().ok().and_then(|number: usize| self.numbers.get(number))
        {
            error.path = format!("event[{number}]{rest}");
        }
        error
    }
}

/// An event whose run and step are known, its changes still unread.
struct RawEvent<'t, 'i> {
    number: usize,
    run: usize,
    step: u64,
    set: &'t DeTable<'i>,
}

/// The events in order of step. Their changes are read in that order, since an event may change the
/// kind of a group and a later one a parameter that only the new kind has.
pub(super) fn read(table: &DeTable<'_>, runs: &[DraftRun], walker: &mut Walker) -> Ordered {
    let tables = read_tables(table, "event", walker);
    let mut raw: Vec<RawEvent<'_, '_>> = Vec::new();
    for (number, (table, at)) in tables.into_iter().enumerate() {
        walker.locate(&format!("event[{number}]"), at.clone());
        raw.extend(read_raw_event(table, &at, number, runs, walker));
    }
    raw.sort_by_key(|event| event.step);
    let mut current: Vec<Option<Settings>> = runs.iter().map(|run| run.settings.clone()).collect();
    let mut ordered = Ordered::default();
    for RawEvent { number, run, step, set } in raw {
        let (Some(settings), Some(name)) = (&mut current[run], &runs[run].name) else { continue };
        let mut changes = BTreeMap::new();
        read_changes(set, &format!("event[{number}].set"), "", settings, &mut changes, walker);
        ordered.events.push(Event { run: name.clone(), step, set: changes });
        ordered.numbers.push(number);
    }
    ordered
}

fn read_raw_event<'t, 'i>(
    table: &'t DeTable<'i>,
    at: &Span,
    number: usize,
    runs: &[DraftRun],
    walker: &mut Walker,
) -> Option<RawEvent<'t, 'i>> {
    let path = &format!("event[{number}]");
    for (key, _) in table.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        walker.unknown_key(&key.span(), &format!("{path}.{}", key.get_ref()), key.get_ref(), KEYS.into_iter());
    }
    let mut missing = |key: &str, allowed: &str| {
        if !table.contains_key(key) {
            walker.fault(at, ParamError::new(format!("{path}.{key}"), "is missing", allowed));
        }
    };
    missing("run", "the name of a run");
    missing("step", "a whole number of steps");
    missing("set", NEW_VALUES);
    let run = read_event_run(table, path, runs, walker);
    let step = read_event_step(table, path, run.and_then(|run| runs[run].settings.as_ref()), walker);
    let set = read_event_set(table, path, walker);
    Some(RawEvent { number, run: run?, step: step?, set: set? })
}

fn read_event_run(table: &DeTable<'_>, path: &str, runs: &[DraftRun], walker: &mut Walker) -> Option<usize> {
    let path = format!("{path}.run");
    let name = read_text(table, "run", &path, walker)?;
    let mut named = (0..runs.len()).filter(|&run| runs[run].name.as_deref() == Some(&name));
    let (run, another) = (named.next(), named.next());
    if another.is_some() {
        // Which run is meant cannot be known; that two have this name is said where they stand.
        return None;
    }
    if run.is_none() {
        let names = || runs.iter().filter_map(|run| run.name.as_deref());
        let problem = format!("there is no run \"{name}\"{}", suggestion(&name, names()));
        walker.fault_at_path(ParamError::new(path, problem, quoted(names())));
    }
    run
}

fn read_event_step(table: &DeTable<'_>, path: &str, run: Option<&Settings>, walker: &mut Walker) -> Option<u64> {
    let value = table.get("step")?;
    let last = run.map(|run| run.count("steps").saturating_sub(1));
    let step = whole(value);
    match (step, last) {
        (Some(step), Some(last)) if step > last => {
            let problem = format!("the run ends before step {}", step.saturating_add(1));
            walker.fault(&value.span(), ParamError::new(format!("{path}.step"), problem, format!("from 0 to {last}")));
            None
        }
        (None, _) => {
            let allowed = last.map_or_else(
                || "a whole number of steps".to_owned(),
                |last| format!("a whole number from 0 to {last}"),
            );
            walker.fault(&value.span(), ParamError::new(format!("{path}.step"), found(value), allowed));
            None
        }
        _ => step,
    }
}

fn read_event_set<'t, 'i>(table: &'t DeTable<'i>, path: &str, walker: &mut Walker) -> Option<&'t DeTable<'i>> {
    let value = table.get("set")?;
    match value.get_ref() {
        DeValue::Table(set) if !set.is_empty() => Some(set),
        other => {
            let problem =
                if matches!(other, DeValue::Table(_)) { "nothing is changed".to_owned() } else { found(value) };
            walker.fault(&value.span(), ParamError::new(format!("{path}.set"), problem, NEW_VALUES));
            None
        }
    }
}

/// Reads the changes in `set` into `changes`, and applies them to `settings`. A table without a kind
/// stands for the parameters in it: `step_size.initial = 0.1` and `"step_size.initial" = 0.1` are the same.
fn read_changes(
    set: &DeTable<'_>,
    here: &str,
    prefix: &str,
    settings: &mut Settings,
    changes: &mut BTreeMap<String, Value>,
    walker: &mut Walker,
) {
    for (key, value) in set {
        let name: &str = key.get_ref();
        let (path, here) = (join(prefix, name), join(here, name));
        let spec = match settings.spec_at(&path) {
            Some(spec) if is_live(settings, &path) => spec,
            spec => {
                let live = live_paths(settings);
                let problem = match spec {
                    Some(_) => format!("\"{path}\" is fixed while a run goes on"),
                    None => format!("no parameter \"{path}\"{}", suggestion(&path, live.iter().map(String::as_str))),
                };
                walker.fault(&key.span(), ParamError::new(here, problem, live.join(", ")));
                continue;
            }
        };
        match (spec.ty, value.get_ref()) {
            (ParamType::Group(_), DeValue::Table(table)) if !table.contains_key("kind") => {
                read_changes(table, &here, &path, settings, changes, walker);
            }
            _ => {
                if walker.assign(settings, spec, &path, value, &here) {
                    changes.extend(settings.at(&path).map(|value| (path, value.clone())));
                }
            }
        }
    }
}

/// Applies changes to the settings of a run. One that is not allowed is passed over here, and reported
/// when the scenario is built.
pub(super) fn apply(settings: &mut Settings, changes: &BTreeMap<String, Value>) {
    for (path, value) in changes {
        settings.set(path, value.clone()).ok();
    }
}

/// Whether a parameter and all groups around it may change while a run goes on.
pub(super) fn is_live(settings: &Settings, path: &str) -> bool {
    let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
    ends.into_iter().all(|end| settings.spec_at(&path[..end]).is_some_and(|spec| spec.live))
}

/// The paths of all parameters that may change while a run goes on.
pub(super) fn live_paths(settings: &Settings) -> Vec<String> {
    let mut paths = Vec::new();
    for spec in settings.kind.params.iter().filter(|spec| spec.live) {
        paths.push(spec.key.to_owned());
        if let Some(group) = settings.group(spec.key) {
            paths.extend(live_paths(group).into_iter().map(|path| join(spec.key, &path)));
        }
    }
    paths
}
