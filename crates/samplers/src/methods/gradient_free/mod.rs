//! Random walks, Gibbs sampling, and chains at several temperatures.

pub(super) mod adaptive_metropolis;
pub(super) mod demcz;
pub(super) mod gibbs;
pub(super) mod parallel_tempering;
pub(super) mod random_walk;
pub(super) mod slice;
