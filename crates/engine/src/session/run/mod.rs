//! Run: blocks of chains, their history, and the checkpoints from which earlier steps are computed again.

mod counting;
mod measurable;
mod planned;
mod report;
mod rewind;
mod spending;
mod step_ranges;
mod topics;

use std::sync::{Arc, Mutex, OnceLock};

use crate::diagnostics::{Fit, Measure, Truth};
use crate::scenario::RunPlan;
use models::lda::Stop;
use models::targets::Space;
use samplers::methods::Stopwatch;

use super::analysis::Analysis;
use super::block::{Block, Workspace, block_size};
use super::fits::{FitSummary, FitTrace};
use super::history::History;
use super::kept::Kept;
use super::spending::Spending;
use super::starts::starts;
use super::step_parts::StepParts;
use super::target_timeline::{TargetContext, TargetTimeline};
use super::topics::TopicsAt;
use super::vectors::{KeptVectors, VectorsAt};
use counting::Counts;
pub use measurable::Measurable;
use planned::Planned;

/// Checkpoints kept along a run, at most and at least.
const CHECKPOINTS: (u64, u64) = (4, 24);

/// Blocks of chains in all checkpoints together, as far as the number of checkpoints allows: a quarter of a megabyte
/// each.
const KEPT_BLOCKS: u64 = 40;

/// The part of a run that a checkpoint keeps.
#[derive(Clone, Debug)]
struct RunState {
    step: u64,
    /// The number of the span whose draws are counted.
    span: usize,
    blocks: Vec<Block>,
    /// Counts of the draws up to this step or an earlier one.
    counts: Arc<Counts>,
    gradient_evaluations: f64,
    density_evaluations: f64,
    fits: FitTrace,
    /// Vectors of the chains, of a model in more dimensions.
    vectors: KeptVectors,
}

/// A run in progress.
#[derive(Debug)]
pub struct Run {
    plan: Arc<RunPlan>,
    context: TargetContext,
    state: RunState,
    checkpoints: Vec<RunState>,
    /// Whether earlier steps can be reached again.
    remembers: bool,
    /// Counts up to the newest step, if those of its state end before it and somebody has looked.
    late_counts: OnceLock<Arc<Counts>>,
    /// Whether draws are counted while the run takes its steps.
    counts_at_once: bool,
    /// Whether there are threads that no other run uses.
    has_idle_threads: bool,
    history: History,
    step_parts: Kept<StepParts>,
    /// Topics of the chains, of a target of topics.
    topics: Kept<Arc<TopicsAt>>,
    /// Topics of the newest step that somebody has asked for.
    newest_topics: Mutex<Option<Arc<TopicsAt>>>,
    /// The newest summary of the fit.
    fit_summary: Mutex<Option<FitSummary>>,
    /// The seed of the scenario and the number of the run.
    seed: (u64, u64),
    workspaces: Vec<Workspace>,
    /// The signal that stops a step that takes long.
    stop: Option<Stop>,
    /// Measures the time that chains take, if it is wanted.
    stopwatch: Option<Stopwatch>,
    planned: Planned,
    /// Evaluations of the whole run as its plan has them, once somebody has asked.
    evaluations_planned: OnceLock<Spending>,
    measures: Arc<Vec<Measure>>,
    /// The fit that `measures` are of.
    measured: Option<(Fit, Arc<Vec<Measure>>)>,
    analysis: Arc<Analysis>,
}

impl RunState {
    /// Evaluations of the gradient so far, by all chains.
    fn gradients(&self) -> f64 {
        let fits: f64 = self.blocks.iter().map(Block::evaluated).sum();
        // Fractions n/N are added up step by step; rounding removes their errors.
        ((self.gradient_evaluations + fits) * 1e6).round() / 1e6
    }

    /// Evaluations of the gradient and of the density alone so far, by all chains.
    fn evaluations(&self) -> f64 {
        self.gradients() + self.density_evaluations
    }
}

impl Run {
    /// The runs of a scenario with this seed, before their first step.
    pub fn all(
        plans: Vec<Arc<RunPlan>>,
        timeline: &TargetTimeline,
        (seed, stopwatch): (u64, Option<&Stopwatch>),
    ) -> Vec<Self> {
        let number = plans.len();
        let run = |(plan, index)| {
            let mut run = Self::new(plan, timeline, (seed, index), stopwatch.cloned());
            run.use_idle_threads(number);
            run
        };
        plans.into_iter().zip(0..).map(run).collect()
    }

