//! Stochastic gradient Hamiltonian Monte Carlo (SGHMC): Hamiltonian dynamics with friction, which removes the energy that
//! gradient noise adds.
//!
//! r ← (1 − a) r + α ĝ + N(0, 2α(a − β̂) I), θ ← θ + r, ĝ an estimate of ∇ log p(θ).
//!
//! Chen, Fox and Guestrin (2014), "Stochastic gradient Hamiltonian Monte Carlo", ICML, arXiv:1402.4102, eq. 15 (in the
//! letters used here: learning rate α, friction a, momentum v = r). With their time step h and friction C at unit mass,
//! α = h² and a = Ch. In equilibrium r ~ N(0, α I) approximately; r starts there. β̂ = αV/2 is the friction that
//! corresponds to gradient noise of variance V per coordinate: with `friction_correction` the injected noise is smaller
//! by as much. Where β̂ > a no noise is injected; with `noisy` gradients, whose V is known in advance, that is an
//! error.
//!
//! On N(0, 1/λ), where s² = 2α(a − β̂) + α²V is the variance of the noise of a step, the stationary variances are Var θ
//! = s²/(aαλ(2 − αλ/(2 − a))) and Var r = 2αλ Var θ/(2 − a). The map (θ, r) has determinant 1 − a and trace 2 − a − αλ,
//! so it is stable while αλ < 2(2 − a). With a = 1 a chain keeps no momentum, and the method is SGLD.
//!
//! Deviations: momenta are never drawn again, which the paper leaves open. V of a minibatch is the exact one at θ
//! ([`crate::methods::kit::gradient`]) and not an estimate, at the cost of a full gradient per step. A change of the step size leaves r
//! unchanged, so that r is out of equilibrium for about 1/a steps.

use std::sync::Arc;

use super::momentum::{self, Push};
use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::sources;
use crate::methods::{
    Chunk, Dynamics, Gradient, Method, MethodEntry, MethodGroup, Needs, Population, Problem, Scratch, StepScale,
    StepSpec,
};
use crate::schedules::{CONSTANT, Schedule, Stage};
use base::math::Coords;
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Friction: 1 − a is the momentum coefficient of optimisers, whose usual value is 0.9.
pub(crate) const FRICTION: ParamSpec = ParamSpec::number(
    "friction",
    "friction a",
    0.1,
    Interval::above_to(0.0, 1.0),
    (0.01, 1.0),
    "The share of its momentum that a chain loses per step. With little friction a chain travels far; with a = 1 it keeps \
     no momentum and moves as in SGLD.",
)
.log();

/// Whether the injected noise is reduced by the gradient noise.
pub(crate) const FRICTION_CORRECTION: ParamSpec = ParamSpec::of(
    "friction_correction",
    "subtract gradient noise",
    ParamType::Flag,
    DefaultValue::Flag(true),
    "Reduces the injected noise by the gradient noise (friction a − β̂ with β̂ = αV/2). Off, the chain is too hot, and the \
     draws spread too far.",
).folded();

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::step_size(CONSTANT),
    FRICTION,
    FRICTION_CORRECTION,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "sghmc",
        label: "SGHMC",
        help: "Stochastic gradient Hamiltonian Monte Carlo (Chen, Fox and Guestrin 2014): chains with momentum and \
               friction, which keep their direction for many steps.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: Some(StepSpec {
        formula: "r ← (1 − a) r + α ĝ + noise, θ ← θ + r.",
        noise: Some("variance 2α(a − β̂), β̂ = αV/2 with friction_correction and V the variance of ĝ, else β̂ = 0."),
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("sghmc.py"),
    sources: &[sources::CHEN],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sghmc {
    /// a, in (0, 1].
    pub friction: f64,
    /// Whether β̂ = αV/2; 0 otherwise.
    pub friction_correction: bool,
}

