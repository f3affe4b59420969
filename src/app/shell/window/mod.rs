//! Window of the program: what happens in one frame, from the results of tasks to the actions.

mod first;
mod kept;
mod shown;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use egui::{Context, Ui, ViewportCommand};

use crate::output::closing;
use crate::platform::show_title;
use base::params::{ParamError, ParamErrors};
use draw::theme::{self, Theme};
use draw::views::Plots;
use engine::scenario::{Pacing, Playlist, Scenario};
use engine::worker::{Order, Worker};

use super::awaited::{self, Awaited, Begun};
use super::page_address::PageAddress;
use super::task_results::{not_restored, take_in};
use super::{focus_ring, input};
use crate::app::action::Action;
use crate::app::controls::fault;
use crate::app::dialogs::current::Dialog;
use crate::app::experiment::model::{MAKING, Model};
use crate::app::perform::{follow_playlist, look_for_recent, perform, show_start_page, stages};
use crate::app::recovery::unsaved::Work;
use crate::app::recovery::{Found, Recovery, work};
use crate::app::state::State;
use crate::app::tasks::{Done, Task, Tasks};
use crate::app::thumbnails::{self, Gallery};
use crate::app::view::View;
use crate::app::view::folding::Side;
use crate::app::view::prefs::{KEY, Prefs};
use crate::app::{dialogs, panels};
use first::First;

/// How soon the window tries again to send an edit that was held back.
const HELD_BACK: Duration = Duration::from_millis(30);

/// How often it is looked whether a scenario has been opened.
const OPENING: Duration = Duration::from_millis(50);

/// How often the preferences are saved. A page does not hear of its end in time.
const SAVE_EVERY: Duration = Duration::from_secs(3);

/// How long a closed window may take to save the preferences and to close its display. The process ends at the latest then.
const PATIENCE: Duration = Duration::from_millis(400);

/// What was named to be shown.
#[derive(Debug)]
pub enum Named {
    /// A scenario with the file that it was read from, or why it could not be read.
    Read(Box<Result<(Scenario, Option<PathBuf>), String>>),
    /// A playlist, with the file that it was read from.
    Playlist(Playlist, Option<PathBuf>),
    /// A table of data, to be asked what it is.
    Table(PathBuf),
    /// A file that is still being read.
    Awaited(Awaited),
}

impl From<Result<(Scenario, Option<PathBuf>), String>> for Named {
    fn from(read: Result<(Scenario, Option<PathBuf>), String>) -> Self {
        Self::Read(Box::new(read))
    }
}

/// What a window opens without, since it takes long.
enum Late {
    /// A file.
    File(Awaited),
    /// What was in the window last time, kept as unsaved work of this number until its target is built.
    LastTime(u64, Receiver<Result<(), Vec<ParamError>>>),
}

/// The window.
#[derive(Debug)]
pub struct App {
    state: State,
    theme: Theme,
    /// Whether a key was pressed since the pointer was.
    by_keyboard: bool,
    plots: Plots,
    address: PageAddress,
}

impl App {
    /// A window in which `scenario` runs; `file` is the file that it was read from. Nothing is kept for another start.
    ///
    /// # Errors
    /// If not even the first lesson can be built; where the scenario cannot be, the window says why.
    pub fn new(
        cc: &eframe::CreationContext<'_>,
        scenario: Scenario,
        file: Option<PathBuf>,
    ) -> Result<Self, Vec<ParamError>> {
        Self::open(cc, First::Loaded(Box::new(scenario), file), Recovery::default(), Found::default())
    }

