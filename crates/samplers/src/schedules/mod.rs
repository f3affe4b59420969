//! Step-size schedules, one file each, and the registry that names them.
//!
//! Step sizes α have one convention here, θ ← θ + α ∇log p + √(2α) ξ. A schedule whose numbers are Welling and Teh's
//! ε = 2α is converted when it is built.
//!
//! To add a schedule: copy `constant.rs`, the shortest one, to a new file, declare it below with
//! `mod`, and add its line to [`ENTRIES`]. Scenario files, the command line, the window and the tests of all schedules
//! find it there, and approximations offer it too (`approximations.rs` may give it other defaults and words for them).
//!
//! `handle` has what a handle on the curve changes, as data; `export` schedules as Python and CSV, with what a run does with them.

mod approximations;
mod constant;
mod custom;
mod cyclical;
mod export;
mod formula;
mod handle;
mod list;
mod named;
mod polynomial;

use std::fmt::Debug;
use std::sync::Arc;

use base::math::Simd;
use base::params::{Choice, DefaultValue, Entry, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value};
use models::targets::Folder;

pub use approximations::{ADAM_SCHEDULES, ASCENT_SCHEDULES, SGRLD_SCHEDULES, SVI_SCHEDULES};
pub use constant::Constant;
pub use custom::Custom;
pub use cyclical::{Cyclical, Exploration};
pub use export::{Exploring, Formula, Kept, Library, Momentum, Practice, Program, StepKind, StepSizes};
pub use handle::{Course, Handle, HandleSpec, Moves, Spot};
pub use named::names as named_schedules;
pub use polynomial::Polynomial;

/// Stage of a step in its cycle: sampling or exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Draws are collected and noise is injected.
    Sampling,
    /// The exploration stage of a cycle: no draws are collected.
    Exploration {
        /// Whether noise is injected.
        noise: bool,
    },
}

impl Stage {
    /// Every stage of a schedule.
    pub const ALL: [Self; 3] = [Self::Sampling, Self::Exploration { noise: true }, Self::Exploration { noise: false }];
}

/// A sequence of step sizes. Steps are numbered from 1.
///
/// ```
/// use base::params::{Settings, Value, find_kind};
/// use sampler_samplers::schedules::{self, SCHEDULES, Stage};
///
/// // α_t = a (b + t)^−γ with a = 0.1, b = 0 and γ = 1, for a run of 100 steps.
/// let mut settings = Settings::defaults(find_kind(&SCHEDULES, "polynomial").unwrap());
/// settings.set("a", Value::Number(0.1)).unwrap();
/// settings.set("gamma", Value::Number(1.0)).unwrap();
/// let schedule = schedules::build(&settings, 100).unwrap();
/// assert!((schedule.step_size(1) - 0.1).abs() < 1e-15);
/// assert!((schedule.step_size(10) - 0.01).abs() < 1e-15);
/// assert_eq!((schedule.stage(10), schedule.cycle(10)), (Stage::Sampling, None));
/// ```
pub trait Schedule: Debug + Send + Sync {
    /// α of step `k` ≥ 1: finite and not negative.
    fn step_size(&self, k: u64) -> f64;

    /// The stage of step `k`.
    fn stage(&self, _k: u64) -> Stage {
        Stage::Sampling
    }

    /// Stages of the steps from `first` ≥ 1 on, as many as fit into `stages`. An override gives the same stages as
    /// [`Schedule::stage`].
    fn fill_stages(&self, first: u64, stages: &mut [Stage]) {
        for (stage, k) in stages.iter_mut().zip(first..) {
            *stage = self.stage(k);
        }
    }

    /// The number of the cycle that step `k` belongs to, from 0; `None` for a schedule without cycles.
    fn cycle(&self, _k: u64) -> Option<u64> {
        None
    }

    /// Step sizes of the steps from `first` ≥ 1 on, as many as fit into `step_sizes`, computed with the instruction set
    /// `simd`. An override gives the same bits as [`Schedule::step_size`].
    fn fill(&self, _simd: Simd, first: u64, step_sizes: &mut [f64]) {
        for (alpha, k) in step_sizes.iter_mut().zip(first..) {
            *alpha = self.step_size(k);
        }
    }

    /// The largest α of the steps from 1 to `steps`. An override gives the same number without a loop over all steps.
    fn largest(&self, steps: u64) -> f64 {
        (1..=steps).map(|k| self.step_size(k)).fold(0.0, f64::max)
    }

    /// The schedule in Python, for other programs; `None` if it has no formula.
    fn formula(&self) -> Option<Formula> {
        None
    }

    /// Remarks on unusual properties of the schedule, e.g. that Σα² diverges; empty if there are none.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Makes a schedule from its settings for a run of `steps` steps; its file is in the folder, if there is one.
pub type ScheduleBuilder =
    fn(settings: &Settings, steps: u64, folder: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>>;

/// What the registry knows of a schedule besides its description.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// Makes the schedule.
    make: ScheduleBuilder,
    /// The handles on its curve.
    handles: &'static [HandleSpec],
    /// The parameters that mean nothing at some settings.
    idle: fn(&Settings) -> &'static [&'static str],
}

/// The registry: one line per schedule.
const ENTRIES: &[Entry<Parts>] = &[
    constant::ENTRY, //
    polynomial::ENTRY,
    cyclical::ENTRY,
    custom::ENTRY,
    list::ENTRY,
    formula::ENTRY,
];

