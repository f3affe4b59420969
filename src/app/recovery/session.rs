//! A session: what is kept from one start to the next, and why it is not.

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use super::unsaved::{UnsavedWork, Work};
use crate::app::files::link;
use crate::app::trials::Notebook;
use crate::app::view::playlist::OpenPlaylist;
use crate::output::foresight::refusal;
use engine::scenario::{LessonPath, Scenario};

/// The largest file, in bytes.
pub(super) const LARGEST: usize = 4 << 20;

/// What Page Down follows: a path of lessons, or a playlist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// The path that a lesson was chosen of.
    pub path: Option<&'static LessonPath>,
    /// The playlist that is open.
    pub playlist: Option<Arc<OpenPlaylist>>,
}

/// What is kept from one start to the next.
#[derive(Clone, Debug)]
pub struct Session {
    /// The experiment in the window.
    pub window: Work,
    /// Whether the start page was in front of it.
    pub start_page: bool,
    /// The unsaved work that is not in the window.
    pub unsaved: UnsavedWork,
    /// What Page Down follows.
    pub course: Course,
    /// The trials that are kept.
    pub trials: Notebook,
}

impl Session {
    /// Whether the experiment in the window comes from this scenario.
    #[must_use]
    pub fn comes_from(&self, scenario: &Scenario) -> bool {
        let of_window = self.window.origin.fragment();
        !self.start_page
            && of_window.is_some_and(|fragment| link::fragment(scenario).is_ok_and(|other| other == fragment))
    }
}

/// Why a session was not kept.
#[derive(Debug, Error)]
pub enum KeepError {
    /// The scenario is too large.
    #[error("the scenario is too large to be kept for the next start ({0} bytes; at most {LARGEST})")]
    TooLarge(usize),
    /// The session cannot be put into words.
    #[error("the session cannot be kept for the next start: {0}")]
    Format(#[from] serde_json::Error),
    /// The system refuses.
    #[error("the session cannot be kept for the next start: {}: {}", .path.display(), refusal(source))]
    Refused { path: PathBuf, source: std::io::Error },
}
