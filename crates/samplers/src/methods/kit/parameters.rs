//! Parameters that several methods share: chains, steps, start, gradient, step size, burn-in and thinning.

use crate::methods::{BATCHLESS_GRADIENTS, GRADIENTS, PLAIN_GRADIENTS, topics};
use crate::schedules::{
    ADAM_SCHEDULES, ASCENT_SCHEDULES, CONSTANT, MAX_STEPS, POLYNOMIAL, SCHEDULES, SVI_SCHEDULES, in_epsilon,
};
use base::math::Decay;
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Most chains of a run.
const MAX_CHAINS: f64 = 4096.0;

/// Range of the sliders for the coordinates of a start.
const START_SLIDER: (f64, f64) = (-10.0, 10.0);

/// Number of chains.
pub(crate) const CHAINS: ParamSpec = ParamSpec::integer(
    "chains",
    "chains",
    1.0,
    Interval::closed(1.0, MAX_CHAINS),
    (1.0, MAX_CHAINS),
    "Number of independent chains side by side. Several chains show what a single one can miss.",
)
.log()
.fixed();

/// Most chains that depend on each other: those of a block.
pub(crate) const MOST_TOGETHER: f64 = 128.0;

/// Number of chains that share something.
pub(crate) const CHAINS_TOGETHER: ParamSpec = ParamSpec::integer(
    "chains",
    "chains",
    8.0,
    Interval::closed(1.0, MOST_TOGETHER),
    (1.0, MOST_TOGETHER),
    "Number of chains side by side, which share their past.",
)
.log()
.fixed();

/// Number of members of an ensemble, at least two: each is a chain.
pub(crate) const MEMBERS: ParamSpec = ParamSpec::integer(
    "chains",
    "members",
    10.0,
    Interval::closed(2.0, MAX_CHAINS),
    (2.0, MAX_CHAINS),
    "Number of members, each trained for itself. A member is a chain.",
)
.log()
.fixed();

/// Most chains of inference of topics: each keeps topics of its own.
const MAX_TOPIC_CHAINS: f64 = 64.0;

/// Number of chains of inference of topics.
pub(crate) const TOPIC_CHAINS: ParamSpec = ParamSpec::integer(
    "chains",
    "chains",
    1.0,
    Interval::closed(1.0, MAX_TOPIC_CHAINS),
    (1.0, MAX_TOPIC_CHAINS),
    "Number of independent chains side by side, each with a start and random numbers of its own.",
)
.log()
.fixed();

/// The value of the number of chains.
pub(crate) fn chains(settings: &Settings) -> usize {
    usize::try_from(settings.count("chains")).unwrap_or(usize::MAX).max(1)
}

/// Number of steps.
pub(crate) const STEPS: ParamSpec = ParamSpec::integer(
    "steps",
    "steps",
    50_000.0,
    Interval::closed(1.0, MAX_STEPS),
    (100.0, 1e6),
    "Number of steps of every chain. Schedules that span the run change with it.",
)
.folded()
.unit("steps")
.log();

/// Most steps of an approximation: the record of every step is kept.
const MAX_FIT_STEPS: f64 = 200_000.0;

/// Number of steps of an optimiser.
pub(crate) const ASCENT_STEPS: ParamSpec = STEPS.default(DefaultValue::Number(20_000.0));

/// Number of steps of an approximation, `default` when left out.
pub(crate) const fn fit_steps(default: f64) -> ParamSpec {
    ParamSpec::integer(
        "steps",
        "steps",
        default,
        Interval::closed(1.0, MAX_FIT_STEPS),
        (1.0, 1e4),
        "Number of steps of the fit. After it has converged, further steps change nothing.",
    )
    .folded()
    .unit("steps")
    .log()
}

/// Number of draws from the distribution that an approximation has fitted.
pub(crate) const DRAWS: ParamSpec = ParamSpec::integer(
    "draws",
    "draws",
    1000.0,
    Interval::closed(0.0, 1e5),
    (0.0, 5000.0),
    "Number of draws from the fitted distribution that are shown and written to files.",
)
.folded()
.unit("draws");

/// The value of [`DRAWS`].
pub(crate) fn draws(settings: &Settings) -> usize {
    usize::try_from(settings.count("draws")).unwrap_or(usize::MAX)
}

/// Where chains start.
pub(crate) const START: ParamSpec =
    ParamSpec::of("start", "start", ParamType::Group(&STARTS), DefaultValue::Kind("point"), "Where the chains start.")
        .folded()
        .fixed();

