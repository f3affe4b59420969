//! Ranges of steps of a run: how they are cut into chunks, how all blocks take them, and what is sampled of them.

use std::sync::Arc;

use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::super::block::{Block, PlannedChunk, StepRange, Workspace, block_size};
use super::super::frame::MAX_RECORDS;
use super::super::history::{History, Track};
use super::super::reach::Reach;
use super::super::step_parts::{self, StepParts};
use super::super::vectors::Told;
use super::counting::BlockCounts;
use super::planned::Planned;
use super::{Run, RunState};
use models::targets::Minibatches;
use samplers::methods::{FitRecord, Problem, Steps, pairs_in};

/// Positions of a block computed in one chunk at most: few enough to stay in the second cache.
const CHUNK: usize = 4096;

/// Pairs of random numbers per step that do not count: only methods with long paths need more.
const FEW_PAIRS: usize = 4;

/// Steps in one chunk at most: the numbers of a single chain stay in the first cache.
const CHUNK_STEPS: usize = 512;

/// Steps and chunks in one range at most, which a block takes without waiting for the others.
pub(super) const RANGE_LIMITS: (u64, usize) = (16384, 512);

impl Run {
    /// The chunks of the next range of steps: within a segment, up to a checkpoint and to step `end` ≤ `goal`, the last one at all.
    pub(super) fn next_chunks(&self, goal: u64, end: u64) -> Vec<PlannedChunk> {
        let step = self.state.step;
        let checkpoint = (step / self.interval() + 1) * self.interval();
        let end = end.min(self.plan.next_segment_after(step).unwrap_or(end)).min(checkpoint).min(step + RANGE_LIMITS.0);
        // Vectors and topics are kept at the end of a chunk.
        let alone = self.context.target.in_plane().is_none();
        let (most, length) = (if alone { 1 } else { RANGE_LIMITS.1 }, self.chunk_length());
        let mut newest = self.step_parts.all().last().map_or(0, |parts| parts.step);
        let (mut chunks, mut from) = (Vec::with_capacity(most), step);
        while from < end && chunks.len() < most {
            let sample = step_parts::after(newest, self.plan.segment_of(newest).steps);
            let to = end.min(sample).min(from + length);
            let to = self.next_vectors(from, to).unwrap_or(to);
            let sampled = to == sample;
            newest = if sampled { sample } else { newest };
            let within = |number: u64| usize::try_from(number - step).unwrap_or(usize::MAX);
            chunks.push(PlannedChunk { steps: within(from)..within(to), recorded: sampled || to == goal, sampled });
            from = to;
        }
        chunks
    }

    /// Number of steps of a chunk at most: few enough to stay in cache.
    fn chunk_length(&self) -> u64 {
        let segment = self.plan.segment_of(self.state.step + 1);
        let needs = segment.method.needs(&segment.gradient);
        let model = self.context.target.model();
        let uniforms = model.map_or(0, |model| needs.uniforms_on(model, &segment.gradient));
        let pairs = (needs.vectors * pairs_in(self.context.dimension())).max(uniforms).div_ceil(FEW_PAIRS).max(1);
        let chains = block_size(self.plan.chains, self.plan.interaction()).min(self.plan.chains);
        let batch = segment.gradient.batch_size() * if segment.gradient.is_shared() { 1 } else { chains };
        let numbers = (chains * pairs).max(batch);
        (CHUNK / numbers).clamp(1, CHUNK_STEPS) as u64
    }

    /// Keeps what is sampled of the steps that were just taken.
    pub(super) fn keep_samples(&mut self, chunks: &[PlannedChunk]) {
        let (step, steps) = (self.state.step, chunks.last().map_or(0, |last| last.steps.end) as u64);
        let sampled: Vec<u64> =
            chunks.iter().filter(|chunk| chunk.sampled).map(|chunk| step - steps + chunk.steps.end as u64).collect();
        for (number, &at) in sampled.iter().enumerate() {
            let blocks = self.workspaces.iter().flat_map(|workspace| workspace.sampled(number, sampled.len()));
            let parts = StepParts::of(at, self.plan.step_size(at), blocks.take(MAX_RECORDS));
            self.step_parts.push(parts);
        }
        let newest = sampled.last() == Some(&step);
        self.keep_vectors(step - steps, newest || step == self.plan.steps);
        if newest || step == self.plan.steps {
            self.keep_topics(newest);
        }
    }

    /// The steps from number `from` + 1 to `to`, of one segment, that are collected.
    fn collected(&self, from: u64, to: u64) -> impl Iterator<Item = u64> {
        let segment = self.plan.segment_of(from + 1);
        (from + 1..=to).filter(|number| segment.collects(*number, segment.schedule.stage(*number)))
    }

