//! Block of chains: the unit of work of one core.
//!
//! The chains of a run are cut into blocks of [`block_size`], whatever the number of threads, and each
//! block keeps its own sums, merged in block order when they are read. So neither the number of
//! threads nor the size of a batch of steps can change a single bit.

use crate::diagnostics::{DrawCounts, Truth};
use crate::math::{Coords, Point, Purpose, Simd, Streams};
use crate::methods::{
    Acceptance, Approximation, Batches, Chunk, FitRecord, Interaction, Method, Needs, Population, Problem, Randomness,
    Scratch, StepRecord, Steps, TopicChain, Track, VectorDistribution, pairs_in,
};
use crate::targets::{Coordinates, Minibatches, Model, Planar, Projection, TopicModel};

use super::reach::Reach;
use super::target_timeline::TargetContext;

/// Chains in a block at most.
const MOST: usize = 128;

/// Blocks that a run is cut into if it has the chains for it: enough for the cores of a common machine.
const BLOCKS: usize = 8;

/// Chains that are advanced side by side: a block of fewer would leave lanes empty.
const LEAST: usize = 8;

/// Chains in every block of a run of `chains` chains, but for the last; all of them where they depend on each other.
pub fn block_size(chains: usize, interaction: Interaction) -> usize {
    if interaction != Interaction::None {
        return MOST;
    }
    chains.div_ceil(BLOCKS).next_multiple_of(LEAST).min(MOST)
}

/// The plan of a chunk of steps with the same method, made once for all blocks. Each block adds its own random numbers
/// and scratch memory, which makes it the [`Chunk`] that the method gets.
#[derive(Clone, Copy, Debug)]
pub struct ChunkPlan<'a> {
    /// The algorithm.
    pub method: &'a dyn Method,
    /// Target and gradient.
    pub problem: Problem<'a>,
    /// From the coordinates of the chains to θ.
    pub coordinates: Coordinates,
    /// Where chains have not diverged.
    pub reach: Reach,
    /// The truth, for the draw counts.
    pub truth: &'a Truth,
    /// The number of the first step.
    pub first: u64,
    /// The steps, without minibatches: each block draws its own.
    pub steps: Steps<'a>,
    /// The weight of each step's draws, 0 where none are collected.
    pub weights: &'a [f64],
}

/// Some chains of a run, with their auxiliary state and random streams.
#[derive(Clone, Debug)]
pub struct Block {
    population: Population,
    normals: Streams,
    uniforms: Streams,
    momenta: Streams,
    batches: Batches,
    /// 1 or 2, of the target.
    dimension: usize,
    /// The step at which each chain diverged, if it did.
    diverged: Vec<Option<u64>>,
    /// Where each chain that has diverged was last seen in the plane, of a model in more dimensions.
    last_seen: Vec<Point>,
    /// Evaluations by populations that have been replaced.
    evaluated: f64,
    counts: DrawCounts,
}

/// Working memory of a block; its content is needed within one chunk only.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    scratch: Scratch,
    first: Vec<f64>,
    second: Vec<f64>,
    uniforms: Vec<f64>,
    batches: Vec<u32>,
    weights: Vec<f64>,
    /// Where the chains were before the chunk.
    before: Coords,
    /// Positions in θ, step by step; NaN for chains that have diverged.
    pub x: Vec<f64>,
    /// Second coordinates.
    pub y: Vec<f64>,
    /// What happened in the last step, of the first chains.
    pub records: Vec<StepRecord>,
}

impl Workspace {
    /// The weights that the method has given to the draws of each step; none if all draws weigh the same.
    pub fn weights(&self) -> &[f64] {
        &self.scratch.weights
    }
}

/// The weights of steps, each times that which the method has given to its draws.
fn weighed<'a>(planned: &'a [f64], own: &[f64], room: &'a mut Vec<f64>) -> &'a [f64] {
    if own.is_empty() {
        return planned;
    }
    room.clear();
    room.extend(planned.iter().zip(own).map(|(planned, own)| planned * own));
    room
}

