//! What the window knows about the experiment: the worker, the scenario, what was undone, and the file.
//!
//! The worker owns the truth and is a few milliseconds away. Between an edit and the frame that shows
//! it, the window shows the scenario it has asked for ([`Model::scenario`]), so that controls never
//! jump back under the pointer. Once the order has been obeyed, the frame's scenario counts again,
//! whether the edit went through or was refused.
//!
//! A frame on another target is held back until the pictures behind its draws are there, so that the window
//! never shows draws over another target's density.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::params::{KindSpec, ParamError, Settings, Value};
use crate::scenario::{Edit, Effect, METHOD, Moment, RunSpec, Scenario, decide};
use crate::session::{Command, Frame};
use crate::worker::{Order, Pacing, Speed, Status, Worker};

use super::undo::{Subject, Undo};

/// Time between two edits from one dragged control in Watch, so that a drag leaves few events on the timeline.
const DRAG_PACE: Duration = Duration::from_millis(100);

/// How long a scenario takes to watch, unless a person chooses another speed.
const WATCHING: Duration = Duration::from_secs(40);

/// What undo brings back: the scenario, and which file it belongs to.
#[derive(Clone, Debug)]
pub struct Snapshot {
    scenario: Arc<Scenario>,
    file: Option<PathBuf>,
    saved: Arc<Scenario>,
}

/// An experiment in the window.
#[derive(Debug)]
pub struct Model {
    worker: Worker,
    status: Arc<Status>,
    /// A newer status whose pictures are still being made.
    next: Option<Arc<Status>>,
    mode: Pacing,
    /// The scenario asked for, and the number of the order that asks for it.
    pending: Option<(u64, Arc<Scenario>)>,
    /// The newest order of a dragged control, held back until the worker is ready for it.
    held: Option<(Subject, Order)>,
    last_sent: (u64, Instant),
    undo: Undo<Snapshot>,
    /// Whether a person has chosen a speed; until then it suits the length of the scenario.
    paced: bool,
    /// The file that the scenario was read from or written to.
    pub file: Option<PathBuf>,
    saved: Arc<Scenario>,
}

impl Model {
    /// A model around a worker that has just been started.
    #[must_use]
    pub fn new(worker: Worker, file: Option<PathBuf>) -> Self {
        let status = worker.status();
        let saved = status.frame.scenario.clone();
        let last_sent = (0, Instant::now());
        let model = Self {
            worker,
            mode: status.mode,
            status,
            next: None,
            pending: None,
            held: None,
            last_sent,
            undo: Undo::default(),
            paced: false,
            file,
            saved,
        };
        model.pace(model.status.frame.total);
        model
    }

    /// Takes in what the worker has to tell. `pressed` says whether a pointer button is down, `ready` whether the
    /// pictures that a frame on another target needs are there; it sees to it that they will be.
    pub fn refresh(&mut self, pressed: bool, ready: impl FnOnce(&Frame) -> bool) {
        if !pressed {
            self.undo.end_gesture();
        }
        self.release_held(!pressed);
        let newest = self.next.take().unwrap_or_else(|| self.worker.status());
        let shown = &self.status.frame.target;
        if Arc::ptr_eq(shown, &newest.frame.target) || newest.failure.is_some() || ready(&newest.frame) {
            self.status = newest;
        } else {
            self.next = Some(newest);
        }
        let waiting = self.held.is_some();
        self.pending.take_if(|(number, _)| !waiting && self.status.obeyed >= *number);
    }

    /// The newest status of the worker.
    #[must_use]
    pub fn status(&self) -> &Arc<Status> {
        &self.status
    }

    /// The newest frame.
    #[must_use]
    pub fn frame(&self) -> &Arc<Frame> {
        &self.status.frame
    }

