//! Optimisers, and ensembles of them.

pub(super) mod adam_ascent;
pub(super) mod anchored_ensemble;
pub(super) mod deep_ensemble;
pub(super) mod gradient_descent;
pub(super) mod sgd;
