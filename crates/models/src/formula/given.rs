//! What settings give for a formula: its text and the numbers of its parameters.

use super::FormulaError;
use base::params::{NamedNumber, ParamError, excerpt, printable};

impl FormulaError {
    /// The error as one of the parameter `key`, whose value is `text`: with the line, if there are several, and the character.
    #[must_use]
    pub fn of_parameter(&self, key: &str, text: &str) -> ParamError {
        let before: String = text.chars().take(self.at.start).collect();
        let line =
            if text.contains('\n') { format!("line {}, ", before.matches('\n').count() + 1) } else { String::new() };
        let character = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
        let problem = format!("{line}character {character}: {}", printable(&self.problem));
        ParamError::new(key, problem, &self.allowed)
    }
}

/// The numbers of the parameters with these names, in their order, from those given under `key`; `hint` says what else a name may mean.
///
/// # Errors
/// If a name has no number, or a number no such name.
pub fn numbers_of(
    names: &[&str],
    (key, given): (&str, &[NamedNumber]),
    hint: impl Fn(&str) -> Option<&'static str>,
) -> Result<Vec<f64>, Vec<ParamError>> {
    let value = |name: &&str| given.iter().find(|number| number.name == **name).map(|number| number.value);
    let missing = names.iter().filter(|name| value(name).is_none());
    let mut errors: Vec<ParamError> = missing
        .map(|name| {
            let meant = hint(name).map(|meant| format!(", or {meant}")).unwrap_or_default();
            let problem = "is in the formula and has no number";
            ParamError::new(format!("{key}.{name}"), problem, format!("a number{meant}"))
        })
        .collect();
    for number in given.iter().filter(|number| !names.contains(&number.name.as_str())) {
        let allowed = if names.is_empty() { "no parameters".to_owned() } else { names.join(", ") };
        let path = format!("{key}.{}", excerpt(&number.name));
        errors.push(ParamError::new(path, "is not in the formula", allowed));
    }
    if errors.is_empty() { Ok(names.iter().filter_map(value).collect()) } else { Err(errors) }
}
