//! Events: changes of parameters, methods and targets while runs are under way; reading and applying them.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::near::suggestion;
use super::read::{Kinds, read_event_tables, read_target, read_text, whole};
use super::read_run::DraftRun;
use super::table_reader::{TableReader, TextRange, found, join, quoted};
use super::{Change, Event, METHOD};
use base::params::{KindSpec, ParamError, ParamType, Settings, Value, excerpt, find_kind};
use samplers::methods::{self, METHODS};

/// The keys of an `[[event]]`: one that changes a run has `run` and `set`, one that changes the target has `target`.
const KEYS: [&str; 4] = ["run", "step", "set", "target"];

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
    step: u64,
    change: RawChange<'t, 'i>,
}

/// What an event changes, as far as it is read.
enum RawChange<'t, 'i> {
    /// A run, by number.
    Run(usize, &'t DeTable<'i>),
    /// The target.
    Target(Settings),
}

/// The events in order of step. Their changes are read in that order, since an event may change the
/// kind of a group and a later one a parameter that only the new kind has.
pub(super) fn read(table: &DeTable<'_>, kinds: Kinds, runs: &[DraftRun], reader: &mut TableReader) -> Ordered {
    let tables = read_event_tables(table, reader);
    let mut raw: Vec<RawEvent<'_, '_>> = Vec::new();
    for (number, (table, at)) in tables.into_iter().enumerate() {
        let path = format!("event[{number}]");
        reader.locate(&path, at.clone());
        for (key, _) in table.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
            reader.unknown_key(&key.span(), &format!("{path}.{}", key.get_ref()), key.get_ref(), KEYS.into_iter());
        }
        raw.extend(if table.contains_key("target") {
            read_target_event(table, &at, number, kinds, reader)
        } else {
            read_run_event(table, &at, number, runs, reader)
        });
    }
    raw.sort_by_key(|event| event.step);
    let mut current: Vec<Option<Settings>> = runs.iter().map(|run| run.settings.clone()).collect();
    let mut ordered = Ordered::default();
    for RawEvent { number, step, change } in raw {
        let change = match change {
            RawChange::Target(target) => Change::Target(target),
            RawChange::Run(run, set) => {
                let (Some(settings), Some(name)) = (&mut current[run], &runs[run].name) else { continue };
                let mut changes = BTreeMap::new();
                let here = format!("event[{number}].set");
                read_method(set, &here, settings, &mut changes, reader);
                read_changes(set, &here, "", settings, &mut changes, reader);
                Change::Run { run: name.clone(), set: changes }
            }
        };
        ordered.events.push(Event { step, change });
        ordered.numbers.push(number);
    }
    ordered
}

/// Says that keys of an event are missing.
fn missing(table: &DeTable<'_>, at: &TextRange, path: &str, keys: &[(&str, &str)], reader: &mut TableReader) {
    for (key, allowed) in keys.iter().filter(|(key, _)| !table.contains_key(*key)) {
        reader.fault(at, ParamError::new(format!("{path}.{key}"), "is missing", *allowed));
    }
}

fn read_run_event<'t, 'i>(
    table: &'t DeTable<'i>,
    at: &TextRange,
    number: usize,
    runs: &[DraftRun],
    reader: &mut TableReader,
) -> Option<RawEvent<'t, 'i>> {
    let path = &format!("event[{number}]");
    let keys = [
        ("run", "the name of a run, or a target in the place of run and set"),
        ("step", "a whole number of steps"),
        ("set", NEW_VALUES),
    ];
    missing(table, at, path, &keys, reader);
    let run = read_event_run(table, path, runs, reader);
    let step = read_event_step(table, path, reader);
    let set = read_event_set(table, path, reader);
    Some(RawEvent { number, step: step?, change: RawChange::Run(run?, set?) })
}

