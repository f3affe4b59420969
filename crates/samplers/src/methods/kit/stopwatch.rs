//! A stopwatch that whoever owns a session may hand in. The engine has no clock of its own.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Reads a time that only grows, as seen by the thread that asks. What it says is shown beside results and is part of none.
#[derive(Clone)]
pub struct Stopwatch(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Stopwatch {
    /// A stopwatch that reads times from a function.
    pub fn new(read: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// The present time, from whatever beginning.
    #[must_use]
    pub fn read(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Stopwatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Stopwatch")
    }
}
