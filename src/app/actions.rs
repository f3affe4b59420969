//! What a person can do, as data, and the one place where it is done.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::params::{KindSpec, ParamError, Settings, Value};
use crate::scenario::{LESSONS, Scenario, default_run, read, write};
use crate::session::Command;
use crate::worker::{Order, Pacing, Worker};

use super::App;
use super::controls::Edit;
use super::dialogs::{Dialog, PathDialog};
use super::files::{self, Purpose, SaveError};
use super::model::Model;
use super::panels::MIXTURE;
use super::tasks::Done;
use super::undo::Subject;
use crate::draw::sheet;

/// Runs in a scenario made in the window, at most.
pub const MAX_RUNS: usize = 4;

/// The text of File ▸ New.
const EMPTY_SCENARIO: &str = "format = 1\ntitle = \"Untitled\"\nseed = 42\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\n";

/// What a person asks for.
#[derive(Debug)]
pub enum Action {
    /// Something for the worker that changes no scenario.
    Order(Order),
    /// Play, or pause.
    TogglePlay,
    /// Run another way.
    Pacing(Pacing),
    /// Go to a step.
    Seek(u64),
    /// Start again with another seed.
    Seed(u64),
    /// Start again with a seed nobody chose.
    NewSeed,
    /// Change a parameter of a run.
    EditRun {
        /// Number of the run.
        run: usize,
        /// What was edited.
        edit: Edit,
    },
    /// Change a parameter of the target.
    EditTarget(Edit),
    /// Take another target.
    ChooseTarget(&'static KindSpec),
    /// Take another method in a run.
    ChooseMethod {
        /// Number of the run.
        run: usize,
        /// The method.
        method: &'static KindSpec,
    },
    /// Give a run another name.
    Rename {
        /// Number of the run.
        run: usize,
        /// Its new name.
        name: String,
    },
    /// Add a run.
    AddRun(&'static KindSpec),
    /// Add a copy of a run.
    Duplicate(usize),
    /// Remove a run.
    Remove(usize),
    /// Change title and caption.
    Describe {
        /// The new title.
        title: String,
        /// The new caption.
        caption: String,
    },
    /// Take the last edit back.
    Undo,
    /// Make it again.
    Redo,
    /// Begin with an empty scenario.
    New,
    /// Load a built-in lesson.
    Lesson(usize),
    /// Load the scenario of a pin.
    OpenPin(usize),
    /// Open a file, whose path is still to be asked for.
    Open,
    /// Open this file.
    OpenFile(PathBuf),
    /// Save to the file the scenario came from.
    Save,
    /// Save to another file.
    SaveAs,
    /// Ask what to export.
    Export,
    /// Ask where to write the figure.
    ExportTo,
    /// A path was chosen.
    Chosen {
        /// What for.
        purpose: Purpose,
        /// The path.
        path: PathBuf,
        /// Whether a file that exists may be replaced.
        replace: bool,
    },
    /// Make the missing repeats of the convergence study.
    RunStudy,
    /// Make no more of them.
    HaltStudy,
    /// Start a session in the place of one that has failed.
    Recover,
    /// Go to the first step and play from there.
    Restart,
    /// Close the window; asks first if something is unsaved.
    Close,
    /// Close the window, whatever is unsaved.
    Quit,
}

impl App {
    /// Does what was asked for; what cannot be done is told.
    pub(super) fn act(&mut self, action: Action, context: &egui::Context) {
        if let Err(error) = self.try_act(action, context) {
            self.view.messages.problem(error.to_string());
        }
    }

    fn try_act(&mut self, action: Action, context: &egui::Context) -> Result<(), ParamError> {
        let model = &mut self.model;
        match action {
            Action::Order(order) => model.order(order),
            Action::TogglePlay => model.toggle_play(),
            Action::Pacing(mode) => {
                self.prefs.instant = mode == Pacing::Instant;
                model.run_in(mode);
            }
            Action::Seek(step) => model.seek(step),
            Action::Seed(seed) => model.reseed(seed),
            Action::NewSeed => model.reseed(next_seed(model.scenario().seed)),
            Action::Undo => model.take_back(),
            Action::Redo => model.make_again(),
            Action::Restart => {
                model.order(Order::Session(Command::Restart));
                model.order(Order::Play);
            }
            Action::Close => context.send_viewport_cmd(egui::ViewportCommand::Close),
            Action::Quit => {
                self.view.quitting = true;
                context.send_viewport_cmd(egui::ViewportCommand::Close);
            }
            Action::ChooseTarget(kind) => {
                self.view.leave(model.frame().generation);
                self.view.editing = kind.name == MIXTURE;
                choose_target(model, kind, self.prefs.go_on);
            }
            Action::EditRun { .. } | Action::EditTarget(_) | Action::ChooseMethod { .. } => {
                edit_settings(model, action, self.prefs.go_on)?;
                self.view.messages.clear_problems();
            }
            Action::Rename { .. }
            | Action::AddRun(_)
            | Action::Duplicate(_)
            | Action::Remove(_)
            | Action::Describe { .. } => {
                edit_runs(model, action)?;
                self.view.messages.clear_problems();
            }
            _ => self.handle_files(action),
        }
        Ok(())
    }

    fn handle_files(&mut self, action: Action) {
        match action {
            Action::New => self.load_text(EMPTY_SCENARIO, "new scenario", Path::new(".")),
            Action::Lesson(index) => {
                if let Some(lesson) = LESSONS.get(index) {
                    self.load_text(lesson.text, lesson.name, Path::new("."));
                }
            }
            Action::OpenPin(pin) => {
                if let Some(pin) = self.prefs.pins.get(pin).cloned() {
                    self.load_text(&pin.scenario, &pin.name, &pin.folder);
                }
            }
            Action::Open => self.ask(Purpose::Open),
            Action::OpenFile(path) => self.tasks.start("reading the file", move || files::open(path)),
            Action::Save => match self.model.file.clone() {
                Some(path) => self.save(path, true),
                None => self.ask(Purpose::Save),
            },
            Action::SaveAs => self.ask(Purpose::Save),
            Action::RunStudy => {
                let scenario = self.model.scenario().clone();
                self.view.study.start(&mut self.tasks, &scenario);
            }
            Action::HaltStudy => {
                let scenario = self.model.scenario().clone();
                self.view.study.halt(&scenario);
            }
            Action::Export => self.view.dialog = Some(Dialog::Export),
            Action::ExportTo => self.ask(Purpose::Export),
            Action::Chosen { purpose, path, replace } => self.chosen(purpose, path, replace),
            Action::Recover => {
                let (scenario, mode, wake) = (self.model.scenario().as_ref().clone(), self.model.mode(), self.wake());
                let start = move || Done::Restarted(Worker::start(scenario, mode, false, wake));
                self.tasks.start("starting again", start);
            }
            _ => {}
        }
    }

    /// Loads a text that comes with the program, or with a pin.
    fn load_text(&mut self, text: &str, name: &str, folder: &Path) {
        match read(text, name, folder) {
            Ok(scenario) => self.load(scenario, None),
            Err(errors) => self.view.messages.problem(errors.to_string()),
        }
    }

    pub(super) fn load(&mut self, scenario: Scenario, file: Option<PathBuf>) {
        self.view.messages.clear_problems();
        self.view.solo = None;
        self.view.leave(self.model.frame().generation);
        self.model.load(scenario, file);
    }

    /// Asks the system for a path, and shows a field for one meanwhile.
    fn ask(&mut self, purpose: Purpose) {
        self.view.tickets += 1;
        let ticket = self.view.tickets;
        let stem = files::file_stem(&self.model.scenario().title);
        let suggestion = match purpose {
            Purpose::Open => String::new(),
            Purpose::Save => format!("{stem}.toml"),
            Purpose::Export => format!("{stem}{}.png", self.view.export.picture.suffix()),
        };
        let folder = self.prefs.folder.clone();
        let shown = folder.clone().unwrap_or_default().join(&suggestion);
        self.view.dialog = Some(Dialog::Path(PathDialog::new(purpose, ticket, &shown)));
        let ask = move || files::pick(purpose, ticket, folder.as_deref(), &suggestion);
        self.tasks.start(files::DIALOG_TASK, ask);
    }

    pub(super) fn chosen(&mut self, purpose: Purpose, path: PathBuf, replace: bool) {
        self.prefs.folder = path.parent().map(Path::to_owned);
        match purpose {
            Purpose::Open => {
                self.view.dialog = None;
                self.tasks.start("reading the file", move || files::open(path));
            }
            Purpose::Save => self.save(path, replace),
            Purpose::Export => self.export(path, replace),
        }
    }

    fn save(&mut self, path: PathBuf, replace: bool) {
        let scenario = self.model.scenario().clone();
        self.tasks.start("saving", move || {
            let result = files::write_whole(&path, write(&scenario).as_bytes(), replace);
            Done::Saved { path, scenario, result }
        });
    }

    fn export(&mut self, path: PathBuf, replace: bool) {
        let frame = self.model.frame().clone();
        let options = self.view.export.clone();
        let view = &self.view;
        let extras = sheet::Extras {
            choice: view.study.choice,
            repeats: view.study.repeats().to_vec(),
            path: view.path.clone(),
            trail: view.coverage.trail.clone(),
            pins: self.prefs.pins.clone(),
            layers: view.layers,
        };
        self.tasks.start("drawing the figure", move || {
            let result = sheet::png(&frame, &options, &extras).map_err(SaveError::from).and_then(|(bytes, size)| {
                files::write_whole(&path, &bytes, replace)?;
                Ok(size)
            });
            Done::Exported { path, result }
        });
    }
}

/// Adds the extension that a file of this purpose should have, if the path has none.
pub(super) fn with_extension(purpose: Purpose, path: PathBuf) -> PathBuf {
    match (purpose, path.extension()) {
        (Purpose::Save, None) => path.with_extension("toml"),
        (Purpose::Export, None) => path.with_extension("png"),
        _ => path,
    }
}

fn edit_settings(model: &mut Model, action: Action, go_on: bool) -> Result<(), ParamError> {
    let now = model.scenario().clone();
    match action {
        Action::EditRun { run, edit: Edit { path, value: Some(value) } } => model.set(run, path, value)?,
        Action::EditRun { run, edit: Edit { path, value: None } } => {
            let mut scenario = now.as_ref().clone();
            if let Some(run) = scenario.runs.get_mut(run) {
                run.settings.clear(&path);
            }
            model.replace(scenario, Subject { run: Some(run), what: path });
        }
        Action::EditTarget(edit) => {
            let target = edited_target(model.target(), &edit)?;
            model.set_target(target, go_on, false, Subject { run: None, what: edit.path });
        }
        Action::ChooseMethod { run, method } => model.choose_method(run, method)?,
        _ => {}
    }
    Ok(())
}

/// Takes another target, which keeps every parameter that both have.
fn choose_target(model: &mut Model, kind: &'static KindSpec, go_on: bool) {
    let target = super::controls::with_required(&model.target().converted(kind));
    model.set_target(target, go_on, true, whole("target"));
}

fn edited_target(now: &Settings, edit: &Edit) -> Result<Settings, ParamError> {
    let mut target = now.clone();
    match edit.value.clone() {
        Some(value) => target.set(&edit.path, value).map_err(|error| error.under("target"))?,
        None => target.clear(&edit.path),
    }
    Ok(target)
}

fn edit_runs(model: &mut Model, action: Action) -> Result<(), ParamError> {
    let now: Arc<Scenario> = model.scenario().clone();
    let name = |run: usize| now.runs.get(run).map_or("", |run| run.name.as_str());
    let (scenario, what) = match action {
        Action::Rename { run, name: new } => (now.with_name(name(run), &new)?, "name"),
        Action::AddRun(method) => (now.with_run(matching_run(&now, method)), "add"),
        Action::Duplicate(run) => (now.with_copy_of(name(run))?, "copy"),
        Action::Remove(run) => (now.without_run(name(run))?, "remove"),
        Action::Describe { title, caption } => (Scenario { title, caption, ..now.as_ref().clone() }, "describe"),
        _ => return Ok(()),
    };
    model.replace(scenario, whole(what));
    Ok(())
}

/// A run of a method with as many steps as the others have.
fn matching_run(now: &Scenario, method: &'static KindSpec) -> crate::scenario::RunSpec {
    let mut run = default_run(method);
    if let Some(first) = now.runs.first() {
        for key in ["steps", "chains", "start", "gradient"] {
            if let Some(value) = first.settings.get(key) {
                // A method that has no such parameter keeps its own.
                run.settings.set(key, Value::clone(value)).ok();
            }
        }
    }
    run
}

fn whole(what: &str) -> Subject {
    Subject { run: None, what: what.to_owned() }
}

/// A seed that has little to do with the one before, short enough to read aloud.
fn next_seed(seed: u64) -> u64 {
    (seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33) % 10_000
}

/// Errors, one per line.
#[must_use]
pub fn in_words(errors: &[ParamError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
