//! Loading: another scenario takes the place of the present one, and undo and redo bring its edits back.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::app::experiment::origin::Origin;
use crate::app::experiment::undo::{Subject, Undo};
use draw::kit::identity::Identity;
use engine::scenario::view::Clock;
use engine::scenario::{Edit, Scenario};
use engine::session::{Command, RunFrame, Time};
use engine::worker::{Order, Speed};

use super::Model;
use super::asked::Snapshot;

/// Duration of a whole run in Watch, unless a file or a person chooses another speed.
const WATCHING: Duration = Duration::from_secs(40);

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

    /// For how long a scenario has been asked for whose first frame has not come; `None` once it is there. Until then nothing that a
    /// frame says is shown.
    #[must_use]
    pub fn opening(&self) -> Option<Duration> {
        self.loads.since.filter(|_| self.loads.shown != self.loads.asked).map(|since| since.elapsed())
    }

    /// What the frame is of.
    #[must_use]
    pub fn identity(&self) -> Identity {
        Identity::of(self.frame(), self.loads.shown)
    }

    /// The time of the scenario; `None` while it is being opened.
    #[must_use]
    pub fn shown_time(&self) -> Option<Time> {
        self.opening().is_none().then_some(self.frame().time)
    }

    /// A run of the frame by its name, with its number there; `None` while its scenario is being opened, or it is new.
    #[must_use]
    pub fn run_frame(&self, name: &str) -> Option<(usize, &RunFrame)> {
        let runs = self.frame().runs.iter().enumerate();
        runs.filter(|_| self.opening().is_none()).find(|(_, run)| run.plan.name == name)
    }

    /// Takes another scenario and starts it. The lesson or file in the window taken again gives up its edits, and undo brings them back.
    pub fn load(&mut self, scenario: Scenario, file: Option<PathBuf>) {
        let shown = Arc::new(scenario);
        let origin = Origin::of(shown.clone(), file);
        if origin.same_address(&self.origin) {
            self.undo.note(self.snapshot(), Subject { run: None, what: "load".to_owned() });
            self.undo.end_gesture();
        } else {
            self.undo = Undo::default();
        }
        self.take_up(shown, origin);
    }

    /// Takes up work where it was left, but for its step.
    pub fn resume(&mut self, seen: Scenario, origin: Origin) {
        self.undo = Undo::default();
        self.take_up(Arc::new(seen), origin);
    }

    fn take_up(&mut self, scenario: Arc<Scenario>, origin: Origin) {
        (self.asked, self.refused) = (None, None);
        self.origin = origin;
        self.pace(&scenario);
        let number = self.send(Order::Session(Command::Edit(Edit::Load(Box::new(scenario.as_ref().clone())))));
        self.loads.ask(number);
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
        self.worker.send(Order::Speed(speed_of(scenario, self.chosen)));
        self.worker.send(Order::PauseAt(scenario.view.pause.clone()));
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot { scenario: self.scenario().clone(), refused: self.refused.clone() }
    }

    fn jump(&mut self, snapshot: Snapshot) {
        let Snapshot { scenario, refused } = snapshot;
        (self.asked, self.refused) = (None, refused);
        if Arc::ptr_eq(&scenario, self.scenario()) {
            return;
        }
        let number = self.send(Order::Session(Command::Edit(Edit::Replace(Box::new(scenario.as_ref().clone())))));
        self.pending = Some((number, scenario));
    }
}

/// The speed of a scenario that is loaded; `chosen` is the newest choice of the person.
fn speed_of(scenario: &Scenario, chosen: Option<Speed>) -> Speed {
    scenario.view.speed.or(chosen).unwrap_or_else(|| watching(longest(scenario)))
}

/// Steps of the longest run.
fn longest(scenario: &Scenario) -> u64 {
    scenario.runs.iter().map(|run| run.settings.count("steps")).max().unwrap_or(1)
}

/// The speed at which so many steps take [`WATCHING`], to two digits.
fn watching(steps: u64) -> Speed {
    let rate = (steps as f64 / WATCHING.as_secs_f64()).max(1.0);
    Speed::Steps(format!("{rate:.1e}").parse().unwrap_or(rate))
}
