//! What methods are for: which of them suit a target, fit distributions, start at the prior, or share their step sizes.

use std::sync::Arc;

use super::{Method, build, topics};
use base::params::{KindSpec, ParamError, Settings};
use models::targets::{Entries, Space, Target};

/// Checks that a method applies to a target.
///
/// # Errors
/// If the method needs something that the target does not have; the path is relative to the run.
pub fn suits(method: &dyn Method, target: &Target) -> Result<(), ParamError> {
    match target.space() {
        Space::Plane(density) => method.suits(density.as_ref()),
        Space::Vectors(vectors) => method.suits_model(vectors.model.as_ref()),
        Space::Topics(Entries(model)) => method.on_topics().ok_or_else(no_topics)?.suits_topics(model),
    }
}

/// The method that takes the place of one on this target: of methods that infer topics, what they are there.
#[must_use]
pub fn on(method: Arc<dyn Method>, target: &Target) -> Arc<dyn Method> {
    match target.topics().and_then(|_| method.on_topics()) {
        Some(on_topics) => Arc::new(on_topics),
        None => method,
    }
}

fn no_topics() -> ParamError {
    let problem = "the target has topics, and no density for this method";
    ParamError::new("method", problem, topics::NAMES)
}

/// Whether a method is one for targets of topics, or for densities.
#[must_use]
pub fn is_for(kind: &'static KindSpec, topics: bool) -> bool {
    let on_topics = build(&Settings::defaults(kind)).ok().and_then(|method| method.on_topics());
    if topics { on_topics.is_some() } else { !on_topics.is_some_and(|method| method.needs_topics()) }
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
    let learns = |kind| build(&Settings::defaults(kind)).is_ok_and(|method| method.has_learning_rate());
    !fits(one) && !fits(other) && learns(one) == learns(other)
}
