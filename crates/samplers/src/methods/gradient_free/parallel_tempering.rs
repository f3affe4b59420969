//! Parallel tempering: every chain has K replicas at temperatures 1 = T₁ < … < T_K, and neighbours exchange their places.
//!
//! Replica k has the density p(θ)^(1/T_k). Temperatures are geometric, T_k = T_K^((k − 1)/(K − 1)). In a step
//!
//! 1. every replica takes a Metropolis step for its density, by a random walk, θ′ ~ N(θ, 2αT_k I), or by MALA,
//!    θ′ ~ N(θ + α ∇ log p(θ), 2αT_k I): step sizes are αT_k, because a Gaussian p^(1/T) has T times the variance of p;
//! 2. neighbours k and k + 1 exchange their places with probability min(1, r), ln r = (1/T_k − 1/T_(k+1)) (ln p(θ_(k+1)) − ln p(θ_k)):
//!    in odd steps of the run for odd k, in even steps for even k.
//!
//! Both leave the product of the K densities invariant, so that the draws, the positions of replica 1, come from p at every step size.
//! Geyer (1991), "Markov chain Monte Carlo maximum likelihood", Computing Science and Statistics 23:156; Syed, Bouchard-Côté,
//! Deligiannidis and Doucet (2022), "Non-reversible parallel tempering", arXiv:1905.02939, for the deterministic alternation of odd and
//! even neighbours: a replica goes through the ladder in one direction until an exchange is rejected, instead of at random.
//!
//! p is the density in the coordinates of the chains, with the Jacobian of logit or logarithmic coordinates: all of it is tempered. In θ
//! the hot densities then are (p(θ) J(θ))^(1/T)/J(θ), which is another path to the same p. Tempering p(θ) alone would leave J behind,
//! which has no finite integral. At the boundary of the support nothing is folded: proposals outside have the density 0.
//!
//! Replicas start where their chain does. The ladder of the paper adapts to the swap rates; here it stays as it is, and the rates are
//! shown.

use std::sync::Arc;

use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{metropolis, parameters};
use crate::methods::sources;
use crate::methods::{
    Acceptance, Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Proposal, Rung, Scratch,
    StepRecord, StepScale, StepSpec,
};
use crate::schedules::{CONSTANT, Schedule, Stage};
use base::math::Coords;
use base::math::elementary::{exp, ln};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Most replicas of a chain: each has normals of its own in every step.
const MOST_REPLICAS: f64 = 32.0;

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS.folded(),
    parameters::STEPS,
    parameters::START,
    ParamSpec::integer(
        "replicas",
        "replicas K",
        8.0,
        Interval::closed(2.0, MOST_REPLICAS),
        (2.0, MOST_REPLICAS),
        "Number of temperatures. Every chain has a replica at each of them. With few, exchanges are rare; with many, the way from the \
         hottest to the chain is long.",
    )
    .fixed(),
    ParamSpec::number(
        "hottest",
        "hottest temperature",
        100.0,
        Interval::closed(1.0, 1e6),
        (1.0, 1000.0),
        "The temperature of the last replica; the others are in a geometric ladder from 1. High enough if the hottest replica crosses \
         every valley.",
    )
    .log(),
    ParamSpec::of(
        "moves",
        "moves",
        ParamType::Choice(&[
            Choice { name: "random-walk", label: "random walk", help: "Random-walk Metropolis at every temperature; no gradients." },
            Choice { name: "mala", label: "MALA", help: "Metropolis-adjusted Langevin steps at every temperature." },
        ]),
        DefaultValue::Word("random-walk"),
        "How a replica moves between exchanges.",
    )
    .folded(),
    parameters::step_size(CONSTANT),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "parallel-tempering",
        label: "Parallel tempering",
        help: "Parallel tempering (Geyer 1991; Syed et al. 2022): copies of every chain at higher temperatures cross the valleys between \
               modes, and neighbours in temperature exchange their places. The draws are those of the coldest copy, and exact.",
        params: &PARAMS,
    },
    group: MethodGroup::Tempering,
    build,
    step: Some(StepSpec {
        formula: "Metropolis steps of size αT for p^(1/T) at every temperature T, then exchanges of neighbours; the draws are those at T = 1.",
        noise: Some("√(2αT) ξ with ξ ~ N(0, I) at temperature T."),
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("parallel_tempering.py"),
    sources: &[sources::GEYER, sources::SYED],
    usual: None,
};

/// How replicas move between exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Random-walk Metropolis.
    RandomWalk,
    /// The Metropolis-adjusted Langevin algorithm.
    Mala,
}

