//! Parameters of the No-U-Turn sampler.

use std::sync::Arc;

use super::{Mass, Nuts};
use crate::methods::kit::parameters;
use crate::methods::{Method, MethodEntry, MethodGroup, StepScale, StepSpec};
use crate::schedules::{CONSTANT, MAX_STEPS};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value};

/// Most doublings of a trajectory: 1023 leapfrog steps.
const MOST_DEPTH: usize = 10;

/// Steps of a warm-up, as in Stan.
pub(super) const WARM_UP: u64 = 1000;

const PARAMS: [ParamSpec; 10] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::integration_step(CONSTANT),
    ParamSpec::integer(
        "max_depth",
        "largest depth",
        10.0,
        Interval::closed(1.0, MOST_DEPTH as f64),
        (1.0, MOST_DEPTH as f64),
        "The largest number of doublings of a trajectory: it has at most 2 to this power − 1 leapfrog steps.",
    )
    .unit("doublings")
    .folded(),
    ParamSpec::of(
        "adapt_step_size",
        "adapt step size",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Adapts the step size of every chain during the warm-up, from that of the schedule on, until the mean acceptance \
         probability is the target acceptance.",
    ),
    ParamSpec::number(
        "target_acceptance",
        "target acceptance δ",
        0.8,
        Interval::open(0.0, 1.0),
        (0.5, 0.99),
        "The mean acceptance probability that the adaptation of the step size aims at. A larger one makes smaller steps.",
    )
    .folded()
    .only_with(&["adapt_step_size"]),
    ParamSpec::of(
        "mass",
        "mass matrix",
        ParamType::Choice(&[
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
        ]),
        DefaultValue::Word("unit"),
        "The mass matrix of the momentum. Adapted to the covariance of the chain, it makes all directions alike. On separated modes \
         the warm-up sees the modes where the chain was: for a while after it draws are still unevenly shared among them.",
    ),
    ParamSpec::integer(
        "warm_up",
        "warm-up",
        WARM_UP as f64,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 5000.0),
        "Number of steps of the adaptation of step size and mass matrix; 1000 if left out, and nothing without adaptation. Its draws are \
         not exact: the burn-in should be at least as long.",
    )
    .optional()
    .unit("steps")
    .folded()
    .only_with(&["adapt_step_size", "mass"]),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "nuts",
        label: "NUTS",
        help: "The No-U-Turn sampler (Hoffman and Gelman 2014): Hamiltonian Monte Carlo that follows a path in both directions \
               until it turns back, and draws one of its points. It needs no number of leapfrog steps.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "leapfrog steps of size h from a new momentum r ~ N(0, I), forward and backward until the ends turn towards each \
               other; the draw is one of their points, chosen by exp(−H).",
        noise: Some("in the new momentum of every step, in the directions, and in the choice of the point."),
        scale: StepScale::LEAPFROG,
    }),
    algorithm: include_str!("nuts.py"),
    usual: Some(adapted),
};

/// Step size and a diagonal mass matrix adapt during a warm-up that is not collected, as in Stan: 1000 steps, or half of a shorter run.
fn adapted(settings: &mut Settings) {
    let warm_up = WARM_UP.min(settings.count("steps") / 2) as f64;
    let burn_in = settings.group("collect").map_or(0, |collect| collect.count("burn_in")) as f64;
    let changes = [
        ("adapt_step_size", Value::Flag(true)),
        ("mass", Value::Choice("diagonal")),
        ("warm_up", Value::Number(warm_up)),
        ("collect.burn_in", Value::Number(warm_up.max(burn_in))),
    ];
    for (path, value) in changes {
        // All are parameters of this method, and within their ranges.
        settings.set(path, value).ok();
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_integration_step(settings)?;
    let mass = match settings.word("mass") {
        "diagonal" => Mass::Diagonal,
        "dense" => Mass::Dense,
        _ => Mass::Unit,
    };
    Ok(Arc::new(Nuts {
        max_depth: usize::try_from(settings.count("max_depth")).unwrap_or(1).clamp(1, MOST_DEPTH),
        adapt_step_size: settings.flag("adapt_step_size"),
        target_acceptance: settings.number("target_acceptance"),
        mass,
        warm_up: settings.optional_count("warm_up").unwrap_or(WARM_UP),
    }))
}
