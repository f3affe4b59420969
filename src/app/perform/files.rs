//! Files carried out: opened, saved, and named by a parameter. Other threads read and write them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::data;
use crate::app::action::{DataAction, EditAction};
use crate::app::experiment::param_edit::{Browsed, ParamEdit};
use crate::app::files::data::{TableSource, is_table};
use crate::app::files::saving::{self, Before};
use crate::app::files::{self, Purpose};
use crate::app::recovery::work::as_saved;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use crate::platform::HAS_PATHS;
use base::params::Value;
use engine::scenario::folder_of;
use models::targets::{PathChoice, Reading, path_choice};

/// Has another thread read a scenario, or a table of which one is made.
pub(super) fn open(state: &mut State, path: PathBuf) {
    if is_table(&path) {
        return open_table(state, path);
    }
    let folder = folder_of(&path);
    state.view.files.reading.begin(folder.clone(), &path);
    state.tasks.start(Task::Read, move || {
        let scenario = files::read_scenario(&path, &folder).map(Box::new);
        Done::Opened { path, folder, scenario }
    });
}

/// Has another thread read a table, and asks what it is.
pub(super) fn open_table(state: &mut State, path: PathBuf) {
    let read = DataAction::Read { source: TableSource::File(path), reading: Reading::default() };
    data::perform(state, read);
}

/// Saves to a file.
pub(super) fn save(state: &mut State, path: PathBuf, before: Before) {
    let (scenario, origin) = (Arc::new(as_saved(&state.model, &state.view)), state.model.origin().clone());
    state.tasks.start(Task::Save, move || {
        let result = saving::save(&path, &scenario, before);
        Done::Saved { path, scenario, origin, result }
    });
}

/// What to ask for where a parameter names a file or a folder; nothing where that cannot be asked for, which is said.
pub(super) fn browse(state: &mut State, browsed: Browsed) -> Option<Purpose> {
    let spec = match browsed.run {
        None => state.model.asked_target().spec_at(&browsed.parameter),
        Some(run) => {
            let spec = state.model.scenario().runs.get(run)?;
            state.model.settings(spec).spec_at(&browsed.parameter)
        }
    };
    let choice = spec.and_then(path_choice);
    let purpose = if choice == Some(PathChoice::Folder) { Purpose::Folder } else { Purpose::Data };
    if purpose == Purpose::Folder && !HAS_PATHS {
        state.view.messages.problem("A page cannot read a folder; choose a text file with a document on each line");
        return None;
    }
    state.view.forms.browsing = Some(browsed);
    Some(purpose)
}

/// The edit that gives the parameter its path: a relative one within the folder of the scenario's file.
pub(super) fn name_file(state: &mut State, path: &Path) -> Option<EditAction> {
    state.view.forms.dialog = None;
    let Browsed { run, parameter } = state.view.forms.browsing.take()?;
    let folder = state.model.file().and_then(|file| file.parent());
    let named = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    let value = Some(Value::Text(named.display().to_string()));
    let edit = ParamEdit { path: parameter, value };
    let Some(run) = run else { return Some(EditAction::Target(vec![edit])) };
    let settings = state.model.settings(state.model.scenario().runs.get(run)?);
    Some(EditAction::Run { run, edit: edit.with_what_follows(&settings) })
}
