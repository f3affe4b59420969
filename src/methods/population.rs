//! Populations: chains side by side, with positions, auxiliary state, and counts of accepted proposals.

use super::{Approximation, Proposal};
use crate::math::Point;

/// Chains side by side: entry `i` of every list belongs to chain `i`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Population {
    /// First coordinates.
    pub x: Vec<f64>,
    /// Second coordinates.
    pub y: Vec<f64>,
    /// Auxiliary state, one list per quantity that [`Method::carries`](super::Method::carries) names.
    pub carried: Vec<Vec<f64>>,
    /// Counts of proposals, of Metropolis methods.
    pub acceptance: Acceptance,
    /// One approximation per chain, whose mean is the chain's position; empty for samplers.
    pub fits: Vec<Approximation>,
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
    /// Counts a proposal.
    pub fn count(&mut self, proposal: &Proposal) {
        self.proposals += 1;
        self.accepted += u64::from(proposal.accepted);
        self.probability += proposal.probability;
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
    /// Chains at the given points, without auxiliary state.
    #[must_use]
    pub fn at(starts: &[Point]) -> Self {
        let (x, y) = starts.iter().map(|start| (start.x, start.y)).unzip();
        Self { x, y, ..Self::default() }
    }

    /// Number of chains.
    #[must_use]
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there are no chains.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Position of chain `index`.
    #[must_use]
    pub fn position(&self, index: usize) -> Point {
        Point::new(self.x[index], self.y[index])
    }
}
