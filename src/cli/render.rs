//! `render`: runs a scenario to its end and draws it into figures, without a display or a graphics card.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::app::files::{NewFile, SaveError, is_figure, is_our_figure};
use crate::draw::named_layers;
use crate::draw::sheet::{
    self, Dimensions, Draws, ExportOptions, Extras, Format, Paper, Parts, Picture, Preset, Sides, Unit,
};
use crate::draw::study_choice::{MOST_REPEATS, StudyChoice, measure, measures};
use crate::draw::tabs::{HELD_OUT, PlotOptions, StudyUse, TABS, TOPICS, Tab, first_tab, tab};
use crate::params::{ParamErrors, excerpt, printable};
use crate::scenario::view::Axis;
use crate::scenario::{Pacing, Scenario, ViewSpec};
use crate::session::Session;
use crate::session::repeats::{Taken, repeat};

use super::motion::{self, Motion};
use super::{Failure, end_on_signals, read};

/// Arguments of `render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    /// A .toml file, a figure made by this program, the name of a lesson, or a folder with .toml files
    scenario: PathBuf,
    /// The figure to write, a name that ends in .png, .svg or .pdf, or in .gif or .apng for one that moves; for a folder of scenarios, the folder for their figures
    #[arg(long)]
    out: PathBuf,
    /// Replace a file that was not made by this program
    #[arg(long)]
    force: bool,
    /// Format of the figures of a folder of scenarios
    #[arg(long, value_parser = format_parser(), default_value = Format::Png.extension())]
    format: Format,
    #[command(flatten)]
    motion: Motion,
    /// What to draw. Of several views, separated by commas, each has a file of its own: figure-canvas.png, figure-trace.png
    #[arg(long, value_parser = View::parser(), value_delimiter = ',', default_value = View::WINDOW)]
    view: Vec<View>,
    /// The run whose canvas to draw, by name; the first if left out
    #[arg(long)]
    run: Option<String>,
    /// A size with a name
    #[arg(long, value_parser = preset_parser(), conflicts_with_all = ["size", "scale", "mm", "inches"])]
    preset: Option<Preset>,
    /// Width and height in points of a screen; 1600x1000 where no size is given
    #[arg(long, conflicts_with_all = ["mm", "inches"])]
    size: Option<Sides>,
    /// Pixels per point; 1 if left out
    #[arg(long, conflicts_with_all = ["mm", "inches", "dpi", "text"])]
    scale: Option<f64>,
    /// Width and height in millimetres: 85x64
    #[arg(long, conflicts_with = "inches")]
    mm: Option<Sides>,
    /// Width and height in inches: 3.5x2.5
    #[arg(long)]
    inches: Option<Sides>,
    /// Pixels per inch; 300 if left out, or that of the preset
    #[arg(long)]
    dpi: Option<f64>,
    /// Size of the text of plots in points of 1/72 inch; 8 if left out, or that of the preset
    #[arg(long)]
    text: Option<f64>,
    /// Background of the picture
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Leave out the lines with methods, parameters and seed
    #[arg(long)]
    no_footer: bool,
    /// Show these also: a sheet has all of them, a single plot no title and no caption
    #[arg(long, value_enum, value_delimiter = ',')]
    with: Vec<Part>,
    /// Leave out these
    #[arg(long, value_enum, value_delimiter = ',')]
    without: Vec<Part>,
    /// Use this seed instead of the scenario's
    #[arg(long)]
    seed: Option<u64>,
    /// How canvases show the draws; left out, as the scenario says
    #[arg(long, value_enum)]
    draws: Option<Drawn>,
    /// Show on canvases the parts of the newest steps as arrows
    #[arg(long)]
    arrows: bool,
    /// For --view truth: the measure, by its key in summary.json
    #[arg(long, default_value = "tv")]
    measure: String,
    /// For --view truth and compare: number of repeats of the scenario, each with the next seed
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=MOST_REPEATS))]
    repeats: u64,
    /// Horizontal axis of plots over time: steps or gradient evaluations; left out, as the scenario says
    #[arg(long, value_enum)]
    against: Option<Cost>,
    /// For --view truth: the measure on a linear axis
    #[arg(long)]
    linear: bool,
}

