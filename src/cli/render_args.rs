//! Arguments of `render`: what is drawn, how large, and what stands beside the plots.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use base::params::excerpt;
use draw::canvas::named_layers::{self, DRAWS, EXACT};
use draw::sheet::{
    Dimensions, Draws, ExportOptions, Format, Paper, Parts, Picture, Preset, RESOLUTIONS, Sides, SizeError, Unit,
};
use draw::views::study_choice::MOST_REPEATS;
use draw::views::{TABS, Tab, tab};
use engine::scenario::Scenario;
use engine::scenario::figures::{given, row_count};
use engine::scenario::view::Axis;
use figure::POINTS_PER_INCH;

use super::Failure;
use super::motion::MotionArgs;
use super::numeric::{real, whole};

/// Arguments of `render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    /// A .toml file, a figure made by this program, a link, the name of a lesson, or a folder with .toml files
    pub(super) scenario: PathBuf,
    /// The figure to write: a name that ends in .png, .svg or .pdf; in .pgf or .typ for LaTeX or Typst; in .py or .vl.json for a script of matplotlib or Vega-Lite; in .gif or .apng for one that moves. For a folder of scenarios, the folder for their figures
    #[arg(long)]
    pub(super) out: PathBuf,
    /// Replace a file that was not made by this program
    #[arg(long)]
    pub(super) force: bool,
    /// Write a caption beside each figure as well, as text and for LaTeX, with the keys of cite, whole and in two sentences, and its alternative text: figure.pdf.caption.txt
    #[arg(long)]
    pub(super) caption: bool,
    /// Format of the figures of a folder of scenarios
    #[arg(long, value_parser = format_parser(), default_value = Format::Png.extension())]
    pub(super) format: Format,
    /// What to draw; left out, the panels of the scenario's [figure], or the window. Of several views, separated by commas, each has a file of its own: figure-canvas.png, figure-trace.png
    #[arg(long, value_parser = View::parser(), value_delimiter = ',')]
    pub(super) view: Vec<View>,
    /// The run whose canvas to draw, by name; the first if left out
    #[arg(long)]
    pub(super) run: Option<String>,
    /// A size with a name, with its letters; sides that are given as well take the place of its own
    #[arg(long, value_parser = preset_parser(), conflicts_with_all = ["size", "scale"])]
    pub(super) preset: Option<Preset>,
    /// Width and height in points of a screen; 1600x1000 where no size is given
    #[arg(long, conflicts_with_all = ["mm", "inches"])]
    pub(super) size: Option<Sides>,
    /// Pixels per point; 1 if left out
    #[arg(long, value_parser = real, conflicts_with_all = ["mm", "inches", "dpi", "text"])]
    pub(super) scale: Option<f64>,
    /// Width and height in millimetres: 85x64
    #[arg(long, conflicts_with = "inches")]
    pub(super) mm: Option<Sides>,
    /// Width and height in inches: 3.5x2.5
    #[arg(long)]
    pub(super) inches: Option<Sides>,
    /// Pixels per inch; 300 if left out, or that of the preset
    #[arg(long, value_parser = real)]
    pub(super) dpi: Option<f64>,
    /// Size of the text of plots in points of 1/72 inch; 8 if left out, or that of the preset
    #[arg(long, value_parser = real)]
    pub(super) text: Option<f64>,
    /// Background of the picture
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    pub(super) theme: Theme,
    /// Leave out the lines with methods, parameters and seed
    #[arg(long)]
    pub(super) no_footer: bool,
    /// Show these also: a sheet has all of them, a single plot no title and no caption
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) with: Vec<Part>,
    /// Leave out these
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) without: Vec<Part>,
    /// Use this seed instead of the scenario's
    #[arg(long, value_parser = whole(0..=u64::MAX))]
    pub(super) seed: Option<u64>,
    /// How canvases show the draws; left out, as the scenario says
    #[arg(long, value_parser = draws_parser())]
    pub(super) draws: Option<Draws>,
    /// The exact distribution of runs that canvases show, computed without draws; left out, as the scenario says
    #[arg(long, value_parser = exact_parser())]
    pub(super) exact: Option<String>,
    /// Show on canvases the parts of the newest steps as arrows
    #[arg(long)]
    pub(super) arrows: bool,
    /// For --view truth: the measure, by its key in summary.json; left out, as the scenario says, or tv
    #[arg(long)]
    pub(super) measure: Option<String>,
    /// For --view truth, compare and coverage: number of repeats of the scenario, each with the next seed; left out, as the scenario says, or 8
    #[arg(long, value_parser = whole(1..=MOST_REPEATS))]
    pub(super) repeats: Option<u64>,
    /// Horizontal axis of plots over time: steps or gradient evaluations; left out, as the scenario says
    #[arg(long, value_enum)]
    pub(super) against: Option<Cost>,
    /// For --view truth: the measure on a linear axis
    #[arg(long)]
    pub(super) linear: bool,
    /// Of a network, compute the posterior of its functions by a long HMC run, and show it
    #[arg(long)]
    pub(super) reference: bool,
    // The last: what follows would stand under the heading of these.
    #[command(flatten)]
    pub(super) motion: MotionArgs,
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
    /// The table of measures of a sheet
    Readout,
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
            Self::Readout => &mut parts.readout,
        }
    }
}

