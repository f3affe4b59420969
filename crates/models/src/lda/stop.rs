//! A wish to stop what takes long, which another thread may have.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish to stop. Clones are the same wish. Who looks at it throws away what is unfinished, so that it changes no result.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Wishes it.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Wishes it no more.
    pub fn clear(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// Whether somebody wishes it.
    #[inline]
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
