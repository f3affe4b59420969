//! Data carried out: a table is read, and a scenario made of it.

use std::path::Path;

use engine::scenario::from_data::Draft;
use engine::scenario::{Folder, Scenario, folder_of, read};
use models::targets::Sheet;

use crate::app::action::DataAction;
use crate::app::files::data;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};

/// Carries out what is asked of a table, in another thread: finding out about a target may take a while.
pub(super) fn perform(state: &mut State, action: DataAction) {
    match action {
        DataAction::Read { path, reading } => {
            state.tasks.start(Task::Data, move || {
                let sheet = data::read_sheet(&path, &reading).map(Box::new);
                Done::Tabulated { path, sheet }
            });
        }
        DataAction::Make { path, draft, sheet } => {
            state.prefs.folder = path.parent().map(Path::to_owned);
            state.tasks.start(Task::Data, move || {
                let scenario = made(&path, &draft, &sheet).map(Box::new);
                Done::Made { path, scenario }
            });
        }
    }
}

/// The scenario of a draft for a table, which it names from the folder of that table.
fn made(path: &Path, draft: &Draft, sheet: &Sheet) -> Result<Scenario, String> {
    let folder: Folder = folder_of(path);
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let text = draft.text(sheet, &name, &folder).map_err(|problems| problems.join("\n"))?;
    read(&text, &name, folder).map_err(|errors| errors.to_string())
}
