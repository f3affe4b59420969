//! Model of the experiment in the window: the worker with its newest status, the scenario, undo, and the file.
//!
//! The worker has the only session, in another thread, so an edit shows in a frame some milliseconds later. Until then
//! the window shows the scenario that it has asked for ([`Model::scenario`]); otherwise controls would jump back under
//! the pointer. After the order is carried out or refused, the window shows the scenario of the frame again.
//!
//! A frame on another target is held back until the picture of the target's density is ready. The window never shows
//! draws over the density of another target.
//!
//! When another scenario is loaded, its first frame may take a while. Until then the window has the frame of the scenario before, which it
//! does not show: it names the new one ([`Model::opening`]).

mod asked;
mod loading;
mod refused;

use std::sync::Arc;
use std::time::Duration;

use crate::platform::Instant;
use base::params::{KindSpec, ParamError, ParamType, Settings, Value, find_kind};
use engine::scenario::view::Clock;
use engine::scenario::{Edit, Effect, METHOD, Moment, RunSpec, Scenario, decide};
use engine::session::{Command, Frame};
use engine::worker::{Order, Pacing, Speed, Status, Worker};

use super::origin::Origin;
use super::undo::{Subject, Undo};

use asked::{Asked, Loads};
pub use asked::{RefusedTarget, Snapshot};

/// Time between two edits from one dragged control in Watch, so that a drag leaves few events on the timeline.
const DRAG_PACE: Duration = Duration::from_millis(100);

/// How long a target is made before the window says so: most are there by then.
pub const MAKING: Duration = Duration::from_millis(300);

/// An experiment in the window.
#[derive(Debug)]
pub struct Model {
    worker: Worker,
    status: Arc<Status>,
    /// A newer status, whose pictures are not ready yet.
    next: Option<Arc<Status>>,
    mode: Pacing,
    /// The scenario asked for, and the number of the order that asks for it.
    pending: Option<(u64, Arc<Scenario>)>,
    /// The newest order of a dragged control, held back until the worker is ready for it.
    held: Option<(Subject, Order)>,
    last_sent: (u64, Instant),
    undo: Undo<Snapshot>,
    /// The target that was asked for last, while that is pending.
    asked: Option<Asked>,
    /// The target that was refused last, if none was taken since.
    refused: Option<RefusedTarget>,
    /// What makes runs simultaneous, as asked for.
    clock: Clock,
    /// The speed that a person has chosen. Until then the speed follows from the number of steps.
    chosen: Option<Speed>,
    /// The file and the lesson.
    origin: Origin,
    /// Which scenario was asked for, and which one the frame is of.
    loads: Loads,
    /// Whether a person has changed the view that the file says.
    pub view_changed: bool,
}

impl Model {
    /// A model with a worker that was just started, on a scenario that comes from `origin`.
    #[must_use]
    pub fn new(worker: Worker, origin: Origin) -> Self {
        let status = worker.status();
        let scenario = status.frame.scenario.clone();
        let last_sent = (0, Instant::now());
        let mut model = Self {
            worker,
            mode: status.mode,
            status,
            next: None,
            pending: None,
            held: None,
            last_sent,
            undo: Undo::default(),
            asked: None,
            refused: None,
            clock: Clock::default(),
            chosen: None,
            origin,
            loads: Loads::default(),
            view_changed: false,
        };
        model.pace(&scenario);
        model.count_by(scenario.view.clock.unwrap_or_default());
        model
    }

    /// Takes the newest status of the worker. `pressed`: a pointer button is down. `ready` says whether the pictures for a
    /// frame on another target are ready, and has them drawn if they are not.
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
        self.loads.arrive(self.status.obeyed);
        let waiting = self.held.is_some();
        self.pending.take_if(|(number, _)| !waiting && self.status.obeyed >= *number);
        self.note_refusal();
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

