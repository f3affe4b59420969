//! The measures that only a density has, bounds and divergences without cells, and their registry.

use std::sync::{Arc, OnceLock};

use super::density::Density;
use super::{Fit, UNSOUND, elbo, evidence, kl_pq, kl_qp};
use crate::diagnostics::{Entry, Measure, MeasureSpec, Outcome, specs};
use crate::targets::{Nodes, Target, nodes};

/// A target as fits are compared with it. What belongs to the target alone is worked out when it is first asked for, and kept.
#[derive(Debug)]
pub struct FitTruth {
    target: Arc<dyn Target>,
    nodes: OnceLock<Nodes>,
}

impl FitTruth {
    /// The target, in θ.
    #[must_use]
    pub fn new(target: Arc<dyn Target>) -> Self {
        Self { target, nodes: OnceLock::new() }
    }

    /// Whether it is that of this very target.
    #[must_use]
    pub fn is_of(&self, target: &Arc<dyn Target>) -> bool {
        Arc::ptr_eq(&self.target, target)
    }

    pub(super) fn target(&self) -> &dyn Target {
        self.target.as_ref()
    }

    /// The target as weighted points.
    pub(super) fn nodes(&self) -> &Nodes {
        self.nodes.get_or_init(|| nodes(&self.target))
    }
}

/// What a measure is worked out from.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitInput<'a> {
    pub truth: &'a FitTruth,
    /// A sound one.
    pub fit: &'a Fit,
    pub density: &'a Density,
    /// The first of the measures, of which another one is made.
    pub elbo: Outcome,
}

/// What works a measure out.
type Value = fn(FitInput<'_>) -> Outcome;

static ENTRIES: [Entry<Value>; 4] = [
    Entry { spec: elbo::SPEC, value: |input| input.elbo },
    Entry { spec: evidence::SPEC, value: evidence::value },
    Entry { spec: kl_qp::SPEC, value: kl_qp::value },
    Entry { spec: kl_pq::SPEC, value: kl_pq::value },
];

/// The measures of a fit that only a density has, in the order in which they are shown and written.
pub static FIT_MEASURES: [MeasureSpec; 4] = specs(&ENTRIES);

/// All of them, in the order of [`FIT_MEASURES`], without floors. Takes some thousand evaluations of the log density, a quarter of a
/// million where the target is very uneven under the fit.
#[must_use]
pub fn measure_fit(truth: &FitTruth, fit: &Fit) -> Vec<Measure> {
    if !fit.is_sound() {
        return FIT_MEASURES.iter().map(|spec| Measure::new(spec.key, Err(UNSOUND))).collect();
    }
    let density = fit.density();
    let elbo = elbo::value(truth.target(), fit, &density);
    let input = FitInput { truth, fit, density: &density, elbo };
    ENTRIES.iter().map(|entry| Measure::new(entry.spec.key, (entry.value)(input))).collect()
}
