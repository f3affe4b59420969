//! Options of figures: content, size, background, format and motion.

use egui::Color32;
use serde::{Deserialize, Serialize};

use base::params::Settings;
use engine::scenario::figures::row_count;

use crate::theme::{Appearance, Labels, Scale, Theme};

use super::format::Format;
use super::motion::Motion;
use super::picture::Picture;
use super::size::Dimensions;

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
    /// The readout of a sheet.
    #[serde(default = "yes")]
    pub readout: bool,
}

/// What figures have that were chosen before there was a choice.
fn yes() -> bool {
    true
}

impl Parts {
    /// Those of a picture at first: a sheet has all, a single plot no title and no caption, and panels no footer either: a document has its own.
    #[must_use]
    pub fn of(picture: Picture) -> Self {
        let sheet = picture == Picture::Sheet;
        let footer = picture != Picture::Panels;
        Self { title: sheet, caption: sheet, legend: true, axis_labels: true, footer, readout: true }
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
    /// Takes another picture. What is beside it becomes what that picture has at first where it is of another kind. In a place that has any
    /// height, panels have that of their rows in the `[figure]` of the scenario.
    pub fn choose(&mut self, picture: Picture, figure: Option<&Settings>) {
        let rows = |picture| if picture == Picture::Panels { row_count(figure) } else { 1 };
        self.size = self.size.with_rows(rows(self.picture), rows(picture));
        let [before, after] = [self.picture, picture].map(Parts::of);
        if before != after {
            let Parts { title, caption, footer, .. } = after;
            self.parts = Parts { title, caption, footer, ..self.parts };
        }
        self.picture = picture;
    }

    /// Takes the size that a `[figure]` says, at the resolution and in the unit that were chosen.
    pub fn follow(&mut self, figure: &Settings) {
        if let Some(size) = Dimensions::of_figure(figure, row_count(Some(figure))) {
            let size = Dimensions { dpi: self.size.dpi, ..size };
            self.size = if self.size.unit == size.unit { size } else { size.in_unit(self.size.unit) };
        }
    }

    /// The colour behind the figure; transparent paper has none.
    pub(super) fn background(&self) -> Option<Color32> {
        (self.paper != Paper::Transparent).then(|| self.theme().paper)
    }

    /// The theme of the figure.
    #[must_use]
    pub fn theme(&self) -> Theme {
        let appearance = if self.paper == Paper::Dark { Appearance::Dark } else { Appearance::Light };
        let Parts { legend: legends, axis_labels: axes, .. } = self.parts;
        let mut theme = Theme::new(appearance, Scale::Screen);
        theme.labels = Labels { legends, axes, whole: true, remarks: true };
        theme
    }
}
