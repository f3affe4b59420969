//! Open dialog: which dialog is shown, and what has been typed into it. [`super::dialogs`] draws it.

use std::path::{Path, PathBuf};

use egui::TextureHandle;

use super::files::Purpose;
use crate::platform::Instant;

/// The dialog that is open.
#[derive(Debug)]
pub enum Dialog {
    /// A field for the path of a file.
    Path(PathDialog),
    /// A link to the experiment.
    Link(LinkDialog),
    /// The options of an exported figure.
    Export,
    /// Keys, gestures and the glossary.
    Help(Search),
    /// Commands and everything else that has a name.
    Palette(Search),
    /// About the program.
    About,
    /// Unsaved changes while the window closes.
    Unsaved,
}

/// A link to the experiment.
pub struct LinkDialog {
    /// The fragment, or why there is none.
    pub fragment: Result<String, String>,
    /// Files of one's own that the scenario names: their contents are not in the link.
    pub files: Vec<String>,
    /// The link whose QR code was made last, and that code; `None` if the link is too long for one.
    pub code: Option<(String, Option<TextureHandle>)>,
}

impl std::fmt::Debug for LinkDialog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkDialog").field("fragment", &self.fragment).finish_non_exhaustive()
    }
}

/// What is looked for in a dialog.
#[derive(Debug, Default)]
pub struct Search {
    /// The words as typed so far.
    pub text: String,
    /// The result that Enter takes, by its place.
    pub chosen: usize,
    /// Whether the field has had the focus.
    pub begun: bool,
}

/// A field for a path. It appears beside the system's file dialog, and in its place on a system without one.
#[derive(Debug)]
pub struct PathDialog {
    /// What the path is for.
    pub purpose: Purpose,
    /// Number of the request to the system's file dialog that belongs to this field.
    pub ticket: u64,
    /// The path as typed so far.
    pub text: String,
    /// Whether the system has no file dialog.
    pub no_service: bool,
    /// Whether the file exists already: the next click replaces it.
    pub exists: bool,
    /// Why the last attempt failed.
    pub problem: Option<String>,
    /// When the path was asked for.
    pub since: Instant,
}

impl PathDialog {
    /// A field that starts with `suggestion`.
    #[must_use]
    pub fn new(purpose: Purpose, ticket: u64, suggestion: &Path) -> Self {
        let text = suggestion.display().to_string();
        Self { purpose, ticket, text, no_service: false, exists: false, problem: None, since: Instant::now() }
    }

    /// The path as typed; a leading `~` means the home folder.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        let text = self.text.trim();
        match (text.strip_prefix("~/"), std::env::home_dir()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        }
    }
}
