//! Range of steps of a block: chunk by chunk, random numbers are drawn, chains are moved, and draws are kept.

use std::ops::Range;

use base::math::{Coords, Point, Streams};
use models::targets::{Coordinates, Minibatches};
use samplers::methods::{
    Batches, Chunk, Method, Population, Problem, Randomness, Scratch, StepRecord, Steps, Track, Transition, pairs_in,
};

use super::super::history::DrawDetails;
use super::super::reach::Reach;
use super::Block;

/// A range of steps with the same method, planned once for all blocks. A block takes it chunk by chunk, each with its
/// own random numbers and scratch memory: a [`Chunk`] is what the method gets.
#[derive(Clone, Copy, Debug)]
pub struct StepRange<'a> {
    /// The algorithm.
    pub method: &'a dyn Method,
    /// Target and gradient.
    pub problem: Problem<'a>,
    /// From the coordinates of the chains to θ.
    pub coordinates: Coordinates,
    /// The region that chains leave when they diverge.
    pub reach: Reach,
    /// The number of the first step.
    pub first: u64,
    /// The steps, without minibatches: each block draws its own.
    pub steps: Steps<'a>,
    /// The chunks into which the steps are cut.
    pub chunks: &'a [PlannedChunk],
    /// Whether random numbers are drawn, and draws kept, while the chains are moved: for a run of one block, whose steps wait
    /// for one another.
    pub overlaps: bool,
}

/// A chunk of a range of steps, before a block takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedChunk {
    /// Its steps, by their numbers in the range.
    pub steps: Range<usize>,
    /// Whether what happens in its last step is recorded.
    pub recorded: bool,
    /// Whether these records are read once the range has been taken.
    pub sampled: bool,
}

/// The chains of a block.
#[derive(Clone, Debug)]
pub(super) struct BlockChains {
    pub population: Population,
    /// The step at which each chain diverged, if it did.
    pub diverged: Vec<Option<u64>>,
    /// The last position in the plane of each chain that has diverged, of a model in more dimensions.
    pub last_seen: Vec<Point>,
}

/// The random streams of a block, one for each purpose.
#[derive(Clone, Debug)]
pub(super) struct BlockStreams {
    pub normals: Streams,
    pub uniforms: Streams,
    pub batches: Batches,
}

/// Working memory of a block; its content is needed within one range of steps only.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    memory: StepMemory,
    /// The numbers of a chunk, and those of its neighbour where chunks overlap.
    numbers: [ChunkNumbers; 2],
    /// The records of the sampled chunks, of the first chains, chunk by chunk.
    sampled: Vec<StepRecord>,
}

/// Working memory of the chains while they take the steps of a chunk.
#[derive(Clone, Debug, Default)]
struct StepMemory {
    scratch: Scratch,
    /// Positions of the chains before the chunk.
    before: Coords,
    /// Records of the last step, of the first chains.
    records: Vec<StepRecord>,
}

/// The random numbers of a chunk, and the positions to which they lead.
#[derive(Clone, Debug, Default)]
struct ChunkNumbers {
    first: Vec<f64>,
    second: Vec<f64>,
    uniforms: Vec<f64>,
    batches: Vec<u32>,
    /// Positions in θ, step by step; NaN for chains that have diverged.
    x: Vec<f64>,
    /// Second coordinates.
    y: Vec<f64>,
    /// The weights that the method gives to the draws of each step; none if all are equal.
    weights: Vec<f64>,
    /// The transitions that the method reports, in the layout of positions; none if it reports none.
    transitions: Vec<Transition>,
}

impl Workspace {
    /// Records of the last step, of the first chains.
    pub fn records(&self) -> &[StepRecord] {
        &self.memory.records
    }

    /// Replaces the records of the last step.
    pub fn set_records(&mut self, records: Vec<StepRecord>) {
        self.memory.records = records;
    }

    /// The records of sampled chunk number `number` of `all` in the last range.
    pub fn sampled(&self, number: usize, all: usize) -> &[StepRecord] {
        let chains = self.sampled.len() / all.max(1);
        &self.sampled[number * chains..][..chains]
    }
}