/// Parser of `--format`.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let named = |format: Format| PossibleValue::new(format.extension());
    PossibleValuesParser::new(Format::STILL.map(named))
        .try_map(|key| Format::of(Path::new(&format!("x.{key}"))).ok_or("no such format"))
}

/// Parser of `--draws`.
fn draws_parser() -> impl TypedValueParser<Value = Draws> {
    let named = DRAWS.map(|way| PossibleValue::new(way.word).help(way.help));
    PossibleValuesParser::new(named).try_map(|word| named_layers::draws(&word).ok_or("no such way"))
}

/// Parser of `--exact`.
fn exact_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(EXACT.map(|of| PossibleValue::new(of.word).help(of.help)))
}

/// Parser of `--preset`.
fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    let named = |preset: &Preset| PossibleValue::new(preset.key).help(format!("{}: {}", preset.label, preset.size));
    PossibleValuesParser::new(Preset::all().map(|preset| named(&preset)))
        .try_map(|key| Preset::of(&key).ok_or("no such preset"))
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

/// A picture of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The whole sheet: canvases, step sizes, readout.
    Window,
    /// The panels of the scenario's `[figure]`.
    Panels,
    /// The canvas of one run.
    Canvas,
    /// The table of measures.
    Readout,
    /// The plot of a tab.
    Plot(Tab),
}

impl View {
    const WINDOW: &str = "window";
    const FIGURE: &str = "figure";
    const CANVAS: &str = "canvas";
    const READOUT: &str = "readout";

    /// What is drawn of a scenario where nothing else is asked for.
    pub(super) fn usual(scenario: &Scenario) -> Self {
        let has_panels = scenario.view.figure.as_ref().is_some_and(|figure| given(figure, "panels").is_some());
        if has_panels { Self::Panels } else { Self::Window }
    }

