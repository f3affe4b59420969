//! Preferences: what the window keeps from one start to the next. The scenario is not among them: it is saved to a file.

use std::path::{Path, PathBuf};

use egui::Context;
use serde::{Deserialize, Serialize};

use super::folding::Folded;
use crate::draw::plots::coverage::pin::Pin;
use crate::draw::sheet::{Dimensions, ExportOptions};
use crate::draw::theme::{Appearance, Scale, Theme};
use crate::scenario::Pacing;
use crate::scenario::view::Shade;

/// The preferences of a person.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Prefs {
    /// Light, dark, or as the system.
    pub theme: ThemeChoice,
    /// Whether type is larger and panels are fewer, for a projector.
    pub present: bool,
    /// The folder of the file that was opened or saved last.
    pub folder: Option<PathBuf>,
    /// The files that were opened or saved last, newest first.
    pub recent: Vec<PathBuf>,
    /// The panels that a person has folded or unfolded.
    #[serde(rename = "folding")]
    pub folded: Folded,
    /// Whether runs are shown finished (Instant), not step by step (Watch).
    pub instant: bool,
    /// Whether chains are kept when the target changes in Watch; otherwise the runs start again.
    #[serde(rename = "go_on")]
    pub keep_chains: bool,
    /// Whether the readout shows every measure.
    pub all_measures: bool,
    /// The pins of the coverage plot.
    pub pins: Vec<Pin>,
    /// The options of the figure that was exported or copied last.
    pub figure: ExportOptions,
    /// The address of the page that links lead to.
    pub address: String,
}

/// The colours of the window.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum ThemeChoice {
    /// As the system.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The most recent files that are remembered.
const RECENT: usize = 8;

impl Prefs {
    /// Notes that a file was opened or saved.
    pub fn note_recent(&mut self, path: &Path) {
        // The next start may be in another folder.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // A path that is no text cannot be in the preferences.
        if path.to_str().is_some() {
            self.recent.retain(|known| *known != path);
            self.recent.insert(0, path);
            self.recent.truncate(RECENT);
        }
    }

    /// The options of the next figure: those of the last one, with a size that is possible.
    #[must_use]
    pub fn figure(&self) -> ExportOptions {
        let mut options = self.figure.clone();
        if options.size.figure().is_err() {
            options.size = Dimensions::default();
        }
        options
    }

    /// Watch or Instant.
    #[must_use]
    pub fn pace(&self) -> Pacing {
        if self.instant { Pacing::Instant } else { Pacing::Watch }
    }

    /// The theme that follows from the preferences and the system; a scenario may ask for its colours.
    #[must_use]
    pub fn theme(&self, context: &Context, asked: Option<Shade>) -> Theme {
        let dark = match (asked, self.theme) {
            (Some(shade), _) => shade == Shade::Dark,
            (None, ThemeChoice::System) => context.system_theme() == Some(egui::Theme::Dark),
            (None, ThemeChoice::Light) => false,
            (None, ThemeChoice::Dark) => true,
        };
        Theme::new(
            if dark { Appearance::Dark } else { Appearance::Light },
            if self.present { Scale::Present } else { Scale::Desk },
        )
    }
}
