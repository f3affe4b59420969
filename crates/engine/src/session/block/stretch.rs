//! Stretch of steps of a block: chunk by chunk, random numbers are drawn, chains are moved, and draws are kept.

use std::ops::Range;

use base::math::{Coords, Point, Streams};
use models::targets::{Coordinates, Minibatches};
use samplers::methods::{
    Batches, Chunk, Method, Population, Problem, Randomness, Scratch, StepRecord, Steps, Track, Transition, pairs_in,
};

use super::super::history::Told;
use super::super::reach::Reach;
use super::Block;

/// The plan of a stretch of steps with the same method, made once for all blocks. A block takes it chunk by chunk, each with its
/// own random numbers and scratch memory: a [`Chunk`] is what the method gets.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The algorithm.
    pub method: &'a dyn Method,
    /// Target and gradient.
    pub problem: Problem<'a>,
    /// From the coordinates of the chains to θ.
    pub coordinates: Coordinates,
    /// Where chains have not diverged.
    pub reach: Reach,
    /// The number of the first step.
    pub first: u64,
    /// The steps, without minibatches: each block draws its own.
    pub steps: Steps<'a>,
    /// The chunks into which the steps are cut.
    pub chunks: &'a [Cut],
    /// Whether random numbers are drawn, and draws kept, while the chains are moved: for a run of one block, whose steps wait
    /// for one another.
    pub overlaps: bool,
}

/// A chunk of a stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its steps, by their numbers in the stretch.
    pub steps: Range<usize>,
    /// Whether what happens in its last step is recorded.
    pub recorded: bool,
    /// Whether these records are wanted after the stretch.
    pub sampled: bool,
}

/// The chains of a block.
#[derive(Clone, Debug)]
pub(super) struct Movers {
    pub population: Population,
    /// The step at which each chain diverged, if it did.
    pub diverged: Vec<Option<u64>>,
    /// Where each chain that has diverged was last seen in the plane, of a model in more dimensions.
    pub last_seen: Vec<Point>,
}

/// What steps need at random.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    pub normals: Streams,
    pub uniforms: Streams,
    pub batches: Batches,
}

/// Working memory of a block; its content is needed within one stretch only.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    desk: Desk,
    /// The numbers of a chunk, and those of its neighbour where chunks overlap.
    numbers: [Numbers; 2],
    /// The records of the chunks whose records are wanted after the stretch, of the first chains, chunk by chunk.
    sampled: Vec<StepRecord>,
}

/// What is needed while chains move.
#[derive(Clone, Debug, Default)]
struct Desk {
    scratch: Scratch,
    /// Where the chains were before the chunk.
    before: Coords,
    /// What happened in the last step, of the first chains.
    records: Vec<StepRecord>,
}

/// The random numbers of a chunk, and the positions to which they lead.
#[derive(Clone, Debug, Default)]
struct Numbers {
    first: Vec<f64>,
    second: Vec<f64>,
    uniforms: Vec<f64>,
    batches: Vec<u32>,
    /// Positions in θ, step by step; NaN for chains that have diverged.
    x: Vec<f64>,
    /// Second coordinates.
    y: Vec<f64>,
    /// The weights that the method has given to the draws of each step; none if all draws weigh the same.
    weights: Vec<f64>,
    /// What it tells of the transitions, in the layout of positions; none if it tells nothing.
    transitions: Vec<Transition>,
}

impl Workspace {
    /// What happened in the last step, of the first chains.
    pub fn records(&self) -> &[StepRecord] {
        &self.desk.records
    }

    /// Puts records in the place of those of the last step.
    pub fn set_records(&mut self, records: Vec<StepRecord>) {
        self.desk.records = records;
    }

    /// The records of sampled chunk number `number` of `all` in the last stretch.
    pub fn sampled(&self, number: usize, all: usize) -> &[StepRecord] {
        let chains = self.sampled.len() / all.max(1);
        &self.sampled[number * chains..][..chains]
    }
}

