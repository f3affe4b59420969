//! Reader of TOML tables: it turns them into settings of targets, methods and groups by their tables of parameters.
//! It does not stop at an error; it records the error and continues with the default.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::near::suggestion;
use super::values::number_of;
use base::params::{
    Choice, DefaultValue, KindSpec, MOST_ERRORS, NamedNumber, ParamError, ParamSpec, ParamType, Picture, Settings,
    Value, excerpt, find_kind, type_in_words,
};
use samplers::methods::why_no_gradient;

/// A range of the text, in bytes.
pub(super) type TextRange = Range<usize>;

/// The most errors that are put into words: a file with more is not a scenario that someone wrote, and the others are
/// counted. Of these the first of the text are reported.
const MOST_FAULTS: usize = 5 * MOST_ERRORS;

/// Most tables of a list that is a parameter; fewer may be allowed there.
const MOST_ITEMS: usize = 1000;

/// Reads the tables of one file; collects the errors and the position of each key in the text.
#[derive(Debug, Default)]
pub(super) struct TableReader {
    faults: Vec<(usize, ParamError)>,
    /// Errors that are not in the list.
    more: usize,
    ranges: BTreeMap<String, TextRange>,
}

impl TableReader {
    /// Records an error at a position in the text.
    pub(super) fn fault(&mut self, at: &TextRange, error: ParamError) {
        self.fault_by(at, || error);
    }

