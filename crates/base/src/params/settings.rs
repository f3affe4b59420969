//! Values of parameters: a kind and one value per parameter.

use std::collections::BTreeMap;

use super::error::ParamError;
use super::named::{self, NamedNumber};
use super::picture::Picture;
use super::spec::{DefaultValue, Interval, KindSpec, ParamSpec, ParamType, find_kind, type_in_words};

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, whole or real.
    Number(f64),
    /// On or off.
    Flag(bool),
    /// One of the words of a choice.
    Choice(&'static str),
    /// Free text.
    Text(String),
    /// Two numbers.
    Pair([f64; 2]),
    /// A 2 × 2 matrix, by rows.
    Covariance([[f64; 2]; 2]),
    /// Points: knots (step, value) of a schedule, data (x, y).
    Points(Vec<[f64; 2]>),
    /// A table of some kind.
    Group(Settings),
    /// A list of tables.
    List(Vec<Settings>),
    /// Numbers with names of their own.
    Named(Vec<NamedNumber>),
    /// Levels on a grid.
    Picture(Picture),
}

/// Most points in a value, such as the knots of a schedule: each event has a copy of its own.
pub const MOST_POINTS: usize = 1000;

/// A kind and the values of its parameters. Every parameter with a default has a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The kind of these settings.
    pub kind: &'static KindSpec,
    values: BTreeMap<&'static str, Value>,
}

impl Settings {
    /// All parameters at their defaults; required ones are missing until set.
    #[must_use]
    pub fn defaults(kind: &'static KindSpec) -> Self {
        let values = kind.params.iter().filter_map(|spec| Some((spec.key, default_value(spec)?))).collect();
        Self { kind, values }
    }

