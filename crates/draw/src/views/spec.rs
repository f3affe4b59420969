//! What a plot tab is: what is known of it before it is open, and what it draws.

use std::fmt;

use egui::Ui;

use super::context::{PlotContext, PlotOptions};
use super::response::TabResponse;
use crate::canvas::CanvasResponse;
use crate::theme::Theme;
use base::params::KindSpec;
use engine::session::Frame;

/// An entry of [`TABS`](super::TABS).
pub type Tab = &'static TabSpec;

/// What is known of a tab before it is open.
pub struct TabSpec {
    /// Its key in files, for `render --view` and in file names, which never changes; its label, its help and its options.
    pub spec: &'static KindSpec,
    /// Whether its plot shows one coordinate at a time. Figures show all coordinates, one plot below the other, unless one is chosen.
    pub by_coordinate: fn(&PlotOptions) -> bool,
    /// What its plot needs of repeats of the scenario.
    pub study: StudyUse,
    /// Whether its plot compares with the truth, or shows the density: it is closed while the truth is hidden.
    pub of_truth: bool,
    /// Whether its plot stands beside the canvases, as large as they are, and not below them.
    pub beside: bool,
    /// Whether its plot shows anything of the runs of a frame. The window offers only such tabs.
    pub applies: fn(&Frame) -> bool,
    /// Makes the tab without pictures.
    pub make: fn() -> Box<dyn PlotTab>,
}

/// What a plot needs of repeats of the scenario with other seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyUse {
    /// No repeats.
    Nothing,
    /// None: a sweep has its own.
    Sweep,
    /// The measure that is chosen for the study.
    ChosenMeasure,
    /// All measures against the truth.
    TruthMeasures,
}

impl StudyUse {
    /// Whether the plot is of repeats.
    #[must_use]
    pub fn repeats(self) -> bool {
        matches!(self, Self::ChosenMeasure | Self::TruthMeasures)
    }
}

/// For plots of one coordinate at a time, and for all others.
pub(super) fn one_coordinate(_: &PlotOptions) -> bool {
    true
}

pub(super) fn no_coordinate(_: &PlotOptions) -> bool {
    false
}

impl PartialEq for TabSpec {
    fn eq(&self, other: &Self) -> bool {
        self.spec.name == other.spec.name
    }
}

impl Eq for TabSpec {}

impl fmt::Debug for TabSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Tab").field(&self.spec.name).finish()
    }
}

/// A plot of the bottom panel with its kept pictures.
pub trait PlotTab: fmt::Debug {
    /// Draws the plot into the space there is.
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse;

    /// Whether what the tab keeps stays when the target changes: it belongs to its target by itself, or to none. Otherwise it is gone.
    fn outlasts_target(&self) -> bool {
        false
    }

    /// How many times as high as others the plot is at first, where it has as much to show as a canvas, or several plots.
    fn height(&self, _frame: &Frame) -> f32 {
        1.0
    }

    /// Adds the controls of the plot to the row of tabs.
    fn tools(&mut self, _ui: &mut Ui, _cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        TabResponse::default()
    }

    /// Paints over the canvas of `runs` while the tab is open.
    fn over_canvas(
        &mut self,
        _ui: &Ui,
        _cx: &PlotContext<'_>,
        (_runs, _canvas): (&[usize], &CanvasResponse),
        _theme: &Theme,
    ) -> TabResponse {
        TabResponse::default()
    }
}
