//! The table of named schedules.

use super::Argument::{Ignored, Needed, Number, Optional, Word};
use super::{Made, Named};

/// The names of arguments on which no step size depends.
const LAST_EPOCH: (&str, super::Argument) = ("last_epoch", Ignored);
const VERBOSE: (&str, super::Argument) = ("verbose", Ignored);

/// The learning rate of the optimizer.
const LR: (&str, super::Argument) = ("lr", Needed);

/// The part of a cycle of `CyclicLR` that is over, up and down again, from 0 to 1.
macro_rules! triangle {
    ($scale:literal) => {
        concat!(
            "n = step_size_up + step_size_down; c = t % n; s = min(c/step_size_up, (n - c)/step_size_down); ",
            "base_lr + (max_lr - base_lr)*s",
            $scale
        )
    };
}

/// `OneCycleLR` with a function of the share u of the way up and v of the way down.
macro_rules! one_cycle {
    ($up:literal, $down:literal) => {
        concat!(
            "a = max_lr/div_factor; w = pct_start*total_steps - 1; u = min(t/w, 1); ",
            "v = min(max(t - w, 0)/(total_steps - 1 - w), 1); ",
            "a + (max_lr - a)*",
            $up,
            " - (max_lr - a/final_div_factor)*",
            $down
        )
    };
}

/// The same in three phases: as long down to the first step size as up, then down to the last.
macro_rules! one_cycle_and_end {
    ($up:literal, $down:literal, $end:literal) => {
        concat!(
            "a = max_lr/div_factor; w = pct_start*total_steps - 1; u = min(t/w, 1); ",
            "v = min(max(t - w, 0)/w, 1); ",
            "z = max(t - 2*w, 0)/(total_steps - 1 - 2*w); ",
            "a + (max_lr - a)*(",
            $up,
            " - ",
            $down,
            ") - (a - a/final_div_factor)*",
            $end
        )
    };
}

/// Exponential decay by a share of the way, within a bound.
macro_rules! decay {
    ($share:literal, $bound:literal, $end:literal) => {
        concat!("s = max(t - transition_begin, 0)/transition_steps; ", $bound, "init_value*decay_rate^", $share, $end)
    };
}

