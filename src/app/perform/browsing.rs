//! Files and folders that a parameter of the target names: asked for, and given to the parameter.

use std::path::Path;

use crate::app::action::EditAction;
use crate::app::experiment::param_edit::ParamEdit;
use crate::app::files::Purpose;
use crate::app::state::State;
use crate::platform::HAS_PATHS;
use base::params::Value;
use models::targets::{PathChoice, path_choice};

/// What to ask for where a parameter names a file or a folder; nothing where that cannot be asked for, which is said.
pub(super) fn browse(state: &mut State, parameter: String) -> Option<Purpose> {
    let choice = state.model.asked_target().spec_at(&parameter).and_then(path_choice);
    let purpose = if choice == Some(PathChoice::Folder) { Purpose::Folder } else { Purpose::Data };
    if purpose == Purpose::Folder && !HAS_PATHS {
        state.view.messages.problem("A page cannot read a folder; choose a text file with a document on each line");
        return None;
    }
    state.view.forms.browsing = Some(parameter);
    Some(purpose)
}

/// The edit that gives the parameter its path: a relative one within the folder of the scenario's file.
pub(super) fn name_file(state: &mut State, path: &Path) -> Option<EditAction> {
    state.view.forms.dialog = None;
    let parameter = state.view.forms.browsing.take()?;
    let folder = state.model.file().and_then(|file| file.parent());
    let named = folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path);
    let value = Some(Value::Text(named.display().to_string()));
    Some(EditAction::Target(vec![ParamEdit { path: parameter, value }]))
}
