//! Window of the program: what happens in one frame, from the results of tasks to the actions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui, ViewportCommand};

use crate::draw::tabs::Plots;
use crate::draw::theme::{self, Theme};
use crate::math::Bounds;
use crate::output::closing;
use crate::params::{ParamError, ParamErrors, printable};
use crate::platform::Instant;
use crate::scenario::{Lesson, Pacing, Scenario};
use crate::session::Frame;
use crate::worker::{Order, Status, Worker};

use super::action::Action;
use super::gallery::{self, Gallery};
use super::messages::Offer;
use super::model::Model;
use super::open_dialog::Dialog;
use super::origin::Origin;
use super::perform::{ASKING, look_for_recent, opening, perform, show_start_page};
use super::prefs::Prefs;
use super::recovery::{Found, Recovery, Session};
use super::state::State;
use super::task_results::take_in;
use super::tasks::{Done, Task, Tasks};
use super::unsaved::Work;
use super::view::View;
use super::{dialogs, focus_ring, input, panels, work};

/// The key of the preferences in the storage.
const PREFS_KEY: &str = "preferences";

/// The scenario behind the start page at the first start.
const FIRST_LESSON: &str = "authors-code";

/// How soon the window tries again to send an edit that was held back.
const HELD_BACK: Duration = Duration::from_millis(30);

/// How often the preferences are saved. A page does not hear of its end in time.
const SAVE_EVERY: Duration = Duration::from_secs(3);

/// How long a closed window may take to save the preferences and to close its display. The process ends at the latest then.
const PATIENCE: Duration = Duration::from_millis(400);

/// What a window shows first.
enum First {
    /// A scenario that was read, and its file.
    Loaded(Box<Scenario>, Option<PathBuf>),
    /// What was in the window last time.
    LastTime(Box<Session>),
    /// The start page.
    Nothing,
}

/// A scenario, where it comes from, and how it is opened: in Watch or in Instant, and the step to stop at.
type Opening = (Scenario, Origin, (Pacing, Option<u64>));

impl First {
    /// Chooses the view.
    fn show(self, view: &mut View, prefs: &Prefs) -> Result<Opening, Vec<ParamError>> {
        let (scenario, file) = match self {
            Self::LastTime(session) => {
                let Session { window, start_page, .. } = *session;
                let seen = window.seen();
                view.show_again(window.origin.saved(), &seen);
                view.start_page = start_page;
                if !start_page {
                    view.messages.offer("Restored from last time", Offer::StartPage);
                }
                // What was asked is asked again.
                let moment = if view.challenge.asks() { ASKING } else { window.moment() };
                return Ok((seen, window.origin, moment));
            }
            Self::Nothing => {
                view.start_page = true;
                let lesson = Lesson::find(FIRST_LESSON).and_then(|lesson| lesson.scenario().ok());
                let missing = || vec![ParamError::new("lesson", "is missing", FIRST_LESSON)];
                (lesson.ok_or_else(missing)?, None)
            }
            Self::Loaded(scenario, file) => (*scenario, file),
        };
        view.show(&scenario);
        let moment = if view.start_page { (Pacing::Watch, Some(0)) } else { opening(&scenario, prefs) };
        Ok((scenario.clone(), Origin::of(Arc::new(scenario), file), moment))
    }
}

/// The window.
#[derive(Debug)]
pub struct App {
    state: State,
    theme: Theme,
    /// Whether a key was pressed since the pointer was.
    by_keyboard: bool,
    plots: Plots,
}

