//! Input of the measures of chains.

use super::super::{NO_DRAWS, Series, Totals, Truth};

/// What the measures of chains are computed from.
#[derive(Clone, Copy, Debug)]
pub struct ChainInput<'a> {
    /// The truth about the target.
    pub truth: &'a Truth,
    /// Collected draws in their order, perhaps thinned.
    pub series: &'a Series,
    /// Number of draws collected by all chains, thinned or not.
    pub collected: u64,
    /// What is known of all of them.
    pub totals: Totals,
    /// Number of chains that have diverged.
    pub diverged: usize,
    /// Mean probability of acceptance; `None` if the method rejects nothing.
    pub acceptance: Option<f64>,
}

impl ChainInput<'_> {
    /// The draws of every chain, coordinate by coordinate of the target.
    pub(super) fn coordinates(&self) -> Result<impl Iterator<Item = Vec<&[f64]>>, &'static str> {
        if self.series.rows() == 0 {
            return Err(NO_DRAWS);
        }
        Ok((0..self.truth.dimension()).map(|axis| self.series.coordinate(axis)))
    }
}
