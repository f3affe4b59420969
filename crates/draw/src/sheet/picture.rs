//! What a figure shows: the whole sheet, a canvas, the readout or a plot.

use crate::views::{TABS, Tab, instead_of_canvases, tab};
use engine::scenario::Scenario;
use engine::session::Frame;

/// Content of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Picture {
    /// Title, canvases of all runs, schedule, readout.
    #[default]
    Sheet,
    /// The panels that the `[figure]` of the scenario names.
    Panels,
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
        [Self::Sheet, Self::Panels].into_iter().chain(canvases).chain([Self::Readout]).chain(TABS.map(Self::Plot))
    }

    /// Whether it shows something of the present runs.
    #[must_use]
    pub fn applies(self, frame: &Frame) -> bool {
        if let Self::Plot(tab) = self { (tab.applies)(frame) } else { true }
    }

    /// Its name in the window.
    #[must_use]
    pub fn words(self, scenario: &Scenario) -> String {
        match self {
            Self::Sheet => "Whole sheet".to_owned(),
            Self::Panels => "Panels of the figure".to_owned(),
            Self::Canvas(run) => format!("Canvas of {}", scenario.runs.get(run).map_or("", |run| &run.name)),
            Self::Readout => "Readout".to_owned(),
            Self::Plot(tab) => tab.spec.label.to_owned(),
        }
    }

    /// Its word, by which it is remembered; canvases of all runs have one.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Sheet => "sheet",
            Self::Panels => "panels",
            Self::Canvas(_) => "canvas",
            Self::Readout => "readout",
            Self::Plot(tab) => tab.spec.name,
        }
    }

    /// The picture with a word, of the first run where it is a canvas.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let known = [Self::Sheet, Self::Panels, Self::Canvas(0), Self::Readout];
        known.into_iter().find(|picture| picture.word() == word).or_else(|| tab(word).map(Self::Plot))
    }

    /// What most people need of an experiment: the canvas of its run; the whole sheet of several, or where something stands in the place of
    /// canvases.
    #[must_use]
    pub fn usual(frame: &Frame) -> Self {
        if frame.runs.len() == 1 && instead_of_canvases(frame).is_none() { Self::Canvas(0) } else { Self::Sheet }
    }

    /// Its suffix of file names.
    #[must_use]
    pub fn suffix(self) -> String {
        match self {
            Self::Sheet => String::new(),
            Self::Panels => "-figure".to_owned(),
            Self::Canvas(run) => format!("-canvas-{}", run + 1),
            Self::Readout => "-readout".to_owned(),
            Self::Plot(tab) => format!("-{}", tab.spec.name),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_is_found_by_its_word() {
        for picture in Picture::all(1) {
            assert_eq!(Picture::of_word(picture.word()), Some(picture));
        }
        assert_eq!((Picture::of_word(""), Picture::of_word("poster")), (None, None));
    }
}
