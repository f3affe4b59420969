//! Messages at the lower edge: what went wrong, what was done, until they have been read.

use std::time::{Duration, Instant};

/// How long good news stays.
const NEWS: Duration = Duration::from_secs(6);

/// Messages kept at most; older ones make room.
const ROOM: usize = 4;

/// What kind of message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    News,
    /// Something was refused or failed.
    Problem,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// What kind of message it is.
    pub kind: Kind,
    /// What there is to say; may have several lines.
    pub text: String,
    since: Instant,
}

/// The messages that are shown. Problems stay until they are closed or something else goes wrong in their place.
#[derive(Debug, Default)]
pub struct Messages(Vec<Message>);

impl Messages {
    /// Says that something was done.
    pub fn news(&mut self, text: impl Into<String>) {
        self.say(Kind::News, text.into());
    }

    /// Says that something was refused or failed.
    pub fn problem(&mut self, text: impl Into<String>) {
        self.say(Kind::Problem, text.into());
    }

    /// Takes away what has been shown long enough; returns how long until the next message goes.
    pub fn expire(&mut self) -> Option<Duration> {
        self.0.retain(|message| message.kind == Kind::Problem || message.since.elapsed() < NEWS);
        let news = self.0.iter().filter(|message| message.kind == Kind::News);
        news.map(|message| NEWS.saturating_sub(message.since.elapsed())).min()
    }

    /// Closes a message.
    pub fn close(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Closes everything that went wrong: it has been put right.
    pub fn clear_problems(&mut self) {
        self.0.retain(|message| message.kind == Kind::News);
    }

    /// The messages, oldest first.
    #[must_use]
    pub fn all(&self) -> &[Message] {
        &self.0
    }

    fn say(&mut self, kind: Kind, text: String) {
        self.0.retain(|message| message.text != text);
        if self.0.len() >= ROOM {
            self.0.remove(0);
        }
        self.0.push(Message { kind, text, since: Instant::now() });
    }
}
