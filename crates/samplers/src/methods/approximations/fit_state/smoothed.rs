//! Memory of stochastic variational inference: the natural parameters, and the estimates to average.

use super::{MovingAverage, Natural, Table};
use base::math::Distribution;

/// What is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// Intermediate estimates.
    Statistics,
    /// Noisy natural gradients.
    Gradients,
    /// The newest contribution of every datum: stochastic average gradient.
    Sag,
}

/// The natural parameters of q, and the earlier estimates that take part in the average.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothed {
    /// Natural parameters λ.
    pub(crate) natural: Natural,
    /// The distribution with these parameters.
    pub(crate) distribution: Distribution,
    /// The quantity in `window`.
    pub(crate) average: Average,
    /// Intermediate estimates λ̂, or natural gradients λ̂ − λ of their time.
    pub(crate) window: MovingAverage,
    /// Contributions of single data.
    pub(crate) table: Table,
}