    /// The scenario as the person left it, which may be ahead of the frame.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        self.pending.as_ref().map_or(&self.status.frame.scenario, |(_, scenario)| scenario)
    }

    /// Settings of a run as they hold for its next step, events applied.
    #[must_use]
    pub fn settings(&self, run: &RunSpec) -> Settings {
        let made =
            self.status.frame.runs.iter().find(|frame| frame.plan.name == run.name).map_or(0, |frame| frame.step);
        self.scenario().settings_at(run, made)
    }

    /// Whether the scenario differs from its file.
    #[must_use]
    pub fn unsaved(&self) -> bool {
        self.file.is_some() && !self.holds(&self.saved)
    }

    /// The scenario is now in a file.
    pub fn mark_saved(&mut self, scenario: Arc<Scenario>, file: PathBuf) {
        self.saved = scenario;
        self.file = Some(file);
    }

    /// What can be undone and redone.
    #[must_use]
    pub fn undo(&self) -> &Undo<Snapshot> {
        &self.undo
    }

    /// Whether an edit is held back until the worker is ready for it.
    #[must_use]
    pub fn holds_back(&self) -> bool {
        self.held.is_some()
    }

    /// The way it runs, as the person left it.
    #[must_use]
    pub fn mode(&self) -> Pacing {
        self.mode
    }

    /// Whether what is shown is older than what is being made, and has been for a while.
    #[must_use]
    pub fn stale(&self) -> bool {
        self.status.computing.is_some()
    }

    /// Runs another way.
    pub fn run_in(&mut self, mode: Pacing) {
        self.mode = mode;
        self.send(Order::Pacing(mode));
    }

    /// Plays, or pauses; a long computation is paused as well.
    pub fn toggle_play(&mut self) {
        let moving = self.status.playing || self.status.computing.is_some();
        self.order(if moving { Order::Pause } else { Order::Play });
    }

    /// Sends an order that changes no scenario.
    pub fn order(&mut self, order: Order) {
        self.paced |= matches!(order, Order::Speed(_));
        self.send(order);
    }

    /// Takes another scenario and starts it.
    pub fn load(&mut self, scenario: Scenario, file: Option<PathBuf>) {
        self.undo.note(self.snapshot(), Subject { run: None, what: "load".to_owned() });
        self.undo.end_gesture();
        self.file = file;
        self.saved = Arc::new(scenario.clone());
        self.pace(longest(&scenario));
        let number = self.send(Order::Session(Command::Edit(Edit::Load(Box::new(scenario)))));
        self.pending = Some((number, self.saved.clone()));
    }

    /// Takes another version of the scenario, at the step reached so far.
    pub fn replace(&mut self, scenario: Scenario, subject: Subject) {
        self.undo.note(self.snapshot(), subject.clone());
        let order = Order::Session(Command::Edit(Edit::Replace(Box::new(scenario.clone()))));
        self.show(scenario, subject, order);
    }

    /// Takes another seed.
    pub fn reseed(&mut self, seed: u64) {
        let subject = Subject { run: None, what: "seed".to_owned() };
        // Another seed is always allowed.
        self.edit(Edit::Reseed(seed), subject).ok();
    }

    /// Changes a parameter of a run: from step 0, or in Watch from the next step on if the run is under way.
    ///
    /// # Errors
    /// If the value is not allowed there.
    pub fn set(&mut self, run: usize, path: String, value: Value) -> Result<(), ParamError> {
        let subject = Subject { run: Some(run), what: path.clone() };
        self.edit(Edit::Set { run, path, value }, subject)
    }

    /// Gives a run another method: from step 0, or in Watch from the next step on if the run is under way.
    ///
    /// # Errors
    /// If the method cannot follow the present one.
    pub fn choose_method(&mut self, run: usize, kind: &'static KindSpec) -> Result<(), ParamError> {
        let subject = Subject { run: Some(run), what: METHOD.to_owned() };
        self.edit(Edit::Method { run, kind }, subject)
    }

    /// The target as it is at the step that is shown.
    #[must_use]
    pub fn target(&self) -> &Settings {
        self.scenario().target_at(self.frame().step)
    }

    /// Takes another target: with `go_on`, in Watch and while runs are under way, chains continue from where they are; else
    /// it is the target from step 0, and the runs are computed again up to the present step, or to none with `anew`.
    pub fn set_target(&mut self, target: Settings, go_on: bool, anew: bool, subject: Subject) {
        // Whether the target can be built is for the session to find out.
        self.edit(Edit::Target { target, keep_chains: go_on, restart: anew }, subject).ok();
    }

    /// Shows the scenario that an edit leads to, and has the worker carry the edit out.
    fn edit(&mut self, edit: Edit, subject: Subject) -> Result<(), ParamError> {
        let (scenario, effect) = decide(self.scenario(), edit.clone(), &self.moment())?;
        // The worker may have gone further than the frame that is shown, and decides for itself at which step an event
        // comes and whether a parameter still becomes one. That a target or a method counts from step 0 is decided here.
        let ordered = match (edit, effect) {
            (_, Effect::Nothing) => return Ok(()),
            (Edit::Target { target, .. }, Effect::Event { .. }) => Edit::target(target),
            (Edit::Target { .. }, Effect::Restart) => {
                self.restart_with(scenario, subject);
                return Ok(());
            }
            (Edit::Target { .. } | Edit::Method { .. }, Effect::Rebuild { .. }) => {
                Edit::Replace(Box::new(scenario.clone()))
            }
            (edit, _) => edit,
        };
        self.undo.note(self.snapshot(), subject.clone());
        self.show(scenario, subject, Order::Session(Command::Edit(ordered)));
        Ok(())
    }

    /// The state of the runs as the window knows it.
    fn moment(&self) -> Moment {
        let frame = &self.status.frame;
        Moment {
            pacing: self.mode,
            step: frame.step,
            finished: frame.step >= frame.total,
            runs: frame.runs.iter().map(|run| run.step).collect(),
        }
    }

    /// Takes another version of the scenario, from its first step.
    fn restart_with(&mut self, scenario: Scenario, subject: Subject) {
        self.undo.note(self.snapshot(), subject);
        let number = self.send(Order::Session(Command::Edit(Edit::Load(Box::new(scenario.clone())))));
        self.pending = Some((number, Arc::new(scenario)));
    }

    /// Goes to a step.
    pub fn seek(&mut self, step: u64) {
        self.send(Order::Session(Command::Seek(step)));
    }

    /// Takes the last edit back.
    pub fn take_back(&mut self) {
        if let Some(before) = self.undo.undo(self.snapshot()) {
            self.jump(before);
        }
    }

    /// Makes the edit again that was taken back.
    pub fn make_again(&mut self) {
        if let Some(after) = self.undo.redo(self.snapshot()) {
            self.jump(after);
        }
    }

    /// Puts a new worker in the place of one that has failed.
    pub fn replace_worker(&mut self, worker: Worker) {
        worker.send(Order::Speed(self.status.speed));
        self.worker = worker;
        self.pending = None;
        self.held = None;
        self.next = None;
        self.last_sent = (0, Instant::now());
        self.status = self.worker.status();
        if self.mode != self.status.mode {
            self.run_in(self.mode);
        }
    }

    /// Chooses a speed at which a scenario can be watched, unless a person has chosen one.
    fn pace(&self, steps: u64) {
        if !self.paced {
            self.worker.send(Order::Speed(watching(steps)));
        }
    }

    /// Whether `scenario` is the one in the window.
    fn holds(&self, scenario: &Arc<Scenario>) -> bool {
        Arc::ptr_eq(self.scenario(), scenario) || self.scenario() == scenario
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { scenario: self.scenario().clone(), file: self.file.clone(), saved: self.saved.clone() }
    }

    fn jump(&mut self, snapshot: Snapshot) {
        let Snapshot { scenario, file, saved } = snapshot;
        self.file = file;
        self.saved = saved;
        let number = self.send(Order::Session(Command::Edit(Edit::Replace(Box::new(scenario.as_ref().clone())))));
        self.pending = Some((number, scenario));
    }

    /// Shows a scenario until the worker has obeyed the order that leads to it.
    fn show(&mut self, scenario: Scenario, subject: Subject, order: Order) {
        self.pending = Some((u64::MAX, Arc::new(scenario)));
        match self.mode {
            Pacing::Watch => self.hold(subject, order),
            // The worker drops what is overtaken.
            Pacing::Instant => drop(self.send(order)),
        }
    }

    /// Holds an order back until the worker is ready; an older one for the same subject is dropped.
    fn hold(&mut self, subject: Subject, order: Order) {
        if self.held.as_ref().is_some_and(|(held, _)| *held != subject) {
            self.release_held(true);
        }
        self.held = Some((subject, order));
        self.release_held(false);
    }

    fn release_held(&mut self, at_once: bool) {
        let ready = self.status.obeyed >= self.last_sent.0 && self.last_sent.1.elapsed() >= DRAG_PACE;
        if (at_once || ready)
            && let Some((_, order)) = self.held.take()
        {
            self.send_alone(order);
        }
    }

    /// Sends an order, after the one that was held back. Returns its number.
    fn send(&mut self, order: Order) -> u64 {
        if let Some((_, held)) = self.held.take() {
            self.send_alone(held);
        }
        self.send_alone(order)
    }

    fn send_alone(&mut self, order: Order) -> u64 {
        let number = self.worker.send(order);
        self.settle(number);
        number
    }

    /// Notes the number under which the newest edit was sent.
    fn settle(&mut self, number: u64) {
        self.last_sent = (number, Instant::now());
        if let Some((waiting, _)) = &mut self.pending
            && *waiting == u64::MAX
        {
            *waiting = number;
        }
    }
}

/// Steps of the longest run.
fn longest(scenario: &Scenario) -> u64 {
    scenario.runs.iter().map(|run| run.settings.count("steps")).max().unwrap_or(1)
}

/// The speed at which so many steps take [`WATCHING`], to two digits.
#[expect(clippy::cast_precision_loss, reason = "two digits are kept")]
fn watching(steps: u64) -> Speed {
    let rate = (steps as f64 / WATCHING.as_secs_f64()).max(1.0);
    Speed::Steps(format!("{rate:.1e}").parse().unwrap_or(rate))
}
