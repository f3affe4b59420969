//! What moves chains. Each module uses only those above it:
//!
//! - [`schedules`]: step sizes as functions of the step.
//! - [`methods`]: samplers, optimisers and variational approximations.

#![warn(missing_docs)]

pub mod methods;
pub mod schedules;
