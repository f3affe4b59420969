//! Performer: the one place where an [`Action`] is carried out.

mod edits;

use std::path::{Path, PathBuf};
use std::time::Instant;

use egui::{Context, ViewportCommand};

use crate::draw::sheet;
use crate::scenario::{LESSONS, Scenario, read, write};
use crate::session::Command;
use crate::worker::{Order, Pacing, Worker};

use super::action::Action;
use super::files::{self, NewFile, Purpose};
use super::open_dialog::{Dialog, PathDialog};
use super::state::State;
use super::tasks::{Done, Task};
use super::view::MIXTURE;

/// The text of File ▸ New.
const EMPTY_SCENARIO: &str = "format = 1\ntitle = \"Untitled\"\nseed = 42\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\n";

/// Carries out an action. An action that is refused leads to a message.
pub fn perform(state: &mut State, action: Action, context: &Context) {
    let State { model, view, prefs, tasks, .. } = state;
    match action {
        Action::Order(order) => model.order(order),
        Action::TogglePlay => model.toggle_play(),
        Action::Pacing(pacing) => {
            prefs.instant = pacing == Pacing::Instant;
            model.run_in(pacing);
        }
        Action::Seek(step) => model.seek(step),
        Action::Restart => {
            model.order(Order::Session(Command::Restart));
            model.order(Order::Play);
        }
        Action::Seed(seed) => model.reseed(seed),
        Action::NewSeed => model.reseed(next_seed(model.scenario().seed)),
        Action::ChooseTarget(kind) => {
            view.reset_after(model.frame().generation);
            view.editing = kind.name == MIXTURE;
            edits::choose_target(model, kind, prefs.keep_chains);
        }
        Action::Edit(edit) => match edits::edit(model, edit, prefs.keep_chains) {
            Ok(()) => view.messages.clear_problems(),
            Err(error) => view.messages.problem(error.to_string()),
        },
        Action::Undo => model.undo_last(),
        Action::Redo => model.redo_last(),
        Action::New => load_text(state, EMPTY_SCENARIO, "new scenario", Path::new(".")),
        Action::Lesson(number) => {
            if let Some(lesson) = LESSONS.get(number) {
                load_text(state, lesson.text, lesson.name, Path::new("."));
            }
        }
        Action::OpenPin(number) => {
            if let Some(pin) = prefs.pins.get(number).cloned() {
                load_text(state, &pin.scenario, &pin.name, &pin.folder);
            }
        }
        Action::Open => ask(state, Purpose::Open),
        Action::OpenFile(path) => open(state, path),
        Action::Save => match model.file.clone() {
            Some(path) => save(state, path, true),
            None => ask(state, Purpose::Save),
        },
        Action::SaveAs => ask(state, Purpose::Save),
        Action::Export => view.dialog = Some(Dialog::Export),
        Action::ExportTo => ask(state, Purpose::Export),
        Action::Chosen { purpose, path, replace } => use_path(state, purpose, path, replace),
        Action::RunStudy => view.study.start(tasks, model.scenario()),
        Action::HaltStudy => view.study.halt(model.scenario()),
        Action::RangeTest { run, centre } => {
            let step = model.frame().step;
            view.range_study.start(tasks, model.scenario(), run, step, centre);
        }
        Action::Recover => recover(state, context),
        Action::Close => context.send_viewport_cmd(ViewportCommand::Close),
        Action::Quit => {
            view.quitting = true;
            context.send_viewport_cmd(ViewportCommand::Close);
        }
    }
}

/// Loads a scenario into the model; `file` is the file that it was read from.
pub fn load(state: &mut State, scenario: Scenario, file: Option<PathBuf>) {
    state.view.messages.clear_problems();
    state.view.solo = None;
    state.view.reset_after(state.model.frame().generation);
    state.model.load(scenario, file);
}

/// Loads a scenario whose text is in the program or in a pin.
fn load_text(state: &mut State, text: &str, name: &str, folder: &Path) {
    match read(text, name, folder) {
        Ok(scenario) => load(state, scenario, None),
        Err(errors) => state.view.messages.problem(errors.to_string()),
    }
}

/// Opens the system's file dialog, and a field for the path beside it.
fn ask(state: &mut State, purpose: Purpose) {
    let State { model, view, prefs, tasks, .. } = state;
    view.tickets += 1;
    let ticket = view.tickets;
    let stem = files::file_stem(&model.scenario().title);
    let suggestion = match purpose {
        Purpose::Open => String::new(),
        Purpose::Save => format!("{stem}.toml"),
        Purpose::Export => format!("{stem}{}.png", view.export.picture.suffix()),
    };
    let folder = prefs.folder.clone();
    let shown = folder.clone().unwrap_or_default().join(&suggestion);
    view.dialog = Some(Dialog::Path(PathDialog::new(purpose, ticket, &shown)));
    tasks.start(Task::FileDialog, move || {
        let since = Instant::now();
        let path = files::pick(purpose, folder.as_deref(), &suggestion);
        Done::Picked { ticket, path, after: since.elapsed() }
    });
}

/// Uses the path that a person chose.
pub fn use_path(state: &mut State, purpose: Purpose, path: PathBuf, replace: bool) {
    state.prefs.folder = path.parent().map(Path::to_owned);
    match purpose {
        Purpose::Open => {
            state.view.dialog = None;
            open(state, path);
        }
        Purpose::Save => save(state, path, replace),
        Purpose::Export => export(state, path, replace),
    }
}

fn open(state: &mut State, path: PathBuf) {
    state.tasks.start(Task::Read, move || {
        let scenario = files::read_scenario(&path).map(Box::new);
        Done::Opened { path, scenario }
    });
}

fn save(state: &mut State, path: PathBuf, replace: bool) {
    let scenario = state.model.scenario().clone();
    state.tasks.start(Task::Save, move || {
        let result = Purpose::Save
            .check_extension(&path)
            .and_then(|()| files::write_whole(&path, write(&scenario).as_bytes(), replace));
        Done::Saved { path, scenario, result }
    });
}

fn export(state: &mut State, path: PathBuf, replace: bool) {
    let State { model, view, prefs, tasks, .. } = state;
    let frame = model.frame().clone();
    let options = view.export.clone();
    let extras = sheet::Extras {
        choice: view.study.choice,
        repeats: view.study.repeats().to_vec(),
        path: view.path.clone(),
        trail: view.coverage.trail.clone(),
        pins: prefs.pins.clone(),
        layers: view.layers,
    };
    tasks.start(Task::Export, move || {
        let draw = || {
            Purpose::Export.check_extension(&path)?;
            let file = NewFile::at(&path, replace)?;
            let (bytes, size) = sheet::png(&frame, &options, &extras)?;
            file.write(&bytes)?;
            Ok(size)
        };
        let result = draw();
        Done::Exported { path, result }
    });
}

/// Starts a new session with the present scenario.
fn recover(state: &mut State, context: &Context) {
    let (scenario, pacing) = (state.model.scenario().as_ref().clone(), state.model.mode());
    let context = context.clone();
    let start = move || Done::Restarted(Worker::start(scenario, pacing, false, move || context.request_repaint()));
    state.tasks.start(Task::Recover, start);
}

/// A seed far from the present one, with at most four digits so that it can be read aloud.
fn next_seed(seed: u64) -> u64 {
    (seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33) % 10_000
}