impl Sghmc {
    /// The algorithm with the friction in the `settings` of this method or of its cyclical variant.
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        Self { friction: settings.number("friction"), friction_correction: settings.flag("friction_correction") }
    }

    /// √(2α(a − β̂)), or 0 where that is not real, with the variance V of the gradient along an axis.
    fn injected_sd(&self, alpha: f64, variance: f64) -> f64 {
        let correction = if self.friction_correction { 0.5 * alpha * variance } else { 0.0 };
        (2.0 * alpha * (self.friction - correction)).max(0.0).sqrt()
    }

    /// Computes the standard deviations of the injected noise.
    fn spread(&self, problem: &Problem<'_>, step: &Step<'_>, chains: &Population, scratch: &mut Scratch) {
        let by_position = self.friction_correction && matches!(problem.gradient, Gradient::Minibatch { .. });
        let everywhere = self.injected_sd(step.alpha, problem.gradient.variance_everywhere());
        scratch.spread_evenly(&chains.positions, if step.noise { everywhere } else { 0.0 });
        if !by_position || !step.noise {
            return;
        }
        let Scratch { spread, vector, memory, .. } = scratch;
        for chain in 0..chains.len() {
            problem.gradient.batch_variances(problem, (&chains.positions, chain), memory, vector);
            vector.iter_mut().for_each(|variance| *variance = self.injected_sd(step.alpha, *variance));
            spread.set(chain, vector);
        }
    }
}

impl Method for Sghmc {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors() + 1, ..Needs::default() }
    }

    fn friction(&self) -> Option<(f64, bool)> {
        Some((self.friction, self.friction_correction))
    }

    fn alpha_in_words(&self) -> &'static str {
        "a step adds α ∇log p(θ) to the momentum, of which it keeps 1 − a. log p is that of all data."
    }

    fn dynamics(&self) -> Dynamics {
        Dynamics::Friction { friction: self.friction, corrected: self.friction_correction }
    }

    fn carries(&self) -> &'static [&'static str] {
        &["momentum"]
    }

    fn init(&self, starts: Coords, alpha: f64, normals: Coords) -> Population {
        momentum::start(starts, alpha.sqrt(), normals)
    }

    fn stable_below(&self, curvature: f64) -> Option<f64> {
        Some(2.0 * (2.0 - self.friction) / curvature)
    }

    fn check(&self, gradient: &Gradient, schedule: &dyn Schedule, steps: u64) -> Vec<ParamError> {
        let Gradient::Noisy { variance, .. } = *gradient else { return Vec::new() };
        let correction = 0.5 * largest_with_noise(schedule, steps) * variance;
        if !self.friction_correction || correction <= self.friction {
            return Vec::new();
        }
        let problem = format!(
            "friction a = {} is below β̂ = αV/2 = {correction}, the friction that corresponds to the gradient noise",
            self.friction
        );
        let allowed = if correction <= 1.0 {
            format!("from {correction} to 1, smaller steps, or friction_correction = false")
        } else {
            "no friction is enough for so much noise: smaller steps, or friction_correction = false".to_owned()
        };
        vec![ParamError::new("friction", problem, allowed)]
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.kept.clear();
        scratch.kept.resize(chains.len(), 1.0 - self.friction);
        for step in stepwise::each(steps, randomness, &chains.positions) {
            scratch.fill_estimates(problem, &step, chains);
            self.spread(problem, &step, chains, scratch);
            let (gain, unit) = (step.alpha, step.alpha.sqrt());
            let push = Push { gain, reach: 1.0, unit, vector: problem.gradient.vectors() };
            momentum::push(problem, &step, push, chains, scratch, step.records(&mut track));
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, stage: Stage) -> f64 {
        let by_position = self.friction_correction && matches!(gradient, Gradient::Minibatch { .. });
        let noise = stage != Stage::Exploration { noise: false };
        gradient.uncompensated().cost(data) + if by_position && noise { 1.0 } else { 0.0 }
    }
}

/// The largest step size among steps that inject noise. If the schedule also has steps without noise, only a few thousand
/// evenly spread steps are examined.
fn largest_with_noise(schedule: &dyn Schedule, steps: u64) -> f64 {
    const PROBES: u64 = 4096;
    let silent = Stage::Exploration { noise: false };
    if schedule.stage(1) != silent {
        return schedule.largest(steps);
    }
    let probes = (1..=steps).step_by(usize::try_from(steps.div_ceil(PROBES)).unwrap_or(usize::MAX).max(1));
    let noisy = probes.filter(|&step| schedule.stage(step) != silent);
    noisy.map(|step| schedule.step_size(step)).fold(0.0, f64::max)
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Sghmc::from_settings(settings)))
}