    /// The step after number `from`, up to `to`, whose vectors are kept next, of a model in more dimensions.
    fn next_vectors(&self, from: u64, to: u64) -> Option<u64> {
        self.context.target.in_vectors()?;
        let before = usize::try_from(self.state.vectors.even.next_after() - 1).ok()?;
        self.collected(from, to).nth(before)
    }

    /// Keeps vectors of the chains after the steps from number `from` + 1 to the newest, of a model in more dimensions.
    fn keep_vectors(&mut self, from: u64, sampled: bool) {
        let Some(in_vectors) = self.context.target.in_vectors() else { return };
        let step = self.state.step;
        let collected = self.collected(from, step).count() as u64;
        let history = &self.history;
        let told = || told_of(history, step);
        let RunState { vectors, blocks, .. } = &mut self.state;
        let positions = blocks.iter().map(|block| &block.population().positions);
        vectors.go_on((step, collected, sampled), in_vectors.model.dimension(), (positions, told));
    }

    /// Takes the steps of these chunks, in all blocks.
    pub(super) fn take_chunks(&mut self, chunks: &[PlannedChunk]) {
        let plan = self.plan.clone();
        let first = self.state.step + 1;
        let count = chunks.last().map_or(0, |last| last.steps.end);
        let last = self.state.step + count as u64;
        let segment = plan.segment_of(first);
        if self.history.is_full(first, last) {
            self.settle();
        }
        self.history.thin_to_fit(first, last);
        let stride = self.history.stride();
        // Steps that the history leaves out cannot be counted later.
        let counts_now = self.counts_at_once || stride > 1;
        if counts_now {
            self.catch_up();
        }
        if segment.from == self.state.step && segment.from > 0 {
            let methods = (plan.segment_of(self.state.step).method.as_ref(), segment.method.as_ref());
            let alpha = segment.schedule.step_size(first);
            self.state.blocks.iter_mut().for_each(|block| block.hand_over(&self.context, methods, alpha));
        }
        let space = self.context.space(segment.method.as_ref());
        let data = self.context.data();
        self.planned.fill(segment, self.context.simd, first, count);
        if counts_now {
            self.planned.weigh(segment, first);
        }
        let Planned { step_sizes, stages, weights } = &self.planned;
        let range = StepRange {
            method: segment.method.as_ref(),
            problem: Problem::new(space.target, &segment.gradient, self.context.simd)
                .unless(self.stop.as_ref())
                .timed_by(self.stopwatch.as_ref()),
            coordinates: space.coordinates,
            reach: Reach::of(self.context.target.info(), &space.coordinates),
            first,
            steps: Steps { step_sizes, stages, batches: Minibatches::default() },
            chunks,
            overlaps: self.state.blocks.len() == 1 && self.has_idle_threads,
        };
        let size = block_size(plan.chains, plan.interaction());
        let counts: Vec<Option<&mut BlockCounts>> = if counts_now {
            Arc::make_mut(&mut self.state.counts).up_to(last).iter_mut().map(Some).collect()
        } else {
            self.state.blocks.iter().map(|_| None).collect()
        };
        let of = (self.context.simd, &*self.context.truth);
        type BlockWork<'a> = (((&'a mut Block, &'a mut Workspace), &'a mut Track), Option<&'a mut BlockCounts>);
        let work = |(number, (((block, workspace), track), mut counts)): (usize, BlockWork<'_>)| {
            let recorded = MAX_RECORDS.saturating_sub(number * size);
            block.advance(&range, recorded, workspace, |chunk, at, details| {
                if let Some(counts) = &mut counts {
                    counts.add(of, (&weights[chunk.steps.clone()], details), at);
                }
                History::append(track, stride, first + chunk.steps.start as u64, at.into(), details);
            });
        };
        let (blocks, workspaces) = (&mut self.state.blocks, &mut self.workspaces);
        let tracks = self.history.tracks_mut();
        if blocks.len() == 1 {
            blocks.iter_mut().zip(workspaces).zip(tracks).zip(counts).enumerate().for_each(work);
        } else {
            blocks.par_iter_mut().zip(workspaces).zip(tracks).zip(counts).enumerate().for_each(work);
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
}

/// What the method has reported of a step, if the history has kept it.
fn told_of(history: &History, step: u64) -> Told {
    let row = history.row_from(step);
    if row >= history.rows() || history.step(row) != step {
        return Told::default();
    }
    let of_chain = |chain| history.transition(row, chain);
    let is_told = (0..history.chains()).any(|chain| of_chain(chain).is_some());
    let transition = |chain| of_chain(chain).unwrap_or_default();
    let transitions = if is_told { (0..history.chains()).map(transition).collect() } else { Vec::new() };
    Told { weight: history.weight(row), transitions }
}
