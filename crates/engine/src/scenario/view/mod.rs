//! View of a scenario: what the window shows of it, as plain data. It is the `[view]` table of a file.
//!
//! A view never changes a result: a session does not read it. Every entry is optional, and `None` stands for the default
//! of the window or the preference of the person. Entries that a later version may know are kept, and reported by
//! [`Scenario::warnings`](super::Scenario::warnings).

mod locks;
pub mod options;
mod read;
pub mod tabs;
mod write;

pub use options::CANVASES;
pub use tabs::TABS;
pub(super) use {read::read, write::write};

use super::{Pacing, figures};
use crate::diagnostics::all_measures;
use base::params::Settings;

/// The names of the layers of a canvas, in the order of the window's list.
pub const LAYERS: [&str; 10] = [
    "density",
    "contours",
    "modes",
    "trail",
    "arrows",
    "marginals",
    "fits",
    "ellipses",
    "divergences",
    "between-modes",
];

/// The ways to draw draws.
pub const DRAWS: [&str; 8] = ["hidden", "auto", "points", "density", "by-chain", "by-cycle", "by-step", "ensemble"];

/// The exact distributions that canvases can show.
pub const EXACT: [&str; 4] = ["hidden", "now", "collected", "stationary"];

/// The panels that a file can hide.
pub const PANELS: [&str; 6] = ["menu", "target-and-runs", "readout", "lesson", "plots", "transport"];

/// The panels that can be shown before an audience from the start.
pub const PRESENTABLE: [&str; 1] = ["plots"];

/// The panels that can be folded.
pub const FOLDABLE: [&str; 3] = ["target-and-runs", "readout-and-lesson", "plots"];

/// Rows of the readout that are not measures of a registry.
pub const COUNTS: [&str; 10] = [
    "draws",
    "mode_share",
    "gradient_evaluations",
    "density_evaluations",
    "elbo_now",
    "fit_mean_x",
    "fit_mean_y",
    "fit_sd_x",
    "fit_sd_y",
    "fit_correlation",
];

/// The keys of everything that a readout can show.
pub fn measure_keys() -> impl Iterator<Item = &'static str> + Clone {
    COUNTS.into_iter().chain(all_measures().map(|spec| spec.key))
}

/// How fast a session plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Steps per second, above 0.
    Steps(f64),
    /// As fast as it goes.
    Full,
}

/// How several runs share the middle of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Each on a canvas of its own.
    SideBySide,
    /// All on one canvas.
    Overlaid,
}

/// What time and cost are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// Steps.
    #[default]
    Steps,
    /// Gradient evaluations. Densities of methods without gradients count like them.
    Gradients,
}

/// What the horizontal axis of plots over time counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Steps.
    Steps,
    /// Gradient evaluations, or documents.
    Gradients,
    /// Seconds of computing, where they are measured: in the window, of inference of topics.
    Seconds,
}

impl From<Clock> for Axis {
    fn from(clock: Clock) -> Self {
        match clock {
            Clock::Steps => Self::Steps,
            Clock::Gradients => Self::Gradients,
        }
    }
}

/// Colours of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// An entry that this version does not know: its key and its value as in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The key.
    pub key: String,
    /// The value, as TOML on one line.
    pub value: String,
}

/// What the window shows of a scenario: its `[view]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewSpec {
    /// The tab that is open (its kind, one of [`TABS`]) with its options.
    pub tab: Option<Settings>,
    /// The layers of the canvases, of [`LAYERS`]; others are off.
    pub layers: Option<Vec<String>>,
    /// How draws are drawn, of [`DRAWS`].
    pub draws: Option<String>,
    /// The exact distribution of runs, of [`EXACT`].
    pub exact: Option<String>,
    /// The runs that are shown, by name: one or more.
    pub runs: Option<Vec<String>>,
    /// The measures of the readout, by key, in their order; the first is the headline.
    pub measures: Option<Vec<String>>,
    /// One canvas for each run, or one for all.
    pub layout: Option<Arrangement>,
    /// The horizontal axis of plots over time.
    pub axis: Option<Axis>,
    /// What makes runs simultaneous: the same number of steps, or of gradient evaluations.
    pub clock: Option<Clock>,
    /// The part of the plane on the canvases: from and to of x, from and to of y.
    pub area: Option<[[f64; 2]; 2]>,
    /// Watch or Instant.
    pub pace: Option<Pacing>,
    /// How fast it plays.
    pub speed: Option<Speed>,
    /// Steps at which playing stops; by gradients, steps of the run whose steps cost least.
    pub pause: Vec<u64>,
    /// The step that is shown first; by gradients, of the run whose steps cost least.
    pub step: Option<u64>,
    /// Light or dark.
    pub theme: Option<Shade>,
    /// Whether the truth is shown: density, modes, and measures against it.
    pub truth: Option<bool>,
    /// Panels that the window does not offer, of [`PANELS`].
    pub hidden: Vec<String>,
    /// Panels that are folded, of [`FOLDABLE`].
    pub folded: Option<Vec<String>>,
    /// Panels that are shown at first before an audience, of [`PRESENTABLE`], since the questions are about them.
    pub present: Vec<String>,
    /// What cannot be changed: dotted paths, also after the name of a run; `*` for everything.
    pub locked: Vec<String>,
    /// What can be changed although `locked` covers it.
    pub unlocked: Vec<String>,
    /// The look of figures: the table `[figure]` of a file, of the kind [`FIGURE`](super::figures::FIGURE).
    pub figure: Option<Settings>,
    /// Whether the file is packed. No entry of `[view]`: how the file is written.
    pub packed: bool,
    /// Entries of other versions.
    pub unknown: Vec<Unknown>,
    /// Options of tabs of other versions.
    pub unknown_options: Vec<Unknown>,
}

impl ViewSpec {
    /// The same without the moment: what a file says about the step to open at.
    #[must_use]
    pub fn without_moment(&self) -> Self {
        Self { step: None, ..self.clone() }
    }

    /// Follows the new name of a run.
    pub(super) fn rename_run(&mut self, from: &str, to: &str) {
        for name in self.runs.iter_mut().flatten().filter(|name| *name == from) {
            to.clone_into(name);
        }
        for entry in self.locked.iter_mut().chain(&mut self.unlocked) {
            if let Some(rest) = entry.strip_prefix(from)
                && (rest.is_empty() || rest.starts_with('.'))
            {
                *entry = format!("{to}{rest}");
            }
        }
        if let Some(figure) = &mut self.figure {
            figures::follow_run(figure, from, Some(to));
        }
    }

    /// Whether the target is to be found out: nothing of it is shown or named until it is revealed.
    #[must_use]
    pub fn hides_target(&self) -> bool {
        self.truth == Some(false)
    }

    /// Forgets a run that is removed.
    pub(super) fn remove_run(&mut self, name: &str) {
        if let Some(runs) = &mut self.runs {
            runs.retain(|run| run != name);
        }
        self.runs.take_if(|runs| runs.is_empty());
        if let Some(figure) = &mut self.figure {
            figures::follow_run(figure, name, None);
        }
    }
}
