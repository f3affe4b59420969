//! Performer of studies beside the runs.

use crate::app::action::Action;
use crate::app::dialogs::open_dialog::{Dialog, SweepDialog};
use crate::app::experiment::undo::Subject;
use crate::app::state::State;

/// Plans, starts or ends a study beside the runs: repeats, a range test, a sweep, a reference; or gives the run of the sweep the
/// parameters of a cell.
pub(super) fn study(state: &mut State, action: &Action) {
    let State { model, view, tasks, .. } = state;
    match action {
        Action::RunStudy => view.study.start(tasks, model.scenario()),
        Action::HaltStudy => view.study.halt(model.scenario()),
        Action::RangeTest { run, centre } => {
            let step = model.frame().step;
            view.range_study.start(tasks, &model.frame().scenario, *run, step, *centre);
        }
        Action::PlanSweep => view.dialog = SweepDialog::of(model.scenario()).map(Dialog::Sweep),
        Action::Reference => view.reference.ask(),
        Action::HaltReference => view.reference.halt(),
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
