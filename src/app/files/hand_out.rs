//! Hand-outs that leave the window: the scenario as a student gets it, in a packed file.

use std::path::PathBuf;

use super::{NewFile, Purpose};
use crate::app::recovery::work::as_seen;
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use engine::scenario::write;

/// Writes the hand-out that a person has chosen.
pub fn save(state: &mut State, path: PathBuf, replace: bool) {
    let text = write(&state.view.forms.hand_out.of(as_seen(&state.model, &state.view)));
    state.tasks.start(Task::HandOut, move || {
        let write = || {
            Purpose::HandOut.check_extension(&path)?;
            NewFile::at(&path, replace)?.write(text.as_bytes())?;
            Ok(format!("Saved the hand-out to {}", path.display()))
        };
        Done::Written { job: None, result: write() }
    });
}
