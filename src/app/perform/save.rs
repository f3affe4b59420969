//! Saving carried out: another thread writes the scenario as it is seen.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::files::saving::{self, Before};
use crate::app::recovery::work::as_seen;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};

/// Saves to a file.
pub(super) fn save(state: &mut State, path: PathBuf, before: Before) {
    let (scenario, origin) = (Arc::new(as_seen(&state.model, &state.view)), state.model.origin().clone());
    state.tasks.start(Task::Save, move || {
        let result = saving::save(&path, &scenario, before);
        Done::Saved { path, scenario, origin, result }
    });
}

/// Saves to the file of the scenario without the comments that are in it.
pub(super) fn save_without_comments(state: &mut State, closes: bool) {
    state.view.window.closes_when_saved = closes;
    if let Some(path) = state.model.file().cloned() {
        save(state, path, Before::Own { drop_comments: true });
    }
}