/// The algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelTempering {
    /// T₁ = 1 to T_K, at least two.
    temperatures: Vec<f64>,
    moves: Moves,
}

/// The index of the replicas in the auxiliary state: a vector of all but the first, one after the other.
const REPLICAS: usize = 0;

/// The index of the number of the next exchanges: 0 if they begin at replica 1, 1 at replica 2.
const PARITY: usize = 1;

impl ParallelTempering {
    /// With a geometric ladder of `replicas` temperatures (at least 2) from 1 to `hottest` (at least 1).
    #[must_use]
    pub fn new(replicas: usize, hottest: f64, moves: Moves) -> Self {
        let last = replicas.max(2) - 1;
        let rung = |number: usize| match number {
            0 => 1.0,
            number if number == last => hottest,
            number => exp(ln(hottest) * (number as f64 / last as f64)),
        };
        Self { temperatures: (0..=last).map(rung).collect(), moves }
    }

    /// The temperatures, from 1 to the hottest.
    #[must_use]
    pub fn temperatures(&self) -> &[f64] {
        &self.temperatures
    }

    fn rungs(&self) -> usize {
        self.temperatures.len()
    }

    /// Copies chains and replicas side by side into `scratch.replicas`: replica `r` of chain `c` of `n` at `r · n + c`.
    fn load(&self, chains: &Population, scratch: &mut Scratch) {
        let (dimension, count) = (chains.positions.dimension(), chains.len());
        let hot = chains.carried.get(REPLICAS).filter(|hot| hot.dimension() == dimension * (self.rungs() - 1));
        scratch.replicas.resize(dimension, count * self.rungs());
        for (axis, replicas) in scratch.replicas.axes_mut().enumerate() {
            for (rung, row) in replicas.chunks_exact_mut(count.max(1)).enumerate() {
                let from = rung.checked_sub(1).and_then(|above| Some(hot?.axis(above * dimension + axis)));
                row.copy_from_slice(from.unwrap_or_else(|| chains.positions.axis(axis)));
            }
        }
    }

    /// Copies the replicas back into the auxiliary state.
    fn store(&self, chains: &mut Population, scratch: &Scratch) {
        let (dimension, count) = (chains.positions.dimension(), chains.len());
        let Some(hot) = chains.carried.get_mut(REPLICAS) else { return };
        hot.resize(dimension * (self.rungs() - 1), count);
        for (axis, replicas) in scratch.replicas.axes().enumerate() {
            for (above, row) in replicas.chunks_exact(count.max(1)).skip(1).enumerate() {
                hot.axis_mut(above * dimension + axis).copy_from_slice(row);
            }
        }
    }

    /// Computes the proposals of all replicas, and of MALA the part of ln r that comes from the densities of proposals.
    fn propose(&self, problem: &Problem<'_>, step: &Step<'_>, chains: usize, scratch: &mut Scratch) {
        let Scratch { replicas, to, full, .. } = &mut *scratch;
        to.clone_from(replicas);
        for (rung, temperature) in self.temperatures.iter().enumerate() {
            let sd = (2.0 * step.alpha * temperature).sqrt();
            let (row, normals) = (rung * chains..(rung + 1) * chains, step.normals(rung));
            for axis in 0..problem.free {
                let to = &mut to.axis_mut(axis)[row.clone()];
                if self.moves == Moves::Mala {
                    for (to, g) in to.iter_mut().zip(&full.axis(axis)[row.clone()]) {
                        *to += step.alpha * g;
                    }
                }
                for (to, normal) in to.iter_mut().zip(normals.axis(axis)) {
                    *to += sd * normal;
                }
            }
        }
        scratch.fill_proposed(problem);
        scratch.correction.clear();
        scratch.correction.resize(chains * self.rungs(), 0.0);
        if self.moves == Moves::Mala {
            self.correct(problem, step, chains, scratch);
        }
    }