    /// The scenario with all edits of the person; it may be ahead of the frame.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        self.pending.as_ref().map_or(&self.status.frame.scenario, |(_, scenario)| scenario)
    }

    /// The settings of a run for its next step, with all events up to it.
    #[must_use]
    pub fn settings(&self, run: &RunSpec) -> Settings {
        let made = self.run_frame(&run.name).map_or(0, |(_, frame)| frame.step);
        let mut settings = self.scenario().settings_at(run, made);
        self.name_start(&mut settings);
        settings
    }

    /// Chains that are told nothing have the start of their family, where methods of densities start at a point.
    fn name_start(&self, settings: &mut Settings) {
        let Some(own) = self.frame().target.family().start else { return };
        let group = settings.group("start").filter(|group| group.kind.name == "point");
        let Some(ParamType::Group(kinds)) = group.and(settings.kind.param("start")).map(|spec| spec.ty) else { return };
        if let Some(own) = find_kind(kinds, own) {
            settings.set("start", Value::Group(Settings::defaults(own))).ok();
        }
    }

    /// Paths of parameters of runs that mean nothing on the present target, and of kinds that cannot be chosen there: on the line
    /// there is no y.
    #[must_use]
    pub fn hidden(&self) -> Vec<&'static str> {
        let own = self.frame().target.family().hidden();
        // Under a budget steps follow from it.
        let steps = self.scenario().budget.map(|_| "steps");
        own.into_iter().chain(steps).collect()
    }

    /// Whether an edit is held back until the worker is ready for it.
    #[must_use]
    pub fn holds_back(&self) -> bool {
        self.held.is_some()
    }

    /// Whether the frame shows everything that was asked for, and nothing is computed or played.
    #[cfg(test)]
    pub fn is_settled(&self) -> bool {
        let asked = self.pending.is_some() || self.held.is_some() || self.next.is_some();
        !asked
            && self.status.obeyed >= self.last_sent.0
            && self.status.computing.is_none()
            && self.status.making.is_none()
            && !self.status.completing
    }

    /// Watch or Instant, as the person chose.
    #[must_use]
    pub fn mode(&self) -> Pacing {
        self.mode
    }

    /// Whether the frame belongs to an older run than the one that is being computed, for some time already.
    #[must_use]
    pub fn stale(&self) -> bool {
        self.status.computing.is_some() || self.makes_target()
    }

    /// Whether the worker has been making a target for so long that it is told.
    #[must_use]
    pub fn makes_target(&self) -> bool {
        self.status.making.is_some_and(|since| since.elapsed() >= MAKING)
    }

    /// Chooses Watch or Instant.
    pub fn run_in(&mut self, mode: Pacing) {
        self.mode = mode;
        self.send(Order::Pacing(mode));
    }

    /// Plays, or pauses. A long computation is paused too.
    pub fn toggle_play(&mut self) {
        let moving = self.status.playing || self.status.computing.is_some();
        self.order(if moving { Order::Pause } else { Order::Play });
    }

    /// Sends an order that changes no scenario.
    pub fn order(&mut self, order: Order) {
        if let Order::Speed(speed) = &order {
            self.chosen = Some(*speed);
        }
        self.send(order);
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
    pub fn set(&mut self, run: usize, path: String, value: Value) -> Result<Effect, ParamError> {
        let subject = Subject { run: Some(run), what: path.clone() };
        self.edit(Edit::Set { run, path, value }, subject)
    }

    /// Gives a run another method: from step 0, or in Watch from the next step on if the run is under way.
    ///
    /// # Errors
    /// If the method cannot follow the present one.
    pub fn choose_method(&mut self, run: usize, kind: &'static KindSpec) -> Result<Effect, ParamError> {
        let subject = Subject { run: Some(run), what: METHOD.to_owned() };
        self.edit(Edit::Method { run, kind }, subject)
    }

    /// The target as it is at the step that is shown.
    #[must_use]
    pub fn target(&self) -> &Settings {
        self.scenario().target_at(self.shown_time().map_or(0, |_| self.frame().step))
    }

    /// Takes another target: with `go_on`, in Watch and while runs are under way, chains continue from where they are; else
    /// it is the target from step 0, and the runs are computed again up to the present step, or to none with `anew`. Whether it can be
    /// built is for the session to find out ([`Self::refused_target`]).
    pub fn set_target(&mut self, target: Settings, go_on: bool, anew: bool, subject: Subject) {
        let edit = Edit::Target { target: target.clone(), keep_chains: go_on, restart: anew };
        match self.edit(edit, subject) {
            Ok(Effect::Nothing) => self.give_up_refused(),
            Ok(_) => self.ask_for(target),
            // It is refused at once.
            Err(error) => self.refused = Some(RefusedTarget { target, errors: vec![error] }),
        }
    }

    /// Shows the scenario that an edit leads to, and has the worker carry the edit out.
    /// Returns what it does to the runs.
    fn edit(&mut self, edit: Edit, subject: Subject) -> Result<Effect, ParamError> {
        let (scenario, effect) = decide(self.scenario(), edit.clone(), &self.moment())?;
        // The worker may have gone further than the frame that is shown, and decides for itself at which step an event
        // comes and whether a parameter still becomes one. That a target or a method counts from step 0 is decided here.
        let ordered = match (edit, effect) {
            (_, Effect::Nothing) => return Ok(effect),
            (Edit::Target { target, .. }, Effect::Event { .. }) => Edit::target(target),
            (Edit::Target { .. }, Effect::Restart) => {
                self.restart_with(scenario, subject);
                return Ok(effect);
            }
            (Edit::Target { .. } | Edit::Method { .. }, Effect::Rebuild { .. }) => {
                Edit::Replace(Box::new(scenario.clone()))
            }
            (edit, _) => edit,
        };
        self.undo.note(self.snapshot(), subject.clone());
        self.show(scenario, subject, Order::Session(Command::Edit(ordered)));
        Ok(effect)
    }

    /// The state of the runs as the window knows it.
    fn moment(&self) -> Moment {
        let frame = &self.status.frame;
        if self.opening().is_some() {
            // The new scenario has taken no steps.
            let runs = vec![0; self.scenario().runs.len()];
            return Moment { pacing: self.mode, step: 0, finished: false, runs };
        }
        Moment {
            pacing: self.mode,
            step: frame.step,
            finished: frame.finished(),
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

    /// Waits no more for the worker, which ends with the process.
    pub fn leave_worker(&mut self) {
        self.worker.leave();
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
        self.note_sent(number);
        number
    }

    /// Notes the number under which the newest edit was sent.
    fn note_sent(&mut self, number: u64) {
        self.last_sent = (number, Instant::now());
        if let Some((waiting, _)) = &mut self.pending
            && *waiting == u64::MAX
        {
            *waiting = number;
        }
    }
}
