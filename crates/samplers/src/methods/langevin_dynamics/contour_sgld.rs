//! Contour stochastic gradient Langevin dynamics: SGLD on a density that is flattened over energies, with weighted draws.
//!
//! Deng, Lin and Liang (2020), "A contour stochastic gradient Langevin dynamics algorithm for simulations of multi-modal
//! distributions", NeurIPS, arXiv:2010.09800, algorithm 1. Some programs (BlackJAX) call it `csgld`, which is
//! *cyclical* SGLD here ([`super::csgld`]).
//!
//! The energy U(θ) = −log p(θ), counted from that of the highest mode, is cut into m bins of width Δu from u₀ on. Bin j has the
//! learnt probability w(j), their sum is 1. With
//!
//! log Ψ(U) = log w(j−1) + (log w(j) − log w(j−1)) (U − u_{j−1})/Δu in bin j,
//!
//! and constant in the first bin, below and above, a step is one of SGLD for the density p/Ψ^ζ, and the bin J of its end learns:
//!
//! θ ← θ + α [1 + ζ (log w(J) − log w(J−1))/Δu] ĝ + √(2α) ξ, ξ ~ N(0, I),
//! w(i) ← w(i) + ω_k Ψ(U)^ζ (1[i = J] − w(i)), ω_k = c/(k^κ + 100), at most 1.
//!
//! With ζ = 1 all energies are visited alike; ζ = 0 is SGLD. In a bin that has been visited too often the factor of the gradient
//! becomes negative, and the chain climbs out of its mode. A draw weighs (mΨ(U))^ζ, which takes the flattening back.
//!
//! What is exact: if steps were infinitely small, w would converge to the probabilities of the bins, and weighted draws to p, for
//! all m, Δu and ζ. What is biased: steps are not corrected, as in SGLD, and those with a large factor are as biased as longer
//! ones; and draws of the time when w was still far from its limit have the weights of that time.
//!
//! Deviations from the paper. Weights and learning have Ψ(U)^ζ where the paper has w(J)^ζ: p/Ψ^ζ is the density whose gradient
//! moves the chain, so that the error of order Δu in its theorem 1 is 0. Above the last bin Ψ is constant, where the paper goes on
//! with its slope. Energies are those of all data, also where ĝ is from a minibatch; such a step costs one evaluation more. The
//! temperature is that of the target. w is not below [`LEAST`].

use std::sync::Arc;

use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, OnDensities, Population, Problem, Scratch, StepRecord,
    StepScale, StepSpec,
};
use crate::schedules::{CONSTANT, Stage};
use base::math::Coords;
use base::math::elementary::{exp, ln};
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};
use models::targets::{Density, Model, Space, highest_mode};

/// The 100 in ω_k = c/(k^κ + 100), which keeps the first steps from learning too much.
const DELAY: f64 = 100.0;

/// The least probability of a bin: its logarithm is a number.
const LEAST: f64 = 1e-100;

/// Most bins: a step changes the probabilities of all.
const MOST_BINS: f64 = 1000.0;

