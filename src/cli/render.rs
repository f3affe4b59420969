//! `render`: runs a scenario to its end and draws it into figures, without a display or a graphics card.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use indicatif::ProgressBar;

use crate::app::files::{NewFile, SaveError, is_figure, is_our_figure};
use crate::draw::named_layers;
use crate::draw::sheet::{self, ExportOptions, Extras, Format, Picture, Swept};
use crate::draw::study_choice::{StudyChoice, measure, measures};
use crate::draw::tabs::{HELD_OUT, MAP, PlotOptions, StudyUse, TOPICS, first_tab};
use crate::params::{ParamErrors, excerpt, printable};
use crate::scenario::view::Axis;
use crate::scenario::{Pacing, Scenario, ViewSpec};
use crate::session::Session;
use crate::session::repeats::{Taken, repeat};
use crate::session::sweep::{Cell, Findings, SweepPlan};

use super::render_args::{RenderArgs, View, options};
use super::sweep::compute::each;
use super::{Failure, end_on_signals, motion, progress, read};

/// Runs scenarios and draws them.
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    let choice = choice(args)?;
    let scenarios = scenarios(args)?;
    end_on_signals()?;
    // What is wrong with one of several is known before the work begins.
    let made = scenarios.iter().map(|(scenario, out)| Job::new(args, scenario, out)).collect::<Result<Vec<_>, _>>()?;
    let all = made.len() as u64;
    let bar = (all > 1).then(|| progress::bar("{msg:24} {bar:40} {pos}/{len} scenarios  {eta}", all));
    for job in made {
        bar.iter().for_each(|bar| bar.set_message(printable(&job.scenario.title).into_owned()));
        job.draw(args, choice)?;
        bar.iter().for_each(|bar| bar.inc(1));
    }
    bar.iter().for_each(ProgressBar::finish_and_clear);
    Ok(())
}

/// The scenarios, each with the name of its figure.
fn scenarios(args: &RenderArgs) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    if !args.scenario.is_dir() {
        return Ok(vec![(args.scenario.clone(), args.out.clone())]);
    }
    let folder = args.scenario.display();
    if !args.out.is_dir() {
        let problem = format!("{} is not a folder; {folder} has scenarios for several figures", args.out.display());
        return Err(Failure::option("out", problem, "a folder that exists"));
    }
    let entries = std::fs::read_dir(&args.scenario).with_context(|| folder.to_string())?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension() == Some("toml".as_ref())).collect();
    files.sort();
    if files.is_empty() {
        return Err(Failure::option("scenario", format!("{folder} has no .toml files"), "a folder with scenarios"));
    }
    let named = |path: PathBuf| {
        let name = path.with_extension(args.format.extension());
        let out = args.out.join(name.file_name().unwrap_or_default());
        (path, out)
    };
    Ok(files.into_iter().map(named).collect())
}

/// A scenario and its figures.
struct Job {
    scenario: Scenario,
    figures: Vec<(ExportOptions, Format, NewFile)>,
}

impl Job {
    fn new(args: &RenderArgs, path: &Path, out: &Path) -> Result<Self, Failure> {
        let mut scenario = read(path)?;
        scenario.seed = args.seed.unwrap_or(scenario.seed);
        let figure = |view: &View| {
            refuse_seconds(args, *view, &scenario)?;
            let options = options(args, *view, &scenario)?;
            let out = if args.view.len() > 1 { with_suffix(out, options.picture) } else { out.to_owned() };
            let file = file(&out, args.force)?;
            let format = Format::of(&out).unwrap_or_default();
            if format.moves() {
                options.motion.check(&scenario)?;
            }
            Ok((options, format, file))
        };
        let figures = args.view.iter().map(figure).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Self { scenario, figures })
    }

    fn draw(self, args: &RenderArgs, choice: StudyChoice) -> Result<(), Failure> {
        let (moving, still): (Vec<_>, Vec<_>) = self.figures.into_iter().partition(|(_, format, _)| format.moves());
        for (options, format, file) in moving {
            let extras = extras(args, options.picture, choice, &self.scenario)?;
            file.write(&motion::draw(&self.scenario, (options, extras), format)?).context("the figure")?;
        }
        if still.is_empty() {
            return Ok(());
        }
        let mut session = Session::new(self.scenario).map_err(ParamErrors)?;
        session.advance(u64::MAX);
        session.set_clock(session.scenario().view.clock.unwrap_or_default());
        session.measure_exactly();
        session.analyse();
        for (options, format, file) in still {
            let extras = extras(args, options.picture, choice, session.scenario())?;
            let bytes = sheet::file(&session.frame(), &options, &extras, format).context("the figure")?;
            file.write(&bytes).context("the figure")?;
        }
        Ok(())
    }
}

