//! How the window looks: what is kept from one use to the next, and what is not.

use std::ops::Range;
use std::path::PathBuf;

use egui::Context;
use serde::{Deserialize, Serialize};

use super::dialogs::Dialog;
use super::messages::Messages;
use super::study::Study;
use crate::draw::plots::canvas::Layers;
use crate::draw::plots::coverage::Trail;
use crate::draw::plots::coverage::pin::Pin;
use crate::draw::plots::path::PathChoice;
use crate::draw::sheet::ExportOptions;
use crate::draw::tabs::Tab;
use crate::draw::theme::{Appearance, Scale, Theme};
use crate::math::Bounds;

/// Kept from one use of the window to the next. The scenario is not: that is what files are for.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Prefs {
    /// Light, dark, or as the system has it.
    pub theme: ThemeChoice,
    /// Larger type and fewer panels, for a projector.
    pub present: bool,
    /// The folder of the last file that was opened or saved.
    pub folder: Option<PathBuf>,
    /// Which panels are folded away.
    pub folded: Folded,
    /// Whether every change makes the whole run again, instead of being watched.
    pub instant: bool,
    /// Whether runs that are being watched go on from where they are when the target changes, instead of being made again.
    pub go_on: bool,
    /// Whether the readout shows every measure.
    pub all_measures: bool,
    /// Points of the coverage plot that are kept.
    pub pins: Vec<Pin>,
}

/// Light, dark, or as the system has it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum ThemeChoice {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Panels that are folded away.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(default)]
pub struct Folded {
    /// Target and runs.
    pub left: bool,
    /// Readout and lesson.
    pub right: bool,
    /// Plots.
    pub bottom: bool,
}

impl Prefs {
    /// The theme that is wanted.
    #[must_use]
    pub fn theme(&self, context: &Context) -> Theme {
        let dark = match self.theme {
            ThemeChoice::System => context.system_theme() == Some(egui::Theme::Dark),
            ThemeChoice::Light => false,
            ThemeChoice::Dark => true,
        };
        Theme::new(
            if dark { Appearance::Dark } else { Appearance::Light },
            if self.present { Scale::Present } else { Scale::Desk },
        )
    }
}

/// Title and caption while they are edited.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The title as typed so far.
    pub title: String,
    /// The caption as typed so far.
    pub caption: String,
}

/// What the coverage plot remembers until the window closes.
#[derive(Debug, Default)]
pub struct CoverageState {
    /// Where finished runs were.
    pub trail: Trail,
    /// The pin that is selected, by number.
    pub selected: Option<usize>,
    /// The pins that were removed last, to be put back.
    pub removed: Vec<Pin>,
}

/// Not kept.
#[derive(Debug, Default)]
pub struct View {
    /// The run whose canvas has the middle to itself.
    pub solo: Option<usize>,
    /// Whether all runs share one canvas.
    pub overlay: bool,
    /// The part of the world that canvases show; the target's own if nobody has moved it.
    pub window: Option<Bounds>,
    /// The generation of the frame that is shown while another is asked for that shall be seen whole.
    pub leaving: Option<u64>,
    /// What canvases show.
    pub layers: Layers,
    /// The tab that is open in the bottom panel.
    pub tab: Tab,
    /// The steps that plots show; all of them if nobody has moved them.
    pub range: Option<Range<f64>>,
    /// The coordinate that plots of a single one show: 0 or 1.
    pub coordinate: usize,
    /// The lines that the path plot shows.
    pub path: PathChoice,
    /// What the coverage plot remembers.
    pub coverage: CoverageState,
    /// Whether the Gaussians of a mixture can be moved on the canvases.
    pub editing: bool,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What there is to say.
    pub messages: Messages,
    /// The number of the last refusal that was told.
    pub refusals_told: u64,
    /// Title and caption while they are edited.
    pub draft: Option<Draft>,
    /// How many system dialogs have been asked for.
    pub tickets: u64,
    /// The convergence study.
    pub study: Study,
    /// What the export dialog was last set to.
    pub export: ExportOptions,
    /// Whether the window closes whatever is unsaved.
    pub quitting: bool,
    /// The title that the window was last given.
    pub title: String,
}

impl View {
    /// Gives the middle to the canvas of a run, or back to all.
    pub fn toggle_solo(&mut self, run: usize, runs: usize) {
        self.solo = if self.solo == Some(run) || run >= runs { None } else { Some(run) };
    }

    /// Shows all of the world and all steps again once a frame is there that follows the one of `generation`.
    pub fn leave(&mut self, generation: u64) {
        self.leaving = Some(generation);
    }

    /// Notes that the frame of `generation` is shown now.
    pub fn arrive(&mut self, generation: u64) {
        if self.leaving.take_if(|left| *left != generation).is_some() {
            (self.window, self.range) = (None, None);
        }
    }

    /// Forgets what belongs to runs that are no longer there.
    pub fn fit(&mut self, runs: usize) {
        self.solo = self.solo.filter(|run| *run < runs);
        self.export.picture = self.export.picture.fit(runs);
    }
}
