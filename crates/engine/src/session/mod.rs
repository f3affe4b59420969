//! Session: the runs of a scenario in progress. It takes commands, advances the chains, keeps their draws, and hands out
//! frames: snapshots for whoever shows them.
//!
//! It has no threads, no clock and no files. The state of a session is a function of its scenario and of the step it has reached.
//! Going back computes steps again from a checkpoint. Undo loads the earlier scenario and goes to the same step. A parameter that
//! changes during a run becomes an event of the scenario, so that the saved file gives the same run again.
//!
//! A stopwatch may be handed in. It times chains of topics for plots against seconds, and the state does not depend on it.
//!
//! `run` and `block` move chains from one target of the `target_timeline` to the next. `history`, `kept`, `vectors`, `fits`, `step_parts` and
//! `topics` keep what they did; `measures`, `analysis`, `predictions`, `smoothing` and `challenge` judge it, `warnings` says what makes it
//! useless. `repeats`, `range_test`, `sweep` are further runs. `clock` makes runs simultaneous; `long_steps` can be stopped.

mod analysis;
mod block;
pub mod challenge;
mod clock;
mod cycles;
mod edits;
mod fits;
mod frame;
mod function_draws;
mod history;
mod kept;
mod linearised;
mod local_curvature;
mod long_steps;
mod measures;
mod pools;
mod predictions;
mod quantities;
pub mod range_test;
mod reach;
mod references;
pub mod repeats;
pub mod replicates;
mod run;
pub mod seed_table;
mod smoothing;
mod spending;
mod starts;
mod step_parts;
pub mod sweep;
mod target_timeline;
#[cfg(test)]
pub(crate) mod test_targets;
mod topics;
mod vectors;
mod warnings;

use std::sync::Arc;

use rayon::prelude::{IntoParallelRefMutIterator, ParallelIterator};

pub use analysis::{Analyser, Analysis, FitAnalysis, analysis_measures};
pub use clock::{Clock, Time};
pub use cycles::{CycleEnd, MOST_CYCLES, cycle_ends, cycle_ends_after, cycle_ends_in};
pub use fits::{FitFrame, FitTrace, KEPT_RECORDS};
pub use frame::{Frame, MAX_RECORDS, RunFrame, extend_series};
pub use function_draws::{FunctionDraws, Outputs, Said};
pub use history::{CAPACITY, History};
pub use kept::stride;
pub use linearised::{FitFunctions, Linearised, LinearisedAt};
pub use local_curvature::LocalCurvature;
pub use measures::Measured;
pub use models::lda::Stop;
pub use pools::{PooledError, PooledErrors};
pub use predictions::{Predicted, collected_functions};
pub use quantities::{Described, PROBABILITIES, QuantityDraws, QuantityNumbers, fitted_gaussians};
pub use references::{ReferenceKey, References, has_reference, probes, reference_run};
pub use samplers::methods::{Course, Stopwatch, Transition, Transitions};
pub use smoothing::{Curve, Smoother, SmoothingErrors, WINDOWS, smoothing};
pub use spending::Spending;
pub use step_parts::{StepParts, without_rounding};
pub use topics::{ChainMoment, ChainTopics, TopicsAt, TopicsKind, TopicsMoment, TopicsOrder};
pub use vectors::{Told, VectorsAt};
pub use warnings::Warning;
#[cfg(any(test, feature = "testing"))]
pub use warnings::warnings;

use crate::diagnostics::Floor;
use crate::diagnostics::hmc_reference::Reference;
use crate::scenario::{Edit, Experiment, Moment, Pacing, Scenario};
use base::math::{Pool, Simd};
use base::params::ParamError;
use run::Run;
use target_timeline::{TargetContext, TargetTimeline};

/// What a session can be asked to do.
#[derive(Clone, Debug)]
pub enum Command {
    /// Change the scenario.
    Edit(Edit),
    /// Go to a step, or tick by gradients, forward or back.
    Seek(u64),
    /// Choose the clock, see [`Clock`].
    Clock(Clock),
    /// Start again with the same seed.
    Restart,
}