    /// The value under `key`, if there is one.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The value at a dotted path through groups: `step_size.initial`.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<&Value> {
        match path.split_once('.') {
            None => self.get(path),
            Some((key, rest)) => self.group(key)?.at(rest),
        }
    }

    /// The description of the parameter at a dotted path.
    #[must_use]
    pub fn spec_at(&self, path: &str) -> Option<&'static ParamSpec> {
        match path.split_once('.') {
            None => self.kind.param(path),
            Some((key, rest)) => self.group(key)?.spec_at(rest),
        }
    }

    /// Parameters and values in the order of the kind's table; absent ones are left out.
    pub fn iter(&self) -> impl Iterator<Item = (&'static ParamSpec, &Value)> {
        self.kind.params.iter().filter_map(|spec| Some((spec, self.values.get(spec.key)?)))
    }

    /// Sets the value at a dotted path, after a check of its type and range.
    ///
    /// # Errors
    /// If the path names no parameter or the value is not allowed there; nothing changes then.
    pub fn set(&mut self, path: &str, value: Value) -> Result<(), ParamError> {
        let unknown = || ParamError::new(path, "no such parameter", self.keys_in_words());
        match path.split_once('.') {
            None => {
                let spec = self.kind.param(path).ok_or_else(unknown)?;
                check(spec, &value)?;
                self.values.insert(spec.key, in_table(spec, &value));
                Ok(())
            }
            Some((key, rest)) => {
                let error = unknown();
                match self.values.get_mut(key) {
                    Some(Value::Group(group)) => group.set(rest, value).map_err(|error| error.under(key)),
                    _ => Err(error),
                }
            }
        }
    }

    /// Values that have no effect: they differ from their defaults, but what they need does not.
    pub fn idle(&self) -> impl Iterator<Item = &'static ParamSpec> {
        let chosen = |spec: &ParamSpec, value: &Value| default_value(spec).as_ref() != Some(value);
        let is_chosen =
            move |key: &str| self.kind.param(key).zip(self.get(key)).is_some_and(|(spec, value)| chosen(spec, value));
        let idle = move |spec: &ParamSpec, value: &Value| {
            !spec.with.is_empty() && chosen(spec, value) && !spec.with.iter().any(|key| is_chosen(key))
        };
        self.iter().filter(move |(spec, value)| idle(spec, value)).map(|(spec, _)| spec)
    }

    /// Removes the value of an optional parameter at a dotted path; does nothing for others.
    pub fn clear(&mut self, path: &str) {
        match path.split_once('.') {
            None => {
                if self.kind.param(path).is_some_and(|spec| spec.default == DefaultValue::Absent) {
                    self.values.remove(path);
                }
            }
            Some((key, rest)) => {
                if let Some(Value::Group(group)) = self.values.get_mut(key) {
                    group.clear(rest);
                }
            }
        }
    }

    /// Settings of another kind that keep every value the two kinds share by key and type.
    #[must_use]
    pub fn converted(&self, kind: &'static KindSpec) -> Self {
        let mut converted = Self::defaults(kind);
        for (spec, value) in self.iter() {
            if let Some(new) = kind.param(spec.key).filter(|new| check(new, value).is_ok()) {
                converted.values.insert(spec.key, in_table(new, value));
            }
        }
        converted
    }

    /// Required parameters that have no value yet.
    pub fn missing(&self) -> impl Iterator<Item = &'static ParamSpec> {
        self.kind
            .params
            .iter()
            .filter(|spec| spec.default == DefaultValue::Required && !self.values.contains_key(spec.key))
    }

    /// The keys of this kind, for messages.
    #[must_use]
    pub fn keys_in_words(&self) -> String {
        self.kind.params.iter().map(|spec| spec.key).collect::<Vec<_>>().join(", ")
    }

    // The typed getters below are for the builders of a kind, which know their own table. Asking for
    // a key that the table does not have is a mistake in the program, caught by the registry's tests;
    // in a release build it yields the neutral value, never a panic.

    /// The number under `key`; NaN if absent.
    #[must_use]
    pub fn number(&self, key: &str) -> f64 {
        self.optional_number(key).unwrap_or(f64::NAN)
    }

    /// The number under `key`, if present.
    #[must_use]
    pub fn optional_number(&self, key: &str) -> Option<f64> {
        debug_assert!(self.kind.param(key).is_some(), "{} has no parameter {key}", self.kind.name);
        match self.get(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The whole number under `key`; 0 if absent.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "negative values saturate to 0, and integers are checked on the way in")]
    pub fn count(&self, key: &str) -> u64 {
        self.optional_number(key).unwrap_or(0.0) as u64
    }

    /// The whole number under `key`, if present.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "negative values saturate to 0, and integers are checked on the way in")]
    pub fn optional_count(&self, key: &str) -> Option<u64> {
        self.optional_number(key).map(|number| number as u64)
    }

    /// The flag under `key`; off if absent.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        debug_assert!(self.kind.param(key).is_some(), "{} has no parameter {key}", self.kind.name);
        matches!(self.get(key), Some(Value::Flag(true)))
    }

    /// The word or text under `key`; empty if absent.
    #[must_use]
    pub fn word(&self, key: &str) -> &str {
        debug_assert!(self.kind.param(key).is_some(), "{} has no parameter {key}", self.kind.name);
        match self.get(key) {
            Some(Value::Choice(word)) => word,
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The pair under `key`; zeros if absent.
    #[must_use]
    pub fn pair(&self, key: &str) -> [f64; 2] {
        match self.get(key) {
            Some(Value::Pair(pair)) => *pair,
            _ => [0.0; 2],
        }
    }

    /// The matrix under `key`; the identity if absent.
    #[must_use]
    pub fn covariance(&self, key: &str) -> [[f64; 2]; 2] {
        match self.get(key) {
            Some(Value::Covariance(matrix)) => *matrix,
            _ => [[1.0, 0.0], [0.0, 1.0]],
        }
    }

    /// The points under `key`; empty if absent.
    #[must_use]
    pub fn points(&self, key: &str) -> &[[f64; 2]] {
        match self.get(key) {
            Some(Value::Points(points)) => points,
            _ => &[],
        }
    }

    /// The group under `key`.
    #[must_use]
    pub fn group(&self, key: &str) -> Option<&Self> {
        match self.get(key) {
            Some(Value::Group(group)) => Some(group),
            _ => None,
        }
    }

    /// The named numbers under `key`; empty if absent.
    #[must_use]
    pub fn named(&self, key: &str) -> &[NamedNumber] {
        match self.get(key) {
            Some(Value::Named(numbers)) => numbers,
            _ => &[],
        }
    }

    /// The picture under `key`, if present.
    #[must_use]
    pub fn picture(&self, key: &str) -> Option<&Picture> {
        match self.get(key) {
            Some(Value::Picture(picture)) => Some(picture),
            _ => None,
        }
    }

    /// The list under `key`; empty if absent.
    #[must_use]
    pub fn list(&self, key: &str) -> &[Self] {
        match self.get(key) {
            Some(Value::List(list)) => list,
            _ => &[],
        }
    }
}

/// The default of a parameter as a value; `None` for absent and required ones.
fn default_value(spec: &ParamSpec) -> Option<Value> {
    match (spec.default, spec.ty) {
        (DefaultValue::Number(number), _) => Some(Value::Number(number)),
        (DefaultValue::Flag(flag), _) => Some(Value::Flag(flag)),
        (DefaultValue::Word(word), ParamType::Text) => Some(Value::Text(word.to_owned())),
        (DefaultValue::Word(word), _) => Some(Value::Choice(word)),
        (DefaultValue::Pair(pair), _) => Some(Value::Pair(pair)),
        (DefaultValue::Points(points), _) => Some(Value::Points(points.to_vec())),
        (DefaultValue::Named(numbers), _) => {
            Some(Value::Named(numbers.iter().map(|(name, value)| NamedNumber::new(*name, *value)).collect()))
        }
        (DefaultValue::Picture(rows), _) => Picture::read(rows.iter().copied()).ok().map(Value::Picture),
        (DefaultValue::Kind(name), ParamType::Group(kinds)) => {
            find_kind(kinds, name).map(|kind| Value::Group(Settings::defaults(kind)))
        }
        _ => None,
    }
}

/// A value adapted to `spec`: a group keeps the values that it shares with the kind of the same name there.
fn in_table(spec: &ParamSpec, value: &Value) -> Value {
    match (spec.ty, value) {
        (ParamType::Group(kinds), Value::Group(group)) => match find_kind(kinds, group.kind.name) {
            Some(kind) => Value::Group(group.converted(kind)),
            None => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Whether two kinds differ only in options that one of the two lacks.
fn alike(one: &KindSpec, other: &KindSpec) -> bool {
    let within = |few: &KindSpec, many: &KindSpec| few.params.iter().all(|param| many.params.contains(param));
    one == other && (within(one, other) || within(other, one))
}

/// Checks the type and range of a value that is meant for `spec`.
fn check(spec: &ParamSpec, value: &Value) -> Result<(), ParamError> {
    let wrong = |problem: String, allowed: String| Err(ParamError::new(spec.key, problem, allowed));
    match (spec.ty, value) {
        (ParamType::Number { legal, .. }, Value::Number(number)) if !legal.contains(*number) => {
            wrong(format!("{number} is out of range"), legal.in_words())
        }
        (ParamType::Integer { legal, .. }, Value::Number(number))
            if !legal.contains(*number) || number.fract() != 0.0 =>
        {
            wrong(format!("{number} is not allowed"), format!("a whole number {}", legal.in_words()))
        }
        (ParamType::Pair { legal }, Value::Pair(pair)) if !pair.iter().all(|number| legal.contains(*number)) => wrong(
            format!("[{}, {}] is out of range", pair[0], pair[1]),
            format!("two numbers, each {}", legal.in_words()),
        ),
        (ParamType::Covariance, Value::Covariance(m)) => check_covariance(spec, *m),
        (ParamType::Knots, Value::Points(knots)) => check_knots(spec, knots),
        (ParamType::Points { legal }, Value::Points(points)) => check_points(spec, legal, points),
        (ParamType::Named, Value::Named(numbers)) => named::check(spec.key, numbers),
        (ParamType::List(_), Value::List(items)) if items.is_empty() => {
            wrong("the list is empty".to_owned(), "one or more entries".to_owned())
        }
        (ParamType::Number { .. } | ParamType::Integer { .. }, Value::Number(_))
        | (ParamType::Flag, Value::Flag(_))
        | (ParamType::Text, Value::Text(_))
        | (ParamType::Picture, Value::Picture(_))
        | (ParamType::Pair { .. }, Value::Pair(_)) => Ok(()),
        (ParamType::Choice(choices), Value::Choice(word)) if choices.iter().any(|choice| choice.name == *word) => {
            Ok(())
        }
        (ParamType::Group(kinds), Value::Group(group)) if kinds.iter().any(|kind| alike(kind, group.kind)) => Ok(()),
        (ParamType::List(kind), Value::List(items)) if items.iter().all(|item| item.kind == kind) => Ok(()),
        (ty, _) => wrong("wrong type of value".to_owned(), type_in_words(ty)),
    }
}

/// A covariance must be symmetric and positive definite.
fn check_covariance(spec: &ParamSpec, m: [[f64; 2]; 2]) -> Result<(), ParamError> {
    let symmetric = m[0][1].to_bits() == m[1][0].to_bits();
    let definite = m[0][0] > 0.0 && m[0][0] * m[1][1] - m[0][1] * m[1][0] > 0.0;
    if symmetric && definite && m.as_flattened().iter().all(|entry| entry.is_finite()) {
        return Ok(());
    }
    let problem = format!("[[{}, {}], [{}, {}]] is not a covariance", m[0][0], m[0][1], m[1][0], m[1][1]);
    Err(ParamError::new(spec.key, problem, "a symmetric positive definite matrix [[a, b], [b, c]], a > 0, a·c > b²"))
}

/// There is a largest number of points.
fn check_count(spec: &ParamSpec, noun: &str, points: &[[f64; 2]]) -> Result<(), ParamError> {
    if points.len() > MOST_POINTS {
        let problem = format!("there are {} {noun}", points.len());
        return Err(ParamError::new(spec.key, problem, format!("at most {MOST_POINTS}")));
    }
    Ok(())
}

/// One point or more, with both numbers in range.
fn check_points(spec: &ParamSpec, legal: Interval, points: &[[f64; 2]]) -> Result<(), ParamError> {
    check_count(spec, "points", points)?;
    let allowed = || format!("one or more [x, y], both numbers {}", legal.in_words());
    if points.is_empty() {
        return Err(ParamError::new(spec.key, "there are no points", allowed()));
    }
    match points.iter().find(|point| !point.iter().all(|number| legal.contains(*number))) {
        Some([x, y]) => Err(ParamError::new(spec.key, format!("[{x}, {y}] is out of range"), allowed())),
        None => Ok(()),
    }
}

/// Knots need increasing whole steps from 1 up and positive values.
fn check_knots(spec: &ParamSpec, knots: &[[f64; 2]]) -> Result<(), ParamError> {
    check_count(spec, "knots", knots)?;
    let increasing = knots.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    let legal =
        knots.iter().all(|knot| knot[0] >= 1.0 && knot[1] > 0.0 && knot.iter().all(|number| number.is_finite()));
    if increasing && legal && !knots.is_empty() {
        return Ok(());
    }
    let allowed = "one or more [step, value] with steps increasing from 1 and values above 0";
    Err(ParamError::new(spec.key, "the knots are not in order or out of range", allowed))
}
