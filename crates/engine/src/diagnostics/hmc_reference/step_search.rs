//! Search for the step size at which a share of 0.8 of the proposals is accepted.

use base::math::elementary::{exp, ln};

/// The mean probability of acceptance that is looked for.
const ACCEPTED: f64 = 0.8;

/// How fast log h follows a density that changes: by this times the error of the newest probability.
const GAIN: f64 = 0.1;

/// The step size after a proposal that was accepted with this probability, on a density that changes from one to the next.
pub(super) fn followed(step: f64, probability: f64) -> f64 {
    step * exp(GAIN * (probability - ACCEPTED))
}

/// γ, how strongly trials are drawn towards the first step size.
const PULL: f64 = 0.05;

/// t₀, which makes the first steps of the search smaller.
const DELAY: f64 = 10.0;

/// A search by dual averaging (M. D. Hoffman & A. Gelman, *The No-U-Turn Sampler*, J. Mach. Learn. Res. 15, 2014, section
/// 3.2, with their γ, t₀ and κ = 3/4), centred at the first step size.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSearch {
    /// μ.
    centre: f64,
    /// H̄.
    error: f64,
    /// log h of the next trial.
    trial: f64,
    /// The weighted mean of log h over trials.
    mean: f64,
    /// t.
    count: f64,
}

impl StepSearch {
    /// From a first step size.
    pub(super) fn new(first: f64) -> Self {
        let centre = ln(first);
        Self { centre, error: 0.0, trial: centre, mean: centre, count: 0.0 }
    }

    /// The step size to try next.
    pub(super) fn trial(&self) -> f64 {
        exp(self.trial)
    }

    /// The step size that was found.
    pub(super) fn found(&self) -> f64 {
        exp(self.mean)
    }

    /// Takes in the probability of acceptance of a proposal with the last trial.
    pub(super) fn learn(&mut self, probability: f64) {
        self.count += 1.0;
        let share = 1.0 / (self.count + DELAY);
        self.error += share * (ACCEPTED - probability - self.error);
        let root = self.count.sqrt();
        self.trial = self.centre - root / PULL * self.error;
        let weight = 1.0 / (root * root.sqrt());
        self.mean += weight * (self.trial - self.mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Acceptance falls as 1 − 2h from 1 to 0: it is 0.8 at h = 0.1.
    #[test]
    fn the_step_size_of_the_wanted_acceptance_is_found() {
        let probability = |step: f64| (1.0 - 2.0 * step).max(0.0);
        for first in [1e-3, 0.01, 3.0] {
            let mut search = StepSearch::new(first);
            for _ in 0..1000 {
                search.learn(probability(search.trial()));
            }
            assert!((search.found() - 0.1).abs() < 0.01, "{}", search.found());
            let step = (0..1000).fold(first, |step, _| followed(step, probability(step)));
            assert!((step - 0.1).abs() < 1e-3, "{step}");
        }
    }
}
