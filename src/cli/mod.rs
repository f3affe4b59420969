//! The command line: open the window, or run, render, list and check without one.
//!
//! Exit codes: 0 done, 1 failed while running, 2 wrong usage or an invalid scenario. Errors go to
//! standard error; standard output carries only what was asked for.

mod draws;
mod list;
mod output;
mod render;
mod run;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::app::files::read_scenario;
use crate::scenario::{LESSONS, Lesson, Scenario};

pub use render::RenderArgs;
pub use run::RunArgs;

/// The lesson that the window opens with when nothing else is named.
const FIRST_LESSON: &str = "authors-code";

/// Exit code for wrong usage and invalid scenarios.
const USAGE: u8 = 2;

/// Watch stochastic-gradient MCMC and variational inference work on densities you can see.
///
/// Without a command this opens the window.
#[derive(Debug, Parser)]
#[command(name = "sampler-lab", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// Scenario to open in the window: a .toml file, a PNG made by this program, or the name of a lesson
    scenario: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scenario to its end and write summary.json and, if asked, all draws
    Run(RunArgs),
    /// Run a scenario to its end and draw it into a PNG, without display or GPU
    Render(RenderArgs),
    /// List what there is: targets, methods, schedules, lessons, measures
    List {
        /// What to list; everything if left out
        what: Option<list::What>,
        /// Print JSON with all parameters, their ranges and defaults
        #[arg(long)]
        json: bool,
    },
    /// Check a scenario and report everything that is wrong with it
    Check {
        /// A .toml file, a PNG made by this program, or the name of a lesson
        scenario: PathBuf,
    },
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
enum Failure {
    /// The usage or the scenario is wrong.
    Usage(String),
    /// Something went wrong on the way.
    Running(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Running(error)
    }
}

/// The program: parses the command line, does what it says, reports what went wrong.
#[must_use]
pub fn main() -> ExitCode {
    let (message, code) = match dispatch(Arguments::parse()) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => (message, ExitCode::from(USAGE)),
        Err(Failure::Running(error)) => (format!("error: {error:#}"), ExitCode::FAILURE),
    };
    // Where not even an error can be written, the exit code is all there is.
    writeln!(std::io::stderr(), "{message}").ok();
    code
}

/// Writes to standard output. Who reads may stop early, as `head` does: that is no failure.
fn say(text: &str) -> Result<(), Failure> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output").into())
        }
        _ => Ok(()),
    }
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        None => open_window(arguments.scenario),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Render(args)) => render::render(&args),
        Some(Command::List { what, json }) => say(&list::list(what, json)),
        Some(Command::Check { scenario }) => check(&scenario),
    }
}

/// Opens the window on what the user named, or on the first lesson.
fn open_window(path: Option<PathBuf>) -> Result<(), Failure> {
    let named = path.unwrap_or_else(|| PathBuf::from(FIRST_LESSON));
    let scenario = read(&named)?;
    // Save writes to the file that was opened; a figure with a scenario inside is no such file.
    let is_file = named.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) && named.exists();
    let file = is_file.then_some(named);
    // The error of the window system cannot be sent between threads, as anyhow asks of a source; its words can.
    crate::app::run(scenario, file).map_err(|error| Failure::Running(anyhow::anyhow!("{error}")))
}

fn check(path: &Path) -> Result<(), Failure> {
    let scenario = read(path)?;
    let runs = scenario.runs.len();
    let (file, target) = (path.display(), scenario.target.kind.label);
    say(&format!("{file}: fine; {runs} {} on {target}", if runs == 1 { "run" } else { "runs" }))
}

/// Reads the scenario that the user named: a file, or else a lesson.
fn read(path: &Path) -> Result<Scenario, Failure> {
    match path.to_str().and_then(Lesson::find) {
        Some(lesson) if !path.exists() => lesson.scenario().map_err(|error| Failure::Usage(error.to_string())),
        _ => read_scenario(path).map_err(|error| Failure::Usage(hinted(path, &error.to_string()))),
    }
}

/// A message about a scenario that could not be read, with the names of the lessons if no such file exists.
fn hinted(path: &Path, message: &str) -> String {
    if path.exists() {
        return message.to_owned();
    }
    let lessons = LESSONS.iter().map(|lesson| lesson.name).collect::<Vec<_>>().join(", ");
    format!("{message}\nlessons that can be named instead of a file: {lessons}")
}