const PARAMS: [ParamSpec; 11] = [
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::step_size(CONSTANT),
    ParamSpec::number(
        "flattening",
        "flattening ζ",
        0.75,
        Interval::closed(0.0, 5.0),
        (0.0, 1.5),
        "How much of the differences between energies is taken away. 0: none, the method is SGLD. 1: the chain visits all bins of \
         energy alike.",
    ),
    ParamSpec::number(
        "bin_width",
        "bin width Δu",
        0.25,
        Interval::POSITIVE,
        (0.05, 2.0),
        "Width of a bin of energy −log p. All bins together should reach from the modes to the barriers between them.",
    )
    .log(),
    ParamSpec::integer(
        "bins",
        "bins m",
        40.0,
        Interval::closed(2.0, MOST_BINS),
        (10.0, 200.0),
        "Number of bins of energy. Above the last one the density is not flattened.",
    )
    .folded()
    .log(),
    ParamSpec::number(
        "lowest",
        "lowest energy u₀",
        0.0,
        Interval::closed(-1e6, 1e6),
        (-5.0, 20.0),
        "Where the first bin begins, counted from the energy of the highest mode.",
    )
    .folded(),
    ParamSpec::number(
        "gain",
        "learning rate c",
        10.0,
        Interval::above_to(0.0, 1e4),
        (0.1, 100.0),
        "The probabilities of bins change by at most ω = c/(k^κ + 100) in step k, and by all if that is above 1.",
    )
    .folded()
    .log(),
    ParamSpec::number(
        "exponent",
        "learning exponent κ",
        0.8,
        Interval::above_to(0.5, 1.0),
        (0.55, 1.0),
        "How fast learning slows down. Above 0.5, so that the probabilities converge.",
    )
    .folded(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "contour-sgld",
        label: "Contour SGLD",
        help: "Contour SGLD (Deng, Lin and Liang 2020): learns how probable each level of energy is, flattens the density over \
               them so that one chain leaves its mode, and weights the draws. Some programs call it csgld, which is cyclical \
               SGLD here.",
        params: &PARAMS,
    },
    group: MethodGroup::Tempering,
    build,
    step: Some(StepSpec {
        formula: "θ ← θ + α [1 + ζ (log w(J) − log w(J−1))/Δu] ĝ + noise, J the bin of the energy −log p(θ) and w(J) its learnt \
               probability; a draw weighs (mΨ)^ζ, Ψ these probabilities joined.",
        noise: StepSpec::LANGEVIN_NOISE,
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("contour_sgld.py"),
    sources: &[sources::DENG],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourSgld {
    /// ζ, at least 0.
    pub flattening: f64,
    /// Δu, above 0.
    pub bin_width: f64,
    /// m, at least 2.
    pub bins: usize,
    /// u₀.
    pub lowest: f64,
    /// c, above 0.
    pub gain: f64,
    /// κ, above 0.5 and at most 1.
    pub exponent: f64,
}

impl Default for ContourSgld {
    fn default() -> Self {
        Self { flattening: 0.75, bin_width: 0.25, bins: 40, lowest: 0.0, gain: 10.0, exponent: 0.8 }
    }
}

/// What the learnt probabilities say at an energy.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level {
    /// The number of its bin, from 0; the first one also below, the last one above.
    bin: usize,
    /// log Ψ.
    log_psi: f64,
    /// The factor of the gradient.
    factor: f64,
}

impl Method for ContourSgld {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors() + 1, ..Needs::default() }
    }

    fn alpha_in_words(&self) -> &'static str {
        "a step adds α ∇log p(θ) times the factor of its bin of energy, and √(2α) ξ, with ξ ~ N(0, 1). log p is that of all data."
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let Space::Vectors(_) = space else { return self.on_densities(space) };
        let problem = "contour SGLD works in the plane here, and this target has more dimensions";
        Err(ParamError::new("method", problem, "sgld, csgld or another sampler"))
    }

    fn carries(&self) -> &'static [&'static str] {
        &["probabilities of energies", "steps of learning"]
    }

    /// No coordinate of it is random.
    fn auxiliary_normals(&self, _model: &dyn Model) -> usize {
        0
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        let mut probabilities = Coords::zeros(self.bins, starts.len());
        probabilities.values_mut().fill(1.0 / self.bins as f64);
        let carried = vec![probabilities, Coords::zeros(1, starts.len())];
        Population { carried, ..Population::at(starts) }
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        let Some(top) = problem.density.map(top) else { return };
        scratch.fill_log_densities(problem, chains);
        for step in stepwise::each(steps, randomness, &chains.positions) {
            scratch.fill_estimates(problem, &step, chains);
            let records = step.records(&mut track);
            self.begin_records(problem, &step, chains, scratch, (records, top));
            self.go(problem, &step, chains, scratch, top);
            problem.fold(&mut chains.positions);
            scratch.fill_log_densities(problem, chains);
            self.learn(chains, scratch, top);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        let energy = if gradient.batch_size() > 0 { 1.0 } else { 0.0 };
        gradient.cost(data) + energy
    }
}

/// The log density at the highest mode.
fn top(target: &dyn Density) -> f64 {
    target.log_density(highest_mode(target))
}

