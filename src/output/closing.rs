//! Closing: how the program ends without leaving half of anything, and within a second.
//!
//! Computations do not watch for the end. They go on while a thread of its own removes what was staged, and then the
//! process ends under them. This is safe because only [`super::Staging`], [`super::Claim`] and [`super::Lines`] make files, and hold the list of what is
//! staged whenever a file appears or moves to its place: whoever has the list knows that nothing else happens.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, park};
use std::time::Duration;

use super::staging;

/// How long removing may take before the process ends all the same; the rest is removed at the next start.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long the last work before a signal ends the process may take.
const LAST_WORK: Duration = Duration::from_millis(300);

/// The staging folders of this process.
static STAGED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What is done before a signal ends the process.
static LAST: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Has `work` done before a signal ends the process, in at most [`LAST_WORK`]; it may write files.
pub fn before_signals_end(work: impl FnOnce() + Send + 'static) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(work));
}

#[cfg(unix)]
fn do_last_work() {
    let Some(work) = LAST.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let (done, wait) = channel();
    let begun = Builder::new().name("last work".to_owned()).spawn(move || {
        work();
        done.send(()).ok();
    });
    if begun.is_ok() {
        wait.recv_timeout(LAST_WORK).ok();
    }
}

/// The list of what is staged. While it is held, no file appears and none moves to its place.
pub(super) struct Staged(MutexGuard<'static, Vec<PathBuf>>);

impl Staged {
    /// The list. Once the program is ending, this does not return.
    pub(super) fn hold() -> Self {
        Self(STAGED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A staging folder begins.
    pub(super) fn add(&mut self, root: PathBuf) {
        self.0.push(root);
    }

    /// A staging folder has nothing left that has to be removed.
    pub(super) fn forget(&mut self, root: &Path) {
        self.0.retain(|other| other != root);
    }

    fn remove_all(&mut self) {
        self.0.drain(..).for_each(|root| staging::remove(&root));
    }
}

/// Removes what other threads have staged, before the program returns from its main function. If a signal is ending it
/// already, this does not return.
pub fn finish() {
    Staged::hold().remove_all();
}

/// Removes what is staged and calls `farewell`, for at most [`PATIENCE`]. Nothing is staged or moved from then on.
fn remove_for_good(farewell: impl FnOnce() + Send + 'static) {
    let (done, wait) = channel();
    let removal = Builder::new().name("removal".to_owned()).spawn(move || {
        let mut staged = Staged::hold();
        staged.remove_all();
        farewell();
        done.send(()).ok();
        // The list stays taken until the process ends.
        loop {
            park();
        }
    });
    // Without a thread, or out of time, the next start removes the rest.
    if removal.is_ok() {
        wait.recv_timeout(PATIENCE).ok();
    }
}

/// Ends the process successfully after `patience`, if it has not ended by then: for a window that is closed.
///
/// The thread that does so is never joined: it ends with the process.
pub fn end_within(patience: Duration) {
    let wait = move || {
        std::thread::sleep(patience);
        remove_for_good(|| ());
        end_at_once();
    };
    if Builder::new().name("closing".to_owned()).spawn(wait).is_err() {
        remove_for_good(|| ());
        end_at_once();
    }
}

/// Ends the process without the clean-up of libraries, which may wait for threads that compute.
#[cfg(unix)]
fn end_at_once() -> ! {
    signal_hook::low_level::exit(0)
}

/// Ends the process.
#[cfg(not(unix))]
fn end_at_once() -> ! {
    std::process::exit(0)
}

/// Lets SIGINT, SIGTERM and SIGHUP remove what is staged before they end the process, as they do by themselves: the
/// parent sees that the signal ended it, a shell the status 128 + its number. A second signal ends the process at once.
/// `farewell` is called before.
///
/// Signals that the parent has told the process to ignore stay ignored (`nohup`). Systems without signals end the
/// process at once; the next start removes what it leaves.
///
/// # Errors
/// If the system refuses the handlers or the thread.
#[cfg(unix)]
pub fn on_signals(farewell: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    let heeded: Vec<i32> = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect();
    let ending = Arc::new(AtomicBool::new(false));
    for &signal in &heeded {
        // In this order: the first signal sets the flag after it was looked at, the second finds it set.
        flag::register_conditional_default(signal, Arc::clone(&ending))?;
        flag::register(signal, Arc::clone(&ending))?;
    }
    let mut signals = Signals::new(&heeded)?;
    let wait = move || {
        let Some(signal) = signals.forever().next() else { return };
        do_last_work();
        remove_for_good(farewell);
        // It ends the process; only a signal whose default is to do nothing would return.
        low_level::emulate_default_handler(signal).ok();
    };
    Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// See the variant for Unix.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn on_signals(_farewell: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

/// Whether the process was started with a signal ignored. Only Linux tells; elsewhere SIGHUP counts as ignored, as after
/// `nohup`, and the others do not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    match status.lines().find_map(|line| line.strip_prefix("SigIgn:")) {
        Some(mask) => u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> (signal - 1) & 1 == 1),
        None => signal == signal_hook::consts::SIGHUP,
    }
}
