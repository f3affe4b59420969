//! Gradient ascent on the log density: θ ← θ + α ∇ log p(θ), with the full gradient.
//!
//! Cauchy (1847), C. R. Acad. Sci. Paris 25:536. Its name comes from the descent on −log p. It finds the mode in whose
//! basin it starts (a maximum of the posterior) while αλ < 2, where λ is the largest curvature there. Chains with the
//! same start take the same path. The steps are those of [`super::sgd`] without noise, bit for bit.

use std::sync::Arc;

use crate::methods::kit::parameters;
use crate::methods::sources;
use crate::methods::{Method, MethodEntry, MethodGroup, Sgd, StepScale, StepSpec};
use crate::schedules::CONSTANT;
use base::params::{KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 5] =
    [parameters::CHAINS, parameters::STEPS, parameters::START, parameters::step_size(CONSTANT), parameters::COLLECT];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "gradient-descent",
        label: "Gradient descent",
        help: "Follows the full gradient of the log density uphill (of −log p downhill) to a nearby mode. It has no \
               randomness; samplers add noise to it.",
        params: &PARAMS,
    },
    group: MethodGroup::Optimisers,
    build,
    step: Some(StepSpec { formula: "θ ← θ + α ∇log p(θ).", noise: None, scale: StepScale::Langevin }),
    algorithm: include_str!("gradient_descent.py"),
    sources: &[sources::CAUCHY],
    usual: None,
};

fn build(_settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sgd))
}
