//! Performer: the one place where an [`Action`] is carried out.

mod asking;
mod data;
mod edits;
mod files;
mod loading;
mod playlist;
mod refusal;
pub mod stages;
mod start_page;
mod study;
mod trials;

use std::path::{Path, PathBuf};

use egui::{Context, ViewportCommand};

use super::files::link::fragment;
use crate::platform::{HAS_PATHS, Instant, address};
use base::params::KindSpec;
use engine::scenario::LessonPath;
use engine::session::Command;
use engine::worker::{Order, Pacing};
use models::targets::{Editor, editor_of};

pub use asking::ASKING;
use asking::{hold_back, reveal};
use files::{browse, name_file, open, open_table, save};
use loading::{keep_unsaved, load_lesson, load_text};
pub use loading::{load, opening};
pub use playlist::follow as follow_playlist;
use refusal::refusal;
use start_page::follow;
pub use start_page::{look_for_recent, show_start_page};
use study::study;

use super::action::{Action, EditAction};
use super::controls::fault;
use super::dialogs::current::{Dialog, LinkDialog, PathDialog};
use super::experiment::model::Model;
use super::files::saving::Before;
use super::files::{Purpose, draws, figures, file_stem, hand_out, pick, report, trials as trials_file, worksheet};
use super::recovery::unsaved::Work;
use super::recovery::work::as_seen;
use super::state::State;
use super::studies::challenge::changes_runs;
use super::tasks::{Done, Task};
use super::view::View;
use super::view::messages::Offer;

/// The text of File ▸ New.
const EMPTY_SCENARIO: &str = "format = 1\ntitle = \"Untitled\"\nseed = 42\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\n";

/// Carries out an action. An action that is refused leads to a message. While something is asked, an edit leaves the runs at step 0.
pub fn perform(state: &mut State, action: Action, context: &Context) {
    let asked = state.view.studies.challenge.asks() && changes_runs(&action);
    carry_out_any(state, action, context);
    if asked && state.view.studies.challenge.asks() {
        state.model.open_at(0);
    }
}

/// Gives an order to the worker; a step that is taken is shown whole.
fn obey(model: &mut Model, view: &mut View, order: Order) {
    match &order {
        Order::Speed(speed) => view.transport.speed = Some(*speed),
        Order::Step(_) => stages::show_whole(view),
        _ => {}
    }
    model.order(order);
}

