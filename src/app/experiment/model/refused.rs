//! A target that was asked for and refused: what a person typed or chose stays in the panel, with the reason, until it is mended or
//! taken back. The runs keep the target that they have.

use crate::app::experiment::undo::Subject;
use base::params::Settings;
use engine::worker::Refusal;

use super::Model;
use super::asked::{Asked, RefusedTarget};

/// The beginning of paths of a target.
const TARGET: &str = "target";

impl Model {
    /// The target as a person last asked for it: that of the runs, unless it was refused.
    #[must_use]
    pub fn asked_target(&self) -> &Settings {
        self.refused.as_ref().map_or_else(|| self.target(), |refused| &refused.target)
    }

    /// The target that was refused last, if none was taken since.
    #[must_use]
    pub fn refused_target(&self) -> Option<&RefusedTarget> {
        self.refused.as_ref()
    }

    /// Whether a target was asked for of which it is not known yet whether it can be built.
    #[must_use]
    pub fn is_checking_target(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether this refusal is one of the target that was asked for last, so that the panel of the target has it.
    #[must_use]
    pub fn is_of_target(&self, refusal: &Refusal) -> bool {
        // A later target may be on its way to the worker.
        let waits = self.asked.is_some() && refusal.errors.iter().all(|error| error.path.starts_with(TARGET));
        waits || self.refused.as_ref().is_some_and(|refused| refused.errors == refusal.errors)
    }

    /// Gives up the target that was refused; undo brings it back.
    pub fn give_up_refused(&mut self) {
        if self.refused.is_some() {
            self.undo.note(self.snapshot(), Subject { run: None, what: "refused".to_owned() });
            self.undo.end_gesture();
            self.refused = None;
        }
    }

    /// Shows a target again that was refused in an earlier session.
    pub fn show_refused(&mut self, refused: Option<RefusedTarget>) {
        self.refused = refused;
    }

    /// Notes that a target was asked for.
    pub(super) fn ask_for(&mut self, target: Settings) {
        let refusal = self.status.refused.as_ref().map_or(0, |refusal| refusal.number);
        self.asked = Some(Asked { target, refusal });
    }

    /// Once the worker has done what was asked for: whether it has refused the target.
    pub(super) fn note_refusal(&mut self) {
        if self.pending.is_some() {
            return;
        }
        let Some(Asked { target, refusal }) = self.asked.take() else { return };
        let news = self.status.refused.as_ref().filter(|news| news.number > refusal && target != *self.target());
        self.refused = news.map(|news| RefusedTarget { target, errors: news.errors.clone() });
    }
}
