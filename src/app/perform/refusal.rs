//! What is not carried out at present, and why.

use crate::app::action::Action;
use crate::app::controls::locks::locked;
use crate::app::state::State;
use crate::app::studies::challenge::would_tell;

/// Why an action is not carried out at present, if it is not.
pub(super) fn refusal(state: &mut State, action: &Action) -> Option<String> {
    let State { model, view, .. } = state;
    view.studies.challenge.follow(model.scenario());
    if view.studies.challenge.asks() && would_tell(action, view.files.export.format) {
        return Some("Answer the questions under Lesson first, or choose Reveal there".to_owned());
    }
    if let Some(what) = locked(action, model.scenario()) {
        return Some(format!("{what} is locked by the scenario file"));
    }
    let opening = model.opening().is_some() && shows_frame(action);
    opening.then(|| "The scenario is still being opened".to_owned())
}

/// Whether an action takes the frame that is shown out of the window.
fn shows_frame(action: &Action) -> bool {
    matches!(action, Action::ExportTo | Action::CopyFigure | Action::SaveDraws(_) | Action::SaveReport(_))
}
