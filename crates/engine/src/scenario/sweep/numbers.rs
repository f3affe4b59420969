//! Numbers of settings by their paths, as errors name them: `step_size.initial`, `component[0].weight`, `mean[1]`, `parameters.a`.
//!
//! A sweep can have any of them along an axis. Those of the target begin with `target.`; points, knots, matrices and pictures are left
//! out: single numbers of them mean little.

use crate::scenario::Scenario;
use base::params::{Interval, NamedNumber, ParamError, ParamSpec, ParamType, Settings, Value};
use samplers::schedules::{self, ALPHA};

/// The beginning of paths to parameters of the target.
pub const TARGET: &str = "target.";

/// A number of the run of a sweep, or of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its path; of the target, from [`TARGET`] down.
    pub path: String,
    /// Its name, as its control has it.
    pub label: String,
    /// The name of the group of parameters that has it; empty of those in none.
    pub group: &'static str,
    /// Its unit, which may be empty.
    pub unit: &'static str,
    /// The present value, if there is one.
    pub value: Option<f64>,
    /// The values that are allowed.
    pub legal: Interval,
    /// The ends of its slider.
    pub slider: (f64, f64),
    /// Whether it is a whole number.
    pub is_whole: bool,
}

impl Number {
    fn of(settings: &Settings, spec: &ParamSpec, value: Option<&Value>) -> Option<Self> {
        let (legal, slider, is_whole) = match spec.ty {
            ParamType::Number { legal, slider, .. } => (legal, slider, false),
            ParamType::Integer { legal, slider, .. } => (legal, slider, true),
            _ => return None,
        };
        let value = match value {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let (path, label) = (spec.key.to_owned(), schedules::label(settings, spec));
        Some(Self { path, label, group: "", unit: spec.unit, value, legal, slider, is_whole })
    }

    /// Its name where it stands by itself: whether it is one of the target is said.
    #[must_use]
    pub fn full_label(&self) -> String {
        if self.is_of_target() { format!("target: {}", self.label) } else { self.label.clone() }
    }

    /// Whether it is a parameter of the target.
    #[must_use]
    pub fn is_of_target(&self) -> bool {
        self.path.starts_with(TARGET)
    }
}

impl Scenario {
    /// All numbers that a sweep of the run called `run` can have along its axes: those of the run, then those of the target.
    #[must_use]
    pub fn numbers(&self, run: &str) -> Vec<Number> {
        let mut found = self.settings_of(run).map_or_else(Vec::new, numbers_of);
        let of_target = numbers_of(&self.target);
        found.extend(of_target.into_iter().map(|number| Number { path: format!("{TARGET}{}", number.path), ..number }));
        found
    }

    /// The number at a path of the run called `run`, or of the target.
    #[must_use]
    pub fn number_at(&self, run: &str, path: &str) -> Option<Number> {
        self.numbers(run).into_iter().find(|number| number.path == path)
    }

    /// The same with another number of a run, or of the target, from step 0. Later changes of the same parameter are dropped, of a number of
    /// the target all later targets.
    ///
    /// # Errors
    /// If there is no such run or number, or the value is not allowed.
    pub fn with_number(&self, run: &str, path: &str, number: f64) -> Result<Self, ParamError> {
        if let Some(inner) = path.strip_prefix(TARGET) {
            let target = changed(&self.target, inner, number).map_err(|error| error.under("target"))?;
            return Ok(self.with_whole_target(target));
        }
        match self.settings_of(run) {
            Some(settings) => {
                let (key, value) = change(settings, path, number)?;
                self.with_parameter(run, key, value)
            }
            None => Err(self.no_run(run)),
        }
    }

    /// Whether a run, or the target, may have another number by itself.
    ///
    /// # Errors
    /// If not.
    pub(super) fn allows_number(&self, run: &str, path: &str, number: f64) -> Result<(), ParamError> {
        let (settings, inner) = match path.strip_prefix(TARGET) {
            Some(inner) => (Some(&self.target), inner),
            None => (self.settings_of(run), path),
        };
        settings.map_or_else(|| Err(self.no_run(run)), |settings| changed(settings, inner, number).map(drop))
    }

