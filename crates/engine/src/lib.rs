//! Experiments: scenario files, their runs, measures of runs and exact distributions. Each module uses only those above it:
//!
//! - [`diagnostics`]: measures of draws and of approximations.
//! - [`scenario`]: scenario files, their checks and their changes over time.
//! - [`distributions`]: distributions of runs, computed without draws.
//! - [`session`]: the runs of a scenario, their history and their measures.
//! - [`worker`]: a session on a thread of its own.

#![warn(missing_docs)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform"))]

pub mod diagnostics;
pub mod distributions;
pub mod scenario;
pub mod session;
pub mod worker;
