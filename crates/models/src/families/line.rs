//! Densities on the line.

use super::{Family, PLANE};

/// Densities on the line.
pub static LINE: Family = Family { name: "line", without: &["start.y"], ..PLANE };
