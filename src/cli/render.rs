//! `render`: runs a scenario to its end and draws it into a PNG or an SVG, without a display or a graphics card.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use thiserror::Error;

use crate::app::files::{NewFile, SaveError, is_figure, is_our_figure};
use crate::draw::sheet::{self, Draws, ExportOptions, Extras, Format, Paper, Picture};
use crate::draw::study_choice::{MOST_REPEATS, StudyChoice, measure, measures};
use crate::draw::tabs::{HELD_OUT, PlotOptions, StudyUse, TABS, TOPICS, Tab, first_tab, tab};
use crate::figure::FigureSize;
use crate::params::{ParamErrors, excerpt};
use crate::scenario::view::Axis;
use crate::scenario::{Pacing, Scenario, ViewSpec};
use crate::session::Session;
use crate::session::repeats::{Taken, repeat};

use super::{Failure, end_on_signals, read};

/// Arguments of `render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    /// A .toml file, a PNG or SVG made by this program, or the name of a lesson
    scenario: PathBuf,
    /// The picture to write, a name that ends in .png or .svg
    #[arg(long)]
    out: PathBuf,
    /// Replace a file that was not made by this program
    #[arg(long)]
    force: bool,
    /// What to draw
    #[arg(long, value_parser = View::parser(), default_value = View::WINDOW)]
    view: View,
    /// The run whose canvas to draw, by name; the first if left out
    #[arg(long)]
    run: Option<String>,
    /// Width and height in points
    #[arg(long, default_value = "1600x1000")]
    size: Size,
    /// Pixels per point
    #[arg(long, default_value_t = 1.0)]
    scale: f32,
    /// Background of the picture
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Leave out the line with methods, parameters and seed
    #[arg(long)]
    no_footer: bool,
    /// Use this seed instead of the scenario's
    #[arg(long)]
    seed: Option<u64>,
    /// How canvases show the draws
    #[arg(long, value_enum, default_value_t = Drawn::Auto)]
    draws: Drawn,
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
    /// The plot of a tab.
    Plot(Tab),
}

impl View {
    const WINDOW: &str = "window";
    const CANVAS: &str = "canvas";

    /// Parser of `--view`: the pictures of more than one plot, and the registry of tabs.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let tabs = TABS.iter().map(|tab| PossibleValue::new(tab.key).help(tab.help));
        let values = [
            PossibleValue::new(Self::WINDOW).help("The whole sheet: canvases, step sizes, readout"),
            PossibleValue::new(Self::CANVAS).help("The canvas of one run"),
        ];
        PossibleValuesParser::new(values.into_iter().chain(tabs)).map(|key| match tab(&key) {
            Some(tab) => Self::Plot(tab),
            None if key == Self::CANVAS => Self::Canvas,
            None => Self::Window,
        })
    }

    /// What its plot needs of repeats.
    fn study(self) -> StudyUse {
        match self {
            Self::Plot(tab) => tab.study,
            Self::Window | Self::Canvas => StudyUse::Nothing,
        }
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

/// Width and height, written `1600x1000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u32, u32);

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let (width, height) = text.split_once(['x', '×']).ok_or(SizeError::Form)?;
        let side = |side: &str| match side.parse::<u32>() {
            Ok(points) if sheet::SIDES.contains(&points) => Ok(points),
            _ => Err(SizeError::Side(side.to_owned())),
        };
        Ok(Self(side(width)?, side(height)?))
    }
}

/// Why a text is no [`Size`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SizeError {
    /// There is no `x` between two sides.
    #[error("write it as WIDTHxHEIGHT, for example 1600x1000")]
    Form,
    /// A side is no whole number, or too small or too large.
    #[error(
        "a side cannot be {0}; allowed: {low} to {high} points",
        low = sheet::SIDES.start(), high = sheet::SIDES.end()
    )]
    Side(String),
}

