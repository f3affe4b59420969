//! One run: its blocks of chains, its path, and the checkpoints that let it go back in time.

use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::diagnostics::{Measure, Reference, Tally};
use crate::math::{Grid, Point, Purpose, Simd, Stream};
use crate::methods::{Batches, Problem, StepPlan};
use crate::scenario::{RunPlan, Segment, Start};
use crate::targets::{Coordinates, Target};

use super::block::{Block, CHAINS, Stretch, Workspace};
use super::frame::{MAX_RECORDS, RunFrame};
use super::history::History;

/// Positions computed in one stretch at most: enough to spread over cores, few enough to stay in cache.
const STRETCH: usize = 32_768;

/// Steps in one stretch at most.
const STRETCH_STEPS: usize = 256;

/// Checkpoints kept along a run, at most.
const CHECKPOINTS: u64 = 24;

/// Cells of the cloud image in each direction.
const CLOUD_CELLS: usize = 240;

/// What all runs of a session share.
#[derive(Clone, Debug)]
pub struct World {
    /// The density in θ.
    pub target: Arc<dyn Target>,
    /// The density in the coordinates of the chains.
    pub sampled: Arc<dyn Target>,
    /// The truth to measure against.
    pub reference: Arc<Reference>,
    /// The instruction set to use; a matter of speed alone.
    pub simd: Simd,
}

/// The part of a run that a checkpoint keeps.
#[derive(Clone, Debug)]
struct State {
    step: u64,
    blocks: Vec<Block>,
    batches: Batches,
    cloud: Arc<Vec<f64>>,
    collected: u64,
    gradient_evaluations: f64,
}

/// A run in progress.
#[derive(Debug)]
pub struct Run {
    plan: Arc<RunPlan>,
    world: World,
    state: State,
    checkpoints: Vec<State>,
    history: History,
    workspaces: Vec<Workspace>,
    cloud_grid: Grid,
    measures: Arc<Vec<Measure>>,
}

impl Run {
    /// Run number `index` of a scenario with this seed, before its first step.
    pub fn new(plan: Arc<RunPlan>, world: World, seed: u64, index: u64) -> Self {
        let coordinates = Coordinates::of(world.target.facts());
        let starts = starts(&plan, world.target.as_ref(), seed, index);
        let sampled: Vec<Point> = starts.iter().map(|&theta| coordinates.from_theta(theta)).collect();
        let method = &plan.segments[0].method;
        let blocks: Vec<Block> = sampled
            .chunks(CHAINS)
            .zip((0..).step_by(CHAINS))
            .map(|(chunk, first)| Block::new(seed, index, first, method.as_ref(), chunk, &world.reference))
            .collect();
        let cloud_grid = Grid::new(world.target.facts().view, CLOUD_CELLS, CLOUD_CELLS);
        let state = State {
            step: 0,
            batches: Batches::new(Stream::derive(seed, Purpose::Minibatch, index, 0)),
            cloud: Arc::new(vec![0.0; cloud_grid.len()]),
            collected: 0,
            gradient_evaluations: 0.0,
            blocks,
        };
        let mut history = History::new(plan.chains);
        let (x, y): (Vec<f64>, Vec<f64>) = starts.iter().map(|start| (start.x, start.y)).unzip();
        history.push(0, 0.0, &x, &y);
        let workspaces = vec![Workspace::default(); state.blocks.len()];
        let checkpoints = vec![state.clone()];
        Self { plan, world, state, checkpoints, history, workspaces, cloud_grid, measures: Arc::default() }
    }

    /// Steps made.
    pub fn step(&self) -> u64 {
        self.state.step
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.plan.steps
    }

    /// Number of chains.
    pub fn chains(&self) -> usize {
        self.plan.chains
    }

    /// Puts a plan in place that differs from the present one only after the newest step.
    pub fn continue_with(&mut self, plan: Arc<RunPlan>) {
        self.plan = plan;
    }

