//! Edits of a scenario, each of which returns a new scenario. [`decide`](super::decide()) chooses among them.

use super::{Change, Event, METHOD, RunSpec, Scenario, Sweep, adapt, assemble, events};
use base::params::{KindSpec, ParamError, Settings, Value, excerpt};
use samplers::methods;

/// The most characters a name may have.
const LONGEST_NAME: usize = 60;

impl Scenario {
    /// The number of the run called `name`, from 0.
    #[must_use]
    pub fn run_index(&self, name: &str) -> Option<usize> {
        self.runs.iter().position(|run| run.name == name)
    }

    /// The same with another target from step 0. Later changes of the target are dropped.
    #[must_use]
    pub fn with_whole_target(&self, target: Settings) -> Self {
        let mut scenario = Self { target, ..self.clone() };
        scenario.events.retain(|event| event.target().is_none());
        scenario
    }

    /// The same with another target after `step` steps, on which chains continue from where they are. An earlier change
    /// of the target at the same step is replaced.
    #[must_use]
    pub fn with_target_event(&self, step: u64, target: Settings) -> Self {
        let mut scenario = self.clone();
        scenario.events.retain(|event| event.step != step || event.target().is_none());
        scenario.insert(Event { step, change: Change::Target(target) });
        scenario
    }

    /// The target after `step` steps.
    #[must_use]
    pub fn target_at(&self, step: u64) -> &Settings {
        let earlier = self.events.iter().filter(|event| event.step <= step);
        earlier.filter_map(Event::target).next_back().unwrap_or(&self.target)
    }

    /// Whether the targets of another scenario are the same at every step.
    #[must_use]
    pub fn has_targets_of(&self, other: &Self) -> bool {
        fn later(scenario: &Scenario) -> impl Iterator<Item = (u64, &Settings)> {
            scenario.events.iter().filter_map(|event| Some((event.step, event.target()?)))
        }
        self.target == other.target && later(self).eq(later(other))
    }

    /// Puts an event among the others, after those of the same step.
    fn insert(&mut self, event: Event) {
        let index = self.events.partition_point(|other| other.step <= event.step);
        self.events.insert(index, event);
    }

    /// The same with a parameter of a run changed from step 0. Later changes of the same parameter are dropped, and so
    /// are those that are no longer possible.
    ///
    /// # Errors
    /// If there is no such run or parameter, or the value is not allowed.
    pub fn with_parameter(&self, run: &str, path: &str, value: Value) -> Result<Self, ParamError> {
        let mut scenario = self.edit_run(run, |run| events::assign(&mut run.settings, path, value))?;
        scenario.give_up_events(run, path);
        Ok(scenario)
    }

    /// Takes the parameter at `path` out of all events of a run, and whatever its settings no longer allow.
    fn give_up_events(&mut self, run: &str, path: &str) {
        let Some(mut settings) = self.run_index(run).map(|index| self.runs[index].settings.clone()) else { return };
        let within = |inner: &str, outer: &str| inner == outer || inner.starts_with(&format!("{outer}."));
        for event in &mut self.events {
            let at = event.step;
            let Change::Run { run: of, set } = &mut event.change else { continue };
            if of == run {
                let kept = events::in_order(set).filter(|(changed, value)| {
                    let same = within(changed, path) || within(path, changed);
                    let in_time = at < settings.count("steps");
                    !same && in_time && events::assign(&mut settings, changed, (*value).clone()).is_ok()
                });
                *set = kept.map(|(changed, value)| (changed.clone(), value.clone())).collect();
            }
        }
        self.events.retain(|event| event.changes_of(run).is_none_or(|set| !set.is_empty()));
        self.give_up_late_targets();
    }

    /// Takes out changes of the target after the last step of all runs.
    fn give_up_late_targets(&mut self) {
        let last = self.last_step();
        self.events.retain(|event| event.target().is_none() || event.step < last);
    }

    /// Steps of the longest run, events that change it applied; under a budget they are not known.
    pub(super) fn last_step(&self) -> u64 {
        if self.budget.is_some() {
            return u64::MAX;
        }
        self.runs.iter().map(|run| self.settings_at(run, u64::MAX).count("steps")).max().unwrap_or(0)
    }

