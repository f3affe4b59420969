//! Preferences: what the window keeps from one start to the next. The scenario is not among them: it is saved to a file.

#[cfg(not(target_arch = "wasm32"))]
use std::collections::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use egui::Context;
use serde::{Deserialize, Deserializer, Serialize};

use super::folding::Folded;
use draw::sheet::{Dimensions, ExportOptions};
use draw::theme::{Appearance, Scale, Theme};
use draw::views::coverage::pin::Pin;
use engine::scenario::Pacing;
use engine::scenario::view::Shade;

/// The preferences of a person.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Prefs {
    /// Light, dark, or as the system.
    pub theme: ThemeChoice,
    /// Whether type is larger and panels are fewer, for a projector. Ends with the window: what is opened next may be for a person alone.
    #[serde(skip_serializing, deserialize_with = "ended")]
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
    /// The names of the lessons whose answer was shown.
    pub answered: BTreeSet<String>,
    /// The names of the lessons whose runs have moved.
    pub seen: BTreeSet<String>,
    /// The pins of the coverage plot.
    pub pins: Vec<Pin>,
    /// The options of the figure that was exported or copied last.
    pub figure: ExportOptions,
    /// The word of its picture; empty if none was exported.
    pub picture: String,
    /// The address of the page that links lead to.
    pub address: String,
    /// Sizes of panels that a person has dragged, in points, by the names of the panels.
    pub panels: BTreeMap<String, f32>,
    /// How much larger everything is than usual; 0 if nothing was chosen.
    zoom: f32,
}

/// Smallest and largest zoom; egui goes as far with keys.
const ZOOMS: (f32, f32) = (0.2, 5.0);

/// The key of the preferences in the file of eframe.
pub const KEY: &str = "preferences";

/// The key of the position and the size of the window there.
#[cfg(not(target_arch = "wasm32"))]
const WINDOW: &str = "window";

/// The preferences in the text of a file of eframe, before it opens a window, and the text that has to take its place, if one has to.
/// What cannot be read is as if it were not there.
///
/// A window whose position or size is no number is left out of the new text: eframe would open a window of a few points.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn read(text: &str) -> (Prefs, Option<String>) {
    let mut values: HashMap<String, String> = ron::from_str(text).unwrap_or_default();
    let prefs = values.get(KEY).and_then(|text| ron::from_str(text).ok()).unwrap_or_default();
    let window = values.remove(WINDOW).filter(|window| ["NaN", "inf"].iter().any(|odd| window.contains(odd)));
    (prefs, window.and_then(|_| ron::to_string(&values).ok()))
}

/// That nothing is presented, whatever was kept.
fn ended<'de, D: Deserializer<'de>>(kept: D) -> Result<bool, D::Error> {
    bool::deserialize(kept).map(|_| false)
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
    /// How much larger everything is than usual.
    #[must_use]
    pub fn zoom(&self) -> f32 {
        if self.zoom.is_finite() && self.zoom > 0.0 { self.zoom.clamp(ZOOMS.0, ZOOMS.1) } else { 1.0 }
    }

    /// Notes how much larger everything is.
    pub fn note_zoom(&mut self, zoom: f32) {
        self.zoom = zoom;
    }

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

    /// Notes that a lesson was seen: its runs have moved.
    pub fn note_seen(&mut self, lesson: &str) {
        if !self.seen.contains(lesson) {
            self.seen.insert(lesson.to_owned());
        }
    }

    /// Notes that the answer of a lesson was shown.
    pub fn note_answered(&mut self, lesson: &str) {
        if !self.answered.contains(lesson) {
            self.answered.insert(lesson.to_owned());
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
        let theme = Theme::new(
            if dark { Appearance::Dark } else { Appearance::Light },
            if self.present { Scale::Present } else { Scale::Screen },
        );
        theme.before_audience(context.content_rect().size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_that_shows_nothing_is_none() {
        for (zoom, expected) in
            [(0.0, 1.0), (-1.0, 1.0), (f32::NAN, 1.0), (f32::INFINITY, 1.0), (1e30, 5.0), (1.25, 1.25), (1e-9, 0.2)]
        {
            let prefs = Prefs { zoom, ..Prefs::default() };
            assert_eq!(prefs.zoom().to_bits(), f32::to_bits(expected), "{zoom}");
        }
    }

    #[test]
    fn what_cannot_be_read_of_preferences_is_as_if_it_were_not_there() {
        let prefs = Prefs { zoom: 1.5, keep_chains: true, ..Prefs::default() };
        let values = HashMap::from([(KEY.to_owned(), ron::to_string(&prefs).unwrap())]);
        let text = ron::to_string(&values).unwrap();
        assert_eq!(read(&text), (prefs, None));
        for damaged in ["", "{", "(1)", &text[..text.len() / 2], &text.replace("true", "maybe"), &"[".repeat(100_000)] {
            assert_eq!(read(damaged), (Prefs::default(), None), "{damaged:.40}");
        }
    }

    #[test]
    fn a_window_without_a_size_is_left_out() {
        let text = |size: &str| {
            let values = HashMap::from([
                (KEY, "(go_on:true,present:true)".to_owned()),
                (WINDOW, format!("(inner_size_points:Some((x:{size})))")),
            ]);
            ron::to_string(&values).unwrap()
        };
        let kept = Prefs { keep_chains: true, ..Prefs::default() };
        assert_eq!(read(&text("800.0,y:600.0")), (kept.clone(), None));
        for odd in ["-5.0,y:NaN", "inf,y:600.0", "800.0,y:-inf"] {
            let (prefs, mended) = read(&text(odd));
            let left: HashMap<String, String> = ron::from_str(&mended.unwrap()).unwrap();
            assert_eq!((prefs, left.into_keys().collect::<Vec<_>>()), (kept.clone(), vec![KEY.to_owned()]), "{odd}");
        }
    }

    /// Damaged preferences are read or left out, and what is read can be shown. `MUTATIONS` says how many are made.
    #[test]
    fn damaged_preferences_can_be_shown() {
        use base::math::{Purpose, Stream};
        let cases = std::env::var("MUTATIONS").map_or(3000, |text| text.parse().unwrap());
        let mut prefs = Prefs { zoom: 1.5, address: "https://example.org".to_owned(), ..Prefs::default() };
        prefs.note_recent(Path::new("a.toml"));
        prefs.panels.insert("left 1 false 1".to_owned(), 240.5);
        let text = ron::to_string(&prefs).unwrap();
        let mut accepted = 0;
        for case in 0..cases {
            let mut stream = Stream::derive(case, Purpose::Data, 0, 0);
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=stream.below(2) {
                let at = stream.below(bytes.len() as u32) as usize;
                let words = ["1e30", "-1", "NaN", "inf", "0", "(", "Some(", "\u{202e}", "999999999999999999999"];
                match stream.below(3) {
                    0 => bytes[at] ^= 1 << stream.below(8),
                    1 => drop(bytes.drain(at..(at + 4).min(bytes.len() - 1))),
                    _ => {
                        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                        drop(bytes.splice(at..at + digits, words[stream.below(9) as usize].bytes()));
                    }
                }
            }
            let values = HashMap::from([(KEY.to_owned(), String::from_utf8_lossy(&bytes).into_owned())]);
            let (prefs, _) = read(&ron::to_string(&values).unwrap());
            accepted += usize::from(prefs != Prefs::default());
            assert!((ZOOMS.0..=ZOOMS.1).contains(&prefs.zoom()));
            assert!(prefs.figure().size.figure().is_ok());
        }
        assert!(accepted > 0);
    }
}
