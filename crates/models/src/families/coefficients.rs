//! Posteriors in d dimensions whose coordinates have names: coefficients of a regression, means of groups.

use super::{Family, PLANE, Tabs};

/// Coefficients.
pub static COEFFICIENTS: Family = Family {
    name: "coefficients",
    tabs: Tabs { first: Some("coefficients"), sheet: Some("coefficients"), ..PLANE.tabs },
    ..PLANE
};
