//! The window: panels, dialogs, tasks and transport around what [`crate::draw`] draws.
//!
//! A frame goes like this: what tasks have done is taken in ([`tasks`]), the newest status of the
//! worker is read ([`model`]), panels are laid out and say what was asked for as [`actions::Action`]s, and then, in
//! one place ([`actions`]), it is done. Panels change nothing but the way they look ([`view`]).

pub mod actions;
pub mod controls;
mod dialogs;
mod drops;
pub mod files;
mod gallery;
mod keys;
mod launch;
mod messages;
mod model;
mod panels;
pub mod study;
mod task_results;
mod tasks;
mod undo;
mod view;

use std::path::PathBuf;

use egui::{Context, Ui};

use crate::params::ParamError;
use crate::scenario::Scenario;
use crate::worker::{Pacing, Worker};

use crate::draw::tabs::Plots;
use crate::draw::theme::{self, Theme};
use gallery::Gallery;
use model::Model;
use tasks::Tasks;
use view::{Prefs, View};

pub use launch::{LaunchError, run};

/// The key under which preferences are kept.
const PREFS_KEY: &str = "preferences";

/// How often it is tried again to send an edit that was held back.
const HELD_BACK: std::time::Duration = std::time::Duration::from_millis(30);

/// The window.
#[derive(Debug)]
pub struct App {
    model: Model,
    tasks: Tasks,
    gallery: Gallery,
    theme: Theme,
    prefs: Prefs,
    view: View,
    plots: Plots,
    context: Context,
}

impl App {
    /// A window in which `scenario` runs; `file` is where it came from.
    ///
    /// # Errors
    /// If the scenario cannot be built.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        scenario: Scenario,
        file: Option<PathBuf>,
    ) -> Result<Self, Vec<ParamError>> {
        let context = cc.egui_ctx.clone();
        let prefs: Prefs = cc.storage.and_then(|storage| eframe::get_value(storage, PREFS_KEY)).unwrap_or_default();
        theme::install_fonts(&context);
        let theme = prefs.theme(&context);
        theme::apply(&context, &theme);
        let mode = if prefs.instant { Pacing::Instant } else { Pacing::Watch };
        let worker = Worker::start(scenario, mode, true, waker(&context))?;
        let mut tasks = Tasks::new(context.clone());
        Gallery::start(&mut tasks);
        let model = Model::new(worker, file);
        Ok(Self {
            model,
            tasks,
            gallery: Gallery::default(),
            theme,
            prefs,
            view: View::default(),
            plots: Plots::default(),
            context,
        })
    }

    /// The newest frame of the session, for tests and for other programs around the window.
    #[must_use]
    pub fn frame(&self) -> &crate::session::Frame {
        self.model.frame()
    }

    /// The scenario as it stands in the window.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        self.model.scenario()
    }

    /// Whether steps are being made in sight.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.model.status().playing
    }

    /// How the session is doing, with the frame that is shown.
    #[must_use]
    pub fn status(&self) -> &crate::worker::Status {
        self.model.status()
    }

    /// What tells the window that there is something new.
    fn wake(&self) -> impl Fn() + Send + 'static {
        waker(&self.context)
    }

    /// Takes in whatever has happened since the last frame.
    fn catch_up(&mut self, context: &Context) {
        for done in self.tasks.take() {
            self.finish(done);
        }
        let pressed = context.input(|input| input.pointer.any_down());
        let (canvases, theme, whole) = (&mut self.plots.canvases, &self.theme, self.view.leaving.is_some());
        self.model.refresh(pressed, |frame| canvases.foresee(context, frame, whole, theme));
        self.view.arrive(self.model.frame().generation);
        self.view.study.outdate(self.model.scenario());
        self.view.coverage.trail.note(self.model.frame());
        if self.model.holds_back() {
            context.request_repaint_after(HELD_BACK);
        }
        if let Some(refusal) = self.model.status().refused.clone()
            && refusal.number > self.view.refusals_told
        {
            self.view.refusals_told = refusal.number;
            self.view.messages.problem(actions::in_words(&refusal.errors));
        }
        if let Some(until) = self.view.messages.expire() {
            context.request_repaint_after(until);
        }
        self.view.fit(self.model.scenario().runs.len());
    }

    /// Puts on another theme if another was asked for.
    fn dress(&mut self, context: &Context) {
        let wanted = self.prefs.theme(context);
        if wanted != self.theme {
            theme::apply(context, &wanted);
            self.theme = wanted;
        }
    }

    /// Shows the file in the window's title, and asks before unsaved changes are lost.
    fn frame_window(&mut self, context: &Context) {
        let title = self.title();
        if self.view.title != title {
            context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.view.title = title;
        }
        let closing = context.input(|input| input.viewport().close_requested());
        if closing && self.model.unsaved() && !self.view.quitting {
            context.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.view.dialog = Some(dialogs::Dialog::Unsaved);
        }
    }

    fn title(&self) -> String {
        let star = if self.model.unsaved() { "• " } else { "" };
        let name = self.model.file.as_ref().and_then(|file| file.file_name());
        let name = name.map_or_else(|| self.model.scenario().title.clone(), |name| name.to_string_lossy().into_owned());
        format!("{star}{name} – Sampler Lab")
    }
}

impl eframe::App for App {
    fn logic(&mut self, context: &Context, _frame: &mut eframe::Frame) {
        self.catch_up(context);
        self.dress(context);
        self.frame_window(context);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let context = ui.ctx().clone();
        let mut actions = Vec::new();
        keys::read(&context, &self.model, &mut self.view, &mut self.prefs, &mut actions);
        drops::read(&context, &self.theme, &mut actions);
        panels::show(self, ui, &mut actions);
        dialogs::show(self, &context, &mut actions);
        for action in actions {
            self.act(action, &context);
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, PREFS_KEY, &self.prefs);
    }
}

/// A callback for threads that have something new to show.
fn waker(context: &Context) -> impl Fn() + Send + 'static {
    let context = context.clone();
    move || context.request_repaint()
}
