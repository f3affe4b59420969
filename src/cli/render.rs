//! `render`: runs a scenario to its end, or to the step that its view names, and draws it into figures, without a display or a graphics
//! card.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use indicatif::ProgressBar;

use crate::app::files::{
    NewFile, SaveError, carries_scenario, is_figure, is_our_figure, stem_of, write_figure, write_whole,
};
use base::params::{ParamErrors, Settings, Value, excerpt, printable};
use draw::canvas::named_layers;
use draw::sheet::{
    self, CAPTION_FILE, Description, Dimensions, ExportOptions, Extras, Format, Picture, Preset, Swept, Unit, measuring,
};
use draw::views::study_choice::{measure, measures};
use draw::views::{HELD_OUT, MAP, StudyUse, Tab, tab};
use engine::scenario::figures::{FIGURE, given, row_count, venue};
use engine::scenario::view::{Axis, LAYERS};
use engine::scenario::{Pacing, Scenario, ViewSpec};
use engine::session::repeats::{Taken, repeat};
use engine::session::sweep::{Cell, Findings, SweepPlan};
use engine::session::{Command, Session};
use models::targets::family_of;

use super::render_args::{RenderArgs, View, options};
use super::sweep::compute::each;
use super::{Failure, complain, end_on_signals, motion, progress, read, reference};

/// What follows the name of a figure in that of its caption; each format has a caption of its own.
const CAPTION: &str = ".caption.txt";

/// The name of the layer of arrows.
const ARROWS: &str = "arrows";

/// Runs scenarios and draws them.
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    check_measure(args)?;
    let scenarios = scenarios(args)?;
    end_on_signals()?;
    // What is wrong with one of several is known before the work begins.
    let made = scenarios.iter().map(|(scenario, out)| Job::new(args, scenario, out)).collect::<Result<Vec<_>, _>>()?;
    let all = made.len() as u64;
    let bar = (all > 1).then(|| progress::bar("{msg:24} {bar:40} {pos}/{len} scenarios  {eta}", all));
    for job in made {
        bar.iter().for_each(|bar| bar.set_message(printable(&job.scenario.title).into_owned()));
        job.draw(args)?;
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
    figures: Vec<Figure>,
}

/// A figure to be drawn.
struct Figure {
    options: ExportOptions,
    /// What it shows, which is written into it.
    view: ViewSpec,
    format: Format,
    file: NewFile,
    /// Its path, and whether what lies beside it may be replaced.
    path: PathBuf,
    replace: bool,
}

impl Job {
    fn new(args: &RenderArgs, path: &Path, out: &Path) -> Result<Self, Failure> {
        let mut scenario = read(path)?;
        scenario.seed = args.seed.unwrap_or(scenario.seed);
        let file_name = path.display();
        complain(&scenario.warnings().iter().map(|of| format!("{file_name}: warning: {of}")).collect::<Vec<_>>());
        arrange(args, &mut scenario);
        let figure = |view: &View| -> Result<Figure, Failure> {
            refuse_seconds(args, *view, &scenario)?;
            let options = options(args, *view, &scenario, Format::of(out).unwrap_or_default())?;
            let out = if args.view.len() > 1 { with_suffix(out, options.picture) } else { out.to_owned() };
            let replace = args.force || out.exists();
            let file = file(&out, args.force)?;
            let format = Format::of(&out).unwrap_or_default();
            if format.moves() {
                options.motion.check(&scenario)?;
            }
            let view = seen(args, *view, (&scenario, carries_scenario(path)));
            if args.caption && format.moves() {
                let problem = "a figure that moves has no moment to describe";
                return Err(Failure::option("caption", problem, "a figure that does not move"));
            }
            Ok(Figure { options, view, format, file, path: out, replace })
        };
        let usual = [View::usual(&scenario)];
        let views = if args.view.is_empty() { &usual[..] } else { &args.view };
        let figures = views.iter().map(figure).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { scenario, figures })
    }

    fn draw(self, args: &RenderArgs) -> Result<(), Failure> {
        let (moving, still): (Vec<_>, Vec<_>) = self.figures.into_iter().partition(|figure| figure.format.moves());
        for Figure { options, view, format, file, replace, .. } in moving {
            let tabs = if let Picture::Plot(tab) = options.picture { vec![tab] } else { Vec::new() };
            let extras = extras(args, &tabs, view, &self.scenario)?;
            let told = is_for_readers(args, &options, &extras);
            let (made, warnings) = motion::draw(&self.scenario, (options, extras), format)?;
            write_figure(file, &made, replace).context("the figure")?;
            tell(&warnings, told);
        }
        let Some(step) = still.first().map(|figure| figure.view.step) else { return Ok(()) };
        let mut session = session_at(self.scenario, step)?;
        if args.reference {
            reference::compute(&mut session, true)?;
        }
        measuring::measure(&mut session, still.iter().map(|figure| figure.options.picture));
        let frame = session.frame();
        for Figure { options, mut view, format, file, path, replace } in still {
            if frame.finished() {
                // The window that opens it shows the end as well.
                (view.pace, view.step) = (Some(Pacing::Instant), None);
            }
            let says = |tab: &Tab| (tab.applies)(&frame) && (*tab != MAP || frame.scenario.sweep.is_some());
            let open = || view.tab.as_ref().and_then(|open| tab(open.kind.name)).filter(says);
            let tabs = match options.picture {
                Picture::Plot(tab) => vec![tab],
                Picture::Sheet => open().into_iter().collect(),
                Picture::Panels => sheet::panels_of(&view, &frame.scenario, &options.size),
                Picture::Canvas(_) | Picture::Readout => Vec::new(),
            };
            let extras = extras(args, &tabs, view, session.scenario())?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let stem = stem_of(&name);
            let (made, told) = sheet::files(&frame, &options, &extras, (format, stem)).context("the figure")?;
            write_figure(file, &made, replace).context("the figure")?;
            tell(&told.warnings, is_for_readers(args, &options, &extras));
            if args.caption {
                let text = Description::of(&frame, &options, &extras, &told).file(&name);
                write_caption(&path.with_file_name(format!("{name}{CAPTION}")), &text, args.force)?;
            }
        }
        Ok(())
    }
}

