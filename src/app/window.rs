//! Window of the program: what happens in one frame, from the results of tasks to the actions.

use std::path::PathBuf;
use std::time::Duration;

use egui::{Context, Ui, ViewportCommand};

use crate::draw::tabs::Plots;
use crate::draw::theme::{self, Theme};
use crate::output::closing;
use crate::params::{ParamError, ParamErrors, printable};
use crate::scenario::Scenario;
use crate::session::Frame;
use crate::targets::TARGETS;
use crate::worker::{Status, Worker};

use super::gallery::{self, Gallery};
use super::model::Model;
use super::open_dialog::Dialog;
use super::perform::{opening, perform};
use super::prefs::Prefs;
use super::state::State;
use super::task_results::take_in;
use super::tasks::{Done, Task, Tasks};
use super::unsaved::UnsavedWork;
use super::view::View;
use super::{dialogs, input, panels};

/// The key of the preferences in the storage.
const PREFS_KEY: &str = "preferences";

/// How soon the window tries again to send an edit that was held back.
const HELD_BACK: Duration = Duration::from_millis(30);

/// How long a closed window may take to save the preferences and to close its display. The process ends at the latest then.
const PATIENCE: Duration = Duration::from_millis(400);

/// The window.
#[derive(Debug)]
pub struct App {
    state: State,
    theme: Theme,
    plots: Plots,
}

impl App {
    /// A window in which `scenario` runs; `file` is the file that it was read from.
    ///
    /// # Errors
    /// If the scenario cannot be built.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        scenario: Scenario,
        file: Option<PathBuf>,
    ) -> Result<Self, Vec<ParamError>> {
        let context = &cc.egui_ctx;
        let prefs: Prefs = cc.storage.and_then(|storage| eframe::get_value(storage, PREFS_KEY)).unwrap_or_default();
        theme::install_fonts(context);
        let mut view = View::default();
        view.show(&scenario);
        view.arrive();
        view.messages.warn(&scenario);
        let theme = prefs.theme(context, view.theme);
        theme::apply(context, &theme);
        let (pacing, step) = opening(&scenario, &prefs);
        let waker = context.clone();
        let worker = Worker::start(scenario, pacing, step.is_none(), move || waker.request_repaint())?;
        let mut tasks = Tasks::new(context.clone());
        tasks.stream(Task::Gallery, |round| TARGETS.get(round).map(|kind| Done::Thumbnail(gallery::thumbnail(kind))));
        let (mut model, gallery) = (Model::new(worker, file), Gallery::default());
        let clock = model.scenario().view.clock.unwrap_or_default();
        model.count_by(clock);
        if let Some(step) = step {
            model.open_at(step);
        }
        let state = State { model, view, prefs, gallery, tasks, unsaved: UnsavedWork::default() };
        Ok(Self { state, theme, plots: Plots::default() })
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

    /// The status of the worker, with the frame that is shown.
    #[must_use]
    pub fn status(&self) -> &Status {
        self.state.model.status()
    }

    /// Takes in what has happened since the last frame.
    fn catch_up(&mut self, context: &Context) {
        for done in self.state.tasks.take() {
            take_in(&mut self.state, done);
        }
        let State { model, view, .. } = &mut self.state;
        let pressed = context.input(|input| input.pointer.any_down());
        let (canvases, theme, whole) = (&mut self.plots.canvases, &self.theme, view.resets());
        model.refresh(pressed, |frame| canvases.foresee(context, frame, whole, theme));
        view.note_frame(model.frame().generation);
        view.study.outdate(model.scenario());
        view.coverage.trail.note(model.frame());
        if model.holds_back() {
            context.request_repaint_after(HELD_BACK);
        }
        if let Some(refusal) = &model.status().refused
            && refusal.number > view.refusals_shown
        {
            view.refusals_shown = refusal.number;
            view.messages.problem(ParamErrors(refusal.errors.clone()).to_string());
        }
        if let Some(until) = view.messages.expire() {
            context.request_repaint_after(until);
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

    /// Shows the name of the file in the window's title, and asks before unsaved changes are lost.
    fn show_file(&mut self, context: &Context) {
        let State { model, view, .. } = &mut self.state;
        let title = title(model);
        if view.title != title {
            context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            view.title = title;
        }
        let closing = context.input(|input| input.viewport().close_requested());
        if closing && model.unsaved() && !view.quitting {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            view.dialog = Some(Dialog::Unsaved);
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, context: &Context, _frame: &mut eframe::Frame) {
        self.catch_up(context);
        self.apply_theme(context);
        self.show_file(context);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let mut actions = Vec::new();
        let mut ctx = self.state.ctx(&self.theme, &mut self.plots);
        input::read(&context, &mut ctx, &mut actions);
        panels::show(&mut ctx, ui, &mut actions);
        dialogs::show(&mut ctx, &context, &mut actions);
        for action in actions {
            perform(&mut self.state, action, &context);
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.state.model.leave_worker();
        closing::end_within(PATIENCE);
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
