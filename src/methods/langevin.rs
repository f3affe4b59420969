//! Unadjusted Langevin dynamics: θ ← θ + α ∇ log p(θ) + √(2α) ξ, ξ ~ N(0, I), with the full gradient.
//!
//! Roberts and Tweedie (1996), "Exponential convergence of Langevin distributions and their discrete approximations",
//! Bernoulli 2:341, there called ULA; Parisi (1981), Nucl. Phys. B 180:378. On N(0, 1/λ) the stationary variance
//! is 1/(λ(1 − αλ/2)), so too large, and from αλ = 2 on there is none. With `metropolis` the step becomes a
//! proposal, the method [`super::mala`], and the bias is gone: the switch makes it visible.

use std::sync::Arc;

use super::euler::Euler;
use super::{
    Gradient, Mala, Method, MethodBuilder, Needs, Population, Problem, Randomness, Scratch, Steps, Track, metropolis,
    parameters,
};
use crate::params::{DefaultValue, Entry, KindSpec, ParamError, ParamSpec, Settings};
use crate::schedules::Schedule;

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::step_size("constant"),
    parameters::METROPOLIS.default(DefaultValue::Flag(false)),
    parameters::COLLECT,
];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "langevin",
        label: "Langevin",
        help: "Unadjusted Langevin dynamics: gradient ascent with noise of just the right size. Draws keep a bias of the \
               order of the step size unless the Metropolis switch is on.",
        params: &PARAMS,
    },
    build,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Langevin {
    /// Whether steps are accepted or rejected by Metropolis's rule.
    pub metropolis: bool,
}

impl Method for Langevin {
    fn needs(&self, gradient: &Gradient) -> Needs {
        if self.metropolis {
            Mala.needs(gradient)
        } else {
            Needs { pairs: Euler::Langevin.pairs(gradient), uniforms: 0 }
        }
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        if self.metropolis { metropolis::check_noise(schedule).into_iter().collect() } else { Vec::new() }
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
        if self.metropolis {
            Mala.advance(problem, steps, randomness, chains, track, scratch);
        } else {
            Euler::Langevin.advance(problem, steps, &randomness, chains, track, scratch);
        }
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Langevin { metropolis: settings.flag("metropolis") }))
}
