//! Unadjusted Langevin dynamics: θ ← θ + α ∇ log p(θ) + √(2α) ξ, ξ ~ N(0, I), with the full gradient.
//!
//! Roberts and Tweedie (1996), "Exponential convergence of Langevin distributions and their discrete approximations",
//! Bernoulli 2:341, there called ULA; Parisi (1981), Nucl. Phys. B 180:378. On N(0, 1/λ) the stationary variance is
//! 1/(λ(1 − αλ/2)), which is too large, and from αλ = 2 on there is none. With `metropolis` the step becomes a proposal
//! and the method is [`super::mala`], without bias.

use std::sync::Arc;

use crate::methods::kit::euler::Euler;
use crate::methods::kit::{metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Chunk, Dynamics, Gradient, Mala, Method, MethodEntry, MethodGroup, Needs, Population, StepScale, StepSpec,
};
use crate::schedules::{CONSTANT, Schedule};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::step_size(CONSTANT),
    parameters::METROPOLIS.default(DefaultValue::Flag(false)),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "langevin",
        label: "Langevin",
        help: "Unadjusted Langevin dynamics: gradient ascent with injected noise of variance 2α. Draws have a bias of the \
               order of the step size unless Metropolis is on.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "θ ← θ + α ∇log p(θ) + noise.",
        noise: StepSpec::LANGEVIN_NOISE,
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("langevin.py"),
    sources: &[sources::ROBERTS_TWEEDIE],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Langevin {
    /// Whether steps are accepted or rejected by the Metropolis rule.
    pub metropolis: bool,
}

impl Method for Langevin {
    fn needs(&self, gradient: &Gradient) -> Needs {
        if self.metropolis {
            Mala.needs(gradient)
        } else {
            Needs { vectors: Euler::Langevin.vectors(gradient), ..Needs::default() }
        }
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        if self.metropolis { metropolis::check_noise(schedule).into_iter().collect() } else { Vec::new() }
    }

    fn langevin(&self) -> bool {
        true
    }

    fn dynamics(&self) -> Dynamics {
        if self.metropolis { Dynamics::AdjustedLangevin } else { Dynamics::Langevin }
    }

    fn friction(&self) -> Option<(f64, bool)> {
        (!self.metropolis).then_some((1.0, false))
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        if self.metropolis {
            Mala.advance(chains, chunk);
        } else {
            Euler::Langevin.advance(chains, chunk);
        }
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Langevin { metropolis: settings.flag("metropolis") }))
}
