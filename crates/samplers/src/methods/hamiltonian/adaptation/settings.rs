//! Parameters of the adaptation of step size and mass matrix.

use super::{Adaptation, Mass};
use crate::schedules::MAX_STEPS;
use base::params::{Choice, DefaultValue, Interval, ParamSpec, ParamType, Settings, Value};

/// Steps of a warm-up, as in Stan.
pub(crate) const USUAL_WARM_UP: u64 = 1000;

/// Whether the step size adapts.
pub(crate) const ADAPT_STEP_SIZE: ParamSpec = ParamSpec::of(
    "adapt_step_size",
    "adapt step size",
    ParamType::Flag,
    DefaultValue::Flag(false),
    "Adapts the step size of every chain during the warm-up, from that of the schedule on, until the mean acceptance \
     probability is the target acceptance.",
);

/// δ.
pub(crate) const TARGET_ACCEPTANCE: ParamSpec = ParamSpec::number(
    "target_acceptance",
    "target acceptance δ",
    0.8,
    Interval::open(0.0, 1.0),
    (0.5, 0.99),
    "The mean acceptance probability that the adaptation of the step size aims at. A larger one makes smaller steps.",
)
.folded()
.only_with(&["adapt_step_size"]);

/// The identity, and what is adapted.
const MASSES: [Choice; 3] = [
    Choice { name: "unit", label: "unit", help: "The identity matrix." },
    Choice {
        name: "diagonal",
        label: "diagonal",
        help: "Adapted during the warm-up to the variance of every coordinate along the chain.",
    },
    Choice {
        name: "dense",
        label: "dense",
        help: "Adapted during the warm-up to the whole covariance along the chain; at most 64 coordinates.",
    },
];

/// Those that are diagonal.
const DIAGONALS: [Choice; 2] = [MASSES[0], MASSES[1]];

/// The mass matrix, of any kind.
pub(crate) const MASS: ParamSpec = mass(&MASSES);

/// A mass matrix that is diagonal.
pub(crate) const DIAGONAL: ParamSpec = mass(&DIAGONALS);

const fn mass(choices: &'static [Choice]) -> ParamSpec {
    ParamSpec::of(
        "mass",
        "mass matrix",
        ParamType::Choice(choices),
        DefaultValue::Word("unit"),
        "The mass matrix of the momentum. Adapted to the covariance of the chain, it makes all directions alike. On separated modes \
         the warm-up sees the modes where the chain was: for a while after it draws are still unevenly shared among them.",
    )
}

/// Length of the warm-up.
pub(crate) const WARM_UP: ParamSpec = ParamSpec::integer(
    "warm_up",
    "warm-up",
    USUAL_WARM_UP as f64,
    Interval::closed(0.0, MAX_STEPS),
    (0.0, 5000.0),
    "Number of steps of the adaptation of step size and mass matrix; 1000 if left out, and nothing without adaptation. Its draws are \
     not exact: the burn-in should be at least as long.",
)
.optional()
.unit("steps")
.folded()
.only_with(&["adapt_step_size", "mass"]);

impl Adaptation {
    /// As the settings of a run say.
    pub fn of(settings: &Settings) -> Self {
        let mass = match settings.word("mass") {
            "diagonal" => Mass::Diagonal,
            "dense" => Mass::Dense,
            _ => Mass::Unit,
        };
        Self {
            step_size: settings.flag("adapt_step_size"),
            target_acceptance: settings.number("target_acceptance"),
            mass,
            warm_up: settings.optional_count("warm_up").unwrap_or(USUAL_WARM_UP),
        }
    }
}

/// Step size and a diagonal mass matrix adapt during a warm-up that is not collected, as in Stan: 1000 steps, or half of a shorter run.
pub(crate) fn set_usual(settings: &mut Settings) {
    set_with_warm_up(settings, &[("adapt_step_size", Value::Flag(true)), ("mass", Value::Choice("diagonal"))]);
}

/// Makes these changes. A run without a warm-up gets the usual one, or half of its steps if it is short. Its burn-in becomes at least as long.
pub(crate) fn set_with_warm_up(settings: &mut Settings, changes: &[(&str, Value)]) {
    let usual = USUAL_WARM_UP.min(settings.count("steps") / 2);
    let warm_up = settings.optional_count("warm_up").unwrap_or(usual) as f64;
    let burn_in = settings.group("collect").map_or(0, |collect| collect.count("burn_in")) as f64;
    let of_all = [("warm_up", Value::Number(warm_up)), ("collect.burn_in", Value::Number(warm_up.max(burn_in)))];
    for (path, value) in changes.iter().cloned().chain(of_all) {
        // All are parameters of these methods, and within their ranges.
        settings.set(path, value).ok();
    }
}
