//! Figures: canvases and plots of the window on one sheet of paper.
//!
//! [`draw`] lays out a picture in any [`egui::Ui`]; [`render`] does so without a window and paints the result;
//! [`file()`] makes a file of it, with its scenario inside. The command line and the window call the same.

mod footer;
mod format;
mod layout;

use std::ops::RangeInclusive;

use egui::Color32;
use thiserror::Error;

pub use format::{Format, ReadError};
pub use layout::draw;

use super::plots::Computing;
pub use super::plots::canvas::{Draws, Layers};
use super::plots::coverage::Trail;
use super::plots::coverage::pin::Pin;
use super::plots::path;
use super::plots::pointing::Pointed;
use super::study_choice::StudyChoice;
use super::tabs::{CoverageContext, PlotContext, PlotOptions, Plots, ReferenceContext, StudyContext, TABS, Tab};
use super::theme::{self, Appearance, Scale, Theme};
use crate::figure::{self, FigureError, FigureSize};
use crate::scenario::{Scenario, ViewSpec, write};
use crate::session::Frame;
use crate::session::repeats::Repeat;

/// Allowed width and height, in points.
pub const SIDES: RangeInclusive<u32> = 200..=8000;

/// Allowed pixels per point.
pub const SCALES: RangeInclusive<f32> = 0.5..=4.0;

/// The key of the scenario in a figure's file.
pub const SCENARIO_KEY: &str = "scenario";

/// Content of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Picture {
    /// Title, canvases of all runs, schedule, readout.
    #[default]
    Sheet,
    /// The canvas of one run.
    Canvas(usize),
    /// One of the plots.
    Plot(Tab),
}

impl Picture {
    /// All pictures of a scenario with this number of runs.
    pub fn all(runs: usize) -> impl Iterator<Item = Self> {
        [Self::Sheet].into_iter().chain((0..runs).map(Self::Canvas)).chain(TABS.map(Self::Plot))
    }

    /// Its name in the window.
    #[must_use]
    pub fn words(self, scenario: &Scenario) -> String {
        match self {
            Self::Sheet => "Whole sheet".to_owned(),
            Self::Canvas(run) => format!("Canvas of {}", scenario.runs.get(run).map_or("", |run| &run.name)),
            Self::Plot(tab) => tab.label.to_owned(),
        }
    }

    /// Its suffix of file names.
    #[must_use]
    pub fn suffix(self) -> String {
        match self {
            Self::Sheet => String::new(),
            Self::Canvas(run) => format!("-canvas-{}", run + 1),
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// Options of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// Its content.
    pub picture: Picture,
    /// Width in points.
    pub width: u32,
    /// Height in points.
    pub height: u32,
    /// Pixels per point.
    pub scale: f32,
    /// Its background.
    pub paper: Paper,
    /// Its format, where no file says otherwise.
    pub format: Format,
    /// Whether methods, parameters and seed are below.
    pub footer: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            picture: Picture::Sheet,
            width: 1600,
            height: 1000,
            scale: 2.0,
            paper: Paper::Light,
            format: Format::Png,
            footer: true,
        }
    }
}

impl ExportOptions {
    /// Width and height in pixels.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few thousand"
    )]
    pub fn pixels(&self) -> [u32; 2] {
        [self.width, self.height].map(|side| (side as f32 * self.scale).round() as u32)
    }

    /// The colour behind the figure; transparent paper has none.
    fn background(&self) -> Option<Color32> {
        (self.paper != Paper::Transparent).then(|| self.theme().paper)
    }

    /// The theme of the figure.
    #[must_use]
    pub fn theme(&self) -> Theme {
        Theme::new(if self.paper == Paper::Dark { Appearance::Dark } else { Appearance::Light }, Scale::Desk)
    }
}

/// Input of some plots besides the frame.
#[derive(Clone, Debug)]
pub struct Extras {
    /// The measure, its axes and the number of repeats of the convergence plot.
    pub choice: StudyChoice,
    /// The repeats of the convergence plot.
    pub repeats: Vec<Repeat>,
    /// The draw that is marked, as if the pointer were at it.
    pub pointed: Pointed,
    /// The chosen line of the path plot.
    pub path: path::PathChoice,
    /// The points of finished runs in the coverage plot.
    pub trail: Trail,
    /// The pins of the coverage plot.
    pub pins: Vec<Pin>,
    /// The layers of the canvases.
    pub layers: Layers,
    /// Options of single plots.
    pub options: PlotOptions,
    /// The view that is written into the file. Its measures are in the readout.
    pub view: ViewSpec,
}

