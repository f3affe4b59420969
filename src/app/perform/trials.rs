//! Trials carried out: the present one is kept, and an earlier one is opened again.

use super::loading::load_text;
use crate::app::commands::{Command, spec};
use crate::app::dialogs::current::Dialog;
use crate::app::recovery::work::as_seen;
use crate::app::state::State;
use crate::app::trials::NotKept;
use crate::app::trials::trial::Source;
use crate::app::view::messages::Offer;
use base::params::printable;
use draw::readout::{Table, leading};

/// Keeps what the window shows as a row of the notebook.
pub(super) fn keep(state: &mut State) {
    let State { model, view, .. } = state;
    if model.opening().is_some() {
        return view.messages.problem("The scenario is still being opened");
    }
    let frame = model.frame().clone();
    let table = Table::seen(&frame, view.shown.layers.truth);
    let rows = leading(&table, &frame, view.plots.measures.as_deref());
    // What is asked about comes first.
    let asked = frame.scenario.challenges.iter().filter_map(|one| one.task.measure());
    let mut leading: Vec<String> = Vec::new();
    for key in asked.filter(|key| table.row(key).is_some()).chain(rows.iter().map(|row| row.spec.key)) {
        if !leading.iter().any(|known| known == key) {
            leading.push(key.to_owned());
        }
    }
    let scenario = as_seen(model, view);
    let names_target = !view.hides_target(model.scenario());
    let hides_truth = !view.shown.layers.truth;
    let source =
        Source { frame: &frame, scenario: &scenario, table: &table, leading: &leading, names_target, hides_truth };
    match view.trials.notebook.keep(source) {
        Ok(number) => {
            let key = spec(Command::Trials).key();
            view.messages.offer(format!("Kept as trial {number}. {key} shows all trials."), Offer::Trials);
        }
        // It is over as soon as the runs move.
        Err(reason @ NotKept::AtStart) => view.messages.news(reason.to_string()),
        Err(reason) => view.messages.problem(reason.to_string()),
    }
}

/// Shows the trials, those of the present experiment if there are some.
pub(super) fn show(state: &mut State) {
    let title = printable(&state.model.scenario().title).into_owned();
    state.view.trials.turn_to(&title);
    state.view.forms.dialog = Some(Dialog::Trials);
}

/// Opens the experiment of a trial again, in the place of the dialog.
pub(super) fn open(state: &mut State, number: u64) {
    state.view.forms.dialog = None;
    if let Some(trial) = state.view.trials.notebook.find(number).cloned() {
        load_text(state, &trial.scenario, &format!("trial {number}"), &trial.folder);
    }
}
