//! Actions: what a person asks for, as data. Panels, dialogs and keys push them; [`super::perform`] carries them out.

use std::path::PathBuf;
use std::sync::Arc;

use base::params::{KindSpec, Settings};
use draw::views::StageMove;
use draw::views::study_action::StudyAction;
use engine::scenario::from_data::Draft;
use engine::scenario::{Caption, LessonPath, Question, Sweep};
use engine::session::Clock;
use engine::worker::{Order, Pacing};
use models::targets::{Reading, Sheet};

use super::experiment::param_edit::{Browsed, ParamEdit};
use super::files::data::TableSource;
use super::files::{DrawsAs, Purpose, ReportAs, TableAs};

/// The most runs that a person can add in the window.
pub const MAX_RUNS: usize = 4;

/// What a person asks for.
#[derive(Debug)]
pub enum Action {
    /// Send an order to the worker that leaves the scenario as it is.
    Order(Order),
    /// Play, or pause.
    TogglePlay,
    /// Choose between Watch and Instant.
    Pacing(Pacing),
    /// Go to a step, or tick by gradients.
    Seek(u64),
    /// Show another stage of the newest step.
    Stage(StageMove),
    /// Choose what makes runs simultaneous.
    CountBy(Clock),
    /// Go to step 0 and play from there.
    Restart,
    /// Start again with this seed.
    Seed(u64),
    /// Start again with a new seed.
    NewSeed,
    /// Choose another target.
    ChooseTarget(&'static KindSpec),
    /// Edit the scenario.
    Edit(EditAction),
    /// Undo the last edit.
    Undo,
    /// Redo the edit that was undone last.
    Redo,
    /// Give up the target that was asked for and refused.
    GiveUpTarget,
    /// Start with an empty scenario.
    New,
    /// Load a built-in lesson, by number.
    Lesson(usize),
    /// Load a lesson of a path, by number.
    LessonOn { path: &'static LessonPath, number: usize },
    /// Load the lesson so many positions after the one in the window on its path, if there is one.
    NeighbourLesson(isize),
    /// Do something with the playlist.
    Playlist(PlaylistAction),
    /// Load the scenario of a pin, by number.
    OpenPin(usize),
    /// Bring back the unsaved work with this number.
    Restore(u64),
    /// Show the runs that questions were asked about, to their end, and score the answers.
    Reveal,
    /// Hide the runs and ask again.
    AskAgain,
    /// Show the start page.
    StartPage,
    /// Show a link to the experiment, to be copied.
    Link,
    /// Question for a file and open it.
    Open,
    /// Question for the file or folder that a parameter names.
    Browse(Browsed),
    /// Show what the address of the page leads to, which a person has changed: without a fragment the start page.
    Follow(PathBuf),
    /// Open this file.
    OpenFile(PathBuf),
    /// Do something with a table of data.
    Data(DataAction),
    /// Read no further: the file that is being opened, or the documents of an edited target.
    StopReading,
    /// Save to the file of the scenario; ask for one if there is none.
    Save,
    /// Save to the file of the scenario, although comments in it are lost. The window closes when that is done, or stays.
    SaveWithoutComments { closes: bool },
    /// Question for a file and save to it.
    SaveAs,
    /// Show the export dialog.
    Export,
    /// Question for the file of the figure.
    ExportTo,
    /// Question for a file for the draws of all runs.
    SaveDraws(DrawsAs),
    /// Copy the figure into the clipboard.
    CopyFigure,
    /// Stop drawing a figure that moves.
    StopFigure,
    /// Draw the preview of the figure with so many pixels along its longer side.
    PreviewFigure(f64),
    /// Use the path that a person chose; an existing file may be replaced or not.
    Chosen { purpose: Purpose, path: PathBuf, replace: bool },
    /// Keep the present state of the runs as a trial.
    KeepTrial,
    /// Show the trials.
    Trials,
    /// Open the experiment of the trial with this number.
    OpenTrial(u64),
    /// Question for a file for the table of the trials.
    SaveTrials(TableAs),
    /// Question for a file for the hand-out.
    SaveHandOut,
    /// Show the dialog of the report.
    Report,
    /// Question for a file for the report.
    SaveReport(ReportAs),
    /// Question for a file for the worksheet.
    SaveWorksheet,
    /// Question something of a study beside the runs.
    Study(StudyAction),
    /// Close the window; ask first if there are unsaved changes of a file.
    Close,
    /// Close the window without saving; the next start shows the changes unless they are to `discard`.
    Quit { discard: bool },
    /// Save, and close the window when that is done.
    SaveAndQuit,
}

/// What a person asks of a table of data.
#[derive(Debug)]
pub enum DataAction {
    /// Question for a file, and ask what the table in it is.
    Choose,
    /// Show the dialog for a table that is pasted.
    Paste,
    /// Read it, as it is to be read, and ask what it is.
    Read { source: TableSource, reading: Reading },
    /// Make the scenario that is drafted, in the folder of the table.
    Make { source: TableSource, draft: Box<Draft>, sheet: Arc<Sheet> },
}

/// What a person asks of the playlist.
#[derive(Debug)]
pub enum PlaylistAction {
    /// Show its dialog; begin an empty one if none is open.
    Show,
    /// Show one of its items, by position.
    Go(usize),
    /// Add what is in the window: a lesson, a file, or the experiment itself.
    AddPresent,
    /// Question for a file, and add it.
    AddFile,
    /// Save to its file; ask for one if there is none.
    Save,
    /// Question for a file and save to it.
    SaveAs,
    /// Show a link to it, to be copied.
    Link,
    /// Question for a file, and follow the playlist in it.
    Open,
    /// Begin an empty one.
    New,
    /// Follow it no further.
    Leave,
    /// Follow the one again that was left.
    Return,
}

/// An edit of the scenario that can be refused at once. Runs are counted from 0.
#[derive(Debug)]
pub enum EditAction {
    /// Change a parameter of a run.
    Run { run: usize, edit: ParamEdit },
    /// Change parameters of the target, all at once.
    Target(Vec<ParamEdit>),
    /// Choose another method for a run.
    Method { run: usize, method: &'static KindSpec },
    /// Rename a run.
    Rename { run: usize, name: String },
    /// Add a run.
    AddRun(&'static KindSpec),
    /// Add a copy of a run.
    Duplicate(usize),
    /// Remove a run.
    Remove(usize),
    /// Give all runs the same budget of evaluations, or let each take its own steps.
    Budget(Option<f64>),
    /// Change title and caption.
    Describe { title: String, caption: Caption },
    /// Give the scenario another sweep, or none.
    Sweep(Option<Box<Sweep>>),
    /// Give the figure of the scenario another look and other panels.
    Figure(Box<Settings>),
    /// Question other questions of the sweep.
    Questions(Vec<Question>),
}
