//! The plots: each a function of what is to be drawn, a theme and options, returning what happened.
//!
//! A plot reads no clock, and only overlays depend on the pointer: the same call draws the same picture in
//! the window and off the screen. What is expensive to make is kept in a cache that the caller owns; it is
//! made in the background, or at once where a picture must be complete ([`Computing`]).

mod arrow;
mod axes;
mod background;
pub mod canvas;
pub mod chain;
pub mod compare;
pub mod coverage;
mod drawn;
pub mod elbo;
pub mod fit_remarks;
pub mod followed;
pub mod header;
mod kept;
mod legend;
pub mod marker;
pub mod noise;
pub mod path;
pub mod schedule;
pub mod smoothing;
pub mod steps;
pub mod trace;
pub mod truth;
mod words;

pub use background::Computing;

#[cfg(test)]
pub(crate) mod testing;
