//! Loading: another scenario takes the place of the present one, and undo and redo bring scenarios back with their origin.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::origin::Origin;
use crate::app::speeds;
use crate::app::undo::{Subject, Undo};
use crate::scenario::view::Clock;
use crate::scenario::{Edit, Scenario};
use crate::session::Command;
use crate::worker::Order;

use super::Model;

/// What undo restores: the scenario, its file and its lesson.
#[derive(Clone, Debug)]
pub struct Snapshot {
    scenario: Arc<Scenario>,
    origin: Origin,
}

impl Model {
    /// The file that the scenario was read from or written to.
    #[must_use]
    pub fn file(&self) -> Option<&PathBuf> {
        self.origin.file.as_ref()
    }

    /// The file and the lesson of the scenario.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether the scenario differs from what was loaded or saved, or the view from the one that its file says.
    #[must_use]
    pub fn unsaved(&self) -> bool {
        self.origin.unsaved(self.scenario()) || self.view_changed && self.file().is_some()
    }

    /// The lesson in the window, by number, and whether its target, runs or seed are no longer those of the lesson.
    #[must_use]
    pub fn lesson(&self) -> Option<(usize, bool)> {
        self.origin.lesson(self.scenario())
    }

    /// Notes that the scenario was saved to a file.
    pub fn mark_saved(&mut self, scenario: Arc<Scenario>, file: PathBuf) {
        self.origin.mark_saved(scenario, file);
    }

    /// Takes another scenario and starts it.
    pub fn load(&mut self, scenario: Scenario, file: Option<PathBuf>) {
        let shown = Arc::new(scenario);
        self.take_up(shown.clone(), Origin::of(shown, file));
    }

    /// Takes up work where it was left, but for its step.
    pub fn resume(&mut self, seen: Scenario, origin: Origin) {
        self.take_up(Arc::new(seen), origin);
    }

    fn take_up(&mut self, scenario: Arc<Scenario>, origin: Origin) {
        self.undo.note(self.snapshot(), Subject { run: None, what: "load".to_owned() });
        self.undo.end_gesture();
        self.origin = origin;
        self.pace(&scenario);
        let number = self.send(Order::Session(Command::Edit(Edit::Load(Box::new(scenario.as_ref().clone())))));
        self.count_by(scenario.view.clock.unwrap_or_default());
        self.pending = Some((number, scenario));
    }

    /// Chooses what makes runs simultaneous.
    pub fn count_by(&mut self, clock: Clock) {
        self.clock = clock;
        self.send(Order::Session(Command::Clock(clock)));
    }

    /// What makes runs simultaneous, as asked for.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Stops at a step: the one at which a scenario is opened.
    pub fn open_at(&mut self, step: u64) {
        self.send(Order::Pause);
        self.seek(step);
    }

    /// What can be undone and redone.
    #[must_use]
    pub fn undo(&self) -> &Undo<Snapshot> {
        &self.undo
    }

    /// Whether undo, or redo, brings back a scenario that was loaded before or after the present one.
    #[must_use]
    pub fn changes_load(&self, redo: bool) -> bool {
        let next = if redo { self.undo.next_redo() } else { self.undo.next_undo() };
        next.is_some_and(|next| !next.origin.same_load(&self.origin))
    }

    /// Undoes the last edit.
    pub fn undo_last(&mut self) {
        if let Some(before) = self.undo.undo(self.snapshot()) {
            self.jump(before);
        }
    }

    /// Redoes the edit that was undone last.
    pub fn redo_last(&mut self) {
        if let Some(after) = self.undo.redo(self.snapshot()) {
            self.jump(after);
        }
    }

    /// Sets the speed for a scenario, and the steps at which it pauses.
    pub(super) fn pace(&self, scenario: &Scenario) {
        self.worker.send(Order::Speed(speeds::of(scenario, self.chosen)));
        self.worker.send(Order::PauseAt(scenario.view.pause.clone()));
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot { scenario: self.scenario().clone(), origin: self.origin.clone() }
    }

    fn jump(&mut self, snapshot: Snapshot) {
        let Snapshot { scenario, origin } = snapshot;
        // What was saved since stays saved.
        if !origin.same_load(&self.origin) {
            self.origin = origin;
        }
        self.worker.send(Order::PauseAt(scenario.view.pause.clone()));
        let number = self.send(Order::Session(Command::Edit(Edit::Replace(Box::new(scenario.as_ref().clone())))));
        self.pending = Some((number, scenario));
    }
}
