//! The parameters of cycles: first those of the paper, then those of its authors' code, then of cycles that differ from each other.

use super::super::{CONVENTION, MAX_STEPS};
use base::params::{Choice, DefaultValue, Interval, ParamSpec, ParamType};

pub(super) const PARAMS: [ParamSpec; 12] = [
    ParamSpec::number(
        "initial",
        "initial step size α₀",
        0.09,
        Interval::POSITIVE,
        (1e-4, 1.0),
        "The step size at the start of every cycle. It has to be large enough to leave a mode.",
    )
    .log(),
    ParamSpec::integer(
        "cycles",
        "cycles",
        30.0,
        Interval::closed(1.0, MAX_STEPS),
        (1.0, 200.0),
        "Number of cycles in the run. More cycles visit more modes; longer cycles sample each mode better.",
    ),
    ParamSpec::of(
        "rounding",
        "rounding",
        ParamType::Choice(&[
            Choice {
                name: "ceil",
                label: "whole steps",
                help: "Cycles are a whole number of steps, rounded up; the last one may be cut short (the paper).",
            },
            Choice {
                name: "exact",
                label: "exact",
                help: "All cycles have exactly the same length and may start between two steps (the authors' code).",
            },
        ]),
        DefaultValue::Word("ceil"),
        "Length of a cycle when the number of steps is no multiple of the number of cycles.",
    )
    .folded(),
    ParamSpec::number(
        "exploration",
        "exploration share β",
        0.25,
        Interval { min: 0.0, max: 1.0, open_min: false, open_max: true },
        (0.0, 0.95),
        "The share of exploration steps in each cycle: their draws are dropped, and by default no noise is injected.",
    )
    .folded(),
    ParamSpec::integer(
        "exploration_steps",
        "exploration steps D",
        50.0,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 500.0),
        "Instead of β: the number of exploration steps at the start of each cycle.",
    )
    .folded()
    .unit("steps")
    .optional(),
    ParamSpec::of(
        "exploration_noise",
        "noise while exploring",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "On: exploration injects noise, as Langevin dynamics does (the authors' code). Off: it is gradient ascent (the \
         paper).",
    )
    .folded(),
    ParamSpec::integer(
        "cycle_steps",
        "steps of a cycle",
        1000.0,
        Interval::closed(1.0, MAX_STEPS),
        (10.0, 10_000.0),
        "Instead of the number of cycles: the length of the first one, as T₀ of warm restarts. The last cycle may be cut short.",
    )
    .folded()
    .unit("steps")
    .optional(),
    ParamSpec::number(
        "growth",
        "growth of cycles",
        2.0,
        Interval::closed(1.0, 100.0),
        (1.0, 3.0),
        "Each cycle is so many times as long as the one before, as T_mult of warm restarts. Left out: all are equally long.",
    )
    .folded()
    .optional(),
    ParamSpec::number(
        "peaks",
        "ratio of peaks",
        0.8,
        Interval { min: 0.0, max: 1.0, open_min: true, open_max: false },
        (0.3, 1.0),
        "Each cycle begins with so many times the step size of the one before. Left out: all begin with α₀.",
    )
    .folded()
    .optional(),
    ParamSpec::number(
        "minimum",
        "minimum step size α",
        0.0005,
        Interval::POSITIVE,
        (1e-6, 0.1),
        "The step size at the end of every cycle, in place of 0, so that the chain keeps moving there.",
    )
    .folded()
    .log()
    .optional(),
    ParamSpec::integer(
        "warm_up",
        "warm-up steps",
        100.0,
        Interval::closed(0.0, MAX_STEPS),
        (0.0, 1000.0),
        "Before the first cycle, step sizes rise to α₀ on a straight line for so many steps. Their draws are dropped.",
    )
    .folded()
    .unit("steps")
    .optional(),
    CONVENTION,
];
