//! Data carried out: a table is read, and a scenario made of it.

use std::path::Path;

use engine::scenario::Scenario;
use engine::scenario::from_data::Draft;
use models::targets::Sheet;

use crate::app::action::DataAction;
use crate::app::dialogs::current::Dialog;
use crate::app::dialogs::data_form::PasteForm;
use crate::app::files::Purpose;
use crate::app::files::data::TableSource;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};

/// Carries out what is asked of a table, in another thread: finding out about a target may take a while. Returns what a path is to be asked
/// for.
pub(super) fn perform(state: &mut State, action: DataAction) -> Option<Purpose> {
    match action {
        DataAction::Choose => {
            // No parameter takes the path.
            state.view.forms.browsing = None;
            return Some(Purpose::Table);
        }
        DataAction::Paste => state.view.forms.dialog = Some(Dialog::Paste(PasteForm::default())),
        DataAction::Read { source, reading } => {
            state.tasks.start(Task::Data, move || {
                let sheet = source.read(&reading).map(Box::new);
                Done::Tabulated { source, sheet }
            });
        }
        DataAction::Make { source, draft, sheet } => {
            if let TableSource::File(path) = &source {
                state.prefs.folder = path.parent().map(Path::to_owned);
            }
            state.tasks.start(Task::Data, move || {
                let scenario = made(&source, &draft, &sheet).map(Box::new);
                Done::Made { source, scenario }
            });
        }
    }
    None
}

/// The scenario of a draft for a table.
fn made(source: &TableSource, draft: &Draft, sheet: &Sheet) -> Result<Scenario, String> {
    let name = source.name();
    let (table, folder) = source.from_its_folder(&name);
    draft.make(sheet, table, &folder).map(|made| made.scenario).map_err(|problems| problems.join("\n"))
}