fn carry_out_any(state: &mut State, action: Action, context: &Context) {
    if let Some(reason) = refusal(state, &action) {
        return state.view.messages.problem(reason);
    }
    let State { model, view, prefs, .. } = state;
    match action {
        Action::Order(order) => obey(model, view, order),
        Action::TogglePlay => stages::toggle_play(model, view),
        Action::Pacing(pacing) => {
            prefs.instant = pacing == Pacing::Instant;
            view.transport.pace = Some(pacing);
            model.run_in(pacing);
        }
        Action::Seek(tick) => stages::seek(model, view, tick),
        Action::Stage(wish) => stages::walk(model, view, wish),
        Action::CountBy(clock) => {
            view.plots.range = view.plots.range.take().filter(|_| view.plots.options.axis.is_some());
            model.count_by(clock);
        }
        Action::Restart => {
            model.order(Order::Session(Command::Restart));
            model.order(Order::Play);
        }
        Action::Seed(seed) => reseed(model, seed),
        Action::NewSeed => sow(state),
        Action::ChooseTarget(kind) => choose_target(state, kind),
        Action::Edit(edit) => carry_out(state, edit),
        Action::Undo => jump(state, false),
        Action::Redo => jump(state, true),
        Action::GiveUpTarget => model.give_up_refused(),
        Action::New => load_text(state, EMPTY_SCENARIO, "new scenario", Path::new(".")),
        Action::Lesson(number) => load_lesson(state, None, number),
        Action::LessonOn { path, number } => {
            playlist::leave(state);
            load_lesson(state, Some(path), number);
        }
        Action::NeighbourLesson(steps) => neighbour_lesson(state, steps),
        Action::Playlist(action) => _ = playlist::perform(state, &action).map(|purpose| ask(state, purpose)),
        Action::OpenPin(number) => open_pin(state, number),
        Action::Restore(number) => restore(state, number),
        Action::Reveal => reveal(state),
        Action::AskAgain => ask_again(state),
        Action::StartPage => show_start_page(state),
        Action::Open => ask(state, Purpose::Open),
        Action::Browse(browsed) => _ = browse(state, browsed).map(|purpose| ask(state, purpose)),
        Action::OpenFile(path) => open(state, path),
        Action::Data(action) => _ = data::perform(state, action).map(|purpose| ask(state, purpose)),
        Action::Follow(path) => follow(state, path),
        Action::StopReading => view.files.reading.stop(model.scenario()),
        Action::Save => save_or_ask(state, false, false),
        Action::SaveWithoutComments { closes } => save_or_ask(state, closes, true),
        Action::SaveAs => ask(state, Purpose::Save),
        Action::Link => show_link(state),
        Action::Export => {
            figures::begin(state);
            state.view.forms.dialog = Some(Dialog::Export);
        }
        Action::ExportTo => ask(state, Purpose::Export(state.view.files.export.format)),
        Action::SaveDraws(format) => ask(state, Purpose::Draws(format)),
        Action::CopyFigure => figures::copy(state),
        Action::StopFigure => view.files.drawing = None,
        Action::PreviewFigure(most) => figures::preview(state, most),
        Action::Chosen { purpose, path, replace } => use_path(state, purpose, path, replace),
        Action::KeepTrial => trials::keep(state),
        Action::Trials => trials::show(state),
        Action::OpenTrial(number) => trials::open(state, number),
        Action::SaveTrials(format) => ask(state, Purpose::Trials(format)),
        Action::Report => view.forms.dialog = Some(Dialog::Report),
        Action::SaveHandOut => ask(state, Purpose::HandOut),
        Action::SaveReport(format) => ask(state, Purpose::Report(format)),
        Action::SaveWorksheet => ask(state, Purpose::Worksheet),
        Action::Study(action) => _ = study(state, action).map(|purpose| ask(state, purpose)),
        Action::Close => context.send_viewport_cmd(ViewportCommand::Close),
        Action::Quit { discard } => (view.window.quitting, view.window.discarding) = (true, discard),
        Action::SaveAndQuit => save_or_ask(state, true, false),
    }
}

/// Starts again with a seed. Runs that had begun play as they did: at step 0 there would be nothing to see of the new draws.
fn reseed(model: &mut Model, seed: u64) {
    let begun = model.mode() == Pacing::Watch && model.frame().step > 0 && !model.scenario().asks();
    model.reseed(seed);
    if begun && !model.status().playing {
        model.order(Order::Play);
    }
}

/// Starts again with a new seed.
fn sow(state: &mut State) {
    let seed = next_seed(state.model.scenario().seed);
    reseed(&mut state.model, seed);
    state.view.messages.news(format!("New seed {seed}. Ctrl Z goes back."));
}

fn choose_target(state: &mut State, kind: &'static KindSpec) {
    let State { model, view, prefs, .. } = state;
    view.reset_after(model.frame().generation);
    view.shown.editing = editor_of(kind).is_some_and(Editor::is_on_canvases);
    edits::choose_target(model, kind, prefs.keep_chains);
}

fn open_pin(state: &mut State, number: usize) {
    if let Some(pin) = state.prefs.pins.get(number).cloned() {
        load_text(state, &pin.scenario, &pin.name, &pin.folder);
    }
}

/// Asks the questions of the challenge again.
fn ask_again(state: &mut State) {
    state.view.studies.challenge.ask_again();
    hold_back(state);
}

