//! Densities in d dimensions whose coordinates have names, and of which nothing is known: those that a person writes down.

use super::{COEFFICIENTS, Family, Leading};

/// What leads: whether chains agree, and what their draws are worth.
const OF_CHAINS: [&str; 2] = ["quantity_rhat", "quantity_ess"];

/// Vectors.
pub static VECTORS: Family = Family {
    name: "vectors",
    leading: Leading { modes: &OF_CHAINS, single: &OF_CHAINS, fits: &["elbo", "evidence"] },
    ..COEFFICIENTS
};
