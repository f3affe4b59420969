//! What an approximation leaves behind, seen in θ: the distribution q that it has fitted, or a mixture of several.
//!
//! A sampler is measured through its draws, an approximation through its distribution, with the same measures: [`measure_truth_of_fit`] works out
//! what infinitely many draws would come to. What only a density has, bounds and divergences without cells, is measured by
//! [`measure_fit`]. Distributions live in coordinates z, θ = θ(z), and densities in θ carry the Jacobian: log q(θ) = log q(z) − log |dθ/dz|.

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

use crate::math::{Distribution, Gaussian, Point};
use crate::targets::Coordinates;

use self::density::Density;
use super::{Measure, NO_DRAWS, TRUTH_MEASURES, Truth, truth};

pub use input::FitTruth;
pub use overlap::{Overlap, overlap};
pub use registry::{FIT_MEASURES, measure_fit};

/// Why a fit that is not [sound](Fit::is_sound) has no measures.
pub(super) const UNSOUND: &str = "the fit has no finite width";

/// Why a sound fit has no mean and covariance.
const NO_MOMENTS: &str = "the moments of the fit are not finite";

/// One distribution of a [`Fit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Its share; those of a fit add up to 1.
    pub weight: f64,
    /// The distribution, in the coordinates in which it was fitted.
    pub distribution: Distribution,
    /// The log evidence that it claims, if it claims any.
    pub log_evidence: Option<f64>,
}

/// A mixture of distributions, one at least, on a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    dimension: usize,
    coordinates: Coordinates,
    components: Vec<Component>,
}

impl Fit {
    /// From distributions in the given coordinates, on a target of 1 or 2 dimensions; `None` without a distribution. The distribution of a precision,
    /// [`Distribution::NormalGamma`], is always one of θ.
    #[must_use]
    pub fn new(dimension: usize, coordinates: Coordinates, components: Vec<Component>) -> Option<Self> {
        let of_theta =
            components.iter().any(|component| matches!(component.distribution, Distribution::NormalGamma { .. }));
        let coordinates = if of_theta { Coordinates::plain() } else { coordinates };
        (!components.is_empty()).then_some(Self { dimension, coordinates, components })
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

    /// The distributions.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// One of its distributions as a fit of its own.
    #[must_use]
    pub fn alone(&self, component: &Component) -> Self {
        Self { components: vec![Component { weight: 1.0, ..*component }], ..self.clone() }
    }

    /// Whether all distributions are sound and their weights make up a mixture.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let total: f64 = self.components.iter().map(|component| component.weight).sum();
        // Weights are quotients by their sum, so rounding is all that may be missing.
        (total - 1.0).abs() < 1e-9
            && self.components.iter().all(|component| component.weight >= 0.0 && component.distribution.is_sound())
    }

    /// The log density in θ; −∞ outside the support of the coordinates.
    #[must_use]
    pub fn log_density(&self, theta: Point) -> f64 {
        self.density().log_in_theta(theta)
    }

    /// Mean and covariance in θ: in closed form where the distributions are those of θ, else by quadrature. `None` unless
    /// the fit is sound and they are finite.
    #[must_use]
    pub fn moments(&self) -> Option<Gaussian> {
        moments::moments(self)
    }

    /// The density in a form that is quick to evaluate.
    fn density(&self) -> Density {
        Density::new(self)
    }
}

/// What all measures against the truth say of infinitely many draws from the fit, in the order of
/// [`TRUTH_MEASURES`]; those that count draws have no value. There are no floors, for a fit leaves nothing to chance.
///
/// `reference` must be that of the target on which the fit was made.
#[must_use]
pub fn measure_truth_of_fit(truth: &Truth, fit: &Fit) -> Vec<Measure> {
    let statistics = fit.statistics(truth);
    let outcomes = match &statistics {
        Some(statistics) => truth::outcomes(truth, statistics),
        None => [Err(UNSOUND); truth::COUNT],
    };
    let measure = |(spec, outcome): (&super::MeasureSpec, super::Outcome)| {
        Measure::new(spec.key, outcome.map_err(|reason| if reason == NO_DRAWS { NO_MOMENTS } else { reason }))
    };
    TRUTH_MEASURES.iter().zip(outcomes).map(measure).collect()
}

#[cfg(test)]
mod tests;
