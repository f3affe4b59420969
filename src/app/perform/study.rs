//! Performer of studies beside the runs.

use crate::app::dialogs::current::{Dialog, SweepDialog};
use crate::app::experiment::undo::Subject;
use crate::app::files::Purpose;
use crate::app::state::State;
use draw::views::study_action::StudyAction;

/// Plans, starts or ends a study beside the runs: repeats, a range test, a sweep, a reference; or gives the run of the sweep the
/// parameters of a cell. Returns what a path is to be asked for.
pub(super) fn study(state: &mut State, action: StudyAction) -> Option<Purpose> {
    let State { model, view, tasks, .. } = state;
    let (studies, scenario) = (&mut view.studies, model.scenario());
    match action {
        StudyAction::Repeat => studies.convergence.start(tasks, scenario),
        StudyAction::HaltRepeats => studies.convergence.halt(scenario),
        StudyAction::RangeTest { run, centre } => {
            let frame = model.frame();
            studies.range_test.start(tasks, &frame.scenario, run, frame.step, centre);
        }
        StudyAction::PlanSweep => view.forms.dialog = SweepDialog::of(scenario, model.frame()).map(Dialog::Sweep),
        StudyAction::Sweep => studies.sweep.start(tasks, scenario),
        StudyAction::HaltSweep => studies.sweep.halt(),
        StudyAction::OpenCell(cell) => {
            if let Some(scenario) = studies.sweep.opened(scenario, cell) {
                model.replace(scenario, Subject { run: None, what: "cell".to_owned() });
            }
        }
        StudyAction::PointAtCell(cell) => studies.sweep.point(tasks, scenario, cell),
        StudyAction::SaveCells => return Some(Purpose::Cells),
        StudyAction::Reference => studies.reference.ask(),
        StudyAction::HaltReference => studies.reference.halt(),
    }
    None
}
