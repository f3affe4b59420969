//! Recovery: what is in the window is written beside the preferences, so that the next start finds it after the window was
//! closed, and after a crash or a kill as well.
//!
//! Each process writes a file of its own, `session-<process id>.json`, at most every two seconds while steps are played and
//! soon after an edit or a pause; a tab of a browser is a process, too. A start takes over the files of processes that are gone: the newest
//! is restored, unsaved work of the older ones becomes unsaved work of the new session. They are removed when the new file has been written.
//!
//! The window waits for this, so that nothing but texts is read, newest first and for a short time. What there is neither time nor space for stays
//! in its file until a later start.

mod autosave;
mod session;
mod stored;
pub mod typed;
pub mod unsaved;
pub mod work;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::app::trials::Notebook;
use crate::output::{Claim, replace_file};
use crate::platform::{Instant, ONE_THREAD, files, process_number};
use base::params::printable;
use unsaved::{UnsavedWork, Work};

use autosave::Autosave;
use session::LARGEST;
pub use session::{Course, KeepError, Session};
use stored::{BadSession, Left};

/// The names of the files.
const PREFIX: &str = "session-";
const EXTENSION: &str = "json";

/// How long a start reads what was left, once it has read one file.
const PATIENCE: Duration = Duration::from_millis(300);

/// Files of earlier sessions, at most, that wait until there is space for the unsaved work in them. A browser has little space for them.
const WAITING: usize = if ONE_THREAD { 0 } else { 1000 };

/// Problems with files that are told, at most.
const TOLD: usize = 4;

/// How soon the window looks again whether a file that is being written is finished.
const SOON: Duration = Duration::from_millis(100);

/// What a start found.
#[derive(Debug, Default)]
pub struct Found {
    /// The session of last time.
    pub session: Option<Session>,
    /// Unsaved work of sessions before.
    pub unsaved: UnsavedWork,
    /// The trials of all sessions.
    pub trials: Notebook,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// The keeper of the session of this process.
#[derive(Debug, Default)]
pub struct Recovery {
    /// `None` without a folder to write to.
    keeper: Option<Arc<Keeper>>,
    autosave: Autosave,
    /// Whether a file is being written.
    writing: bool,
    /// Whether the last one could not be written.
    failed: bool,
}

impl Recovery {
    /// Begins to keep the session in a folder, and takes over what processes that are gone have left there.
    #[must_use]
    pub fn begin(folder: &Path) -> (Self, Found) {
        let path = path_in(folder);
        let until = Instant::now() + PATIENCE;
        let (found, taken) = take_over(Claim::paths(folder, PREFIX, EXTENSION), || Instant::now() > until);
        // The claim on the file of this process may be among those taken: an earlier process had the same id.
        let own = taken.iter().any(|claim| claim.path() == path);
        let claim = if own { None } else { Claim::on(&path).ok().flatten() };
        let keeper = (own || claim.is_some()).then(|| Arc::new(Keeper::new(path, claim, taken)));
        (Self { keeper, ..Self::default() }, found)
    }

    /// Whether what is in the window comes back at the next start.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.keeper.is_some() && !self.failed
    }

    /// Notes what is in the window. Returns work for another thread, which writes it, if it is time for that; and when to
    /// call again at the latest.
    pub fn note(&mut self, session: Session, playing: bool, now: Instant) -> (Option<Arc<Keeper>>, Option<Duration>) {
        let Some(keeper) = &self.keeper else { return (None, None) };
        if self.autosave.note(&session, playing, now) {
            keeper.hold(session);
        }
        match self.autosave.rest(now) {
            Some(rest) if !rest.is_zero() => (None, Some(rest)),
            Some(_) if self.writing => (None, Some(SOON)),
            Some(_) => {
                self.autosave.written(now);
                self.writing = true;
                (Some(keeper.clone()), None)
            }
            None => (None, None),
        }
    }

    /// Notes that a file was written, or why not. Returns what to tell the person, the first time that it fails.
    pub fn take_in(&mut self, result: Result<(), KeepError>) -> Option<String> {
        self.writing = false;
        let before = std::mem::replace(&mut self.failed, result.is_err());
        result.err().filter(|_| !before).map(|error| error.to_string())
    }

    /// The keeper, for the last moment of the process.
    #[must_use]
    pub fn keeper(&self) -> Option<&Arc<Keeper>> {
        self.keeper.as_ref()
    }
}

/// The newest session, and the file that it is written to. Shared with the threads that write it.
#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    /// The newest session with its number.
    newest: Mutex<(u64, Option<Session>)>,
    writing: Mutex<Writing>,
}

/// What the thread needs that writes; one at a time.
#[derive(Debug)]
struct Writing {
    /// Number of the session that was written last.
    written: u64,
    /// The claim on the file of this process.
    _claim: Option<Claim>,
    /// Files of earlier processes, until their contents are in the file of this one.
    taken: Vec<Claim>,
}

