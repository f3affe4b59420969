//! A file is read, to be opened.

use std::path::PathBuf;

use crate::app::files;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use engine::scenario::folder_of;

/// Has another thread read a scenario.
pub(super) fn open(state: &mut State, path: PathBuf) {
    let folder = folder_of(&path);
    state.view.files.reading.begin(folder.clone(), &path);
    state.tasks.start(Task::Read, move || {
        let scenario = files::read_scenario(&path, &folder).map(Box::new);
        Done::Opened { path, folder, scenario }
    });
}
