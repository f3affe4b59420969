//! Edits of parameters: a path with a new value, and first values for parameters that have none.

use base::params::{ParamError, ParamType, Picture, Settings, Value};
use samplers::schedules;

/// An edit of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamEdit {
    /// Dotted path of the parameter.
    pub path: String,
    /// The new value; `None` removes an optional parameter.
    pub value: Option<Value>,
}

/// A parameter that names a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browsed {
    /// The number of the run that has it; `None` of the target.
    pub run: Option<usize>,
    /// Its path.
    pub parameter: String,
}

impl ParamEdit {
    /// The edit, or where more follows from it one of its whole table: a formula for step sizes has numbers for its names, a line for
    /// another library is a schedule of its own, and a file takes the place of a list.
    #[must_use]
    pub fn with_what_follows(self, settings: &Settings) -> Self {
        let whole = || {
            let (table, key) = self.path.rsplit_once('.')?;
            let Some(Value::Text(text)) = &self.value else { return None };
            let Some(Value::Group(group)) = settings.at(table) else { return None };
            let value = Some(Value::Group(schedules::with_text(group, key, text)?));
            Some(Self { path: table.to_owned(), value })
        };
        whole().unwrap_or(self)
    }

    /// Applies the edit.
    ///
    /// # Errors
    /// If the value is not allowed there.
    pub fn apply(self, settings: &mut Settings) -> Result<(), ParamError> {
        match self.value {
            Some(value) => settings.set(&self.path, value),
            None => {
                settings.clear(&self.path);
                Ok(())
            }
        }
    }
}

/// A first value for a parameter that has none; for numbers, the middle of the slider.
#[must_use]
pub fn first_value(ty: ParamType) -> Option<Value> {
    Some(match ty {
        ParamType::Number { legal, slider, log } => {
            let middle = if log { (slider.0 * slider.1).sqrt() } else { f64::midpoint(slider.0, slider.1) };
            Value::Number(if legal.contains(middle) { middle } else { slider.0 })
        }
        ParamType::Integer { slider, .. } => Value::Number(slider.0.round()),
        ParamType::Flag => Value::Flag(true),
        ParamType::Choice(choices) => Value::Choice(choices.first()?.name),
        ParamType::Text => Value::Text(String::new()),
        ParamType::Pair { legal } => {
            let number = if legal.contains(0.0) { 0.0 } else { 1.0 };
            Value::Pair([number; 2])
        }
        ParamType::Covariance => Value::Covariance([[1.0, 0.0], [0.0, 1.0]]),
        ParamType::Knots => Value::Points(vec![[1.0, 0.1]]),
        ParamType::Points { legal } => {
            let number = if legal.contains(0.0) { 0.0 } else { 1.0 };
            Value::Points(vec![[number; 2]])
        }
        ParamType::Group(kinds) => Value::Group(Settings::defaults(kinds.first()?)),
        ParamType::List(kind) => Value::List(vec![with_required(&Settings::defaults(kind))]),
        ParamType::Named => Value::Named(Vec::new()),
        ParamType::Picture => Value::Picture(Picture::empty()),
    })
}

/// The same settings in which every required parameter has a value.
#[must_use]
pub fn with_required(settings: &Settings) -> Settings {
    let mut completed = settings.clone();
    for spec in settings.missing() {
        if let Some(value) = first_value(spec.ty) {
            // A first value is legal by construction. If a table disagrees, the parameter stays missing and its row says so.
            completed.set(spec.key, value).ok();
        }
    }
    completed
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::targets::TARGETS;
    use samplers::methods::METHODS;

    #[test]
    fn every_required_parameter_gets_a_legal_first_value() {
        for kind in TARGETS.iter().chain(&METHODS) {
            let completed = with_required(&Settings::defaults(kind));
            let missing: Vec<_> = completed.missing().map(|spec| spec.key).collect();
            assert_eq!(missing, Vec::<&str>::new(), "{}", kind.name);
        }
    }

    #[test]
    fn an_edit_sets_a_value_or_is_refused() {
        let mut settings = Settings::defaults(&METHODS[0]);
        let edit = |value| ParamEdit { path: "steps".to_owned(), value };
        edit(Some(Value::Number(7.0))).apply(&mut settings).unwrap();
        assert_eq!(settings.count("steps"), 7);
        assert!(edit(Some(Value::Flag(true))).apply(&mut settings).is_err());
        assert_eq!(settings.count("steps"), 7);
        edit(None).apply(&mut settings).unwrap();
        assert_eq!(settings.count("steps"), 7, "only optional parameters are removed");
    }
}
