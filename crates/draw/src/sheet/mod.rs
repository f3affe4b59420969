//! Figures: canvases and plots of the window on one sheet of paper.
//!
//! [`draw`] lays out a picture in any [`egui::Ui`]; [`render`] does so without a window and paints the result;
//! [`file()`] makes a file of it, with its scenario inside. The command line and the window call the same.

mod footer;
mod format;
mod layout;
pub mod measuring;
mod motion;
mod size;

use std::sync::Arc;

use egui::Color32;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use format::{Format, ReadError};
pub use layout::draw;
pub use motion::{FRAMES, Motion, Moving, Over, RATES};
pub use size::{Dimensions, Preset, RESOLUTIONS, Sides, SidesError, SizeError, TEXTS, Unit};

use super::named_layers;
use super::plots::Computing;
pub use super::plots::canvas::{Draws, Layers};
use super::plots::coverage::{Trail, pin::Pin};
use super::plots::path;
use super::plots::pointing::Pointed;
use super::tabs::{
    CoverageContext, PlotContext, PlotsOf, ReferenceContext, Seen, StudyContext, SweepContext, TABS, Tab,
};
use super::theme::{self, Appearance, Labels, Scale, Theme};
use base::math::Bounds;
use base::params::ParamErrors;
use engine::scenario::{Scenario, ViewSpec, write};
use engine::session::Frame;
use engine::session::repeats::Repeat;
use engine::session::sweep::{Cell, Findings, SweepPlan, cells_as_csv};
use figure::movie::{Movie, MovieError};
use figure::pdf::Attachment;
use figure::{self, FigureError};

/// The key of the scenario in a figure's file.
pub const SCENARIO_KEY: &str = "scenario";

/// The name of the scenario among the files inside a PDF.
pub const SCENARIO_FILE: &str = "scenario.toml";

/// Content of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Picture {
    /// Title, canvases of all runs, schedule, readout.
    #[default]
    Sheet,
    /// The canvas of one run.
    Canvas(usize),
    /// The table of measures.
    Readout,
    /// One of the plots.
    Plot(Tab),
}

impl Picture {
    /// All pictures of a scenario with this number of runs.
    pub fn all(runs: usize) -> impl Iterator<Item = Self> {
        let canvases = (0..runs).map(Self::Canvas);
        [Self::Sheet].into_iter().chain(canvases).chain([Self::Readout]).chain(TABS.map(Self::Plot))
    }

    /// Its name in the window.
    #[must_use]
    pub fn words(self, scenario: &Scenario) -> String {
        match self {
            Self::Sheet => "Whole sheet".to_owned(),
            Self::Canvas(run) => format!("Canvas of {}", scenario.runs.get(run).map_or("", |run| &run.name)),
            Self::Readout => "Readout".to_owned(),
            Self::Plot(tab) => tab.label.to_owned(),
        }
    }

    /// Its suffix of file names.
    #[must_use]
    pub fn suffix(self) -> String {
        match self {
            Self::Sheet => String::new(),
            Self::Canvas(run) => format!("-canvas-{}", run + 1),
            Self::Readout => "-readout".to_owned(),
            Self::Plot(tab) => format!("-{}", tab.key),
        }
    }

    /// The same, or the whole sheet if its run no longer exists.
    #[must_use]
    pub fn fit(self, runs: usize) -> Self {
        match self {
            Self::Canvas(run) if run >= runs => Self::Sheet,
            other => other,
        }
    }
}

/// Background of a figure.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum Paper {
    /// White.
    #[default]
    Light,
    /// Near-black.
    Dark,
    /// Transparent, with the colours for white paper.
    Transparent,
}

impl Paper {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Light, "Light"), (Self::Dark, "Dark"), (Self::Transparent, "Transparent")];
}

/// What a figure shows beside its plots.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Parts {
    /// The title of the scenario.
    pub title: bool,
    /// What to watch, below the title.
    pub caption: bool,
    /// Names and markers of runs, and legends.
    pub legend: bool,
    /// Names of the axes.
    pub axis_labels: bool,
    /// Methods, parameters and seed, below everything.
    pub footer: bool,
}

