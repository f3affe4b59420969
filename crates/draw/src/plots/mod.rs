//! Plots and canvases: each a function of its input and a theme, which returns clicks, pan and zoom as data.
//!
//! A plot reads no clock, and only overlays depend on the pointer: the same call draws the same picture in the window and in a
//! figure. Expensive pictures are kept in a cache that the caller owns. They are computed in the background, or at once for
//! figures ([`Computing`]).

mod arrow;
mod axes;
mod background;
pub mod bias_variance;
pub mod canvas;
pub mod chain;
pub mod compare;
pub mod convergence;
mod convergence_note;
pub mod coverage;
mod data_edit;
pub mod elbo;
mod epoch;
pub mod fit_remarks;
pub mod functions;
pub mod gesture_list;
pub mod gestures;
pub mod held_out;
pub mod identity;
mod legend;
pub mod maps;
mod marks;
mod mesh_cache;
pub mod noise;
mod overlay_label;
mod passive_items;
pub mod path;
pub mod pointing;
pub mod range_test;
mod reference_worth;
pub mod reliability;
pub mod run_header;
pub mod run_marker;
pub mod schedule;
pub mod steps;
pub mod sweep;
pub mod test_errors;
pub mod time_axis;
pub mod topics;
pub mod trace;
pub mod warnings;
pub mod weights;

pub use background::Computing;
pub use data_edit::{DataEdit, Editing};
pub use gestures::moved_by_hand;

#[cfg(test)]
pub(crate) mod testing;