impl Block {
    /// Chains with the numbers from `first_chain` of run `run` at `starts` (in the chains' coordinates), before a first
    /// step of size `alpha`.
    pub fn new(
        seed: u64,
        run: u64,
        first_chain: u64,
        (method, alpha): (&dyn Method, f64),
        starts: Coords,
        context: &TargetContext,
    ) -> Self {
        let chains = starts.len();
        let streams = |purpose| Streams::derive(seed, purpose, run, first_chain..first_chain + chains as u64);
        let mut block = Self {
            population: Population::at(starts),
            normals: streams(Purpose::Chain),
            uniforms: streams(Purpose::Accept),
            momenta: streams(Purpose::Momentum),
            batches: Batches::new(seed, run, first_chain, chains as u64),
            dimension: context.truth.dimension(),
            diverged: vec![None; chains],
            last_seen: vec![Point::zeros(); chains],
            evaluated: 0.0,
            counts: DrawCounts::new(&context.truth),
        };
        block.begin(method, alpha, context);
        block
    }

    /// Gives the chains the auxiliary state of `method`, before a step of size `alpha`.
    fn begin(&mut self, method: &dyn Method, alpha: f64, context: &TargetContext) {
        self.population = self.fresh(method, alpha, context);
    }

    /// The chains at their positions, with fresh auxiliary state of `method`.
    fn fresh(&mut self, method: &dyn Method, alpha: f64, context: &TargetContext) -> Population {
        let (places, projection) = (self.population.places.clone(), context.projection());
        let planar = Planar(context.target.as_ref());
        let model = context.target.model().map_or(&planar as &dyn Model, |behind| behind.model);
        let mut normals = Coords::zeros(method.auxiliary_normals(model), places.len());
        if !method.carries().is_empty() {
            self.fill_normals(&mut normals);
        }
        let mut population = method.init(places, alpha, normals);
        if let Some(fitting) = method.fitting() {
            let place = |chain| projection.point(&population.places, chain);
            let begin = |chain| Approximation::begin(&fitting, self.dimension, place(chain));
            population.fits = (0..population.len()).map(begin).collect();
        }
        population.topics.clone_from(&self.population.topics);
        population
    }

    /// Gives the chains their topics, on a target of topics, whose places they take.
    pub fn set_topics(&mut self, topics: Vec<TopicChain>, model: &TopicModel) {
        for (chain, topics) in topics.iter().enumerate() {
            self.population.places.set_point(chain, topics.place(model));
        }
        self.population.topics = topics;
    }

    /// Draws a vector of normals per chain for its auxiliary state; on the line the second coordinate is 0.
    fn fill_normals(&mut self, normals: &mut Coords) {
        let chains = normals.len();
        let pairs = vec![0.0; pairs_in(normals.dimension()) * chains];
        let (mut first, mut second) = (pairs.clone(), pairs);
        self.momenta.fill_pairs(Simd::BASELINE, &mut first, &mut second);
        let moves = |axis: usize| self.dimension > 1 || axis.is_multiple_of(2);
        for (axis, normals) in normals.axes_mut().enumerate().filter(|(axis, _)| moves(*axis)) {
            let member = if axis.is_multiple_of(2) { &first } else { &second };
            normals.copy_from_slice(&member[axis / 2 * chains..][..chains]);
        }
    }

    /// Where a chain is in the plane, in the coordinates of the chains; a diverged one where it was last seen.
    pub fn position(&self, projection: &Projection, chain: usize) -> Point {
        let lost = self.diverged[chain].is_some() && self.population.places.dimension() > 2;
        if lost { self.last_seen[chain] } else { projection.point(&self.population.places, chain) }
    }

    /// The chains.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// The counts of the collected draws.
    pub fn counts(&self) -> &DrawCounts {
        &self.counts
    }

    /// The step at which each chain diverged, if it did.
    pub fn diverged(&self) -> &[Option<u64>] {
        &self.diverged
    }

    /// Hands the chains over from the method of one segment to that of the next, before a step of size `alpha`.
    /// Acceptance is counted from here on. A fitted distribution stays the same, unless the coordinates change.
    pub fn hand_over(&mut self, context: &TargetContext, (from, to): (&dyn Method, &dyn Method), alpha: f64) {
        let (old, new) = (context.space(from).coordinates, context.space(to).coordinates);
        let fits = |method: &dyn Method| method.fitting().is_some();
        if from.carries() == to.carries() && old == new && fits(from) == fits(to) {
            self.forget_acceptance();
            return;
        }
        for chain in (0..self.population.len()).filter(|_| old != new) {
            let place = new.from_theta(old.to_theta(self.population.position(chain)));
            self.population.places.set_point(chain, place);
        }
        self.evaluated = self.evaluated();
        self.begin(to, alpha, context);
    }

