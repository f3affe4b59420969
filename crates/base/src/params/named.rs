//! Numbers with names of their own: the parameters of a formula.

use super::error::ParamError;
use super::settings::{Settings, Value};
use super::spec::ParamType;

/// Most names in a value.
pub const MOST_NAMES: usize = 64;

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedNumber {
    /// Its name.
    pub name: String,
    /// The number, finite.
    pub value: f64,
    /// The ends of its slider, in ascending order; `None` for those of [`slider`](Self::slider).
    pub range: Option<(f64, f64)>,
}

impl NamedNumber {
    /// A number without a range of its own.
    #[must_use]
    pub fn new(name: impl Into<String>, value: f64) -> Self {
        Self { name: name.into(), value, range: None }
    }

    /// The ends of the slider: its own, or from 0 to twice the number, from −1 to 1 if that is 0.
    #[must_use]
    pub fn slider(&self) -> (f64, f64) {
        let twice = 2.0 * self.value;
        self.range.unwrap_or(if twice == 0.0 { (-1.0, 1.0) } else { (twice.min(0.0), twice.max(0.0)) })
    }
}

impl Settings {
    /// Takes away default numbers with names beside a text that is given: they belong to the default text.
    pub fn drop_numbers_of_default_text(&mut self, is_given: impl Fn(&str) -> bool) {
        let params = self.kind.params;
        let of_type = |ty: ParamType| params.iter().filter(move |spec| spec.ty == ty);
        if of_type(ParamType::Text).any(|spec| is_given(spec.key)) {
            for spec in of_type(ParamType::Named).filter(|spec| !is_given(spec.key)) {
                // No number is always allowed.
                self.set(spec.key, Value::Named(Vec::new())).ok();
            }
        }
    }
}

/// Checks the numbers of the parameter `key`.
pub(super) fn check(key: &str, numbers: &[NamedNumber]) -> Result<(), ParamError> {
    if numbers.len() > MOST_NAMES {
        let problem = format!("there are {} names", numbers.len());
        return Err(ParamError::new(key, problem, format!("at most {MOST_NAMES}")));
    }
    for (index, NamedNumber { name, value, range }) in numbers.iter().enumerate() {
        let at = format!("{key}.{name}");
        if numbers[..index].iter().any(|other| other.name == *name) {
            return Err(ParamError::new(at, "the name is there twice", "every name once"));
        }
        if !value.is_finite() {
            return Err(ParamError::new(at, format!("{value} is out of range"), "any finite number"));
        }
        if range.is_some_and(|(from, to)| !(from.is_finite() && to.is_finite() && from < to)) {
            return Err(ParamError::new(at, "the ends of the slider are not in order", "from below to, both finite"));
        }
    }
    Ok(())
}
