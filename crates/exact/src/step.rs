//! One step of a Langevin-type chain, θ' = θ + α ∇log p(θ) + s ξ, as numbers.
//!
//! Exact gradients and injected noise give s² = 2αT (Roberts and Tweedie 1996, Bernoulli 2). Gradient noise of variance V adds α²V (Welling
//! and Teh 2011, ICML), unless the injected noise is reduced by it. Exploration may inject none.

use samplers::schedules::{Schedule, Stage};

/// What a step does besides the target: step size and total noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// α, finite and not negative.
    pub alpha: f64,
    /// s², the variance of all noise of a coordinate, injected and of the gradient.
    pub variance: f64,
}

/// Where the noise of a step comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// T ≥ 0.
    pub temperature: f64,
    /// V ≥ 0, the variance of the gradient estimate, in each coordinate.
    pub gradient_variance: f64,
    /// Whether the injected noise is reduced by that of the gradient, as long as 2T ≥ αV.
    pub compensate: bool,
}

impl Noise {
    /// Exact gradients at temperature 1.
    pub const LANGEVIN: Self = Self { temperature: 1.0, gradient_variance: 0.0, compensate: false };

    /// A step of size α; without injected noise if `injected` is false.
    #[must_use]
    pub fn step(&self, alpha: f64, injected: bool) -> Step {
        let (thermal, gradient) = (2.0 * alpha * self.temperature, alpha * alpha * self.gradient_variance);
        let variance = match (injected, self.compensate) {
            (false, _) => gradient,
            (true, true) => thermal.max(gradient),
            (true, false) => thermal + gradient,
        };
        Step { alpha, variance }
    }

    /// Steps `first` ≥ 1 to `last` of a schedule, each with whether its draw is collected.
    pub fn steps<'a>(
        &'a self,
        schedule: &'a dyn Schedule,
        first: u64,
        last: u64,
    ) -> impl Iterator<Item = (Step, bool)> + 'a {
        (first..=last).map(move |k| {
            let stage = schedule.stage(k);
            let injected = !matches!(stage, Stage::Exploration { noise: false });
            (self.step(schedule.step_size(k), injected), stage == Stage::Sampling)
        })
    }
}
