//! What methods are for: which of them are for a space, fit distributions, start at the prior, or share their step sizes.

use std::sync::Arc;

use crate::methods::{Method, StepScale, build, step, topics};
use base::params::{KindSpec, ParamError, Settings};
use models::targets::Space;

/// Methods that are themselves on every density.
pub trait OnDensities {
    /// The method itself.
    ///
    /// # Errors
    /// On topics.
    fn on_densities(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError>;
}

impl<M: Method + Clone + 'static> OnDensities for M {
    fn on_densities(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        match space {
            Space::Plane(_) | Space::Vectors(_) => Ok(Arc::new(self.clone())),
            Space::Topics(_) => {
                let problem = "the target has topics, and no density for this method";
                Err(ParamError::new("method", problem, topics::NAMES))
            }
        }
    }
}

/// The error of a method for the plane alone, on a model in more dimensions.
pub(crate) fn many_dimensions() -> ParamError {
    let problem = "the method works in the plane, and this target has more dimensions";
    ParamError::new("method", problem, "a sampler, an optimiser, gaussian-vi, laplace, swag")
}

/// Whether a method is one for spaces of this kind: densities, or topics.
#[must_use]
pub fn is_for(kind: &'static KindSpec, space: &Space) -> bool {
    build(&Settings::defaults(kind)).is_ok_and(|method| match space {
        Space::Plane(_) | Space::Vectors(_) => method.inference().is_none(),
        Space::Topics(_) => method.on(space).is_ok(),
    })
}

/// Whether a method fits distributions instead of drawing from the target.
#[must_use]
pub fn fits(kind: &'static KindSpec) -> bool {
    build(&Settings::defaults(kind)).is_ok_and(|method| method.fitting().is_some())
}

/// Whether the chains of a method start at draws from the prior, so that it cannot take over those of another.
#[must_use]
pub fn starts_from_prior(kind: &'static KindSpec) -> bool {
    build(&Settings::defaults(kind)).is_ok_and(|method| method.starts_from_prior())
}

/// Whether step sizes of one method mean the same to another: those of approximations and learning rates are something else
/// than those of samplers.
#[must_use]
pub fn share_step_sizes(one: &'static KindSpec, other: &'static KindSpec) -> bool {
    let learns = |kind| step(kind).is_some_and(|step| step.scale == StepScale::LearningRate);
    !fits(one) && !fits(other) && learns(one) == learns(other)
}
