//! Stochastic gradient Langevin dynamics: θ ← θ + α ĝ + √(2α) ξ, ξ ~ N(0, I), ĝ an estimate of ∇ log p(θ).
//!
//! Welling and Teh (2011), "Bayesian learning via stochastic gradient Langevin dynamics", ICML, eq. 4, with their
//! ε = 2α. There is no Metropolis correction: unless the step size shrinks, the draws have a bias. On N(0, 1/λ) with
//! gradient noise of variance V the stationary variance is (1 + αV/2) / (λ (1 − αλ/2)).
//!
//! Every schedule is allowed; exploration stages inject no noise unless the schedule says so. Subtraction of the gradient
//! noise is an option that the paper does not have (see [`crate::methods::kit::gradient`]).

use std::sync::Arc;

use crate::methods::kit::euler::Euler;
use crate::methods::kit::parameters;
use crate::methods::sources;
use crate::methods::{
    Chunk, Dynamics, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, StepScale, StepSpec,
};
use crate::schedules::POLYNOMIAL;
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::GRADIENT,
    parameters::step_size(POLYNOMIAL),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "sgld",
        label: "SGLD",
        help: "Stochastic gradient Langevin dynamics (Welling and Teh 2011): gradient ascent with injected noise, which \
               turns an optimiser into a sampler while the steps shrink.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: Some(StepSpec {
        formula: "θ ← θ + α ĝ + noise.",
        noise: StepSpec::LANGEVIN_NOISE,
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("sgld.py"),
    sources: &[sources::WELLING_TEH],
    usual: None,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sgld;

impl Method for Sgld {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: Euler::Langevin.vectors(gradient), ..Needs::default() }
    }

    fn langevin(&self) -> bool {
        true
    }

    fn dynamics(&self) -> Dynamics {
        Dynamics::Langevin
    }

    fn friction(&self) -> Option<(f64, bool)> {
        Some((1.0, false))
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        Euler::Langevin.advance(chains, chunk);
    }
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgld))
}