/// Whether a figure tells what is left out: one for paper, with a look of its own or of a size that was asked for. A picture of a screen has
/// what its size has space for.
fn is_for_readers(args: &RenderArgs, options: &ExportOptions, extras: &Extras) -> bool {
    let asked = args.size.is_some() || args.preset.is_some();
    asked || extras.view.figure.is_some() || options.size.unit != Unit::Pixels
}

/// Prints what a figure tells beside its picture, if it is asked for.
fn tell(warnings: &[String], asked: bool) {
    let warnings = warnings.iter().filter(|_| asked);
    complain(&warnings.map(|warning| format!("warning: {warning}")).collect::<Vec<_>>());
}

/// The runs of a scenario at a tick, or at their end.
pub(super) fn session_at(scenario: Scenario, tick: Option<u64>) -> Result<Session, Failure> {
    let mut session = Session::new(scenario).map_err(ParamErrors)?;
    let clock = session.scenario().view.clock.unwrap_or_default();
    match tick {
        None => {
            session.advance(u64::MAX);
            session.set_clock(clock);
        }
        Some(tick) => {
            session.set_clock(clock);
            session.apply(Command::Seek(tick)).map_err(ParamErrors)?;
        }
    }
    Ok(session)
}

/// The name of a figure of one of several views.
fn with_suffix(out: &Path, picture: Picture) -> PathBuf {
    let suffix = if picture == Picture::Sheet { "-sheet".to_owned() } else { picture.suffix() };
    let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = name.split_at(stem_of(&name).len());
    out.with_file_name(format!("{stem}{suffix}{extension}"))
}

/// Refuses plots against seconds: pictures made here have the same bytes at every time and on every machine.
fn refuse_seconds(args: &RenderArgs, view: View, scenario: &Scenario) -> Result<(), Failure> {
    let asked = args.against.is_none() && scenario.view.axis == Some(Axis::Seconds);
    let shown = match view {
        View::Window | View::Panels => family_of(scenario.target.kind).cost.seconds,
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
        Err(SaveError::Obstacle(obstacle)) => Err(obstacle.into()),
        file => Ok(file.context("the figure")?),
    }
}

/// Writes the caption of a figure. A file that is none is replaced only by force.
fn write_caption(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let ours = std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(CAPTION_FILE.as_bytes()));
    if path.exists() && !ours && !force {
        let problem = format!("{} is no caption made by this program", path.display());
        return Err(Failure::option("caption", problem, "a figure of another name, or --force to replace this file"));
    }
    Ok(write_whole(path, text.as_bytes(), true).context("the caption")?)
}

/// Refuses a measure that there is not.
fn check_measure(args: &RenderArgs) -> Result<(), Failure> {
    let keys = || measures().map(|spec| spec.key).collect::<Vec<_>>().join(", ");
    match &args.measure {
        Some(key) if measure(key).is_none() => {
            Err(Failure::option("measure", format!("there is no measure \"{}\"", excerpt(key)), keys()))
        }
        _ => Ok(()),
    }
}

