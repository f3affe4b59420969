//! Sampler Lab: stochastic-gradient MCMC and variational inference on densities that can be drawn.
//!
//! The engine runs without a window. A [`scenario`] describes an experiment: a target, the methods that run on it with
//! their parameters, and a seed. A [`session`] advances the runs of a scenario and measures their draws. A frame is a
//! snapshot of a session; figures and the window are drawn from it.
//!
//! ```
//! use std::path::Path;
//! use sampler_lab::{params::ParamErrors, scenario, session::Session};
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
//! let mut session = Session::new(scenario).map_err(ParamErrors)?;
//! session.advance(5000);
//! session.measure_exactly();
//! let frame = session.frame();
//! let visited = frame.runs[0].measures.iter().find(|measure| measure.key == "modes_visited");
//! assert!(visited.and_then(|measure| measure.value) >= Some(1.0));
//! # Ok(())
//! # }
//! ```
//!
//! The modules in reading order; each uses only modules above it:
//!
//! - [`platform`]: clocks, files, and work beside the window, on a desktop and on a page.
//! - [`params`]: descriptions and values of parameters.
//! - [`math`]: points, distributions, random numbers, vectorised functions.
//! - [`formula`]: log densities in ordinary notation, with their derivatives.
//! - [`topics`]: latent Dirichlet allocation: corpora, inference and measures.
//! - [`targets`]: densities to sample from or to approximate.
//! - [`schedules`]: step sizes as functions of the step.
//! - [`methods`]: samplers, optimisers and variational approximations.
//! - [`diagnostics`]: measures of draws and of approximations.
//! - [`scenario`]: scenario files, their checks and their changes over time.
//! - [`session`]: the runs of a scenario, their history and their measures.
//! - [`worker`]: a session on a thread of its own.
//! - [`scene`]: geometry of what is drawn, as numbers and pixels.
//! - `figure`: egui drawings as PNG, SVG, PDF, GIF and APNG files, without a display.
//! - `draw`: theme, plots, readout and sheet, as functions of a frame.
//! - `output`: files and folders that are whole or not there at all.
//! - `app`: the window.
//! - `cli`: the command line.
//!
//! The last five need the feature `window`, which is on by default.

#[cfg(feature = "window")]
pub mod app;
#[cfg(all(feature = "window", not(target_arch = "wasm32")))]
pub mod cli;
pub mod diagnostics;
#[cfg(feature = "window")]
pub mod draw;
#[cfg(feature = "window")]
pub mod figure;
pub mod formula;
pub mod math;
pub mod methods;
#[cfg(feature = "window")]
pub mod output;
pub mod params;
pub mod platform;
pub mod scenario;
pub mod scene;
pub mod schedules;
pub mod session;
pub mod targets;
pub mod topics;
pub mod worker;
