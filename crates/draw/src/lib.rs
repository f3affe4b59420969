//! What window and figures show, drawn with egui: theme, canvases and views, the readout (table of measures), the sheet (page
//! of all plots). Each plot is a function of a frame and a theme. Nothing here depends on panels, on files or on the worker.
//! [`geometry`] is what several plots draw, as numbers and pixels, and [`words`] is what they say; both without egui.
//! [`kit`] is what plots share: axes, marks, legends, time axes, gestures, kept pictures. A view is a folder of [`views`] with its entry,
//! plot, geometry and cache. [`step_notations`] is one step in several notations.

pub mod canvas;
pub mod geometry;
pub mod kit;
pub mod readout;
pub mod sheet;
pub mod step_notations;
pub mod theme;
pub mod views;
pub mod words;

#[cfg(test)]
mod testing;