/// Takes up unsaved work. What was only read is built before, beside the window: it stays where it is if that fails.
fn restore(state: &mut State, number: u64) {
    if let Some(scenario) = state.unsaved.not_built(number) {
        let origin = state.model.origin().clone();
        let build = move || Done::Built { number, origin, built: scenario.build().map(drop) };
        return state.tasks.start(Task::Restore, build);
    }
    if let Some(work) = state.unsaved.take(number) {
        resume(state, work);
    }
}

/// Takes up work where it was left, at the step that it had reached.
fn resume(state: &mut State, work: Work) {
    keep_unsaved(state);
    let State { model, view, .. } = state;
    view.messages.clear_problems();
    view.window.start_page = false;
    view.reset_after(model.frame().generation);
    let seen = work.seen();
    view.show_again(work.origin.saved(), &seen);
    view.forms.formula.clone_from(&work.typed.formula);
    let (pacing, step) = if view.studies.challenge.asks() { ASKING } else { work.moment() };
    if pacing != model.mode() {
        model.run_in(pacing);
    }
    model.resume(seen, work.origin);
    model.show_refused(work.typed.refused);
    if let Some(step) = step {
        model.open_at(step);
    }
}

/// Carries out an edit of the scenario, and says what it leads to.
fn carry_out(state: &mut State, edit: EditAction) {
    let State { model, view, prefs, .. } = state;
    let run = match &edit {
        EditAction::Run { run, .. } | EditAction::Method { run, .. } => Some(*run),
        _ => None,
    };
    match edits::edit(model, edit, prefs.keep_chains) {
        Ok(again) => {
            view.messages.clear_problems();
            if again {
                view.messages.news("Started again from step 0, because the run had ended");
            }
        }
        Err(error) => view.messages.problem(fault::in_words(model.scenario(), run, [&error])),
    }
}

/// Undoes an edit, or does it again; says so if there is none.
fn jump(state: &mut State, redo: bool) {
    let State { model, view, unsaved, .. } = state;
    let (possible, nothing) =
        if redo { (model.undo().can_redo(), "Nothing to redo") } else { (model.undo().can_undo(), "Nothing to undo") };
    if !possible {
        return view.messages.news(nothing);
    }
    if redo {
        model.redo_last();
    } else {
        model.undo_last();
    }
    view.messages.clear_problems();
    unsaved.forget(model.scenario());
}

/// Loads the item so many positions after the last one of the playlist, or else the lesson so many positions after the one in the window on its
/// path; says so if there is none.
fn neighbour_lesson(state: &mut State, steps: isize) {
    let State { model, view, .. } = state;
    if let Some(open) = view.playlist.as_ref().filter(|open| !open.playlist.items.is_empty()) {
        return match open.neighbour(steps) {
            Some(next) => playlist::go(state, next),
            None => {
                let end = if steps < 0 { "first" } else { "last" };
                view.messages.news(format!("This is the {end} item of “{}”", open.title()));
            }
        };
    }
    let onwards = view.window.start_page && steps > 0;
    let Some((number, changed)) = model.lesson() else {
        if let Some(first) = LessonPath::start().numbers().next().filter(|_| onwards) {
            load_lesson(state, Some(LessonPath::start()), first);
        }
        return;
    };
    let path = LessonPath::of(view.window.path, number);
    // The lesson behind the start page comes first, if it has not begun.
    if onwards && !changed && model.frame().step == 0 {
        return load_lesson(state, Some(path), number);
    }
    match path.neighbour(number, steps) {
        Some(next) => load_lesson(state, Some(path), next),
        None => {
            let end = if steps < 0 { "first" } else { "last" };
            let text = format!("This is the {end} lesson of “{}”. The start page shows the other paths.", path.name);
            view.messages.offer(text, Offer::StartPage);
        }
    }
}

