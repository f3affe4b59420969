//! Densities on the line.

use super::{Family, PLANE};

/// Densities on the line.
pub static LINE: Family = Family {
    name: "line",
    hidden: &["start.random", "start.formula", "start.truth", "local_start", "start.y"],
    ..PLANE
};
