//! Parameters of the No-U-Turn sampler.

use std::sync::Arc;

use super::super::adaptation::{ADAPT_STEP_SIZE, Adaptation, MASS, TARGET_ACCEPTANCE, WARM_UP, set_usual};
use super::Nuts;
use crate::methods::kit::parameters;
use crate::methods::sources;
use crate::methods::{Method, MethodEntry, MethodGroup, StepScale, StepSpec};
use crate::schedules::CONSTANT;
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};
use base::sources::BETANCOURT;

/// Most doublings of a trajectory: 1023 leapfrog steps.
const MOST_DEPTH: usize = 10;

const PARAMS: [ParamSpec; 10] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::integration_step(CONSTANT),
    ParamSpec::integer(
        "max_depth",
        "largest depth",
        10.0,
        Interval::closed(1.0, MOST_DEPTH as f64),
        (1.0, MOST_DEPTH as f64),
        "The largest number of doublings of a trajectory: it has at most 2 to this power − 1 leapfrog steps.",
    )
    .unit("doublings")
    .folded(),
    ADAPT_STEP_SIZE,
    TARGET_ACCEPTANCE,
    MASS,
    WARM_UP,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "nuts",
        label: "NUTS",
        help: "The No-U-Turn sampler (Hoffman and Gelman 2014): Hamiltonian Monte Carlo that follows a path in both directions \
               until it turns back, and draws one of its points. It needs no number of leapfrog steps.",
        params: &PARAMS,
    },
    group: MethodGroup::Gradients,
    build,
    step: Some(StepSpec {
        formula: "leapfrog steps of size h from a new momentum r ~ N(0, I), forward and backward until the ends turn towards each \
               other; the draw is one of their points, chosen by exp(−H).",
        noise: Some("in the new momentum of every step, in the directions, and in the choice of the point."),
        scale: StepScale::LEAPFROG,
    }),
    algorithm: include_str!("nuts.py"),
    sources: &[sources::HOFFMAN_GELMAN, BETANCOURT],
    usual: Some(set_usual),
};

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_integration_step(settings)?;
    Ok(Arc::new(Nuts {
        max_depth: usize::try_from(settings.count("max_depth")).unwrap_or(1).clamp(1, MOST_DEPTH),
        adaptation: Adaptation::of(settings),
    }))
}
