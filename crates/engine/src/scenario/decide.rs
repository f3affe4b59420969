//! Decision about an edit: what becomes of the scenario, and from which step on the edit counts.
//!
//! Only [`decide`] decides this. It is a pure function of the scenario, the [`Edit`] and the
//! [`Moment`] at which the edit comes, and returns the new scenario with an [`Effect`]. Three callers carry the effect
//! out:
//!
//! * the window shows the new scenario until the worker has obeyed. Its moment is the frame on the screen, which may be a
//!   few milliseconds old, so an edit that becomes an event is decided again at the step that the session has reached;
//! * the worker computes runs out of sight where the effect is [`Effect::Rebuild`];
//! * the session records the event, or computes the runs.
//!
//! Two things are known only when targets have been built, and are therefore left to the session. A target of another
//! dimension, or one that cannot be built, never follows while runs are under way: the session then asks again without
//! `keep_chains`. And settings of runs that do not suit the new target (minibatches without data, a start outside the
//! support) are replaced by [`Scenario::adapted`] and [`Scenario::adapted_at`].

use super::{METHOD, RunSpec, Scenario};
use base::params::{KindSpec, ParamError, Settings, Value};
use samplers::methods;

/// A change of the scenario that somebody asks for.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Take another scenario and start it.
    Load(Box<Scenario>),
    /// Take another version of the scenario at the step reached: undo, redo, and changes of the list of runs.
    Replace(Box<Scenario>),
    /// Start again with another seed.
    Reseed(u64),
    /// Change a parameter of a run.
    Set {
        /// Number of the run in the scenario.
        run: usize,
        /// Dotted path of the parameter: `step_size.initial`.
        path: String,
        /// Its new value.
        value: Value,
    },
    /// Give a run another method, which keeps every parameter that both have.
    Method {
        /// Number of the run in the scenario.
        run: usize,
        /// The new method.
        kind: &'static KindSpec,
    },
    /// Take another target.
    Target {
        /// The new target, with all its parameters.
        target: Settings,
        /// Whether chains keep their positions if runs are under way. If not, the target counts from step 0.
        keep_chains: bool,
        /// Whether the runs start again if chains are not kept. If not, they are computed again up to the step reached.
        restart: bool,
    },
}

impl Edit {
    /// Another target, on which chains continue if runs are under way; else the runs start again.
    #[must_use]
    pub fn target(target: Settings) -> Self {
        Self::Target { target, keep_chains: true, restart: true }
    }
}

/// The two ways to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// Steps are shown as they are taken. An edit while a run is under way is an event of the scenario.
    #[default]
    Watch,
    /// Every edit counts from step 0 and computes the whole run again, out of sight; what is shown is finished.
    Instant,
}

/// The state of the runs when an edit comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// How the runs are shown.
    pub pacing: Pacing,
    /// Step that the session has reached, which is that of its longest run.
    pub step: u64,
    /// Whether every run has taken all its steps.
    pub finished: bool,
    /// Step that each run has reached, in the order of the scenario.
    pub runs: Vec<u64>,
}

/// What an edit does to the runs; the new scenario comes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the run does not exist.
    Nothing,
    /// The scenario has an event after `step` steps, and chains continue.
    Event {
        /// Number of the run that changes; `None` if the target changes.
        run: Option<usize>,
        /// The first step under the new values is `step + 1`.
        step: u64,
    },
    /// The edit counts from step 0, and the runs are computed again up to `step` or to their end.
    Rebuild {
        /// The step at which the runs are shown again.
        step: u64,
    },
    /// The edit counts from step 0, and the runs start again there.
    Restart,
}

