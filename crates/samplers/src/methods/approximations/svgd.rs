//! Stein variational gradient descent (SVGD): the chains are n particles that move together until they stand for the density.
//!
//! θ_i ← θ_i + α φ(θ_i), φ(θ) = (1/n) Σ_j [k(θ_j, θ) ĝ(θ_j) + ∇_(θ_j) k(θ_j, θ)], k(θ, θ′) = exp(−‖θ − θ′‖²/(2h²)),
//!
//! ĝ an estimate of ∇ log p. The first term draws particles to where the density is high, the second, k (θ − θ_j)/h², pushes them
//! apart. φ is the direction in a unit ball of functions in which KL(q‖p) falls fastest, q the distribution of the particles.
//! Liu and Wang (2016), "Stein variational gradient descent: a general purpose Bayesian inference algorithm", NeurIPS,
//! arXiv:1608.04471, algorithm 1.
//!
//! The bandwidth is fixed, or the median heuristic of the authors' program: h² = med²/(2 ln(n + 1)), med the median distance, so that the
//! sum of k over the particles around one is about n/(n + 1). The paper has exp(−‖θ − θ′‖²/h) with h = med²/ln n, which is the same but for
//! n in the place of n + 1. Here the median is one of distinct pairs, with the mean of the two in the middle; the authors' program counts
//! every particle with itself.
//!
//! With `adagrad`, as in that program, every coordinate is divided by 10⁻⁶ + √s with s ← 0.9 s + 0.1 φ², s = φ² at first: then α is about
//! the length of a step.
//!
//! Nothing is random but the start (and minibatches): particles that start at the same point stay together. Every particle depends on all
//! others, and the particles of a run are one population of at most 128. At the end they rest; draws are the particles after each
//! collected step. A particle that is not finite is left out of the sums of the others.

use std::sync::Arc;

use super::sources;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::kit::{metropolis, parameters};
use crate::methods::{
    Chunk, Gradient, Interaction, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Scratch, StepRecord,
    StepScale, StepSpec,
};
use crate::schedules::{CONSTANT, Stage};
use base::math::Coords;
use base::math::elementary::{exp, ln};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Share of the old average of squares, of the authors' program.
const DECAY: f64 = 0.9;

/// What is added to the root of the average, of the authors' program.
const FUDGE: f64 = 1e-6;

/// An average of squares before the first step.
const NONE_YET: f64 = -1.0;

