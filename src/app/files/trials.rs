//! Trials that leave the window: the table as it is shown, in a file.

use std::path::PathBuf;

use super::{NewFile, Purpose, SaveError, TableAs};
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use crate::app::trials::text;

/// Writes the table of the trials.
pub fn save(state: &mut State, format: TableAs, path: PathBuf, replace: bool) {
    let sheet = state.view.trials.sheet();
    state.tasks.start(Task::Trials, move || {
        let write = || {
            Purpose::Trials(format).check_extension(&path)?;
            let text = match format {
                TableAs::Csv => text::csv(&sheet).map_err(|error| SaveError::Refused {
                    path: path.clone(),
                    source: std::io::Error::other(error.to_string()),
                })?,
                TableAs::Markdown => text::markdown(&sheet),
            };
            NewFile::at(&path, replace)?.write(text.as_bytes())?;
            Ok(format!("Saved {} trials to {}", sheet.trials.len(), path.display()))
        };
        Done::Written { job: None, result: write() }
    });
}