/// What the picture shows: what the scenario says, and what options say instead. The moment is that of the window that opens the file,
/// or the end of the run; only a figure was made at step 0.
fn seen(args: &RenderArgs, view: View, (scenario, is_figure): (&Scenario, bool)) -> ViewSpec {
    let mut seen = scenario.view.clone();
    if let Some(venue) = args.preset.and_then(|preset| venue(preset.key)) {
        // The place of a figure says its letters, too.
        let figure = seen.figure.get_or_insert_with(|| Settings::defaults(&FIGURE));
        figure.set("size", Value::Choice(venue.choice.name)).ok();
    }
    let other = |tab: Tab| seen.tab.as_ref().is_none_or(|open| open.kind.name != tab.spec.name);
    if let View::Plot(tab) = view
        && other(tab)
    {
        seen.tab = Some(Settings::defaults(tab.spec));
    }
    if let Some(open) = &mut seen.tab {
        let mut choose = |key: &str, value: Option<Value>| {
            // Values of options are checked; other tabs have other options.
            value.into_iter().for_each(|value| _ = open.set(key, value).ok());
        };
        let repeats = args.repeats.map(|repeats| Value::Number(repeats as f64));
        choose("repeats", repeats);
        choose("measure", args.measure.clone().map(Value::Text));
        if open.kind.param("measure").is_some() && args.linear {
            open.set("log", Value::Flag(false)).ok();
        }
    }
    seen.axis = args.against.map(Axis::from).or(seen.axis);
    seen.draws = args.draws.map(|draws| named_layers::word(draws).to_owned()).or(seen.draws);
    seen.exact = args.exact.clone().or(seen.exact);
    if args.arrows {
        let layers = Extras::of(seen.clone()).layers;
        let shown = |name: &&str| *name == ARROWS || named_layers::is_on(&layers, name);
        seen.layers = Some(LAYERS.into_iter().filter(shown).map(str::to_owned).collect());
    }
    let step = seen.step.filter(|step| seen.pace != Some(Pacing::Instant) && (*step > 0 || is_figure));
    (seen.pace, seen.step) = (Some(if step.is_some() { Pacing::Watch } else { Pacing::Instant }), step);
    seen
}

/// Arranges panels that nobody has placed for the size of a preset, as the window does.
fn arrange(args: &RenderArgs, scenario: &mut Scenario) {
    let (Some(preset), Some(mut figure)) = (args.preset, scenario.view.figure.clone()) else { return };
    if given(&figure, "panels").is_none() {
        return;
    }
    let rows = row_count(Some(&figure));
    let own = Dimensions::of_figure(&figure, rows);
    // A file that does not say its size has that of some place.
    let known: Vec<Dimensions> =
        own.map_or_else(|| Preset::for_rows(rows).map(|preset| preset.size).collect(), |own| vec![own]);
    let after = preset.size.with_rows(1, rows);
    if known.into_iter().any(|before| sheet::rearrange(scenario, (before, &mut { after }), &mut figure)) {
        scenario.view.figure = Some(figure);
    }
}

/// What a picture with the plots of some tabs shows besides the last frame: repeats and cells, where a plot needs them.
fn extras(args: &RenderArgs, tabs: &[Tab], view: ViewSpec, scenario: &Scenario) -> Result<Extras, Failure> {
    let mut extras = Extras::of(view);
    let taken = |tab: &Tab| match tab.study {
        StudyUse::Nothing | StudyUse::Sweep => None,
        StudyUse::ChosenMeasure => Some(extras.seen.choice.taken()),
        StudyUse::TruthMeasures => Some(Taken::Truth),
    };
    // Plots that need different measures have repeats with all of them.
    let both = |one: Taken, other: Taken| if one == other { one } else { Taken::All };
    if let Some(taken) = tabs.iter().filter_map(taken).reduce(both) {
        for number in 0..args.repeats.unwrap_or(extras.seen.choice.repeats) {
            let done = repeat(scenario, number, taken, |_| ControlFlow::Continue(()));
            extras.repeats.extend(done.map_err(ParamErrors)?);
        }
    }
    if tabs == [MAP] || (tabs.contains(&MAP) && scenario.sweep.is_some()) {
        extras.sweep = Some(swept(scenario)?);
    }
    Ok(extras)
}

/// All cells of the sweep of a scenario, for its map.
fn swept(scenario: &Scenario) -> Result<Swept, Failure> {
    let plan = Arc::new(SweepPlan::new(scenario).map_err(ParamErrors)?);
    let numbers: Vec<usize> = (0..plan.cells()).collect();
    let mut cells = Vec::new();
    let one = |number: usize, go_on: &(dyn Fn() -> bool + Sync)| plan.cell(number, go_on);
    each(&one, &numbers, |cell| {
        cells.push(cell);
        Ok(())
    })?;
    cells.sort_by_key(|cell: &Cell| cell.number);
    let findings = Some(Arc::new(Findings::of(&plan, &cells, &plan.sweep().questions)));
    Ok(Swept { plan, cells, findings })
}