const PARAMS: [ParamSpec; 8] = [
    ParamSpec::integer(
        "chains",
        "particles n",
        50.0,
        Interval::closed(2.0, parameters::MOST_TOGETHER),
        (2.0, parameters::MOST_TOGETHER),
        "Number of particles, which move together. Each is a chain.",
    )
    .log()
    .fixed(),
    parameters::STEPS.default(DefaultValue::Number(2000.0)),
    parameters::START.default(DefaultValue::Kind("prior")),
    parameters::PLAIN_GRADIENT.folded(),
    parameters::step_size(CONSTANT),
    ParamSpec::of(
        "adagrad",
        "AdaGrad",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Divides every coordinate of a step by a running root mean square of its steps, so that α is about the length of a step.",
    ),
    ParamSpec::number(
        "bandwidth",
        "bandwidth h",
        1.0,
        Interval::POSITIVE,
        (0.01, 10.0),
        "Width of the kernel: particles push each other apart at about this distance. Left out: from the median distance in every step.",
    )
    .optional()
    .log(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "svgd",
        label: "SVGD",
        help: "Stein variational gradient descent (Liu and Wang 2016): a set of particles climbs the density while its particles push \
               each other apart. Nothing is random but the start. Draws are the particles after each collected step: with a long \
               burn-in, those at which they rest.",
        params: &PARAMS,
    },
    group: MethodGroup::Approximations,
    build,
    step: Some(StepSpec {
        formula: "θ_i ← θ_i + α (1/n) Σ_j [k(θ_j, θ_i) ĝ(θ_j) + ∇k(θ_j, θ_i)] over n particles, k a Gaussian kernel.",
        noise: Some("none is injected."),
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("svgd.py"),
    sources: &[sources::LIU_WANG],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Svgd {
    /// h, above 0; `None` for the median heuristic.
    pub bandwidth: Option<f64>,
    /// Whether steps are divided by the root of their average square.
    pub adagrad: bool,
}

impl Svgd {
    /// 1/h² for the particles at `positions`. `distances` is memory for the squared distances.
    fn sharpness(self, problem: &Problem<'_>, positions: &Coords, distances: &mut Vec<f64>) -> f64 {
        if let Some(bandwidth) = self.bandwidth {
            return 1.0 / (bandwidth * bandwidth);
        }
        distances.clear();
        let there = |particle: &usize| metropolis::is_finite(positions, *particle);
        for i in (0..positions.len()).filter(there) {
            distances.extend((0..i).filter(there).map(|j| squared_distance(problem, positions, i, j)));
        }
        let median = median(distances);
        // Where all particles are at one point the kernel is 1 for every width.
        if median > 0.0 { 2.0 * ln(positions.len() as f64 + 1.0) / median } else { 1.0 }
    }

    /// Computes φ: the part that draws into `scratch.to`, the part that pushes into `scratch.to_gradient`.
    fn directions(self, problem: &Problem<'_>, positions: &Coords, scratch: &mut Scratch) {
        let count = positions.len();
        let Scratch { gradient, to, to_gradient, vector, .. } = scratch;
        let sharpness = self.sharpness(problem, positions, vector);
        for buffer in [&mut *to, &mut *to_gradient] {
            buffer.resize(positions.dimension(), count);
            buffer.values_mut().fill(0.0);
        }
        let there = |particle: &usize| metropolis::is_finite(positions, *particle);
        let share = 1.0 / (0..count).filter(there).count().max(1) as f64;
        for j in (0..count).filter(there) {
            for i in (0..count).filter(there) {
                let kernel = share * exp(-0.5 * sharpness * squared_distance(problem, positions, i, j));
                for axis in 0..problem.free {
                    let apart = positions.get(i, axis) - positions.get(j, axis);
                    to.axis_mut(axis)[i] += kernel * gradient.get(j, axis);
                    to_gradient.axis_mut(axis)[i] += kernel * sharpness * apart;
                }
            }
        }
    }

    /// Makes displacements of the directions: times α, and divided by the root of the average of squares.
    fn scale(self, problem: &Problem<'_>, step: &Step<'_>, chains: &mut Population, scratch: &mut Scratch) {
        let Scratch { to, to_gradient, .. } = scratch;
        for axis in 0..problem.free {
            let both = to.axis_mut(axis).iter_mut().zip(to_gradient.axis_mut(axis));
            for (particle, (draw, push)) in both.enumerate() {
                let mut size = step.alpha;
                if let Some(squares) = chains.carried.first_mut().filter(|_| self.adagrad) {
                    let square = &mut squares.axis_mut(axis)[particle];
                    let new = (*draw + *push) * (*draw + *push);
                    *square = if *square < 0.0 { new } else { DECAY * *square + (1.0 - DECAY) * new };
                    size /= FUDGE + square.sqrt();
                }
                *draw *= size;
                *push *= size;
            }
        }
    }
}

/// The squared distance of two particles.
fn squared_distance(problem: &Problem<'_>, positions: &Coords, i: usize, j: usize) -> f64 {
    let mut sum = 0.0;
    for axis in positions.axes().take(problem.free) {
        let apart = axis[i] - axis[j];
        sum += apart * apart;
    }
    sum
}

/// The square of the median of distances whose squares these are, of an even number the mean of the two in the middle; 0 without any.
fn median(squares: &mut [f64]) -> f64 {
    let count = squares.len();
    if count == 0 {
        return 0.0;
    }
    let (below, middle, _) = squares.select_nth_unstable_by(count / 2, f64::total_cmp);
    let upper = middle.sqrt();
    let lower = if count.is_multiple_of(2) { below.iter().copied().fold(0.0, f64::max).sqrt() } else { upper };
    let median = 0.5 * (lower + upper);
    median * median
}

impl Method for Svgd {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors(), ..Needs::default() }
    }

    fn interaction(&self) -> Interaction {
        Interaction::Particles
    }

    fn carries(&self) -> &'static [&'static str] {
        &["squares of steps"]
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        let mut squares = Coords::zeros(starts.dimension(), starts.len());
        squares.values_mut().fill(NONE_YET);
        Population { carried: vec![squares], ..Population::at(starts) }
    }

    fn stable_below(&self, curvature: f64) -> Option<f64> {
        (!self.adagrad).then_some(2.0 / curvature)
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        for step in stepwise::each(steps, randomness, &chains.positions) {
            scratch.fill_estimates(problem, &step, chains);
            self.directions(problem, &chains.positions, scratch);
            self.scale(problem, &step, chains, scratch);
            let records = step.records(&mut track);
            begin_records(problem, chains, scratch, records);
            for axis in 0..problem.free {
                let both = scratch.to.axis(axis).iter().zip(scratch.to_gradient.axis(axis));
                for (coordinate, (draw, push)) in chains.positions.axis_mut(axis).iter_mut().zip(both) {
                    *coordinate += draw + push;
                }
            }
            problem.fold(&mut chains.positions);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

/// Records the parts of the step: the drift by the gradients of all particles, and how the others push.
fn begin_records(problem: &Problem<'_>, chains: &Population, scratch: &Scratch, records: &mut [StepRecord]) {
    for (chain, record) in records.iter_mut().enumerate() {
        *record = StepRecord {
            from: problem.position(&chains.positions, chain),
            carried: problem.displacement(|axis| scratch.to_gradient.get(chain, axis)),
            drift: problem.displacement(|axis| scratch.to.get(chain, axis)),
            ..StepRecord::default()
        };
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    let bandwidth = settings.optional_number("bandwidth");
    Ok(Arc::new(Svgd { bandwidth, adagrad: settings.flag("adagrad") }))
}
