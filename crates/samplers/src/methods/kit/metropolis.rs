//! Metropolis rule: a proposal θ′ is accepted with probability min(1, r), so that the density is stationary at every step
//! size.
//!
//! Metropolis, Rosenbluth, Rosenbluth, Teller and Teller (1953), J. Chem. Phys. 21:1087; Hastings (1970),
//! Biometrika 57:97. r is a ratio of densities in the coordinates of the chains, which include the Jacobian in logit
//! coordinates. A proposal where the density is 0, or where a number is NaN, is never accepted: these chains do not
//! diverge, and nothing is folded back at the boundary of the support.

use super::stepwise::Step;
use crate::methods::{Population, Problem, Proposal, Scratch, StepRecord};
use crate::schedules::{Schedule, Stage};
use base::math::Coords;
use base::math::elementary::exp;
use base::params::ParamError;

/// The error of a schedule with stages without injected noise, which break detailed balance. A schedule with exploration
/// stages explores from its first step on.
pub(crate) fn check_noise(schedule: &dyn Schedule) -> Option<ParamError> {
    (schedule.stage(1) == Stage::Exploration { noise: false }).then(|| {
        let problem = "the Metropolis rule cannot accept or reject steps without noise";
        let allowed = "true, an exploration share of 0, or a schedule without exploration stages";
        ParamError::new("step_size.exploration_noise", problem, allowed)
    })
}

/// min(1, r) for ln r; 0 for NaN.
pub(crate) fn probability(log_ratio: f64) -> f64 {
    if log_ratio >= 0.0 {
        1.0
    } else if log_ratio < 0.0 {
        exp(log_ratio)
    } else {
        0.0
    }
}

/// A decision about the proposal of a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// ln r.
    pub(crate) log_ratio: f64,
    /// The acceptance probability.
    pub(crate) probability: f64,
    /// Whether the proposal was accepted.
    pub(crate) accepted: bool,
}

/// Accepts or rejects the proposal of every chain, counts it, and records it in the `records` of the first chains.
///
/// Proposals and their log densities are in `scratch.to` and `scratch.to_log_density`. An accepted proposal also
/// updates `scratch.log_density`, and `scratch.full` from `scratch.to_full` where both hold all chains. `correction` is
/// ln r without the log densities, chain by chain. The decisions are made with the first uniforms of the step.
pub(crate) fn decide(
    problem: &Problem<'_>,
    step: &Step<'_>,
    chains: &mut Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
) {
    decide_each(problem, step, chains, scratch, records, |_, _| {});
}

/// The same; `tell` gets every decision with the number of its chain.
pub(crate) fn decide_each(
    problem: &Problem<'_>,
    step: &Step<'_>,
    chains: &mut Population,
    scratch: &mut Scratch,
    records: &mut [StepRecord],
    mut tell: impl FnMut(usize, Decision),
) {
    let Scratch { to, to_log_density, to_full, full, log_density, correction, .. } = scratch;
    for (chain, uniform) in step.uniforms().iter().enumerate().take(chains.len()) {
        let log_ratio = to_log_density[chain] - log_density[chain] + correction[chain];
        let probability = if is_finite(to, chain) { probability(log_ratio) } else { 0.0 };
        let accepted = *uniform < probability;
        if is_finite(&chains.positions, chain) {
            chains.acceptance.count(probability, accepted);
        }
        tell(chain, Decision { log_ratio, probability, accepted });
        if accepted {
            chains.positions.copy_vector(chain, to, chain);
            log_density[chain] = to_log_density[chain];
            if full.len() == to_full.len() {
                full.copy_vector(chain, to_full, chain);
            }
        }
        if let Some(record) = records.get_mut(chain) {
            record.proposal =
                Some(Proposal { at: problem.position(to, chain), log_ratio, probability, uniform: *uniform, accepted });
        }
    }
}

/// Whether all coordinates of a vector are finite.
pub(crate) fn is_finite(vectors: &Coords, index: usize) -> bool {
    vectors.vector(index).all(f64::is_finite)
}
