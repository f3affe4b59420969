//! What a method says of its step: the formula, the noise, and the notation of its step size.

use crate::schedules::ALPHA;

/// The step of a method with a step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSpec {
    /// The step, with ĝ for the estimate of the gradient of the log density.
    pub formula: &'static str,
    /// The noise that it injects; `None` if draws spread by the gradient noise alone.
    pub noise: Option<&'static str>,
    /// What its step size is.
    pub scale: StepScale,
}

impl StepSpec {
    /// The noise of Langevin steps.
    pub(crate) const LANGEVIN_NOISE: Option<&'static str> =
        Some("√(2α) ξ with ξ ~ N(0, I), variance 2α in every coordinate.");
}

/// What a step size is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepScale {
    /// α, as of Langevin steps. [What it does](super::super::Method::alpha_in_words) depends on the method.
    Langevin,
    /// h, the time step of an integrator at unit mass. Drift and noise are those of a Langevin step of another size α.
    Time {
        /// α as a formula.
        alpha: &'static str,
        /// α/h².
        ratio: f64,
    },
    /// h, the length of a step at unit speed.
    Length,
    /// η of Adam: a learning rate, about the change of each parameter per step.
    LearningRate,
    /// ρ, the weight of a new estimate beside the old one.
    Weight,
}

impl StepScale {
    /// The time step of leapfrog steps from a new momentum.
    pub(crate) const LEAPFROG: Self = Self::Time { alpha: "h²/2", ratio: 0.5 };

    /// The symbol of the step size.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Langevin => ALPHA,
            Self::Time { .. } | Self::Length => "h",
            Self::LearningRate => "η",
            Self::Weight => "ρ",
        }
    }
}
