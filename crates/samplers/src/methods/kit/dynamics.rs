//! Dynamics: what a step is as a Markov chain of positions, for those who compute its distribution instead of drawing.

use super::interaction::Interaction;
use crate::methods::Method;

/// A step of size α as a kernel, or why it is none that is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dynamics {
    /// θ' = θ + α ĝ + noise: the injected noise has the variance 2α, less that of ĝ where the gradient estimate says so.
    Langevin,
    /// A proposal θ' = θ + √(2α) ξ, accepted or rejected by the Metropolis rule.
    RandomWalk,
    /// A proposal θ' = θ + α ĝ + √(2α) ξ, accepted or rejected by the Metropolis rule.
    AdjustedLangevin,
    /// r' = (1 − a) r + α ĝ + noise of variance 2α(a − β̂), θ' = θ + r'.
    Friction {
        /// a in (0, 1].
        friction: f64,
        /// Whether β̂ = αV/2; 0 otherwise.
        corrected: bool,
    },
    /// Another one, with the reason in words why its distribution is not computed.
    NotComputed(&'static str),
}

/// Methods along paths of Hamiltonian dynamics.
pub(crate) const PATHS: Dynamics = Dynamics::NotComputed(
    "paths of Hamiltonian dynamics are not computed: each step draws a path of momentum and position",
);

/// Methods whose step is an optimiser's.
pub(crate) const ASCENT: Dynamics =
    Dynamics::NotComputed("an optimiser ends in points of high density, which have no distribution on a grid");

/// What can be said of a method that says nothing of its own.
pub(crate) fn usual(method: &(impl Method + ?Sized)) -> Dynamics {
    Dynamics::NotComputed(if method.inference().is_some() {
        "topics have more than two coordinates"
    } else if method.fitting().is_some() {
        "an approximation is a distribution already: its q is exact"
    } else if method.interaction() != Interaction::None {
        "the chains depend on each other"
    } else if !method.carries().is_empty() {
        "the method remembers more than the position of a chain"
    } else {
        "the step of the method is none of those whose distribution is computed"
    })
}
