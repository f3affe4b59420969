//! Sessions as text: JSON with the scenarios as TOML in it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{KeepError, Session};
use crate::app::origin::Origin;
use crate::app::unsaved::{UnsavedWork, Work};
use crate::platform::files;
use crate::scenario::{Lesson, ScenarioErrors, read as read_scenario, write};

/// Version of the format.
const FORMAT: u32 = 1;

/// Why a session cannot be read.
#[derive(Debug, Error)]
pub enum BadSession {
    /// The system refuses.
    #[error(transparent)]
    Refused(#[from] std::io::Error),
    /// It is larger than any that is written here.
    #[error("the file is too large")]
    TooLarge,
    /// It is no session.
    #[error(transparent)]
    Format(#[from] serde_json::Error),
    /// A newer program has written it.
    #[error("a newer version of Sampler Lab has written it")]
    Newer,
    /// A scenario in it is not valid.
    #[error(transparent)]
    Scenario(#[from] ScenarioErrors),
}

/// A session in its file.
#[derive(Debug, Deserialize, Serialize)]
struct StoredSession {
    format: u32,
    #[serde(default)]
    start_page: bool,
    window: StoredWork,
    #[serde(default)]
    unsaved: Vec<StoredWork>,
}

/// Work in the file of a session.
#[derive(Debug, Deserialize, Serialize)]
struct StoredWork {
    title: String,
    step: u64,
    instant: bool,
    file: Option<PathBuf>,
    lesson: Option<String>,
    folder: PathBuf,
    scenario: String,
    /// The scenario as it was last loaded or saved.
    saved: String,
}

impl StoredWork {
    fn of(work: &Work) -> Self {
        Self {
            title: work.scenario.title.clone(),
            step: work.step,
            instant: work.instant,
            // A path that is no text cannot be in the file.
            file: work.origin.file.clone().filter(|file| file.to_str().is_some()),
            lesson: work.origin.as_lesson().map(|lesson| lesson.name.to_owned()),
            // The next start may be in another folder.
            folder: std::path::absolute(&work.scenario.folder)
                .ok()
                .filter(|folder| folder.to_str().is_some())
                .unwrap_or_default(),
            scenario: write(&work.seen()),
            saved: write(work.origin.saved()),
        }
    }

    fn work(self) -> Result<Work, ScenarioErrors> {
        let Self { step, instant, file, lesson, folder, scenario, saved, .. } = self;
        let saved = Arc::new(read_scenario(&saved, "session", &folder)?);
        let seen = read_scenario(&scenario, "session", &folder)?;
        let lesson = lesson.as_deref().and_then(Lesson::find);
        let view = seen.view.clone();
        Ok(Work { scenario: Arc::new(seen), view, step, instant, origin: Origin::again(saved, file, lesson) })
    }
}

/// The text of a session. The oldest unsaved work is left out where it would have more than `largest` bytes.
///
/// # Errors
/// If the scenario in the window alone is larger than that.
pub fn to_text(session: &Session, largest: usize) -> Result<String, KeepError> {
    let Session { window, start_page, unsaved } = session;
    let mut stored = StoredSession {
        format: FORMAT,
        start_page: *start_page,
        window: StoredWork::of(window),
        unsaved: unsaved.all().iter().map(|(_, work)| StoredWork::of(work)).collect(),
    };
    loop {
        let text = serde_json::to_string_pretty(&stored)?;
        if text.len() <= largest {
            return Ok(text);
        }
        if stored.unsaved.pop().is_none() {
            return Err(KeepError::TooLarge(text.len()));
        }
    }
}

/// Reads the file of a session.
///
/// # Errors
/// If it is not one that was written here.
pub fn read(place: &Path, largest: usize) -> Result<Session, BadSession> {
    let mut bytes = Vec::new();
    files::File::open(place)?.take(largest as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > largest {
        return Err(BadSession::TooLarge);
    }
    let StoredSession { format, start_page, window, unsaved: others } = serde_json::from_slice(&bytes)?;
    if format > FORMAT {
        return Err(BadSession::Newer);
    }
    let mut unsaved = UnsavedWork::default();
    for other in others {
        unsaved.add_older(other.work()?);
    }
    Ok(Session { window: window.work()?, start_page, unsaved })
}
