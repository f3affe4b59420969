//! Everything that is drawn: theme, plots, readout and sheet, each a function of a frame and a theme. The window and the
//! figures call the same code; nothing here knows of panels, files or the worker.

pub mod canvas_grid;
pub mod numbers;
pub mod plots;
pub mod readout;
pub mod sheet;
pub mod study_choice;
pub mod tabs;
pub mod theme;

pub(crate) use sheet::settings_in_words;
