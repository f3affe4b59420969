//! Densities given by a formula, one per file.

pub(super) mod banana;
pub(super) mod donut;
pub(super) mod double_well;
pub(super) mod funnel;
pub(super) mod gaussian;
pub(super) mod gaussian_grid;
pub(super) mod gaussian_mixture;
pub(super) mod squiggle;
pub(super) mod three_modes;
