//! One Euler–Maruyama step of the Langevin diffusion with an estimated gradient ĝ:
//!
//! θ ← θ + α ĝ + √s ξ, ξ ~ N(0, I), s = 2α, or 2α·max(0, 1 − αV/2) per coordinate with compensation (see
//! [`super::gradient`]), or 0 in an exploration stage without noise.
//!
//! What [`super::sgld`] does, and the step from which its relatives are built.

use super::{Gradient, Population, Problem, Randomness, Scratch, StepPlan, StepRecord};
use crate::math::Point;
use crate::schedules::Stage;

/// Standard deviations of the injected noise.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Injected {
    /// The same for all chains, per coordinate.
    Alike([f64; 2]),
    /// In the scratch space, per chain.
    PerChain,
}

/// Pairs of normals per chain and step: those of the gradient, then the injected one.
pub(super) fn pairs(gradient: &Gradient) -> usize {
    gradient.pairs() + 1
}

/// Moves every chain by one step. `records` are filled for as many chains as there are records.
pub(super) fn step(
    problem: &Problem<'_>,
    plan: &StepPlan<'_>,
    randomness: &Randomness<'_>,
    chains: &mut Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    let (first, second) = randomness.pair(problem.gradient.pairs(), chains.len());
    problem.gradient.estimate(problem.target, plan.batch, randomness, chains, scratch);
    let injected = injected_noise(problem, plan, chains, scratch);
    if !records.is_empty() {
        record(problem, plan.alpha, injected, (first, second), chains, scratch, records);
    }
    match injected {
        Injected::Alike([sd_x, sd_y]) => {
            advance(&mut chains.x, &scratch.gx, first, plan.alpha, sd_x);
            advance(&mut chains.y, &scratch.gy, second, plan.alpha, sd_y);
        }
        Injected::PerChain => {
            advance_each(&mut chains.x, &scratch.gx, first, plan.alpha, &scratch.sd_x);
            advance_each(&mut chains.y, &scratch.gy, second, plan.alpha, &scratch.sd_y);
        }
    }
    for (chain, record) in records.iter_mut().enumerate() {
        record.to = chains.position(chain);
    }
}

/// The standard deviations of this step's injected noise.
fn injected_noise(problem: &Problem<'_>, plan: &StepPlan<'_>, chains: &Population, scratch: &mut Scratch) -> Injected {
    let second = if problem.target.facts().dimension > 1 { 1.0 } else { 0.0 };
    let alike = |sd: f64| Injected::Alike([sd, sd * second]);
    match (plan.stage, *problem.gradient) {
        (Stage::Exploration { noise: false }, _) => alike(0.0),
        (_, Gradient::Noisy { variance, compensate: true }) => alike(injected_sd(plan.alpha, variance)),
        (_, Gradient::Minibatch { compensate: true, .. }) => {
            scratch.sd_x.resize(chains.len(), 0.0);
            scratch.sd_y.resize(chains.len(), 0.0);
            for chain in 0..chains.len() {
                let variance = problem.gradient.variance(problem.target, chains.position(chain));
                scratch.sd_x[chain] = injected_sd(plan.alpha, variance.x);
                scratch.sd_y[chain] = injected_sd(plan.alpha, variance.y) * second;
            }
            Injected::PerChain
        }
        (_, Gradient::Exact | Gradient::Noisy { .. } | Gradient::Minibatch { .. }) => {
            alike(injected_sd(plan.alpha, 0.0))
        }
    }
}

/// √(2α(1 − αV/2)), or 0 where that is not real.
fn injected_sd(alpha: f64, variance: f64) -> f64 {
    (2.0 * alpha * (1.0 - 0.5 * alpha * variance)).max(0.0).sqrt()
}

/// Moves one coordinate of all chains, with noise of one size.
fn advance(position: &mut [f64], gradient: &[f64], noise: &[f64], alpha: f64, sd: f64) {
    for ((position, gradient), noise) in position.iter_mut().zip(gradient).zip(noise) {
        *position += alpha * gradient + sd * noise;
    }
}

/// Moves one coordinate of all chains, with noise of a size of its own for each.
fn advance_each(position: &mut [f64], gradient: &[f64], noise: &[f64], alpha: f64, sd: &[f64]) {
    for (((position, gradient), noise), sd) in position.iter_mut().zip(gradient).zip(noise).zip(sd) {
        *position += alpha * gradient + sd * noise;
    }
}

/// Takes down where the chains are and what is about to move them.
fn record(
    problem: &Problem<'_>,
    alpha: f64,
    injected: Injected,
    (first, second): (&[f64], &[f64]),
    chains: &Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    let count = records.len().min(chains.len());
    scratch.full_x.resize(count, 0.0);
    scratch.full_y.resize(count, 0.0);
    let (x, y) = (&chains.x[..count], &chains.y[..count]);
    problem.target.gradients(x, y, &mut scratch.full_x, &mut scratch.full_y);
    for (chain, record) in records.iter_mut().enumerate().take(count) {
        let full = Point::new(scratch.full_x[chain], scratch.full_y[chain]);
        let estimate = Point::new(scratch.gx[chain], scratch.gy[chain]);
        let [sd_x, sd_y] = match injected {
            Injected::Alike(sd) => sd,
            Injected::PerChain => [scratch.sd_x[chain], scratch.sd_y[chain]],
        };
        *record = StepRecord {
            from: chains.position(chain),
            drift: full * alpha,
            gradient_noise: (estimate - full) * alpha,
            injected_noise: Point::new(sd_x * first[chain], sd_y * second[chain]),
            ..StepRecord::default()
        };
    }
}
