//! Edits of a session: runs go on, or are computed again, as [`decide`] has it.

use std::sync::Arc;

use super::run::Run;
use super::{Clock, Session, floor};
use crate::scenario::{Edit, Effect, RunPlan, Scenario, TargetSpan, decide};
use base::params::{ParamError, Settings};

impl Session {
    /// Changes the scenario, as [`decide`] has it. After an error the session is as it was before.
    ///
    /// # Errors
    /// If the edit leads to a scenario that cannot be built: every reason, each with its key.
    pub fn edit(&mut self, mut edit: Edit) -> Result<(), Vec<ParamError>> {
        let moment = self.moment();
        let mut next = None;
        if let Edit::Target { target, keep_chains, restart } = &mut edit
            && *keep_chains
            && moment.is_under_way()
        {
            let dimension = self.timeline.spans()[0].target.dimension();
            // By gradients runs are at different steps, and no step is the one of the change.
            let together = self.clock == Clock::Steps;
            next = together.then(|| self.scenario.build_span(target, moment.step, dimension).ok()).flatten();
            if next.is_none() {
                (*keep_chains, *restart) = (false, true);
            }
        }
        let (scenario, effect) = decide(&self.scenario, edit, &moment).map_err(|error| vec![error])?;
        match (effect, next) {
            (Effect::Nothing, _) => Ok(()),
            (Effect::Restart, _) => self.replace(scenario, 0),
            (Effect::Rebuild { step }, _) => self.replace(scenario, self.tick_at(step)),
            (Effect::Event { run: Some(run), .. }, _) => self.continue_run(run, scenario),
            (Effect::Event { run: None, .. }, Some(span)) => self.continue_on(&span, &scenario),
            (Effect::Event { run: None, step }, None) => self.replace(scenario, self.tick_at(step)),
        }
    }

    /// Takes another scenario and goes to a tick; the target is kept where it is the same.
    fn replace(&mut self, scenario: Scenario, tick: u64) -> Result<(), Vec<ParamError>> {
        if scenario.differs_in_view(&self.scenario) {
            // No result depends on it: the runs stay as they are.
            self.scenario = Arc::new(scenario);
            if tick != self.time().tick {
                self.seek(tick);
            }
            return Ok(());
        }
        let targets = |scenario: &Scenario| -> Vec<(u64, Settings)> {
            let later = scenario.events.iter().filter_map(|event| Some((event.step, event.target()?.clone())));
            [(0, scenario.target.clone())].into_iter().chain(later).collect()
        };
        let same_truth = targets(&scenario) == targets(&self.scenario) && scenario.folder == self.scenario.folder;
        if same_truth {
            let built = scenario.build_runs(self.timeline.spans())?;
            let plan = |(index, plan)| self.same_plan(&scenario, index).unwrap_or_else(|| Arc::new(plan));
            let plans = built.into_iter().enumerate().map(plan).collect();
            self.start_runs(plans, scenario);
        } else {
            let (generation, made_with) = (self.generation, self.timeline.simd_and_pool());
            let (clock, references) = (self.clock, self.references.clone());
            let another = scenario.target != self.scenario.target;
            let stopwatch = self.stopwatch.clone();
            let session = Self::with(scenario.clone(), made_with.clone(), stopwatch.clone()).or_else(|errors| {
                // Settings of runs that do not suit the new target are replaced.
                let fitted =
                    if another { Self::with(scenario.adapted(), made_with, stopwatch) } else { Err(Vec::new()) };
                fitted.map_err(|_| errors)
            })?;
            *self = Self { generation, clock, references, ..session };
        }
        if self.timeline.spans().len() > 1 {
            self.clock = Clock::Steps;
        }
        // Runs that have just started are at tick 0.
        self.tick = 0;
        self.seek(tick);
        Ok(())
    }