impl Default for Extras {
    /// The defaults of the window, without trails, which belong to moving pictures.
    fn default() -> Self {
        Self {
            choice: StudyChoice::default(),
            repeats: Vec::new(),
            pointed: Pointed::default(),
            path: path::PathChoice::default(),
            trail: Trail::default(),
            pins: Vec::new(),
            layers: Layers { trail: false, ..Layers::default() },
            options: PlotOptions::default(),
            view: ViewSpec::default(),
        }
    }
}

impl Extras {
    /// The input of plots with these runs over their whole length.
    fn context<'a>(&'a self, frame: &'a Frame, runs: &'a [usize]) -> PlotContext<'a> {
        PlotContext {
            frame,
            edited: None,
            range_test: None,
            runs,
            range: None,
            coordinate: 0,
            options: self.options,
            truth: self.layers.truth,
            by_chain: self.layers.draws == Draws::ByChain,
            computing: Computing::Now,
            study: StudyContext { choice: self.choice, repeats: &self.repeats, ..StudyContext::default() },
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
pub fn render(frame: &Frame, options: &ExportOptions, extras: &Extras) -> Result<figure::Picture, FigureError> {
    lay_out(frame, options, extras, Format::Png)?.paint(options.background())
}

/// Lays out a figure for a format.
fn lay_out(
    frame: &Frame,
    options: &ExportOptions,
    extras: &Extras,
    format: Format,
) -> Result<figure::Layout, FigureError> {
    let theme = options.theme();
    let size = FigureSize::new(options.width, options.height, options.scale)?;
    let setup = |context: &egui::Context| {
        theme::install_fonts(context);
        theme::apply(context, &theme);
        if options.paper == Paper::Transparent {
            theme::leave_out_paper(context);
        }
        if format == Format::Svg {
            figure::vector::ask_for_shapes(context);
        }
    };
    let mut plots = Plots::default();
    figure::lay_out(size, setup, |ui| draw(ui, frame, &theme, (options, extras), &mut plots))
}

/// Reason for a missing figure.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The size is not possible.
    #[error(transparent)]
    Size(#[from] FigureError),
    /// The picture does not fit into a PNG.
    #[error(transparent)]
    Png(#[from] figure::png::PngError),
    /// The page cannot be written as SVG.
    #[error(transparent)]
    Svg(#[from] figure::svg::SvgError),
}

/// Draws a figure as a file with its scenario inside.
///
/// # Errors
/// If the size is not possible.
pub fn file(frame: &Frame, options: &ExportOptions, extras: &Extras, format: Format) -> Result<Vec<u8>, DrawError> {
    let scenario = Scenario { view: extras.view.clone(), ..frame.scenario.as_ref().clone() };
    let scenario = write(&scenario);
    let texts = [(SCENARIO_KEY, scenario.as_str())];
    let layout = lay_out(frame, options, extras, format)?;
    let background = options.background();
    Ok(match format {
        Format::Png => figure::png::encode(&layout.paint(background)?, &texts)?,
        Format::Svg => figure::svg::encode(&layout.page()?, background, &texts)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::plots::testing::{Fake, Recipe, frame};

    /// Every picture: what is opaque are lines, text and shades, a small part of it.
    #[test]
    fn transparent_figures_are_transparent_behind_their_plots() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let frame = frame(Fake::grid(), &[recipe]);
        let clear = |picture, paper| {
            let size = ExportOptions { width: 400, height: 300, scale: 1.0, footer: false, ..ExportOptions::default() };
            let options = ExportOptions { picture, paper, ..size };
            let drawn = render(&frame, &options, &Extras::default()).unwrap();
            let clear = drawn.pixels().iter().filter(|pixel| pixel[3] == 0).count();
            clear as f64 / drawn.pixels().len() as f64
        };
        for picture in Picture::all(1) {
            assert!(clear(picture, Paper::Transparent) > 0.5, "{picture:?}: {}", clear(picture, Paper::Transparent));
        }
        assert!(clear(Picture::Plot(TABS[0]), Paper::Light) < 1e-9);
    }
}