    /// ½‖ξ‖² − ½‖ξ + √(α/2T) (∇ + ∇′)‖², as of MALA with step size αT and the gradient of log p/T.
    fn correct(&self, problem: &Problem<'_>, step: &Step<'_>, chains: usize, scratch: &mut Scratch) {
        let Scratch { to, to_full, full, correction, memory, .. } = scratch;
        to_full.resize(to.dimension(), to.len());
        problem.gradients(to, memory, to_full);
        for (rung, temperature) in self.temperatures.iter().enumerate() {
            let half_step = (0.5 * step.alpha / temperature).sqrt();
            let (row, normals) = (rung * chains..(rung + 1) * chains, step.normals(rung));
            for axis in 0..problem.free {
                let both = full.axis(axis)[row.clone()].iter().zip(&to_full.axis(axis)[row.clone()]);
                let corrections = correction[row.clone()].iter_mut();
                for ((correction, (here, there)), normal) in corrections.zip(both).zip(normals.axis(axis)) {
                    let back = normal + half_step * (here + there);
                    *correction += 0.5 * (normal * normal - back * back);
                }
            }
        }
    }

    /// Accepts or rejects the proposals. Those of the chains are counted and recorded.
    fn decide(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &mut Population,
        scratch: &mut Scratch,
        records: &mut [StepRecord],
    ) {
        let count = chains.len();
        let Scratch { replicas, to, to_log_density, to_full, full, log_density, correction, .. } = scratch;
        for (index, uniform) in step.uniforms().iter().enumerate().take(count * self.rungs()) {
            let rise = (to_log_density[index] - log_density[index]) / self.temperatures[index / count];
            let finite = metropolis::is_finite(to, index);
            let log_ratio = rise + correction[index];
            let probability = if finite { metropolis::probability(log_ratio) } else { 0.0 };
            let accepted = *uniform < probability;
            if index < count && metropolis::is_finite(replicas, index) {
                chains.acceptance.count(probability, accepted);
            }
            if let Some(record) = records.get_mut(index).filter(|_| index < count) {
                record.proposal = Some(Proposal {
                    at: problem.position(to, index),
                    log_ratio,
                    probability,
                    uniform: *uniform,
                    accepted,
                });
            }
            if accepted {
                replicas.copy_vector(index, to, index);
                log_density[index] = to_log_density[index];
                if self.moves == Moves::Mala {
                    full.copy_vector(index, to_full, index);
                }
            }
        }
    }

    /// Exchanges neighbours. A chain that is nowhere stays there.
    fn exchange(&self, step: &Step<'_>, chains: &mut Population, scratch: &mut Scratch, records: &mut [StepRecord]) {
        let (count, rungs) = (chains.len(), self.rungs());
        let Population { carried, swaps, .. } = chains;
        let Some(parities) = carried.get_mut(PARITY) else { return };
        swaps.resize(rungs - 1, Acceptance::default());
        let Scratch { replicas, full, log_density, .. } = scratch;
        for (chain, parity) in parities.axis_mut(0).iter_mut().enumerate() {
            let there = metropolis::is_finite(replicas, chain);
            let first = usize::from(*parity > 0.5);
            for (pair, low) in (first..rungs - 1).step_by(2).enumerate() {
                let (here, above) = (low * count + chain, (low + 1) * count + chain);
                let colder = 1.0 / self.temperatures[low] - 1.0 / self.temperatures[low + 1];
                let log_ratio = colder * (log_density[above] - log_density[here]);
                let probability = if there { metropolis::probability(log_ratio) } else { 0.0 };
                let accepted = step.uniforms()[(rungs + pair) * count + chain] < probability;
                if there {
                    swaps[low].count(probability, accepted);
                }
                if accepted {
                    replicas.axes_mut().for_each(|axis| axis.swap(here, above));
                    log_density.swap(here, above);
                    if self.moves == Moves::Mala {
                        full.axes_mut().for_each(|axis| axis.swap(here, above));
                    }
                }
                if let Some(rung) = records.get_mut(chain).and_then(|record| record.rungs.get_mut(low)) {
                    rung.swapped = Some(accepted);
                }
            }
            *parity = 1.0 - *parity;
        }
    }

