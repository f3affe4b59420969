//! Posteriors in d dimensions whose coordinates have names: coefficients of a regression, means of groups.

use super::{Family, Leading, PLANE, Tabs};

/// What leads for draws: histograms of two of ten coefficients would rank runs by their noise.
const OF_DRAWS: [&str; 4] = ["quantity_means", "quantity_sds", "quantity_rhat", "quantity_ess"];

/// Coefficients.
pub static COEFFICIENTS: Family = Family {
    name: "coefficients",
    leading: Leading {
        modes: &OF_DRAWS,
        single: &OF_DRAWS,
        fits: &["quantity_means", "quantity_sds", "elbo", "evidence"],
    },
    tabs: Tabs { first: Some("coefficients"), sheet: Some("coefficients"), ..PLANE.tabs },
    ..PLANE
};
