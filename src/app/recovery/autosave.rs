//! Autosave: when the session is written. While steps are played, every two seconds; after an edit or a pause, soon.

use std::time::Duration;

use super::session::Session;
use crate::platform::Instant;

/// Time between two files while something changes.
const EVERY: Duration = Duration::from_secs(2);

/// Time from the last edit, or the pause, to the file: a drag makes many edits.
const SETTLED: Duration = Duration::from_millis(300);

/// What was noted last, and what is not written yet.
#[derive(Debug, Default)]
pub struct Autosave {
    seen: Option<Session>,
    playing: bool,
    /// When the first change came that is not written yet, and the last edit among them.
    changed: Option<(Instant, Option<Instant>)>,
    written: Option<Instant>,
}

impl Autosave {
    /// Notes what is in the window; returns whether it differs from what was noted last.
    pub fn note(&mut self, session: &Session, playing: bool, now: Instant) -> bool {
        let (edited, moved) = match &self.seen {
            None => (true, false),
            Some(seen) => (!same_but_step(seen, session), seen.window.step != session.window.step),
        };
        let paused = self.playing != playing;
        self.playing = playing;
        if edited || moved {
            self.seen = Some(session.clone());
        }
        if !(edited || moved || paused) {
            return false;
        }
        let (first, last) = self.changed.unwrap_or((now, None));
        let settles = edited || paused || !playing;
        self.changed = Some((first, if settles { Some(now) } else { last }));
        true
    }

    /// Time until the session should be written; `None` if it is.
    #[must_use]
    pub fn rest(&self, now: Instant) -> Option<Duration> {
        let (first, edit) = self.changed?;
        let regular = self.written.unwrap_or(first) + EVERY;
        let due = edit.map_or(regular, |edit| (edit + SETTLED).min(regular.max(first + SETTLED)));
        Some(due.saturating_duration_since(now))
    }

    /// Notes that what was noted last is being written.
    pub fn written(&mut self, now: Instant) {
        self.changed = None;
        self.written = Some(now);
    }
}

fn same_but_step(a: &Session, b: &Session) -> bool {
    let numbers = |session: &Session| session.unsaved.all().iter().map(|(number, _)| *number).collect::<Vec<_>>();
    a.window.same_but_step(&b.window)
        && a.course == b.course
        && a.trials.version() == b.trials.version()
        && a.start_page == b.start_page
        && numbers(a) == numbers(b)
}
