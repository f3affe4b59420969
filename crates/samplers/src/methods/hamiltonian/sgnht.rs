//! Stochastic gradient Nosé–Hoover thermostat: every chain has its own friction ξ, which adapts to the unknown variance
//! of the gradient noise.
//!
//! r ← (1 − ξh) r + h ĝ + √(2Ah) ζ, ζ ~ N(0, I); θ ← θ + h r; ξ ← ξ + h (rᵀr/d − 1), d the number of coordinates.
//!
//! Ding, Fang, Babbush, Chen, Skeel and Neven (2014), "Bayesian sampling using stochastic gradient thermostats", NIPS,
//! algorithm 2. h is the time step of the integration, at unit mass: drift and noise of a step correspond to a Langevin
//! step of size α = h². The mean of ξ is about A + hV/2, where V is the variance of the gradient noise per coordinate,
//! which need not be known. r starts at N(0, I) and ξ at A.
//!
//! In equilibrium E rᵀr/d = 1 exactly for every step size and noise, because E ξ is constant. If ξ were constant at
//! a/h, Var θ on N(0, 1/λ) would be (1 − a/2)/λ by the formulas of [`super::sghmc`], and the chain would be stable
//! while h²λ < 2(2 − a). Without gradient noise a = Ah, and the condition is h < (√(A² + 4λ) − A)/λ. If it does not
//! hold, ξ grows with the momenta, and the chain diverges.

use std::sync::Arc;

use super::momentum::{self, Push};
use crate::methods::kit::{parameters, stepwise};
use crate::methods::sources;
use crate::methods::{Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, StepScale, StepSpec};
use crate::schedules::{CONSTANT, Stage};
use base::math::Coords;
use base::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

const PARAMS: [ParamSpec; 7] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::integration_step(CONSTANT),
    ParamSpec::number(
        "diffusion",
        "diffusion A",
        1.0,
        Interval::NON_NEGATIVE,
        (0.0, 10.0),
        "Strength of the injected noise, and initial friction of the thermostat. The friction then rises with the gradient \
         noise.",
    ),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "sgnht",
        label: "SGNHT",
        help: "Stochastic gradient Nosé–Hoover thermostat (Ding et al. 2014): momentum with a friction that adapts to \
               gradient noise of unknown variance.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: Some(StepSpec {
        formula: "r ← (1 − ξh) r + h ĝ + noise, θ ← θ + h r, ξ ← ξ + h (rᵀr/d − 1).",
        noise: Some("variance 2Ah in every coordinate."),
        scale: StepScale::Time { alpha: "h²", ratio: 1.0 },
    }),
    algorithm: include_str!("sgnht.py"),
    sources: &[sources::DING],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sgnht {
    /// A, 0 or more.
    pub diffusion: f64,
}

impl Method for Sgnht {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors() + 1, ..Needs::default() }
    }

    fn carries(&self) -> &'static [&'static str] {
        &["velocity", "thermostat"]
    }

    fn init(&self, starts: Coords, _alpha: f64, normals: Coords) -> Population {
        let mut thermostats = Coords::zeros(1, starts.len());
        thermostats.values_mut().fill(self.diffusion);
        let mut chains = momentum::start(starts, 1.0, normals);
        chains.carried.push(thermostats);
        chains
    }

    fn stable_below(&self, curvature: f64) -> Option<f64> {
        let diffusion = self.diffusion;
        // (√(A² + 4λ) − A)/λ without the difference of two nearly equal numbers.
        Some(4.0 / ((diffusion * diffusion + 4.0 * curvature).sqrt() + diffusion))
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let h = step.alpha;
            scratch.fill_estimates(problem, &step, chains);
            let sd = if step.noise { (2.0 * self.diffusion * h).sqrt() } else { 0.0 };
            scratch.spread_evenly(&chains.positions, sd);
            scratch.kept.clear();
            let thermostats = chains.carried.get(1).map_or(&[][..], Coords::values);
            scratch.kept.extend(thermostats.iter().map(|friction| 1.0 - friction * h));
            let push = Push { gain: h, reach: h, unit: 1.0, vector: problem.gradient.vectors() };
            momentum::push(problem, &step, push, chains, scratch, step.records(&mut track));
            regulate(h, problem.free, chains, &mut scratch.correction);
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

/// ξ ← ξ + h (rᵀr/d − 1); the second coordinate of r is 0 on the line. `squares` is memory for rᵀr.
fn regulate(h: f64, dimension: usize, chains: &mut Population, squares: &mut Vec<f64>) {
    let [momenta, thermostats] = &mut chains.carried[..] else { return };
    let share = 1.0 / dimension as f64;
    squares.clear();
    squares.resize(momenta.len(), 0.0);
    for axis in momenta.axes() {
        for (square, p) in squares.iter_mut().zip(axis) {
            *square += p * p;
        }
    }
    for (friction, square) in thermostats.values_mut().iter_mut().zip(&*squares) {
        *friction += h * (share * square - 1.0);
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_integration_step(settings)?;
    Ok(Arc::new(Sgnht { diffusion: settings.number("diffusion") }))
}