/// What a figure shows beside its plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The title of the scenario
    Title,
    /// What to watch, below the title
    Caption,
    /// Names and markers of runs, and legends
    Legend,
    /// Names of the axes
    AxisLabels,
    /// Methods, parameters and seed
    Footer,
}

impl Part {
    /// Its switch.
    fn of(self, parts: &mut Parts) -> &mut bool {
        match self {
            Self::Title => &mut parts.title,
            Self::Caption => &mut parts.caption,
            Self::Legend => &mut parts.legend,
            Self::AxisLabels => &mut parts.axis_labels,
            Self::Footer => &mut parts.footer,
        }
    }
}

/// Parser of `--format`.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let named = |format: Format| PossibleValue::new(format.extension());
    PossibleValuesParser::new(Format::STILL.map(named))
        .try_map(|key| Format::of(Path::new(&format!("x.{key}"))).ok_or("no such format"))
}

/// Parser of `--preset`.
fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    let named = |preset: &Preset| PossibleValue::new(preset.key).help(format!("{}: {}", preset.label, preset.size));
    PossibleValuesParser::new(Preset::ALL.iter().map(named)).try_map(|key| Preset::of(&key).ok_or("no such preset"))
}

/// Horizontal axis of plots over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cost {
    /// Gradient evaluations of all chains
    Gradients,
    /// Steps
    Steps,
}

impl From<Cost> for Axis {
    fn from(cost: Cost) -> Self {
        match cost {
            Cost::Gradients => Self::Gradients,
            Cost::Steps => Self::Steps,
        }
    }
}

/// Appearance of draws on a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Drawn {
    /// As points while they are few, then as a density
    Auto,
    /// As points
    Points,
    /// As a density
    Density,
    /// As points coloured by chain
    ByChain,
    /// As points coloured by cycle
    ByCycle,
    /// As points, pale at the start of the run
    ByStep,
    /// The positions of all chains at the end, as a density, instead of the draws
    Ensemble,
    /// Not at all
    Hidden,
}

impl From<Drawn> for Draws {
    fn from(drawn: Drawn) -> Self {
        match drawn {
            Drawn::Auto => Self::Auto,
            Drawn::Points => Self::Points,
            Drawn::Density => Self::Density,
            Drawn::ByChain => Self::ByChain,
            Drawn::ByCycle => Self::ByCycle,
            Drawn::ByStep => Self::ByStep,
            Drawn::Ensemble => Self::Ensemble,
            Drawn::Hidden => Self::Hidden,
        }
    }
}

/// A picture of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The whole sheet: canvases, step sizes, readout.
    Window,
    /// The canvas of one run.
    Canvas,
    /// The table of measures.
    Readout,
    /// The plot of a tab.
    Plot(Tab),
}

impl View {
    const WINDOW: &str = "window";
    const CANVAS: &str = "canvas";
    const READOUT: &str = "readout";

    /// Parser of `--view`: the pictures of more than one plot, and the registry of tabs.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let tabs = TABS.iter().map(|tab| PossibleValue::new(tab.key).help(tab.help));
        let values = [
            PossibleValue::new(Self::WINDOW).help("The whole sheet: canvases, step sizes, readout"),
            PossibleValue::new(Self::CANVAS).help("The canvas of one run"),
            PossibleValue::new(Self::READOUT).help("The table of measures"),
        ];
        PossibleValuesParser::new(values.into_iter().chain(tabs)).map(|key| match tab(&key) {
            Some(tab) => Self::Plot(tab),
            None if key == Self::CANVAS => Self::Canvas,
            None if key == Self::READOUT => Self::Readout,
            None => Self::Window,
        })
    }
}

/// Background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// White
    Light,
    /// Near-black
    Dark,
    /// Transparent, with the colours for white
    Transparent,
}

