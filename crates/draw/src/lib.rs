//! What window and figures show, drawn with egui: theme, plots and their tabs, the readout (table of measures), the sheet (page
//! of all plots). Each plot is a function of a frame and a theme. Nothing here depends on panels, on files or on the worker.
//! [`scene`] is the geometry of plots, as numbers and pixels, without egui.

pub mod canvas_grid;
pub mod challenge_words;
pub mod formula;
pub mod named;
pub mod named_layers;
pub mod numbers;
pub mod plots;
pub mod readout;
pub mod scene;
pub(crate) mod settings_text;
pub mod sheet;
pub mod step_notations;
pub mod study_action;
pub mod study_choice;
pub mod tabs;
pub mod theme;