    /// A window that keeps its session in `folder` and takes over what was left there. It shows the scenario that is `named`
    /// with its file, or what was in the window last time, or the start page. Where the named one cannot be shown, it says why. What was
    /// made of the named scenario last time goes on where a page is loaded `again`.
    ///
    /// # Errors
    /// If not even the first lesson can be built.
    pub fn start(
        cc: &eframe::CreationContext<'_>,
        named: Option<Named>,
        folder: Option<&Path>,
        again: bool,
    ) -> Result<Self, Vec<ParamError>> {
        let (recovery, mut found) = folder.map(Recovery::begin).unwrap_or_default();
        if let Some(keeper) = recovery.keeper().map(Arc::downgrade) {
            // There is nobody left to tell that it failed.
            closing::before_signals_end(move || _ = keeper.upgrade().map(|keeper| keeper.write()));
        }
        let mut session = found.session.take();
        let goes_on =
            |scenario: &Scenario| again && session.as_ref().is_some_and(|session| session.comes_from(scenario));
        let (mut late, mut followed, mut table) = (None, None, None);
        let named = match named {
            Some(Named::Read(read)) => Some(*read),
            Some(Named::Playlist(playlist, file)) => {
                followed = Some((playlist, file));
                None
            }
            Some(Named::Table(path)) => {
                table = Some(path);
                None
            }
            Some(Named::Awaited(file)) => {
                late = Some(Late::File(file));
                None
            }
            None => None,
        };
        let named = named.filter(|named| !named.as_ref().is_ok_and(|(scenario, _)| goes_on(scenario)));
        if named.is_some() || late.is_some() || followed.is_some() {
            let left = session.take().map(|session| session.window).filter(Work::is_unsaved);
            left.into_iter().for_each(|work| _ = found.unsaved.keep(work));
        }
        let first = match (named, session) {
            (Some(Ok((scenario, file))), _) => First::Loaded(Box::new(scenario), file),
            (Some(Err(problem)), _) => {
                found.problems.push(problem);
                First::Nothing
            }
            (None, Some(session)) => {
                let seen = session.window.seen();
                match Begun::new(move || seen.build().map(drop)) {
                    Begun::Done(Ok(())) => First::LastTime(Box::new(session)),
                    Begun::Done(Err(errors)) => {
                        found.problems.push(not_restored(errors));
                        found.unsaved.keep(session.window);
                        First::Nothing
                    }
                    Begun::Going(built) => {
                        late = Some(Late::LastTime(found.unsaved.keep(session.window), built));
                        First::Nothing
                    }
                }
            }
            (None, None) => First::Nothing,
        };
        let mut app = Self::open(cc, first, recovery, found)?;
        late.into_iter().for_each(|late| app.wait_for(late));
        if let Some((playlist, file)) = followed {
            follow_playlist(&mut app.state, playlist, file);
        }
        if let Some(path) = table {
            perform(&mut app.state, Action::OpenFile(path), &cc.egui_ctx);
        }
        Ok(app)
    }

    /// Shows what comes late when it is there.
    fn wait_for(&mut self, late: Late) {
        let State { view, tasks, .. } = &mut self.state;
        match late {
            Late::File(file) => {
                let (folder, path) = file.folder_and_path();
                view.files.reading.begin(folder, path);
                tasks.start(Task::Read, move || file.opened());
            }
            Late::LastTime(number, built) => {
                let task = Task::Restore;
                tasks.start(task, move || awaited::result(&built, task, |built| Done::Restored { number, built }));
            }
        }
    }

    fn open(
        cc: &eframe::CreationContext<'_>,
        first: First,
        recovery: Recovery,
        mut found: Found,
    ) -> Result<Self, Vec<ParamError>> {
        let context = &cc.egui_ctx;
        let falls_back = !matches!(first, First::Nothing);
        let mut prefs: Prefs = cc.storage.and_then(|storage| eframe::get_value(storage, KEY)).unwrap_or_default();
        // Nothing else has checked it.
        context.options_mut(|options| options.zoom_factor = prefs.zoom());
        theme::install_fonts(context);
        let mut view = View::default();
        view.files.export = prefs.figure();
        view.trials.notebook = found.trials.clone();
        if let First::Loaded(_, Some(file)) = &first {
            prefs.note_recent(file);
        }
        let refused = first.refused();
        let (scenario, origin, (pacing, step)) = first.show(&mut view, &prefs)?;
        view.arrive();
        view.messages.warn(&scenario);
        found.problems.iter().for_each(|problem| view.messages.problem(problem));
        let theme = prefs.theme(context, view.window.theme);
        theme::apply(context, &theme);
        // The worker must know where to pause before it takes the first step.
        let held = pacing == Pacing::Watch && step.is_none() && !scenario.view.pause.is_empty();
        let waker = context.clone();
        let worker = match Worker::start(scenario, pacing, step.is_none() && !held, move || waker.request_repaint()) {
            Ok(worker) => worker,
            Err(errors) if falls_back => {
                found.problems.push(ParamErrors(errors).to_string());
                return Self::open(cc, First::Nothing, recovery, found);
            }
            Err(errors) => return Err(errors),
        };
        let tasks = Tasks::new(context.clone());
        let (mut model, gallery) = (Model::new(worker, origin), Gallery::default());
        model.show_refused(refused);
        if let Some(step) = step {
            model.open_at(step);
        } else if held {
            model.order(Order::Play);
        }
        let mut state = State { model, view, prefs, gallery, tasks, unsaved: found.unsaved, recovery };
        if state.view.window.start_page {
            show_start_page(&mut state);
        } else {
            look_for_recent(&mut state);
        }
        Ok(Self { state, theme, by_keyboard: false, plots: Plots::default(), address: PageAddress::default() })
    }