/// Where chains start, of methods that infer topics too.
pub(crate) const FIT_START: ParamSpec = ParamSpec { ty: ParamType::Group(&FIT_STARTS), ..START };

/// How gradients are estimated, of methods that can subtract gradient noise from their injected noise.
pub(crate) const GRADIENT: ParamSpec = gradient(
    &GRADIENTS,
    "How the gradient of the log density is computed: exactly, with noise, or from a minibatch of the data.",
);

/// The same for methods that cannot subtract gradient noise.
pub(crate) const PLAIN_GRADIENT: ParamSpec = gradient(
    &PLAIN_GRADIENTS,
    "How the gradient of the log density is computed: exactly, with noise, or from a minibatch of the data.",
);

/// The same for methods without minibatches.
pub(crate) const BATCHLESS_GRADIENT: ParamSpec =
    gradient(&BATCHLESS_GRADIENTS, "How the gradient of the log density is computed: exactly, or with noise.");

const fn gradient(kinds: &'static [KindSpec], help: &'static str) -> ParamSpec {
    ParamSpec::of("gradient", "gradient", ParamType::Group(kinds), DefaultValue::Kind("exact"), help)
}

/// Whether steps are accepted or rejected.
pub(crate) const METROPOLIS: ParamSpec = ParamSpec::of(
    "metropolis",
    "Metropolis",
    ParamType::Flag,
    DefaultValue::Required,
    "Accepts or rejects every step as a proposal, so that the draws are exact at every step size. Off, they have a bias \
     that grows with the step size.",
);

/// The schedule of step sizes, of kind `default` when left out.
pub(crate) const fn step_size(default: &'static KindSpec) -> ParamSpec {
    ParamSpec::of(
        "step_size",
        "step size",
        ParamType::Group(&SCHEDULES),
        DefaultValue::Kind(default.name),
        "The size α of the steps, and how it changes over the run. Welling and Teh's ε is 2α. For a loss that is a mean over N \
         data, the learning rate of the same steps is Nα.",
    )
}

/// The schedule of Adam's step sizes.
pub(crate) const ADAM_STEP: ParamSpec = ParamSpec::of(
    "step_size",
    "step size η",
    ParamType::Group(&ADAM_SCHEDULES),
    DefaultValue::Kind(CONSTANT.name),
    "Adam's step size (learning rate). Means and logarithms of standard deviations change by about this much per step.",
);

/// The schedule of Adam's step sizes where it moves θ itself.
pub(crate) const LEARNING_RATE: ParamSpec = ParamSpec::of(
    "step_size",
    "learning rate η",
    ParamType::Group(&ASCENT_SCHEDULES),
    DefaultValue::Kind(CONSTANT.name),
    "Adam's step size: coordinates change by about this much per step, however large the gradient is.",
);

/// β₁ and β₂ are below 1.
const DECAYS: Interval = Interval { min: 0.0, max: 1.0, open_min: false, open_max: true };

/// β₁ of Adam.
pub(crate) const BETA_1: ParamSpec = ParamSpec::number(
    "beta1",
    "gradient decay β₁",
    0.9,
    DECAYS,
    (0.0, 0.99),
    "Adam's decay rate of the moving average of gradients: the share that is kept per step.",
)
.folded();

/// β₂ of Adam.
pub(crate) const BETA_2: ParamSpec = ParamSpec::number(
    "beta2",
    "square decay β₂",
    0.999,
    DECAYS,
    (0.9, 0.9999),
    "Adam's decay rate of the moving average of squared gradients: the share that is kept per step.",
)
.folded();

/// The values of [`BETA_1`] and [`BETA_2`].
pub(crate) fn decay(settings: &Settings) -> Decay {
    Decay { first: settings.number("beta1"), second: settings.number("beta2") }
}

/// The schedule of step sizes ρ in natural parameters.
pub(crate) const NATURAL_STEP: ParamSpec = ParamSpec::of(
    "step_size",
    "step size ρ",
    ParamType::Group(&SVI_SCHEDULES),
    DefaultValue::Kind(POLYNOMIAL.name),
    "The weight ρ of the new intermediate estimate in a step; the old parameters have weight 1 − ρ. With ρ = 1 the \
     estimate replaces them.",
);

/// The schedule of step sizes h of a method that integrates equations of motion at unit mass, of kind `default` when left
/// out.
pub(crate) const fn integration_step(default: &'static KindSpec) -> ParamSpec {
    ParamSpec::of(
        "step_size",
        "step size h",
        ParamType::Group(&SCHEDULES),
        DefaultValue::Kind(default.name),
        "The time step h of the integration, at unit mass. Drift and noise of a step are those of a Langevin step with \
         α = h²/2 (HMC) or h² (SGNHT).",
    )
}