fn read_target_event<'t, 'i>(
    table: &'t DeTable<'i>,
    at: &TextRange,
    number: usize,
    kinds: Kinds,
    reader: &mut TableReader,
) -> Option<RawEvent<'t, 'i>> {
    let path = &format!("event[{number}]");
    missing(table, at, path, &[("step", "a whole number of steps")], reader);
    for key in ["run", "set"] {
        if let Some(value) = table.get(key) {
            let problem = "an event changes a run or the target, not both";
            reader.fault(&value.span(), ParamError::new(format!("{path}.{key}"), problem, "another [[event]] for it"));
        }
    }
    let step = read_event_step(table, path, reader);
    let target = read_target(table, &format!("{path}.target"), kinds.targets, reader);
    Some(RawEvent { number, step: step?, change: RawChange::Target(target?) })
}

fn read_event_run(table: &DeTable<'_>, path: &str, runs: &[DraftRun], reader: &mut TableReader) -> Option<usize> {
    let path = format!("{path}.run");
    let name = read_text(table, "run", &path, reader)?;
    let mut named = (0..runs.len()).filter(|&run| runs[run].name.as_deref() == Some(&name));
    let (run, another) = (named.next(), named.next());
    if another.is_some() {
        // Which run is meant cannot be known; that two have this name is said where they stand.
        return None;
    }
    if run.is_none() {
        let names = || runs.iter().filter_map(|run| run.name.as_deref());
        let problem = format!("there is no run \"{}\"{}", excerpt(&name), suggestion(&name, names()));
        reader.fault_at_path(ParamError::new(path, problem, quoted(names())));
    }
    run
}

fn read_event_step(table: &DeTable<'_>, path: &str, reader: &mut TableReader) -> Option<u64> {
    let value = table.get("step")?;
    let path = format!("{path}.step");
    reader.locate(&path, value.span());
    let step = whole(value);
    if step.is_none() {
        reader.fault(&value.span(), ParamError::new(path, found(value), "a whole number of steps"));
    }
    step
}

fn read_event_set<'t, 'i>(table: &'t DeTable<'i>, path: &str, reader: &mut TableReader) -> Option<&'t DeTable<'i>> {
    let value = table.get("set")?;
    match value.get_ref() {
        DeValue::Table(set) if !set.is_empty() => Some(set),
        other => {
            let problem =
                if matches!(other, DeValue::Table(_)) { "the table is empty".to_owned() } else { found(value) };
            reader.fault(&value.span(), ParamError::new(format!("{path}.set"), problem, NEW_VALUES));
            None
        }
    }
}

/// Reads a change of method, which comes before those of parameters that only the new method has.
fn read_method(
    set: &DeTable<'_>,
    here: &str,
    settings: &mut Settings,
    changes: &mut BTreeMap<String, Value>,
    reader: &mut TableReader,
) {
    let Some(value) = set.get(METHOD) else { return };
    let Some(kind) = reader.kind(set, &value.span(), here, METHOD, &METHODS) else { return };
    *settings = settings_for_method(settings, kind);
    changes.insert(METHOD.to_owned(), Value::Choice(kind.name));
}

/// Reads the changes in `set` into `changes`, and applies them to `settings`. A table without a kind
/// stands for the parameters in it: `step_size.initial = 0.1` and `"step_size.initial" = 0.1` are the same.
fn read_changes(
    set: &DeTable<'_>,
    here: &str,
    prefix: &str,
    settings: &mut Settings,
    changes: &mut BTreeMap<String, Value>,
    reader: &mut TableReader,
) {
    for (key, value) in set.iter().filter(|(key, _)| !(prefix.is_empty() && key.get_ref() == METHOD)) {
        let name: &str = key.get_ref();
        let (path, here) = (join(prefix, name), join(here, name));
        let spec = match settings.spec_at(&path) {
            Some(spec) if is_live(settings, &path) => spec,
            spec => {
                reader.fault_by(&key.span(), || {
                    let live = live_paths(settings);
                    let problem = match spec {
                        Some(_) => format!("\"{}\" cannot change while a run is under way", excerpt(&path)),
                        None => format!(
                            "no parameter \"{}\"{}",
                            excerpt(&path),
                            suggestion(&path, live.iter().map(String::as_str))
                        ),
                    };
                    ParamError::new(here, problem, live.join(", "))
                });
                continue;
            }
        };
        match (spec.ty, value.get_ref()) {
            (ParamType::Group(_), DeValue::Table(table)) if !table.contains_key("kind") => {
                read_changes(table, &here, &path, settings, changes, reader);
            }
            _ => {
                if reader.assign(settings, spec, &path, value, &here) {
                    changes.extend(settings.at(&path).map(|value| (path, value.clone())));
                }
            }
        }
    }
}

