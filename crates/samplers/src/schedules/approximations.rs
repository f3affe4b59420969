//! Schedules of approximations and of Adam: the schedules of the registry, some with other defaults and help texts.
//!
//! The step size of an approximation is no time of Langevin dynamics. For Adam it is the length of a step (η); for
//! stochastic variational inference it is the share of the way to the new estimate (ρ). A schedule that is not named
//! here is offered as it is.

use super::{ENTRIES, constant, polynomial};
use base::params::{DefaultValue, KindSpec, ParamSpec};

/// Default η of a constant schedule: chosen by eye, some thousand steps for distributions a few units away.
const ADAM_STEP: f64 = 0.05;

/// Default η of a constant schedule where Adam moves θ itself: chosen by eye, a few thousand steps for weights of networks.
const ASCENT_STEP: f64 = 0.01;

/// Default ρ_t = a (t + τ)^−κ of stochastic variational inference: a = 1; τ = 10, so that the first noisy estimates do
/// not move the approximation far; κ = 0.7, between the ½ and the 1 of Robbins and Monro. Hoffman, Blei, Wang and
/// Paisley (2013), arXiv:1206.7051, section 4, find values in this range best.
const SVI_POLYNOMIAL: [f64; 3] = [1.0, 10.0, 0.7];

/// Default ρ of a constant schedule.
const SVI_STEP: f64 = 0.1;

/// Default α of SGRLD: a tenth of the limit of stability on three topics over three words.
const SGRLD_STEP: f64 = 5e-5;

/// Default α_t = a (b + t)^−γ of SGRLD: Patterson and Teh's ε = 0.01 (1 + t/1000)^−0.6 at its half.
const SGRLD_POLYNOMIAL: [f64; 3] = [0.315_478_672_240_096_6, 1000.0, 0.6];

/// The registry of schedules, where each of `replacements` takes the place of the schedule of the same name.
const fn with(replacements: &[KindSpec]) -> [KindSpec; ENTRIES.len()] {
    let mut kinds = base::kinds!(ENTRIES);
    let mut index = 0;
    while index < kinds.len() {
        let mut number = 0;
        while number < replacements.len() {
            if same(kinds[index].name, replacements[number].name) {
                kinds[index] = replacements[number];
            }
            number += 1;
        }
        index += 1;
    }
    kinds
}

/// Whether two words are the same, at compile time.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// A parameter with another default and another help text.
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

const ASCENT_CONSTANT: [ParamSpec; 2] = [
    other(
        constant::PARAMS[0],
        ASCENT_STEP,
        "The learning rate of every step: about how far a coordinate goes while its gradient keeps its sign.",
    ),
    constant::PARAMS[1],
];

const SVI_CONSTANT: [ParamSpec; 2] = [
    other(
        constant::PARAMS[0],
        SVI_STEP,
        "The weight of the newest intermediate estimate in a step; at most 1. While it is constant, noise keeps the approximation moving.",
    ),
    constant::PARAMS[1],
];

const fn polynomial_params(defaults: [f64; 3]) -> [ParamSpec; 7] {
    let mut params = polynomial::PARAMS;
    params[0] = other(params[0], defaults[0], "Factor of the curve a (b + t)^−γ; with 1 it is (τ + t)^−κ.");
    params[1] = other(
        params[1],
        defaults[1],
        "The delay τ of Hoffman et al.: for about b steps the step size stays near a b^−γ.",
    );
    params[2] = other(
        params[2],
        defaults[2],
        "The forgetting rate κ of Hoffman et al.: in (½, 1] the approximation can still reach every place while the noise dies out.",
    );
    params
}

const SVI_DECREASE: [ParamSpec; 7] = polynomial_params(SVI_POLYNOMIAL);

/// The kinds of schedules for Adam's steps.
pub static ADAM_SCHEDULES: [KindSpec; ENTRIES.len()] = with(&[
    constant_of(&ADAM_CONSTANT, "The same step size at every step: under noise the parameters keep fluctuating."),
    polynomial_of(&polynomial::PARAMS, "Steps that shrink as a (b + t)^−γ, so that the noise dies out."),
]);

/// The kinds of schedules for Adam's steps in θ itself.
pub static ASCENT_SCHEDULES: [KindSpec; ENTRIES.len()] = with(&[
    constant_of(
        &ASCENT_CONSTANT,
        "The same learning rate at every step: with noisy gradients the chains keep fluctuating.",
    ),
    polynomial_of(&polynomial::PARAMS, "Steps that shrink as a (b + t)^−γ, so that the noise dies out."),
]);

/// The kinds of schedules for the steps ρ of stochastic variational inference.
pub static SVI_SCHEDULES: [KindSpec; ENTRIES.len()] = with(&[
    constant_of(
        &SVI_CONSTANT,
        "The same ρ at every step: the approximation follows the noise of its estimates for ever.",
    ),
    polynomial_of(
        &SVI_DECREASE,
        "Steps that shrink as a (b + t)^−γ, usually written (t + τ)^−κ, so that the noise dies out.",
    ),
]);

const SGRLD_CONSTANT: [ParamSpec; 2] = [
    other(
        constant::PARAMS[0],
        SGRLD_STEP,
        "The step size of every step. Stable below about 2Vη/n_k, for n_k tokens of the largest topic.",
    ),
    constant::PARAMS[1],
];

const SGRLD_DECREASE: [ParamSpec; 7] = {
    let mut params = polynomial::PARAMS;
    let mut index = 0;
    while index < SGRLD_POLYNOMIAL.len() {
        params[index] = params[index].default(DefaultValue::Number(SGRLD_POLYNOMIAL[index]));
        index += 1;
    }
    params
};

/// The kinds of schedules for the steps of SGRLD.
pub static SGRLD_SCHEDULES: [KindSpec; ENTRIES.len()] = with(&[
    constant_of(&SGRLD_CONSTANT, "The same step size at every step."),
    polynomial_of(&SGRLD_DECREASE, "Steps that shrink as a (b + t)^−γ, as Patterson and Teh have them."),
]);
