//! Run: blocks of chains, their history, and the checkpoints from which earlier steps are computed again.

mod measurable;
mod planned;
mod report;
mod rewind;
mod spending;
mod topics;

use std::sync::{Arc, Mutex, OnceLock};

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::diagnostics::{Fit, Measure, Truth};
use crate::methods::{FitRecord, Problem, Steps, Stopwatch, pairs_in};
use crate::scenario::RunPlan;
use crate::targets::{Minibatches, Planar, Projected};
use crate::topics::Stop;

use super::analysis::Analysis;
use super::block::{Block, ChunkPlan, Workspace, block_size};
use super::fits::{FitSummary, FitTrace};
use super::frame::MAX_RECORDS;
use super::history::{History, Track};
use super::reach::Reach;
use super::spending::Spending;
use super::starts::starts;
use super::step_parts::{self, StepParts};
use super::target_timeline::{TargetContext, TargetTimeline};
use super::topics::TopicsAt;
use super::vectors::VectorsAt;
pub use measurable::Measurable;
use planned::Planned;

/// Positions of a block computed in one chunk at most: few enough to stay in the second cache.
const CHUNK: usize = 8192;

/// Pairs of random numbers per step that do not count: only paths of many pieces need more.
const FEW_PAIRS: usize = 4;

/// Steps in one chunk at most.
const CHUNK_STEPS: usize = 512;

/// Checkpoints kept along a run, at most and at least.
const CHECKPOINTS: (u64, u64) = (4, 24);

/// Blocks of chains in all checkpoints together, as far as the number of checkpoints allows: a quarter of a megabyte
/// each.
const KEPT_BLOCKS: u64 = 96;

/// The part of a run that a checkpoint keeps.
#[derive(Clone, Debug)]
struct State {
    step: u64,
    /// The number of the span whose draws are counted.
    span: usize,
    blocks: Vec<Block>,
    gradient_evaluations: f64,
    density_evaluations: f64,
    fits: FitTrace,
}

/// A run in progress.
#[derive(Debug)]
pub struct Run {
    plan: Arc<RunPlan>,
    context: TargetContext,
    state: State,
    checkpoints: Vec<State>,
    /// Whether earlier steps can be reached again.
    remembers: bool,
    history: History,
    step_parts: Arc<Vec<StepParts>>,
    /// Vectors of the chains, of a model in more dimensions.
    vectors: Arc<Vec<Arc<VectorsAt>>>,
    /// Topics of the chains, of a target of topics.
    topics: Arc<Vec<Arc<TopicsAt>>>,
    /// Those of the newest step that somebody has asked for.
    newest_topics: Mutex<Option<Arc<TopicsAt>>>,
    /// The newest summary of the fit.
    fit_summary: Mutex<Option<FitSummary>>,
    /// The seed of the scenario and the number of the run.
    seed: (u64, u64),
    workspaces: Vec<Workspace>,
    /// Whoever may stop a step that takes long.
    stop: Option<Stop>,
    /// Times the chains, where somebody wants to know.
    stopwatch: Option<Stopwatch>,
    planned: Planned,
    /// Evaluations of the whole run as its plan has them, once somebody has asked.
    evaluations_planned: OnceLock<Spending>,
    measures: Arc<Vec<Measure>>,
    /// The fit that `measures` are of.
    measured: Option<(Fit, Arc<Vec<Measure>>)>,
    analysis: Arc<Analysis>,
}

impl State {
    /// Evaluations of the gradient so far, by all chains.
    fn gradients(&self) -> f64 {
        let fits: f64 = self.blocks.iter().map(Block::evaluated).sum();
        // Fractions n/N are added up step by step; rounding removes their errors.
        ((self.gradient_evaluations + fits) * 1e6).round() / 1e6
    }

    /// The same, and evaluations of the density alone.
    fn evaluations(&self) -> f64 {
        self.gradients() + self.density_evaluations
    }
}

