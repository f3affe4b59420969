//! Posteriors of the weights of a network that says how probable each class is.

use super::plane::OF_POSITIONS;
use super::{Family, Leading};

/// Weights of probabilities of classes.
pub static CLASSES: Family = Family {
    name: "classes",
    leading: Leading::always(&["nll_in", "error_in", "tv_classes", "rhat_functions"]),
    ..OF_POSITIONS
};
