//! Fitted distributions q (variational or Laplace approximations, or mixtures of several) and their measures.
//!
//! A sampler is measured by its draws, an approximation by its distribution, with the same measures:
//! [`measure_truth_of_fit`] computes the values for infinitely many draws from q. [`measure_fit`] computes the measures
//! that need the density of q: the ELBO, and divergences without cells. Components are defined in coordinates z with θ
//! = θ(z), and densities in θ have the Jacobian: log q(θ) = log q(z) − log |dθ/dz|.

mod boxes;
mod density;
mod draws;
mod elbo;
mod evidence;
mod expectation;
mod input;
mod kl_pq;
mod kl_qp;
mod moments;
mod overlap;
mod registry;
mod statistics;

use base::math::{Distribution, Gaussian, Point};
use base::platform::pause;
use models::targets::Coordinates;

use self::density::FitDensity;
use super::{Measure, NO_DRAWS, TRUTH_MEASURES, Truth, against_truth};

pub use input::FitTruth;
pub use overlap::{Overlap, overlap};
pub use registry::{FIT_MEASURES, measure_fit};

/// Reason why a fit that is not [sound](Fit::is_sound) has no measures.
pub(super) const UNSOUND: &str = "q has no finite width";

/// Reason why a sound fit has no mean and covariance.
const NO_MOMENTS: &str = "the moments of q are not finite";

/// One component of a [`Fit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Its weight; the weights of a fit add up to 1.
    pub weight: f64,
    /// The distribution, in the coordinates in which it was fitted.
    pub distribution: Distribution,
    /// The estimate of the log evidence, if the method has one.
    pub log_evidence: Option<f64>,
}

/// A mixture of one or more distributions, fitted to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    dimension: usize,
    coordinates: Coordinates,
    components: Vec<Component>,
    /// Whether its method estimates log evidences.
    has_evidence: bool,
}

impl Fit {
    /// From components in the given coordinates, on a target of 1 or 2 dimensions; `None` without a component. A
    /// [`Distribution::NormalGamma`], which contains a precision, is always defined in θ.
    #[must_use]
    pub fn new(dimension: usize, coordinates: Coordinates, components: Vec<Component>) -> Option<Self> {
        let of_theta =
            components.iter().any(|component| matches!(component.distribution, Distribution::NormalGamma { .. }));
        let coordinates = if of_theta { Coordinates::plain() } else { coordinates };
        (!components.is_empty()).then_some(Self { dimension, coordinates, components, has_evidence: false })
    }

    /// The same fit, of a method that estimates log evidences.
    #[must_use]
    pub fn with_evidence(self) -> Self {
        Self { has_evidence: true, ..self }
    }

    /// 1 or 2.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The coordinates in which the distributions were fitted.
    #[must_use]
    pub fn coordinates(&self) -> Coordinates {
        self.coordinates
    }

    /// The components.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// One component as a fit of its own.
    #[must_use]
    pub fn alone(&self, component: &Component) -> Self {
        Self { components: vec![Component { weight: 1.0, ..*component }], ..self.clone() }
    }

    /// Whether all components are sound, and the weights are not negative and add up to 1.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let total: f64 = self.components.iter().map(|component| component.weight).sum();
        // Weights have been divided by their sum, so they miss 1 by rounding at most.
        (total - 1.0).abs() < 1e-9
            && self.components.iter().all(|component| component.weight >= 0.0 && component.distribution.is_sound())
    }

    /// The log density in θ; −∞ outside the support of the coordinates.
    #[must_use]
    pub fn log_density(&self, theta: Point) -> f64 {
        self.density().log_in_theta(theta)
    }

    /// Mean and covariance in θ: in closed form where the components are defined in θ, else by quadrature. `None` unless
    /// the fit is sound and they are finite.
    #[must_use]
    pub fn moments(&self) -> Option<Gaussian> {
        moments::moments(self)
    }

    /// The density in a form that is quick to evaluate.
    fn density(&self) -> FitDensity {
        FitDensity::new(self)
    }
}

/// The measures against the truth for infinitely many draws from the fit, in the order of [`TRUTH_MEASURES`]. Measures
/// that count draws have no value. There are no floors, since a fit is not random. With pauses.
///
/// `truth` must be that of the target of the fit.
pub async fn measure_truth_of_fit(truth: &Truth, fit: &Fit) -> Vec<Measure> {
    let statistics = fit.statistics(truth).await;
    pause().await;
    let outcomes = match &statistics {
        Some(statistics) => against_truth::outcomes(truth, statistics),
        None => [Err(UNSOUND); against_truth::COUNT],
    };
    let measure = |(spec, outcome): (&super::MeasureSpec, super::Outcome)| {
        Measure::new(spec.key, outcome.map_err(|reason| if reason == NO_DRAWS { NO_MOMENTS } else { reason }))
    };
    TRUTH_MEASURES.iter().zip(outcomes).map(measure).collect()
}

#[cfg(test)]
mod tests;
