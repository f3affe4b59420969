//! Files: scenarios are read and saved, figures, draws, trials, reports, worksheets and links leave the window, the system is asked for a path. Called by tasks, never by a
//! frame; what is under way and what was found is kept in [`reading`], [`drawing`] and [`preview`].

pub mod data;
pub(super) mod drawing;
pub(super) mod draws;
pub(super) mod figures;
pub(super) mod hand_out;
pub mod link;
mod new_file;
pub mod playlist;
pub(super) mod preview;
mod purpose;
pub mod qr;
pub(super) mod reading;
pub mod report;
pub(super) mod saving;
mod scenario;
pub(super) mod trials;
pub mod worksheet;

pub use new_file::{NewFile, SaveError, stem_of, write_figure, write_whole};
pub use purpose::{DrawsAs, Purpose, ReportAs, TableAs, file_stem, pick};
pub use scenario::{OpenError, carries_scenario, is_figure, is_our_figure, read_scenario};
