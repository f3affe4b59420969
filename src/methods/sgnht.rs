//! Stochastic gradient Nosé–Hoover thermostat: every chain has its own friction ξ, which adapts to the unknown variance
//! of the gradient noise.
//!
//! p ← (1 − ξh) p + h ĝ + √(2Ah) ζ, ζ ~ N(0, I); θ ← θ + h p; ξ ← ξ + h (pᵀp/d − 1), d the number of coordinates.
//!
//! Ding, Fang, Babbush, Chen, Skeel and Neven (2014), "Bayesian sampling using stochastic gradient thermostats", NIPS,
//! algorithm 2. h is the time step of the integration, at unit mass: drift and noise of a step correspond to a Langevin
//! step of size α = h². The mean of ξ is about A + hV/2, where V is the variance of the gradient noise per coordinate,
//! which need not be known. p starts at N(0, I) and ξ at A.
//!
//! In equilibrium E pᵀp/d = 1 exactly for every step size and noise, because E ξ is constant. If ξ were constant at
//! a/h, Var θ on N(0, 1/λ) would be (1 − a/2)/λ by the formulas of [`super::sghmc`], and the chain would be stable
//! while h²λ < 2(2 − a). Without gradient noise a = Ah, and the condition is h < (√(A² + 4λ) − A)/λ. If it does not
//! hold, ξ grows with the momenta, and the chain diverges.

use std::sync::Arc;

use super::momentum::{self, Push};
use super::stepwise;
use super::{Chunk, Gradient, Method, MethodBuilder, Needs, Population, parameters};
use crate::math::Point;
use crate::params::{Entry, Interval, KindSpec, ParamError, ParamSpec, Settings};
use crate::schedules::Stage;

const PARAMS: [ParamSpec; 7] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::integration_step("constant"),
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

pub(super) const ENTRY: Entry<MethodBuilder> = Entry {
    spec: KindSpec {
        name: "sgnht",
        label: "SGNHT",
        help: "Stochastic gradient Nosé–Hoover thermostat (Ding et al. 2014): momentum with a friction that adapts to \
               gradient noise of unknown variance.",
        params: &PARAMS,
    },
    build,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sgnht {
    /// A, 0 or more.
    pub diffusion: f64,
}

impl Method for Sgnht {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { pairs: gradient.pairs() + 1, uniforms: 0 }
    }

    fn carries(&self) -> &'static [&'static str] {
        &["velocity x", "velocity y", "thermostat"]
    }

    fn init(&self, starts: &[Point], _alpha: f64, normals: [&[f64]; 2]) -> Population {
        let mut chains = momentum::start(starts, 1.0, normals);
        chains.carried.push(vec![self.diffusion; starts.len()]);
        chains
    }

    fn stable_below(&self, curvature: f64) -> Option<f64> {
        let diffusion = self.diffusion;
        // (√(A² + 4λ) − A)/λ without the difference of two nearly equal numbers.
        Some(4.0 / ((diffusion * diffusion + 4.0 * curvature).sqrt() + diffusion))
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        for step in stepwise::each(steps, randomness, chains.len()) {
            let h = step.alpha;
            scratch.fill_estimates(problem, &step, chains);
            let sd = if step.noise { (2.0 * self.diffusion * h).sqrt() } else { 0.0 };
            for room in &mut scratch.spread {
                room.clear();
                room.resize(chains.len(), sd);
            }
            scratch.kept.clear();
            scratch.kept.extend(chains.carried.iter().skip(2).flatten().map(|friction| 1.0 - friction * h));
            let push = Push { gain: h, reach: h, unit: 1.0, pair: problem.gradient.pairs() };
            momentum::push(problem, &step, push, chains, scratch, step.records(&mut track));
            regulate(h, problem.target.info().dimension, chains);
            step.keep(chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data)
    }
}

/// ξ ← ξ + h (pᵀp/d − 1); the second coordinate of p is 0 on the line.
fn regulate(h: f64, dimension: usize, chains: &mut Population) {
    let [px, py, thermostat] = &mut chains.carried[..] else { return };
    let share = 1.0 / dimension as f64;
    for ((friction, px), py) in thermostat.iter_mut().zip(px).zip(py) {
        *friction += h * (share * (*px * *px + *py * *py) - 1.0);
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    parameters::check_integration_step(settings)?;
    Ok(Arc::new(Sgnht { diffusion: settings.number("diffusion") }))
}
