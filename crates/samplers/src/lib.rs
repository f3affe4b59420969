//! Samplers, optimisers and variational approximations, and schedules of step sizes. Each module uses only those above it:
//!
//! - [`schedules`]: step sizes as functions of the step.
//! - [`methods`]: samplers, optimisers and variational approximations.

#![warn(missing_docs)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform"))]

pub mod methods;
pub mod schedules;