    fn settings_of(&self, run: &str) -> Option<&Settings> {
        self.runs.iter().find(|other| other.name == run).map(|run| &run.settings)
    }
}

/// Settings with another number.
fn changed(settings: &Settings, path: &str, number: f64) -> Result<Settings, ParamError> {
    let mut settings = settings.clone();
    let (key, value) = change(&settings, path, number)?;
    settings.set(key, value)?;
    Ok(settings)
}

/// The path of the parameter that has a number, and its value with another one.
fn change<'p>(settings: &Settings, path: &'p str, number: f64) -> Result<(&'p str, Value), ParamError> {
    for (end, _) in path.match_indices(['.', '[']) {
        let (key, rest) = path.split_at(end);
        if let Some(value @ (Value::Pair(_) | Value::List(_) | Value::Named(_))) = settings.at(key) {
            let missing = || ParamError::new(path, "no such parameter", settings.keys_in_words());
            return Ok((key, with(value, rest, number)?.ok_or_else(missing)?));
        }
    }
    Ok((path, Value::Number(number)))
}

/// A value with another number at the rest of a path; `None` if it has no such number.
fn with(value: &Value, rest: &str, number: f64) -> Result<Option<Value>, ParamError> {
    if let Value::Named(numbers) = value {
        let mut numbers = numbers.clone();
        let found = numbers.iter_mut().find(|one| rest.strip_prefix('.') == Some(&one.name));
        return Ok(found.map(|found| found.value = number).map(|()| Value::Named(numbers)));
    }
    let Some((index, rest)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else { return Ok(None) };
    let Ok(index) = index.parse::<usize>() else { return Ok(None) };
    match (value, rest.strip_prefix('.')) {
        (Value::Pair(pair), None) if index < 2 && rest.is_empty() => {
            let mut pair = *pair;
            pair[index] = number;
            Ok(Some(Value::Pair(pair)))
        }
        (Value::List(items), Some(rest)) if index < items.len() => {
            let mut items = items.clone();
            items[index] = changed(&items[index], rest, number)?;
            Ok(Some(Value::List(items)))
        }
        _ => Ok(None),
    }
}

/// All numbers of settings, in the order of their tables.
fn numbers_of(settings: &Settings) -> Vec<Number> {
    let mut found = Vec::new();
    for spec in settings.kind.params {
        let value = settings.get(spec.key);
        let within = |prefix: String, numbers: Vec<Number>| {
            let path = move |number: &Number| format!("{prefix}.{}", number.path);
            let label = |number: &Number| number.label.replace(ALPHA, schedules::symbol(spec));
            numbers.into_iter().map(move |number| Number {
                path: path(&number),
                label: label(&number),
                group: spec.label,
                ..number
            })
        };
        match (spec.ty, value) {
            (ParamType::Pair { legal }, Some(Value::Pair(pair))) => found.extend(of_pair(spec, legal, *pair)),
            (_, Some(Value::Group(group))) => found.extend(within(spec.key.to_owned(), numbers_of(group))),
            (_, Some(Value::Named(numbers))) => found.extend(numbers.iter().map(|number| of_name(spec, number))),
            (_, Some(Value::List(items))) => {
                for (index, item) in items.iter().enumerate() {
                    let numbers = within(format!("{}[{index}]", spec.key), numbers_of(item));
                    found.extend(numbers.map(|number| Number {
                        label: format!("{} {}: {}", spec.label, index + 1, number.label),
                        ..number
                    }));
                }
            }
            _ => found.extend(Number::of(settings, spec, value)),
        }
    }
    found
}

fn of_pair(spec: &ParamSpec, legal: Interval, pair: [f64; 2]) -> impl Iterator<Item = Number> {
    let (key, label, unit) = (spec.key, spec.label, spec.unit);
    pair.into_iter().enumerate().map(move |(index, value)| Number {
        path: format!("{key}[{index}]"),
        label: format!("{label}, {}", ["first", "second"][index]),
        group: "",
        unit,
        value: Some(value),
        legal,
        slider: NamedNumber::new("", value).slider(),
        is_whole: false,
    })
}

fn of_name(spec: &ParamSpec, number: &NamedNumber) -> Number {
    Number {
        path: format!("{}.{}", spec.key, number.name),
        label: number.name.clone(),
        group: "",
        unit: "",
        value: Some(number.value),
        legal: Interval::ANY,
        slider: number.slider(),
        is_whole: false,
    }
}