    /// Evaluations by approximations and by samplers that count them, also by those that have been replaced.
    #[expect(clippy::cast_precision_loss, reason = "a number of evaluations is below 2⁵³")]
    pub fn evaluated(&self) -> f64 {
        let counted = self.population.evaluations as f64;
        self.evaluated + counted + self.fits().map(|fit| fit.evaluations).sum::<f64>()
    }

    /// Evaluations that chains have counted since the last call, of methods that evaluate densities alone.
    #[expect(clippy::cast_precision_loss, reason = "a number of evaluations is below 2⁵³")]
    pub fn take_counted(&mut self) -> f64 {
        std::mem::take(&mut self.population.evaluations) as f64
    }

    /// The newest records of the approximations, chain by chain; empty for samplers.
    pub fn fits(&self) -> impl Iterator<Item = &FitRecord> {
        self.population.fits.iter().map(|fit| &fit.record)
    }

    /// The distributions of the approximations in all dimensions, of a model in more than are drawn.
    pub fn distributions(&self, method: &dyn Method, model: &dyn Model) -> impl Iterator<Item = VectorDistribution> {
        (0..self.population.fits.len()).filter_map(|chain| method.distribution(model, &self.population, chain))
    }

    /// Takes the records of the steps taken since the last call: one list per chain.
    pub fn take_trails(&mut self) -> Vec<Vec<FitRecord>> {
        self.population.fits.iter_mut().map(|fit| std::mem::take(&mut fit.trail)).collect()
    }

    /// Goes over from one target to the next, before a step of size `alpha`. Chains keep their positions; those outside
    /// the support of the new target start at the point that it suggests. Counts of draws start again.
    pub fn enter(&mut self, before: &TargetContext, after: &TargetContext, (method, alpha): (&dyn Method, f64)) {
        let (old, new) = (before.space(method).coordinates, after.space(method).coordinates);
        let info = after.target.info();
        let mut moved = vec![false; self.population.len()];
        for (chain, moved) in moved.iter_mut().enumerate() {
            let theta = old.to_theta(self.population.position(chain));
            let inside = info.support.contains(theta);
            *moved = old != new || !inside;
            if *moved {
                let place = new.from_theta(if inside { theta } else { info.start });
                self.population.places.set_point(chain, place);
            }
        }
        // Auxiliary state belongs to a position. Numbers are drawn for all chains, so that no chain depends on others.
        let fresh = self.fresh(method, alpha, after);
        for (old, new) in self.population.carried.iter_mut().zip(fresh.carried) {
            if old.dimension() != new.dimension() {
                *old = with_axes_of(new, old);
                continue;
            }
            for chain in (0..moved.len()).filter(|&chain| moved[chain]) {
                old.copy_vector(chain, &new, chain);
            }
        }
        for (chain, (old, new)) in self.population.fits.iter_mut().zip(fresh.fits).enumerate() {
            *old = if moved[chain] {
                let evaluations = old.record.evaluations;
                Approximation { record: FitRecord { evaluations, ..new.record }, ..new }
            } else {
                old.handed_over()
            };
        }
        self.forget_acceptance();
        self.counts = DrawCounts::new(&after.truth);
    }

    /// Counts acceptance and exchanges from here on.
    fn forget_acceptance(&mut self) {
        self.population.acceptance = Acceptance::default();
        self.population.swaps.fill(Acceptance::default());
    }

