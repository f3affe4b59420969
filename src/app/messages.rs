//! Messages above the transport: news for a few seconds, problems until they are closed.

use std::time::{Duration, Instant};

use crate::params::message;
use crate::scenario::Scenario;

/// How long news is shown, and news with a button.
const NEWS: Duration = Duration::from_secs(6);
const OFFER: Duration = Duration::from_secs(20);

/// The most messages shown; a new one replaces the oldest.
const MOST: usize = 4;

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    News,
    /// Something was refused or failed.
    Problem,
}

/// What the button of a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Brings back the unsaved work with this number.
    Back(u64),
    /// Shows the start page.
    StartPage,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// The kind.
    pub kind: Kind,
    /// The text; it may have several lines.
    pub text: String,
    /// The button behind the text.
    pub offer: Option<Offer>,
    since: Instant,
}

impl Message {
    /// How long it is still shown; `None` until it is closed.
    fn rest(&self) -> Option<Duration> {
        let whole = if self.offer.is_some() { OFFER } else { NEWS };
        (self.kind == Kind::News).then(|| whole.saturating_sub(self.since.elapsed()))
    }
}

/// The messages that are shown.
#[derive(Debug, Default)]
pub struct Messages(Vec<Message>);

impl Messages {
    /// Shows that something was done.
    pub fn news(&mut self, text: impl AsRef<str>) {
        self.add(Kind::News, text.as_ref(), None);
    }

    /// Shows that something was done, with a button for what may come next.
    pub fn offer(&mut self, text: impl AsRef<str>, offer: Offer) {
        self.add(Kind::News, text.as_ref(), Some(offer));
    }

    /// Shows that something was refused or failed.
    pub fn problem(&mut self, text: impl AsRef<str>) {
        self.add(Kind::Problem, text.as_ref(), None);
    }

    /// Shows what a scenario file says that has no effect here.
    pub fn warn(&mut self, scenario: &Scenario) {
        let warnings = scenario.warnings();
        if !warnings.is_empty() {
            self.problem(warnings.join("\n"));
        }
    }

    /// Removes news that was shown long enough; returns the time until the next news goes.
    pub fn expire(&mut self) -> Option<Duration> {
        self.0.retain(|message| message.rest().is_none_or(|rest| !rest.is_zero()));
        self.0.iter().filter_map(Message::rest).min()
    }

    /// Closes a message.
    pub fn close(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Closes all problems, after an edit that went through.
    pub fn clear_problems(&mut self) {
        self.0.retain(|message| message.kind == Kind::News);
    }

    /// The messages, oldest first.
    #[must_use]
    pub fn all(&self) -> &[Message] {
        &self.0
    }

    fn add(&mut self, kind: Kind, text: &str, offer: Option<Offer>) {
        let text = message(text);
        self.0.retain(|message| message.text != text);
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(Message { kind, text, offer, since: Instant::now() });
    }
}
