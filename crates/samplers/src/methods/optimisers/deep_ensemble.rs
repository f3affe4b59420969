//! Deep ensembles: networks that are trained from independent random weights, whose functions together are the prediction.
//!
//! Lakshminarayanan, Pritzel and Blundell (2017), "Simple and scalable predictive uncertainty estimation using deep ensembles",
//! NeurIPS, arXiv:1612.01474. Every chain is a member: it starts at a draw from the prior and takes the steps of Adam on the
//! log posterior ([`super::adam_ascent`]), bit for bit. So members are MAP estimates in the sense of a fixed prior, as in Wilson
//! and Izmailov (2020), arXiv:2002.08791; the paper has no prior, a learned variance and adversarial data, which we leave out.
//!
//! Members that have converged differ only if their starts lie in basins of different functions. On small networks they often
//! do not, and the ensemble is as sure as one of its members.
//!
//! On a target without a prior members start anywhere in its view.

use std::sync::Arc;

use super::adam_ascent;
use crate::methods::kit::parameters;
use crate::methods::sources;
use crate::methods::{AdamAscent, Method, MethodEntry, MethodGroup};
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 7] = [
    parameters::MEMBERS,
    parameters::ASCENT_STEPS,
    parameters::PLAIN_GRADIENT,
    parameters::LEARNING_RATE,
    parameters::BETA_1,
    parameters::BETA_2,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "deep-ensemble",
        label: "Deep ensemble",
        help: "Optimises every chain from an independent draw of the prior with Adam (Lakshminarayanan et al. 2017). The \
               spread of the members stands for uncertainty; where they converge to the same function there is none.",
        params: &PARAMS,
    },
    group: MethodGroup::Optimisers,
    build,
    step: adam_ascent::ENTRY.step,
    algorithm: include_str!("deep_ensemble.py"),
    sources: &[sources::LAKSHMINARAYANAN],
    usual: None,
};

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    adam_ascent::check_convention(settings)?;
    Ok(Arc::new(AdamAscent { decay: parameters::decay(settings), from_prior: true }))
}
