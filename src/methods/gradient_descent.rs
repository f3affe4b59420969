//! Gradient ascent on the log density: θ ← θ + α ∇ log p(θ), with the full gradient.
//!
//! Cauchy (1847), C. R. Acad. Sci. Paris 25:536; named after its work on −log p. It finds the mode in whose
//! valley it starts (the MAP estimate of a posterior) while αλ < 2, λ the largest curvature there, and all
//! chains that start in one place take one way. [`super::sgd`] without noise, bit for bit.

use std::sync::Arc;

use super::{Method, MethodBuilder, Sgd, parameters};
use crate::params::{Entry, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 5] =
    [parameters::CHAINS, parameters::STEPS, parameters::START, parameters::step_size("constant"), parameters::COLLECT];

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "gradient-descent",
        label: "Gradient descent",
        help: "Follows the full gradient uphill in log density, downhill in −log p, to the mode at hand. No randomness: \
               what the samplers add to it is noise.",
        params: &PARAMS,
    },
    build,
};

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgd))
}