    /// Parser of `--view`: the pictures of more than one plot, and the registry of tabs.
    fn parser() -> impl TypedValueParser<Value = Self> {
        let tabs = TABS.iter().map(|tab| PossibleValue::new(tab.spec.name).help(tab.spec.help));
        let values = [
            PossibleValue::new(Self::WINDOW).help("The whole sheet: canvases, step sizes, readout"),
            PossibleValue::new(Self::FIGURE).help("The panels of the scenario's [figure]"),
            PossibleValue::new(Self::CANVAS).help("The canvas of one run"),
            PossibleValue::new(Self::READOUT).help("The table of measures"),
        ];
        PossibleValuesParser::new(values.into_iter().chain(tabs)).map(|key| match tab(&key) {
            Some(tab) => Self::Plot(tab),
            None if key == Self::CANVAS => Self::Canvas,
            None if key == Self::FIGURE => Self::Panels,
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

/// The options for a figure of a scenario.
pub(super) fn options(
    args: &RenderArgs,
    view: View,
    scenario: &Scenario,
    format: Format,
) -> Result<ExportOptions, Failure> {
    let runs: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    let no_run = |name: &str| Failure::option("run", format!("there is no run \"{}\"", excerpt(name)), runs.join(", "));
    let run = args
        .run
        .as_deref()
        .map_or(Ok(0), |name| runs.iter().position(|run| *run == name).ok_or_else(|| no_run(name)))?;
    let picture = match view {
        View::Window => Picture::Sheet,
        View::Panels => Picture::Panels,
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
    let motion = args.motion.of(scenario)?;
    let size = size(args, picture, scenario, format)?;
    Ok(ExportOptions { picture, size, paper, parts, motion, ..ExportOptions::default() })
}

/// The size of the figure.
fn size(args: &RenderArgs, picture: Picture, scenario: &Scenario, format: Format) -> Result<Dimensions, Failure> {
    /// Pixels per inch, and size of text, where only sides on paper are given.
    const PAPER: (f64, f64) = (300.0, 8.0);
    let on_paper = |Sides(sides): Sides, unit| Dimensions { sides, unit, dpi: PAPER.0, text: PAPER.1 };
    let of_screen = || {
        let sides = args.size.unwrap_or(Sides([1600.0, 1000.0]));
        Dimensions::of_points(sides.0, args.scale.unwrap_or(1.0))
    };
    let figure = scenario.view.figure.as_ref();
    // In a place that has any height, panels have that of their rows.
    let rows = if picture == Picture::Panels { row_count(figure) } else { 1 };
    let of_figure = || figure.and_then(|figure| Dimensions::of_figure(figure, rows));
    let preset = args.preset.map(|preset| preset.size.with_rows(1, rows));
    let sides = args.mm.map(|sides| on_paper(sides, Unit::Millimetres));
    let sides = sides.or_else(|| args.inches.map(|sides| on_paper(sides, Unit::Inches)));
    let given = match (preset, sides) {
        (Some(preset), Some(own)) => Some(Dimensions { sides: own.sides, unit: own.unit, ..preset }),
        (preset, sides) => preset.or(sides),
    };
    let mut size = given
        .or_else(|| if args.size.is_none() && args.scale.is_none() { of_figure() } else { None })
        .unwrap_or_else(of_screen);
    if let Some(dpi) = args.dpi {
        // A preset in pixels keeps its size on paper.
        size = Dimensions { dpi, ..size.in_unit(if size.unit == Unit::Pixels { Unit::Inches } else { size.unit }) };
    }
    size.text = args.text.unwrap_or(size.text);
    if format.is_vector() && args.dpi.is_none() {
        size = size.with_possible_pixels();
    }
    match size.figure() {
        Ok(_) => Ok(size),
        Err(error) => Err(wrong_size(args, error)),
    }
}

/// The option that a size is wrong by: the one that was given, and that the error is about.
fn wrong_size(args: &RenderArgs, error: SizeError) -> Failure {
    let resolution = args.dpi.map(|_| "dpi").or(args.scale.map(|_| "scale"));
    let sides = [(args.mm.is_some(), "mm"), (args.inches.is_some(), "inches"), (args.size.is_some(), "size")];
    let sides = sides.into_iter().find(|(given, _)| *given).map(|(_, option)| option);
    let text = args.text.map(|_| "text");
    let option = match error {
        SizeError::Resolution(_) => resolution,
        SizeError::Text(_) => text,
        SizeError::Side { .. } => sides.or(text).or(resolution),
        SizeError::Pixels(_) => resolution.or(sides).or(text),
    };
    if let (SizeError::Resolution(_), Some(scale), None) = (&error, args.scale, args.dpi) {
        let [least, most] = [RESOLUTIONS.start(), RESOLUTIONS.end()].map(|dpi| dpi / f64::from(POINTS_PER_INCH));
        return Failure::option(
            "scale",
            format!("{scale} pixels per point are not possible"),
            format!("{least} to {most}"),
        );
    }
    Failure::Size { option: option.or(args.preset.map(|_| "preset")).unwrap_or("size"), error }
}
