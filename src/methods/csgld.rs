//! Cyclical stochastic gradient Langevin dynamics: SGLD under a cyclical schedule.
//!
//! Zhang, Li, Zhang, Chen and Wilson (2020), "Cyclical stochastic gradient MCMC for Bayesian deep learning", ICLR,
//! arXiv:1902.03932, algorithm 1. The step is SGLD's, bit for bit ([`super::sgld`]); all that is new is in the
//! schedule ([`crate::schedules::Cyclical`]): warm restarts, and an exploration stage at the start of each cycle that
//! injects no noise (unless asked to) and whose draws are not collected. This file is a name for that pair, with the
//! paper's schedule as the default. Another schedule may be put in its place; without cycles it is plain SGLD.
//!
//! Not to be confused with *contour* SGLD (Deng, Lin and Liang 2020), which some libraries call `csgld`.

use std::sync::Arc;

use super::{Method, MethodBuilder, Sgld, parameters};
use crate::params::{Entry, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 6] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::GRADIENT,
    parameters::step_size("cyclical"),
    parameters::COLLECT,
];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "csgld",
        label: "cSGLD",
        help: "Cyclical SGLD (Zhang et al. 2020): the same step as SGLD, with step sizes that restart again and again, \
               so that one chain visits many modes.",
        params: &PARAMS,
    },
    build,
};

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgld))
}
