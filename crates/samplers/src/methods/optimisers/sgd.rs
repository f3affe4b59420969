//! Stochastic gradient ascent on the log density: θ ← θ + α ĝ, ĝ an estimate of ∇ log p(θ).
//!
//! Robbins and Monro (1951), "A stochastic approximation method", Ann. Math. Stat. 22:400. An optimiser, known as SGD
//! by its descent on −log p: with Σ α_k = ∞ and Σ α_k² < ∞ it converges to a mode. With a constant step size it
//! fluctuates around the mode, on N(0, 1/λ) with variance αV/(λ(2 − αλ)), V the variance of the gradient noise (Mandt,
//! Hoffman and Blei 2017, arXiv:1704.04289). These fluctuations come from the gradient noise and do not show the width
//! of the density.

use std::sync::Arc;

use crate::methods::kit::euler::Euler;
use crate::methods::kit::{dynamics, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Dynamics, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, StepScale, StepSpec,
};
use crate::schedules::{POLYNOMIAL, Stage};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT.default(DefaultValue::Kind("noisy")),
    parameters::step_size(POLYNOMIAL),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "sgd",
        label: "SGD",
        help: "Stochastic gradient ascent: an optimiser with noisy or minibatch gradients. It converges to a mode if its \
               steps shrink; its draws are no sample from the target.",
        params: &PARAMS,
    },
    group: MethodGroup::Optimisers,
    build,
    step: Some(StepSpec { formula: "θ ← θ + α ĝ.", noise: None, scale: StepScale::Langevin }),
    algorithm: include_str!("sgd.py"),
    sources: &[sources::ROBBINS_MONRO],
    usual: None,
};

/// The algorithm; it has no parameters of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sgd;

impl Method for Sgd {
    fn dynamics(&self) -> Dynamics {
        dynamics::ASCENT
    }

    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: Euler::Ascent.vectors(gradient), ..Needs::default() }
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        Euler::Ascent.advance(chains, chunk);
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgd))
}
