//! Block of chains: the unit of work of one core.
//!
//! The chains of a run are cut into blocks of [`block_size`], whatever the number of threads, and each
//! block keeps its own sums, merged in block order when they are read. So neither the number of
//! threads nor the number of steps in a chunk can change a single bit.

mod step_range;

use base::math::{Coords, Point, Purpose, Simd, Streams};
use models::targets::{Model, Projection, TopicModel};
use samplers::methods::{
    Acceptance, Approximation, Batches, FitRecord, Interaction, Method, Population, TopicChain, VectorDistribution,
    pairs_in,
};

use super::target_timeline::TargetContext;
use step_range::{BlockChains, BlockStreams};
pub use step_range::{PlannedChunk, StepRange, Workspace};

/// Chains in a block at most.
const MOST: usize = 128;

/// Blocks that a run is cut into if it has the chains for it: enough for the cores of a common machine.
const BLOCKS: usize = 8;

/// Chains that are advanced side by side: a smaller block would leave lanes empty.
const LEAST: usize = 8;

/// Chains in every block of a run of `chains` chains, but for the last; all of them where they depend on each other.
pub fn block_size(chains: usize, interaction: Interaction) -> usize {
    if interaction != Interaction::None {
        return MOST;
    }
    chains.div_ceil(BLOCKS).next_multiple_of(LEAST).min(MOST)
}

