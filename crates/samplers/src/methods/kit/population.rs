//! Populations: chains side by side, with positions, auxiliary state, and counts of accepted proposals.

use crate::methods::{Approximation, TopicChain};
use base::math::{Coords, Point};

/// Chains side by side: vector `i` of every list belongs to chain `i`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Population {
    /// Where the chains are.
    pub positions: Coords,
    /// Auxiliary state, one entry per quantity that [`Method::carries`](crate::methods::Method::carries) names.
    pub carried: Vec<Coords>,
    /// Counts of proposals, of Metropolis methods.
    pub acceptance: Acceptance,
    /// Evaluations by all chains, of samplers whose steps differ in their cost
    /// ([`Method::most_evaluations`](crate::methods::Method::most_evaluations)); else 0.
    pub evaluations: u64,
    /// Counts of exchanges between replica k and k + 1 of all chains, for k = 1 to K − 1, of parallel tempering; else empty.
    pub swaps: Vec<Acceptance>,
    /// One approximation per chain, whose mean is the chain's position; empty for samplers.
    pub fits: Vec<Approximation>,
    /// The topics of every chain, on a target of topics; else empty.
    pub topics: Vec<TopicChain>,
}

/// Counts of the proposals of a Metropolis method, over all chains and steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceptance {
    /// Number of proposals.
    pub proposals: u64,
    /// Number of accepted proposals.
    pub accepted: u64,
    /// Sum of the acceptance probabilities of all proposals, which is less noisy than the number of accepted ones.
    pub probability: f64,
}

impl Acceptance {
    /// Counts a proposal with the given acceptance probability.
    pub fn count(&mut self, probability: f64, accepted: bool) {
        self.proposals += 1;
        self.accepted += u64::from(accepted);
        self.probability += probability;
    }

    /// The counts of both together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            proposals: self.proposals + other.proposals,
            accepted: self.accepted + other.accepted,
            probability: self.probability + other.probability,
        }
    }

    /// The mean acceptance probability; `None` without proposals.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        (self.proposals > 0).then(|| self.probability / self.proposals as f64)
    }
}

impl Population {
    /// Chains at the given positions, without auxiliary state.
    #[must_use]
    pub fn at(positions: Coords) -> Self {
        Self { positions, ..Self::default() }
    }

    /// Number of chains.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no chains.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Position of chain `index` in the plane, of a planar target.
    #[inline]
    #[must_use]
    pub fn position(&self, index: usize) -> Point {
        self.positions.point(index)
    }
}