    /// Takes the steps of a chunk and leaves the positions in `room`; for the first `recorded`
    /// chains also what happened in the last step.
    pub fn advance(&mut self, plan: &ChunkPlan<'_>, recorded: usize, room: &mut Workspace) {
        let chains = self.population.len();
        let steps = plan.steps.len();
        self.draw(&plan.problem, steps, plan.method.needs(plan.problem.gradient), room);
        room.before.clone_from(&self.population.places);
        room.x.resize(steps * chains, 0.0);
        room.y.resize(steps * chains, 0.0);
        room.records.clear();
        room.records.resize(chains.min(recorded), StepRecord::default());
        // Chains that have diverged take no steps: their position is NaN.
        for chain in (0..chains).filter(|&chain| self.diverged[chain].is_some()) {
            self.population.places.fill(chain, f64::NAN);
        }
        let Workspace { scratch, first, second, uniforms, batches, x, y, records, .. } = room;
        let Problem { model, gradient, simd, .. } = plan.problem;
        let data = model.data().max(1);
        // Chains of topics have batches of documents of their own.
        let batches = match self.population.topics.is_empty() {
            true => self.batches.fill(simd, gradient, (data, steps), batches),
            false => Minibatches::default(),
        };
        let randomness = Randomness { first, second, uniforms };
        let track = Track { x, y, records };
        let steps = Steps { batches, ..plan.steps };
        scratch.weights.clear();
        let chunk = Chunk { problem: &plan.problem, steps, randomness, track, scratch };
        plan.method.advance(&mut self.population, chunk);
        if !plan.reach.contains_all(plan.problem.simd, &room.x, &room.y) {
            self.stop_diverged(plan, room);
        }
        if !plan.coordinates.is_identity() {
            for (x, y) in room.x.iter_mut().zip(&mut room.y) {
                let theta = plan.coordinates.to_theta(Point::new(*x, *y));
                (*x, *y) = (theta.x, theta.y);
            }
            room.records.iter_mut().for_each(|record| record.translate(&plan.coordinates));
        }
        let Workspace { scratch, weights, x, y, .. } = room;
        let weights = weighed(plan.weights, &scratch.weights, weights);
        self.counts.add_rows(plan.problem.simd, plan.truth, weights, x, y);
    }

    /// Draws the random numbers of `steps` steps.
    fn draw(&mut self, problem: &Problem<'_>, steps: usize, needs: Needs, room: &mut Workspace) {
        let (chains, simd) = (self.population.len(), problem.simd);
        let pairs = needs.vectors * pairs_in(self.population.places.dimension());
        room.first.resize(steps * pairs * chains, 0.0);
        room.second.resize(steps * pairs * chains, 0.0);
        room.uniforms.resize(steps * needs.uniforms_on(problem.model, problem.gradient) * chains, 0.0);
        self.normals.fill_pairs(simd, &mut room.first, &mut room.second);
        self.uniforms.fill_uniforms(simd, &mut room.uniforms);
    }

    /// Stops chains that are out of reach, where they last were within.
    fn stop_diverged(&mut self, plan: &ChunkPlan<'_>, room: &mut Workspace) {
        let chains = self.population.len();
        for chain in 0..chains {
            let within = |index: &usize| plan.reach.contains(room.x[*index], room.y[*index]);
            let rows = (chain..room.x.len()).step_by(chains);
            let healthy = if self.diverged[chain].is_some() { 0 } else { rows.clone().take_while(within).count() };
            if healthy == plan.steps.len() {
                continue;
            }
            self.diverged[chain].get_or_insert(plan.first + healthy as u64);
            if let Some(record) = room.records.get_mut(chain) {
                *record = StepRecord::nowhere();
            }
            let last = healthy.checked_sub(1).and_then(|number| rows.clone().nth(number));
            let before = plan.problem.projection.point(&room.before, chain);
            let seen = last.map_or(before, |index| Point::new(room.x[index], room.y[index]));
            if self.population.places.dimension() == 2 {
                self.population.places.set_point(chain, seen);
            } else {
                self.population.places.fill(chain, f64::NAN);
                if seen.x.is_finite() {
                    self.last_seen[chain] = seen;
                }
            }
            for index in rows.skip(healthy) {
                room.x[index] = f64::NAN;
                room.y[index] = f64::NAN;
            }
        }
    }
}

/// Auxiliary state for another number of data: what there was is kept as far as it goes.
fn with_axes_of(mut new: Coords, old: &Coords) -> Coords {
    for (new, old) in new.axes_mut().zip(old.axes()) {
        new.copy_from_slice(old);
    }
    new
}
