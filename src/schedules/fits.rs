//! The schedules as approximations use them: the same curves, with defaults and words of their own. A step size is here the
//! share of the way that a fit goes, or the length of an optimiser's step, and no time of a Langevin dynamics.

use super::{constant, custom, cyclical, polynomial};
use crate::params::{DefaultValue, KindSpec, ParamSpec};

/// The constant step of Adam when nothing is said: chosen by eye, some thousand steps for distributions some units away.
const ADAM_STEP: f64 = 0.05;

/// ρ of stochastic variational inference when nothing is said: ρ_t = (t + τ)^−κ with τ = 10, which keeps the first noisy targets
/// from throwing the distribution about, and κ = .7, between the ½ and the 1 of Robbins and Monro; Hoffman, Blei, Wang and
/// Paisley (2013), arXiv:1206.7051, section 4, find values in this range best.
const SVI_POLYNOMIAL: [f64; 3] = [1.0, 10.0, 0.7];

/// ρ when it is constant.
const SVI_STEP: f64 = 0.1;

/// A parameter with another default and other words.
const fn other(spec: ParamSpec, default: f64, help: &'static str) -> ParamSpec {
    ParamSpec { help, ..spec }.default(DefaultValue::Number(default))
}

const fn constant_of(params: &'static [ParamSpec], help: &'static str) -> KindSpec {
    KindSpec { params, help, ..constant::ENTRY.spec }
}

const fn polynomial_of(params: &'static [ParamSpec], help: &'static str) -> KindSpec {
    KindSpec { params, help, ..polynomial::ENTRY.spec }
}

const ADAM_CONSTANT: [ParamSpec; 2] = [
    other(
        constant::PARAMS[0],
        ADAM_STEP,
        "The step size of every step: about how far a parameter goes while its gradient keeps its sign.",
    ),
    constant::PARAMS[1],
];

const SVI_CONSTANT: [ParamSpec; 2] = [
    other(
        constant::PARAMS[0],
        SVI_STEP,
        "The share of every step that is the newest target's; at most 1. Kept constant, the distribution never comes to rest under noise.",
    ),
    constant::PARAMS[1],
];

const fn polynomial_params(defaults: [f64; 3]) -> [ParamSpec; 7] {
    let mut params = polynomial::PARAMS;
    params[0] = other(params[0], defaults[0], "Height of the curve a (b + t)^−γ; 1 leaves it at (τ + t)^−κ.");
    params[1] = other(params[1], defaults[1], "The delay τ: for about b steps the step size stays near a b^−γ.");
    params[2] = other(
        params[2],
        defaults[2],
        "The forgetting rate κ: in (½, 1] the distribution can still get anywhere while the noise dies out.",
    );
    params
}

const SVI_DECREASE: [ParamSpec; 7] = polynomial_params(SVI_POLYNOMIAL);

/// The kinds of schedules for Adam's steps.
pub static ADAM_SCHEDULES: [KindSpec; 4] = [
    constant_of(
        &ADAM_CONSTANT,
        "The same step size at every step: the parameters never quite come to rest under noise.",
    ),
    polynomial_of(&polynomial::PARAMS, "Steps that shrink as a (b + t)^−γ, so that noise dies out."),
    cyclical::ENTRY.spec,
    custom::ENTRY.spec,
];

/// The kinds of schedules for the steps ρ of stochastic variational inference.
pub static SVI_SCHEDULES: [KindSpec; 4] = [
    constant_of(&SVI_CONSTANT, "The same ρ at every step: the distribution follows its noisy targets for ever."),
    polynomial_of(
        &SVI_DECREASE,
        "Steps that shrink as a (b + t)^−γ, usually written (t + τ)^−κ, so that noise dies out.",
    ),
    cyclical::ENTRY.spec,
    custom::ENTRY.spec,
];