    /// Goes to `step` exactly: forward by computing, back from the nearest checkpoint.
    pub fn seek(&mut self, step: u64) {
        let step = step.min(self.plan.steps);
        if step < self.state.step {
            // From a checkpoint before the step, so that the step itself is made again and its record is there.
            self.checkpoints.retain(|checkpoint| checkpoint.step < step || checkpoint.step == 0);
            for room in &mut self.workspaces {
                room.records.clear();
            }
            if let Some(nearest) = self.checkpoints.last() {
                self.state = nearest.clone();
                self.history.truncate(nearest.step);
            }
        }
        self.advance(step.saturating_sub(self.state.step));
    }

    /// Makes up to `steps` steps.
    pub fn advance(&mut self, steps: u64) {
        let goal = self.plan.steps.min(self.state.step.saturating_add(steps));
        while self.state.step < goal {
            let count = self.stretch_length(goal);
            self.stretch(count, self.state.step + count as u64 == goal);
            self.keep_checkpoint();
        }
    }

    /// Steps that can be made in one go: within a segment, up to a checkpoint, few enough to stay in cache.
    fn stretch_length(&self, goal: u64) -> usize {
        let step = self.state.step;
        let segment_end = self.plan.segments.iter().map(|segment| segment.from).find(|&from| from > step);
        let checkpoint = (step / self.interval() + 1) * self.interval();
        let end = goal.min(segment_end.unwrap_or(goal)).min(checkpoint);
        let batch = self.plan.segment_of(step + 1).gradient.batch_size();
        let room = (STRETCH / self.plan.chains.max(batch)).clamp(1, STRETCH_STEPS);
        usize::try_from(end - step).unwrap_or(usize::MAX).min(room)
    }

    fn interval(&self) -> u64 {
        (self.plan.steps / CHECKPOINTS).max(1000)
    }

