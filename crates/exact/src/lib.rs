//! The exact distribution of a chain after every step, on the line and in the plane.

#![warn(missing_docs)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform"))]

mod chain;
mod collected;
mod convolution;
mod dense;
mod eigenvalues;
mod line;
mod linear;
mod minibatch;
pub mod modes;
mod phase_space;
mod plane;
mod refusal;
mod spectrum;
mod spline;
mod step;

pub use chain::{Chain, Divergences, ErrorParts, RunMoments, divergences, run_moments};
pub use collected::{CellMasses, Cells, Peak};
pub use dense::{DenseKernel, Proposal, extrapolated};
pub use eigenvalues::eigenvalues;
pub use line::{Line, Masses, Section, Slope, Transition, Transitions};
pub use minibatch::{BatchStep, Batches};
pub use phase_space::{Friction, PhaseSpace};
pub use plane::{Plane, PlaneTransition};
pub use refusal::Refusal;
pub use spectrum::{LongRun, autocorrelation_time, long_run};
pub use spline::{Cumulative, cell_masses};
pub use step::{Noise, Step};
