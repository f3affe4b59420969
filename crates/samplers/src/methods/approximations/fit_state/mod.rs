//! Memory of approximations: the state that a method keeps from step to step besides the fitted distribution.
//!
//! These types are here and not beside their methods, because an [`Approximation`](crate::methods::Approximation) holds one of
//! them and the methods use `Approximation`: imports go one way.

mod moving_average;
pub(crate) mod natural;
mod smoothed;
mod swag;
mod table;
mod vector;

use crate::methods::kit::adam::Adam;
use base::math::Point;
use models::targets::{Curvature, Derivatives};

pub use moving_average::MovingAverage;
pub use natural::{Natural, natural_of};
pub use smoothed::{Average, Smoothed};
pub use swag::SwagState;
pub(crate) use table::Table;
pub use vector::{Root, VectorAdam, VectorGaussian, VectorNewton};

/// State of an approximation besides its distribution, by method.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Memory {
    /// Nothing.
    #[default]
    Nothing,
    /// Coordinate ascent: the coordinate that comes next.
    Cavi(CaviState),
    /// Newton ascent (Laplace): the newest iterate.
    Newton(NewtonState),
    /// Gaussian variational inference: the parameters with Adam's moving averages.
    Adam(Adam),
    /// Gaussian variational inference in d dimensions.
    VectorAdam(Box<VectorAdam>),
    /// Newton ascent (Laplace) in d dimensions, with its distribution if there is one.
    VectorNewton(Box<VectorNewton>),
    /// SWAG: the iterate, and the moments of those collected.
    Swag(Box<SwagState>),
    /// Stochastic variational inference: the natural parameters, and the intermediate estimates in the average.
    Smoothed(Box<Smoothed>),
}

impl Memory {
    /// The distribution in `dimension` dimensions, of a method that keeps it here.
    #[must_use]
    pub fn gaussian(&self, dimension: usize) -> Option<VectorGaussian> {
        match self {
            Self::VectorAdam(adam) => Some(adam.gaussian(dimension)),
            Self::VectorNewton(newton) => newton.gaussian.clone(),
            Self::Swag(swag) => swag.gaussian(),
            Self::Nothing | Self::Cavi(_) | Self::Newton(_) | Self::Adam(_) | Self::Smoothed(_) => None,
        }
    }
}

/// State of a Newton ascent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonState {
    /// The iterate.
    pub at: Point,
    /// The log density at the iterate with its derivatives.
    pub here: Derivatives,
    /// The kind of curvature from which the covariance was made.
    pub curvature: Curvature,
}

/// State of coordinate ascent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaviState {
    /// The coordinate whose factor is updated next, 0 or 1.
    pub axis: usize,
    /// Number of updates in a row without change.
    pub unchanged: u32,
}
