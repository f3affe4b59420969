//! Methods that fit a distribution: Laplace's approximation, variational inference, SWAG and dropout; and particles that approximate one.

pub(super) mod approximation;
pub(super) mod cavi;
pub(super) mod expectation;
pub(super) mod fit_state;
pub(super) mod gaussian_fit;
pub(super) mod gaussian_vi;
pub(super) mod in_d_dimensions;
pub(super) mod laplace;
pub(super) mod mc_dropout;
mod sources;
pub(super) mod svgd;
pub(super) mod svi;
pub(super) mod swag;
