//! Bias, variance and error of smoothed steps along the path of a run.
//!
//! S. Mandt and D. M. Blei (2014), arXiv:1406.3650, section 3. Before step i, at λ_{i−1}, S_i = S(λ_{i−1}) is the statistics of
//! all documents and v_i the variance of the estimate Ŝ_i. With n = min(L, i) and means over the last n steps:
//!
//! bias² = ‖mean S_j − S_i‖², variance = Σ v_j/n², squared error = bias² + variance,
//!
//! and what came about is ‖mean Ŝ_j − S_i‖². For averaged gradients S_j − λ_{j−1} takes the place of S_j. The path is given:
//! the old Ŝ_j have already moved λ, so what came about is smaller where bias and noise are alike. The formula takes
//! batches to be independent. Those of one shuffled epoch are not, and the error is overstated.
//!
//! Every step of the path costs a pass over all documents.

use std::collections::VecDeque;

use super::{FullStatistics, Sparse, Topics};

/// What is known of one step.
#[derive(Clone, Debug)]
struct PathStep {
    /// λ before the step.
    lambda: Topics,
    /// S at this λ.
    full: Topics,
    /// v at this λ.
    variance: f64,
    /// Ŝ.
    estimate: Sparse,
}

/// The newest steps of a run.
#[derive(Clone, Debug)]
pub struct StepPath {
    longest: usize,
    steps: VecDeque<PathStep>,
}

/// Errors of a smoothed step, in squared Euclidean distance in λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepError {
    /// Number of steps in the mean.
    pub steps: usize,
    /// Squared bias.
    pub bias_square: f64,
    /// Variance, for independent batches.
    pub variance: f64,
    /// The squared error that came about.
    pub realised: f64,
}

impl StepError {
    /// The expected squared error: squared bias and variance.
    #[must_use]
    pub fn squared_error(&self) -> f64 {
        self.bias_square + self.variance
    }
}

impl StepPath {
    /// No steps yet; the newest `longest` ≥ 1 are kept, two K·V numbers each.
    #[must_use]
    pub fn new(longest: usize) -> Self {
        Self { longest: longest.max(1), steps: VecDeque::new() }
    }

    /// Forgets all steps.
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    /// Adds a step: λ before it, the statistics there, their variance for its kind of batches, and its estimate.
    pub fn push(&mut self, lambda: &Topics, full: FullStatistics, variance: f64, estimate: &Sparse) {
        if self.steps.len() == self.longest {
            self.steps.pop_front();
        }
        self.steps.push_back(PathStep { lambda: lambda.clone(), full: full.sum, variance, estimate: estimate.clone() });
    }

    /// Errors of the newest step for a window of averaged statistics; `None` before the first step, and for a window that is
    /// longer than what is kept.
    #[must_use]
    pub fn statistics(&self, window: usize) -> Option<StepError> {
        self.errors(window, 0.0)
    }

    /// The same for averaged gradients.
    #[must_use]
    pub fn gradients(&self, window: usize) -> Option<StepError> {
        self.errors(window, 1.0)
    }

    /// With `share` times λ subtracted from every S.
    fn errors(&self, window: usize, share: f64) -> Option<StepError> {
        let newest = self.steps.back().filter(|_| (1..=self.longest).contains(&window))?;
        let steps = window.min(self.steps.len());
        let factor = 1.0 / steps as f64;
        let zero = Topics::filled(newest.full.count(), newest.full.words(), 0.0);
        let (mut expected, mut found, mut variance) = (zero.clone(), zero, 0.0);
        for step in self.steps.iter().rev().take(steps) {
            add(&mut expected, &step.full, factor);
            step.estimate.add_to(&mut found, factor);
            variance += step.variance * factor * factor;
            for sum in [&mut expected, &mut found] {
                add(sum, &step.lambda, -share * factor);
            }
        }
        let mut goal = newest.full.clone();
        add(&mut goal, &newest.lambda, -share);
        let (bias_square, realised) = (expected.square_distance(&goal), found.square_distance(&goal));
        Some(StepError { steps, bias_square, variance, realised })
    }
}

fn add(sum: &mut Topics, values: &Topics, factor: f64) {
    for (sum, value) in sum.values_mut().iter_mut().zip(values.values()) {
        *sum += factor * value;
    }
}

/// The variance of λ in the long run, in units of that of an estimate, for a constant weight ρ and independent estimates
/// averaged over a window L. The variance of the step falls as 1/L at once, that of λ only from L ≈ 1/ρ on.
///
/// [L − 2a(1 − aᴸ)/(1 − a) + a²(1 − a²ᴸ)/(1 − a²) + (1 − aᴸ)² a²/(1 − a²)]/L² with a = 1 − ρ; ρ/(2 − ρ) for L = 1.
#[must_use]
pub fn smoothed_variance(rho: f64, window: usize) -> f64 {
    let (a, length) = (1.0 - rho, window.max(1) as f64);
    let power = (0..window.max(1)).fold(1.0, |power, _| power * a);
    let square = a * a / (1.0 - a * a);
    let own = length - 2.0 * a * (1.0 - power) / rho + square * (1.0 - power * power);
    (own + (1.0 - power) * (1.0 - power) * square) / (length * length)
}
