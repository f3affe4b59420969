//! Collapsed Gibbs sampling of topics: the topic of every token given those of all others, token by token.
//!
//! p(z = k) ∝ (n_dk + α)(n_kw + η)/(n_k + Vη), with counts without the token; T. L. Griffiths and M. Steyvers (2004), *Finding
//! scientific topics*, PNAS 101. A step is a sweep over all tokens; see [`models::lda::Gibbs`].

use std::sync::Arc;

use super::start::START;
use super::{Inference, TopicMethod};
use crate::methods::kit::parameters;
use crate::methods::sources;
use crate::methods::{Method, MethodEntry, MethodGroup};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 4] = [
    parameters::TOPIC_CHAINS,
    parameters::STEPS.default(DefaultValue::Number(500.0)).primary(),
    START,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "collapsed-gibbs",
        label: "Collapsed Gibbs",
        help: "Draws the topic of every word of every document given those of all others (Griffiths and Steyvers 2004): exact in \
               the long run. Needs a target of topics; a step is a sweep over all documents.",
        params: &PARAMS,
    },
    group: MethodGroup::WithoutGradients,
    build,
    step: None,
    algorithm: include_str!("collapsed_gibbs.py"),
    sources: &[sources::GRIFFITHS_STEYVERS],
    usual: None,
};

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(TopicMethod::new(Inference::Gibbs, parameters::chains(settings))))
}
