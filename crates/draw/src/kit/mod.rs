//! What plots share: axes, marks and legends, time axes, gestures, headers, pictures that are computed beside the window and kept.
//!
//! A plot is a function of its input and a theme, which returns clicks, pan and zoom as data. It reads no clock, and only overlays
//! depend on the pointer: the same call draws the same picture in the window and in a figure. Expensive pictures are kept in a cache
//! that the caller owns. They are computed in the background, or at once for figures ([`Computing`](background::Computing)).

pub(crate) mod arrow;
pub(crate) mod axes;
pub(crate) mod axis_spec;
pub mod background;
pub mod by_run;
pub mod canvas_grid;
pub(crate) mod column;
pub(crate) mod convergence_note;
pub(crate) mod cycles;
pub(crate) mod dashes;
pub(crate) mod data_edit;
pub(crate) mod epoch;
mod event_words;
pub(crate) mod for_others;
pub mod formula;
pub mod gestures;
pub(crate) mod given_up;
pub mod identity;
pub(crate) mod in_parts;
pub(crate) mod legend;
pub(crate) mod legend_patch;
pub(crate) mod marks;
pub(crate) mod mesh_cache;
pub mod named;
pub(crate) mod notes;
pub(crate) mod on_plots;
pub(crate) mod overlay_label;
pub(crate) mod own_axes;
pub(crate) mod passive_items;
pub(crate) mod polyline;
pub mod run_header;
pub(crate) mod run_line;
pub mod run_marker;
pub mod scatter;
pub(crate) mod shades;
pub mod shortened;
pub mod sparkline;
pub mod steps;
pub mod terms;
mod tick_text;
pub mod time_axis;
pub mod told;
pub mod warnings;
pub(crate) mod written;
