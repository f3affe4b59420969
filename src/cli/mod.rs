//! Command line: opens the window, or runs, renders, exports, lists and checks scenarios without a window; serves the page; prints its
//! own manual and completions.
//!
//! A command is a file, with those beside it that write its parts. `sweep` computes cells on all cores, in files of shards. `serve` has the page
//! for the browsers of a room: files in memory, `answers` as a function of a request, `hosts` that are answered, `places` for
//! connections, and a `server` on one thread.
//!
//! Exit codes: 0 success, 1 failure of a command, 2 wrong usage or an invalid scenario. A signal ends the program as if it
//! were not caught: a shell sees 130 after Ctrl-C and 143 after SIGTERM. Errors go to standard error; standard output
//! has only the requested output. Nothing of the input reaches a terminal with control characters in it.

mod challenges;
mod check;
mod cite;
mod completions;
mod cost;
mod curves;
mod ended;
mod exact;
mod list;
mod manual;
mod motion;
mod new;
mod numeric;
mod own_results;
mod pack;
mod predicted;
mod progress;
mod quantities;
mod reading;
mod reasons;
mod reference;
mod render;
mod render_args;
mod repeated;
mod report;
mod results;
mod run;
mod schedule;
mod serve;
mod summary;
mod sweep;
mod topics;
mod truth;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use thiserror::Error;

use crate::app::files::OpenError;
use crate::app::files::data::is_table;
use crate::app::{Awaited, Named, has_display};
use crate::output::closing;
use crate::output::foresight::{Obstacle, remedy};
use base::params::{ParamErrors, message, printable, printable_lines};
use draw::sheet::SizeError;
use engine::scenario::{Lesson, LoadError, Playlist, Scenario, ScenarioErrors};

pub use cite::CiteArgs;
use exact::ExactArgs;
pub use new::NewArgs;
pub use pack::PackArgs;
pub use render_args::RenderArgs;
pub use report::{ReportArgs, WorksheetArgs};
pub use run::RunArgs;
use schedule::ScheduleArgs;
pub use serve::ServeArgs;
pub use sweep::SweepArgs;

/// Exit code for wrong usage and for invalid scenarios.
const USAGE: u8 = 2;

/// Watch stochastic-gradient MCMC and variational inference on densities that can be drawn.
///
/// Without a command this opens the window.
#[derive(Debug, Parser)]
#[command(name = "sampler-lab", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// Scenario or playlist to open in the window: a .toml file, a figure made by this program, a link, or the name of a lesson
    scenario: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scenario to its end and write summary.json and, on request, all draws
    Run(RunArgs),
    /// Run a scenario to its end, or to the step that its view names, and draw it into a picture (PNG, SVG, PDF, GIF, APNG) or into source for LaTeX, Typst, matplotlib or Vega-Lite, without a display or a graphics card
    Render(Box<RenderArgs>),
    /// Compute the sweep of a scenario: a run over a grid of its parameters, with several seeds in each cell; goes on where it was ended
    Sweep(SweepArgs),
    /// Compute where endlessly many chains of a run would be after its steps, without drawing: distributions, bias, relaxation time, cycles
    Exact(ExactArgs),
    /// Run a scenario and write a report to hand in: questions, figure, measures, and the experiment inside
    Report(ReportArgs),
    /// Print the questions of a lesson, a challenge or a scenario with room for answers, and no answer
    Worksheet(WorksheetArgs),
    /// Write a scenario of your own data: a question about the columns of a file, with runs that suit it
    New(Box<NewArgs>),
    /// Write a scenario as a hand-out: packed, so that the file does not name what is to be found out; or the other way round
    Pack(PackArgs),
    /// Write the step sizes of a run for other programs: TOML, Python, PyTorch, optax, NumPy or JSON
    Schedule(ScheduleArgs),
    /// List the papers behind a scenario, of its methods and of the measures that it shows, for a bibliography
    Cite(CiteArgs),
    /// Serve the page for browsers, without the internet: to this computer, or to everyone in its network
    Serve(ServeArgs),
    /// List targets, methods, schedules, lessons, measures and tabs
    List {
        /// What to list; everything if left out
        what: Option<list::What>,
        /// Print JSON with all parameters, their ranges and defaults
        #[arg(long)]
        json: bool,
    },
    /// Check a scenario, or the items of a playlist; report errors, or what is known of its targets and what its runs cost in steps, evaluations, disk and memory
    Check {
        /// A .toml file, a figure made by this program, a link, or the name of a lesson
        scenario: PathBuf,
        /// Print JSON: errors with line, column, key, problem and what is allowed; or truth, costs and warnings
        #[arg(long)]
        json: bool,
    },
    /// Print a script with which a shell completes commands, options and names of lessons
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual of all commands as a page for man
    Manual,
}

