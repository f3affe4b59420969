//! Background tasks: work that would block a frame (files, figures, file dialogs, a new session), each in a thread.
//!
//! A task is a closure that returns a [`Done`], or work in [`Slices`]; the window takes the results at the start of a frame. A panic in a task
//! becomes a message. Finished threads are joined. A thread that still waits for the system's file dialog when the
//! window closes ends with the program.

pub mod slices;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use egui::{ColorImage, Context};

use super::experiment::origin::Origin;
use super::files::data::TableSource;
use super::files::{OpenError, SaveError};
use super::recovery::KeepError;
use super::studies::news::News;
use super::thumbnails::{LessonPicture, Thumbnail};
use crate::platform::{Helper, PIECE, Turn, spawn};
use base::params::ParamError;
use draw::sheet::{DrawError, Told};
use engine::scenario::{Folder, Playlist, Scenario};
use figure::Picture;
use models::targets::Sheet;
use slices::{Job, Link, Rounds, Slice, Slices};

/// The kinds of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Reads a scenario.
    Read,
    /// Reads a table of data.
    Data,
    /// Saves the scenario.
    Save,
    /// Draws a figure, and writes it.
    Export,
    /// Writes draws.
    Draws,
    /// Draws the preview of a figure.
    Preview,
    /// Waits for the system's file dialog.
    FileDialog,
    /// Draws the gallery of targets.
    Gallery,
    /// Draws the pictures of the lessons.
    Lessons,
    /// Looks which recent files are there.
    Look,
    /// Computes repeats of the convergence study.
    Repeats,
    /// Computes a range test.
    RangeTest,
    /// Computes the cells of a sweep.
    Sweep,
    /// Draws the small picture of a cell of a sweep.
    CellCloud,
    /// Writes the cells of a sweep.
    Cells,
    /// Writes a playlist.
    Playlist,
    /// Runs a kept trial again.
    Along,
    /// Writes the trials.
    Trials,
    /// Writes a hand-out.
    HandOut,
    /// Writes a report.
    Report,
    /// Writes a worksheet.
    Worksheet,
    /// Computes a reference by HMC.
    Reference,
    /// Builds the targets of an earlier session.
    Restore,
    /// Keeps the session for the next start.
    Keep,
}

impl Task {
    /// What the task does, as a participle: `reading the file`.
    #[must_use]
    pub fn doing(self) -> &'static str {
        match self {
            Self::Read => "reading the file",
            Self::Data => "reading the data",
            Self::Save => "saving",
            Self::Export | Self::Preview => "drawing the figure",
            Self::Draws => "writing the draws",
            Self::FileDialog => "waiting for the file dialog",
            Self::Gallery => "drawing the gallery",
            Self::Lessons => "drawing the lessons",
            Self::Look => "looking for recent files",
            Self::Repeats => "computing repeats",
            Self::RangeTest => "testing step sizes",
            Self::Sweep => "computing the sweep",
            Self::CellCloud => "drawing a cell",
            Self::Cells => "writing the cells",
            Self::Playlist => "saving the playlist",
            Self::Along => "measuring a trial along its run",
            Self::Trials => "writing the trials",
            Self::HandOut => "writing the hand-out",
            Self::Report => "writing the report",
            Self::Worksheet => "writing the worksheet",
            Self::Reference => "computing the HMC reference",
            Self::Restore => "restoring an earlier session",
            Self::Keep => "keeping the session for the next start",
        }
    }

    /// Whether nobody waits for the task.
    fn has_time(self) -> bool {
        matches!(self, Self::Gallery | Self::Lessons)
    }

    /// Whether the window does not mention the task while it runs.
    fn quiet(self) -> bool {
        matches!(
            self,
            Self::Preview
                | Self::CellCloud
                | Self::Along
                | Self::Gallery
                | Self::Lessons
                | Self::Look
                | Self::FileDialog
                | Self::Keep
        )
    }
}

/// The result of a task.
#[derive(Debug)]
pub enum Done {
    /// A scenario was read, or why not. Its folder was told how far reading is.
    Opened { path: PathBuf, folder: Folder, scenario: Result<Box<Scenario>, OpenError> },
    /// A table of data was read for a person to say what it is, or why not.
    Tabulated { source: TableSource, sheet: Result<Box<Sheet>, String> },
    /// A scenario was made of this table, or why not.
    Made { source: TableSource, scenario: Result<Box<Scenario>, String> },
    /// The scenario, which came from `origin`, was saved, or why not.
    Saved { path: PathBuf, scenario: Arc<Scenario>, origin: Origin, result: Result<(), SaveError> },
    /// The place of a figure that moves is taken; its pictures are being drawn.
    Begun,
    /// A figure, draws or cells were written, with the news of it, or why not. What takes long has the number of its job.
    Written { job: Option<u64>, result: Result<String, SaveError> },
    /// The playlist was saved, or why not.
    Listed { path: PathBuf, result: Result<Playlist, SaveError> },
    /// A figure was drawn for the clipboard, or why not.
    Drawn(Result<ColorImage, DrawError>),
    /// The source of a figure was made for the clipboard, with the endings of the files that belong to it; or why not.
    Sourced(Result<(String, Vec<String>), DrawError>),
    /// The preview of a figure was drawn, if it can be; of the frame with this generation and tick.
    Previewed((u64, u64), Option<Box<(Picture, Told)>>),
    /// The system's file dialog for a request was closed after some time, with a path if one was chosen, or there is none.
    Picked { ticket: u64, path: Option<PathBuf>, after: Duration },
    /// The targets of the session of last time were built, which is unsaved work of this number until then; or why they cannot be.
    Restored { number: u64, built: Result<(), Vec<ParamError>> },
    /// The targets of unsaved work of this number were built, which a person wants to see again; or why they cannot be. `origin` was in the
    /// window when it was asked for.
    Built { number: u64, origin: Origin, built: Result<(), Vec<ParamError>> },
    /// The picture of a target.
    Thumbnail(Thumbnail),
    /// The picture of a lesson.
    LessonPicture(LessonPicture),
    /// The recent files that are not there any more.
    Missing(Vec<PathBuf>),
    /// News of the job with this number, of a study beside the runs.
    Studied { ticket: u64, news: News },
    /// The session was kept for the next start, or why not.
    Kept(Result<(), KeepError>),
    /// A task failed: the message of the panic, or of the system.
    Failed { task: Task, reason: String },
}