impl Parts {
    /// Those of a picture at first: a sheet has all, a single plot no title and no caption.
    #[must_use]
    pub fn of(picture: Picture) -> Self {
        let sheet = picture == Picture::Sheet;
        Self { title: sheet, caption: sheet, legend: true, axis_labels: true, footer: true }
    }
}

/// Options of a figure.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ExportOptions {
    /// Its content, which belongs to a scenario.
    #[serde(skip)]
    pub picture: Picture,
    /// Its size.
    pub size: Dimensions,
    /// Its background.
    pub paper: Paper,
    /// Its format, where no file says otherwise.
    pub format: Format,
    /// What it shows beside its plots.
    pub parts: Parts,
    /// How it moves, in a format that does.
    #[serde(default)]
    pub motion: Motion,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            picture: Picture::Sheet,
            size: Dimensions::default(),
            paper: Paper::Light,
            format: Format::Png,
            parts: Parts::of(Picture::Sheet),
            motion: Motion::default(),
        }
    }
}

impl ExportOptions {
    /// Takes another picture. What is beside it becomes what that picture has at first where it is of another kind.
    pub fn choose(&mut self, picture: Picture) {
        if (picture == Picture::Sheet) != (self.picture == Picture::Sheet) {
            let Parts { title, caption, .. } = Parts::of(picture);
            self.parts = Parts { title, caption, ..self.parts };
        }
        self.picture = picture;
    }

    /// The colour behind the figure; transparent paper has none.
    fn background(&self) -> Option<Color32> {
        (self.paper != Paper::Transparent).then(|| self.theme().paper)
    }

    /// The theme of the figure.
    #[must_use]
    pub fn theme(&self) -> Theme {
        let appearance = if self.paper == Paper::Dark { Appearance::Dark } else { Appearance::Light };
        let Parts { legend: legends, axis_labels: axes, .. } = self.parts;
        let mut theme = Theme::new(appearance, Scale::Desk);
        theme.labels = Labels { legends, axes, whole: true, remarks: true };
        theme
    }
}

/// The cells of a sweep.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The sweep.
    pub plan: Arc<SweepPlan>,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// The Pareto front and the answers to questions; `None` while cells are missing.
    pub findings: Option<Arc<Findings>>,
}

impl Swept {
    /// All cells as CSV, a line for each seed of a cell: the values of the axes, the seed, evaluations, diverged chains, and the measures,
    /// with all digits. What has no value is empty.
    #[must_use]
    pub fn table(&self) -> String {
        cells_as_csv(&self.plan, &self.cells)
    }

    fn context(&self) -> SweepContext<'_> {
        let Self { plan, cells, findings } = self;
        SweepContext { plan: Some(plan), cells, findings: findings.as_deref(), ..SweepContext::default() }
    }
}

/// Input of some plots besides the frame. [`Extras::of`] makes it of a view; the rest is what was computed or kept.
#[derive(Clone, Debug)]
pub struct Extras {
    /// Options of plots.
    pub seen: Seen,
    /// The repeats of the convergence plot.
    pub repeats: Vec<Repeat>,
    /// Whether they are of an earlier version of the scenario.
    pub stale: bool,
    /// The sweep of the map.
    pub sweep: Option<Swept>,
    /// The draw that is marked, as if the pointer were at it.
    pub pointed: Pointed,
    /// The draws that were picked for the path plot, and its cycle.
    pub path: path::PathChoice,
    /// The points of finished runs in the coverage plot.
    pub trail: Trail,
    /// The pins of the coverage plot.
    pub pins: Vec<Pin>,
    /// The layers of the canvases.
    pub layers: Layers,
    /// The view that is written into the file, from which options, layers and cycle follow. Its measures are in the readout.
    pub view: ViewSpec,
}

impl Default for Extras {
    /// The defaults of the window, without trails, which belong to moving pictures.
    fn default() -> Self {
        Self {
            seen: Seen::default(),
            repeats: Vec::new(),
            stale: false,
            sweep: None,
            pointed: Pointed::default(),
            path: path::PathChoice::default(),
            trail: Trail::default(),
            pins: Vec::new(),
            layers: Layers { trail: false, ..Layers::default() },
            view: ViewSpec::default(),
        }
    }
}