/// Why a command failed.
#[derive(Debug, Error)]
enum Failure {
    /// An option has a value that is not allowed.
    #[error("--{option}: {problem}; allowed: {allowed}")]
    Option {
        /// The name of the option, without dashes.
        option: &'static str,
        /// What is wrong, with the value.
        problem: String,
        /// What would be right.
        allowed: String,
    },
    /// The picture would be too small or too large.
    #[error("--{option}: {error}")]
    Size {
        /// The name of the option, without dashes.
        option: &'static str,
        /// What is wrong.
        error: SizeError,
    },
    /// Nothing can be written to the place that an option names.
    #[error("--out: {0}")]
    Obstacle(#[from] Obstacle),
    /// A scenario cannot be read; a line for each error.
    #[error("{}", .0.join("\n"))]
    Scenario(Vec<String>),
    /// A scenario has been read, but its parts cannot be built.
    #[error(transparent)]
    Parameters(#[from] ParamErrors),
    /// The command has started and cannot be completed.
    #[error("error: {}", error_message(.0))]
    Running(#[from] anyhow::Error),
}

impl Failure {
    /// An option has a value that is not allowed.
    fn option(option: &'static str, problem: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self::Option { option, problem: problem.into(), allowed: allowed.into() }
    }

    fn code(&self) -> ExitCode {
        match self {
            Self::Option { .. } | Self::Size { .. } | Self::Obstacle(_) | Self::Scenario(_) | Self::Parameters(_) => {
                ExitCode::from(USAGE)
            }
            Self::Running(_) => ExitCode::FAILURE,
        }
    }

    /// The message, line by line: a line break inside of one is part of the input.
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Scenario(lines) => lines.clone(),
            Self::Parameters(errors) => errors.0.iter().map(ToString::to_string).collect(),
            _ => vec![self.to_string()],
        }
    }
}

/// An error with its causes, each once, and what helps against a refusal of the system.
fn error_message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Many errors tell their cause themselves.
        if !text.contains(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    let refused = error.chain().find_map(|cause| remedy(cause.downcast_ref()?));
    match refused.filter(|remedy| !text.contains(remedy)) {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    }
}

/// The program: parses the command line, carries out the command, reports errors.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let done = dispatch(arguments);
    closing::finish();
    let Err(failure) = done else { return ExitCode::SUCCESS };
    complain(&failure.lines());
    failure.code()
}

/// Reports arguments that cannot be parsed, and shows the help and the version.
fn refuse(error: &clap::Error) -> ExitCode {
    // The parser repeats arguments as they are. Escaped ones lead to the same message, safe to print.
    let escaped = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()).into_owned());
    match Arguments::try_parse_from(escaped) {
        Err(error) => shown(&error),
        Ok(_) => {
            complain(&error.render().to_string().lines().map(str::to_owned).collect::<Vec<_>>());
            ExitCode::from(USAGE)
        }
    }
}

/// Shows help, version or a message of the parser. What cannot be written is a failure, as of any other output.
fn shown(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| std::io::stdout().flush()) {
        Err(refused) if refused.kind() != std::io::ErrorKind::BrokenPipe => {
            complain(&[Failure::Running(anyhow::Error::new(refused).context("standard output")).to_string()]);
            ExitCode::FAILURE
        }
        _ => u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
    }
}

/// Writes to standard error, the one place that does: without a control character.
fn complain(lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{}\n", message(&printable(line)))).collect();
    // If standard error is closed, the exit code alone tells of the failure.
    std::io::stderr().write_all(text.as_bytes()).ok();
}

/// Writes to standard output without a control character but line breaks.
fn say(text: &str) -> Result<(), Failure> {
    paint(&printable_lines(text))
}

/// Writes to standard output as it is, the one place that does: only for text without anything of the input in it. A reader may stop
/// early, as `head` does: this is no failure.
fn paint(text: &str) -> Result<(), Failure> {
    match writeln!(std::io::stdout(), "{text}").and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output").into())
        }
        _ => Ok(()),
    }
}

/// Lets signals end the program with nothing left behind.
fn end_on_signals() -> anyhow::Result<()> {
    let farewell = || {
        // On a terminal the cursor is behind the progress bar.
        let line_break = std::io::stderr().is_terminal().then(String::new);
        complain(&line_break.into_iter().chain(["interrupted".to_owned()]).collect::<Vec<_>>());
    };
    closing::on_signals(farewell).context("signals")
}

