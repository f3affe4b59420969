//! A block of chains: the unit that one core advances by itself.
//!
//! The chains of a run are cut into blocks of [`CHAINS`], whatever the number of threads, and each
//! block keeps its own sums, merged in block order when they are read. So neither the number of
//! threads nor the size of a batch of steps can change a single bit.

use crate::diagnostics::{Reference, Tally};
use crate::math::{Point, Purpose, Simd, Stream, fill_pairs_many, fill_pairs_one};
use crate::methods::{Method, Needs, Population, Problem, Randomness, Scratch, StepPlan, StepRecord};
use crate::targets::Coordinates;

/// Chains in a block at most.
pub const CHAINS: usize = 128;

/// A stretch of steps to be made with the same method, planned once for all blocks.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The algorithm.
    pub method: &'a dyn Method,
    /// What it works on.
    pub problem: Problem<'a>,
    /// From the coordinates of the chains to θ.
    pub coordinates: Coordinates,
    /// The truth, for the tally.
    pub reference: &'a Reference,
    /// The instruction set to use.
    pub simd: Simd,
    /// The steps.
    pub plans: &'a [StepPlan<'a>],
    /// The weight of each step's draws, 0 where none are collected.
    pub weights: &'a [f64],
}

/// Some chains of a run, with everything they need to go on.
#[derive(Clone, Debug)]
pub struct Block {
    population: Population,
    normals: Vec<Stream>,
    uniforms: Vec<Stream>,
    /// The step at which each chain diverged, if it did.
    diverged: Vec<Option<u64>>,
    tally: Tally,
}

/// Room that a block works in; nothing in it outlives a stretch.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    scratch: Scratch,
    before: (Vec<f64>, Vec<f64>),
    first: Vec<f64>,
    second: Vec<f64>,
    uniforms: Vec<f64>,
    /// Positions in θ, step by step; NaN for chains that have diverged.
    pub x: Vec<f64>,
    /// Second coordinates.
    pub y: Vec<f64>,
    /// What happened in the last step.
    pub records: Vec<StepRecord>,
}

impl Block {
    /// Chains with the numbers from `first_chain` of run `run` at `starts` (in the chains' coordinates).
    pub fn new(
        seed: u64,
        run: u64,
        first_chain: u64,
        method: &dyn Method,
        starts: &[Point],
        reference: &Reference,
    ) -> Self {
        let streams = |purpose| {
            (first_chain..).take(starts.len()).map(|chain| Stream::derive(seed, purpose, run, chain)).collect()
        };
        Self {
            population: method.init(starts),
            normals: streams(Purpose::Chain),
            uniforms: streams(Purpose::Accept),
            diverged: vec![None; starts.len()],
            tally: Tally::new(reference),
        }
    }

    /// The chains.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// What the collected draws have left behind.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The step at which each chain diverged, if it did.
    pub fn diverged(&self) -> &[Option<u64>] {
        &self.diverged
    }

    /// Hands the chains over to another method, which carries other things from step to step.
    pub fn hand_over(&mut self, method: &dyn Method) {
        let starts: Vec<Point> = (0..self.population.len()).map(|chain| self.population.position(chain)).collect();
        let fresh = method.init(&starts);
        if fresh.carried.len() != self.population.carried.len() {
            self.population = fresh;
        }
    }

    /// Makes the steps of a stretch and leaves the positions in `room`; with `record`, also what happened in the last.
    pub fn advance(&mut self, stretch: &Stretch<'_>, record: bool, room: &mut Workspace) {
        let chains = self.population.len();
        let needs = stretch.method.needs(stretch.problem.gradient);
        self.draw(stretch.simd, stretch.plans.len(), needs, room);
        room.x.clear();
        room.y.clear();
        let mut records = std::mem::take(&mut room.records);
        records.clear();
        for (index, plan) in stretch.plans.iter().enumerate() {
            if record && index + 1 == stretch.plans.len() {
                records.resize(chains, StepRecord::default());
            }
            self.step(stretch, plan, index, needs, &mut records, room);
            self.settle(stretch, plan.number, stretch.weights[index], room);
        }
        room.records = records;
    }

    /// Draws the random numbers of `steps` steps.
    fn draw(&mut self, simd: Simd, steps: usize, needs: Needs, room: &mut Workspace) {
        let chains = self.population.len();
        room.first.resize(steps * needs.pairs * chains, 0.0);
        room.second.resize(steps * needs.pairs * chains, 0.0);
        room.uniforms.resize(steps * needs.uniforms * chains, 0.0);
        if let [only] = self.normals.as_mut_slice() {
            fill_pairs_one(simd, only, &mut room.first, &mut room.second);
        } else {
            for (first, second) in room.first.chunks_mut(chains).zip(room.second.chunks_mut(chains)) {
                fill_pairs_many(simd, &mut self.normals, first, second);
            }
        }
        for row in room.uniforms.chunks_mut(chains) {
            for (uniform, stream) in row.iter_mut().zip(&mut self.uniforms) {
                *uniform = stream.uniform();
            }
        }
    }

    fn step(
        &mut self,
        stretch: &Stretch<'_>,
        plan: &StepPlan<'_>,
        index: usize,
        needs: Needs,
        records: &mut [StepRecord],
        room: &mut Workspace,
    ) {
        let chains = self.population.len();
        room.before.0.clone_from(&self.population.x);
        room.before.1.clone_from(&self.population.y);
        let pairs = index * needs.pairs * chains..(index + 1) * needs.pairs * chains;
        let uniforms = index * needs.uniforms * chains..(index + 1) * needs.uniforms * chains;
        let randomness = Randomness {
            first: &room.first[pairs.clone()],
            second: &room.second[pairs],
            uniforms: &room.uniforms[uniforms],
        };
        stretch.method.step(&stretch.problem, plan, randomness, &mut self.population, &mut room.scratch, records);
    }

    /// After a step: folds at the boundary, stops chains that diverged, writes positions, counts draws.
    fn settle(&mut self, stretch: &Stretch<'_>, number: u64, weight: f64, room: &mut Workspace) {
        for chain in 0..self.population.len() {
            let moved = self.population.position(chain);
            let folded = stretch.coordinates.fold(moved);
            let healthy = self.diverged[chain].is_none() && folded.x.is_finite() && folded.y.is_finite();
            if !healthy {
                self.diverged[chain].get_or_insert(number);
                self.population.x[chain] = room.before.0[chain];
                self.population.y[chain] = room.before.1[chain];
                room.x.push(f64::NAN);
                room.y.push(f64::NAN);
                continue;
            }
            self.population.x[chain] = folded.x;
            self.population.y[chain] = folded.y;
            let theta = stretch.coordinates.to_theta(folded);
            room.x.push(theta.x);
            room.y.push(theta.y);
            if weight > 0.0 {
                self.tally.add(stretch.reference, theta, weight);
            }
        }
    }
}
