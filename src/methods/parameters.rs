//! Parameters that the methods share: the part of a `[[run]]` table that is not one algorithm's own.

use super::{BATCHLESS_GRADIENTS, GRADIENTS, PLAIN_GRADIENTS};
use crate::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use crate::schedules::{ADAM_SCHEDULES, MAX_STEPS, SCHEDULES, SVI_SCHEDULES};

/// Most chains of a run.
const MAX_CHAINS: f64 = 4096.0;

/// Where a coordinate of a start may be, on a slider.
const START_SLIDER: (f64, f64) = (-10.0, 10.0);

/// Number of chains.
pub(super) const CHAINS: ParamSpec = ParamSpec::integer(
    "chains",
    "chains",
    1.0,
    Interval::closed(1.0, MAX_CHAINS),
    (1.0, MAX_CHAINS),
    "Number of independent chains, side by side. Several chains show what one of them has missed.",
)
.log()
.fixed();

/// Number of steps.
pub(super) const STEPS: ParamSpec = ParamSpec::integer(
    "steps",
    "steps",
    50_000.0,
    Interval::closed(1.0, MAX_STEPS),
    (100.0, 1e6),
    "Number of steps that every chain makes. Schedules that span the run stretch with it.",
)
.unit("steps")
.log();

/// Most steps of an approximation: what it carries is kept of every one.
const MAX_FIT_STEPS: f64 = 200_000.0;

/// Number of steps of an approximation, `default` when left out.
pub(super) const fn fit_steps(default: f64) -> ParamSpec {
    ParamSpec::integer(
        "steps",
        "steps",
        default,
        Interval::closed(1.0, MAX_FIT_STEPS),
        (1.0, 1e4),
        "Number of steps in which the distribution is fitted. Steps after it has settled change nothing.",
    )
    .unit("steps")
    .log()
}

/// Number of draws from the distribution that an approximation has fitted.
pub(super) const DRAWS: ParamSpec = ParamSpec::integer(
    "draws",
    "draws",
    1000.0,
    Interval::closed(0.0, 1e5),
    (0.0, 5000.0),
    "Number of draws from the fit that are shown and written.",
)
.unit("draws");

/// The value of [`DRAWS`].
pub(super) fn draws(settings: &Settings) -> usize {
    usize::try_from(settings.count("draws")).unwrap_or(usize::MAX)
}

/// Where chains start.
pub(super) const START: ParamSpec =
    ParamSpec::of("start", "start", ParamType::Group(&STARTS), DefaultValue::Kind("point"), "Where the chains start.")
        .fixed();

/// How gradients are estimated, where injected noise can make up for their noise.
pub(super) const GRADIENT: ParamSpec = gradient(
    &GRADIENTS,
    "How the gradient of the log density is found: exactly, with noise, or from a few of the data.",
);

/// The same where it cannot.
pub(super) const PLAIN_GRADIENT: ParamSpec = gradient(
    &PLAIN_GRADIENTS,
    "How the gradient of the log density is found: exactly, with noise, or from a few of the data.",
);

/// The same where there are no minibatches.
pub(super) const BATCHLESS_GRADIENT: ParamSpec =
    gradient(&BATCHLESS_GRADIENTS, "How the gradient of the log density is found: exactly, or with noise.");

const fn gradient(kinds: &'static [KindSpec], help: &'static str) -> ParamSpec {
    ParamSpec::of("gradient", "gradient", ParamType::Group(kinds), DefaultValue::Kind("exact"), help)
}

/// Whether steps are accepted or rejected.
pub(super) const METROPOLIS: ParamSpec = ParamSpec::of(
    "metropolis",
    "Metropolis",
    ParamType::Flag,
    DefaultValue::Required,
    "Treats every step as a proposal that is accepted or rejected, so that the draws are exact at any step size. Off, they \
     have the bias of the step size.",
);

/// The schedule of step sizes, of kind `default` when left out.
pub(super) const fn step_size(default: &'static str) -> ParamSpec {
    ParamSpec::of(
        "step_size",
        "step size",
        ParamType::Group(&SCHEDULES),
        DefaultValue::Kind(default),
        "How far the chains go per step, and how that changes over the run.",
    )
}

/// The schedule of Adam's step sizes.
pub(super) const ADAM_STEP: ParamSpec = ParamSpec::of(
    "step_size",
    "step size η",
    ParamType::Group(&ADAM_SCHEDULES),
    DefaultValue::Kind("constant"),
    "How long Adam's steps are. Means and the logarithms of standard deviations change by about so much per step.",
);

