//! What densities and posteriors are made of: kernels for many points at once, coordinates, modes, exact draws, integrals, and models
//! with conjugate updates.

pub(super) mod analytic;
pub(super) mod basins;
pub(super) mod beta;
pub(super) mod by_rows;
pub(super) mod cell_sampler;
pub(super) mod conjugate;
pub(super) mod data_sums;
pub(super) mod euler;
pub(super) mod lanewise;
pub(super) mod modes;
pub(super) mod nodes;
pub(super) mod poles;
pub(super) mod quadrature;
pub(super) mod scaled;
pub(super) mod shown;
pub(super) mod smooth_cells;
pub(super) mod symbols;
pub(super) mod transforms;
