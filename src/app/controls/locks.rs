//! Locks of the window: what a scenario file does not let a person change. Controls are shown disabled, and
//! [`crate::app::perform`] refuses what comes by another way.

use egui::Ui;

use crate::app::action::{Action, EditAction};
use draw::views::study_action::StudyAction;
use engine::scenario::{METHOD, Scenario, ViewSpec};

/// The tooltip of a locked control.
pub const LOCKED: &str = "The scenario file locks this. To unlock it, edit `locked` under [view] in the file.";

/// The locks of a run or of the target.
#[derive(Clone, Copy, Debug)]
pub struct Locks<'a> {
    view: Option<&'a ViewSpec>,
    /// The name of the run; `None` for the target.
    run: Option<&'a str>,
}

impl<'a> Locks<'a> {
    /// No locks.
    pub const NONE: Self = Self { view: None, run: None };

    /// Those of a run.
    #[must_use]
    pub fn of_run(view: &'a ViewSpec, run: &'a str) -> Self {
        Self { view: Some(view), run: Some(run) }
    }

    /// Those of the target.
    #[must_use]
    pub fn of_target(view: &'a ViewSpec) -> Self {
        Self { view: Some(view), run: None }
    }

    /// Whether the parameter at a dotted path is locked.
    #[must_use]
    pub fn hold(&self, path: &str) -> bool {
        self.view.is_some_and(|view| match self.run {
            Some(run) => view.locks(Some(run), path),
            None => view.locks(None, &format!("target.{path}")),
        })
    }
}

/// Shows controls, disabled and with a tooltip if they are locked.
pub fn guard<R>(ui: &mut Ui, locked: bool, contents: impl FnOnce(&mut Ui) -> R) -> R {
    if !locked {
        return contents(ui);
    }
    let shown = ui.add_enabled_ui(false, contents);
    shown.response.on_hover_text(LOCKED).on_disabled_hover_text(LOCKED);
    shown.inner
}

/// What an action would change that the file locks.
#[must_use]
pub fn locked(action: &Action, scenario: &Scenario) -> Option<String> {
    let view = &scenario.view;
    let name = |run: usize| scenario.runs.get(run).map_or("", |run| run.name.as_str());
    let (run, path) = match action {
        Action::Seed(_) | Action::NewSeed => (None, "seed".to_owned()),
        Action::ChooseTarget(_) => (None, "target".to_owned()),
        Action::Edit(edit) => match edit {
            EditAction::Run { run, edit } => (Some(name(*run)), edit.path.clone()),
            EditAction::Target(edits) => {
                let paths = || edits.iter().map(|edit| format!("target.{}", edit.path));
                (None, paths().find(|path| view.locks(None, path)).or_else(|| paths().next())?)
            }
            EditAction::Method { run, .. } => (Some(name(*run)), METHOD.to_owned()),
            EditAction::Rename { .. } | EditAction::AddRun(_) | EditAction::Duplicate(_) | EditAction::Remove(_) => {
                (None, "runs".to_owned())
            }
            EditAction::Describe { .. } => (None, "caption".to_owned()),
            EditAction::Sweep(_) | EditAction::Questions(_) => (None, "sweep".to_owned()),
        },
        Action::Study(StudyAction::OpenCell(_)) => {
            let sweep = scenario.sweep.as_ref()?;
            let locked = |path: &&str| view.locks(Some(&sweep.run), path);
            let path = sweep.axes.iter().map(|axis| axis.parameter.as_str()).find(locked)?;
            (Some(sweep.run.as_str()), path.to_owned())
        }
        _ => return None,
    };
    view.locks(run, &path).then(|| run.map_or_else(|| path.clone(), |run| format!("{run}.{path}")))
}
