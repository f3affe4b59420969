//! Posteriors that are Gaussian given the logarithm of a scale: nodes over it, mixtures, and densities in the plane.

pub(in crate::targets) mod jet;
pub(in crate::targets) mod mixture;
pub(in crate::targets) mod nodes;
mod pairs;
pub(in crate::targets) mod plane;
