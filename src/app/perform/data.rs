//! Data carried out: a table is read, and a scenario made of it.

use std::path::PathBuf;

use engine::scenario::{folder_of, read};

use crate::app::action::DataAction;
use crate::app::files::data;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};

/// Carries out what is asked of a table.
pub(super) fn perform(state: &mut State, action: DataAction) {
    match action {
        DataAction::Read { path, reading } => {
            state.tasks.start(Task::Data, move || {
                let sheet = data::read_sheet(&path, &reading).map(Box::new);
                Done::Tabulated { path, sheet }
            });
        }
        DataAction::Make { path, text } => make(state, path, text),
    }
}

/// Has another thread make the scenario, which may take a while to find out about its target.
fn make(state: &mut State, path: PathBuf, text: String) {
    let folder = folder_of(&path);
    state.prefs.folder = Some(folder.to_path_buf());
    state.view.files.reading.begin(folder.clone(), &path);
    folder.note_file_read();
    state.tasks.start(Task::Data, move || {
        let scenario = read(&text, &path.display().to_string(), &folder).map(Box::new);
        Done::Made { folder, scenario }
    });
}