/// Applies changes to the settings of a run, the method first. One that is not allowed is passed over here, and reported
/// when the scenario is built.
pub(super) fn apply(settings: &mut Settings, changes: &BTreeMap<String, Value>) {
    for (path, value) in in_order(changes) {
        assign(settings, path, value.clone()).ok();
    }
}

/// Changes to settings after the newest, at `path`, has joined them: without those of parameters within it, and without
/// what the new method or kind does not have.
pub(super) fn consistent(before: &Settings, path: &str, changes: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let mut settings = before.clone();
    let within = format!("{path}.");
    let outside = in_order(changes).filter(|(key, _)| !key.starts_with(&within));
    let allowed = outside.filter(|(key, value)| assign(&mut settings, key, (*value).clone()).is_ok());
    allowed.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Changes with that of the method in front.
pub(super) fn in_order(changes: &BTreeMap<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    let (method, others): (Vec<_>, Vec<_>) = changes.iter().partition(|(path, _)| *path == METHOD);
    method.into_iter().chain(others)
}

/// The settings of a run for another method: every parameter that both have is kept, but for the step size where it
/// means something else. The step sizes of samplers, of approximations and of Adam are different things.
pub(super) fn settings_for_method(settings: &Settings, kind: &'static KindSpec) -> Settings {
    let mut converted = settings.converted(kind);
    if !methods::share_step_sizes(settings.kind, kind)
        && let Some(own) = Settings::defaults(kind).get("step_size")
    {
        // A default is allowed.
        converted.set("step_size", own.clone()).ok();
    }
    converted
}

/// Puts a value at a path of a run's settings; at [`METHOD`], takes another method, which keeps every parameter that
/// both have.
///
/// # Errors
/// If there is no such parameter or method, or the value is not allowed; nothing changes then.
pub(super) fn assign(settings: &mut Settings, path: &str, value: Value) -> Result<(), ParamError> {
    if path != METHOD {
        return settings.set(path, value);
    }
    let named = match &value {
        Value::Choice(name) => find_kind(&METHODS, name),
        _ => None,
    };
    let names = || METHODS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
    let kind = named.ok_or_else(|| ParamError::new(METHOD, "there is no such method", names()))?;
    *settings = settings_for_method(settings, kind);
    Ok(())
}

/// Whether a parameter and all groups around it may change while a run is under way.
pub(super) fn is_live(settings: &Settings, path: &str) -> bool {
    if path == METHOD {
        return true;
    }
    let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
    ends.into_iter().all(|end| settings.spec_at(&path[..end]).is_some_and(|spec| spec.live))
}

/// The paths of all that may change while a run is under way.
pub(super) fn live_paths(settings: &Settings) -> Vec<String> {
    [METHOD.to_owned()].into_iter().chain(live_parameters(settings)).collect()
}

fn live_parameters(settings: &Settings) -> Vec<String> {
    let mut paths = Vec::new();
    for spec in settings.kind.params.iter().filter(|spec| spec.live) {
        paths.push(spec.key.to_owned());
        if let Some(group) = settings.group(spec.key) {
            paths.extend(live_parameters(group).into_iter().map(|path| join(spec.key, &path)));
        }
    }
    paths
}