    /// The plan of a run to which another scenario on the same targets changes nothing: what is computed of plans is not computed again.
    /// A budget may have shortened a plan.
    fn same_plan(&self, scenario: &Scenario, index: usize) -> Option<Arc<RunPlan>> {
        let (run, before) = (scenario.runs.get(index)?, self.scenario.runs.get(index)?);
        let same = run == before && scenario.events == self.scenario.events;
        let has_budget = scenario.budget.is_some() || self.scenario.budget.is_some();
        let plan = self.runs.get(index)?.plan();
        (same && !has_budget && plan.budget.is_none()).then(|| plan.clone())
    }

    /// Starts the runs of a scenario on the same targets, before their first step.
    fn start_runs(&mut self, plans: Vec<Arc<RunPlan>>, scenario: Scenario) {
        self.runs = Run::all(plans, &self.timeline, (scenario.seed, self.stopwatch.as_ref()));
        self.scenario = Arc::new(scenario);
        if self.span > 0 {
            self.span = 0;
            self.floor = floor(self.timeline.context(0));
        }
    }

    /// Continues all runs on another target, which replaces the present one at the step reached.
    fn continue_on(&mut self, span: &TargetSpan, scenario: &Scenario) -> Result<(), Vec<ParamError>> {
        let adapted = scenario.adapted_at(span);
        let spans = self.timeline.with(span);
        let plans = adapted.build_runs(&spans)?;
        self.timeline.replace(spans);
        for (run, plan) in self.runs.iter_mut().zip(plans) {
            run.continue_with(Arc::new(plan));
            run.leave_span();
        }
        self.scenario = Arc::new(adapted);
        self.span = usize::MAX;
        self.seek(span.from);
        Ok(())
    }

    /// Continues run number `run` with an event at the step that it has reached.
    fn continue_run(&mut self, run: usize, scenario: Scenario) -> Result<(), Vec<ParamError>> {
        let plan = scenario.build_run(run, self.timeline.spans())?;
        let step = self.runs[run].step();
        self.runs[run].continue_with(Arc::new(plan));
        self.scenario = Arc::new(scenario);
        if step == self.step() && self.timeline.spans().iter().any(|span| span.from == step) {
            // The target changed at this very step, and chains entered its span under the parameters of before.
            self.runs[run].leave_span();
            self.seek(step);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::figures::FIGURE;
    use crate::scenario::read;
    use base::params::Value;

    /// Runs under way stay what they are when only the figure changes, and take the new scenario.
    #[test]
    fn another_figure_computes_nothing_again() {
        let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 50\n";
        let mut session = Session::new(read(text, "test", Path::new(".")).unwrap()).unwrap();
        session.advance(20);
        let before = session.frame();
        let mut scenario = session.scenario().as_ref().clone();
        scenario.view.figure = Some(Settings::defaults(&FIGURE));
        session.edit(Edit::Replace(Box::new(scenario.clone()))).unwrap();
        let after = session.frame();
        assert_eq!((after.generation, after.step), (before.generation, 20));
        assert!(
            Arc::ptr_eq(&after.runs[0].cloud, &before.runs[0].cloud) || after.runs[0].cloud == before.runs[0].cloud
        );
        assert_eq!(after.scenario.as_ref(), &scenario);
        scenario.seed += 1;
        session.edit(Edit::Replace(Box::new(scenario))).unwrap();
        assert_ne!(session.frame().generation, before.generation);
    }

    /// What is computed of a plan alone is kept while another run is edited.
    #[test]
    fn runs_that_are_not_edited_keep_their_plans() {
        let run = |name: &str| format!("[[run]]\nname = \"{name}\"\nmethod = \"sgld\"\nsteps = 50\n");
        let text = format!("format = 1\n[target]\nkind = \"gaussian\"\n{}{}", run("A"), run("B"));
        let mut session = Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap();
        session.advance(20);
        let before = session.frame();
        let mut scenario = session.scenario().as_ref().clone();
        scenario.runs[0].settings.set("steps", Value::Number(60.0)).unwrap();
        session.edit(Edit::Replace(Box::new(scenario))).unwrap();
        let after = session.frame();
        assert_eq!(after.runs[0].plan.steps, 60);
        assert!(Arc::ptr_eq(&after.runs[1].plan, &before.runs[1].plan));
    }
}
