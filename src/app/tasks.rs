//! Work that may take a while — files, figures, dialogs, starting a session — in threads of its own.
//!
//! A task is a closure that returns a [`Done`]; the window takes what is done at the beginning of a
//! frame. A panic inside becomes a message. Threads that have finished are joined; one that still
//! waits for a person at a system dialog when the window closes is left to end with the program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use egui::Context;

use super::files::SaveError;
use super::gallery::Thumbnail;
use crate::params::ParamError;
use crate::scenario::Scenario;
use crate::session::repeats::Repeat;
use crate::worker::Worker;

/// What came of a task.
#[derive(Debug)]
pub enum Done {
    /// A scenario was read from a file.
    Opened {
        /// The file.
        path: PathBuf,
        /// The scenario, or everything that is wrong with it.
        scenario: Result<Box<Scenario>, String>,
    },
    /// A scenario was written.
    Saved {
        /// The file.
        path: PathBuf,
        /// What was written.
        scenario: Arc<Scenario>,
        /// Why it was not.
        result: Result<(), SaveError>,
    },
    /// A figure was drawn and written.
    Exported {
        /// The file.
        path: PathBuf,
        /// Its size in pixels, or why there is none.
        result: Result<[u32; 2], SaveError>,
    },
    /// A system dialog was answered, or there was none.
    Picked {
        /// Which request it answers.
        ticket: u64,
        /// The path that was chosen.
        path: Option<PathBuf>,
        /// How long the dialog was open.
        after: Duration,
    },
    /// A session was started in the place of one that had failed.
    Restarted(Result<Worker, Vec<ParamError>>),
    /// The picture of a target.
    Thumbnail(Thumbnail),
    /// A repeat of the convergence study was made, or could not be.
    Repeated {
        /// The job that it belongs to.
        ticket: u64,
        /// The repeat.
        repeat: Result<Repeat, String>,
    },
    /// A task broke down.
    Failed {
        /// What it was doing.
        what: &'static str,
        /// The message of the panic, or of the system.
        reason: String,
    },
}

/// The tasks under way.
#[derive(Debug)]
pub struct Tasks {
    context: Context,
    sender: Sender<Done>,
    receiver: Receiver<Done>,
    running: Vec<(&'static str, JoinHandle<()>)>,
}

impl Tasks {
    /// No tasks yet; `context` is woken when one is done.
    #[must_use]
    pub fn new(context: Context) -> Self {
        let (sender, receiver) = channel();
        Self { context, sender, receiver, running: Vec::new() }
    }

    /// Starts a task; `what` says what it does: `reading the file`.
    pub fn start(&mut self, what: &'static str, work: impl FnOnce() -> Done + Send + 'static) {
        let mut work = Some(work);
        self.stream(what, move |_| work.take().map(|work| work()));
    }

    /// Starts a task that has several things to tell. It is called until it returns `None`.
    pub fn stream(&mut self, what: &'static str, mut work: impl FnMut(usize) -> Option<Done> + Send + 'static) {
        let (sender, context) = (self.sender.clone(), self.context.clone());
        let run = move || {
            for round in 0.. {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(round)));
                let failed = outcome.is_err();
                let done = outcome.unwrap_or_else(|panic| Some(Done::Failed { what, reason: words(panic.as_ref()) }));
                let Some(done) = done else { break };
                let heard = sender.send(done).is_ok();
                context.request_repaint();
                if failed || !heard {
                    break;
                }
            }
            context.request_repaint();
        };
        match Builder::new().name(what.to_owned()).spawn(run) {
            Ok(thread) => self.running.push((what, thread)),
            Err(error) => {
                // The receiver is here, so sending cannot fail.
                self.sender.send(Done::Failed { what, reason: error.to_string() }).ok();
            }
        }
    }

    /// What has been done since the last call.
    pub fn take(&mut self) -> Vec<Done> {
        for index in (0..self.running.len()).rev() {
            if self.running[index].1.is_finished() {
                // Panics were caught inside and told as `Done::Failed`.
                self.running.swap_remove(index).1.join().ok();
            }
        }
        self.receiver.try_iter().collect()
    }

    /// What is being done right now, quiet work left out.
    pub fn under_way(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.running
            .iter()
            .filter(|(what, thread)| !thread.is_finished() && !QUIET.contains(what))
            .map(|(what, _)| *what)
    }
}

/// Work that nobody waits for.
const QUIET: [&str; 2] = [super::gallery::TASK, super::files::DIALOG_TASK];

/// The message of a panic.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
