//! Cyclical stochastic gradient Langevin dynamics: SGLD under a cyclical schedule.
//!
//! Zhang, Li, Zhang, Chen and Wilson (2020), "Cyclical stochastic gradient MCMC for Bayesian deep learning", ICLR,
//! arXiv:1902.03932, algorithm 1. The step is that of SGLD, bit for bit ([`super::sgld`]). The difference is in the
//! schedule ([`crate::schedules::Cyclical`]): warm restarts, and an exploration stage at the start of each cycle, which
//! injects no noise by default and whose draws are not collected. This file names that pair, with the schedule of the
//! paper as the default. Every other schedule is allowed; without cycles the method is plain SGLD.
//!
//! Not to be confused with *contour* SGLD (Deng, Lin and Liang 2020), which some libraries call `csgld`.

use std::sync::Arc;

use super::sgld;
use crate::methods::kit::{parameters, usual};
use crate::methods::sources;
use crate::methods::{Method, MethodEntry, MethodGroup, Sgld};
use crate::schedules::CYCLICAL;
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS.folded(),
    parameters::STEPS,
    parameters::START,
    parameters::GRADIENT,
    parameters::step_size(CYCLICAL),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "csgld",
        label: "cSGLD",
        help: "Cyclical SGLD (Zhang et al. 2020): the same step as SGLD, with step sizes that restart in every cycle, so \
               that one chain visits many modes.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: sgld::ENTRY.step,
    algorithm: include_str!("csgld.py"),
    sources: &[sources::ZHANG],
    usual: Some(usual::in_cycles),
};

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgld))
}
