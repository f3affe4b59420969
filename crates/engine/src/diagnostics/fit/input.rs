//! Input of the measures of a fit: the target with what is kept about it, and the fit with its density.

use std::sync::{Arc, OnceLock};

use super::Fit;
use super::density::FitDensity;
use crate::diagnostics::{Outcome, Truth, UNKNOWN};
use models::targets::{Nodes, Target, nodes};

/// A target to compare fits with. What depends on the target alone is computed at its first use, and kept.
#[derive(Debug)]
pub struct FitTruth {
    target: Arc<Target>,
    nodes: OnceLock<Nodes>,
    /// Why normaliser and nodes are not known, if they are not.
    doubt: Option<&'static str>,
}

impl FitTruth {
    /// The target, in θ.
    #[must_use]
    pub fn new(target: Arc<Target>) -> Self {
        let is_known = target.density().is_some() && !target.info().log_normaliser.is_nan();
        let doubt = (!is_known).then_some(UNKNOWN);
        Self { target, nodes: OnceLock::new(), doubt }
    }

    /// The same, with what the truth about the target leaves to be doubted.
    #[must_use]
    pub fn under(self, truth: &Truth) -> Self {
        Self { doubt: self.doubt.or(truth.doubt()), ..self }
    }

    /// Whether it was made for this very target under as much doubt.
    #[must_use]
    pub fn is_of(&self, target: &Arc<Target>, truth: &Truth) -> bool {
        Arc::ptr_eq(&self.target, target) && self.doubt == truth.doubt()
    }

    /// Why the target is not known, if it is not.
    pub(super) fn doubt(&self) -> Option<&'static str> {
        self.doubt
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// The target as weighted points.
    pub(super) fn nodes(&self) -> &Nodes {
        self.nodes.get_or_init(|| self.target.density().map_or_else(|| Nodes::none(self.target.info()), nodes))
    }
}

/// What a measure is computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitInput<'a> {
    pub truth: &'a FitTruth,
    /// A [sound](Fit::is_sound) fit.
    pub fit: &'a Fit,
    pub density: &'a FitDensity,
    /// The ELBO, from which KL(q‖p) follows.
    pub elbo: Outcome,
}
