//! Window around canvases and plots: its colours, its panels, and how it closes.

use engine::scenario::LessonPath;
use engine::scenario::view::Shade;

use super::folding::{Folded, OneSide};
use crate::app::controls::Aim;
use crate::platform::Instant;

/// What the window shows around canvases and plots. A file may say colours and folded panels; the rest stays from scenario to scenario.
#[derive(Debug, Default)]
pub struct WindowView {
    /// The present title of the window.
    pub title: String,
    /// The colours that the file asks for.
    pub theme: Option<Shade>,
    /// The folded panels, if the file says which.
    pub folded: Option<Folded>,
    /// The panel at the sides of a narrow window.
    pub one_side: OneSide,
    /// The panels that a person has unfolded while presenting.
    pub folded_presenting: Folded,
    /// Whether the start page is shown.
    pub start_page: bool,
    /// The path whose lessons the start page shows.
    pub open_path: Option<&'static LessonPath>,
    /// The path that a person has chosen a lesson of.
    pub path: Option<&'static LessonPath>,
    /// How many scenarios were loaded: panels scroll back to their top with each.
    pub loads: u64,
    /// What the palette has chosen: its control gets the focus, or its row a frame.
    pub wanted: Option<Wanted>,
    /// Number of the newest refusal for which there was a message.
    pub refusals_shown: u64,
    /// Whether the window closes without asking about unsaved changes.
    pub quitting: bool,
    /// Whether the window closes once the scenario is saved.
    pub closes_when_saved: bool,
    /// Whether the next start shows the file without the unsaved changes.
    pub discarding: bool,
}

/// What a person has chosen in the palette, while it is brought into sight.
#[derive(Debug)]
pub enum Wanted {
    /// A parameter of a run, or of the target.
    Parameter {
        /// Number of the run; `None` for the target.
        run: Option<usize>,
        /// What the panel needs to know.
        aim: Aim,
    },
    /// A measure of the readout, by key, and until when its row is marked.
    Measure(&'static str, Instant),
}

impl WindowView {
    /// The parameter of a run, or of the target, whose control is to have the focus.
    #[must_use]
    pub fn aim(&self, of: Option<usize>) -> Option<&Aim> {
        match &self.wanted {
            Some(Wanted::Parameter { run, aim }) if *run == of => Some(aim),
            _ => None,
        }
    }

    /// The measure whose row is marked, by key.
    #[must_use]
    pub fn marked(&self) -> Option<&'static str> {
        match self.wanted {
            Some(Wanted::Measure(key, _)) => Some(key),
            _ => None,
        }
    }

    /// Forgets what was brought into sight long enough; returns whether something still is.
    pub fn note_wanted(&mut self) -> bool {
        let over = |wanted: &mut Wanted| match wanted {
            Wanted::Parameter { aim, .. } => aim.over(),
            Wanted::Measure(_, until) => *until < Instant::now(),
        };
        self.wanted.take_if(over);
        self.wanted.is_some()
    }
}