impl Block {
    /// Takes the steps of a stretch chunk by chunk; for the first `recorded` chains it records what happened. `keep` gets each chunk, the
    /// positions in θ step by step, and what the method tells of them.
    pub fn advance(
        &mut self,
        plan: &Stretch<'_>,
        recorded: usize,
        room: &mut Workspace,
        mut keep: impl FnMut(&Cut, [&[f64]; 2], Told<'_>) + Send,
    ) {
        let Self { movers, dice, .. } = self;
        let Workspace { desk, numbers: [now, beside], sampled } = room;
        let places = &movers.population.positions;
        let shape = [places.len(), pairs_in(places.dimension())];
        let batches = movers.population.topics.is_empty();
        sampled.clear();
        let draw = |dice: &mut Dice, cut: &Cut, numbers: &mut Numbers| {
            dice.draw(plan, cut.steps.len(), shape, batches, numbers);
        };
        let mut go = |cut: &Cut, numbers: &mut Numbers| {
            movers.advance(plan, cut, recorded, desk, numbers);
            if cut.sampled {
                sampled.extend_from_slice(&desk.records);
            }
        };
        let mut keep = |cut: &Cut, Numbers { x, y, weights, transitions, .. }: &Numbers| {
            keep(cut, [x, y], Told { weights, transitions });
        };
        if !(plan.overlaps && plan.chunks.len() > 1) {
            for cut in plan.chunks {
                draw(dice, cut, now);
                go(cut, now);
                keep(cut, now);
            }
            return;
        }
        let mut before = None;
        let mut coming = plan.chunks.iter();
        let mut next = coming.next();
        if let Some(first) = next {
            draw(dice, first, now);
        }
        while let Some(cut) = next {
            next = coming.next();
            let besides = || {
                before.into_iter().for_each(|before| keep(before, beside));
                next.into_iter().for_each(|next| draw(dice, next, beside));
            };
            rayon::join(|| go(cut, now), besides);
            before = Some(cut);
            std::mem::swap(now, beside);
        }
        before.into_iter().for_each(|last| keep(last, beside));
    }
}

impl Dice {
    /// Draws the random numbers of `steps` steps of so many chains, with so many pairs of normals to a vector; `batches` says
    /// whether minibatches are among them: chains of topics have batches of documents of their own.
    fn draw(
        &mut self,
        plan: &Stretch<'_>,
        steps: usize,
        [chains, pairs]: [usize; 2],
        batches: bool,
        numbers: &mut Numbers,
    ) {
        let Problem { model, gradient, simd, .. } = plan.problem;
        let data = plan.problem.data_count().max(1);
        let needs = plan.method.needs(gradient);
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

impl Movers {
    /// Takes the steps of a chunk and leaves the positions with its `numbers`; for the first `recorded` chains also what happened
    /// in the last step, if it is to be recorded.
    fn advance(&mut self, plan: &Stretch<'_>, cut: &Cut, recorded: usize, desk: &mut Desk, numbers: &mut Numbers) {
        let chains = self.population.len();
        let steps = plan.steps.part(cut.steps.clone());
        let Desk { scratch, before, records } = desk;
        before.clone_from(&self.population.positions);
        numbers.x.resize(steps.len() * chains, 0.0);
        numbers.y.resize(steps.len() * chains, 0.0);
        records.clear();
        records.resize(if cut.recorded { chains.min(recorded) } else { 0 }, StepRecord::default());
        // Chains that have diverged take no steps: their position is NaN.
        for chain in (0..chains).filter(|&chain| self.diverged[chain].is_some()) {
            self.population.positions.fill(chain, f64::NAN);
        }
        let Numbers { first, second, uniforms, batches, x, y, weights, transitions } = numbers;
        let batches = match self.population.topics.is_empty() {
            true => plan.problem.gradient.minibatches(batches, chains),
            false => Minibatches::default(),
        };
        let randomness = Randomness { first, second, uniforms };
        let track = Track { x, y, records };
        scratch.weights.clear();
        scratch.transitions.clear();
        let chunk = Chunk { problem: &plan.problem, steps: Steps { batches, ..steps }, randomness, track, scratch };
        plan.method.advance(&mut self.population, chunk);
        std::mem::swap(weights, &mut scratch.weights);
        std::mem::swap(transitions, &mut scratch.transitions);
        if !plan.reach.contains_all(plan.problem.simd, x, y) {
            self.stop_diverged(plan, plan.first + cut.steps.start as u64, desk, [x, y], transitions);
        }
        if !plan.coordinates.is_identity() {
            for (x, y) in x.iter_mut().zip(y) {
                let theta = plan.coordinates.to_theta(Point::new(*x, *y));
                (*x, *y) = (theta.x, theta.y);
            }
            desk.records.iter_mut().for_each(|record| record.translate(&plan.coordinates));
        }
    }

    /// Stops chains that are out of reach, where they last were within. The positions are those of the steps from number `first` on.
    fn stop_diverged(
        &mut self,
        plan: &Stretch<'_>,
        first: u64,
        desk: &mut Desk,
        [x, y]: [&mut [f64]; 2],
        transitions: &mut [Transition],
    ) {
        let chains = self.population.len();
        let steps = x.len() / chains;
        for chain in 0..chains {
            let within = |index: &usize| plan.reach.contains(x[*index], y[*index]);
            let rows = (chain..x.len()).step_by(chains);
            let healthy = if self.diverged[chain].is_some() { 0 } else { rows.clone().take_while(within).count() };
            if healthy == steps {
                continue;
            }
            self.diverged[chain].get_or_insert(first + healthy as u64);
            if let Some(record) = desk.records.get_mut(chain) {
                *record = StepRecord::nowhere();
            }
            let last = healthy.checked_sub(1).and_then(|number| rows.clone().nth(number));
            let before = plan.problem.projection.point(&desk.before, chain);
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