impl Block {
    /// Takes the steps of a range chunk by chunk; for the first `recorded` chains it records what happened. `keep` gets each chunk, the
    /// positions in θ step by step, and what the method tells of them.
    pub fn advance(
        &mut self,
        range: &StepRange<'_>,
        recorded: usize,
        workspace: &mut Workspace,
        mut keep: impl FnMut(&PlannedChunk, [&[f64]; 2], DrawDetails<'_>) + Send,
    ) {
        let Self { chains, streams, .. } = self;
        let Workspace { memory, numbers: [current, other], sampled } = workspace;
        let positions = &chains.population.positions;
        let shape = [positions.len(), pairs_in(positions.dimension())];
        let batches = chains.population.topics.is_empty();
        sampled.clear();
        let draw = |streams: &mut BlockStreams, chunk: &PlannedChunk, numbers: &mut ChunkNumbers| {
            streams.draw(range, chunk.steps.len(), shape, batches, numbers);
        };
        let mut advance = |chunk: &PlannedChunk, numbers: &mut ChunkNumbers| {
            chains.advance(range, chunk, recorded, memory, numbers);
            if chunk.sampled {
                sampled.extend_from_slice(&memory.records);
            }
        };
        let mut keep = |chunk: &PlannedChunk, ChunkNumbers { x, y, weights, transitions, .. }: &ChunkNumbers| {
            keep(chunk, [x, y], DrawDetails { weights, transitions });
        };
        if !(range.overlaps && range.chunks.len() > 1) {
            for chunk in range.chunks {
                draw(streams, chunk, current);
                advance(chunk, current);
                keep(chunk, current);
            }
            return;
        }
        let mut before = None;
        let mut coming = range.chunks.iter();
        let mut next = coming.next();
        if let Some(first) = next {
            draw(streams, first, current);
        }
        while let Some(chunk) = next {
            next = coming.next();
            let besides = || {
                before.into_iter().for_each(|before| keep(before, other));
                next.into_iter().for_each(|next| draw(streams, next, other));
            };
            rayon::join(|| advance(chunk, current), besides);
            before = Some(chunk);
            std::mem::swap(current, other);
        }
        before.into_iter().for_each(|last| keep(last, other));
    }
}

impl BlockStreams {
    /// Draws the random numbers of `steps` steps of so many chains, with so many pairs of normals to a vector; `batches` says
    /// whether minibatches are among them: chains of topics have batches of documents of their own.
    fn draw(
        &mut self,
        range: &StepRange<'_>,
        steps: usize,
        [chains, pairs]: [usize; 2],
        batches: bool,
        numbers: &mut ChunkNumbers,
    ) {
        let Problem { model, gradient, simd, .. } = range.problem;
        let data = range.problem.data_count().max(1);
        let needs = range.method.needs(gradient);
        let pairs = needs.vectors * pairs;
        numbers.first.resize(steps * pairs * chains, 0.0);
        numbers.second.resize(steps * pairs * chains, 0.0);
        let uniforms = model.map_or(0, |model| needs.uniforms_on(model, gradient));
        numbers.uniforms.resize(steps * uniforms * chains, 0.0);
        self.normals.fill_pairs(simd, &mut numbers.first, &mut numbers.second);
        self.uniforms.fill_uniforms(simd, &mut numbers.uniforms);
        if batches {
            self.batches.fill(simd, gradient, (data, steps), &mut numbers.batches);
        }
    }
}

impl BlockChains {
    /// Takes the steps of a chunk and leaves the positions with its `numbers`; for the first `recorded` chains also what happened
    /// in the last step, if it is to be recorded.
    fn advance(
        &mut self,
        range: &StepRange<'_>,
        chunk: &PlannedChunk,
        recorded: usize,
        memory: &mut StepMemory,
        numbers: &mut ChunkNumbers,
    ) {
        let chains = self.population.len();
        let steps = range.steps.part(chunk.steps.clone());
        let StepMemory { scratch, before, records } = memory;
        before.clone_from(&self.population.positions);
        numbers.x.resize(steps.len() * chains, 0.0);
        numbers.y.resize(steps.len() * chains, 0.0);
        records.clear();
        records.resize(if chunk.recorded { chains.min(recorded) } else { 0 }, StepRecord::default());
        // Chains that have diverged take no steps: their position is NaN.
        for chain in (0..chains).filter(|&chain| self.diverged[chain].is_some()) {
            self.population.positions.fill(chain, f64::NAN);
        }
        let ChunkNumbers { first, second, uniforms, batches, x, y, weights, transitions } = numbers;
        let batches = match self.population.topics.is_empty() {
            true => range.problem.gradient.minibatches(batches, chains),
            false => Minibatches::default(),
        };
        let randomness = Randomness { first, second, uniforms };
        let track = Track { x, y, records };
        scratch.weights.clear();
        scratch.transitions.clear();
        let call = Chunk { problem: &range.problem, steps: Steps { batches, ..steps }, randomness, track, scratch };
        range.method.advance(&mut self.population, call);
        std::mem::swap(weights, &mut scratch.weights);
        std::mem::swap(transitions, &mut scratch.transitions);
        if !range.reach.contains_all(range.problem.simd, x, y) {
            self.stop_diverged(range, range.first + chunk.steps.start as u64, memory, [x, y], transitions);
        }
        if !range.coordinates.is_identity() {
            for (x, y) in x.iter_mut().zip(y) {
                let theta = range.coordinates.to_theta(Point::new(*x, *y));
                (*x, *y) = (theta.x, theta.y);
            }
            memory.records.iter_mut().for_each(|record| record.translate(&range.coordinates));
        }
    }

    /// Stops chains that are out of reach, where they last were within. The positions are those of the steps from number `first` on.
    fn stop_diverged(
        &mut self,
        range: &StepRange<'_>,
        first: u64,
        memory: &mut StepMemory,
        [x, y]: [&mut [f64]; 2],
        transitions: &mut [Transition],
    ) {
        let chains = self.population.len();
        let steps = x.len() / chains;
        for chain in 0..chains {
            let within = |index: &usize| range.reach.contains(x[*index], y[*index]);
            let rows = (chain..x.len()).step_by(chains);
            let healthy = if self.diverged[chain].is_some() { 0 } else { rows.clone().take_while(within).count() };
            if healthy == steps {
                continue;
            }
            self.diverged[chain].get_or_insert(first + healthy as u64);
            if let Some(record) = memory.records.get_mut(chain) {
                *record = StepRecord::nowhere();
            }
            let last = healthy.checked_sub(1).and_then(|number| rows.clone().nth(number));
            let before = range.problem.projection.point(&memory.before, chain);
            let seen = last.map_or(before, |index| Point::new(x[index], y[index]));
            if self.population.positions.dimension() == 2 {
                self.population.positions.set_point(chain, seen);
            } else {
                self.population.positions.fill(chain, f64::NAN);
                if seen.x.is_finite() {
                    self.last_seen[chain] = seen;
                }
            }
            for index in rows.skip(healthy) {
                x[index] = f64::NAN;
                y[index] = f64::NAN;
                if let Some(transition) = transitions.get_mut(index) {
                    *transition = Transition::NOWHERE;
                }
            }
        }
    }
}
