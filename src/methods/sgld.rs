//! Stochastic gradient Langevin dynamics: θ ← θ + α ĝ + √(2α) ξ, ξ ~ N(0, I), ĝ an estimate of ∇ log p(θ).
//!
//! Welling and Teh (2011), "Bayesian learning via stochastic gradient Langevin dynamics", ICML, eq. 4, with their
//! ε = 2α. No Metropolis correction: the step size has to shrink, or the draws keep a bias. On N(0, 1/λ) with gradient
//! noise of variance V the stationary variance is (1 + αV/2) / (λ (1 − αλ/2)).
//!
//! Any schedule may be used; exploration stages without noise are honoured. Compensated noise is an option that
//! the paper does not have (see [`super::gradient`]).

use std::sync::Arc;

use super::euler::Euler;
use super::{
    Gradient, Method, MethodBuilder, Needs, Population, Problem, Randomness, Scratch, Steps, Track, parameters,
};
use crate::params::{Entry, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::GRADIENT,
    parameters::step_size("polynomial"),
    parameters::COLLECT,
];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "sgld",
        label: "SGLD",
        help: "Stochastic gradient Langevin dynamics (Welling and Teh 2011): gradient ascent with just enough noise, \
               under shrinking steps, to turn an optimiser into a sampler.",
        params: &PARAMS,
    },
    build,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sgld;

impl Method for Sgld {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { pairs: Euler::Langevin.pairs(gradient), uniforms: 0 }
    }

    fn langevin(&self) -> bool {
        true
    }

    fn advance(
        &self,
        problem: &Problem<'_>,
        steps: &Steps<'_>,
        randomness: Randomness<'_>,
        chains: &mut Population,
        track: Track<'_>,
        scratch: &mut Scratch,
    ) {
        Euler::Langevin.advance(problem, steps, &randomness, chains, track, scratch);
    }
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgld))
}
