//! Stochastic gradient Riemannian Langevin dynamics (SGRLD) of topics, in the expanded mean β_k = ω_k/Σω_k.
//!
//! S. Patterson and Y. W. Teh (2013), *Stochastic gradient Riemannian Langevin dynamics on the probability simplex*, NIPS 26,
//! whose ε is 2α; see [`models::lda::Sgrld`].

use std::sync::Arc;

use super::start::START;
use super::{Inference, TopicMethod};
use crate::methods::kit::parameters;
use crate::methods::sources;
use crate::methods::{Method, MethodEntry, MethodGroup, StepScale, StepSpec};
use crate::schedules::{CONSTANT, SGRLD_SCHEDULES};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::lda::InnerSweeps;

/// Largest number of inner sweeps of either kind.
const MOST_SWEEPS: f64 = 1000.0;

const fn sweeps(key: &'static str, label: &'static str, default: f64, least: f64, help: &'static str) -> ParamSpec {
    ParamSpec::integer(key, label, default, Interval::closed(least, MOST_SWEEPS), (least, 20.0), help).unit("sweeps")
}

const PARAMS: [ParamSpec; 8] = [
    parameters::TOPIC_CHAINS,
    parameters::STEPS.default(DefaultValue::Number(2000.0)),
    START,
    parameters::PLAIN_GRADIENT,
    ParamSpec::of(
        "step_size",
        "step size",
        ParamType::Group(&SGRLD_SCHEDULES),
        DefaultValue::Kind(CONSTANT.name),
        "The size α of the steps of ω; Patterson and Teh's ε is 2α. Stable below about 2Vη/n_k, for n_k tokens of the largest topic.",
    ),
    sweeps(
        "inner_discarded",
        "inner sweeps discarded",
        8.0,
        0.0,
        "Gibbs sweeps over a document before its counts are averaged. Too few are a bias that no step size removes.",
    ),
    sweeps(
        "inner_kept",
        "inner sweeps kept",
        4.0,
        1.0,
        "Gibbs sweeps over a document over which its counts are averaged.",
    )
    .folded(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "sgrld",
        label: "SGRLD",
        help: "Stochastic gradient Riemannian Langevin dynamics (Patterson and Teh 2013): draws topics by noisy steps on minibatches \
               of documents. Needs a target of topics; a step is a minibatch.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: Some(StepSpec {
        formula: "ω ← |ω + α (η − ω + (D/B) Σ (n_kw − π_kw n_k)) + noise| of topics β = ω/Σω; Patterson and Teh's ε is 2α.",
        noise: Some("√(2αω) ξ with ξ ~ N(0, I)."),
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("sgrld.py"),
    sources: &[sources::PATTERSON_TEH],
    usual: None,
};

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    let count = |key: &str| u32::try_from(settings.count(key)).unwrap_or(u32::MAX);
    let inner = InnerSweeps { discarded: count("inner_discarded"), kept: count("inner_kept") };
    Ok(Arc::new(TopicMethod::new(Inference::Sgrld { inner }, parameters::chains(settings))))
}
