//! Edits of the scenario: from an [`EditAction`] to what the model is asked for.

use base::params::{KindSpec, ParamError, Value};
use engine::scenario::{Effect, RunSpec, Scenario, Sweep, default_run};
use samplers::methods::set_usual;

use crate::app::action::EditAction;
use crate::app::experiment::model::Model;
use crate::app::experiment::param_edit::{ParamEdit, with_required};
use crate::app::experiment::undo::Subject;

/// Carries out an edit. `keep_chains`: in Watch, a change of the target keeps the chains. Returns whether a parameter of a
/// run starts the runs again, since they had ended.
///
/// # Errors
/// If the edit is not allowed; the scenario stays as it is.
pub fn edit(model: &mut Model, edit: EditAction, keep_chains: bool) -> Result<bool, ParamError> {
    let now = model.scenario().clone();
    let name = |run: usize| now.runs.get(run).map_or("", |run| run.name.as_str());
    let (scenario, what) = match edit {
        EditAction::Run { run, edit } => return edit_run(model, run, edit),
        EditAction::Target(edits) => return edit_target(model, edits, keep_chains).map(|()| false),
        EditAction::Method { run, method } => return model.choose_method(run, method).map(|_| false),
        EditAction::Rename { run, name: new } => (now.with_name(name(run), &new)?, "name"),
        EditAction::AddRun(method) => (now.with_run(matching_run(&now, method)), "add"),
        EditAction::Duplicate(run) => (now.with_copy_of(name(run))?, "copy"),
        EditAction::Remove(run) => (now.without_run(name(run))?, "remove"),
        EditAction::Budget(budget) => (now.with_budget(budget), "budget"),
        EditAction::Sweep(sweep) => (now.with_sweep(sweep.map(|sweep| *sweep))?, "sweep"),
        EditAction::Questions(questions) => {
            let sweep = now.sweep.clone().map(|sweep| Sweep { questions, ..sweep });
            (now.with_sweep(sweep)?, "questions")
        }
        EditAction::Figure(figure) => {
            let mut scenario = now.as_ref().clone();
            scenario.view.figure = Some(*figure);
            (scenario, "figure")
        }
        EditAction::Describe { title, caption } => (Scenario { title, caption, ..now.as_ref().clone() }, "describe"),
    };
    model.replace(scenario, Subject { run: None, what: what.to_owned() });
    Ok(false)
}

/// Chooses another target. It keeps every parameter that both targets have.
pub fn choose_target(model: &mut Model, kind: &'static KindSpec, keep_chains: bool) {
    let target = with_required(&model.asked_target().converted(kind));
    model.set_target(target, keep_chains, true, Subject { run: None, what: "target".to_owned() });
}

fn edit_run(model: &mut Model, run: usize, edit: ParamEdit) -> Result<bool, ParamError> {
    let ParamEdit { path, value } = edit;
    if let Some(value) = value {
        return Ok(model.set(run, path, value)? == Effect::Restart);
    }
    let mut scenario = model.scenario().as_ref().clone();
    if let Some(run) = scenario.runs.get_mut(run) {
        run.settings.clear(&path);
    }
    model.replace(scenario, Subject { run: Some(run), what: path });
    Ok(false)
}

fn edit_target(model: &mut Model, edits: Vec<ParamEdit>, keep_chains: bool) -> Result<(), ParamError> {
    let subject = Subject { run: None, what: edits.first().map_or_else(String::new, |edit| edit.path.clone()) };
    let mut target = model.asked_target().clone();
    for edit in edits {
        edit.apply(&mut target).map_err(|error| error.under("target"))?;
    }
    model.set_target(target, keep_chains, false, subject);
    Ok(())
}

/// A run of a method, with as many steps and chains as the first run.
fn matching_run(now: &Scenario, method: &'static KindSpec) -> RunSpec {
    let mut run = default_run(method);
    if let Some(first) = now.runs.first() {
        for key in ["steps", "chains", "start", "gradient"] {
            if let Some(value) = first.settings.get(key) {
                // A method without such a parameter keeps its defaults.
                run.settings.set(key, Value::clone(value)).ok();
            }
        }
    }
    set_usual(&mut run.settings);
    run
}
