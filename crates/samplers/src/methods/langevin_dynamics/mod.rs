//! Langevin dynamics with the gradients of all data or of minibatches, also as proposals of a Metropolis rule.

pub(super) mod barker;
pub(super) mod contour_sgld;
pub(super) mod csgld;
pub(super) mod langevin;
pub(super) mod mala;
pub(super) mod psgld;
pub(super) mod sgld;