impl Moment {
    /// Whether chains can continue on another target: some run has taken a step, and some run has steps left.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.pacing == Pacing::Watch && self.step > 0 && !self.finished
    }

    /// The step after which a change of run number `run` would be an event; `None` before its first step, after its
    /// last, and in [`Pacing::Instant`].
    fn event_step(&self, scenario: &Scenario, run: usize) -> Option<u64> {
        let (spec, step) = (scenario.runs.get(run)?, *self.runs.get(run)?);
        let steps = scenario.settings_at(spec, step).count("steps");
        (self.pacing == Pacing::Watch && step > 0 && step < steps).then_some(step)
    }

    /// The effect of an edit that counts from step 0 and is shown at the step reached.
    fn rebuild(&self) -> Effect {
        Effect::Rebuild { step: if self.pacing == Pacing::Instant { u64::MAX } else { self.step } }
    }

    /// The effect of an edit that starts the runs again.
    fn restart(&self) -> Effect {
        if self.pacing == Pacing::Instant { self.rebuild() } else { Effect::Restart }
    }
}

/// Decides about an edit: the scenario that it leads to, and what it does to the runs.
///
/// * A parameter of a run that is under way, and that may change then, becomes an event; so does a method, unless its
///   chains start at draws from the prior.
/// * Any other parameter or method counts from step 0. The runs are computed again up to the step reached, so that a change
///   of one run does not take the others back to their start; if all runs have finished, a parameter starts them again.
/// * A target becomes an event if chains are kept and runs are under way.
/// * In [`Pacing::Instant`] no edit becomes an event, and every edit computes the runs again to their end.
///
/// # Errors
/// If a parameter does not exist, its value is not allowed, or the event contradicts a later one.
pub fn decide(scenario: &Scenario, edit: Edit, moment: &Moment) -> Result<(Scenario, Effect), ParamError> {
    match edit {
        Edit::Load(other) => Ok((*other, moment.restart())),
        Edit::Replace(other) => Ok((*other, moment.rebuild())),
        Edit::Reseed(seed) => Ok((Scenario { seed, ..scenario.clone() }, moment.restart())),
        Edit::Set { run, path, value } => set(scenario, run, &path, value, moment),
        Edit::Method { run, kind } => choose_method(scenario, run, kind, moment),
        Edit::Target { target, keep_chains: true, .. } if moment.is_under_way() => {
            let effect = Effect::Event { run: None, step: moment.step };
            Ok((scenario.with_target_event(moment.step, target), effect))
        }
        Edit::Target { target, restart, .. } => {
            let effect = if restart { moment.restart() } else { moment.rebuild() };
            Ok((scenario.with_whole_target(target), effect))
        }
    }
}

fn set(
    scenario: &Scenario,
    run: usize,
    path: &str,
    value: Value,
    moment: &Moment,
) -> Result<(Scenario, Effect), ParamError> {
    let Some(spec) = scenario.runs.get(run) else { return Ok((scenario.clone(), Effect::Nothing)) };
    match moment.event_step(scenario, run).filter(|&step| scenario.is_live(spec, step, path)) {
        Some(step) => {
            let changed = scenario.with_event(&spec.name, step, path, value)?;
            Ok((changed, Effect::Event { run: Some(run), step }))
        }
        None => {
            let effect = if moment.finished { moment.restart() } else { moment.rebuild() };
            Ok((scenario.with_parameter(&spec.name, path, value)?, effect))
        }
    }
}

fn choose_method(
    scenario: &Scenario,
    run: usize,
    kind: &'static KindSpec,
    moment: &Moment,
) -> Result<(Scenario, Effect), ParamError> {
    let Some(spec) = scenario.runs.get(run) else { return Ok((scenario.clone(), Effect::Nothing)) };
    if moment.event_step(scenario, run).is_some() && methods::begins_anew(kind).is_none() {
        return set(scenario, run, METHOD, Value::Choice(kind.name), moment);
    }
    let changed = scenario.with_method(&spec.name, kind)?;
    Ok((renamed_with_method(&changed, spec, kind), moment.rebuild()))
}

/// A run that has the name of its method takes the name of the new method, if that is free.
fn renamed_with_method(scenario: &Scenario, before: &RunSpec, kind: &'static KindSpec) -> Scenario {
    let follows = before.name.starts_with(before.settings.kind.label);
    let renamed = if follows { scenario.with_name(&before.name, kind.label).ok() } else { None };
    renamed.unwrap_or_else(|| scenario.clone())
}
