//! The programs of methods: their steps for people.

use std::sync::LazyLock;

use super::kit::algorithm::Algorithm;
use super::{ENTRIES, topics};
use base::params::KindSpec;

/// The step of a method for people.
#[must_use]
pub fn algorithm(method: &KindSpec) -> &'static Algorithm {
    static ALL: LazyLock<Vec<Algorithm>> =
        LazyLock::new(|| ENTRIES.iter().map(|entry| Algorithm::read(entry.algorithm)).collect());
    let number = ENTRIES.iter().position(|entry| entry.spec.name == method.name);
    &ALL[number.unwrap_or(0)]
}

/// The step of a method on topics for people: its own there, or the one that it takes everywhere.
#[must_use]
pub fn algorithm_on_topics(method: &KindSpec) -> &'static Algorithm {
    static OWN: LazyLock<Vec<(&'static str, Algorithm)>> =
        LazyLock::new(|| topics::ALGORITHMS.map(|(name, text)| (name, Algorithm::read(text))).into());
    let own = OWN.iter().find(|(name, _)| *name == method.name);
    own.map_or_else(|| algorithm(method), |(_, algorithm)| algorithm)
}