/// A scenario in progress.
///
/// ```
/// use base::params::{ParamError, Value};
/// use sampler_engine::scenario::{Edit, Lesson};
/// use sampler_engine::session::Session;
///
/// # fn main() -> Result<(), Vec<ParamError>> {
/// let lesson = Lesson::find("good-diagnostics").expect("a lesson");
/// let mut session = Session::new(lesson.scenario().expect("a valid scenario"))?;
/// session.advance(600);
/// // A change during a run is an event of the scenario.
/// session.edit(Edit::Set { run: 0, path: "step_size.value".to_owned(), value: Value::Number(0.002) })?;
/// session.advance(600);
/// session.measure_exactly();
/// let frame = session.frame();
/// assert_eq!((frame.step, frame.scenario.events.len()), (1200, 1));
/// assert!(frame.runs[0].measures.iter().any(|measure| measure.key == "modes_visited" && measure.value.is_some()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Session {
    scenario: Arc<Scenario>,
    timeline: TargetTimeline,
    /// The number of the present span of the timeline.
    span: usize,
    runs: Vec<Run>,
    floor: Floor,
    references: References,
    generation: u64,
    clock: Clock,
    /// The tick of the clock by gradients.
    tick: u64,
    stopwatch: Option<Stopwatch>,
}

impl Session {
    /// A session before the first step of `scenario`.
    ///
    /// # Errors
    /// If the scenario cannot be built: every reason, each with its key.
    pub fn new(scenario: Scenario) -> Result<Self, Vec<ParamError>> {
        Self::with_simd(scenario, Simd::widest())
    }

    /// A session with a given instruction set, which makes no difference but in speed.
    ///
    /// # Errors
    /// If the scenario cannot be built: every reason, each with its key.
    pub fn with_simd(scenario: Scenario, simd: Simd) -> Result<Self, Vec<ParamError>> {
        Self::with(scenario, (simd, history::pool()), None)
    }

    /// The same with a stopwatch, which times chains of topics: [`RunFrame::seconds`]. Nothing else is different.
    ///
    /// # Errors
    /// If the scenario cannot be built: every reason, each with its key.
    pub fn timed(scenario: Scenario, stopwatch: Stopwatch) -> Result<Self, Vec<ParamError>> {
        Self::with(scenario, (Simd::widest(), history::pool()), Some(stopwatch))
    }

    fn with(
        scenario: Scenario,
        (simd, pool): (Simd, Arc<Pool<f64>>),
        stopwatch: Option<Stopwatch>,
    ) -> Result<Self, Vec<ParamError>> {
        let experiment = scenario.build()?;
        Ok(Self::of(experiment, scenario, (simd, pool), stopwatch))
    }

    /// A session before the first step of an experiment, which `scenario` describes.
    pub(crate) fn of(
        experiment: Experiment,
        scenario: Scenario,
        (simd, pool): (Simd, Arc<Pool<f64>>),
        stopwatch: Option<Stopwatch>,
    ) -> Self {
        let timeline = TargetTimeline::new(experiment.spans, simd, pool);
        let floor = floor(timeline.context(0));
        let plans = experiment.runs.into_iter().map(Arc::new).collect();
        let runs = Run::all(plans, &timeline, (scenario.seed, stopwatch.as_ref()));
        Self {
            scenario: Arc::new(scenario),
            timeline,
            span: 0,
            runs,
            floor,
            references: References::default(),
            generation: 0,
            clock: Clock::Steps,
            tick: 0,
            stopwatch,
        }
    }

