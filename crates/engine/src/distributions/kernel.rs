//! What moves a distribution: the kernels of the steps of a run, from its methods, gradient estimates and step sizes.

use std::sync::Arc;

use exact::{Batches, Noise};
use models::targets::Density;
use samplers::methods::{BatchOrder, Dynamics, Gradient};

use super::NotComputed;
use crate::scenario::Segment;

/// Nodes of a grid on which it is only tried whether batches are a mixture of few maps.
const FEW_NODES: usize = 16;

/// The kernel of the steps between two events.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kernel {
    /// A map and a blur that is the same everywhere.
    Map(Noise),
    /// One of a few maps for each batch, and a blur that is the same everywhere.
    Mixture {
        /// n of a batch.
        size: usize,
        /// The injected noise.
        noise: Noise,
    },
    /// A map and a blur by normal noise whose variance depends on the position: the Gaussian approximation of minibatches.
    Normal {
        /// The estimate of the gradient.
        gradient: Gradient,
        /// Whether the injected noise is reduced by that of the gradient.
        compensate: bool,
    },
    /// Proposals that are accepted or rejected, along the gradient or not.
    Metropolis {
        /// Whether a proposal follows the gradient.
        langevin: bool,
    },
    /// Position and momentum with friction.
    Friction {
        /// a.
        friction: f64,
        /// β̂ as a share of α.
        estimate: f64,
        /// V.
        gradient_variance: f64,
    },
}

impl Kernel {
    /// The kernel of a segment on a density in the coordinates of the chains.
    ///
    /// # Errors
    /// With the reason, if there is none.
    pub fn of(segment: &Segment, density: &Arc<dyn Density>) -> Result<Self, NotComputed> {
        let unsuited = |why| Err(NotComputed::Unsuited(why));
        let exact_or_noisy = match segment.gradient {
            Gradient::Exact => Some((0.0, false)),
            Gradient::Noisy { variance, compensate } => Some((variance, compensate)),
            Gradient::Minibatch { .. } => None,
        };
        match (segment.method.dynamics(), exact_or_noisy) {
            (Dynamics::NotComputed(why), _) => unsuited(why),
            (Dynamics::Langevin, Some((gradient_variance, compensate))) => {
                Ok(Self::Map(Noise { temperature: 1.0, gradient_variance, compensate }))
            }
            (Dynamics::Langevin, None) => Self::of_batches(segment.gradient, density),
            (Dynamics::RandomWalk, _) => Ok(Self::Metropolis { langevin: false }),
            (Dynamics::AdjustedLangevin, Some((variance, _))) if variance <= 0.0 => {
                Ok(Self::Metropolis { langevin: true })
            }
            (Dynamics::AdjustedLangevin, _) => unsuited(
                "proposals from estimated gradients share their noise with the decision, which is not computed",
            ),
            (Dynamics::Friction { .. }, _) if density.info().dimension > 1 => unsuited(
                "with momentum, distributions are computed on the line alone, and with one step size: in the plane, position and momentum have four coordinates",
            ),
            (Dynamics::Friction { .. }, None) => unsuited("minibatches together with momentum are not computed"),
            (Dynamics::Friction { friction, corrected }, Some((gradient_variance, _))) => {
                let estimate = if corrected { 0.5 * gradient_variance } else { 0.0 };
                Ok(Self::Friction { friction, estimate, gradient_variance })
            }
        }
    }

    fn of_batches(gradient: Gradient, density: &Arc<dyn Density>) -> Result<Self, NotComputed> {
        let unsuited = |why| Err(NotComputed::Unsuited(why));
        let Gradient::Minibatch { size, order, compensate, .. } = gradient else {
            return unsuited("there are no batches");
        };
        if order != BatchOrder::Random {
            return unsuited("batches that are shuffled or in order remember which data came before");
        }
        let info = density.info();
        if info.dimension > 1 {
            return unsuited(
                "the noise of minibatches depends on the position and correlates the coordinates, which is computed on the line alone",
            );
        }
        let (low, high) = inner_view(density);
        let few = !compensate && Batches::new(density, size, low, high, FEW_NODES).is_ok();
        Ok(if few { Self::Mixture { size, noise: Noise::LANGEVIN } } else { Self::Normal { gradient, compensate } })
    }

    /// What is approximate in it, in words.
    pub fn approximation(&self) -> Option<&'static str> {
        matches!(self, Self::Normal { .. }).then_some("Gaussian approximation of the minibatch noise")
    }
}

/// The middle of the view of a density on the line, inside of its support.
fn inner_view(density: &Arc<dyn Density>) -> (f64, f64) {
    let view = density.info().view;
    let (middle, quarter) = (0.5 * (view.min.x + view.max.x), 0.25 * (view.max.x - view.min.x));
    (middle - quarter, middle + quarter)
}
