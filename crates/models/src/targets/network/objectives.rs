//! Objectives besides log p_T: of members of an anchored ensemble, and of networks with dropout.

use super::Network;
use super::many_chains::Objective;
use crate::targets::{Disturbance, Dropout};
use base::math::Coords;

/// log p_T with noise in the data and with anchors, of a network with Gaussian noise.
#[derive(Clone, Copy)]
pub(super) struct Disturbed<'a> {
    disturbance: Disturbance<'a>,
    /// The standard deviation of the tempered likelihood, whose variance is σ²T.
    sd: f64,
    /// What anchors are multiplied by: a tempered prior has variance s²T.
    scale: f64,
}

impl<'a> Disturbed<'a> {
    /// Of a network with noise of standard deviation `sd` at T = 1.
    pub(super) fn new(network: &Network, sd: f64, disturbance: Disturbance<'a>) -> Self {
        let (of_prior, of_likelihood) = network.temper.factors();
        Self { disturbance, sd: sd / of_likelihood.sqrt(), scale: 1.0 / of_prior.sqrt() }
    }
}

impl Objective for Disturbed<'_> {
    #[inline(always)]
    fn target(self, y: f64, index: usize, chain: usize) -> f64 {
        y + self.sd * self.disturbance.noise(index, chain)
    }

    #[inline(always)]
    fn anchor(self, axis: usize, chain: usize) -> f64 {
        self.scale * self.disturbance.anchors.get(chain, axis)
    }
}

/// log p_T with hidden units dropped.
#[derive(Clone, Copy)]
pub(super) struct Dropped<'a> {
    network: &'a Network,
    dropout: Dropout<'a>,
    /// Number of hidden units.
    units: usize,
    chains: usize,
    /// 1/(1 − p).
    scale: f64,
}

impl<'a> Dropped<'a> {
    /// Of the vectors `at`.
    pub(super) fn new(network: &'a Network, at: &Coords, dropout: Dropout<'a>) -> Self {
        Self { network, dropout, units: network.layout.hidden_units(), chains: at.len(), scale: 1.0 / dropout.keep }
    }
}

impl Objective for Dropped<'_> {
    #[inline(always)]
    fn mask(self, unit: usize, number: usize, chain: usize) -> f64 {
        let uniform = self.dropout.uniforms.get((number * self.units + unit) * self.chains + chain);
        if uniform.is_none_or(|uniform| *uniform < self.dropout.keep) { self.scale } else { 0.0 }
    }

    #[inline(always)]
    fn keep(self) -> f64 {
        self.dropout.keep
    }

    #[inline(always)]
    fn precision(self, axis: usize, precision: f64) -> f64 {
        if self.network.layout.unit_behind(axis).is_some() { precision * self.dropout.decay } else { precision }
    }
}
