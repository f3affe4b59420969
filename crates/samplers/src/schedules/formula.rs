//! A formula for the step sizes, such as a/2 · (cos(π t/T) + 1): [`models::formula::Sequence`].
//!
//! t counts the steps from 0, as PyTorch and optax do, k = t + 1 counts them from 1, and T is the number of steps of the run. Every
//! step is looked at when the schedule is made: each number must be finite and not negative.
//!
//! In its place a line for PyTorch or optax can stand (`named`): the schedule that it names is made.

use std::sync::Arc;

use super::export::Formula;
use super::named::settings_of;
use super::{CONVENTION, Folder, Parts, Schedule, alpha_per_unit, build_from};
use base::params::{DefaultValue, Entry, KindSpec, NamedNumber, ParamError, ParamSpec, ParamType, Settings, Value};
use models::formula::{Sequence, numbers_of};

const PARAMS: [ParamSpec; 3] = [
    ParamSpec::of(
        "formula",
        "formula",
        ParamType::Text,
        DefaultValue::Word("a/2*(cos(pi*t/T) + 1)"),
        "The step size in ordinary notation: t is the number of steps before, k = t + 1, T the steps of the run; other names are \
         parameters. Remainders are t % 10. Or a line for PyTorch or optax: OneCycleLR(max_lr=0.1, total_steps=1000).",
    ),
    ParamSpec::of(
        "parameters",
        "parameters",
        ParamType::Named,
        DefaultValue::Named(&[("a", 0.05)]),
        "The numbers in the place of the names in the formula.",
    ),
    CONVENTION,
];

pub(super) const ENTRY: Entry<Parts> = Entry {
    spec: KindSpec {
        name: "formula",
        label: "Formula",
        help: "A formula in the step t, with parameters that become sliders.",
        params: &PARAMS,
    },
    build: Parts { make: build, handles: &[], idle: |_| &[] },
};

/// Most steps of a run: each of them is looked at.
const MOST_STEPS: u64 = 1_000_000;

/// Step sizes by a formula.
#[derive(Clone, Debug, PartialEq)]
struct Written {
    sequence: Sequence,
    parameters: Vec<f64>,
    /// The α of a number 1.
    unit: f64,
    steps: u64,
    largest: f64,
}

/// The name that the length of a schedule has in `OneCycleLR` and in formulas made of it.
const TOTAL_STEPS: &str = "total_steps";

/// The number of a new name in a formula.
const NEW: f64 = 0.05;

/// The settings with another formula, whose names have the numbers that they had, or the schedule that a line names.
pub(super) fn with_text(settings: &Settings, key: &str, text: &str) -> Option<Settings> {
    if key != "formula" {
        return None;
    }
    if let Some(named) = settings_of(text) {
        return named.ok();
    }
    let known = settings.named("parameters");
    let number = |name: &str| {
        let found = known.iter().find(|number| number.name == name).cloned();
        found.unwrap_or_else(|| NamedNumber::new(name, NEW))
    };
    let numbers = Sequence::read(text).ok()?.parameters().map(number).collect();
    let mut changed = settings.clone();
    changed.set("formula", Value::Text(text.to_owned())).ok()?;
    changed.set("parameters", Value::Named(numbers)).ok()?;
    Some(changed)
}

/// The schedule that a line of another library names.
fn build_named(settings: &Settings, mut named: Settings, steps: u64) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    let names = settings.named("parameters");
    if let Some(first) = names.first() {
        let problem = "is beside a schedule of another library, which has its own arguments";
        return Err(vec![ParamError::new(format!("parameters.{}", first.name), problem, "no parameters")]);
    }
    if let Some(convention) = settings.get(CONVENTION.key).cloned() {
        named.set(CONVENTION.key, convention).map_err(|error| vec![error])?;
    }
    let at_formula = |error: ParamError| {
        let problem = format!("{}: {}", error.path, error.problem);
        if error.path == "formula" { error } else { ParamError { path: "formula".to_owned(), problem, ..error } }
    };
    build_from(&named, steps, None).map_err(|errors| errors.into_iter().map(at_formula).collect())
}

fn build(settings: &Settings, steps: u64, _: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    let text = settings.word("formula");
    if let Some(named) = settings_of(text) {
        return build_named(settings, named.map_err(|error| vec![error])?, steps);
    }
    let sequence = Sequence::read(text).map_err(|error| vec![error.of_parameter("formula", text)])?;
    let names: Vec<&str> = sequence.parameters().collect();
    let parameters = numbers_of(&names, ("parameters", settings.named("parameters")), |_| None)?;
    if steps > MOST_STEPS {
        let problem = format!("a run of {steps} steps is too long for a formula, of which every step is looked at");
        return Err(vec![ParamError::new("formula", problem, format!("at most {MOST_STEPS} steps"))]);
    }
    let mut written = Written { sequence, parameters, unit: alpha_per_unit(settings), steps, largest: 0.0 };
    for k in 1..=steps {
        let size = written.step_size(k);
        if !size.is_finite() || size < 0.0 {
            let number = written.sequence.value(&written.parameters, k, steps);
            let found = if number.is_nan() { "no number".to_owned() } else { number.to_string() };
            let problem = format!("at step {k}, where t = {}, it gives {found}", k - 1);
            return Err(vec![ParamError::new("formula", problem, "a number from 0 on at every step")]);
        }
        written.largest = written.largest.max(size);
    }
    Ok(Arc::new(written))
}

impl Schedule for Written {
    /// After the last step the last number stays.
    fn step_size(&self, k: u64) -> f64 {
        self.sequence.value(&self.parameters, k.clamp(1, self.steps), self.steps) * self.unit
    }

    fn largest(&self, steps: u64) -> f64 {
        if steps >= self.steps {
            return self.largest;
        }
        (1..=steps).map(|k| self.step_size(k)).fold(0.0, f64::max)
    }

    fn remarks(&self) -> Vec<String> {
        let steps = self.steps;
        let named = self.sequence.parameters().zip(&self.parameters).find(|(name, _)| *name == TOTAL_STEPS);
        match named.map(|(_, total)| *total) {
            Some(total) if total < steps as f64 => vec![format!(
                "{TOTAL_STEPS} = {total} is fewer than the {steps} steps of the run: from there on the formula goes on, where PyTorch ends \
                 with an error"
            )],
            Some(total) if total > steps as f64 => {
                vec![format!(
                    "{TOTAL_STEPS} = {total} is more than the {steps} steps of the run, which ends before its schedule"
                )]
            }
            _ => Vec::new(),
        }
    }

    fn formula(&self) -> Option<Formula> {
        let lines = |module: &str, first: String| -> Vec<String> {
            let counted = [first, "t = k - 1".to_owned()];
            let result =
                if self.unit < 1.0 { format!("return {:?} * value", self.unit) } else { "return value".to_owned() };
            counted.into_iter().chain(self.sequence.python(&self.parameters, module)).chain([result]).collect()
        };
        let constants = vec![("steps", self.steps.to_string())];
        Some(Formula {
            python: lines("math", "k = min(k, steps)".to_owned()),
            jax: lines("jnp", "k = jnp.minimum(jnp.asarray(k, dtype=float), steps)".to_owned()),
            ..Formula::new(constants, &[], &[])
        })
    }
}