    /// The same with another method in a run, which keeps every parameter that both have and that suits it, and has what people expect of it.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn with_method(&self, run: &str, kind: &'static KindSpec) -> Result<Self, ParamError> {
        let mut scenario = self.edit_run(run, |run| {
            let before = run.settings.kind;
            run.settings = events::settings_for_method(&run.settings, kind);
            if methods::fits(before) != methods::fits(kind)
                && let Some(own) = Settings::defaults(kind).get("steps")
            {
                // An approximation needs a few steps where a sampler needs many.
                run.settings.set("steps", own.clone())?;
            }
            methods::set_usual(&mut run.settings);
            adapt::adapt_method(&mut run.settings, &self.folder);
            Ok(())
        })?;
        scenario.events.retain(|event| event.run() != Some(run));
        Ok(scenario)
    }

    /// The same with a parameter of a run changed after `step` steps. A change of the same
    /// parameter at the same step is replaced. With another method, what would not suit it changes too.
    ///
    /// # Errors
    /// If there is no such run or parameter, it is fixed while a run is under way, the value is not allowed,
    /// or the run ends before that.
    pub fn with_event(&self, run: &str, step: u64, path: &str, value: Value) -> Result<Self, ParamError> {
        let index = self.run_index(run).ok_or_else(|| self.no_run(run))?;
        let mut settings = self.settings_at(&self.runs[index], step);
        // Another event of the run at this step is joined; what was before it decides what goes together.
        let before = step
            .checked_sub(1)
            .map_or_else(|| self.runs[index].settings.clone(), |step| self.settings_at(&self.runs[index], step));
        if settings.spec_at(path).is_some() && !events::is_live(&settings, path) {
            let allowed = events::live_paths(&settings).join(", ");
            return Err(ParamError::new(path, "cannot change while a run is under way", allowed)
                .under(&format!("run[{index}]")));
        }
        events::assign(&mut settings, path, value.clone()).map_err(|error| error.under(&format!("run[{index}]")))?;
        let mut changes = vec![(path.to_owned(), value)];
        if path == METHOD {
            changes.extend(
                adapt::adapt_method(&mut settings, &self.folder)
                    .into_iter()
                    .map(|(path, value)| (path.to_owned(), value)),
            );
        }
        let mut scenario = self.clone();
        let mut same = scenario.events.iter_mut().filter(|event| event.step == step);
        let same = same.find_map(|event| match &mut event.change {
            Change::Run { run: of, set } if of == run => Some(set),
            Change::Run { .. } | Change::Target(_) => None,
        });
        match same {
            Some(set) => {
                set.extend(changes);
                *set = events::consistent(&before, path, set);
            }
            None => {
                let set = changes.into_iter().collect();
                scenario.insert(Event { step, change: Change::Run { run: run.to_owned(), set } });
            }
        }
        match assemble::check_events(&scenario.runs[index], index, &scenario.events).into_iter().next() {
            Some(error) => Err(error),
            None => Ok(scenario),
        }
    }

    /// Whether a parameter of a run may change after `step` steps while the run is under way.
    #[must_use]
    pub fn is_live(&self, run: &RunSpec, step: u64, path: &str) -> bool {
        events::is_live(&self.settings_at(run, step), path)
    }

    /// The settings of a run after `step` steps, all events up to there applied.
    /// Changes that are not allowed there are skipped; [`Scenario::build`] reports them.
    #[must_use]
    pub fn settings_at(&self, run: &RunSpec, step: u64) -> Settings {
        let mut settings = run.settings.clone();
        for changes in
            self.events.iter().filter(|event| event.step <= step).filter_map(|event| event.changes_of(&run.name))
        {
            events::apply(&mut settings, changes);
        }
        settings
    }

    /// The same with one run more, under a name that no other run has.
    #[must_use]
    pub fn with_run(&self, mut run: RunSpec) -> Self {
        run.name = self.free_name(&run.name);
        adapt::adapt_method(&mut run.settings, &self.folder);
        let mut scenario = self.clone();
        scenario.runs.push(run);
        scenario
    }

    /// The same with a copy of a run and of its events right after it, under a name of its own.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn with_copy_of(&self, run: &str) -> Result<Self, ParamError> {
        let index = self.run_index(run).ok_or_else(|| self.no_run(run))?;
        let name = self.free_name(run);
        let mut scenario = self.clone();
        for event in &self.events {
            if let Some(set) = event.changes_of(run) {
                scenario
                    .insert(Event { step: event.step, change: Change::Run { run: name.clone(), set: set.clone() } });
            }
        }
        scenario.runs.insert(index + 1, RunSpec { name, ..self.runs[index].clone() });
        Ok(scenario)
    }

    /// The same without a run and its events. The last run stays.
    ///
    /// # Errors
    /// If there is no such run, or no other.
    pub fn without_run(&self, run: &str) -> Result<Self, ParamError> {
        let index = self.run_index(run).ok_or_else(|| self.no_run(run))?;
        if self.runs.len() == 1 {
            return Err(ParamError::new("run", "the only run cannot be removed", "one or more runs"));
        }
        let mut scenario = self.clone();
        scenario.runs.remove(index);
        scenario.events.retain(|event| event.run() != Some(run));
        scenario.give_up_late_targets();
        scenario.challenges.retain(|challenge| challenge.task.run() != Some(run));
        scenario.sweep.take_if(|sweep| sweep.run == run);
        scenario.view.remove_run(run);
        Ok(scenario)
    }

    /// The same with another sweep, or none.
    ///
    /// # Errors
    /// The first thing that keeps the sweep from being one of this scenario.
    pub fn with_sweep(&self, sweep: Option<Sweep>) -> Result<Self, ParamError> {
        if let Some(error) = sweep.as_ref().and_then(|sweep| sweep.values(self).err()?.into_iter().next()) {
            return Err(error);
        }
        Ok(Self { sweep, ..self.clone() })
    }

    /// The same with another name for a run.
    ///
    /// # Errors
    /// If there is no such run, or another run has the name already, or it cannot be a name.
    pub fn with_name(&self, run: &str, name: &str) -> Result<Self, ParamError> {
        let others = self.runs.iter().map(|other| other.name.as_str()).filter(|other| *other != run);
        check_name(name, others)?;
        let mut scenario = self.edit_run(run, |run| {
            run.name = name.to_owned();
            Ok(())
        })?;
        for event in &mut scenario.events {
            if let Change::Run { run: of, .. } = &mut event.change
                && of == run
            {
                name.clone_into(of);
            }
        }
        if let Some(sweep) = scenario.sweep.as_mut().filter(|sweep| sweep.run == run) {
            name.clone_into(&mut sweep.run);
        }
        scenario.challenges.iter_mut().for_each(|challenge| challenge.rename_run(run, name));
        scenario.view.rename_run(run, name);
        Ok(scenario)
    }

    fn edit_run(
        &self,
        run: &str,
        edit: impl FnOnce(&mut RunSpec) -> Result<(), ParamError>,
    ) -> Result<Self, ParamError> {
        let index = self.run_index(run).ok_or_else(|| self.no_run(run))?;
        let mut scenario = self.clone();
        edit(&mut scenario.runs[index]).map_err(|error| error.under(&format!("run[{index}]")))?;
        Ok(scenario)
    }

    pub(super) fn no_run(&self, name: &str) -> ParamError {
        let names: Vec<_> = self.runs.iter().map(|run| run.name.as_str()).collect();
        ParamError::new("run", format!("there is no run \"{}\"", excerpt(name)), names.join(", "))
    }

    /// `wanted` itself, or with the first number from 2 that makes it free.
    fn free_name(&self, wanted: &str) -> String {
        let stem = wanted.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
        let stem = if stem.is_empty() { wanted } else { stem };
        let numbered = (2_u64..).map(|number| format!("{stem} {number}"));
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
        let taken = |name: &str| self.runs.iter().any(|run| same_name(&run.name, name));
        candidates.find(|name| !taken(name)).unwrap_or_else(|| wanted.to_owned())
    }
}