/// The running tasks.
#[derive(Debug)]
pub struct Tasks {
    context: Context,
    sender: Sender<Done>,
    receiver: Receiver<Done>,
    running: Vec<(Task, Helper)>,
    /// Number of jobs so far.
    jobs: u64,
}

impl Tasks {
    /// No tasks yet; each result asks `context` for a new frame.
    #[must_use]
    pub fn new(context: Context) -> Self {
        let (sender, receiver) = channel();
        Self { context, sender, receiver, running: Vec::new(), jobs: 0 }
    }

    /// Starts a task with one result.
    pub fn start(&mut self, task: Task, work: impl FnOnce() -> Done + Send + 'static) {
        let mut work = Some(work);
        self.stream(task, move |_| work.take().map(|work| work()));
    }

    /// Starts a task with several results. `work` is called with 0, 1, 2, … until it returns `None`.
    pub fn stream(&mut self, task: Task, work: impl FnMut(usize) -> Option<Done> + Send + 'static) {
        self.drive(task, Rounds::new(work), Link::default());
    }

    /// Starts work in slices, which gets the number of its job.
    pub fn slices<W: Slices<Done> + 'static>(&mut self, task: Task, work: impl FnOnce(u64) -> W) -> Job {
        self.jobs += 1;
        let (job, link) = Job::new(self.jobs);
        self.drive(task, work(job.ticket), link);
        job
    }

    /// Does the work in a thread, slice by slice, until it is over or nobody wants it any more.
    fn drive(&mut self, task: Task, mut work: impl Slices<Done> + 'static, link: Link) {
        let (sender, context) = (self.sender.clone(), self.context.clone());
        let piece = move || {
            if link.ended() {
                context.request_repaint();
                return Turn::Over;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| work.step(PIECE)));
            let failed =
                |panic: Box<dyn Any + Send>| Slice::last(Done::Failed { task, reason: message_of(panic.as_ref()) });
            let slice = outcome.unwrap_or_else(failed);
            link.tell(slice.share);
            let news = slice.done.is_some();
            let heard = slice.done.is_none_or(|done| sender.send(done).is_ok());
            let over = slice.over || !heard;
            if news || over {
                context.request_repaint();
            }
            if over {
                Turn::Over
            } else if task.has_time() {
                Turn::Later
            } else {
                Turn::More
            }
        };
        match spawn(task.doing(), piece) {
            Ok(helper) => self.running.push((task, helper)),
            Err(error) => {
                // The receiver is here, so sending cannot fail.
                self.sender.send(Done::Failed { task, reason: error.to_string() }).ok();
            }
        }
    }

    /// The results since the last call.
    pub fn take(&mut self) -> Vec<Done> {
        for index in (0..self.running.len()).rev() {
            if self.running[index].1.ended() {
                // A panic was caught inside and reported as `Done::Failed`.
                self.running.swap_remove(index).1.join();
            }
        }
        self.receiver.try_iter().collect()
    }

    /// Whether every task has ended and its results are taken.
    #[cfg(test)]
    pub fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// The first running task that the window mentions; not one that reads a file which nobody waits for any more, unless one is `awaited`.
    #[must_use]
    pub fn current(&self, awaited: bool) -> Option<Task> {
        let mut running = self.running.iter().filter(|(_, helper)| !helper.ended()).map(|(task, _)| *task);
        running.find(|task| !task.quiet() && (awaited || *task != Task::Read))
    }
}

/// The message of a panic.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe may have nobody who writes to it: its thread waits on, and the window does not.
    #[test]
    fn reading_that_nobody_waits_for_is_not_mentioned() {
        let mut tasks = Tasks::new(Context::default());
        let (go, wait) = channel::<()>();
        tasks.start(Task::Read, move || {
            wait.recv().ok();
            Done::Begun
        });
        assert_eq!((tasks.current(true), tasks.current(false)), (Some(Task::Read), None));
        drop(go);
    }
}