/// The name of a figure of one of several views.
fn with_suffix(out: &Path, picture: Picture) -> PathBuf {
    let suffix = if picture == Picture::Sheet { "-sheet".to_owned() } else { picture.suffix() };
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let extension = out.extension().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{stem}{suffix}.{extension}"))
}

/// Refuses plots against seconds: pictures made here have the same bytes at every time and on every machine.
fn refuse_seconds(args: &RenderArgs, view: View, scenario: &Scenario) -> Result<(), Failure> {
    let asked = args.against.is_none() && scenario.view.axis == Some(Axis::Seconds);
    let shown = match view {
        View::Window => first_tab(&scenario.target) == TOPICS,
        View::Plot(tab) => tab == HELD_OUT,
        View::Canvas | View::Readout => false,
    };
    if asked && shown {
        let problem = "the view of the scenario asks for seconds, which are measured in the window only";
        return Err(Failure::option("against", problem, "gradients or steps"));
    }
    Ok(())
}

/// The file for the picture. One that was not made here is replaced only by force.
fn file(path: &Path, force: bool) -> Result<NewFile, Failure> {
    if !is_figure(path) {
        let problem = format!("{} is no name for a figure", path.display());
        return Err(Failure::option("out", problem, format!("a name that ends in {}", Format::EXTENSIONS_IN_WORDS)));
    }
    if path.is_file() && !force && !is_our_figure(path) {
        let problem = format!("{} was not made by this program", path.display());
        return Err(Failure::option("out", problem, "a new file, or --force to replace this one"));
    }
    match NewFile::at(path, path.exists()) {
        Err(SaveError::Place(obstacle)) => Err(obstacle.into()),
        file => Ok(file.context("the figure")?),
    }
}

/// The measure of convergence that the picture shows.
fn choice(args: &RenderArgs) -> Result<StudyChoice, Failure> {
    let keys = || measures().map(|spec| spec.key).collect::<Vec<_>>().join(", ");
    let no_measure =
        || Failure::option("measure", format!("there is no measure \"{}\"", excerpt(&args.measure)), keys());
    let spec = *measure(&args.measure).ok_or_else(no_measure)?;
    Ok(StudyChoice { spec, log: !args.linear, repeats: args.repeats })
}

/// What the picture shows besides the last frame, with the repeats of the plots that need them.
fn extras(args: &RenderArgs, picture: Picture, choice: StudyChoice, scenario: &Scenario) -> Result<Extras, Failure> {
    let mut repeats = Vec::new();
    let study = if let Picture::Plot(tab) = picture { tab.study } else { StudyUse::Nothing };
    let taken = match study {
        StudyUse::Nothing => None,
        StudyUse::ChosenMeasure => Some(choice.taken()),
        StudyUse::TruthMeasures => Some(Taken::Truth),
    };
    if let Some(taken) = taken {
        for number in 0..args.repeats {
            let done = repeat(scenario, number, taken, |_| ControlFlow::Continue(()));
            repeats.extend(done.map_err(ParamErrors)?);
        }
    }
    // The picture shows the end of the run, and so does the window that opens it.
    let view = ViewSpec { pace: Some(Pacing::Instant), step: None, ..scenario.view.clone() };
    let sweep = if picture == Picture::Plot(MAP) { Some(swept(scenario)?) } else { None };
    let mut extras = Extras { choice, repeats, sweep, view, ..Extras::default() };
    extras.layers = named_layers::of_file(&scenario.view, extras.layers);
    extras.layers.draws = args.draws.unwrap_or(extras.layers.draws);
    extras.layers.arrows |= args.arrows;
    extras.options = PlotOptions::of_file(&scenario.view);
    extras.options.axis = args.against.map(Axis::from).or(extras.options.axis);
    Ok(extras)
}

/// All cells of the sweep of a scenario, for its map.
fn swept(scenario: &Scenario) -> Result<Swept, Failure> {
    let plan = Arc::new(SweepPlan::new(scenario).map_err(ParamErrors)?);
    let numbers: Vec<usize> = (0..plan.cells()).collect();
    let mut cells = Vec::new();
    each(&plan, &numbers, |cell| {
        cells.push(cell);
        Ok(())
    })?;
    cells.sort_by_key(|cell: &Cell| cell.number);
    let findings = Some(Arc::new(Findings::of(&plan, &cells, &plan.sweep().questions)));
    Ok(Swept { plan, cells, findings })
}
