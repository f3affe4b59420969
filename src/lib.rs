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
//! The modules in reading order; each uses only modules above it. Most are in crates of their own, below `crates`:
//!
//! - [`params`], [`math`], [`sources`], and clocks and files of the engine in [`platform`]: crate `base`.
//! - [`families`], [`formula`], [`lda`], [`targets`]: crate `models`.
//! - [`schedules`], [`methods`]: crate `samplers`.
//! - [`diagnostics`], [`scenario`], [`distributions`], [`session`], [`worker`]: crate `engine`.
//! - `figure`: egui drawings as pictures and as source for other programs, without a display.
//! - `draw`: theme, canvases, views, readout and sheet, as functions of a frame; their geometry as numbers and pixels.
//! - `platform`: what window and files ask of a desktop or of a browser.
//! - `output`: files and folders that are whole or not there at all.
//! - `app`: the window.
//! - `cli`: the command line.
//!
//! The last six lines need the feature `window`, which is on by default.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests make files and threads of their own"))]

#[cfg(feature = "window")]
pub mod app;
#[cfg(all(feature = "window", not(target_arch = "wasm32")))]
pub mod cli;
#[cfg(feature = "window")]
pub mod output;
#[cfg(feature = "window")]
pub mod platform;

#[cfg(not(feature = "window"))]
pub use base::platform;
pub use base::{math, params, sources};
#[cfg(feature = "window")]
pub use draw;
pub use engine::{diagnostics, distributions, scenario, session, worker};
#[cfg(feature = "window")]
pub use figure;
pub use models::{families, formula, lda, targets};
pub use samplers::{methods, schedules};
