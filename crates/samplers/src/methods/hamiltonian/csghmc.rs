//! Cyclical stochastic gradient Hamiltonian Monte Carlo: SGHMC under a cyclical schedule.
//!
//! Zhang, Li, Zhang, Chen and Wilson (2020), "Cyclical stochastic gradient MCMC for Bayesian deep learning", ICLR,
//! arXiv:1902.03932, algorithm 1 with the step of their eq. 3. The step is that of [`super::sghmc`], bit for bit. The
//! difference is in the schedule ([`crate::schedules::Cyclical`]), as in [`crate::methods::langevin_dynamics::csgld`]: exploration stages are
//! gradient ascent with momentum, by default without injected noise. Momenta continue from cycle to cycle.

use std::sync::Arc;

use super::sghmc::{self, FRICTION, FRICTION_CORRECTION};
use crate::methods::kit::{parameters, usual};
use crate::methods::sources;
use crate::methods::{Method, MethodEntry, MethodGroup, Sghmc};
use crate::schedules::CYCLICAL;
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS.folded(),
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::step_size(CYCLICAL),
    FRICTION,
    FRICTION_CORRECTION,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "csghmc",
        label: "cSGHMC",
        help: "Cyclical SGHMC (Zhang et al. 2020): the same step as SGHMC, with step sizes that restart in every cycle. \
               Momentum helps a chain to leave a mode.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: sghmc::ENTRY.step,
    algorithm: include_str!("csghmc.py"),
    sources: &[sources::ZHANG, sources::CHEN],
    usual: Some(usual::in_cycles),
};

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sghmc::from_settings(settings)))
}
