//! Input of the measures of a fit: the target with what is kept about it, and the fit with its density.

use std::sync::{Arc, OnceLock};

use super::Fit;
use super::density::Density;
use crate::diagnostics::Outcome;
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
