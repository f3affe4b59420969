//! What a reference says so far.

use std::sync::Arc;

use super::{Inputs, ReferenceRun};
use crate::diagnostics::Outcome;
use crate::diagnostics::chain::{ess_bulk, ess_mean, ess_sd, mcse_mean, mcse_sd, rhat};
use base::math::Coords;

/// Mean and standard deviation of an output over draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, of the distribution itself.
    pub sd: f64,
}

/// The posterior of functions, as far as an HMC run knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Where f was looked at.
    pub inputs: Arc<Inputs>,
    /// C, the outputs of f at each input.
    pub outputs: usize,
    /// Number of chains.
    pub chains: usize,
    /// Draws of every chain.
    pub draws: u64,
    /// Draws of every chain when it is complete.
    pub planned: u64,
    /// The step size that the warm-up found, in units of the prior sds.
    pub step_size: f64,
    /// Mean probability of acceptance of each chain.
    pub acceptance: Vec<f64>,
    /// Output c of probe i at i · C + c.
    pub probes: Vec<Moments>,
    /// Output c of fine input i at i · C + c.
    pub fine: Vec<Moments>,
    /// R̂, the largest of f over probes and outputs, and of log p.
    pub rhat: Outcome,
    /// Bulk ESS, the smallest of the same.
    pub ess: Outcome,
    /// f at the probes, of every output one slice per chain, thinned evenly.
    traces: Vec<Vec<Vec<f64>>>,
    /// log p of the chains, thinned evenly.
    log_densities: Vec<Vec<f64>>,
    /// Some of the draws, evenly spread: all chains of one draw, then of a later one.
    pub vectors: Vec<Coords>,
}

impl Reference {
    /// The draws of f of probe and output number `value`, one slice per chain, in order, thinned evenly.
    #[must_use]
    pub fn trace(&self, value: usize) -> Vec<&[f64]> {
        self.traces.get(value).map(|chains| chains.iter().map(Vec::as_slice).collect()).unwrap_or_default()
    }

    /// Whether all draws are there.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.draws >= self.planned
    }

    /// The log densities of the draws, likewise.
    #[must_use]
    pub fn log_densities(&self) -> Vec<&[f64]> {
        self.log_densities.iter().map(Vec::as_slice).collect()
    }

    /// Monte Carlo standard errors of mean and standard deviation at probe and output number `value`.
    ///
    /// The kept draws are fewer than those behind the moments, so the errors are rather too large.
    ///
    /// # Errors
    /// With too few draws.
    pub fn errors(&self, value: usize) -> Result<Moments, &'static str> {
        let trace = self.trace(value);
        Ok(Moments { mean: mcse_mean(&trace)?, sd: mcse_sd(&trace)? })
    }

    /// Effective sample sizes of mean and standard deviation of the kept draws at probe and output number `value`.
    ///
    /// # Errors
    /// With too few draws.
    pub fn effective(&self, value: usize) -> Result<Moments, &'static str> {
        let trace = self.trace(value);
        Ok(Moments { mean: ess_mean(&trace)?, sd: ess_sd(&trace)? })
    }
}

impl ReferenceRun {
    /// What is known so far. Takes some milliseconds for R̂ and ESS.
    #[must_use]
    pub fn reference(&self) -> Reference {
        let [width, outputs] = self.sizes;
        let (chains, draws) = (self.plan.chains, self.draws());
        let probes = self.inputs.probes.len() / width * outputs;
        let all = self.all.len() / width * outputs;
        let count = (draws * chains as u64) as f64;
        let moments = |value: usize| {
            let [sum, square] = self
                .blocks
                .iter()
                .map(|block| block.sums(value))
                .fold([0.0; 2], |all, block| [all[0] + block[0], all[1] + block[1]]);
            let mean = sum / count;
            Moments { mean, sd: (square / count - mean * mean).max(0.0).sqrt() }
        };
        let of = |value: usize| self.trace.columns(value * chains..(value + 1) * chains);
        let worst = |measure: fn(&[&[f64]]) -> Outcome, worse: fn(f64, f64) -> f64| -> Outcome {
            let mut worst = measure(&of(probes))?;
            for value in 0..probes {
                worst = worse(worst, measure(&of(value))?);
            }
            Ok(worst)
        };
        let owned = |value: usize| of(value).into_iter().map(<[f64]>::to_vec).collect::<Vec<_>>();
        Reference {
            inputs: self.inputs.clone(),
            outputs,
            chains,
            draws,
            planned: self.plan.draws,
            step_size: self.together.found(),
            acceptance: self.blocks.iter().flat_map(|block| &block.accepted).map(|sum| sum / draws as f64).collect(),
            probes: (0..probes).map(moments).collect(),
            fine: (probes..all).map(moments).collect(),
            rhat: worst(rhat, f64::max),
            ess: worst(ess_bulk, f64::min),
            traces: (0..probes).map(owned).collect(),
            log_densities: owned(probes),
            vectors: self.vectors.clone(),
        }
    }
}