    /// The scenario, with the events recorded so far.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// Steps taken by the longest run.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.runs.iter().map(Run::step).max().unwrap_or(0)
    }

    /// Total number of steps of the longest run.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.runs.iter().map(Run::steps).max().unwrap_or(0)
    }

    /// Whether every run has taken all its steps.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.runs.iter().all(|run| run.step() == run.steps())
    }

    /// Chains of all runs together.
    #[must_use]
    pub fn chains(&self) -> usize {
        self.runs.iter().map(Run::chains).sum()
    }

    /// The work in one tick of the clock, of all runs together, in units of about one step of one chain.
    #[must_use]
    pub fn work(&self) -> usize {
        match self.clock {
            Clock::Steps => self.runs.iter().map(Run::work).sum(),
            Clock::Gradients => self.work_of_tick(),
        }
    }

    /// The same of run number `run`.
    #[must_use]
    pub fn work_of(&self, run: usize) -> usize {
        self.runs.get(run).map_or(1, Run::work)
    }

    /// Counts generations on from those of a session before this one.
    pub fn follow(&mut self, generation: u64) {
        self.generation = generation + 1;
    }

    /// Carries out a command. After an error the session is as it was before.
    ///
    /// # Errors
    /// If the command asks for something that cannot be built: every reason, each with its key.
    pub fn apply(&mut self, command: Command) -> Result<(), Vec<ParamError>> {
        match command {
            Command::Edit(edit) => return self.edit(edit),
            Command::Seek(step) => self.seek(step),
            Command::Clock(clock) => self.set_clock(clock),
            Command::Restart => self.seek(0),
        }
        Ok(())
    }

    /// The state of the runs, by which [`crate::scenario::decide`] decides about an edit that comes now.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment {
            pacing: Pacing::Watch,
            step: self.step(),
            finished: self.finished(),
            runs: self.runs.iter().map(Run::step).collect(),
        }
    }

    /// Takes up to `ticks` steps in every run; by gradients, as many as spend so many units.
    pub fn advance(&mut self, ticks: u64) {
        if self.clock == Clock::Gradients {
            self.spend(ticks);
            return;
        }
        let steps = ticks;
        self.prepare(self.span, self.step().saturating_add(steps).min(self.total()));
        let Self { runs, timeline, .. } = self;
        on_all(runs, |run| run.advance(steps, timeline));
        self.enter_span();
    }

    /// Takes up to `steps` steps in run number `run` only.
    pub fn advance_run(&mut self, run: usize, steps: u64) {
        let Self { runs, timeline, .. } = self;
        if let Some(run) = runs.get_mut(run) {
            on_all(std::slice::from_mut(run), |run| run.advance(steps, timeline));
        }
        self.enter_span();
    }

    /// Takes the history of run number `run` out of the session, which continues with an empty one. A caller that
    /// writes the history to a file as it grows uses this. Later frames contain only later steps; counts and measures
    /// are not affected.
    pub fn take_history(&mut self, run: usize) -> History {
        self.runs.get_mut(run).map(Run::take_history).unwrap_or_default()
    }

    /// What every chain of run number `run` keeps from step to step under this name, a vector each; `None` if the method keeps
    /// nothing of that name.
    #[must_use]
    pub fn carried(&self, run: usize, name: &str) -> Option<Vec<Vec<f64>>> {
        self.runs.get(run)?.carried(name)
    }

    /// Puts a reference, computed elsewhere, into later frames of its target.
    pub fn set_reference(&mut self, key: ReferenceKey, reference: Arc<Reference>) {
        self.references.put(key, reference);
    }

    /// The generation of the frames, see [`Frame::generation`].
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The session as it is now. Costs the same however many draws there are.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let context = self.timeline.context(self.span);
        let since = self.timeline.spans()[self.span].from;
        let mut runs: Vec<RunFrame> = self.runs.iter().map(|run| run.frame(since)).collect();
        // Draws of one run say what the truth is worth for all.
        let refuted = runs.iter().any(|run| run.warnings.contains(&Warning::TruthWithdrawn));
        if refuted {
            runs.iter_mut().for_each(RunFrame::withdraw_truth);
        }
        Frame {
            generation: self.generation,
            scenario: self.scenario.clone(),
            target: context.target.clone(),
            truth: context.truth_unless(refuted).clone(),
            reference: self.references.get(&self.scenario, self.step()).cloned(),
            step: self.step(),
            total: self.total(),
            time: self.time(),
            runs,
        }
    }

    /// Goes to a tick of the clock.
    fn seek(&mut self, step: u64) {
        self.generation += 1;
        if self.clock == Clock::Gradients {
            self.seek_spending(step);
            return;
        }
        let from = self.runs.iter().map(|run| run.seeks_from(step, &self.timeline)).min().unwrap_or(0);
        self.prepare(from, step.min(self.total()));
        let Self { runs, timeline, .. } = self;
        on_all(runs, |run| run.seek(step, timeline));
        self.enter_span();
    }

    /// Computes the truth of the spans from number `from` to that of `step`, before several runs ask for it at once and
    /// wait for each other.
    fn prepare(&self, from: usize, step: u64) {
        for span in from..=self.timeline.span_at(step) {
            self.timeline.context(span);
        }
    }

    /// Moves the session and all runs to the span of the step that has been reached.
    fn enter_span(&mut self) {
        let step = self.step();
        let span = self.timeline.span_at(step);
        for run in self.runs.iter_mut().filter(|run| run.step() == run.steps() && run.step() < step) {
            run.enter(&self.timeline, span);
        }
        if span != self.span {
            self.span = span;
            self.generation += 1;
            self.timeline.forget_far_from(span);
            self.floor = floor(self.timeline.context(span));
        }
    }
}

/// Does some work with every run, on the threads that take steps: a thread beside them would have to be woken after each range
/// of a run with several blocks.
fn on_all(runs: &mut [Run], work: impl Fn(&mut Run) + Send + Sync) {
    rayon::scope(|_| runs.par_iter_mut().for_each(work));
}

/// The noise floors of a target.
fn floor(context: &TargetContext) -> Floor {
    Floor::new(context.target.density().cloned(), context.truth.clone())
}
