//! Mathematics, parameters as data, and the few things that a browser does in another way than a desktop. All other crates use it.
//!
//! - [`params`]: descriptions and values of parameters.
//! - [`math`]: points, distributions, random numbers, vectorised functions.
//! - [`platform`]: the clock, files, and work beside the window, on a desktop and on a page.
//! - [`sources`]: papers and books, for BibTeX.

#![warn(missing_docs)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform"))]

pub mod math;
pub mod params;
pub mod platform;
pub mod sources;