/// Checks that the numbers of such a schedule are not given as Welling and Teh's ε, which is no time step.
pub(crate) fn check_integration_step(settings: &Settings) -> Result<(), Vec<ParamError>> {
    let problem = "the step size of this method is the time step h of an integration, not Welling and Teh's ε";
    check_convention(settings, problem, "langevin, with the numbers as h")
}

/// Rejects a schedule whose numbers are given as Welling and Teh's ε, with the reason.
pub(crate) fn check_convention(settings: &Settings, problem: &str, allowed: &str) -> Result<(), Vec<ParamError>> {
    if settings.group("step_size").is_some_and(in_epsilon) {
        return Err(vec![ParamError::new("step_size.convention", problem, allowed)]);
    }
    Ok(())
}

/// Which draws are collected.
pub(crate) const COLLECT: ParamSpec = ParamSpec::of(
    "collect",
    "burn-in and thinning",
    ParamType::Group(&COLLECTIONS),
    DefaultValue::Kind("collect"),
    "The draws that are kept, and their weights.",
)
.folded();

const POINT: [ParamSpec; 2] = [
    ParamSpec::number(
        "x",
        "x",
        0.0,
        Interval::ANY,
        START_SLIDER,
        "First coordinate of the start. Left out: the start that the target suggests.",
    )
    .optional()
    .fixed(),
    ParamSpec::number(
        "y",
        "y",
        0.0,
        Interval::ANY,
        START_SLIDER,
        "Second coordinate of the start. Left out: the start that the target suggests.",
    )
    .optional()
    .fixed(),
];

const UNIFORM: [ParamSpec; 2] = [
    ParamSpec::number("low", "low", -10.0, Interval::ANY, START_SLIDER, "Lower limit of both coordinates.").fixed(),
    ParamSpec::number(
        "high",
        "high",
        10.0,
        Interval::ANY,
        START_SLIDER,
        "Upper limit of both coordinates, above the lower one.",
    )
    .fixed(),
];

/// The kinds of the `start` group.
pub static STARTS: [KindSpec; 4] = STARTS_OF_DENSITIES;

const STARTS_OF_DENSITIES: [KindSpec; 4] = [
    KindSpec {
        name: "point",
        label: "One point",
        help: "All chains start at the same point, by default the one that the target suggests.",
        params: &POINT,
    },
    KindSpec {
        name: "uniform",
        label: "Uniform",
        help: "Every chain starts at an independent random point of a square.",
        params: &UNIFORM,
    },
    KindSpec {
        name: "target",
        label: "Exact draws",
        help: "Every chain starts at an exact draw from the target: no burn-in is needed.",
        params: &[],
    },
    KindSpec {
        name: "prior",
        label: "Prior draws",
        help: "Every chain starts at an independent draw from the prior. On a target without one it starts anywhere in its \
               view, all places alike.",
        params: &[],
    },
];

/// The kinds of the `start` group of methods that infer topics too.
static FIT_STARTS: [KindSpec; 7] = [
    KindSpec {
        help: "All chains start at the same point, by default the one that the target suggests; on topics at random ones.",
        ..STARTS_OF_DENSITIES[0]
    },
    STARTS_OF_DENSITIES[1],
    STARTS_OF_DENSITIES[2],
    STARTS_OF_DENSITIES[3],
    topics::RANDOM,
    topics::FORMULA,
    topics::TRUTH,
];

const COLLECTION: [ParamSpec; 3] = [
    ParamSpec::integer(
        "burn_in",
        "burn-in",
        0.0,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 10_000.0),
        "Number of steps at the start of the run whose draws are dropped.",
    )
    .unit("steps"),
    ParamSpec::integer(
        "thin",
        "thinning",
        1.0,
        Interval::closed(1.0, MAX_STEPS),
        (1.0, 100.0),
        "One draw is kept in this number of steps. Thinning saves memory; it does not improve any estimate.",
    )
    .unit("steps")
    .log(),
    ParamSpec::of(
        "weighted",
        "weight by step size",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Weights every draw by its step size, as Welling and Teh do for averages under decreasing step sizes.",
    ),
];

/// The kind of the `collect` group.
pub static COLLECTIONS: [KindSpec; 1] = [KindSpec {
    name: "collect",
    label: "Burn-in and thinning",
    help: "The draws of the sampling stage that are kept.",
    params: &COLLECTION,
}];
