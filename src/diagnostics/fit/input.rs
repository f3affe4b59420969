//! Input of the measures of a fit: the target with what is kept about it, and the fit with its density.

use std::sync::{Arc, OnceLock};

use super::Fit;
use super::density::Density;
use crate::diagnostics::Outcome;
use crate::targets::{Nodes, Target, nodes};

/// A target to compare fits with. What depends on the target alone is computed at its first use, and kept.
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

    /// Whether it was made for this very target.
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

/// What a measure is computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitInput<'a> {
    pub truth: &'a FitTruth,
    /// A [sound](Fit::is_sound) fit.
    pub fit: &'a Fit,
    pub density: &'a Density,
    /// The ELBO, from which KL(q‖p) follows.
    pub elbo: Outcome,
}
