//! Sampler Lab: stochastic-gradient MCMC and variational inference on densities one can see.
//!
//! The engine runs without a window. A [`scenario`] says everything about an experiment, a
//! [`session`] runs it, and a frame shows where it has come to:
//!
//! ```
//! use std::path::Path;
//! use sampler_lab::{scenario, session::Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"
//!     format = 1
//!     title = "A chain on 25 Gaussians"
//!     seed = 1
//!
//!     [target]
//!     kind = "gaussian-grid"
//!
//!     [[run]]
//!     name = "cSGLD"
//!     method = "csgld"
//!     steps = 5000
//!     step_size = { kind = "cyclical", initial = 0.07, cycles = 3 }
//! "#;
//! let scenario = scenario::read(text, "example.toml", Path::new("."))?;
//! let mut session = Session::new(scenario).map_err(|errors| errors[0].clone())?;
//! session.advance(5000);
//! session.measure_exactly();
//! let frame = session.frame();
//! let visited = frame.runs[0].measures.iter().find(|measure| measure.key == "modes_visited");
//! assert!(visited.and_then(|measure| measure.value) >= Some(1.0));
//! # Ok(())
//! # }
//! ```
//!
//! The modules in reading order: [`params`], [`math`], [`targets`], [`schedules`], [`methods`],
//! [`diagnostics`], [`scenario`], [`session`], [`worker`], [`scene`], [`figure`], [`draw`], [`app`], [`cli`].

pub mod app;
pub mod cli;
pub mod diagnostics;
pub mod draw;
pub mod figure;
pub mod math;
pub mod methods;
pub mod params;
pub mod scenario;
pub mod scene;
pub mod schedules;
pub mod session;
pub mod targets;
pub mod worker;