impl Keeper {
    fn new(path: PathBuf, claim: Option<Claim>, taken: Vec<Claim>) -> Self {
        Self { path, newest: Mutex::new((0, None)), writing: Mutex::new(Writing { written: 0, _claim: claim, taken }) }
    }

    /// Holds the newest session, to be written.
    pub fn hold(&self, session: Session) {
        let mut newest = locked(&self.newest);
        *newest = (newest.0 + 1, Some(session));
    }

    /// Writes the newest session, if it is not written yet.
    ///
    /// # Errors
    /// If the system refuses, or the scenario is too large; the file is then as it was.
    pub fn write(&self) -> Result<(), KeepError> {
        let mut writing = locked(&self.writing);
        let (number, session) = locked(&self.newest).clone();
        let Some(session) = session.filter(|_| number > writing.written) else { return Ok(()) };
        let text = stored::to_text(&session, LARGEST)?;
        let refused = |source| KeepError::Refused { path: self.path.clone(), source };
        replace_file(&self.path, text.as_bytes()).map_err(refused)?;
        writing.written = number;
        let (own, others): (Vec<_>, Vec<_>) = writing.taken.drain(..).partition(|claim| claim.path() == self.path);
        writing.taken = own;
        others.into_iter().for_each(Claim::remove);
        Ok(())
    }
}

/// The file of this process in a folder.
#[must_use]
pub fn path_in(folder: &Path) -> PathBuf {
    folder.join(format!("{PREFIX}{}.{EXTENSION}", process_number()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is in the files of processes that are gone, with the claims on those whose contents are taken over. The newest session comes back;
/// of older ones only unsaved work. What cannot be read is put aside. What there is no space for, and what is `late`, is left for a later
/// start; one file is read at least.
fn take_over(paths: Vec<PathBuf>, late: impl Fn() -> bool) -> (Found, Vec<Claim>) {
    let (mut found, mut taken) = (Found::default(), Vec::new());
    let (mut any, mut waiting) = (false, 0);
    for path in newest_first(paths) {
        if any && late() {
            break;
        }
        let Some(claim) = Claim::on(&path).ok().flatten() else { continue };
        if files::metadata(&path).is_err() {
            // Its process ended before it wrote anything.
            taken.push(claim);
            continue;
        }
        any = true;
        match stored::read(&path, LARGEST).and_then(|left| found.take(&left)) {
            // Nobody claims it any more.
            Ok(false) if waiting != WAITING => waiting += 1,
            Ok(_) => taken.push(claim),
            Err(error) => found.put_aside(claim, &error),
        }
    }
    (found, taken)
}

impl Found {
    /// Takes what can be read of a session and what there is space for; returns whether that is everything that was unsaved.
    ///
    /// # Errors
    /// With the last thing that cannot be read, after everything else was taken.
    fn take(&mut self, left: &Left) -> Result<bool, BadSession> {
        let (mut bad, mut all) = (None, true);
        self.trials.add_older(left.trials());
        let mut keep = |unsaved: &mut UnsavedWork, work: Result<Work, BadSession>| match work {
            Ok(work) => all &= unsaved.add_older(work),
            Err(error) => bad = Some(error),
        };
        left.unsaved().for_each(|work| keep(&mut self.unsaved, work));
        if self.session.is_none() {
            let (window, start_page) = left.window()?;
            let (unsaved, trials) = (UnsavedWork::default(), Notebook::default());
            self.session = Some(Session { window, start_page, unsaved, course: left.course(), trials });
        } else if let Some(work) = left.changed_window().filter(|work| work.as_ref().map_or(true, Work::is_unsaved)) {
            keep(&mut self.unsaved, work);
        }
        bad.map_or(Ok(all), Err)
    }

    /// Gives a file that cannot be read whole another name, and says so.
    fn put_aside(&mut self, claim: Claim, error: &BadSession) {
        let path = claim.path().display().to_string();
        let aside = claim.set_aside().map_or(path, |aside| aside.display().to_string());
        if self.problems.len() < TOLD {
            // What is wrong may be a whole scenario, and more than one thing: the first is enough.
            let error = error.to_string();
            let first = printable(error.lines().next().unwrap_or_default());
            self.problems.push(format!(
                "A session of an earlier start cannot be restored whole: {first}. It is kept as {aside}"
            ));
        }
    }
}

/// Places of files by the time at which they were written; those without a file come last.
fn newest_first(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort_by_cached_key(|path| {
        let time = files::metadata(path).ok().and_then(|about| about.modified().ok());
        std::cmp::Reverse(time)
    });
    paths
}

#[cfg(test)]
mod tests;
