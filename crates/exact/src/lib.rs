//! The exact distribution of a chain after every step, on the line and in the plane.

#![warn(missing_docs)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform"))]

mod collected;
mod convolution;
mod eigenvalues;
mod line;
pub mod modes;
mod refusal;
mod spline;
mod step;

pub use collected::{CellMasses, Cells, Peak};
pub use eigenvalues::eigenvalues;
pub use line::{Line, Masses, Section, Slope, Transition, Transitions};
pub use refusal::Refusal;
pub use spline::{Cumulative, cell_masses};
pub use step::{Noise, Step};