    /// Records the start of the step and the parts of the proposals of the chains.
    fn begin_records(&self, problem: &Problem<'_>, step: &Step<'_>, scratch: &Scratch, records: &mut [StepRecord]) {
        let sd = (2.0 * step.alpha).sqrt();
        let normals = step.normals(0);
        let rungs = self.temperatures.iter().map(|&temperature| Rung { temperature, ..Rung::default() });
        for (chain, record) in records.iter_mut().enumerate() {
            let drift = |axis| if self.moves == Moves::Mala { step.alpha * scratch.full.get(chain, axis) } else { 0.0 };
            *record = StepRecord {
                from: problem.position(&scratch.replicas, chain),
                drift: problem.displacement(drift),
                injected_noise: problem.displacement(|axis| sd * normals.axis(axis)[chain]),
                rungs: rungs.clone().collect(),
                ..StepRecord::default()
            };
        }
    }

    /// Records where the replicas are after the step.
    fn end_records(problem: &Problem<'_>, chains: usize, scratch: &Scratch, records: &mut [StepRecord]) {
        for (chain, record) in records.iter_mut().enumerate() {
            record.to = problem.position(&scratch.replicas, chain);
            for (rung, at) in record.rungs.iter_mut().enumerate() {
                at.at = problem.position(&scratch.replicas, rung * chains + chain);
            }
        }
    }
}

impl Method for ParallelTempering {
    /// A vector for the proposal of each replica; uniforms for its decision, and for the exchanges.
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: self.rungs(), uniforms: self.rungs() + self.rungs() / 2, masks: false }
    }

    fn carries(&self) -> &'static [&'static str] {
        &["replicas", "exchanges"]
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        let (dimension, count) = (starts.dimension(), starts.len());
        let mut replicas = Coords::zeros(dimension * (self.rungs() - 1), count);
        for (axis, replica) in replicas.axes_mut().enumerate() {
            replica.copy_from_slice(starts.axis(axis % dimension.max(1)));
        }
        let swaps = vec![Acceptance::default(); self.rungs() - 1];
        Population { carried: vec![replicas, Coords::zeros(1, count)], swaps, ..Population::at(starts) }
    }

    fn stable_below(&self, curvature: f64) -> Option<f64> {
        (self.moves == Moves::Mala).then_some(2.0 / curvature)
    }

    fn check(&self, _gradient: &Gradient, schedule: &dyn Schedule, _steps: u64) -> Vec<ParamError> {
        metropolis::check_noise(schedule).into_iter().collect()
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        let count = chains.len();
        self.load(chains, scratch);
        let Scratch { replicas, log_density, full, memory, .. } = &mut *scratch;
        log_density.resize(replicas.len(), 0.0);
        problem.log_densities(replicas, memory, log_density);
        if self.moves == Moves::Mala {
            full.resize(replicas.dimension(), replicas.len());
            problem.gradients(replicas, memory, full);
        }
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            self.begin_records(problem, &step, scratch, records);
            self.propose(problem, &step, count, scratch);
            self.decide(problem, &step, chains, scratch, records);
            self.exchange(&step, chains, scratch, records);
            chains.positions.copy_first(&scratch.replicas, count);
            Self::end_records(problem, count, scratch, records);
            step.keep(problem, chains, &mut track);
        }
        self.store(chains, scratch);
    }

    fn uses_gradients(&self) -> bool {
        self.moves == Moves::Mala
    }

    /// One for each replica.
    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        self.rungs() as f64
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    let replicas = usize::try_from(settings.count("replicas")).unwrap_or(2);
    let moves = if settings.word("moves") == "mala" { Moves::Mala } else { Moves::RandomWalk };
    Ok(Arc::new(ParallelTempering::new(replicas, settings.number("hottest"), moves)))
}