/// Some chains of a run, with their auxiliary state and random streams.
#[derive(Clone, Debug)]
pub struct Block {
    chains: BlockChains,
    streams: BlockStreams,
    momenta: Streams,
    /// 1 or 2, of the target.
    dimension: usize,
    /// Evaluations by populations that have been replaced.
    evaluated: f64,
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
        let derive = |purpose| Streams::derive(seed, purpose, run, first_chain..first_chain + chains as u64);
        let mut block = Self {
            chains: BlockChains {
                population: Population::at(starts),
                diverged: vec![None; chains],
                last_seen: vec![Point::zeros(); chains],
            },
            streams: BlockStreams {
                normals: derive(Purpose::Chain),
                uniforms: derive(Purpose::Accept),
                batches: Batches::new(seed, run, first_chain, chains as u64),
            },
            momenta: derive(Purpose::Momentum),
            dimension: context.truth.dimension(),
            evaluated: 0.0,
        };
        block.begin(method, alpha, context);
        block
    }

    /// Gives the chains the auxiliary state of `method`, before a step of size `alpha`.
    fn begin(&mut self, method: &dyn Method, alpha: f64, context: &TargetContext) {
        self.chains.population = self.fresh(method, alpha, context);
    }

    /// The chains at their positions, with fresh auxiliary state of `method`.
    fn fresh(&mut self, method: &dyn Method, alpha: f64, context: &TargetContext) -> Population {
        let (positions, projection) = (self.chains.population.positions.clone(), context.projection());
        let auxiliary = context.target.model().map_or(0, |model| method.auxiliary_normals(model));
        let mut normals = Coords::zeros(auxiliary, positions.len());
        if !method.carries().is_empty() {
            self.fill_normals(&mut normals);
        }
        let mut population = method.init(positions, alpha, normals);
        if let Some(fitting) = method.fitting() {
            let project = |chain| projection.point(&population.positions, chain);
            let begin = |chain| Approximation::begin(&fitting, self.dimension, project(chain));
            population.fits = (0..population.len()).map(begin).collect();
        }
        population.topics.clone_from(&self.chains.population.topics);
        population
    }

    /// Gives the chains their topics, on a target of topics, and moves them to the positions of these.
    pub fn set_topics(&mut self, topics: Vec<TopicChain>, model: &TopicModel) {
        for (chain, topics) in topics.iter().enumerate() {
            self.chains.population.positions.set_point(chain, topics.point(model));
        }
        self.chains.population.topics = topics;
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

    /// The position of a chain in the plane, in the coordinates of the chains; of a diverged one the last it had.
    pub fn position(&self, projection: &Projection, chain: usize) -> Point {
        let lost = self.chains.diverged[chain].is_some() && self.chains.population.positions.dimension() > 2;
        if lost { self.chains.last_seen[chain] } else { projection.point(&self.chains.population.positions, chain) }
    }

    /// The chains.
    pub fn population(&self) -> &Population {
        &self.chains.population
    }

    /// The step at which each chain diverged, if it did.
    pub fn diverged(&self) -> &[Option<u64>] {
        &self.chains.diverged
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
        for chain in (0..self.chains.population.len()).filter(|_| old != new) {
            let position = new.from_theta(old.to_theta(self.chains.population.position(chain)));
            self.chains.population.positions.set_point(chain, position);
        }
        self.evaluated = self.evaluated();
        self.begin(to, alpha, context);
    }

    /// Evaluations by approximations and by samplers that count them, also by those that have been replaced.
    pub fn evaluated(&self) -> f64 {
        let counted = self.chains.population.evaluations as f64;
        self.evaluated + counted + self.fits().map(|fit| fit.evaluations).sum::<f64>()
    }

    /// Evaluations that chains have counted since the last call, of methods that evaluate densities alone.
    pub fn take_counted(&mut self) -> f64 {
        std::mem::take(&mut self.chains.population.evaluations) as f64
    }

    /// The newest records of the approximations, chain by chain; empty for samplers.
    pub fn fits(&self) -> impl Iterator<Item = &FitRecord> {
        self.chains.population.fits.iter().map(|fit| &fit.record)
    }

    /// The distributions of the approximations in all dimensions, of a model in more than are drawn.
    pub fn distributions(&self, method: &dyn Method, model: &dyn Model) -> impl Iterator<Item = VectorDistribution> {
        (0..self.chains.population.fits.len())
            .filter_map(|chain| method.distribution(model, &self.chains.population, chain))
    }

    /// Takes the records of the steps taken since the last call: one list per chain.
    pub fn take_trails(&mut self) -> Vec<Vec<FitRecord>> {
        self.chains.population.fits.iter_mut().map(|fit| std::mem::take(&mut fit.trail)).collect()
    }

    /// Goes over from one target to the next, before a step of size `alpha`. Chains keep their positions; those outside
    /// the support of the new target start at the point that it suggests.
    pub fn enter(&mut self, before: &TargetContext, after: &TargetContext, (method, alpha): (&dyn Method, f64)) {
        let (old, new) = (before.space(method).coordinates, after.space(method).coordinates);
        let info = after.target.info();
        let renamed = self.rename(before, after);
        let mut moved = vec![renamed; self.chains.population.len()];
        for (chain, moved) in moved.iter_mut().enumerate() {
            let theta = old.to_theta(self.chains.population.position(chain));
            let inside = info.support.contains(theta);
            *moved |= old != new || !inside;
            if old != new || !inside {
                let position = new.from_theta(if inside { theta } else { info.start });
                self.chains.population.positions.set_point(chain, position);
            }
        }
        // Auxiliary state belongs to a position. Numbers are drawn for all chains, so that no chain depends on others.
        let fresh = self.fresh(method, alpha, after);
        for (old, new) in self.chains.population.carried.iter_mut().zip(fresh.carried) {
            if old.dimension() != new.dimension() {
                *old = with_axes_of(new, old);
                continue;
            }
            for chain in (0..moved.len()).filter(|&chain| moved[chain]) {
                old.copy_vector(chain, &new, chain);
            }
        }
        for (chain, (old, new)) in self.chains.population.fits.iter_mut().zip(fresh.fits).enumerate() {
            *old = if moved[chain] {
                let evaluations = old.record.evaluations;
                Approximation { record: FitRecord { evaluations, ..new.record }, ..new }
            } else {
                old.handed_over()
            };
        }
        self.forget_acceptance();
    }

    /// Writes the positions of chains in the parametrisation of the next target, if that is another one of the same model; returns whether it is.
    fn rename(&mut self, before: &TargetContext, after: &TargetContext) -> bool {
        let positions = &mut self.chains.population.positions;
        let (Some(from), Some(to)) = (before.target.model(), after.target.model()) else { return false };
        let [was, is] = [from.parametrisation(), to.parametrisation()];
        let alike = from.dimension() == to.dimension() && positions.dimension() == to.dimension();
        if was.is_empty() || is.is_empty() || was == is || !alike {
            return false;
        }
        for chain in 0..positions.len() {
            let mut at: Vec<f64> = positions.vector(chain).collect();
            from.to_meaning(&mut at);
            to.of_meaning(&mut at);
            positions.set(chain, &at);
        }
        true
    }

    /// Counts acceptance and exchanges from here on.
    fn forget_acceptance(&mut self) {
        self.chains.population.acceptance = Acceptance::default();
        self.chains.population.swaps.fill(Acceptance::default());
    }
}

/// Auxiliary state for another number of data: what there was is kept as far as it goes.
fn with_axes_of(mut new: Coords, old: &Coords) -> Coords {
    for (new, old) in new.axes_mut().zip(old.axes()) {
        new.copy_from_slice(old);
    }
    new
}