fn dispatch(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        None => open_window(arguments.scenario),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Render(args)) => render::render(&args),
        Some(Command::Sweep(args)) => sweep::sweep(&args),
        Some(Command::Exact(args)) => exact::exact(&args),
        Some(Command::Report(args)) => report::report(&args),
        Some(Command::Worksheet(args)) => report::worksheet(&args),
        Some(Command::New(args)) => new::new(&args),
        Some(Command::Pack(args)) => pack::pack(&args),
        Some(Command::Schedule(args)) => schedule::schedule(&args),
        Some(Command::Cite(args)) => cite::cite(&args),
        Some(Command::Serve(args)) => serve::serve(&args),
        Some(Command::List { what, json }) => say(&list::list(what, json)),
        Some(Command::Check { scenario, json }) => check::check(&scenario, json),
        Some(Command::Completions { shell }) => say(&completions::completions(shell, Arguments::command())),
        Some(Command::Manual) => say(&manual::manual(Arguments::command())?),
    }
}

/// Opens the window on the named scenario, or on what was in it last time. Why a named one cannot be read is said in the window as well.
fn open_window(path: Option<PathBuf>) -> Result<(), Failure> {
    let named = path.map(named).transpose()?;
    end_on_signals()?;
    // The error of the window system cannot be sent between threads, as anyhow requires; its message can.
    crate::app::run(named).map_err(|error| Failure::Running(anyhow::anyhow!("{error}")))
}

/// What the window is to show. It does not wait for a file that takes long to read.
fn named(path: PathBuf) -> Result<Named, Failure> {
    let scenario = match lesson(&path) {
        None if has_display() && path.exists() && is_table(&path) => {
            return Ok(Named::Table(std::path::absolute(&path).unwrap_or(path)));
        }
        None if has_display() => match Awaited::read(&path) {
            Ok(Ok(scenario)) => Ok(scenario),
            Ok(Err(error)) => match error.playlist() {
                Ok(playlist) => return Ok(Named::Playlist(playlist, std::path::absolute(&path).ok())),
                Err(error) => Err(refused(&path, error)),
            },
            Err(awaited) => return Ok(Named::Awaited(awaited)),
        },
        _ => read(&path),
    };
    let read = match scenario {
        Err(Failure::Scenario(reasons)) if has_display() => {
            complain(&reasons);
            Err(format!("{} cannot be shown:\n{}", path.display(), reasons.join("\n")))
        }
        scenario => {
            // Save writes to the opened file; a figure with a scenario inside cannot be written in this way.
            let is_scenario = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
            // The next start may be in another folder.
            let file = (is_scenario && path.exists()).then(|| std::path::absolute(&path).unwrap_or(path));
            Ok((scenario?, file))
        }
    };
    Ok(read.into())
}

/// What a name leads to.
enum Either {
    Scenario(Box<Scenario>),
    Playlist(Box<Playlist>),
}

/// Reads what is named: a scenario, a lesson if there is no such file, or a playlist.
fn read_either(path: &Path) -> Result<Either, Failure> {
    match read_named(path)? {
        Ok(scenario) => Ok(Either::Scenario(Box::new(scenario))),
        Err(error) => {
            error.playlist().map(|list| Either::Playlist(Box::new(list))).map_err(|error| refused(path, error))
        }
    }
}

/// Reads the named scenario: a file, or a lesson if there is no such file.
fn read(path: &Path) -> Result<Scenario, Failure> {
    read_named(path)?.map_err(|error| refused(path, error))
}

/// The lesson with a name, or else the scenario of a file, or why there is none.
fn read_named(path: &Path) -> Result<Result<Scenario, OpenError>, Failure> {
    match lesson(path) {
        Some(lesson) => lesson.scenario().map(Ok).map_err(|errors| Failure::Scenario(lines(&errors))),
        None => Ok(reading::scenario(path)),
    }
}

/// The lesson that is named, if there is no file of its name.
fn lesson(path: &Path) -> Option<&'static Lesson> {
    path.to_str().and_then(Lesson::find).filter(|_| !path.exists())
}

/// Why the scenario of a file is none.
fn refused(path: &Path, error: OpenError) -> Failure {
    if path.is_file() && is_table(path) {
        let file = path.display();
        let words = format!("{file}: this is a table and no scenario; sampler-lab new --data {file} makes one of it");
        return Failure::Scenario(vec![words]);
    }
    Failure::Scenario(match error {
        OpenError::Invalid(errors) | OpenError::Load(LoadError::Invalid(errors)) => lines(&errors),
        error => [Some(error.to_string()), reading::hint(path)].into_iter().flatten().collect(),
    })
}

fn lines(errors: &ScenarioErrors) -> Vec<String> {
    errors.errors.iter().map(ToString::to_string).collect()
}