    /// Records an error that takes time to describe; beyond the number that is described it is only counted.
    pub(super) fn fault_by(&mut self, at: &TextRange, describe: impl FnOnce() -> ParamError) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.faults.push((at.start, describe()));
        }
    }

    /// Records an error at the position of its path, or of the nearest table around it.
    pub(super) fn fault_at_path(&mut self, error: ParamError) {
        let at = self.nearest(&error.path);
        self.fault(&at, error);
    }

    /// Number of errors so far.
    pub(super) fn count(&self) -> usize {
        self.faults.len() + self.more
    }

    fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// The errors with their byte offsets, in the order of the text; of very many the first and the number of the others.
    pub(super) fn into_faults(mut self) -> (Vec<(usize, ParamError)>, usize) {
        let count = self.count();
        self.faults.sort_by_key(|fault| fault.0);
        self.faults.truncate(MOST_ERRORS);
        let more = count - self.faults.len();
        (self.faults, more)
    }

    /// Records the position of the value at `path`.
    pub(super) fn locate(&mut self, path: &str, range: TextRange) {
        self.ranges.insert(path.to_owned(), range);
    }

    fn nearest(&self, mut path: &str) -> TextRange {
        loop {
            if let Some(span) = self.ranges.get(path) {
                return span.clone();
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 0..0,
            }
        }
    }

    /// The kind that a table names under `key`; where only one is possible the key may be left out.
    pub(super) fn kind(
        &mut self,
        table: &DeTable<'_>,
        at: &TextRange,
        path: &str,
        key: &str,
        kinds: &'static [KindSpec],
    ) -> Option<&'static KindSpec> {
        let path = join(path, key);
        let allowed = || quoted(kinds.iter().map(|kind| kind.name));
        let Some(value) = table.get(key) else {
            if let [only] = kinds {
                return Some(only);
            }
            self.fault(at, ParamError::new(path, "is missing", allowed()));
            return None;
        };
        self.locate(&path, value.span());
        let DeValue::String(name) = value.get_ref() else {
            self.fault(&value.span(), ParamError::new(path, found(value), allowed()));
            return None;
        };
        let kind = find_kind(kinds, name);
        if kind.is_none() {
            let names = || kinds.iter().map(|kind| kind.name);
            let reason = why_no_gradient(name).filter(|_| names().any(|kind| kind == "minibatch"));
            let hint = reason.map_or_else(|| suggestion(name, names()), |reason| format!(" ({reason})"));
            let problem = format!("unknown {key} \"{}\"{hint}", excerpt(name));
            self.fault(&value.span(), ParamError::new(path, problem, allowed()));
        }
        kind
    }

    /// The settings in a table of a kind. Keys in `beside` belong to the caller and are skipped.
    pub(super) fn settings(
        &mut self,
        table: &DeTable<'_>,
        at: &TextRange,
        path: &str,
        kind: &'static KindSpec,
        beside: &[&str],
    ) -> Settings {
        let mut settings = Settings::defaults(kind);
        for (key, value) in table {
            let name: &str = key.get_ref();
            if beside.contains(&name) {
                continue;
            }
            let here = join(path, name);
            match kind.param(name) {
                Some(spec) => _ = self.assign(&mut settings, spec, name, value, &here),
                None => {
                    let keys = beside.iter().copied().chain(kind.params.iter().map(|spec| spec.key));
                    self.unknown_key(&key.span(), &here, name, keys);
                }
            }
        }
        settings.drop_numbers_of_default_text(|key| table.contains_key(key));
        for spec in settings.missing().filter(|spec| !table.contains_key(spec.key)) {
            self.fault(at, ParamError::new(join(path, spec.key), "is missing", type_in_words(spec.ty)));
        }
        settings
    }

    /// Reads a value and puts it at `key` (a dotted path) of `settings`; says whether that went well.
    pub(super) fn assign(
        &mut self,
        settings: &mut Settings,
        spec: &'static ParamSpec,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        here: &str,
    ) -> bool {
        self.locate(here, value.span());
        let Some(read) = self.value(spec, value, here) else { return false };
        let outcome = settings.set(key, read);
        if let Err(error) = &outcome {
            self.fault(&value.span(), ParamError::new(here, &error.problem, &error.allowed));
        }
        outcome.is_ok()
    }

    /// Notes a key that is not among `keys`.
    pub(super) fn unknown_key<'k>(
        &mut self,
        at: &TextRange,
        path: &str,
        name: &str,
        keys: impl Iterator<Item = &'k str> + Clone,
    ) {
        self.fault_by(at, || {
            let problem = format!("unknown key{}", suggestion(name, keys.clone()));
            let allowed = keys.collect::<Vec<_>>().join(", ");
            let allowed = if allowed.is_empty() { "no keys here".to_owned() } else { allowed };
            ParamError::new(path, problem, allowed)
        });
    }

    /// A value of the type of `spec`; its range is checked when it is set.
    fn value(&mut self, spec: &'static ParamSpec, value: &Spanned<DeValue<'_>>, path: &str) -> Option<Value> {
        match (spec.ty, value.get_ref()) {
            (ParamType::Number { .. } | ParamType::Integer { .. }, DeValue::Integer(_) | DeValue::Float(_)) => {
                self.number(spec, value, path).map(Value::Number)
            }
            (ParamType::Flag, DeValue::Boolean(flag)) => Some(Value::Flag(*flag)),
            (ParamType::Choice(choices), DeValue::String(word)) => self.choice(choices, word, &value.span(), path),
            (ParamType::Text, DeValue::String(text)) => Some(Value::Text(text.clone().into_owned())),
            (ParamType::Pair { .. }, DeValue::Array(array)) => self.numbers(spec, array, value, path).map(Value::Pair),
            (ParamType::Covariance, DeValue::Array(array)) => {
                let rows = self.rows(spec, array, path)?;
                match rows.try_into() {
                    Ok(matrix) => Some(Value::Covariance(matrix)),
                    Err(_) => self.mismatch(spec, value, path),
                }
            }
            (ParamType::Knots | ParamType::Points { .. }, DeValue::Array(array)) => {
                self.rows(spec, array, path).map(Value::Points)
            }
            (ParamType::Group(kinds), DeValue::Table(table)) => self.group(spec, kinds, table, &value.span(), path),
            (ParamType::List(kind), DeValue::Array(array)) => self.list(spec, kind, array, path),
            (ParamType::Named, DeValue::Table(table)) => self.named(spec, table, path),
            (ParamType::Picture, DeValue::Array(array)) => self.picture(spec, array, path),
            _ => self.mismatch(spec, value, path),
        }
    }

    /// Notes a value of the wrong type.
    fn mismatch<T>(&mut self, spec: &ParamSpec, value: &Spanned<DeValue<'_>>, path: &str) -> Option<T> {
        self.fault(&value.span(), ParamError::new(path, found(value), type_in_words(spec.ty)));
        None
    }

    fn number(&mut self, spec: &ParamSpec, value: &Spanned<DeValue<'_>>, path: &str) -> Option<f64> {
        match number_of(value.get_ref()).filter(|number| number.is_finite()) {
            Some(number) => Some(number),
            None => self.mismatch(spec, value, path),
        }
    }

    fn numbers<const N: usize>(
        &mut self,
        spec: &ParamSpec,
        array: &DeArray<'_>,
        whole: &Spanned<DeValue<'_>>,
        path: &str,
    ) -> Option<[f64; N]> {
        if array.len() != N {
            return self.mismatch(spec, whole, path);
        }
        let mut numbers = [0.0; N];
        for (number, entry) in numbers.iter_mut().zip(array.iter()) {
            *number = self.number(spec, entry, path)?;
        }
        Some(numbers)
    }

    fn rows(&mut self, spec: &ParamSpec, array: &DeArray<'_>, path: &str) -> Option<Vec<[f64; 2]>> {
        let rows = array.iter().map(|row| match row.get_ref() {
            DeValue::Array(entries) => self.numbers(spec, entries, row, path),
            _ => self.mismatch(spec, row, path),
        });
        // All rows are looked at before the first bad one decides.
        rows.collect::<Vec<_>>().into_iter().collect()
    }

    fn choice(&mut self, choices: &'static [Choice], word: &str, at: &TextRange, path: &str) -> Option<Value> {
        let choice = choices.iter().find(|choice| choice.name == word);
        if choice.is_none() {
            let names = choices.iter().map(|choice| choice.name);
            let problem = format!("unknown word \"{}\"{}", excerpt(word), suggestion(word, names.clone()));
            self.fault(at, ParamError::new(path, problem, quoted(names)));
        }
        choice.map(|choice| Value::Choice(choice.name))
    }

    /// A table of one of several kinds. Files from before there were several do not name the one they mean: it is the default, if all
    /// their keys are its own.
    fn group(
        &mut self,
        spec: &ParamSpec,
        kinds: &'static [KindSpec],
        table: &DeTable<'_>,
        at: &TextRange,
        path: &str,
    ) -> Option<Value> {
        let usual = if let DefaultValue::Kind(name) = spec.default { find_kind(kinds, name) } else { None };
        let is_meant = |kind: &&KindSpec| table.keys().all(|key| kind.param(key.get_ref()).is_some());
        let kind = match usual.filter(|kind| !table.is_empty() && is_meant(kind)) {
            Some(kind) => kind,
            None => self.kind(table, at, path, "kind", kinds)?,
        };
        Some(Value::Group(self.settings(table, at, path, kind, &["kind"])))
    }

    /// Numbers with names: each a number, or a table of a number with the ends of its slider.
    fn named(&mut self, spec: &'static ParamSpec, table: &DeTable<'_>, path: &str) -> Option<Value> {
        const KEYS: [&str; 3] = ["value", "from", "to"];
        let mut numbers = Vec::with_capacity(table.len());
        for (key, value) in table {
            let name: &str = key.get_ref();
            let here = join(path, name);
            let DeValue::Table(parts) = value.get_ref() else {
                numbers.push(self.number(spec, value, &here).map(|number| NamedNumber::new(name, number)));
                continue;
            };
            for (key, _) in parts.iter().filter(|(key, _)| !KEYS.contains(&&**key.get_ref())) {
                self.unknown_key(&key.span(), &join(&here, key.get_ref()), key.get_ref(), KEYS.into_iter());
            }
            let [number, from, to] =
                KEYS.map(|key| parts.get(key).map(|part| self.number(spec, part, &join(&here, key))));
            numbers.push(match (number, from, to) {
                (Some(Some(value)), Some(Some(from)), Some(Some(to))) => {
                    Some(NamedNumber { name: name.to_owned(), value, range: Some((from, to)) })
                }
                (Some(value), None, None) => value.map(|value| NamedNumber::new(name, value)),
                (Some(None), ..) | (_, Some(None), _) | (_, _, Some(None)) => None,
                _ => {
                    let allowed = "{ value = 0.5, from = 0.0, to = 2.0 }";
                    self.fault(
                        &value.span(),
                        ParamError::new(here, "a number with its slider has all three keys", allowed),
                    );
                    None
                }
            });
        }
        numbers.into_iter().collect::<Option<Vec<_>>>().map(Value::Named)
    }

    fn picture(&mut self, spec: &ParamSpec, array: &DeArray<'_>, path: &str) -> Option<Value> {
        let mut rows = Vec::with_capacity(array.len().min(MOST_ITEMS));
        for (index, row) in array.iter().take(MOST_ITEMS).enumerate() {
            let here = format!("{path}[{index}]");
            self.locate(&here, row.span());
            match row.get_ref() {
                DeValue::String(text) => rows.push(&**text),
                _ => return self.mismatch(spec, row, &here),
            }
        }
        match Picture::read(rows.into_iter()) {
            Ok(picture) => Some(Value::Picture(picture)),
            Err(error) => {
                let row = if error.path.is_empty() { String::new() } else { format!("[{}]", error.path) };
                self.fault_at_path(ParamError::new(format!("{path}{row}"), error.problem, error.allowed));
                None
            }
        }
    }

    fn list(&mut self, spec: &ParamSpec, kind: &'static KindSpec, array: &DeArray<'_>, path: &str) -> Option<Value> {
        if array.len() > MOST_ITEMS {
            let problem = format!("there are {} entries", array.len());
            self.fault_at_path(ParamError::new(path, problem, format!("at most {MOST_ITEMS}")));
            return None;
        }
        let items = array.iter().enumerate().map(|(index, item)| {
            let here = format!("{path}[{index}]");
            self.locate(&here, item.span());
            match item.get_ref() {
                DeValue::Table(table) => Some(self.settings(table, &item.span(), &here, kind, &[])),
                _ => self.mismatch(spec, item, &here),
            }
        });
        // All items are looked at before the first bad one decides.
        items.collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>().map(Value::List)
    }
}

/// `key` under `path`.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// What a value is, in words: `found text "ten"`.
pub(super) fn found(value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::String(text) => format!("found text \"{}\"", excerpt(text)),
        DeValue::Integer(number) => format!("found the number {}", excerpt(&number.to_string())),
        DeValue::Float(number) => format!("found the number {}", excerpt(number.as_str())),
        DeValue::Boolean(flag) => format!("found {flag}"),
        DeValue::Datetime(date) => format!("found the date {date}"),
        DeValue::Array(array) => format!("found a list of {}", array.len()),
        DeValue::Table(_) => "found a table".to_owned(),
    }
}

/// Names in quotes, joined by commas; of long ones the beginning.
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("\"{}\"", excerpt(name))).collect::<Vec<_>>().join(", ")
}
