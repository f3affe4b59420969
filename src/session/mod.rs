//! A session: commands in, runs advanced, history kept, frames out. No threads, no clock, no files.
//!
//! The state of a session is a function of its scenario and of the step it has reached. Everything
//! else follows from that: stepping back recomputes from a checkpoint, undo loads the scenario of
//! before and goes to the same step, and a parameter changed during a run becomes an event of the
//! scenario, so that the file saved afterwards makes the same run again.

mod analysis;
mod block;
mod cycles;
mod fits;
mod frame;
mod history;
mod run;
mod smoothing;
mod step_parts;
pub mod study;
mod target_timeline;

use std::sync::Arc;

use rayon::prelude::{IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};

pub use analysis::{Analysis, Analyst, FitAnalysis, analysis_measures};
pub use cycles::{CycleEnd, MOST_CYCLES, cycle_ends};
pub use fits::{FitFrame, FitTrace};
pub use frame::{Frame, MAX_RECORDS, RunFrame, extend_series};
pub use history::{CAPACITY, History};
pub use smoothing::{Curve, Smoother, Smoothing, WINDOWS, smoothing};
pub use step_parts::{StepParts, without_rounding};

use crate::diagnostics::Floor;
use crate::math::Simd;
use crate::params::{ParamError, Settings};
use crate::scenario::{Edit, Effect, Moment, Pacing, RunPlan, Scenario, TargetSpan, decide};
use history::Pool;
use run::Run;
use target_timeline::{TargetContext, TargetTimeline};

/// Exact draws made for the noise floor at one refresh of the measures: a few milliseconds' worth.
const FLOOR_BUDGET: u64 = 50_000;

/// What a session can be told.
#[derive(Clone, Debug)]
pub enum Command {
    /// Change the scenario.
    Edit(Edit),
    /// Go to a step, forward or back.
    Seek(u64),
    /// Start again with the same seed.
    Restart,
}

/// An experiment under way.
#[derive(Debug)]
pub struct Session {
    scenario: Arc<Scenario>,
    timeline: TargetTimeline,
    /// The number of the present span.
    span: usize,
    runs: Vec<Run>,
    floor: Floor,
    generation: u64,
}

impl Session {
    /// A session before the first step of `scenario`.
    ///
    /// # Errors
    /// If the scenario cannot be built: every reason, each with its place.
    pub fn new(scenario: Scenario) -> Result<Self, Vec<ParamError>> {
        Self::with_simd(scenario, Simd::widest())
    }

    /// The same with instructions of a given kind, which make no difference but in speed.
    ///
    /// # Errors
    /// If the scenario cannot be built: every reason, each with its place.
    pub fn with_simd(scenario: Scenario, simd: Simd) -> Result<Self, Vec<ParamError>> {
        Self::with(scenario, simd, Arc::default())
    }

    fn with(scenario: Scenario, simd: Simd, pool: Arc<Pool>) -> Result<Self, Vec<ParamError>> {
        let experiment = scenario.build()?;
        let timeline = TargetTimeline::new(experiment.spans, simd, pool);
        let floor = floor(timeline.context(0), scenario.seed);
        let runs = start(experiment.runs, &timeline, scenario.seed);
        Ok(Self { scenario: Arc::new(scenario), timeline, span: 0, runs, floor, generation: 0 })
    }