impl Run {
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
                let chunk = sampled.range(first..plan.chains.min(first + block));
                Block::new(seed, index, first as u64, method, chunk, &context)
            })
            .collect();
        topics::begin(&plan, &context, (seed, index), &mut blocks, &mut starts);
        let mut state = State {
            step: 0,
            span: 0,
            gradient_evaluations: 0.0,
            density_evaluations: 0.0,
            fits: FitTrace::new(plan.chains),
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
            history,
            step_parts: Arc::default(),
            vectors: Arc::default(),
            topics: Arc::default(),
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

    /// The truth about the target of the newest step.
    pub fn truth(&self) -> &Truth {
        &self.context.truth
    }

    /// The work in a step, in units of about one step of one chain of a sampler. Steps of approximations evaluate the
    /// target many times.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rough positive number")]
    pub fn work(&self) -> usize {
        let segment = self.plan.segment_of(self.state.step + 1);
        let topics = self.context.target.topics();
        if segment.samples && topics.is_none() {
            return self.plan.chains;
        }
        let data = self.context.data();
        let evaluations = segment.method.evaluations(&segment.gradient, data, segment.schedule.stage(1));
        if let Some(model) = topics {
            return self.plan.chains * topics::work(model, evaluations).clamp(1.0, 1e9) as usize;
        }
        self.plan.chains * (evaluations * data as f64).clamp(1.0, 1e6) as usize
    }

    /// Puts a plan in place that differs from the present one only after the newest step.
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

    /// Takes up to `steps` steps.
    pub fn advance(&mut self, steps: u64, timeline: &TargetTimeline) {
        let goal = self.plan.steps.min(self.state.step.saturating_add(steps));
        self.enter(timeline, timeline.span_at(self.state.step));
        while self.state.step < goal && !self.is_stopped() {
            let span_ends = timeline.next_after(self.state.step).unwrap_or(goal);
            let count = self.chunk_length(goal.min(span_ends));
            let end = self.state.step + count as u64;
            let sampled = end == self.next_sample();
            self.chunk(count, sampled || end == goal);
            if sampled {
                let parts = StepParts::of(end, self.plan.step_size(end), self.records());
                Arc::make_mut(&mut self.step_parts).push(parts);
            }
            if sampled || end == self.plan.steps {
                self.keep_vectors();
                self.keep_topics(sampled);
            }
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
            let context = timeline.context(self.state.span + 1).clone();
            let next = self.state.step + 1;
            let segment = self.plan.segment_of(next);
            let method = (segment.method.as_ref(), segment.schedule.step_size(next));
            self.state.blocks.iter_mut().for_each(|block| block.enter(&self.context, &context, method));
            self.context = context;
            self.state.span += 1;
            self.measures = Arc::default();
            self.measured = None;
            self.analysis = Arc::default();
        }
    }

    /// Number of steps of the next chunk: within a segment, up to a checkpoint, few enough to stay in cache.
    fn chunk_length(&self, goal: u64) -> usize {
        let step = self.state.step;
        let segment_end = self.plan.next_segment_after(step);
        let checkpoint = (step / self.interval() + 1) * self.interval();
        let end = goal.min(segment_end.unwrap_or(goal)).min(checkpoint).min(self.next_sample());
        let segment = self.plan.segment_of(step + 1);
        let needs = segment.method.needs(&segment.gradient);
        let all = |behind: Projected<'_>| needs.uniforms_on(behind.model, &segment.gradient);
        let uniforms = self.context.target.model().map_or(needs.uniforms, all);
        let pairs = (needs.vectors * pairs_in(self.context.dimension())).max(uniforms).div_ceil(FEW_PAIRS).max(1);
        let chains = block_size(self.plan.chains, self.plan.interaction()).min(self.plan.chains);
        let batch = segment.gradient.batch_size() * if segment.gradient.is_shared() { 1 } else { chains };
        let numbers = (chains * pairs).max(batch);
        let room = (CHUNK / numbers).clamp(1, CHUNK_STEPS);
        usize::try_from(end - step).unwrap_or(usize::MAX).min(room)
    }

    /// The next step whose parts are recorded.
    fn next_sample(&self) -> u64 {
        let newest = self.step_parts.last().map_or(0, |parts| parts.step);
        step_parts::after(newest, self.plan.segment_of(newest).steps)
    }

    fn interval(&self) -> u64 {
        if let Some(model) = self.context.target.topics() {
            return topics::interval(&self.plan, model, CHECKPOINTS.1);
        }
        let blocks = self.state.blocks.len() as u64;
        (self.plan.steps / (KEPT_BLOCKS / blocks).clamp(CHECKPOINTS.0, CHECKPOINTS.1)).max(1000)
    }

    /// Keeps the vectors of the chains, of a model in more dimensions.
    fn keep_vectors(&mut self) {
        let Some(behind) = self.context.target.model() else { return };
        let blocks = self.state.blocks.iter().map(|block| &block.population().places);
        let kept = VectorsAt::of(self.state.step, behind.model.dimension(), blocks);
        Arc::make_mut(&mut self.vectors).push(Arc::new(kept));
    }

    fn keep_checkpoint(&mut self) {
        let step = self.state.step;
        let newest = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.step);
        if self.remembers && step.is_multiple_of(self.interval()) && step > newest {
            self.checkpoints.push(self.state.clone());
        }
    }

    fn chunk(&mut self, count: usize, record: bool) {
        let plan = self.plan.clone();
        let first = self.state.step + 1;
        let last = self.state.step + count as u64;
        let segment = plan.segment_of(first);
        if segment.from == self.state.step && segment.from > 0 {
            let methods = (plan.segment_of(self.state.step).method.as_ref(), segment.method.as_ref());
            let alpha = segment.schedule.step_size(first);
            self.state.blocks.iter_mut().for_each(|block| block.hand_over(&self.context, methods, alpha));
        }
        let space = self.context.space(segment.method.as_ref());
        let data = self.context.data();
        let planar = Planar(space.target.as_ref());
        self.planned.fill(segment, self.context.simd, first, count);
        let Planned { step_sizes, stages, weights } = &self.planned;
        let chunk = ChunkPlan {
            method: segment.method.as_ref(),
            problem: Problem::new(&planar, &segment.gradient, self.context.simd)
                .unless(self.stop.as_ref())
                .timed_by(self.stopwatch.as_ref()),
            coordinates: space.coordinates,
            reach: Reach::of(self.context.target.info(), &space.coordinates),
            truth: &self.context.truth,
            first,
            steps: Steps { step_sizes, stages, batches: Minibatches::default() },
            weights,
        };
        self.history.make_room(first, last);
        let stride = self.history.stride();
        let size = block_size(plan.chains, plan.interaction());
        let work = |(number, ((block, room), track)): (usize, ((&mut Block, &mut Workspace), &mut Track))| {
            let recorded = if record { MAX_RECORDS.saturating_sub(number * size) } else { 0 };
            block.advance(&chunk, recorded, room);
            History::append(track, stride, first, (&room.x, &room.y), room.weights());
        };
        let tracks = self.history.tracks();
        if self.state.blocks.len() == 1 {
            self.state.blocks.iter_mut().zip(&mut self.workspaces).zip(tracks).enumerate().for_each(work);
        } else {
            self.state.blocks.par_iter_mut().zip(&mut self.workspaces).zip(tracks).enumerate().for_each(work);
        }
        self.count_evaluations(segment, data);
        if !segment.samples {
            self.record_fits(first);
        }
        self.state.step = last;
    }

    /// Records the approximations after each step of a chunk from number `first` on.
    fn record_fits(&mut self, first: u64) {
        let trails: Vec<Vec<FitRecord>> = self.state.blocks.iter_mut().flat_map(Block::take_trails).collect();
        let steps = trails.iter().map(Vec::len).min().unwrap_or(0);
        for (row, step) in (0..steps).zip(first..) {
            self.state.fits.push(step, trails.iter().map(|trail| &trail[row]));
        }
    }

    /// Hands over the history so far; see [`super::Session::take_history`].
    pub fn take_history(&mut self) -> History {
        self.history.take()
    }
}
