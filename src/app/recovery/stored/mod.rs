//! Sessions as text: JSON with the scenarios as TOML in it.

mod course;
mod lenient;
mod trials;
mod typed;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::session::{Course, KeepError, Session};
use crate::app::experiment::origin::Origin;
use crate::app::recovery::unsaved::Work;
use crate::app::trials::Notebook;
use crate::platform::files;
use engine::scenario::{Folder, Lesson, ScenarioErrors, read_unbuilt, write};

use course::StoredCourse;
use lenient::lenient;
use trials::StoredTrials;
use typed::StoredTyped;

/// Version of the format.
const FORMAT: u32 = 1;

/// Why a session cannot be read.
#[derive(Debug, Error)]
pub enum BadSession {
    /// The system refuses.
    #[error(transparent)]
    Refused(#[from] std::io::Error),
    /// It is a folder, a pipe or a device.
    #[error("this is not a file")]
    NoFile,
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

/// A session in its file. Work is read piece by piece: what is wrong with one piece hides no other.
#[derive(Debug, Deserialize, Serialize)]
struct StoredSession<W, A> {
    #[serde(default, deserialize_with = "lenient")]
    format: u32,
    #[serde(default, deserialize_with = "lenient")]
    start_page: bool,
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "StoredCourse::is_empty")]
    course: StoredCourse,
    window: W,
    /// All other work, newest first.
    #[serde(default)]
    unsaved: A,
    /// The trials that are kept.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "StoredTrials::is_empty")]
    trials: StoredTrials,
}

/// Work in the file of a session.
#[derive(Debug, Deserialize, Serialize)]
struct StoredWork {
    #[serde(default, deserialize_with = "lenient")]
    title: String,
    #[serde(default, deserialize_with = "lenient")]
    step: u64,
    #[serde(default, deserialize_with = "lenient")]
    instant: bool,
    #[serde(default, deserialize_with = "lenient")]
    file: Option<PathBuf>,
    #[serde(default, deserialize_with = "lenient")]
    lesson: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    folder: PathBuf,
    scenario: String,
    /// The scenario as it was last loaded or saved.
    saved: String,
    /// What is typed and not taken.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "StoredTyped::is_empty")]
    typed: StoredTyped,
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
            typed: StoredTyped::of(work),
        }
    }

    /// The work, of which nothing is built: the window does not wait for targets.
    fn work(self) -> Result<Work, ScenarioErrors> {
        let Self { step, instant, file, lesson, folder, scenario, saved, typed, .. } = self;
        let folder = Folder::from(folder);
        let seen = read_unbuilt(&scenario, "session", &folder)?;
        let saved = Arc::new(read_unbuilt(&saved, "session", &folder)?);
        let lesson = lesson.as_deref().and_then(Lesson::find);
        let typed = typed.typed(&folder);
        let (view, origin) = (seen.view.clone(), Origin::again(saved, file, lesson));
        Ok(Work { scenario: Arc::new(seen), view, step, instant, origin, typed, built: false })
    }

    /// Whether the text alone says that nothing was changed.
    fn is_as_saved(&self) -> bool {
        self.scenario == self.saved && self.typed.is_empty()
    }
}

/// The text of a session. Where it would have more than `largest` bytes the oldest unsaved work is left out, and at last what is typed and
/// not taken.
///
/// # Errors
/// If the scenario in the window alone is larger than that.
pub fn to_text(session: &Session, largest: usize) -> Result<String, KeepError> {
    let Session { window, start_page, unsaved, course, trials } = session;
    let mut stored = StoredSession {
        format: FORMAT,
        start_page: *start_page,
        course: StoredCourse::of(course),
        window: StoredWork::of(window),
        unsaved: unsaved.all().iter().map(|(_, work)| StoredWork::of(work)).collect::<Vec<_>>(),
        trials: StoredTrials::of(trials)?,
    };
    loop {
        let text = serde_json::to_string_pretty(&stored)?;
        if text.len() <= largest {
            return Ok(text);
        }
        if stored.unsaved.pop().is_none() {
            if stored.window.typed.is_empty() {
                return Err(KeepError::TooLarge(text.len()));
            }
            stored.window.typed = StoredTyped::default();
        }
    }
}

/// The file of a session, of which no scenario has been read yet.
#[derive(Debug)]
pub struct Left {
    start_page: bool,
    course: Course,
    window: Value,
    unsaved: Vec<Value>,
    trials: StoredTrials,
}

/// Reads the file of a session.
///
/// # Errors
/// If it is not one that was written here.
pub fn read(path: &Path, largest: usize) -> Result<Left, BadSession> {
    // A pipe would be waited for.
    if !files::metadata(path)?.is_file() {
        return Err(BadSession::NoFile);
    }
    let mut bytes = Vec::new();
    files::File::open(path)?.take(largest as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > largest {
        return Err(BadSession::TooLarge);
    }
    let StoredSession::<Value, Value> { format, start_page, course, window, unsaved, trials } =
        serde_json::from_slice(&bytes)?;
    if format > FORMAT {
        return Err(BadSession::Newer);
    }
    // It is in every file: where it is missing, or no list, there was work that cannot be read.
    let unsaved = match unsaved {
        Value::Array(all) => all,
        damaged => vec![damaged],
    };
    Ok(Left { start_page, course: course.course(), window, unsaved, trials })
}

impl Left {
    /// What was in the window, and whether the start page was in front of it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn window(&self) -> Result<(Work, bool), BadSession> {
        Ok((work(&self.window)?, self.start_page))
    }

    /// What Page Down followed.
    #[must_use]
    pub fn course(&self) -> Course {
        self.course.clone()
    }

    /// The work that was unsaved beside the window, newest first, each as far as it can be read.
    pub fn unsaved(&self) -> impl Iterator<Item = Result<Work, BadSession>> {
        self.unsaved.iter().map(work)
    }

    /// The trials, as far as they can be read.
    #[must_use]
    pub fn trials(&self) -> Notebook {
        self.trials.notebook()
    }

    /// What was in the window, if it was changed.
    #[must_use]
    pub fn changed_window(&self) -> Option<Result<Work, BadSession>> {
        let unchanged = StoredWork::deserialize(&self.window).is_ok_and(|stored| stored.is_as_saved());
        (!unchanged).then(|| work(&self.window))
    }
}

fn work(value: &Value) -> Result<Work, BadSession> {
    Ok(StoredWork::deserialize(value)?.work()?)
}
