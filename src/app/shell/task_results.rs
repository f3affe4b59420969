//! Results of tasks: what the window does with each [`Done`]. The counterpart of [`crate::app::perform`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::Context;

use crate::app::action::Action;
use crate::app::dialogs::current::Dialog;
use crate::app::experiment::origin::Origin;
use crate::app::files::link::in_path;
use crate::app::files::{SaveError, carries_scenario};
use crate::app::perform::{follow_playlist, load, perform, use_path};
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use crate::app::view::messages::{Offer, RESTORED};
use crate::platform::lacks_file_dialog;
use base::params::{ParamError, ParamErrors, message};
use engine::scenario::{Playlist, Scenario};

/// A file dialog that ends without a path sooner than this was never shown: nobody cancels that quickly.
const NO_DIALOG: Duration = Duration::from_millis(700);

/// Copies the source of a figure; returns the news of it.
fn copied(context: &Context, (text, beside): (String, Vec<String>)) -> String {
    context.copy_text(text);
    let others = if beside.is_empty() {
        String::new()
    } else {
        format!("; what it reads from files beside it ({}) is written by Export…", beside.join(", "))
    };
    format!("The source of the figure is in the clipboard{others}")
}

/// Takes in the result of a task.
pub fn take_in(state: &mut State, done: Done, context: &Context) {
    let State { model, view, gallery, recovery, .. } = state;
    match done {
        Done::Thumbnail(thumbnail) => gallery.add(thumbnail),
        Done::LessonPicture(picture) => gallery.lessons.add(picture),
        Done::Missing(missing) => view.files.missing = missing,
        // Another file was opened meanwhile, or reading was cancelled.
        Done::Opened { folder, .. } if !view.files.reading.finish(&folder) => {}
        Done::Opened { path, scenario: Ok(scenario), .. } => show_opened(state, *scenario, path),
        Done::Opened { path, scenario: Err(error), .. } => match error.playlist() {
            Ok(playlist) => follow_playlist(state, playlist, in_path(&path).is_none().then_some(path)),
            Err(error) => view.messages.problem(error.to_string()),
        },
        Done::Tabulated { sheet: Err(problem), .. } => match &mut view.forms.dialog {
            Some(Dialog::Paste(form)) => form.problem = Some(problem),
            _ => view.messages.problem(problem),
        },
        Done::Tabulated { source, sheet: Ok(sheet) } => view.forms.show_table(source, *sheet),
        Done::Made { source, scenario } => {
            // The dialog may be closed, or ask of another table, meanwhile.
            if let Some(Dialog::Data(form)) = view.forms.dialog.as_mut().filter(|dialog| dialog.asks_of(&source)) {
                match scenario {
                    Ok(scenario) => {
                        view.forms.dialog = None;
                        load(state, *scenario, None);
                    }
                    Err(problem) => form.refuse(problem),
                }
            }
        }
        Done::Listed { path, result } => {
            let written = result.map(|playlist| note_listed(state, &path, playlist));
            show_written(state, written);
        }
        Done::Saved { path, scenario, origin, result } => {
            let saved = result.map(|()| note_saved(state, &path, scenario, &origin));
            let closes = std::mem::take(&mut state.view.window.closes_when_saved);
            match saved {
                Err(SaveError::Comments { count, .. }) => {
                    state.view.forms.dialog = Some(Dialog::Comments { count, closes });
                }
                saved => show_written(state, saved),
            }
        }
        Done::Begun => close_path(&mut view.forms.dialog),
        // A figure that was cancelled while its file was moved to its place is there all the same.
        Done::Written { job, result } => {
            job.into_iter().for_each(|job| view.files.end(job));
            show_written(state, result);
        }
        Done::Drawn(Ok(picture)) => {
            let [width, height] = picture.size;
            context.copy_image(picture);
            view.messages.news(format!("Copied {width} × {height} pixels"));
        }
        Done::Sourced(Ok(source)) => view.messages.news(copied(context, source)),
        Done::Drawn(Err(error)) | Done::Sourced(Err(error)) => {
            view.messages.problem(format!("the figure cannot be drawn: {error}"));
        }
        Done::Previewed(moment, drawn) => view.files.preview.take(context, (moment, drawn.map(|drawn| *drawn))),
        Done::Picked { ticket, path, after } => take_path(state, ticket, path, after),
        // Somebody may have opened something else meanwhile.
        Done::Restored { number, built: Ok(()) } if view.window.start_page => {
            state.unsaved.note_built(number);
            perform(state, Action::Restore(number), context);
            state.view.messages.offer(RESTORED, Offer::StartPage);
        }
        Done::Restored { built, .. } => {
            built.err().into_iter().for_each(|errors| view.messages.problem(not_restored(errors)));
        }
        Done::Built { number, origin, built } => show_built(state, (number, &origin), built, context),
        Done::Studied { ticket, news } => match view.studies.take_in(ticket, news, model.scenario()) {
            Ok(order) => order.into_iter().for_each(|order| model.order(order)),
            Err(problem) => view.messages.problem(problem),
        },
        Done::Kept(result) => {
            if let Some(problem) = recovery.take_in(result) {
                view.messages.problem(problem);
            }
        }
        Done::Failed { task, reason } => failed(state, task, &reason),
    }
}

