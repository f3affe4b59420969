//! Schedules of PyTorch and optax by their names: `OneCycleLR(optimizer, max_lr=0.1, total_steps=1000)` becomes settings.
//!
//! Each entry of the table has the arguments as the library calls them, with its defaults, and makes a formula of them or, for warm
//! restarts, a cyclical schedule, whose handles stay. In a formula t counts as the libraries count: it is 0 at the first step. Their numbers
//! are in `tests/data/named_schedules.txt`, which `tests/named_schedules.py` writes.

mod call;
mod table;

use super::{CYCLICAL, FORMULA};
use base::params::{NamedNumber, ParamError, Settings, Value, excerpt};
use models::formula::Sequence;

use call::{Call, read};
use table::NAMED;

/// A schedule of another library.
#[derive(Clone, Copy, Debug)]
struct Named {
    /// Its name there.
    name: &'static str,
    /// Its arguments in their order. The learning rate of an optimizer of PyTorch is the last one.
    arguments: &'static [(&'static str, Argument)],
    /// What it is here.
    make: fn(&mut Given) -> Made,
}

/// What an argument is.
#[derive(Clone, Copy, Debug)]
enum Argument {
    /// A number that must be given.
    Needed,
    /// A number with its default.
    Number(f64),
    /// A number that is not there if it is not given.
    Optional,
    /// One of some words, of which the first is the default.
    Word(&'static [&'static str]),
    /// Something else than a step size depends on it.
    Ignored,
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
struct Given {
    numbers: Vec<(&'static str, f64)>,
    words: Vec<(&'static str, &'static str)>,
}

/// What a schedule is here.
#[derive(Clone, Copy, Debug)]
enum Made {
    /// A formula whose parameters are arguments.
    Formula(&'static str),
    /// Cycles from one step size down to another one, with the length of the first and their growth, each an argument.
    Cycles([&'static str; 4]),
}

impl Given {
    fn number(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }

    fn has(&self, name: &str) -> bool {
        self.number(name).is_some()
    }

    /// Gives an argument a number unless it has one.
    fn or(&mut self, name: &'static str, number: Option<f64>) {
        if !self.has(name) {
            self.numbers.extend(number.map(|number| (name, number)));
        }
    }

    fn word(&self, name: &str) -> &'static str {
        self.words.iter().find(|(known, _)| *known == name).map_or("", |(_, word)| word)
    }
}

/// The names of the schedules, in the order of the table.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|named| named.name)
}

/// The settings for a call of a schedule of PyTorch or optax; `None` if a text is no such call.
///
/// # Errors
/// If an argument is missing, unknown or not allowed.
#[must_use]
pub fn settings_of(text: &str) -> Option<Result<Settings, ParamError>> {
    let Call { name, arguments } = read(text)?;
    let Some(named) = NAMED.iter().find(|named| named.name == name) else {
        let ends = ENDS.iter().any(|end| name.ends_with(end));
        return (ends && is_name(name)).then(|| Err(unknown(name)));
    };
    Some(given(named, &arguments).and_then(|given| made(named, given)))
}

/// How the names of schedules of both libraries end.
const ENDS: [&str; 5] = ["LR", "Restarts", "Plateau", "_schedule", "_decay"];

fn is_name(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// The error of a schedule that is not in the table.
fn unknown(name: &str) -> ParamError {
    let reason = match name {
        "ReduceLROnPlateau" => {
            "lowers the step size by what it measures, and is not a schedule of steps alone".to_owned()
        }
        _ => "is not a schedule of PyTorch or optax that is known here".to_owned(),
    };
    let names: Vec<&str> = names().collect();
    ParamError::new(
        "formula",
        format!("{} {reason}", excerpt(name)),
        format!("a formula in t, or {}", names.join(", ")),
    )
}

fn wrong(named: &Named, problem: &str, allowed: impl Into<String>) -> ParamError {
    ParamError::new("formula", format!("{}: {problem}", named.name), allowed)
}

/// The arguments of a call by their names.
fn given(named: &Named, arguments: &[(Option<&str>, &str)]) -> Result<Given, ParamError> {
    let mut given = Given::default();
    let mut in_order = named.arguments.iter();
    for (index, (name, value)) in arguments.iter().enumerate() {
        let known = match name {
            // The optimizer is not told here.
            None if index == 0 && value.parse::<f64>().is_err() => continue,
            None => in_order.next(),
            Some(name) => named.arguments.iter().find(|(known, _)| known == name),
        };
        let all = || named.arguments.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let Some((name, argument)) = known else {
            let unknown = name.map_or("there are too many arguments".to_owned(), |name| {
                format!("there is no argument {}", excerpt(name))
            });
            return Err(wrong(named, &unknown, all()));
        };
        if *value == "None" {
            continue;
        }
        let refused = |allowed: String| wrong(named, &format!("{name}={} is not allowed", excerpt(value)), allowed);
        match argument {
            Argument::Ignored => {}
            Argument::Word(words) => {
                let bare = value.trim_matches(['"', '\'']);
                let word = words.iter().find(|word| **word == bare).ok_or_else(|| refused(words.join(", ")))?;
                given.words.push((name, word));
            }
            Argument::Needed | Argument::Number(_) | Argument::Optional => {
                let number = value.replace('_', "").parse::<f64>().ok().filter(|number| number.is_finite());
                given.numbers.push((name, number.ok_or_else(|| refused("a number".to_owned()))?));
            }
        }
    }
    for (name, argument) in named.arguments {
        match argument {
            Argument::Number(default) => given.or(name, Some(*default)),
            Argument::Word([first, ..]) if given.word(name).is_empty() => given.words.push((name, first)),
            Argument::Needed if !given.has(name) => {
                let what = if *name == "lr" { ", the learning rate of the optimizer," } else { "" };
                return Err(wrong(named, &format!("{name}{what} is missing"), format!("{name}=…")));
            }
            _ => {}
        }
    }
    Ok(given)
}

/// The settings of a schedule.
fn made(named: &Named, mut given: Given) -> Result<Settings, ParamError> {
    match (named.make)(&mut given) {
        Made::Formula(text) => {
            let sequence = Sequence::read(text).map_err(|error| error.of_parameter("formula", text))?;
            let mut numbers = Vec::new();
            for name in sequence.parameters() {
                let missing = || wrong(named, &format!("{name} is missing"), format!("{name}=…"));
                numbers.push(NamedNumber::new(name, given.number(name).ok_or_else(missing)?));
            }
            let mut settings = Settings::defaults(FORMULA);
            settings.set("formula", Value::Text(text.to_owned()))?;
            settings.set("parameters", Value::Named(numbers))?;
            Ok(settings)
        }
        Made::Cycles(names) => {
            let mut settings = Settings::defaults(CYCLICAL);
            settings.set("exploration", Value::Number(0.0))?;
            let neutral = [("initial", f64::NAN), ("minimum", 0.0), ("cycle_steps", f64::NAN), ("growth", 1.0)];
            for (name, (key, unchanged)) in names.into_iter().zip(neutral) {
                let number = given.number(name).unwrap_or(unchanged);
                if number.to_bits() != unchanged.to_bits() {
                    let refused =
                        |error: ParamError| wrong(named, &format!("{name}: {}", error.problem), error.allowed);
                    settings.set(key, Value::Number(number)).map_err(refused)?;
                }
            }
            Ok(settings)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedules::build;

    /// Calls, each with the step sizes of the library below it.
    const VALUES: &str = include_str!("../../../../../tests/data/named_schedules.txt");

    #[test]
    fn step_sizes_are_those_of_the_libraries() {
        let mut seen = Vec::new();
        let lines: Vec<&str> = VALUES.lines().collect();
        for pair in lines.chunks(2) {
            let numbers: Vec<f64> = pair[1].split(' ').map(|number| number.parse().unwrap()).collect();
            let settings = settings_of(pair[0]).unwrap().unwrap();
            let schedule = build(&settings, numbers.len() as u64).unwrap();
            let largest = numbers.iter().copied().fold(0.0, f64::max);
            for (k, number) in (1..).zip(&numbers) {
                let ours = schedule.step_size(k);
                assert!((ours - number).abs() <= 1e-12 * largest, "{} at {k}: {ours}, not {number}", pair[0]);
            }
            seen.push(read(pair[0]).unwrap().name);
        }
        assert!(names().all(|name| seen.contains(&name)), "{seen:?}");
    }

    #[test]
    fn cycles_have_handles_and_formulas_have_sliders() {
        let cycles = settings_of("CosineAnnealingWarmRestarts(optimizer, 50, T_mult=2, eta_min=1e-3, lr=0.1)").unwrap();
        let cycles = cycles.unwrap();
        assert_eq!(cycles.kind.name, "cyclical");
        assert_eq!((cycles.count("cycle_steps"), cycles.number("growth").to_bits()), (50, 2.0_f64.to_bits()));
        let formula =
            settings_of("optax.linear_schedule(1e-1, end_value=0.01, transition_steps=1_000)").unwrap().unwrap();
        let names: Vec<&str> = formula.named("parameters").iter().map(|number| number.name.as_str()).collect();
        assert_eq!(names, ["transition_begin", "transition_steps", "init_value", "end_value"]);
    }

    /// The ends of the three phases by PyTorch's documentation: pct_start·T − 1, twice that, and T − 1 steps after the first; in the middle
    /// of one, half of the way for both ways of annealing.
    #[test]
    fn one_cycle_in_three_phases_has_its_ends() {
        for strategy in ["cos", "linear"] {
            let text = format!(
                "OneCycleLR(max_lr=0.1, total_steps=20, pct_start=0.25, div_factor=10, final_div_factor=100, \
                 anneal_strategy={strategy}, three_phase=True)"
            );
            let settings = settings_of(&text).unwrap().unwrap();
            let schedule = build(&settings, 20).unwrap();
            let after = [(0, 0.01), (2, 0.055), (4, 0.1), (6, 0.055), (8, 0.01), (19, 0.0001)];
            for (steps, expected) in after {
                let size = schedule.step_size(steps + 1);
                assert!((size - expected).abs() < 1e-12, "{strategy}, {steps}: {size}, not {expected}");
            }
        }
    }

    #[test]
    fn bad_calls_say_what_is_wrong() {
        for (text, words) in [
            ("StepLR(optimizer, 30)", "StepLR: lr, the learning rate of the optimizer, is missing; allowed: lr=…"),
            ("StepLR(optimizer, 30, 0.1, 5, lr=0.1, x=3)", "there is no argument x; allowed: step_size, gamma,"),
            ("linear_schedule(1, 2, 3, 4, 5)", "there are too many arguments"),
            ("StepLR(optimizer, n, lr=0.1)", "step_size=n is not allowed; allowed: a number"),
            ("OneCycleLR(max_lr=0.1)", "total_steps is missing"),
            (
                "OneCycleLR(max_lr=0.1, total_steps=10, three_phase=1)",
                "three_phase=1 is not allowed; allowed: False, True",
            ),
            (
                "ReduceLROnPlateau(optimizer, factor=0.1)",
                "is not a schedule of steps alone; allowed: a formula in t, or",
            ),
            ("optax.sgdr_schedule(x)", "sgdr_schedule is not a schedule of PyTorch or optax that is known here"),
            ("CosineAnnealingWarmRestarts(T_0=0, lr=1)", "T_0: 0 is not allowed"),
        ] {
            let error = settings_of(text).unwrap().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        for text in ["a*(t + 1)", "A*(t + 1)", "A + B*(t)", "A(t)*B(t)", "cos(t)", "0.5", ""] {
            assert!(settings_of(text).is_none(), "{text}");
        }
    }
}
