//! Messages above the transport: news for a few seconds, problems until they are closed.

use std::time::Duration;

use crate::platform::Instant;
use base::params::message;
use engine::scenario::Scenario;

/// How long news is shown, and news with a button.
const NEWS: Duration = Duration::from_secs(6);
const OFFER: Duration = Duration::from_secs(20);

/// That the session of last time is in the window again.
pub const RESTORED: &str = "Restored from last time";

/// How long until it is looked again whether the pointer is still over them.
const HELD: Duration = Duration::from_secs(1);

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
    /// Brings back the playlist that was left.
    Playlist,
    /// Shows the trials.
    Trials,
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
    /// What tells it from other messages, whatever their order.
    pub number: u64,
    /// When it was shown first: a frame that takes long between its arrival and its showing costs it nothing.
    since: Option<Instant>,
}

impl Message {
    /// How long it is still shown; `None` until it is closed.
    fn rest(&self) -> Option<Duration> {
        let whole = if self.offer.is_some() { OFFER } else { NEWS };
        let shown = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        (self.kind == Kind::News).then(|| whole.saturating_sub(shown))
    }
}

/// The messages that are shown.
#[derive(Debug, Default)]
pub struct Messages {
    shown: Vec<Message>,
    numbers: u64,
    /// Whether the pointer is over them: what is being read or clicked stays where it is.
    pub held: bool,
    /// Whether they are at the right side; `None` while there are none.
    pub right: Option<bool>,
}

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

    /// Removes news that was shown long enough, before the others are shown; returns the time until the next news goes.
    pub fn expire(&mut self) -> Option<Duration> {
        let now = Instant::now();
        self.shown.iter_mut().for_each(|message| _ = message.since.get_or_insert(now));
        if self.held && !self.shown.is_empty() {
            return Some(HELD);
        }
        self.shown.retain(|message| message.rest().is_none_or(|rest| !rest.is_zero()));
        self.shown.iter().filter_map(Message::rest).min()
    }

    /// Closes a message.
    pub fn close(&mut self, index: usize) {
        if index < self.shown.len() {
            self.shown.remove(index);
        }
    }

    /// Closes all problems, after an edit that went through.
    pub fn clear_problems(&mut self) {
        self.shown.retain(|message| message.kind == Kind::News);
    }

    /// The messages, oldest first.
    #[must_use]
    pub fn all(&self) -> &[Message] {
        &self.shown
    }

    fn add(&mut self, kind: Kind, text: &str, offer: Option<Offer>) {
        let text = message(text);
        self.shown.retain(|message| message.text != text);
        if self.shown.len() >= MOST {
            self.shown.remove(0);
        }
        self.numbers += 1;
        self.shown.push(Message { kind, text, offer, number: self.numbers, since: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_goes_after_its_time_but_not_under_the_pointer() {
        let mut messages = Messages::default();
        messages.problem("stays until it is closed");
        messages.news("goes");
        messages.offer("goes later", Offer::StartPage);
        assert!(messages.expire().is_some_and(|rest| rest <= NEWS));
        let shown = messages.shown.iter_mut().filter_map(|message| message.since.as_mut());
        shown.for_each(|since| *since -= NEWS);
        let texts = |messages: &Messages| messages.all().iter().map(|message| message.text.clone()).collect::<Vec<_>>();
        messages.held = true;
        assert!(messages.expire().is_some(), "it is looked again");
        assert_eq!(texts(&messages).len(), 3);
        messages.held = false;
        assert!(messages.expire().is_some_and(|rest| rest <= OFFER - NEWS));
        assert_eq!(texts(&messages), ["stays until it is closed", "goes later"]);
    }
}