/// Notes that a scenario is in a file; returns the news.
fn note_saved(state: &mut State, path: &Path, scenario: Arc<Scenario>, origin: &Origin) -> String {
    let State { model, view, prefs, unsaved, .. } = state;
    unsaved.forget(&scenario);
    prefs.note_recent(path);
    view.files.missing.retain(|missing| missing != path);
    // Another scenario may have been opened meanwhile: the file is not its own.
    if model.origin().same_load(origin) {
        view.mark_saved(&scenario);
        view.window.quitting = view.window.closes_when_saved;
        model.mark_saved(scenario, path.to_owned());
    }
    format!("Saved {}", path.display())
}

/// Notes that the playlist is in a file; returns the news.
fn note_listed(state: &mut State, path: &Path, playlist: Playlist) -> String {
    state.prefs.note_recent(path);
    let news = format!("Saved the playlist to {}", path.display());
    if let Some(open) = state.view.playlist.as_mut().map(Arc::make_mut) {
        // Something may have been typed meanwhile.
        open.changed = open.playlist.items.len() != playlist.items.len();
        open.file = Some(path.to_owned());
        open.playlist = if open.changed { open.playlist.clone() } else { playlist };
    }
    news
}

/// Shows unsaved work that was built, unless something else was opened since it was asked for; or says why it cannot be built.
fn show_built(
    state: &mut State,
    (number, origin): (u64, &Origin),
    built: Result<(), Vec<ParamError>>,
    context: &Context,
) {
    if let Err(errors) = built {
        return state.view.messages.problem(format!("The unsaved work cannot be shown: {}", ParamErrors(errors)));
    }
    state.unsaved.note_built(number);
    if state.model.origin().same_load(origin) {
        perform(state, Action::Restore(number), context);
    }
}

/// That the session of last time cannot be shown, and why.
pub fn not_restored(errors: Vec<ParamError>) -> String {
    format!("The session of last time cannot be restored: {}", ParamErrors(errors))
}

/// Ends what a failed task was for, and says so.
fn failed(state: &mut State, task: Task, reason: &str) {
    let State { view, recovery, .. } = state;
    view.studies.fail(task);
    if task == Task::Keep {
        _ = recovery.take_in(Ok(()));
    }
    view.messages.problem(format!("Failed while {}: {reason}", task.doing()));
}

/// Shows a scenario that was read. Save writes to its file, unless that is a figure or a report, which it must not replace, or a link.
fn show_opened(state: &mut State, scenario: Scenario, path: PathBuf) {
    let State { view, prefs, .. } = state;
    if in_path(&path).is_some() {
        view.messages.news("Opened a link");
        return load(state, scenario, None);
    }
    prefs.note_recent(&path);
    view.messages.news(format!("Opened {}", path.display()));
    // Nor a folder of texts.
    let file = (!carries_scenario(&path) && !path.is_dir()).then_some(path);
    load(state, scenario, file);
}

/// Closes the field for a path once it has been used.
fn close_path(dialog: &mut Option<Dialog>) {
    dialog.take_if(|dialog| matches!(dialog, Dialog::Path(_)));
}

/// After a file was written, an open path dialog closes; if it was not written, the dialog asks or says why.
fn show_written(state: &mut State, written: Result<String, SaveError>) {
    let view = &mut state.view;
    match (written, &mut view.forms.dialog) {
        (Ok(news), dialog) => {
            close_path(dialog);
            view.messages.news(news);
        }
        (Err(SaveError::Exists(_)), Some(Dialog::Path(dialog))) => dialog.exists = true,
        (Err(error), Some(Dialog::Path(dialog))) => dialog.problem = Some(message(&error.to_string())),
        (Err(error), _) => view.messages.problem(error.to_string()),
    }
}

/// Takes the path from the system's file dialog; ignores a dialog that is no longer wanted.
fn take_path(state: &mut State, ticket: u64, path: Option<PathBuf>, after: Duration) {
    let Some(Dialog::Path(dialog)) = &mut state.view.forms.dialog else { return };
    if dialog.ticket != ticket {
        return;
    }
    match path {
        // The system's dialog has asked whether to replace the file.
        Some(path) => {
            let purpose = dialog.purpose;
            use_path(state, purpose, purpose.with_extension(path), true);
        }
        // A slow system may say late that it has none.
        None if after < NO_DIALOG || lacks_file_dialog() => dialog.no_service = true,
        None => state.view.forms.dialog = None,
    }
}
