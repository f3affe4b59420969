//! Adaptation of runs to a target or a method: settings that do not suit a new target or method are replaced.

use super::{Change, Folder, RunSpec, Scenario, TargetSpan, assemble};
use base::params::{ParamError, ParamType, Settings, Value, find_kind};
use models::targets::Target;
use samplers::methods::{self, Gradient, METHODS};

impl Scenario {
    /// The same with what does not suit the target replaced: a start outside its support by the target's own, a batch
    /// larger than the data by all of them, minibatches without data by the full gradient, what a method asks of a
    /// target that this one does not have by the method's default, a method for densities by one for topics and the other way
    /// round. A scenario whose target cannot be built stays as it
    /// is.
    #[must_use]
    pub fn adapted(&self) -> Self {
        let mut scenario = self.clone();
        if let Ok(target) = assemble::build_target(&self.target, &self.folder) {
            for run in &mut scenario.runs {
                fit_kind_of_method(run, target.as_ref());
                fit_start(run, target.as_ref());
                fit_gradient(run, target.as_ref());
                fit_choice(run, target.as_ref());
            }
            scenario.give_up_gradients(target.as_ref());
        }
        scenario
    }

    /// Takes changes of gradients out of events that do not suit the target.
    fn give_up_gradients(&mut self, target: &Target) {
        for number in 0..self.events.len() {
            let Some(run) = self.events[number].run().and_then(|name| self.run_index(name)) else { continue };
            let settings = self.settings_at(&self.runs[run], self.events[number].step);
            if gradient_error(&settings, target).is_some()
                && let Change::Run { set, .. } = &mut self.events[number].change
            {
                set.retain(|path, _| path.split('.').next() != Some("gradient"));
            }
        }
        self.events.retain(|event| !matches!(&event.change, Change::Run { set, .. } if set.is_empty()));
    }

    /// The same with gradients that do not suit the target of a span replaced at its beginning, by the same rules; what
    /// was before stays.
    #[must_use]
    pub fn adapted_at(&self, span: &TargetSpan) -> Self {
        let mut scenario = self.clone();
        let (step, target) = (span.from, &span.target);
        for run in &self.runs {
            let mut fitted = RunSpec { name: run.name.clone(), settings: self.settings_at(run, step) };
            fit_gradient(&mut fitted, target.as_ref());
            let (now, then) = (self.settings_at(run, step), fitted.settings);
            if now != then
                && let Some(gradient) = then.get("gradient")
                && let Ok(changed) = scenario.with_event(&run.name, step, "gradient", gradient.clone())
            {
                scenario = changed;
            }
        }
        scenario
    }
}

/// Makes the settings of a run suit their method, where they were made for another, and returns what had to change: the
/// convention of step sizes, noise in every stage, an exact gradient, or else the method's own schedule.
pub(super) fn adapt_method(settings: &mut Settings, folder: &Folder) -> Vec<(&'static str, Value)> {
    let remedies = [
        ("step_size.convention", Some(Value::Choice("langevin"))),
        ("step_size.exploration_noise", Some(Value::Flag(true))),
        ("gradient", group_of_kind(settings, "gradient", "exact")),
        ("step_size", Settings::defaults(settings.kind).get("step_size").cloned()),
    ];
    let mut changes = Vec::new();
    for (path, value) in remedies {
        let errors = assemble::method_errors(settings, folder);
        if errors.is_empty() {
            break;
        }
        let Some(value) = value.filter(|value| settings.at(path).is_some_and(|now| now != value)) else { continue };
        let mut changed = settings.clone();
        let helps = |changed: &Settings| {
            let left = assemble::method_errors(changed, folder);
            errors.iter().any(|error| !left.contains(error))
        };
        if changed.set(path, value.clone()).is_ok() && helps(&changed) {
            *settings = changed;
            changes.push((path, value));
        }
    }
    changes
}

fn fit_start(run: &mut RunSpec, target: &Target) {
    if assemble::start(&run.settings, Some(target)).is_err()
        && let Some(own) = Settings::defaults(run.settings.kind).get("start").cloned()
    {
        // A default is allowed.
        run.settings.set("start", own).ok();
    }
}

/// Families have few methods in common: one that does not do for the target becomes one that does.
fn fit_kind_of_method(run: &mut RunSpec, target: &Target) {
    if methods::is_for(run.settings.kind, target.space()) {
        return;
    }
    let substitute = target.family().substitute;
    let Some(kind) = find_kind(&METHODS, substitute.method) else { return };
    let chains = run.settings.get("chains").cloned();
    run.settings = Settings::defaults(kind);
    // More chains than the method allows are not kept.
    chains.map(|chains| run.settings.set("chains", chains).ok());
    let batches = substitute.batch.zip(group_of_kind(&run.settings, "gradient", "minibatch"));
    if let Some((size, mut batches)) = batches {
        if let Value::Group(group) = &mut batches {
            group.set("size", Value::Number(size)).ok();
        }
        run.settings.set("gradient", batches).ok();
    }
}

fn fit_gradient(run: &mut RunSpec, target: &Target) {
    let whole = target.data_count().map(|data| Value::Number(data as f64));
    let changes = whole.map_or_else(Vec::new, |whole| {
        vec![("gradient.size", whole), ("gradient.batches", Value::Text("shared".to_owned()))]
    });
    for (path, value) in changes {
        let error = gradient_error(&run.settings, target);
        let changed =
            error.filter(|error| format!("gradient.{}", error.path) == path).map(|_| run.settings.set(path, value));
        debug_assert!(changed.is_none_or(|changed| changed.is_ok()), "minibatches have both parameters");
    }
    if gradient_error(&run.settings, target).is_some() {
        set_kind(run, "gradient", "exact");
    }
}

/// What is wrong with the gradient of a run on a target.
fn gradient_error(settings: &Settings, target: &Target) -> Option<ParamError> {
    Gradient::from_settings(settings.group("gradient")?).check(target, assemble::chains(settings)).err()
}

/// Puts the parameter by which the method does not suit the target to its default, if that helps.
fn fit_choice(run: &mut RunSpec, target: &Target) {
    let wrong = |settings: &Settings| methods::build(settings).ok()?.on(target.space()).err();
    let Some(error) = wrong(&run.settings) else { return };
    let Some(default) = Settings::defaults(run.settings.kind).at(&error.path).cloned() else { return };
    let mut changed = run.settings.clone();
    if changed.set(&error.path, default).is_ok() && wrong(&changed).is_none() {
        run.settings = changed;
    }
}

/// Puts a group to one of its kinds, everything in it at its default; a kind it does not have changes nothing.
fn set_kind(run: &mut RunSpec, key: &str, name: &str) {
    let changed = group_of_kind(&run.settings, key, name).map(|group| run.settings.set(key, group));
    debug_assert!(changed.is_none_or(|changed| changed.is_ok()), "a group takes each of its kinds");
}

/// The group under `key` as one of its kinds, everything in it at its default.
fn group_of_kind(settings: &Settings, key: &str, name: &str) -> Option<Value> {
    let ParamType::Group(kinds) = settings.kind.param(key)?.ty else { return None };
    Some(Value::Group(Settings::defaults(find_kind(kinds, name)?)))
}
