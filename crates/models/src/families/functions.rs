//! Posteriors of the weights of a network whose values are observed with noise.

use super::plane::OF_POSITIONS;
use super::{Family, Leading};

/// Weights of functions.
pub static FUNCTIONS: Family = Family {
    name: "functions",
    leading: Leading::always(&["w1_functions", "nll_in", "nll_gap", "rhat_functions"]),
    ..OF_POSITIONS
};
