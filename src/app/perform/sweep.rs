//! What a person asks of the sweep.

use crate::app::action::Action;
use crate::app::state::State;
use crate::app::undo::Subject;

/// Starts or ends the sweep, or gives its run the parameters of a cell.
pub fn act(state: &mut State, action: &Action) {
    let State { model, view, tasks, .. } = state;
    match action {
        Action::RunSweep => view.sweep.start(tasks, model.scenario()),
        Action::OpenCell(cell) => {
            if let Some(scenario) = view.sweep.opened(model.scenario(), *cell) {
                model.replace(scenario, Subject { run: None, what: "cell".to_owned() });
            }
        }
        Action::PointAtCell(cell) => view.sweep.point(tasks, model.scenario(), *cell),
        _ => view.sweep.halt(),
    }
}