    /// Run number `index` of a scenario with this seed, before its first step.
    pub fn new(
        plan: Arc<RunPlan>,
        timeline: &TargetTimeline,
        (seed, index): (u64, u64),
        stopwatch: Option<Stopwatch>,
    ) -> Self {
        let context = timeline.context(0).clone();
        let first = &plan.segments[0];
        let coordinates = context.space(first.method.as_ref()).coordinates;
        let mut starts = starts(&plan, context.target.as_ref(), seed, index);
        let mut sampled = starts.clone();
        if !coordinates.is_identity() {
            (0..plan.chains).for_each(|chain| sampled.set_point(chain, coordinates.from_theta(starts.point(chain))));
        }
        let method = (first.method.as_ref(), first.schedule.step_size(1));
        let block = block_size(plan.chains, plan.interaction());
        let mut blocks: Vec<Block> = (0..plan.chains)
            .step_by(block)
            .map(|first| {
                let starts = sampled.range(first..plan.chains.min(first + block));
                Block::new(seed, index, first as u64, method, starts, &context)
            })
            .collect();
        topics::begin(&plan, &context, (seed, index), &mut blocks, &mut starts);
        let mut state = RunState {
            step: 0,
            span: 0,
            gradient_evaluations: 0.0,
            density_evaluations: 0.0,
            fits: FitTrace::new(plan.chains),
            vectors: KeptVectors::new(starts.dimension(), plan.chains),
            counts: Arc::new(Counts::new(blocks.len(), &context.truth, 0)),
            blocks,
        };
        let mut history = History::from_pool(plan.chains, block, context.pool.clone());
        let (mut x, mut y) = (vec![0.0; plan.chains], vec![0.0; plan.chains]);
        context.projection().points(&starts, &mut x, &mut y);
        history.push(&x, &y);
        let workspaces = vec![Workspace::default(); state.blocks.len()];
        state.fits.push(0, state.blocks.iter().flat_map(Block::fits));
        let checkpoints = vec![state.clone()];
        let mut run = Self {
            plan,
            context,
            state,
            checkpoints,
            remembers: true,
            late_counts: OnceLock::new(),
            counts_at_once: false,
            has_idle_threads: false,
            history,
            step_parts: Kept::new(usize::MAX, |parts| parts.step),
            topics: Kept::new(usize::MAX, |at| at.step),
            newest_topics: Mutex::default(),
            fit_summary: Mutex::default(),
            stop: None,
            stopwatch,
            seed: (seed, index),
            workspaces,
            planned: Planned::default(),
            evaluations_planned: OnceLock::new(),
            measures: Arc::default(),
            measured: None,
            analysis: Arc::default(),
        };
        run.keep_topics(false);
        run
    }