impl ContourSgld {
    /// What the probabilities of a chain say at an energy. An energy that is NaN is above all.
    fn level(&self, probabilities: &Coords, chain: usize, energy: f64) -> Level {
        let of = |bin: usize| ln(probabilities.get(chain, bin));
        let level = (energy - self.lowest) / self.bin_width;
        let (first, last) = (1.0, self.bins as f64);
        if level < first {
            return Level { bin: 0, log_psi: of(0), factor: 1.0 };
        }
        if level >= last || level.is_nan() {
            return Level { bin: self.bins - 1, log_psi: of(self.bins - 1), factor: 1.0 };
        }
        let bin = whole(level);
        let (below, rise) = (of(bin - 1), of(bin) - of(bin - 1));
        Level {
            bin,
            log_psi: below + rise * (level - level.floor()),
            factor: 1.0 + self.flattening * rise / self.bin_width,
        }
    }

    /// The factors of the gradients, and with them the displacements by the full gradient and by noise.
    fn begin_records(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &mut Scratch,
        (records, top): (&mut [StepRecord], f64),
    ) {
        if records.is_empty() {
            return;
        }
        scratch.fill_full(problem, chains, records.len());
        let Scratch { gradient, full, log_density, .. } = &*scratch;
        let normals = step.normals(problem.gradient.vectors());
        let sd = injected_sd(step);
        for (chain, record) in records.iter_mut().enumerate() {
            let size = step.alpha * self.level(&chains.carried[0], chain, top - log_density[chain]).factor;
            let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
            *record = StepRecord {
                from: problem.position(&chains.positions, chain),
                drift: problem.displacement(|axis| size * full.get(chain, axis)),
                gradient_noise: problem.displacement(|axis| size * error(axis)),
                injected_noise: problem.displacement(|axis| sd * normals.axis(axis)[chain]),
                ..StepRecord::default()
            };
        }
    }

    /// Moves the chains.
    fn go(&self, problem: &Problem<'_>, step: &Step<'_>, chains: &mut Population, scratch: &Scratch, top: f64) {
        let normals = step.normals(problem.gradient.vectors());
        let sd = injected_sd(step);
        for chain in 0..chains.len() {
            let size = step.alpha * self.level(&chains.carried[0], chain, top - scratch.log_density[chain]).factor;
            for axis in 0..problem.free {
                let coordinate = &mut chains.positions.axis_mut(axis)[chain];
                *coordinate += size * scratch.gradient.get(chain, axis) + sd * normals.axis(axis)[chain];
            }
        }
    }

    /// Weighs the draws of a step, and learns from their energies.
    fn learn(&self, chains: &mut Population, scratch: &mut Scratch, top: f64) {
        let count = chains.len();
        let [probabilities, steps] = &mut chains.carried[..] else { return };
        for chain in 0..count {
            let energy = top - scratch.log_density[chain];
            let Level { bin, log_psi, .. } = self.level(probabilities, chain, energy);
            if count == 1 {
                scratch.weights.push(exp(self.flattening * (log_psi + ln(self.bins as f64))));
            }
            if energy.is_nan() {
                continue;
            }
            let number = steps.get(chain, 0) + 1.0;
            steps.axis_mut(0)[chain] = number;
            let rate = (self.gain / (exp(self.exponent * ln(number)) + DELAY)).min(1.0);
            let change = rate * exp(self.flattening * log_psi);
            for other in 0..self.bins {
                let probability = &mut probabilities.axis_mut(other)[chain];
                let aim = if other == bin { 1.0 } else { 0.0 };
                *probability = (*probability + change * (aim - *probability)).max(LEAST);
            }
        }
    }
}

/// The standard deviation of the injected noise.
fn injected_sd(step: &Step<'_>) -> f64 {
    if step.noise { (2.0 * step.alpha).sqrt() } else { 0.0 }
}

/// The whole part of a number from 0 on.
#[expect(clippy::cast_sign_loss, reason = "a bin, below a thousand")]
fn whole(number: f64) -> usize {
    number as usize
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(ContourSgld {
        flattening: settings.number("flattening"),
        bin_width: settings.number("bin_width"),
        bins: usize::try_from(settings.count("bins")).unwrap_or(usize::MAX).max(2),
        lowest: settings.number("lowest"),
        gain: settings.number("gain"),
        exponent: settings.number("exponent"),
    }))
}