/// Runs a scenario and draws it.
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    let mut scenario = read(&args.scenario)?;
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    let options = options(args, &scenario.runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>())?;
    refuse_seconds(args, &scenario)?;
    let choice = choice(args)?;
    end_on_signals()?;
    let file = file(args)?;
    let mut session = Session::new(scenario).map_err(ParamErrors)?;
    session.advance(u64::MAX);
    session.set_clock(session.scenario().view.clock.unwrap_or_default());
    session.measure_exactly();
    session.analyse();
    let extras = extras(args, choice, session.scenario())?;
    let format = Format::of(&args.out).unwrap_or_default();
    let bytes = sheet::file(&session.frame(), &options, &extras, format).context("the picture")?;
    Ok(file.write(&bytes).context("the picture")?)
}

/// Refuses plots against seconds: pictures made here have the same bytes at every time and on every machine.
fn refuse_seconds(args: &RenderArgs, scenario: &Scenario) -> Result<(), Failure> {
    let asked = args.against.is_none() && scenario.view.axis == Some(Axis::Seconds);
    let shown = match args.view {
        View::Window => first_tab(&scenario.target) == TOPICS,
        View::Plot(tab) => tab == HELD_OUT,
        View::Canvas => false,
    };
    if asked && shown {
        let problem = "the view of the scenario asks for seconds, which are measured in the window only";
        return Err(Failure::option("against", problem, "gradients or steps"));
    }
    Ok(())
}

/// The file for the picture. One that was not made here is replaced only by force.
fn file(args: &RenderArgs) -> Result<NewFile, Failure> {
    let path = &args.out;
    let allowed = |problem: String, allowed: &str| Failure::option("out", problem, allowed);
    if !is_figure(path) {
        return Err(allowed(
            format!("{} is no name for a picture", path.display()),
            "a name that ends in .png or .svg",
        ));
    }
    if path.is_file() && !args.force && !is_our_figure(path) {
        let problem = format!("{} was not made by this program", path.display());
        return Err(allowed(problem, "a new file, or --force to replace this one"));
    }
    match NewFile::at(path, path.exists()) {
        Err(SaveError::Place(obstacle)) => Err(obstacle.into()),
        file => Ok(file.context("the picture")?),
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
fn extras(args: &RenderArgs, choice: StudyChoice, scenario: &Scenario) -> Result<Extras, Failure> {
    let mut repeats = Vec::new();
    let taken = match args.view.study() {
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
    extras.layers.draws = args.draws.into();
    extras.layers.arrows = args.arrows;
    extras.options = PlotOptions::of_file(&scenario.view);
    extras.options.axis = args.against.map(Axis::from).or(extras.options.axis);
    Ok(extras)
}

/// The options for a figure with these runs.
fn options(args: &RenderArgs, runs: &[&str]) -> Result<ExportOptions, Failure> {
    if !sheet::SCALES.contains(&args.scale) {
        let (low, high) = (sheet::SCALES.start(), sheet::SCALES.end());
        return Err(Failure::option("scale", format!("{} is out of range", args.scale), format!("{low} to {high}")));
    }
    let no_run = |name: &str| Failure::option("run", format!("there is no run \"{}\"", excerpt(name)), runs.join(", "));
    let run = args
        .run
        .as_deref()
        .map_or(Ok(0), |name| runs.iter().position(|run| *run == name).ok_or_else(|| no_run(name)))?;
    let picture = match args.view {
        View::Window => Picture::Sheet,
        View::Canvas => Picture::Canvas(run),
        View::Plot(tab) => Picture::Plot(tab),
    };
    let paper = match args.theme {
        Theme::Light => Paper::Light,
        Theme::Dark => Paper::Dark,
        Theme::Transparent => Paper::Transparent,
    };
    let Size(width, height) = args.size;
    FigureSize::new(width, height, args.scale)?;
    let footer = !args.no_footer;
    Ok(ExportOptions { picture, width, height, scale: args.scale, paper, footer, ..ExportOptions::default() })
}
