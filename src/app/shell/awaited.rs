//! What may take long at a start: another thread does it, and after a moment the window opens without it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use crate::app::files::{OpenError, read_scenario};
use crate::app::tasks::{Done, Task};
use crate::platform::ONE_THREAD;
use engine::scenario::{Folder, Scenario, folder_of};

/// How long a start waits: most scenarios are there by then, and the window opens with them.
const PATIENCE: Duration = Duration::from_millis(700);

/// Work that was begun.
#[derive(Debug)]
pub enum Begun<T> {
    /// It is done.
    Done(T),
    /// Another thread goes on with it.
    Going(Receiver<T>),
}

impl<T: Send + 'static> Begun<T> {
    /// Begins some work, and waits for its result for a moment.
    pub fn new(work: impl FnOnce() -> T + Send + 'static) -> Self {
        if ONE_THREAD {
            return Self::Done(work());
        }
        let (sender, receiver) = channel();
        // Where no thread can be started the receiver hears of it.
        Builder::new().name("start".to_owned()).spawn(move || sender.send(work()).ok()).ok();
        match receiver.recv_timeout(PATIENCE) {
            Ok(done) => Self::Done(done),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Self::Going(receiver),
        }
    }
}

/// The result of work that was begun, or that its task has failed.
pub fn result<T>(receiver: &Receiver<T>, task: Task, done: impl FnOnce(T) -> Done) -> Done {
    match receiver.recv() {
        Ok(result) => done(result),
        Err(_) => Done::Failed { task, reason: "it broke down".to_owned() },
    }
}

/// A file that is being read.
#[derive(Debug)]
pub struct Awaited {
    path: PathBuf,
    folder: Folder,
    read: Receiver<Result<Scenario, OpenError>>,
}

impl Awaited {
    /// Reads the scenario of a file.
    ///
    /// # Errors
    /// The file, where that takes longer than a moment.
    pub fn read(path: &Path) -> Result<Result<Scenario, OpenError>, Self> {
        // The next start may be in another folder.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder_of(&path);
        let (of, within) = (path.clone(), folder.clone());
        match Begun::new(move || read_scenario(&of, &within)) {
            Begun::Done(read) => Ok(read),
            Begun::Going(read) => Err(Self { path, folder, read }),
        }
    }

    /// The folder, which is told how far reading is, and the file.
    pub(super) fn folder_and_path(&self) -> (Folder, &Path) {
        (self.folder.clone(), &self.path)
    }

    /// Waits for the scenario.
    pub(super) fn opened(self) -> Done {
        let Self { path, folder, read } = self;
        result(&read, Task::Read, |scenario| Done::Opened { path, folder, scenario: scenario.map(Box::new) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_work_is_done_and_slow_work_goes_on() {
        assert!(matches!(Begun::new(|| 7), Begun::Done(7)));
        let (go, wait) = channel::<()>();
        let Begun::Going(receiver) = Begun::new(move || wait.recv().is_ok()) else { panic!("it waits") };
        go.send(()).unwrap();
        assert_eq!(receiver.recv(), Ok(true));
    }

    #[test]
    fn work_that_breaks_down_is_told() {
        let (sender, receiver) = channel::<()>();
        drop(sender);
        let done = result(&receiver, Task::Read, |()| Done::Begun);
        assert!(matches!(done, Done::Failed { task: Task::Read, .. }));
    }
}
