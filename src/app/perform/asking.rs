//! Challenges carried out: runs that are held back while something is asked about them, and shown when they are revealed.

use crate::app::state::State;
use engine::scenario::Pacing;
use engine::worker::Order;

/// How a scenario is opened that asks something: in Watch, stopped at step 0.
pub const ASKING: (Pacing, Option<u64>) = (Pacing::Watch, Some(0));

/// Shows what was asked: the truth, and the runs to their end, at once unless the file wants them watched.
pub(super) fn reveal(state: &mut State) {
    let State { model, view, .. } = state;
    view.studies.challenge.reveal();
    view.shown.layers.truth = true;
    let pacing = model.scenario().view.pace.unwrap_or(Pacing::Instant);
    model.run_in(pacing);
    if pacing == Pacing::Watch {
        model.order(Order::Play);
    }
}

/// While something is asked: hides the truth, and has the runs wait at step 0.
pub(super) fn hold_back(state: &mut State) {
    let State { model, view, .. } = state;
    if view.studies.challenge.asks() {
        view.hide_what_is_asked(model.scenario());
        let (pacing, step) = ASKING;
        model.run_in(pacing);
        model.open_at(step.unwrap_or(0));
    }
}
