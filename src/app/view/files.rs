//! Files on their way into the window and out of it.

use std::path::PathBuf;

use draw::sheet::ExportOptions;

use crate::app::files::drawing::Drawing;
use crate::app::files::preview::Preview;
use crate::app::files::reading::Reading;
use crate::app::tasks::slices::Job;

/// What is read and written. The preview closes with another scenario, the options of figures are among the preferences; what is under way
/// goes on.
#[derive(Debug, Default)]
pub struct FileView {
    /// Files that are being read.
    pub reading: Reading,
    /// The recent files that are not there any more.
    pub missing: Vec<PathBuf>,
    /// Options of the exported figure.
    pub export: ExportOptions,
    /// Whether its dialog has been open, in which its picture is chosen.
    pub chosen: bool,
    /// Its preview in the dialog.
    pub preview: Preview,
    /// The figure that moves, while it is being drawn.
    pub drawing: Option<Drawing>,
    /// Draws that are being written.
    pub writing: Option<Job>,
}

impl FileView {
    /// Ends the job with this number.
    pub fn end(&mut self, job: u64) {
        self.drawing.take_if(|drawing| drawing.is(job));
        self.writing.take_if(|writing| writing.ticket == job);
    }
}
