//! The playlist carried out: begun, followed, added to, saved, left.

use std::path::PathBuf;
use std::sync::Arc;

use super::files::open;
use super::loading::{load_lesson, load_text};
use crate::app::action::PlaylistAction as A;
use crate::app::dialogs::current::{Dialog, LinkDialog};
use crate::app::files::{self, Purpose};
use crate::app::recovery::work::as_seen;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use crate::app::view::messages::Offer;
use crate::app::view::playlist::OpenPlaylist;
use crate::platform::address;
use engine::scenario::{MAX_ITEMS, Playlist, PlaylistItem, Shows};

/// Carries out what is asked of the playlist. Returns what a path is to be asked for.
pub(super) fn perform(state: &mut State, action: &A) -> Option<Purpose> {
    match action {
        A::AddFile => return Some(Purpose::Item),
        A::Open => return Some(Purpose::Open),
        A::SaveAs => return Some(Purpose::Playlist),
        A::Save => match state.view.playlist.as_ref().and_then(|open| open.file.clone()) {
            Some(path) => save(state, path, true),
            None => return Some(Purpose::Playlist),
        },
        A::Show => show(state),
        A::Go(position) => go(state, *position),
        A::AddPresent => add_present(state),
        A::Link => link(state),
        A::New => {
            leave(state);
            state.view.playlist = Some(Arc::default());
        }
        A::Leave => {
            leave(state);
            state.view.forms.dialog.take_if(|dialog| matches!(dialog, Dialog::Playlist(_)));
        }
        A::Return => {
            let back = state.view.left_playlist.take();
            let now = std::mem::replace(&mut state.view.playlist, back);
            state.view.left_playlist = now;
        }
    }
    None
}

/// Follows a playlist that was read, from its first item on.
pub fn follow(state: &mut State, playlist: Playlist, file: Option<PathBuf>) {
    if let Some(path) = &file {
        state.prefs.note_recent(path);
    }
    leave(state);
    let open = OpenPlaylist::of(playlist, file);
    state.view.messages.news(format!(
        "{}: {} items. Page Down goes to the next.",
        open.title(),
        open.playlist.items.len()
    ));
    state.view.playlist = Some(Arc::new(open));
    go(state, 0);
}

/// Shows an item, if it is there.
pub(super) fn go(state: &mut State, position: usize) {
    let Some(open_list) = &mut state.view.playlist else { return };
    let Some(item) = open_list.playlist.items.get(position).cloned() else { return };
    Arc::make_mut(open_list).position = Some(position);
    if state.prefs.present {
        // Before an audience they are asked for each time.
        state.view.forms.notes = None;
    }
    let folder = open_list.playlist.folder.clone();
    match &item.shows {
        Shows::Lesson(number) => load_lesson(state, state.view.window.path, *number),
        Shows::File(path) => open(state, folder.join(path)),
        Shows::Scenario(text) => load_text(state, text, &item.title(), &folder),
    }
}

/// Shows the dialog.
fn show(state: &mut State) {
    state.view.playlist.get_or_insert_default();
    state.view.forms.dialog = Some(Dialog::Playlist(None));
}

/// Adds what is in the window. What was changed goes in as it is seen.
fn add_present(state: &mut State) {
    let State { model, view, .. } = state;
    let shows = match (model.lesson(), model.file()) {
        (Some((number, false)), _) => Shows::Lesson(number),
        (_, Some(file)) if !model.unsaved() => Shows::File(file.clone()),
        _ => Shows::Scenario(engine::scenario::write(&as_seen(model, view))),
    };
    add(state, PlaylistItem::new(shows));
}

/// Adds an item at the end, unless there are too many.
fn add(state: &mut State, item: PlaylistItem) {
    let view = &mut state.view;
    let open = Arc::make_mut(view.playlist.get_or_insert_default());
    if open.playlist.items.len() >= MAX_ITEMS {
        return view.messages.problem(format!("A playlist has at most {MAX_ITEMS} items"));
    }
    let title = item.title();
    open.add(item);
    let news = format!("Added “{title}” as number {} of “{}”", open.playlist.items.len(), open.title());
    view.messages.news(news);
}

/// Adds a file that was chosen, and goes back to the dialog.
pub(super) fn add_file(state: &mut State, path: PathBuf) {
    add(state, PlaylistItem::new(Shows::File(path)));
    state.view.forms.dialog = Some(Dialog::Playlist(None));
}

/// Saves to a file.
pub(super) fn save(state: &mut State, path: PathBuf, replace: bool) {
    let Some(playlist) = state.view.playlist.as_ref().map(|open| open.playlist.clone()) else { return };
    state.tasks.start(Task::Playlist, move || {
        let result = files::playlist::save(&path, &playlist, replace);
        Done::Listed { path, result }
    });
}

/// Shows a link to the playlist.
fn link(state: &mut State) {
    let Some(open) = &state.view.playlist else { return };
    let fragment = files::playlist::fragment(&open.playlist);
    if let Some(address) = address() {
        state.prefs.address = address;
    }
    state.view.forms.dialog = Some(Dialog::Link(LinkDialog { fragment, files: Vec::new(), code: None }));
}

/// Follows it no further. What has items can be brought back.
pub(super) fn leave(state: &mut State) {
    let view = &mut state.view;
    if let Some(open) = view.playlist.take().filter(|open| !open.playlist.items.is_empty()) {
        view.messages.offer(format!("Left “{}”", open.title()), Offer::Playlist);
        view.left_playlist = Some(open);
    }
}
