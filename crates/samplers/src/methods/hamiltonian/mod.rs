//! Methods with momentum: Hamiltonian dynamics with and without friction, and at constant speed.

pub(super) mod adaptation;
pub(super) mod csghmc;
pub(super) mod hmc;
pub(super) mod mclmc;
pub(super) mod mclmc_tuning;
pub(super) mod momentum;
pub(super) mod nuts;
pub(super) mod sghmc;
pub(super) mod sgnht;