/// All of them: those of PyTorch, then those of optax.
pub(super) static NAMED: [Named; 16] = [
    Named {
        name: "CosineAnnealingWarmRestarts",
        arguments: &[("T_0", Needed), ("T_mult", Number(1.0)), ("eta_min", Number(0.0)), LAST_EPOCH, VERBOSE, LR],
        make: |_| Made::Cycles(["lr", "eta_min", "T_0", "T_mult"]),
    },
    Named {
        name: "CosineAnnealingLR",
        arguments: &[("T_max", Needed), ("eta_min", Number(0.0)), LAST_EPOCH, VERBOSE, LR],
        make: |_| Made::Formula("eta_min + (lr - eta_min)/2*(1 + cos(pi*t/T_max))"),
    },
    Named {
        name: "OneCycleLR",
        arguments: &[
            ("max_lr", Needed),
            ("total_steps", Optional),
            ("epochs", Optional),
            ("steps_per_epoch", Optional),
            ("pct_start", Number(0.3)),
            ("anneal_strategy", Word(&["cos", "linear"])),
            ("cycle_momentum", Ignored),
            ("base_momentum", Ignored),
            ("max_momentum", Ignored),
            ("div_factor", Number(25.0)),
            ("final_div_factor", Number(1e4)),
            ("three_phase", Word(&["False", "True"])),
            LAST_EPOCH,
            VERBOSE,
            ("lr", Ignored),
        ],
        make: |given| {
            let steps = given.number("epochs").zip(given.number("steps_per_epoch"));
            given.or("total_steps", steps.map(|(epochs, each)| epochs * each));
            let linear = given.word("anneal_strategy") == "linear";
            Made::Formula(match (linear, given.word("three_phase") == "True") {
                (true, false) => one_cycle!("u", "v"),
                (false, false) => one_cycle!("(1 - cos(pi*u))/2", "(1 - cos(pi*v))/2"),
                (true, true) => one_cycle_and_end!("u", "v", "z"),
                (false, true) => {
                    one_cycle_and_end!("(1 - cos(pi*u))/2", "(1 - cos(pi*v))/2", "(1 - cos(pi*z))/2")
                }
            })
        },
    },
    Named {
        name: "CyclicLR",
        arguments: &[
            ("base_lr", Needed),
            ("max_lr", Needed),
            ("step_size_up", Number(2000.0)),
            ("step_size_down", Optional),
            ("mode", Word(&["triangular", "triangular2", "exp_range"])),
            ("gamma", Number(1.0)),
            ("scale_fn", Word(&["None"])),
            ("scale_mode", Word(&["cycle", "iterations"])),
            ("cycle_momentum", Ignored),
            ("base_momentum", Ignored),
            ("max_momentum", Ignored),
            LAST_EPOCH,
            VERBOSE,
            ("lr", Ignored),
        ],
        make: |given| {
            given.or("step_size_down", given.number("step_size_up"));
            Made::Formula(match given.word("mode") {
                "triangular2" => triangle!("*0.5^floor(t/n)"),
                "exp_range" => triangle!("*gamma^t"),
                _ => triangle!(""),
            })
        },
    },
    Named {
        name: "StepLR",
        arguments: &[("step_size", Needed), ("gamma", Number(0.1)), LAST_EPOCH, VERBOSE, LR],
        make: |_| Made::Formula("lr*gamma^floor(t/step_size)"),
    },
    Named {
        name: "ExponentialLR",
        arguments: &[("gamma", Needed), LAST_EPOCH, VERBOSE, LR],
        make: |_| Made::Formula("lr*gamma^t"),
    },
    Named {
        name: "LinearLR",
        arguments: &[
            ("start_factor", Number(1.0 / 3.0)),
            ("end_factor", Number(1.0)),
            ("total_iters", Number(5.0)),
            LAST_EPOCH,
            VERBOSE,
            LR,
        ],
        make: |_| Made::Formula("lr*(start_factor + (end_factor - start_factor)*min(t, total_iters)/total_iters)"),
    },
    Named {
        name: "PolynomialLR",
        arguments: &[("total_iters", Number(5.0)), ("power", Number(1.0)), LAST_EPOCH, VERBOSE, LR],
        make: |_| Made::Formula("lr*(1 - min(t, total_iters)/total_iters)^power"),
    },
    Named { name: "constant_schedule", arguments: &[("value", Needed)], make: |_| Made::Formula("value") },
    Named {
        name: "linear_schedule",
        arguments: &[
            ("init_value", Needed),
            ("end_value", Needed),
            ("transition_steps", Needed),
            ("transition_begin", Number(0.0)),
        ],
        make: |_| {
            Made::Formula(
                "s = min(max(t - transition_begin, 0), transition_steps)/transition_steps; \
                 init_value + (end_value - init_value)*s",
            )
        },
    },
    Named {
        name: "polynomial_schedule",
        arguments: &[
            ("init_value", Needed),
            ("end_value", Needed),
            ("power", Needed),
            ("transition_steps", Needed),
            ("transition_begin", Number(0.0)),
        ],
        make: |_| {
            Made::Formula(
                "s = min(max(t - transition_begin, 0), transition_steps)/transition_steps; \
                 end_value + (init_value - end_value)*(1 - s)^power",
            )
        },
    },
    Named {
        name: "exponential_decay",
        arguments: &[
            ("init_value", Needed),
            ("transition_steps", Needed),
            ("decay_rate", Needed),
            ("transition_begin", Number(0.0)),
            ("staircase", Word(&["False", "True"])),
            ("end_value", Optional),
        ],
        make: |given| {
            let grows = given.number("decay_rate").is_some_and(|rate| rate > 1.0);
            Made::Formula(match (given.word("staircase") == "True", given.has("end_value"), grows) {
                (false, false, _) => decay!("s", "", ""),
                (true, false, _) => decay!("floor(s)", "", ""),
                (false, true, false) => decay!("s", "max(", ", end_value)"),
                (true, true, false) => decay!("floor(s)", "max(", ", end_value)"),
                (false, true, true) => decay!("s", "min(", ", end_value)"),
                (true, true, true) => decay!("floor(s)", "min(", ", end_value)"),
            })
        },
    },
    Named {
        name: "cosine_decay_schedule",
        arguments: &[
            ("init_value", Needed),
            ("decay_steps", Needed),
            ("alpha", Number(0.0)),
            ("exponent", Number(1.0)),
        ],
        make: |_| {
            Made::Formula("init_value*((1 - alpha)*((1 + cos(pi*min(t, decay_steps)/decay_steps))/2)^exponent + alpha)")
        },
    },
    Named {
        name: "warmup_cosine_decay_schedule",
        arguments: &[
            ("init_value", Needed),
            ("peak_value", Needed),
            ("warmup_steps", Needed),
            ("decay_steps", Needed),
            ("end_value", Number(0.0)),
            ("exponent", Number(1.0)),
        ],
        make: |_| {
            Made::Formula(
                "u = min(t/warmup_steps, 1); v = min(max(t - warmup_steps, 0)/(decay_steps - warmup_steps), 1); \
                 init_value + (peak_value - init_value)*u - (peak_value - end_value)*(1 - ((1 + cos(pi*v))/2)^exponent)",
            )
        },
    },
    Named {
        name: "warmup_constant_schedule",
        arguments: &[("init_value", Needed), ("peak_value", Needed), ("warmup_steps", Needed)],
        make: |_| Made::Formula("init_value + (peak_value - init_value)*min(t/warmup_steps, 1)"),
    },
    Named {
        name: "cosine_onecycle_schedule",
        arguments: &[
            ("transition_steps", Needed),
            ("peak_value", Needed),
            ("pct_start", Number(0.3)),
            ("div_factor", Number(25.0)),
            ("final_div_factor", Number(1e4)),
        ],
        make: |_| {
            Made::Formula(
                "a = peak_value/div_factor; w = floor(pct_start*transition_steps); u = min(t/w, 1); \
                 v = min(max(t - w, 0)/(transition_steps - w), 1); \
                 a + (peak_value - a)*(1 - cos(pi*u))/2 - (peak_value - a/final_div_factor)*(1 - cos(pi*v))/2",
            )
        },
    },
];
