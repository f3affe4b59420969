//! `report`: a scenario run to its end, or to the step that its view names if any is taken there, as a page to hand in; `worksheet`: its questions with room for
//! answers.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::app::documents::report::{Contents, report as document, unanswered};
use crate::app::files::report::{file, measures};
use crate::app::files::worksheet;
use crate::app::files::{NewFile, ReportAs, SaveError};
use draw::sheet::{Extras, Picture, measuring};
use engine::scenario::Pacing;

use super::render::session_at;
use super::{Failure, end_on_signals, lesson, read, say};

/// Arguments of `report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// A .toml file, a figure or report made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// The file to write: .html or .pdf
    #[arg(long, short, visible_alias = "out")]
    output: PathBuf,
    /// Who hands it in
    #[arg(long, default_value = "")]
    name: String,
    /// What they have to say
    #[arg(long, default_value = "")]
    remarks: String,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Arguments of `worksheet`.
#[derive(Args, Debug)]
pub struct WorksheetArgs {
    /// The name of a lesson or challenge, a .toml file, a figure or report made by this program, or a link
    scenario: PathBuf,
    /// The file to write: .md or .html; Markdown on standard output if left out
    #[arg(long, short, visible_alias = "out")]
    output: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Writes the report of a scenario.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let format = [ReportAs::Html, ReportAs::Pdf].into_iter().find(|format| ends(&args.output, format.extension()));
    let Some(format) = format else { return Err(wrong_name(&args.output, ".html or .pdf")) };
    let scenario = read(&args.scenario)?;
    end_on_signals()?;
    let file_to_write = new_file(&args.output, args.force)?;
    let mut view = scenario.view.clone();
    // A file that opens at step 0 waits to be played: there is nothing to report of there.
    let step = view.step.filter(|step| *step > 0 && view.pace != Some(Pacing::Instant));
    let mut session = session_at(scenario, step)?;
    measuring::measure(&mut session, [Picture::Sheet]);
    let frame = session.frame();
    if frame.finished() {
        (view.pace, view.step) = (Some(Pacing::Instant), None);
    }
    let extras = Extras::of(view);
    let table = measures(&frame, &extras);
    let unanswered = unanswered(&frame.scenario.challenges);
    let contents = Contents {
        hides_target: frame.scenario.view.hides_target(),
        frame: &frame,
        measures: &table,
        name: &args.name,
        remarks: &args.remarks,
        questions: unanswered,
        trials: None,
    };
    let bytes = file(&document(&contents), &frame, &extras, format).context("the report")?;
    Ok(file_to_write.write(&bytes).context("the report")?)
}

/// Writes the worksheet of a scenario.
pub fn worksheet(args: &WorksheetArgs) -> Result<(), Failure> {
    let as_page = match &args.output {
        Some(path) if ends(path, "html") => true,
        Some(path) if !ends(path, "md") => return Err(wrong_name(path, ".md or .html")),
        _ => false,
    };
    let scenario = read(&args.scenario)?;
    let lesson = lesson(&args.scenario);
    let before = || -> anyhow::Result<_> { Ok(session_at(scenario.clone(), Some(0))?.frame()) };
    let text = match as_page {
        true => worksheet::page(&scenario, lesson, before).context("the worksheet")?,
        false => worksheet::text(&scenario, lesson),
    };
    match &args.output {
        None => say(text.trim_end()),
        Some(path) => Ok(new_file(path, args.force)?.write(text.as_bytes()).context("the worksheet")?),
    }
}

pub(super) fn ends(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

pub(super) fn wrong_name(path: &Path, allowed: &str) -> Failure {
    let problem = format!("{} has another ending", path.display());
    Failure::option("output", problem, format!("a name that ends in {allowed}"))
}

pub(super) fn new_file(path: &Path, force: bool) -> Result<NewFile, Failure> {
    NewFile::at(path, force).map_err(|error| match error {
        SaveError::Exists(path) => Failure::option(
            "output",
            format!("{} exists already", path.display()),
            "a new file, or --force to replace this one",
        ),
        SaveError::Obstacle(obstacle) => obstacle.into(),
        error => Failure::Running(anyhow::Error::new(error)),
    })
}
