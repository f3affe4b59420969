//! The exact distribution of a chain: where endlessly many chains would be after each step, computed without drawing.
//!
//! One step of a Langevin-type chain is θ' = θ + α ∇log p(θ) + s ξ, so that the distribution μ_k of its position follows from μ_{k−1}: push
//! the mass along the map, then blur. [`Line`] and [`Plane`] are targets on grids, [`Masses`] distributions on their nodes. A [`Step`] has α
//! and s², from a schedule and a [`Noise`]; [`Transitions`] and [`PlaneTransition`] make it an operator that pushes masses and pulls functions.
//!
//! - [`modes`]: between which modes chains move in a cycle, and how many of them a run ends cycles in.
//! - [`Cells`]: what a run collects, on the cells of the measures, of targets whose coordinates are independent ([`factors`]).
//! - [`long_run`], [`autocorrelation_time`]: stationary distribution, exit, λ₂, IACT of any [`Chain`] at constant step size.
//! - [`run_moments`]: bias, transient and variance of the average over a run, as an identity ([`ErrorParts`]).
//! - [`DenseKernel`]: random walks and MALA on the line; [`Batches`]: minibatches as mixtures of maps; [`PhaseSpace`]: SGHMC on the line.
//! - [`Trusted`]: which digits two grids agree on. What cannot be computed, or not be trusted, is a [`Refusal`] in words.
//!
//! The numbers have the same bits on every machine: sums and products in one order, and portable functions.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use base::math::Point;
//! use base::params::{Settings, find_kind};
//! use models::targets::{self, TARGETS};
//! use sampler_exact::{Line, Noise, Refusal, Section, Transitions, long_run, on_two_grids};
//!
//! # fn main() -> Result<(), Refusal> {
//! // The double well, Langevin steps of size 0.05 from x = 1, on a box that steps do not leave.
//! let settings = Settings::defaults(find_kind(&TARGETS, "double-well").unwrap());
//! let target = targets::build(&settings, Path::new(".")).unwrap();
//! let density = target.density().unwrap();
//! let step = Noise::LANGEVIN.step(0.05, true);
//! let solve = |nodes: usize| -> Result<[f64; 2], Refusal> {
//!     let section = Section::new(Arc::clone(density), 0, Point::zeros());
//!     let line = Line::new(Arc::new(section), -3.3, 3.3, nodes)?;
//!     let transition = Transitions::new(&line).step(step)?;
//!     // After 100 steps.
//!     let mut masses = [line.after_point(1.0, step)?];
//!     (1..100).for_each(|_| transition.push(&mut masses));
//!     assert_eq!(masses[0].checked()?, None);
//!     // In the long run.
//!     let stationary = long_run(&transition, &line.truth()?.nodes)?;
//!     let square: f64 = line.nodes().iter().zip(&stationary.masses).map(|(x, mass)| x * x * mass).sum();
//!     Ok([line.expectation(&masses[0], |x| x), square])
//! };
//! let [mean, square] = on_two_grids(256, solve)?;
//! // The target has E x² = 0.8327: this step size has a bias that more draws cannot cure.
//! assert!((square.value - 0.788_818).abs() < 1e-6 && square.decimals() >= Some(5));
//! assert!(mean.value > 0.0);
//! # Ok(())
//! # }
//! ```

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
mod padding;
mod phase_space;
mod plane;
mod product;
mod refusal;
mod spectrum;
mod spline;
mod stencil;
mod step;
mod trust;

pub use chain::{Chain, Divergences, ErrorParts, RunMoments, divergences, run_moments};
pub use collected::{CellMasses, Cells, Peak};
pub use dense::{DenseKernel, Proposal, extrapolated};
pub use eigenvalues::eigenvalues;
pub use line::{Line, Masses, Section, Slope, Transition, Transitions};
pub use minibatch::{BatchStep, Batches};
pub use phase_space::{Friction, PhaseSpace};
pub use plane::{Plane, PlaneRejection, PlaneTransition};
pub use product::factors;
pub use refusal::Refusal;
pub use spectrum::{LongRun, autocorrelation_time, long_run};
pub use spline::{Cumulative, cell_masses};
pub use step::{Noise, Step};
pub use trust::{Trusted, on_two_grids};