/// The schedule of steps ρ in natural parameters.
pub(super) const NATURAL_STEP: ParamSpec = ParamSpec::of(
    "step_size",
    "step size ρ",
    ParamType::Group(&SVI_SCHEDULES),
    DefaultValue::Kind("polynomial"),
    "The share ρ of a step that is the newest target's, the rest being the distribution's own. With ρ = 1 the distribution becomes its target.",
);

/// The schedule of step sizes h of a method that integrates equations of motion at unit mass, of kind `default` when left
/// out.
pub(super) const fn integration_step(default: &'static str) -> ParamSpec {
    ParamSpec::of(
        "step_size",
        "step size h",
        ParamType::Group(&SCHEDULES),
        DefaultValue::Kind(default),
        "The time step h of the integration, at unit mass. Its numbers stand where other methods have α, but mean h: a step \
         drifts and spreads as far as a Langevin step with α = h²/2 (HMC) or h² (SGNHT).",
    )
}

/// Checks that the numbers of such a schedule are not meant as Welling and Teh's ε, which is no time.
pub(super) fn check_integration_step(settings: &Settings) -> Result<(), Vec<ParamError>> {
    let problem = "the step size of this method is the time step h of an integration, which is not Welling and Teh's ε";
    check_convention(settings, problem, "langevin, with the numbers as h")
}

/// Refuses a schedule whose numbers are meant as Welling and Teh's ε, and says why.
pub(super) fn check_convention(settings: &Settings, problem: &str, allowed: &str) -> Result<(), Vec<ParamError>> {
    let group = settings.group("step_size");
    if group.is_some_and(|group| group.kind.param("convention").is_some() && group.word("convention") == "welling-teh")
    {
        return Err(vec![ParamError::new("step_size.convention", problem, allowed)]);
    }
    Ok(())
}

/// Which draws are collected.
pub(super) const COLLECT: ParamSpec = ParamSpec::of(
    "collect",
    "collect",
    ParamType::Group(&COLLECTIONS),
    DefaultValue::Kind("collect"),
    "Which draws are kept and how they count.",
);

const POINT: [ParamSpec; 2] = [
    ParamSpec::number(
        "x",
        "x",
        0.0,
        Interval::ANY,
        START_SLIDER,
        "First coordinate of the start. Left out: the target's own.",
    )
    .optional()
    .fixed(),
    ParamSpec::number(
        "y",
        "y",
        0.0,
        Interval::ANY,
        START_SLIDER,
        "Second coordinate of the start. Left out: the target's own.",
    )
    .optional()
    .fixed(),
];

const UNIFORM: [ParamSpec; 2] = [
    ParamSpec::number("low", "low", -10.0, Interval::ANY, START_SLIDER, "Lower end in both coordinates.").fixed(),
    ParamSpec::number(
        "high",
        "high",
        10.0,
        Interval::ANY,
        START_SLIDER,
        "Upper end in both coordinates, above the lower.",
    )
    .fixed(),
];

/// The kinds of the `start` group.
pub static STARTS: [KindSpec; 3] = [
    KindSpec {
        name: "point",
        label: "One point",
        help: "All chains start at the same point: by default where the target suggests.",
        params: &POINT,
    },
    KindSpec {
        name: "uniform",
        label: "Uniform",
        help: "Every chain starts somewhere in a square, independently.",
        params: &UNIFORM,
    },
    KindSpec {
        name: "target",
        label: "Exact draws",
        help: "Every chain starts at an exact draw from the target: there is nothing to burn in.",
        params: &[],
    },
];

const COLLECTION: [ParamSpec; 3] = [
    ParamSpec::integer(
        "burn_in",
        "burn-in",
        0.0,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 10_000.0),
        "Number of steps at the beginning whose draws are dropped.",
    )
    .unit("steps"),
    ParamSpec::integer(
        "thin",
        "thin",
        1.0,
        Interval::closed(1.0, MAX_STEPS),
        (1.0, 100.0),
        "Every how many steps a draw is kept. Thinning saves memory; it makes no estimate better.",
    )
    .unit("steps")
    .log(),
    ParamSpec::of(
        "weighted",
        "weight by step size",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Lets every draw count in proportion to its step size, as Welling and Teh do for averages under decreasing steps.",
    ),
];

/// The kind of the `collect` group.
pub static COLLECTIONS: [KindSpec; 1] = [KindSpec {
    name: "collect",
    label: "Collect",
    help: "Which draws of the sampling stage are kept.",
    params: &COLLECTION,
}];
