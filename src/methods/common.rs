//! Parameters that the methods share: the part of a `[[run]]` table that is not one algorithm's own.

use super::GRADIENTS;
use crate::params::{DefaultValue, Interval, KindSpec, ParamSpec, ParamType};
use crate::schedules::{MAX_STEPS, SCHEDULES};

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
    (1.0, 64.0),
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

/// Where chains start.
pub(super) const START: ParamSpec =
    ParamSpec::of("start", "start", ParamType::Group(&STARTS), DefaultValue::Kind("point"), "Where the chains start.")
        .fixed();

/// How gradients are estimated.
pub(super) const GRADIENT: ParamSpec = ParamSpec::of(
    "gradient",
    "gradient",
    ParamType::Group(&GRADIENTS),
    DefaultValue::Kind("exact"),
    "How the gradient of the log density is found: exactly, with noise, or from a few of the data.",
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