    /// The scenario, with the events recorded so far.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Steps made by the longest run.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.runs.iter().map(Run::step).max().unwrap_or(0)
    }

    /// Steps of the longest run in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.runs.iter().map(Run::steps).max().unwrap_or(0)
    }

    /// Whether every run has made all its steps.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.runs.iter().all(|run| run.step() == run.steps())
    }

    /// Chains of all runs together.
    #[must_use]
    pub fn chains(&self) -> usize {
        self.runs.iter().map(Run::chains).sum()
    }

    /// The work in one step of all runs together, about as many times that of one step of a chain.
    #[must_use]
    pub fn work(&self) -> usize {
        self.runs.iter().map(Run::work).sum()
    }

    /// The same of run number `run`.
    #[must_use]
    pub fn work_of(&self, run: usize) -> usize {
        self.runs.get(run).map_or(1, Run::work)
    }

    /// Carries out a command. After an error the session is as it was before.
    ///
    /// # Errors
    /// If the command asks for something that cannot be built: every reason, each with its place.
    pub fn apply(&mut self, command: Command) -> Result<(), Vec<ParamError>> {
        match command {
            Command::Edit(edit) => return self.edit(edit),
            Command::Seek(step) => self.seek(step),
            Command::Restart => self.seek(0),
        }
        Ok(())
    }

    /// Changes the scenario, as [`decide`] has it. After an error the session is as it was before.
    ///
    /// # Errors
    /// If the edit leads to a scenario that cannot be built: every reason, each with its place.
    pub fn edit(&mut self, mut edit: Edit) -> Result<(), Vec<ParamError>> {
        let moment = self.moment();
        let mut next = None;
        if let Edit::Target { target, keep_chains, restart } = &mut edit
            && *keep_chains
            && moment.is_under_way()
        {
            let dimension = self.timeline.spans()[0].target.info().dimension;
            next = self.scenario.build_span(target, moment.step, dimension).ok();
            if next.is_none() {
                (*keep_chains, *restart) = (false, true);
            }
        }
        let (scenario, effect) = decide(&self.scenario, edit, &moment).map_err(|error| vec![error])?;
        match (effect, next) {
            (Effect::Nothing, _) => Ok(()),
            (Effect::Restart, _) => self.replace(scenario, 0),
            (Effect::Rebuild { step }, _) => self.replace(scenario, step),
            (Effect::Event { run: Some(run), .. }, _) => self.continue_run(run, scenario),
            (Effect::Event { run: None, .. }, Some(span)) => self.continue_on(&span, &scenario),
            (Effect::Event { run: None, step }, None) => self.replace(scenario, step),
        }
    }

    /// The state of the runs, by which [`decide`] decides about an edit that comes now.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment {
            pacing: Pacing::Watch,
            step: self.step(),
            finished: self.finished(),
            runs: self.runs.iter().map(Run::step).collect(),
        }
    }

    /// Makes up to `steps` steps in every run.
    pub fn advance(&mut self, steps: u64) {
        self.prepare(self.span, self.step().saturating_add(steps).min(self.total()));
        self.runs.par_iter_mut().for_each(|run| run.advance(steps, &self.timeline));
        self.settle();
    }

    /// Makes up to `steps` steps in run number `run` only.
    pub fn advance_run(&mut self, run: usize, steps: u64) {
        if let Some(run) = self.runs.get_mut(run) {
            run.advance(steps, &self.timeline);
        }
        self.settle();
    }

    /// Hands over the path of run number `run` so far, and goes on with an empty one: for who writes the
    /// path down as it grows. Frames show only what has come since; sums and measures lose nothing.
    pub fn drain(&mut self, run: usize) -> History {
        self.runs.get_mut(run).map(Run::drain).unwrap_or_default()
    }

    /// Computes the measures that the next frames carry, with noise floors for nearly as many exact draws:
    /// some of those are made now, the others at the next calls. Returns whether any floor is still behind.
    pub fn refresh_measures(&mut self) -> bool {
        let (runs, floor) = (&self.runs, &mut self.floor);
        let most = runs.par_iter().map(Run::measured_draws).max().unwrap_or(0);
        // The sampler waits meanwhile, so that all cores are there for it.
        let (there, measured) = rayon::join(
            || floor.advance_to(most, FLOOR_BUDGET),
            || -> Vec<_> { runs.par_iter().map(|run| (run.measured_draws(), run.measure(None))).collect() },
        );
        for (run, (draws, mut measures)) in self.runs.iter_mut().zip(measured) {
            if draws > 0
                && let Some(floor) = self.floor.at(draws)
            {
                floor.put_beside(&mut measures);
            }
            run.set_measures(measures);
        }
        !there
    }

    /// Computes the measures with noise floors for exactly as many exact draws, however long that takes.
    pub fn measure_exactly(&mut self) {
        for run in &mut self.runs {
            let floor = self.floor.exact(run.measured_draws());
            run.set_measures(run.measure(Some(floor)));
        }
    }

    /// Works out the slow measures of all runs, from what their histories have kept, however long that takes.
    pub fn analyse(&mut self) {
        let frame = self.frame();
        let mut analyst = Analyst::default();
        for (run, of) in self.runs.iter_mut().zip(&frame.runs) {
            run.set_analysis(analyst.analyse(&frame, of));
        }
    }

    /// Puts the slow measures of a run, worked out elsewhere, into the frames to come.
    pub fn set_analysis(&mut self, run: usize, analysis: Analysis) {
        if let Some(run) = self.runs.get_mut(run) {
            run.set_analysis(analysis);
        }
    }

    /// The generation of the frames, see [`Frame::generation`].
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The session as it is now. Costs the same however many draws there are.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let TargetContext { target, truth, .. } = self.timeline.context(self.span).clone();
        let since = self.timeline.spans()[self.span].from;
        Frame {
            generation: self.generation,
            scenario: self.scenario.clone(),
            target,
            truth,
            step: self.step(),
            total: self.total(),
            runs: self.runs.iter().map(|run| run.frame(since)).collect(),
        }
    }

    fn seek(&mut self, step: u64) {
        self.generation += 1;
        let from = self.runs.iter().map(|run| run.seeks_from(step, &self.timeline)).min().unwrap_or(0);
        self.prepare(from, step.min(self.total()));
        self.runs.par_iter_mut().for_each(|run| run.seek(step, &self.timeline));
        self.settle();
    }

    /// Works out the truth of the spans from number `from` to that of `step`, before runs ask for it at once: they would
    /// have to wait for each other in the middle of their work.
    fn prepare(&self, from: usize, step: u64) {
        for span in from..=self.timeline.span_at(step) {
            self.timeline.context(span);
        }
    }

    /// Sees to it that all runs are in the span of the step that has been reached, and what is measured against too.
    fn settle(&mut self) {
        let step = self.step();
        let span = self.timeline.span_at(step);
        for run in self.runs.iter_mut().filter(|run| run.step() == run.steps() && run.step() < step) {
            run.enter(&self.timeline, span);
        }
        if span != self.span {
            self.span = span;
            self.generation += 1;
            self.timeline.tidy(span);
            self.floor = floor(self.timeline.context(span), self.scenario.seed);
        }
    }

    /// Takes another scenario and goes to `step`; the target is kept where it is the same.
    fn replace(&mut self, scenario: Scenario, step: u64) -> Result<(), Vec<ParamError>> {
        let targets = |scenario: &Scenario| -> Vec<(u64, Settings)> {
            let later = scenario.events.iter().filter_map(|event| Some((event.step, event.target()?.clone())));
            [(0, scenario.target.clone())].into_iter().chain(later).collect()
        };
        let same_truth = targets(&scenario) == targets(&self.scenario)
            && scenario.folder == self.scenario.folder
            && scenario.seed == self.scenario.seed;
        if same_truth {
            let plans = scenario.build_runs(self.timeline.spans())?;
            self.begin(plans, scenario);
        } else {
            let (generation, (simd, pool)) = (self.generation, self.timeline.means());
            let another = scenario.target != self.scenario.target;
            let session = Self::with(scenario.clone(), simd, pool.clone()).or_else(|errors| {
                // Runs that were made for another target are made to suit this one.
                let fitted = if another { Self::with(scenario.adapted(), simd, pool) } else { Err(Vec::new()) };
                fitted.map_err(|_| errors)
            })?;
            *self = Self { generation, ..session };
        }
        self.seek(step);
        Ok(())
    }

    /// Puts the runs of a scenario on the same targets before their first step.
    fn begin(&mut self, plans: Vec<RunPlan>, scenario: Scenario) {
        self.runs = start(plans, &self.timeline, scenario.seed);
        self.scenario = Arc::new(scenario);
        if self.span > 0 {
            self.span = 0;
            self.floor = floor(self.timeline.context(0), self.scenario.seed);
        }
    }

    /// Continues all runs on another target, which takes the place of the present one at the step reached.
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

/// Runs before their first step.
fn start(plans: Vec<RunPlan>, timeline: &TargetTimeline, seed: u64) -> Vec<Run> {
    plans.into_iter().zip(0..).map(|(plan, index)| Run::new(Arc::new(plan), timeline, seed, index)).collect()
}

/// The noise floors in a world.
fn floor(context: &TargetContext, seed: u64) -> Floor {
    Floor::new(context.target.clone(), context.truth.clone(), seed)
}