/// Runs scenarios and draws them.
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    let choice = choice(args)?;
    let scenarios = scenarios(args)?;
    end_on_signals()?;
    // What is wrong with one of several is known before the work begins.
    let made = scenarios.iter().map(|(scenario, out)| Job::new(args, scenario, out)).collect::<Result<Vec<_>, _>>()?;
    let bar = (made.len() > 1).then(|| {
        let style = ProgressStyle::with_template("{msg:24} {bar:40} {pos}/{len} scenarios  {eta}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::with_draw_target(Some(made.len() as u64), ProgressDrawTarget::stderr()).with_style(style)
    });
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
        let runs: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
        let figure = |view: &View| {
            refuse_seconds(args, *view, &scenario)?;
            let options = options(args, *view, &runs)?;
            let out = if args.view.len() > 1 { with_suffix(out, options.picture) } else { out.to_owned() };
            let file = file(&out, args.force)?;
            Ok((options, Format::of(&out).unwrap_or_default(), file))
        };
        let figures = args.view.iter().map(figure).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Self { scenario, figures })
    }

    fn draw(self, args: &RenderArgs, choice: StudyChoice) -> Result<(), Failure> {
        let mut session = Session::new(self.scenario).map_err(ParamErrors)?;
        session.advance(u64::MAX);
        session.set_clock(session.scenario().view.clock.unwrap_or_default());
        session.measure_exactly();
        session.analyse();
        for (options, format, file) in self.figures {
            if format.moves() {
                let scenario = session.scenario();
                let extras = extras(args, options.picture, choice, scenario)?;
                let bytes = motion::draw(scenario, &args.motion, (&options, &extras), format)?;
                file.write(&bytes).context("the figure")?;
                continue;
            }
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
    let mut extras = Extras { choice, repeats, view, ..Extras::default() };
    extras.layers = named_layers::of_file(&scenario.view, extras.layers);
    extras.layers.draws = args.draws.map_or(extras.layers.draws, Draws::from);
    extras.layers.arrows |= args.arrows;
    extras.options = PlotOptions::of_file(&scenario.view);
    extras.options.axis = args.against.map(Axis::from).or(extras.options.axis);
    Ok(extras)
}

/// The options for a figure with these runs.
fn options(args: &RenderArgs, view: View, runs: &[&str]) -> Result<ExportOptions, Failure> {
    let no_run = |name: &str| Failure::option("run", format!("there is no run \"{}\"", excerpt(name)), runs.join(", "));
    let run = args
        .run
        .as_deref()
        .map_or(Ok(0), |name| runs.iter().position(|run| *run == name).ok_or_else(|| no_run(name)))?;
    let picture = match view {
        View::Window => Picture::Sheet,
        View::Canvas => Picture::Canvas(run),
        View::Readout => Picture::Readout,
        View::Plot(tab) => Picture::Plot(tab),
    };
    let paper = match args.theme {
        Theme::Light => Paper::Light,
        Theme::Dark => Paper::Dark,
        Theme::Transparent => Paper::Transparent,
    };
    let mut parts = Parts::of(picture);
    for (shown, part) in [(true, &args.with), (false, &args.without)] {
        part.iter().for_each(|part| *part.of(&mut parts) = shown);
    }
    parts.footer &= !args.no_footer;
    Ok(ExportOptions { picture, size: size(args)?, paper, parts, ..ExportOptions::default() })
}

/// The size of the figure.
fn size(args: &RenderArgs) -> Result<Dimensions, Failure> {
    /// Pixels per inch, and size of text, where only sides on paper are given.
    const PAPER: (f64, f64) = (300.0, 8.0);
    let on_paper = |Sides(sides): Sides, unit| Dimensions { sides, unit, dpi: PAPER.0, text: PAPER.1 };
    let of_screen = || {
        let sides = args.size.unwrap_or(Sides([1600.0, 1000.0]));
        Dimensions::of_points(sides.0, args.scale.unwrap_or(1.0))
    };
    let given = args.preset.map(|preset| preset.size);
    let given = given.or_else(|| args.mm.map(|sides| on_paper(sides, Unit::Millimetres)));
    let mut size = given.or_else(|| args.inches.map(|sides| on_paper(sides, Unit::Inches))).unwrap_or_else(of_screen);
    if let Some(dpi) = args.dpi {
        // A preset in pixels keeps its size on paper.
        size = Dimensions { dpi, ..size.in_unit(if size.unit == Unit::Pixels { Unit::Inches } else { size.unit }) };
    }
    size.text = args.text.unwrap_or(size.text);
    size.figure()?;
    Ok(size)
}
