//! Work beside the window on a desktop: threads.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle};
use std::time::Duration;

use super::{Turn, now};

/// Work that was begun with [`spawn`]. When it is dropped, the work goes on.
#[derive(Debug)]
pub struct Helper(JoinHandle<()>);

impl Helper {
    /// Wakes the work if it waits, now or the next time.
    pub fn wake(&self) {
        self.0.thread().unpark();
    }

    /// Whether it has ended.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits until it has ended, if it can be waited for.
    pub fn join(self) {
        // A panic in it has printed its message; there is nothing to add.
        self.0.join().ok();
    }
}

/// Begins work beside the window: `work` is called again and again, as it says itself.
///
/// # Errors
/// If no thread can be started.
pub fn spawn(name: &str, mut work: impl FnMut() -> Turn + Send + 'static) -> io::Result<Helper> {
    let run = move || {
        loop {
            match work() {
                Turn::More | Turn::Later => {}
                Turn::Wait(time) => thread::park_timeout(time),
                Turn::Idle => thread::park(),
                Turn::Over => return,
            }
        }
    };
    Builder::new().name(name.to_owned()).spawn(run).map(Helper)
}

/// Computes beside the window, in a thread of its own: what takes minutes holds up neither runs nor other computations. Where there can be
/// no other thread, those of the runs compute it.
pub fn compute(work: impl Future<Output = ()> + Send + 'static) {
    let work = Arc::new(Mutex::new(Some(work)));
    let compute = |work: &Mutex<Option<_>>| {
        let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.into_iter().for_each(now);
    };
    let shared = work.clone();
    if Builder::new().name("computation".to_owned()).spawn(move || compute(&shared)).is_err() {
        rayon::spawn(move || compute(&work));
    }
}

/// A point in a computation where the window may be drawn, if that has to wait for the computation: it never has to.
pub async fn pause() {}

/// How long the window has needed for its newest picture, as far as work has to wait for it: it never does.
#[must_use]
pub fn drawing_time() -> Duration {
    Duration::ZERO
}