impl App {
    /// A window in which `scenario` runs; `file` is the file that it was read from. Nothing is kept for another start.
    ///
    /// # Errors
    /// If the scenario cannot be built.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        scenario: Scenario,
        file: Option<PathBuf>,
    ) -> Result<Self, Vec<ParamError>> {
        Self::open(cc, First::Loaded(Box::new(scenario), file), Recovery::default(), Found::default())
    }

    /// A window that keeps its session in `folder` and takes over what was left there. It shows the scenario that is `named`
    /// with its file, or what was in the window last time, or the start page.
    ///
    /// # Errors
    /// If the named scenario cannot be built.
    pub fn start(
        cc: &eframe::CreationContext<'_>,
        named: Option<(Scenario, Option<PathBuf>)>,
        folder: Option<&Path>,
    ) -> Result<Self, Vec<ParamError>> {
        let (recovery, mut found) = folder.map(Recovery::begin).unwrap_or_default();
        if let Some(keeper) = recovery.keeper().map(Arc::downgrade) {
            // There is nobody left to tell that it failed.
            closing::before_signals_end(move || _ = keeper.upgrade().map(|keeper| keeper.write()));
        }
        let session = found.session.take();
        let first = match (named, session) {
            (Some((scenario, file)), session) => {
                let left = session.map(|session| session.window).filter(Work::is_unsaved);
                left.into_iter().for_each(|work| _ = found.unsaved.keep(work));
                First::Loaded(Box::new(scenario), file)
            }
            (None, Some(session)) => {
                if let Err(errors) = session.window.seen().build() {
                    found
                        .problems
                        .push(format!("The session of last time cannot be restored: {}", ParamErrors(errors)));
                    found.unsaved.keep(session.window);
                    First::Nothing
                } else {
                    First::LastTime(Box::new(session))
                }
            }
            (None, None) => First::Nothing,
        };
        Self::open(cc, first, recovery, found)
    }

    fn open(
        cc: &eframe::CreationContext<'_>,
        first: First,
        recovery: Recovery,
        found: Found,
    ) -> Result<Self, Vec<ParamError>> {
        let context = &cc.egui_ctx;
        let mut prefs: Prefs = cc.storage.and_then(|storage| eframe::get_value(storage, PREFS_KEY)).unwrap_or_default();
        theme::install_fonts(context);
        let mut view = View::default();
        view.export = prefs.figure();
        if let First::Loaded(_, Some(file)) = &first {
            prefs.note_recent(file);
        }
        let (scenario, origin, (pacing, step)) = first.show(&mut view, &prefs)?;
        view.arrive();
        view.messages.warn(&scenario);
        found.problems.iter().for_each(|problem| view.messages.problem(problem));
        let theme = prefs.theme(context, view.theme);
        theme::apply(context, &theme);
        // The worker must know where to pause before it takes the first step.
        let held = pacing == Pacing::Watch && step.is_none() && !scenario.view.pause.is_empty();
        let waker = context.clone();
        let worker = Worker::start(scenario, pacing, step.is_none() && !held, move || waker.request_repaint())?;
        let tasks = Tasks::new(context.clone());
        let (mut model, gallery) = (Model::new(worker, origin), Gallery::default());
        if let Some(step) = step {
            model.open_at(step);
        } else if held {
            model.order(Order::Play);
        }
        let mut state = State { model, view, prefs, gallery, tasks, unsaved: found.unsaved, recovery };
        if state.view.start_page {
            show_start_page(&mut state);
        } else {
            look_for_recent(&mut state);
        }
        Ok(Self { state, theme, by_keyboard: false, plots: Plots::default() })
    }

    /// The newest frame of the session, for tests and benchmarks.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        self.state.model.frame()
    }

    /// The scenario in the window, with edits that the frame does not show yet.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        self.state.model.scenario()
    }

    /// Whether runs advance step by step.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.status().playing
    }

    /// The part of the plane that the canvases show, for tests.
    #[must_use]
    pub fn shown_bounds(&self) -> Bounds {
        self.state.view.bounds.unwrap_or_else(|| self.frame().target.info().view)
    }

    /// The status of the worker, with the frame that is shown.
    #[must_use]
    pub fn status(&self) -> &Status {
        self.state.model.status()
    }

    /// Takes in what has happened since the last frame.
    fn catch_up(&mut self, context: &Context) {
        for done in self.state.tasks.take() {
            take_in(&mut self.state, done, context);
        }
        let State { model, view, tasks, .. } = &mut self.state;
        let pressed = context.input(|input| input.pointer.any_down());
        let (canvases, theme, whole) = (&mut self.plots.canvases, &self.theme, view.resets());
        model.refresh(pressed, |frame| canvases.foresee(context, frame, whole, theme));
        view.note_frame(model.frame().generation);
        view.study.outdate(model.scenario());
        view.reference.follow(tasks, model.frame());
        view.coverage.trail.note(model.frame());
        view.challenge.follow(model.scenario());
        view.challenge.note(model.frame());
        if model.holds_back() {
            context.request_repaint_after(HELD_BACK);
        }
        if let Some(refusal) = &model.status().refused
            && refusal.number > view.refusals_shown
        {
            view.refusals_shown = refusal.number;
            view.messages.problem(ParamErrors(refusal.errors.clone()).to_string());
        }
        if let Some(left_out) = view.reading.left_out(&model.frame().target) {
            view.messages.problem(left_out);
        }
        if let Some(soon) = view.reading.look(model.scenario()) {
            context.request_repaint_after(soon);
        }
        if let Some(until) = view.messages.expire() {
            context.request_repaint_after(until);
        }
        if view.note_wanted() {
            context.request_repaint();
        }
        view.forget_removed(model.scenario().runs.len());
        model.view_changed = view.changed(model.scenario());
    }

    /// Applies the theme of the preferences if it has changed.
    fn apply_theme(&mut self, context: &Context) {
        let wanted = self.state.prefs.theme(context, self.state.view.theme);
        if wanted != self.theme {
            theme::apply(context, &wanted);
            self.theme = wanted;
        }
    }

    /// Shows the name of the file in the window's title, and asks before the window closes over changes to a file.
    fn show_file(&mut self, context: &Context) {
        let State { model, view, recovery, .. } = &mut self.state;
        let title = title(model);
        if view.title != title {
            context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            view.title = title;
        }
        if view.quitting {
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        let closing = context.input(|input| input.viewport().close_requested());
        // What has no file comes back at the next start.
        let asks = model.unsaved() && (model.file().is_some() || !recovery.keeps());
        if closing && asks && !view.quitting {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            view.dialog = Some(Dialog::Unsaved);
        }
    }

    /// What is kept for the next start.
    fn session(&self) -> Session {
        let State { model, view, unsaved, .. } = &self.state;
        let mut window = work::present(model, view);
        if view.discarding {
            window = window.discarded();
        }
        Session { window, start_page: view.start_page, unsaved: unsaved.clone() }
    }

    /// Has the session written by another thread when it is time for that.
    fn keep(&mut self, context: &Context) {
        if self.state.recovery.keeper().is_none() {
            return;
        }
        let (session, playing) = (self.session(), self.playing());
        let (work, wait) = self.state.recovery.note(session, playing, Instant::now());
        if let Some(keeper) = work {
            self.state.tasks.start(Task::Keep, move || Done::Kept(keeper.write()));
        }
        if let Some(wait) = wait {
            context.request_repaint_after(wait);
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, context: &Context, _frame: &mut eframe::Frame) {
        self.catch_up(context);
        self.apply_theme(context);
        self.show_file(context);
        self.keep(context);
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        self.theme.paper.to_normalized_gamma_f32()
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let mut actions = Vec::new();
        let mut ctx = self.state.ctx(&self.theme, &mut self.plots);
        input::read(&context, &mut ctx, &mut actions);
        let rooms = panels::controls(&mut ctx, ui, frame.gl().is_some(), &mut actions);
        // Runs are computed while their last picture is drawn.
        if actions.iter().all(|action| matches!(action, Action::Edit(_))) {
            actions.drain(..).for_each(|action| perform(&mut self.state, action, &context));
        }
        let mut ctx = self.state.ctx(&self.theme, &mut self.plots);
        if let Some(rooms) = rooms {
            panels::results(&mut ctx, ui, &rooms, &mut actions);
        }
        dialogs::show(&mut ctx, &context, &mut actions);
        focus_ring::paint(&context, &self.theme, &mut self.by_keyboard);
        for action in actions {
            perform(&mut self.state, action, &context);
        }
        let missing = self.state.gallery.missing();
        if !missing.is_empty() {
            let draw = move |round: usize| missing.get(round).map(|kind| Done::Thumbnail(gallery::thumbnail(kind)));
            self.state.tasks.stream(Task::Gallery, draw);
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.state.model.leave_worker();
        closing::end_within(PATIENCE);
        if let Some(keeper) = self.state.recovery.keeper() {
            keeper.hold(self.session());
            // There is nobody left to tell that it failed.
            keeper.write().ok();
        }
    }

    fn auto_save_interval(&self) -> Duration {
        SAVE_EVERY
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, PREFS_KEY, &self.state.prefs);
    }
}

/// The title of the window: the file, or the title of a scenario without one; a dot marks unsaved changes.
fn title(model: &Model) -> String {
    let mark = if model.unsaved() { "• " } else { "" };
    let name = model.file().and_then(|file| file.file_name());
    let name = name.map_or_else(|| model.scenario().title.clone(), |name| name.to_string_lossy().into_owned());
    format!("{mark}{} – Sampler Lab", printable(&name))
}