/// Opens the system's file dialog, and a field for the path beside it.
fn ask(state: &mut State, purpose: Purpose) {
    let State { model, view, prefs, tasks, .. } = state;
    view.forms.tickets += 1;
    let ticket = view.forms.tickets;
    let title = view.playlist.as_ref().filter(|_| purpose == Purpose::Playlist).map(|open| open.title());
    let stem = file_stem(title.unwrap_or(&model.scenario().title));
    let suffix = match purpose {
        Purpose::Export(_) => view.files.export.picture.suffix(),
        Purpose::Cells => "-cells".to_owned(),
        Purpose::Trials(_) => "-trials".to_owned(),
        Purpose::HandOut => "-hand-out".to_owned(),
        Purpose::Report(_) => "-report".to_owned(),
        Purpose::Worksheet => "-worksheet".to_owned(),
        _ => String::new(),
    };
    let suggestion = purpose.extension().map_or_else(String::new, |extension| format!("{stem}{suffix}.{extension}"));
    if !HAS_PATHS {
        // The browser asks; what it is given comes as dropped files do.
        if let Some(path) = pick(purpose, None, &suggestion) {
            use_path(state, purpose, path, true);
        }
        return;
    }
    let folder = prefs.folder.clone();
    let shown = folder.clone().unwrap_or_default().join(&suggestion);
    view.forms.dialog = Some(Dialog::Path(PathDialog::new(purpose, ticket, &shown)));
    tasks.start(Task::FileDialog, move || {
        let since = Instant::now();
        let path = pick(purpose, folder.as_deref(), &suggestion);
        Done::Picked { ticket, path, after: since.elapsed() }
    });
}

/// Opens the dialog with a link to the experiment as it is seen.
fn show_link(state: &mut State) {
    let State { model, view, prefs, .. } = state;
    let scenario = as_seen(model, view);
    let fragment = fragment(&scenario).map_err(|error| error.to_string());
    let files = scenario.named_files().into_iter().map(str::to_owned).collect();
    if let Some(address) = address() {
        prefs.address = address;
    }
    view.forms.dialog = Some(Dialog::Link(LinkDialog { fragment, files, code: None }));
}

/// Uses the path that a person chose.
pub fn use_path(state: &mut State, purpose: Purpose, path: PathBuf, replace: bool) {
    state.prefs.folder = path.parent().map(Path::to_owned);
    match purpose {
        Purpose::Open => {
            state.view.forms.dialog = None;
            open(state, path);
        }
        Purpose::Table => {
            state.view.forms.dialog = None;
            open_table(state, path);
        }
        Purpose::Data | Purpose::Folder => {
            if let Some(edit) = name_file(state, &path) {
                carry_out(state, edit);
            }
        }
        Purpose::Save => {
            let own = replace && state.model.file() == Some(&path);
            save(state, path, if own { Before::Own { drop_comments: false } } else { Before::Other { replace } });
        }
        Purpose::Export(_) => figures::export(state, path, replace),
        Purpose::Draws(format) => draws::save(state, format, path, replace),
        Purpose::Cells => draws::save_cells(state, path, replace),
        Purpose::Item => playlist::add_file(state, path),
        Purpose::Playlist => playlist::save(state, path, replace),
        Purpose::HandOut => hand_out::save(state, path, replace),
        Purpose::Report(format) => report::save(state, format, path, replace),
        Purpose::Worksheet => worksheet::save(state, path, replace),
        Purpose::Trials(format) => trials_file::save(state, format, path, replace),
    }
}

/// Saves to the file of the scenario, or asks for one; with `closes`, the window closes when that is done.
fn save_or_ask(state: &mut State, closes: bool, drop_comments: bool) {
    state.view.window.closes_when_saved = closes;
    match state.model.file().cloned() {
        Some(path) => save(state, path, Before::Own { drop_comments }),
        None => ask(state, Purpose::Save),
    }
}

/// A seed far from the present one, with at most four digits so that it can be read aloud.
fn next_seed(seed: u64) -> u64 {
    (seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33) % 10_000
}
