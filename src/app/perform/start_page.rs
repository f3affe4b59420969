//! The start page is shown, and what the address of a page leads to.

use std::path::PathBuf;

use super::files::open;
use super::loading::note_seen;
use crate::app::files::link::in_path;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use crate::app::thumbnails::LessonPicture;
use crate::platform;
use engine::scenario::LESSONS;

/// Shows the start page, and has its pictures drawn.
pub fn show_start_page(state: &mut State) {
    note_seen(state);
    let State { model, view, gallery, .. } = state;
    if model.status().playing {
        model.toggle_play();
    }
    view.window.start_page = true;
    if !std::mem::replace(&mut gallery.lessons.begun, true) {
        let draw = |number| LESSONS.get(number).map(|lesson| Done::LessonPicture(LessonPicture::of(number, lesson)));
        state.tasks.stream(Task::Lessons, draw);
    }
    look_for_recent(state);
}

/// Has another thread look which recent files are there: a folder may be on a slow network.
pub fn look_for_recent(state: &mut State) {
    let recent = state.prefs.recent.clone();
    let look =
        move || Done::Missing(recent.into_iter().filter(|path| platform::files::metadata(path).is_err()).collect());
    state.tasks.start(Task::Look, look);
}

/// Shows what an address leads to.
pub fn follow(state: &mut State, path: PathBuf) {
    let State { model, view, .. } = state;
    match in_path(&path) {
        None | Some("") => show_start_page(state),
        // It is there, behind the start page.
        Some(fragment) if view.window.start_page && model.origin().fragment().is_some_and(|own| own == fragment) => {
            view.window.start_page = false;
        }
        Some(_) => open(state, path),
    }
}
