//! Sampler Lab: stochastic-gradient MCMC and variational inference on densities one can see.
//!
//! The modules in reading order:

pub mod diagnostics;
pub mod math;
pub mod methods;
pub mod params;
pub mod scenario;
pub mod schedules;
pub mod session;
pub mod targets;
