//! Reader of scenario files. It finds all errors at once, each with its line and column.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::errors::{ScenarioError, ScenarioErrors, TextPositions};
use super::events::Ordered;
use super::read_run::{DraftRun, read_run};
use super::table_reader::{TableReader, TextRange, found};
use super::{
    Caption, Challenge, DEFAULT_SEED, FORMAT, Folder, MAX_BYTES, MAX_EVENTS, MAX_RUNS, Scenario, Sweep, ViewSpec,
    assemble, budget, challenge, edit, events, packed, sweep, view,
};
use base::params::{KindSpec, ParamError, Settings, excerpt};
use models::targets::TARGETS;
use samplers::methods::METHODS;

/// The keys at the top of a file.
const TOP: [&str; 12] =
    ["format", "title", "caption", "seed", "budget", "target", "run", "event", "challenge", "sweep", "figure", "view"];
/// The longest text, in bytes, whose errors of syntax are all listed.
const ALL_ERRORS: usize = 64 << 10;

/// The kinds that a file can name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinds {
    /// Targets.
    pub targets: &'static [KindSpec],
    /// Methods.
    pub methods: &'static [KindSpec],
}

/// What could be read of a file; a part that could not is `None`.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub title: String,
    pub caption: Caption,
    pub seed: u64,
    pub budget: Option<f64>,
    pub target: Option<Settings>,
    pub runs: Vec<DraftRun>,
    pub events: Ordered,
    pub challenges: Vec<Challenge>,
    pub sweep: Option<Sweep>,
    pub view: ViewSpec,
}

/// Reads a scenario. `file` is its name in messages; relative paths in it are looked up in `folder`.
///
/// # Errors
/// Everything that is wrong with the text, and everything that would keep the scenario from being built.
pub fn read(text: &str, file: &str, folder: impl Into<Folder>) -> Result<Scenario, ScenarioErrors> {
    read_in(text, file, &folder.into(), assemble::complete)
}

/// Reads a scenario and builds nothing of it, which may take long: what keeps it from being built is found when it is built.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn read_unbuilt(text: &str, file: &str, folder: impl Into<Folder>) -> Result<Scenario, ScenarioErrors> {
    read_in(text, file, &folder.into(), assemble::unbuilt)
}

/// Reads a text, of whose draft `make` makes the scenario.
fn read_in(
    text: &str,
    file: &str,
    folder: &Folder,
    make: impl FnOnce(Draft, &Folder, &mut TableReader) -> Option<Scenario>,
) -> Result<Scenario, ScenarioErrors> {
    let kinds = Kinds { targets: &TARGETS, methods: &METHODS };
    let inside = packed::inside(text, file).transpose()?;
    let mut scenario = read_document(inside.as_deref().unwrap_or(text), file, |table, reader| {
        make(read_parts(table, kinds, reader), folder, reader)
    })?;
    scenario.view.packed = inside.is_some();
    Ok(scenario)
}

