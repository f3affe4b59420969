//! Locks of the window: what a scenario file does not let a person change. Its controls are not there, and [`crate::app::perform`]
//! refuses what comes by another way.

use crate::app::action::{Action, EditAction};
use base::params::{Settings, Value};
use draw::views::study_action::StudyAction;
use draw::words::settings::parameters;
use engine::scenario::{METHOD, Scenario, TARGET, ViewSpec};

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

    /// Whether a parameter is locked; of a table, whether all of it is.
    #[must_use]
    pub fn hold_all(&self, path: &str, value: Option<&Value>) -> bool {
        self.hold(path)
            && match value {
                Some(Value::Group(group)) => {
                    group.iter().all(|(spec, inner)| self.hold_all(&format!("{path}.{}", spec.key), Some(inner)))
                }
                _ => true,
            }
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

/// The parameters of a scenario that have controls, or would have them without locks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knobs {
    /// Those that are locked, in words: `steps 5000`.
    pub fixed: Vec<String>,
    /// How many are not.
    pub free: usize,
}

impl Knobs {
    /// Adds the parameters of a run or of the target, under its name. Some are `hidden` for another reason.
    pub fn add(&mut self, name: &str, settings: &Settings, (locks, hidden): (Locks<'_>, &[&str])) {
        let (fixed, free): (Vec<_>, Vec<_>) = parameters(settings)
            .into_iter()
            .filter(|one| !hidden.contains(&one.path.as_str()))
            .partition(|one| locks.hold(&one.path));
        self.fixed.extend(fixed.iter().map(|one| format!("{name}: {} {}", one.label, one.words)));
        self.free += free.len();
    }

    /// That parameters are locked, if some are: `12 parameters are fixed by this hand-out`.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        match self.fixed.len() {
            0 => None,
            1 => Some("1 parameter is fixed by this hand-out".to_owned()),
            several => Some(format!("{several} parameters are fixed by this hand-out")),
        }
    }
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
            EditAction::Rename { .. }
            | EditAction::AddRun(_)
            | EditAction::Duplicate(_)
            | EditAction::Remove(_)
            | EditAction::Budget(_) => (None, "runs".to_owned()),
            EditAction::Describe { .. } => (None, "caption".to_owned()),
            // A figure changes nothing that a hand-out fixes.
            EditAction::Figure(_) => return None,
            EditAction::Sweep(_) | EditAction::Questions(_) => (None, "sweep".to_owned()),
        },
        Action::Study(StudyAction::OpenCell(_)) => {
            let sweep = scenario.sweep.as_ref()?;
            let of = |path: &str| (!path.starts_with(TARGET)).then_some(sweep.run.as_str());
            let locked = |path: &&str| view.locks(of(path), path);
            let path = sweep.axes.iter().map(|axis| axis.parameter.as_str()).find(locked)?;
            (of(path), path.to_owned())
        }
        _ => return None,
    };
    view.locks(run, &path).then(|| run.map_or_else(|| path.clone(), |run| format!("{run}.{path}")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;

    fn hand_out() -> Scenario {
        read(include_str!("../../../docs/tour/hand-out.toml"), "hand-out", Path::new(".")).unwrap()
    }

    #[test]
    fn a_hand_out_has_one_knob_and_says_how_many_parameters_are_fixed() {
        let scenario = hand_out();
        let run = &scenario.runs[0];
        let locks = Locks::of_run(&scenario.view, &run.name);
        let mut knobs = Knobs::default();
        knobs.add(&run.name, &run.settings, (locks, &[]));
        assert_eq!(knobs.free, 1);
        assert_eq!(knobs.words(), Some(format!("{} parameters are fixed by this hand-out", knobs.fixed.len())));
        assert!(knobs.fixed.contains(&"Langevin: steps 5000".to_owned()), "{:?}", knobs.fixed);
        assert!(!locks.hold_all("step_size", run.settings.get("step_size")), "one of its parameters is free");
        assert!(locks.hold_all("steps", run.settings.get("steps")));
        assert_eq!(Knobs::default().words(), None);
        assert_eq!(
            Knobs { fixed: vec![String::new()], free: 0 }.words().unwrap(),
            "1 parameter is fixed by this hand-out"
        );
    }
}