impl Extras {
    /// What a view shows: of the same one every figure is the same.
    #[must_use]
    pub fn of(view: ViewSpec) -> Self {
        let usual = Self::default();
        let seen = Seen::of_file(&view);
        let path = path::PathChoice::of_cycle(seen.cycle);
        Self { seen, path, layers: named_layers::of_file(&view, usual.layers), view, ..usual }
    }

    /// The runs that the view shows, by number: all, where it names none of them.
    fn runs(&self, frame: &Frame) -> Vec<usize> {
        let named = |name: &str| self.view.runs.as_ref().is_none_or(|names| names.iter().any(|shown| shown == name));
        let shown: Vec<usize> = (0..frame.runs.len()).filter(|run| named(&frame.runs[*run].plan.name)).collect();
        if shown.is_empty() { (0..frame.runs.len()).collect() } else { shown }
    }

    /// The part of the plane on the canvases.
    fn area(&self, frame: &Frame) -> Bounds {
        let usual = frame.target.info().view;
        self.view.area.map_or(usual, |[x, y]| Bounds::new((x[0], x[1]), (y[0], y[1])))
    }

    /// The input of plots with these runs.
    fn context<'a>(&'a self, frame: &'a Frame, runs: &'a [usize]) -> PlotContext<'a> {
        PlotContext {
            frame,
            edited: None,
            range_test: None,
            runs,
            range: self.seen.range.clone(),
            coordinate: self.seen.coordinate.unwrap_or(0).min(frame.target.info().dimension - 1),
            options: self.seen.options,
            truth: self.layers.truth,
            by_chain: self.layers.draws == Draws::ByChain,
            computing: Computing::Now,
            study: StudyContext {
                choice: self.seen.choice,
                repeats: &self.repeats,
                stale: self.stale,
                ..StudyContext::default()
            },
            sweep: self.sweep.as_ref().map_or_else(SweepContext::default, Swept::context),
            reference: ReferenceContext::default(),
            pointed: &self.pointed,
            path: &self.path,
            coverage: CoverageContext { trail: &self.trail, pins: &self.pins, selected: None, restorable: false },
        }
    }
}

/// Draws a figure without a window.
///
/// # Errors
/// If the size is not possible.
pub fn render(frame: &Frame, options: &ExportOptions, extras: &Extras) -> Result<figure::Picture, DrawError> {
    Ok(lay_out(frame, options, extras, Format::Png)?.paint(options.background())?)
}

/// Lays out a figure for a format.
fn lay_out(
    frame: &Frame,
    options: &ExportOptions,
    extras: &Extras,
    format: Format,
) -> Result<figure::Layout, DrawError> {
    let theme = options.theme();
    let setup = |context: &egui::Context| {
        theme::install_fonts(context);
        theme::apply(context, &theme);
        if options.paper == Paper::Transparent {
            theme::leave_out_paper(context);
        }
        if format.is_vector() {
            figure::vector::ask_for_shapes(context);
        }
    };
    let mut plots = PlotsOf::default();
    let draw = |ui: &mut egui::Ui| draw(ui, frame, &theme, (options, extras), &mut plots);
    Ok(figure::lay_out(options.size.figure()?, setup, draw)?)
}

