//! Drawing for the window and the figures: theme, plots and their tabs, readout, sheet. Each is a function of a frame and a
//! theme. Nothing here depends on the window's panels, on files or on the worker.

pub mod canvas_grid;
pub mod numbers;
pub mod plots;
pub mod readout;
pub(crate) mod settings_text;
pub mod sheet;
pub mod study_choice;
pub mod tabs;
pub mod theme;