/// A run of a method with everything at its default, named like the method.
#[must_use]
pub fn default_run(method: &'static KindSpec) -> RunSpec {
    RunSpec { name: method.label.to_owned(), settings: Settings::defaults(method) }
}

/// Checks that a text can be the name of a run beside `others`. Names become names of files, hence no
/// slashes, and upper and lower case count as the same.
pub(super) fn check_name<'n>(name: &str, mut others: impl Iterator<Item = &'n str>) -> Result<(), ParamError> {
    let wrong = |problem: String, allowed: &str| Err(ParamError::new("name", problem, allowed));
    if name.chars().count() > LONGEST_NAME {
        return wrong("the name is too long".to_owned(), &format!("at most {LONGEST_NAME} characters"));
    }
    if name.trim().is_empty() || name.trim() != name {
        return wrong(
            format!("\"{}\" is empty, or starts or ends with a space", excerpt(name)),
            "a name without spaces around it",
        );
    }
    if name.starts_with('.') || name.contains(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c)) {
        let allowed = "a name that can be part of a file name: no / \\ : * ? \" < > | and no dot in front";
        return wrong(format!("\"{}\" cannot be a name", excerpt(name)), allowed);
    }
    if others.any(|other| same_name(other, name)) {
        return wrong(format!("two runs are called \"{}\"", excerpt(name)), "a different name for each run");
    }
    Ok(())
}

/// Whether two names would be the same file where upper and lower case do not count.
fn same_name(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}
