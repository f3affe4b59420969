//! Densities in the plane, and models in d dimensions whose marginal in the plane of two coordinates is known.

use super::{Cost, Family, Leading, Substitute, Tabs};

/// Densities in the plane.
pub static PLANE: Family = Family {
    name: "plane",
    leading: Leading {
        modes: &["modes_covered", "within_3sd", "mode_weight_kl", "ess_bulk"],
        single: &["tv", "mean_error", "covariance_error", "ess_bulk"],
        fits: &["kl_qp", "kl_pq", "elbo", "evidence"],
    },
    ..OF_POSITIONS
};

/// What families of chains with positions have in common.
pub(super) const OF_POSITIONS: Family = Family {
    name: "",
    leading: Leading::always(&[]),
    tabs: Tabs { first: None, canvases: None, sheet: None, silent: &[], higher: None },
    cost: Cost::GRADIENTS,
    without: &[],
    alone: &[],
    start: None,
    substitute: Substitute { method: "sgld", batch: None },
    long_steps: false,
    no_positions: None,
};