/// The kinds of schedules, in the order of the menu.
pub static SCHEDULES: [KindSpec; ENTRIES.len()] = base::kinds!(ENTRIES);

/// The schedule of one step size for all steps.
pub const CONSTANT: &KindSpec = &constant::ENTRY.spec;

/// The schedule of step sizes that fall as a power of the step.
pub const POLYNOMIAL: &KindSpec = &polynomial::ENTRY.spec;

/// The schedule of step sizes that restart in every cycle.
pub const CYCLICAL: &KindSpec = &cyclical::ENTRY.spec;

/// The schedule of a list of step sizes.
pub const LIST: &KindSpec = &list::ENTRY.spec;

/// The schedule of a formula.
pub const FORMULA: &KindSpec = &formula::ENTRY.spec;

/// The schedule of a curve that a person draws.
pub const BY_HAND: &KindSpec = &custom::ENTRY.spec;

/// Parameters that mean nothing at these settings of a schedule, and cannot be changed there.
#[must_use]
pub fn idle_parameters(settings: &Settings) -> &'static [&'static str] {
    let entry = ENTRIES.iter().find(|entry| entry.spec.name == settings.kind.name);
    entry.map_or(&[], |entry| (entry.build.idle)(settings))
}

/// The settings of a schedule after a person gave a text to its parameter `key`, where more follows from it than the text: numbers for the
/// names in a formula, another schedule for a line of PyTorch or optax, no list beside a file.
#[must_use]
pub fn with_text(settings: &Settings, key: &str, text: &str) -> Option<Settings> {
    match settings.kind.name {
        name if name == FORMULA.name => formula::with_text(settings, key, text),
        name if name == LIST.name => list::with_text(settings, key, text),
        _ => None,
    }
}

/// Makes the schedule that `settings` describe, for a run of `steps` steps. One that is in a file is an error: see [`build_in`].
///
/// # Errors
/// Everything that is wrong with the settings, with paths relative to them.
pub fn build(settings: &Settings, steps: u64) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    build_from(settings, steps, None)
}

/// The same for settings that may name a file, whose relative path starts at `folder`.
///
/// # Errors
/// As [`build`], and if there is no such file, or something in it is no step size.
pub fn build_in(settings: &Settings, steps: u64, folder: &Folder) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    build_from(settings, steps, Some(folder))
}

fn build_from(settings: &Settings, steps: u64, folder: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    match ENTRIES.iter().find(|entry| entry.spec == *settings.kind) {
        Some(entry) => (entry.build.make)(settings, steps, folder),
        None => Err(vec![unknown_kind(settings)]),
    }
}

fn unknown_kind(settings: &Settings) -> ParamError {
    let names: Vec<&str> = SCHEDULES.iter().map(|kind| kind.name).collect();
    ParamError::new("kind", format!("\"{}\" is not a step-size schedule", settings.kind.name), names.join(", "))
}

/// Largest number of steps of a run: step numbers fit 32 bits, and products of two of them 64.
pub const MAX_STEPS: f64 = 1e8;

/// The convention of the numbers of a schedule; a parameter of every schedule.
const CONVENTION: ParamSpec = ParamSpec::of(
    "convention",
    "convention",
    ParamType::Choice(&[
        Choice {
            name: "langevin", label: "α", help: "The numbers are step sizes α: a step adds α ∇log p + √(2α) ξ."
        },
        Choice {
            name: "welling-teh",
            label: "ε = 2α",
            help: "The numbers are Welling and Teh's ε: a step adds (ε/2) ∇log p + √ε ξ. α is half of each number.",
        },
    ]),
    DefaultValue::Word("langevin"),
    "The meaning of the numbers of this schedule: step sizes α, or ε = 2α as in Welling and Teh (2011).",
)
.folded();

/// Whether the numbers of a schedule are Welling and Teh's ε = 2α.
#[must_use]
pub fn in_epsilon(settings: &Settings) -> bool {
    settings.get(CONVENTION.key) == Some(&Value::Choice("welling-teh"))
}

/// The α of a step size 1 in the convention of `settings`: 1 or ½. Halving is exact in binary arithmetic.
fn alpha_per_unit(settings: &Settings) -> f64 {
    if in_epsilon(settings) { 0.5 } else { 1.0 }
}

/// The label of a parameter in the convention of `settings`: with Welling and Teh's numbers, ε replaces α.
#[must_use]
pub fn label(settings: &Settings, spec: &ParamSpec) -> String {
    if in_epsilon(settings) { spec.label.replace('α', "ε") } else { spec.label.to_owned() }
}

/// The step size in the convention of Langevin dynamics.
pub const ALPHA: &str = "α";

/// The symbol of the step size for a schedule under the parameter `parameter` of a method: the symbol in the label of that
/// parameter, e.g. h of "step size h", or α if there is none.
#[must_use]
pub fn symbol(parameter: &ParamSpec) -> &'static str {
    let after = |words| parameter.label.strip_prefix(words);
    after("step size ").or_else(|| after("learning rate ")).unwrap_or(ALPHA)
}

/// Whether the number under `key` is present and differs from its default.
fn changed(settings: &Settings, key: &str) -> bool {
    match (settings.optional_number(key), settings.kind.param(key).map(|spec| spec.default)) {
        (Some(number), Some(DefaultValue::Number(default))) => number.to_bits() != default.to_bits(),
        (number, _) => number.is_some(),
    }
}

#[cfg(test)]
mod tests;