/// Reason for a missing figure.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The size is not possible.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The picture does not fit into a PNG.
    #[error(transparent)]
    Png(#[from] figure::png::PngError),
    /// The page cannot be written as SVG.
    #[error(transparent)]
    Svg(#[from] figure::svg::SvgError),
    /// The page cannot be written as PDF.
    #[error(transparent)]
    Pdf(#[from] figure::pdf::PdfError),
    /// The pictures cannot be written one after another.
    #[error(transparent)]
    Movie(#[from] MovieError),
    /// The experiment at a moment of a figure that moves cannot be built.
    #[error(transparent)]
    Scenario(#[from] ParamErrors),
}

/// Draws a figure as a file with its scenario inside.
///
/// # Errors
/// If the size is not possible.
pub fn file(frame: &Frame, options: &ExportOptions, extras: &Extras, format: Format) -> Result<Vec<u8>, DrawError> {
    let scenario = Scenario { view: extras.view.clone(), ..frame.scenario.as_ref().clone() };
    let text = write(&scenario);
    let texts = [(SCENARIO_KEY, text.as_str())];
    let layout = lay_out(frame, options, extras, format)?;
    let background = options.background();
    Ok(match format {
        Format::Png => figure::png::encode(&layout.paint(background)?, &texts)?,
        Format::Svg => figure::svg::encode(&layout.page()?, background, &texts)?,
        Format::Pdf => {
            let (name, kind) = (SCENARIO_FILE, "application/toml");
            let scenario = Attachment { name, description: "The experiment of this figure", kind, text: &text };
            figure::pdf::encode(&layout.page()?, background, &frame.scenario.title, &[scenario])?
        }
        Format::Gif => Movie::gif(&layout.paint(background)?, 1, &text)?.finish()?,
        Format::Apng => Movie::apng(&layout.paint(background)?, 1, 1, &texts)?.finish()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::testing::{Fake, Recipe, frame};
    use models::targets::Target;

    /// Every picture: what is opaque are lines, text and shades, a small part of it.
    #[test]
    fn transparent_figures_are_transparent_behind_their_plots() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let frame = frame(Fake::grid(), &[recipe]);
        let clear = |picture, paper| {
            let parts = Parts { footer: false, ..Parts::of(picture) };
            let size = Dimensions::of_points([400.0, 300.0], 1.0);
            let options = ExportOptions { picture, size, paper, parts, ..ExportOptions::default() };
            let drawn = render(&frame, &options, &Extras::default()).unwrap();
            let clear = drawn.pixels().iter().filter(|pixel| pixel[3] == 0).count();
            clear as f64 / drawn.pixels().len() as f64
        };
        for picture in Picture::all(1) {
            assert!(clear(picture, Paper::Transparent) > 0.5, "{picture:?}: {}", clear(picture, Paper::Transparent));
        }
        assert!(clear(Picture::Plot(TABS[0]), Paper::Light) < 1e-9);
    }

    /// Views without ends, without width and the wrong way round, and values that are no numbers: each plot, and each canvas, is drawn.
    #[test]
    fn no_plot_breaks_down_where_there_is_no_range() {
        let (nan, infinite) = (f64::NAN, f64::INFINITY);
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let size = Dimensions::of_points([300.0, 220.0], 1.0);
        for (low, high) in [(nan, nan), (-infinite, infinite), (1.0, 1.0), (3.0, -3.0)] {
            let mut made = frame(Fake::grid(), &[recipe]);
            let view = Bounds::new((low, high), (low, high));
            let extras =
                Extras { view: ViewSpec { area: Some([[low, high]; 2]), ..ViewSpec::default() }, ..Extras::default() };
            for picture in Picture::all(1).filter(|picture| !matches!(picture, Picture::Plot(_))) {
                let drawn = render(&made, &ExportOptions { picture, size, ..ExportOptions::default() }, &extras);
                assert!(drawn.is_ok(), "{picture:?}: {low} to {high}");
            }
            made.target = Target::plane(Arc::new(Fake::grid().seen_in(view))).into();
            made.runs[0].positions.fill(base::math::Point::repeat(low));
            let mut measures = made.runs[0].measures.as_ref().clone();
            measures.iter_mut().for_each(|measure| measure.value = Some(low));
            made.runs[0].measures = Arc::new(measures);
            for tab in TABS.into_iter().filter(|tab| (tab.applies)(&made)) {
                let options = ExportOptions { picture: Picture::Plot(tab), size, ..ExportOptions::default() };
                assert!(render(&made, &options, &Extras::default()).is_ok(), "{}: {low} to {high}", tab.key);
            }
        }
    }

    /// A letter and the bar above it are two glyphs, which egui both calls by the letter.
    #[test]
    fn letters_with_marks_are_whole_in_vector_figures() {
        let setup = |context: &egui::Context| {
            theme::install_fonts(context);
            figure::vector::ask_for_shapes(context);
        };
        let size = figure::FigureSize::new(200, 40, 1.0).unwrap();
        let words = "largest p\u{304}p, p\u{304} of";
        let layout = figure::lay_out(size, setup, |ui| drop(ui.label(words))).unwrap();
        let page = layout.page().unwrap();
        let text = |marked: &figure::vector::Clipped| match &marked.mark {
            figure::vector::Mark::Text(piece) => Some(piece.text.clone()),
            _ => None,
        };
        let found: String = page.marks.iter().filter_map(text).collect();
        assert_eq!(found.replace(' ', ""), words.replace(' ', ""));
    }
}