    /// Takes in what has happened since the last frame.
    fn catch_up(&mut self, context: &Context) {
        for done in self.state.tasks.take() {
            take_in(&mut self.state, done, context);
        }
        let panel = self.state.ctx(&self.theme, &mut self.plots).shows_panel(Side::Left, context);
        let State { model, view, prefs, tasks, .. } = &mut self.state;
        let pressed = context.input(|input| input.pointer.any_down());
        let (plots, theme, whole) = (&mut self.plots, &self.theme, view.resets());
        model.refresh(pressed, |frame| plots.foresee(context, frame, whole, theme));
        view.follow(model);
        if model.opening().is_some() {
            context.request_repaint_after(OPENING);
        } else {
            view.studies.reference.follow(tasks, model.frame());
        }
        view.studies.along.follow(tasks, &mut view.trials.notebook);
        if model.status().making.is_some() {
            context.request_repaint_after(MAKING);
        }
        if model.holds_back() {
            context.request_repaint_after(HELD_BACK);
        }
        if let Some(refusal) = &model.status().refused
            && refusal.number > view.window.refusals_shown
        {
            view.window.refusals_shown = refusal.number;
            // The panel of the target says why, where it is shown.
            if !(panel && model.is_of_target(refusal)) {
                view.messages.problem(fault::in_words(model.scenario(), None, &refusal.errors));
            }
        }
        if model.opening().is_none()
            && let Some(warnings) = view.files.reading.warnings(&model.frame().target, panel)
        {
            view.messages.problem(warnings);
        }
        if let Some(soon) = view.files.reading.look(model.scenario()) {
            context.request_repaint_after(soon);
        }
        if let Some(due) = stages::keep_pace(model, view) {
            context.request_repaint_after(due);
        }
        stages::keep_in_sight(model, view, prefs.present);
        if let Some(until) = view.messages.expire() {
            context.request_repaint_after(until);
        }
        if view.window.note_wanted() {
            context.request_repaint();
        }
        view.forget_removed(model.scenario().runs.len());
        model.view_changed = view.changed(model.scenario());
    }

    /// Applies the theme of the preferences if it has changed.
    fn apply_theme(&mut self, context: &Context) {
        let wanted = self.state.prefs.theme(context, self.state.view.window.theme);
        if wanted != self.theme {
            theme::apply(context, &wanted);
            self.theme = wanted;
        }
    }

    /// Shows the name of the file in the window's title, and asks before the window closes over changes to a file.
    fn show_file(&mut self, context: &Context) {
        let State { model, view, recovery, .. } = &mut self.state;
        let title = work::title(model);
        if view.window.title != title {
            show_title(context, &title);
            view.window.title = title;
        }
        self.address.show(model.origin(), view.window.start_page);
        if view.window.quitting {
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        let closing = context.input(|input| input.viewport().close_requested());
        // What has no file comes back at the next start.
        let asks = model.unsaved() && (model.file().is_some() || !recovery.keeps());
        if closing && asks && !view.window.quitting {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            view.forms.dialog = Some(Dialog::Unsaved);
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, context: &Context, _frame: &mut eframe::Frame) {
        self.catch_up(context);
        self.state.prefs.note_zoom(context.zoom_factor());
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
        let areas = panels::controls(&mut ctx, ui, frame.gl().is_some(), &mut actions);
        // Runs are computed while their last picture is drawn.
        if actions.iter().all(|action| matches!(action, Action::Edit(_))) {
            actions.drain(..).for_each(|action| perform(&mut self.state, action, &context));
        }
        let mut ctx = self.state.ctx(&self.theme, &mut self.plots);
        if let Some(areas) = areas {
            panels::results(&mut ctx, ui, &areas, &mut actions);
        }
        panels::pen::show(&mut ctx, &context);
        dialogs::show(&mut ctx, &context, &mut actions);
        focus_ring::paint(&context, &self.theme, &mut self.by_keyboard);
        for action in actions {
            perform(&mut self.state, action, &context);
        }
        let missing = self.state.gallery.missing();
        if !missing.is_empty() {
            let draw = move |round: usize| missing.get(round).map(|kind| Done::Thumbnail(thumbnails::thumbnail(kind)));
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

    fn persist_egui_memory(&self) -> bool {
        // What is worth keeping is in the preferences, where it is checked.
        false
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, KEY, &self.state.prefs);
    }
}

#[cfg(test)]
mod walk;
