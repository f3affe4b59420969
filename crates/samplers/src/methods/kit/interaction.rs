//! Interaction: how the chains of a run depend on each other, and which methods cannot take over the chains of another.

use crate::methods::build;
use base::params::{KindSpec, Settings};

/// How the chains of a run depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interaction {
    /// Not at all: every chain has its own random numbers and nothing else.
    None,
    /// By an archive of their past, from which proposals are made.
    Archive,
    /// As particles, each of which moves by the positions of all others.
    Particles,
}

/// Why a method cannot take over the chains of another during a run: they start at draws from the prior, or depend on each other.
/// `None` if it can.
#[must_use]
pub fn begins_anew(kind: &'static KindSpec) -> Option<&'static str> {
    let method = build(&Settings::defaults(kind)).ok()?;
    if method.starts_from_prior() {
        Some("starts at draws from the prior, not during a run")
    } else if method.interaction() != Interaction::None {
        Some("has chains that depend on each other, which cannot begin during a run")
    } else {
        None
    }
}