    fn keep_checkpoint(&mut self) {
        let step = self.state.step;
        let newest = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.step);
        if step.is_multiple_of(self.interval()) && step > newest {
            self.checkpoints.push(self.state.clone());
        }
    }

    fn stretch(&mut self, count: usize, record: bool) {
        let plan = self.plan.clone();
        let segment = plan.segment_of(self.state.step + 1);
        if segment.from == self.state.step && segment.from > 0 {
            for block in &mut self.state.blocks {
                block.hand_over(segment.method.as_ref());
            }
        }
        let data = self.world.sampled.data().map_or(1, |data| data.len());
        let batches = self.state.batches.next(&segment.gradient, data, count);
        let plans: Vec<StepPlan<'_>> =
            (0..count).map(|index| step_plan(segment, self.state.step, index, &batches)).collect();
        let weights: Vec<f64> = plans.iter().map(|plan| segment.weight(plan.number)).collect();
        let stretch = Stretch {
            method: segment.method.as_ref(),
            problem: Problem { target: self.world.sampled.as_ref(), gradient: &segment.gradient },
            coordinates: Coordinates::of(self.world.target.facts()),
            reference: &self.world.reference,
            simd: self.world.simd,
            plans: &plans,
            weights: &weights,
        };
        let work = |(block, room): (&mut Block, &mut Workspace)| block.advance(&stretch, record, room);
        if self.state.blocks.len() == 1 {
            self.state.blocks.iter_mut().zip(&mut self.workspaces).for_each(work);
        } else {
            self.state.blocks.par_iter_mut().zip(&mut self.workspaces).for_each(work);
        }
        let evaluations = |step: &StepPlan<'_>| segment.method.evaluations(&segment.gradient, data, step.stage);
        self.state.gradient_evaluations += plans.iter().map(evaluations).sum::<f64>() * plan.chains as f64;
        self.take_in(&weights);
    }

    /// Moves the positions of a stretch from the workspaces into the history and the cloud.
    fn take_in(&mut self, weights: &[f64]) {
        let mut x = Vec::with_capacity(self.plan.chains);
        let mut y = Vec::with_capacity(self.plan.chains);
        let cloud = Arc::make_mut(&mut self.state.cloud);
        for (index, &weight) in weights.iter().enumerate() {
            x.clear();
            y.clear();
            for room in &self.workspaces {
                let chains = room.x.len() / weights.len();
                x.extend_from_slice(&room.x[index * chains..(index + 1) * chains]);
                y.extend_from_slice(&room.y[index * chains..(index + 1) * chains]);
            }
            self.state.step += 1;
            self.history.push(self.state.step, weight, &x, &y);
            if weight > 0.0 {
                let at = x.iter().zip(&y).map(|(&x, &y)| Point::new(x, y));
                self.state.collected += at.clone().filter(|at| at.x.is_finite()).count() as u64;
                for cell in at.filter_map(|at| self.cloud_grid.cell(at)) {
                    cloud[cell] += 1.0;
                }
            }
        }
    }

    /// Hands over the path so far; see [`super::Session::drain`].
    pub fn drain(&mut self) -> History {
        self.history.drain()
    }

    /// The sums of all blocks together.
    pub fn tally(&self) -> Tally {
        let empty = Tally::new(&self.world.reference);
        self.state.blocks.iter().fold(empty, |sum, block| sum.merged(block.tally()))
    }

    /// Replaces the measures that frames carry.
    pub fn set_measures(&mut self, measures: Vec<Measure>) {
        self.measures = Arc::new(measures);
    }

    /// The run as it is now.
    pub fn frame(&self) -> RunFrame {
        let coordinates = Coordinates::of(self.world.target.facts());
        let number = self.state.step.max(1);
        let schedule = &self.plan.segment_of(number).schedule;
        let blocks = &self.state.blocks;
        let positions = blocks.iter().flat_map(|block| {
            let population = block.population();
            (0..population.len()).map(move |chain| coordinates.to_theta(population.position(chain)))
        });
        let diverged = blocks.iter().flat_map(|block| block.diverged().iter().copied());
        RunFrame {
            plan: self.plan.clone(),
            step: self.state.step,
            alpha: schedule.step_size(number),
            stage: schedule.stage(number),
            cycle: schedule.cycle(number),
            positions: positions.collect(),
            records: self.workspaces.iter().flat_map(|room| room.records.iter().copied()).take(MAX_RECORDS).collect(),
            history: self.history.clone(),
            collected: self.state.collected,
            cloud: self.state.cloud.clone(),
            cloud_grid: self.cloud_grid,
            moments: self.tally().moments().gaussian(),
            measures: self.measures.clone(),
            diverged: diverged.enumerate().filter_map(|(chain, step)| Some((chain, step?))).collect(),
            // Fractions n/N are added up step by step; what they round off is taken away again.
            gradient_evaluations: (self.state.gradient_evaluations * 1e6).round() / 1e6,
        }
    }
}

/// Step `start + index + 1` of a run.
fn step_plan<'a>(segment: &Segment, start: u64, index: usize, batches: &'a [u32]) -> StepPlan<'a> {
    let number = start + index as u64 + 1;
    let size = segment.gradient.batch_size();
    StepPlan {
        number,
        alpha: segment.schedule.step_size(number),
        stage: segment.schedule.stage(number),
        batch: &batches[index * size..(index + 1) * size],
    }
}

/// Where the chains of a run start, in θ. Each chain has its own stream, so that adding chains moves none.
fn starts(plan: &RunPlan, target: &dyn Target, seed: u64, run: u64) -> Vec<Point> {
    let planar = target.facts().dimension == 2;
    let start = |chain: u64| {
        let mut stream = Stream::derive(seed, Purpose::Start, run, chain);
        let point = match plan.start {
            Start::Point(point) => point,
            Start::Uniform { low, high } => {
                Point::new(low + (high - low) * stream.uniform(), low + (high - low) * stream.uniform())
            }
            Start::Target => target.exact_draw(&mut stream).unwrap_or(target.facts().start),
        };
        if planar { point } else { Point::new(point.x, 0.0) }
    };
    (0..plan.chains as u64).map(start).collect()
}