/// Reads a text in TOML of this format, of whose table `make` makes something. `file` is its name in messages.
pub(super) fn read_document<T>(
    text: &str,
    file: &str,
    make: impl FnOnce(&DeTable<'_>, &mut TableReader) -> Option<T>,
) -> Result<T, ScenarioErrors> {
    let mut positions = TextPositions::new(text);
    let in_text = |(offset, error): (usize, ParamError)| {
        let (line, column) = positions.at(offset);
        let ParamError { path, problem, allowed } = error;
        ScenarioError { file: file.to_owned(), line, column, key: excerpts(&path), problem, allowed }
    };
    let mut reader = TableReader::default();
    let made = short_enough(text, &mut reader).and_then(|()| read_table(text, &mut reader, make));
    match made {
        Some(made) if reader.count() == 0 => Ok(made),
        _ => {
            let (faults, more) = reader.into_faults();
            Err(ScenarioErrors { errors: faults.into_iter().map(in_text).collect(), more })
        }
    }
}

/// A path of keys, each as an [`excerpt`].
fn excerpts(path: &str) -> String {
    path.split('.').map(excerpt).collect::<Vec<_>>().join(".")
}

/// Refuses a text that is too long before anything is made of it.
fn short_enough(text: &str, reader: &mut TableReader) -> Option<()> {
    if text.len() > MAX_BYTES {
        let problem = format!("{} bytes are too many for a scenario", text.len());
        reader.fault(&(0..0), ParamError::new("", problem, format!("at most {MAX_BYTES}")));
        return None;
    }
    Some(())
}

/// Reads what can be read of a scenario; `None` where the text is not TOML or of another format.
#[cfg(test)]
pub(super) fn read_draft(text: &str, kinds: Kinds, reader: &mut TableReader) -> Option<Draft> {
    read_table(text, reader, |table, reader| Some(read_parts(table, kinds, reader)))
}

/// Makes something of the table of a text; `None` where that is not TOML or of another format.
fn read_table<T>(
    text: &str,
    reader: &mut TableReader,
    make: impl FnOnce(&DeTable<'_>, &mut TableReader) -> Option<T>,
) -> Option<T> {
    let (document, syntax) = parse(text);
    for error in &syntax {
        let span = error.span().unwrap_or(0..0);
        reader.fault(&span, syntax_error(error.message(), span.is_empty()));
    }
    if !syntax.is_empty() {
        return None;
    }
    let table = document.get_ref();
    if read_format(table, reader) { make(table, reader) } else { None }
}

/// The document and its errors of syntax; of a long text the first one, since the parser needs a kilobyte for each.
fn parse(text: &str) -> (Spanned<DeTable<'_>>, Vec<toml::de::Error>) {
    if text.len() <= ALL_ERRORS {
        return DeTable::parse_recoverable(text);
    }
    match DeTable::parse(text) {
        Ok(document) => (document, Vec::new()),
        Err(error) => (Spanned::new(0..0, DeTable::new()), vec![error]),
    }
}

/// The parser's message, cut where it goes on to say what it expected. Of a value that is not there the
/// parser says that it lacks quotes.
fn syntax_error(message: &str, nothing_there: bool) -> ParamError {
    let (problem, allowed) = match message.split_once(", expected ") {
        Some(("string values must be quoted", _)) if nothing_there => ("a value is missing", "key = value"),
        Some(parts) => parts,
        None => (message, "well-formed TOML"),
    };
    ParamError::new("", format!("not valid TOML: {problem}"), allowed)
}

/// Whether the file is of a format that is known here.
fn read_format(table: &DeTable<'_>, reader: &mut TableReader) -> bool {
    let allowed = format!("format = {FORMAT}");
    let Some(value) = table.get("format") else {
        let problem = if table.is_empty() { "the file is empty" } else { "is missing" };
        reader.fault(&(0..0), ParamError::new("format", problem, allowed));
        return !table.is_empty();
    };
    let number = whole(value);
    if number == Some(FORMAT) {
        return true;
    }
    let problem = match number {
        Some(number) if number > FORMAT => format!("format {number} is newer than this version of Sampler Lab"),
        Some(number) => format!("format {number} does not exist"),
        None => found(value),
    };
    reader.fault(&value.span(), ParamError::new("format", problem, allowed));
    number.is_none()
}

fn read_parts(table: &DeTable<'_>, kinds: Kinds, reader: &mut TableReader) -> Draft {
    for (key, _) in table.iter().filter(|(key, _)| !TOP.contains(&key.get_ref().as_ref())) {
        reader.unknown_key(&key.span(), key.get_ref(), key.get_ref(), TOP.into_iter());
    }
    let mut draft = Draft {
        title: read_text(table, "title", "title", reader).unwrap_or_default(),
        caption: Caption::read(table, reader),
        seed: read_seed(table, reader),
        budget: budget::read(table, reader),
        target: read_target(table, "target", kinds.targets, reader),
        ..Draft::default()
    };
    let runs = read_tables(table, "run", MAX_RUNS, reader);
    if !table.contains_key("run") {
        reader.fault(&(0..0), ParamError::new("run", "is missing", "one or more [[run]] tables"));
    }
    for (index, (run, at)) in runs.into_iter().enumerate() {
        let run = read_run(run, &at, &format!("run[{index}]"), (kinds.methods, draft.budget), reader);
        check_name(&run, index, &draft.runs, reader);
        draft.runs.push(run);
    }
    draft.events = events::read(table, kinds, &draft.runs, reader);
    let names: Vec<&str> = draft.runs.iter().filter_map(|run| run.name.as_deref()).collect();
    draft.challenges = challenge::read(table, &names, reader);
    draft.sweep = sweep::read(table, &names, reader);
    draft.view = view::read(table, &names, reader);
    draft
}

/// A text under `key`, if it is there.
pub(super) fn read_text(table: &DeTable<'_>, key: &str, path: &str, reader: &mut TableReader) -> Option<String> {
    let value = table.get(key)?;
    reader.locate(path, value.span());
    if let DeValue::String(text) = value.get_ref() {
        return Some(text.clone().into_owned());
    }
    reader.fault(&value.span(), ParamError::new(path, found(value), "text in quotes"));
    None
}

/// Whether a switch under `key` is on, if it is there.
pub(super) fn read_switch(table: &DeTable<'_>, key: &str, path: &str, reader: &mut TableReader) -> Option<bool> {
    let value = table.get(key)?;
    reader.locate(path, value.span());
    if let DeValue::Boolean(on) = value.get_ref() {
        return Some(*on);
    }
    reader.fault(&value.span(), ParamError::new(path, found(value), "true or false"));
    None
}

/// The entries of a list under `key`, which may be absent, with their numbers; more than `most` are an error.
pub(super) fn read_list<'t, 'i>(
    table: &'t DeTable<'i>,
    key: &str,
    path: &str,
    most: usize,
    allowed: &str,
    reader: &mut TableReader,
) -> Vec<(usize, &'t Spanned<DeValue<'i>>)> {
    let Some(value) = table.get(key) else { return Vec::new() };
    let DeValue::Array(array) = value.get_ref() else {
        reader.fault(&value.span(), ParamError::new(path, found(value), allowed));
        return Vec::new();
    };
    if array.len() > most {
        let problem = format!("there are {} entries", array.len());
        reader.fault(&value.span(), ParamError::new(path, problem, format!("at most {most}")));
    }
    array.iter().enumerate().take(most).collect()
}

/// The texts of a list under `key`, which may be absent.
pub(super) fn read_texts(
    table: &DeTable<'_>,
    key: &str,
    path: &str,
    most: usize,
    reader: &mut TableReader,
) -> Vec<String> {
    let mut texts = Vec::new();
    for (index, value) in read_list(table, key, path, most, "a list of texts in quotes", reader) {
        match value.get_ref() {
            DeValue::String(text) => texts.push(text.to_string()),
            _ => {
                reader
                    .fault(&value.span(), ParamError::new(format!("{path}[{index}]"), found(value), "text in quotes"));
            }
        }
    }
    texts
}

fn read_seed(table: &DeTable<'_>, reader: &mut TableReader) -> u64 {
    let Some(value) = table.get("seed") else { return DEFAULT_SEED };
    whole(value).unwrap_or_else(|| {
        let allowed = format!("a whole number from 0 to {}", u64::MAX);
        reader.fault(&value.span(), ParamError::new("seed", found(value), allowed));
        DEFAULT_SEED
    })
}

/// A whole number from 0 up, if the value is one.
pub(super) fn whole(value: &Spanned<DeValue<'_>>) -> Option<u64> {
    match value.get_ref() {
        DeValue::Integer(integer) => u64::from_str_radix(integer.as_str(), integer.radix()).ok(),
        _ => None,
    }
}

/// The target under the key `target` of a table; `path` is its key.
pub(super) fn read_target(
    table: &DeTable<'_>,
    path: &str,
    kinds: &'static [KindSpec],
    reader: &mut TableReader,
) -> Option<Settings> {
    let allowed = "a [target] table with a kind";
    let Some(value) = table.get("target") else {
        reader.fault(&(0..0), ParamError::new(path, "is missing", allowed));
        return None;
    };
    reader.locate(path, value.span());
    let DeValue::Table(target) = value.get_ref() else {
        reader.fault(&value.span(), ParamError::new(path, found(value), allowed));
        return None;
    };
    let before = reader.count();
    let kind = reader.kind(target, &value.span(), path, "kind", kinds)?;
    let settings = reader.settings(target, &value.span(), path, kind, &["kind"]);
    (reader.count() == before).then_some(settings)
}

/// The events of a file, in its order.
pub(super) fn read_event_tables<'t, 'i>(
    table: &'t DeTable<'i>,
    reader: &mut TableReader,
) -> Vec<(&'t DeTable<'i>, TextRange)> {
    read_tables(table, "event", MAX_EVENTS, reader)
}

/// The first tables of a list of tables, which may be absent; more than `most` are an error.
pub(super) fn read_tables<'t, 'i>(
    table: &'t DeTable<'i>,
    key: &str,
    most: usize,
    reader: &mut TableReader,
) -> Vec<(&'t DeTable<'i>, TextRange)> {
    let Some(value) = table.get(key) else { return Vec::new() };
    let allowed = format!("[[{key}]] tables");
    let DeValue::Array(array) = value.get_ref() else {
        reader.fault(&value.span(), ParamError::new(key, found(value), allowed));
        return Vec::new();
    };
    if array.len() > most {
        let problem = format!("there are {} of them", array.len());
        // Their list has no position of its own in the text: the first one too many is where it is too long.
        let at = array.get(most).map_or(0..0, Spanned::span);
        reader.fault(&at, ParamError::new(key, problem, format!("at most {most} {allowed}")));
    }
    let mut tables = Vec::new();
    for (index, item) in array.iter().enumerate().take(most) {
        match item.get_ref() {
            DeValue::Table(table) => tables.push((table, item.span())),
            _ => reader.fault(&item.span(), ParamError::new(format!("{key}[{index}]"), found(item), &allowed)),
        }
    }
    if array.is_empty() {
        reader.fault(&value.span(), ParamError::new(key, "the list is empty", format!("one or more {allowed}")));
    }
    tables
}

/// Notes a name that cannot be one or that an earlier run has.
fn check_name(run: &DraftRun, index: usize, earlier: &[DraftRun], reader: &mut TableReader) {
    let Some(name) = &run.name else { return };
    let names = earlier.iter().filter_map(|run| run.name.as_deref());
    if let Err(error) = edit::check_name(name, names) {
        reader.fault_at_path(error.under(&format!("run[{index}]")));
    }
}