    /// What it does.
    pub fn plan(&self) -> &Arc<RunPlan> {
        &self.plan
    }

    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.state.step
    }

    /// Total number of steps.
    pub fn steps(&self) -> u64 {
        self.plan.steps
    }

    /// Number of chains.
    pub fn chains(&self) -> usize {
        self.plan.chains
    }

    /// Keeps no more checkpoints: for a run that nobody will take back.
    pub fn forget_the_way(&mut self) {
        self.remembers = false;
    }

    /// Uses threads that are idle while `runs` runs, this one among them, take their steps at the same time.
    pub fn use_idle_threads(&mut self, runs: usize) {
        self.has_idle_threads = runs < rayon::current_num_threads();
    }

    /// The truth about the target of the newest step.
    pub fn truth(&self) -> &Truth {
        &self.context.truth
    }

    /// The work in a step, in units of about one step of one chain of a sampler. Steps of approximations evaluate the
    /// target many times.
    #[expect(clippy::cast_sign_loss, reason = "a rough positive number")]
    pub fn work(&self) -> usize {
        let segment = self.plan.segment_of(self.state.step + 1);
        let data = self.context.data();
        let evaluations = segment.method.evaluations(&segment.gradient, data, segment.schedule.stage(1));
        self.plan.chains
            * match self.context.target.space() {
                Space::Topics(model) => topics::work(model, evaluations).clamp(1.0, 1e9) as usize,
                Space::Plane(_) | Space::Vectors(_) if segment.samples => 1,
                Space::Plane(_) | Space::Vectors(_) => (evaluations * data as f64).clamp(1.0, 1e6) as usize,
            }
    }

    /// Replaces the plan by one that differs from the present one only after the newest step.
    pub fn continue_with(&mut self, plan: Arc<RunPlan>) {
        self.plan = plan;
        self.evaluations_planned = OnceLock::new();
    }

    /// Goes to `step` exactly: forward by computing, back from the nearest checkpoint.
    pub fn seek(&mut self, step: u64, timeline: &TargetTimeline) {
        let step = step.min(self.plan.steps);
        if step < self.state.step || timeline.span_at(step) < self.state.span {
            // From a checkpoint before the step, so that the step itself is computed again, with its record.
            self.go_back(timeline, |checkpoint| checkpoint.step < step);
        }
        self.advance(step.saturating_sub(self.state.step), timeline);
    }

    /// Takes up to `steps` steps, and no more once its budget is spent.
    pub fn advance(&mut self, steps: u64, timeline: &TargetTimeline) {
        match self.plan.budget {
            Some(budget) => self.advance_within(budget, steps, timeline),
            None => self.take_steps(steps, timeline),
        }
    }

    fn take_steps(&mut self, steps: u64, timeline: &TargetTimeline) {
        let goal = self.plan.steps.min(self.state.step.saturating_add(steps));
        self.keep_late_counts();
        self.enter(timeline, timeline.span_at(self.state.step));
        while self.state.step < goal && !self.is_stopped() {
            let span_ends = timeline.next_after(self.state.step).unwrap_or(goal);
            let chunks = self.next_chunks(goal, goal.min(span_ends));
            self.take_chunks(&chunks);
            self.keep_samples(&chunks);
            self.keep_checkpoint();
            self.enter(timeline, timeline.span_at(self.state.step));
        }
    }

    /// Forgets the present span, so that the next [`Run::seek`] goes back to a checkpoint: the target of this very step
    /// has changed.
    pub fn leave_span(&mut self) {
        self.state.span = usize::MAX;
    }

    /// Goes over to a later span, if it is not there yet. A run that has taken all its steps enters later spans too,
    /// without draws of their targets.
    pub fn enter(&mut self, timeline: &TargetTimeline, span: usize) {
        while self.state.span < span {
            self.keep_late_counts();
            self.settle_checkpoints();
            let context = timeline.context(self.state.span + 1).clone();
            let next = self.state.step + 1;
            let segment = self.plan.segment_of(next);
            let method = (segment.method.as_ref(), segment.schedule.step_size(next));
            self.state.blocks.iter_mut().for_each(|block| block.enter(&self.context, &context, method));
            self.context = context;
            self.state.counts = Arc::new(Counts::new(self.state.blocks.len(), &self.context.truth, self.state.step));
            self.state.vectors.even.clear();
            self.state.span += 1;
            self.measures = Arc::default();
            self.measured = None;
            self.analysis = Arc::default();
        }
    }

    fn interval(&self) -> u64 {
        match self.context.target.space() {
            Space::Topics(model) => topics::interval(&self.plan, model, CHECKPOINTS.1),
            Space::Plane(_) | Space::Vectors(_) => {
                let blocks = self.state.blocks.len() as u64;
                (self.plan.steps / (KEPT_BLOCKS / blocks).clamp(CHECKPOINTS.0, CHECKPOINTS.1)).max(1000)
            }
        }
    }

    fn keep_checkpoint(&mut self) {
        let step = self.state.step;
        let newest = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.step);
        if self.remembers && step.is_multiple_of(self.interval()) && step > newest {
            self.checkpoints.push(self.state.clone());
        }
    }

    /// Keeps the vectors of every collected step; see [`super::Session::keep_all_vectors`].
    pub fn keep_all_vectors(&mut self) {
        let (dimension, chains) = (self.context.dimension(), self.plan.chains);
        self.state.vectors.even.keep(VectorsAt::most_unthinned(dimension, chains));
    }

    /// Hands over the history so far; see [`super::Session::take_history`].
    pub fn take_history(&mut self) -> History {
        self.settle();
        self.history.take()
    }
}
