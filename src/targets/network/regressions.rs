//! The data of functions among the choices of a network: to learn from and to test with, in the units of the network.

use super::{CUBIC_TARGET_UNIT, DataSet, Noise, Observations, TestSet};

/// The data of the choice with this name, the standard deviation of their noise, and test data.
pub(super) fn observations(name: &str, sd: f64, noise: Noise) -> (Observations, f64, Vec<TestSet>) {
    let (set, noise_sd) = match name {
        "two-clusters" => (DataSet::TwoClusters { sd }, sd),
        "cubic" => (DataSet::Cubic { sd }, sd / CUBIC_TARGET_UNIT),
        _ => (DataSet::GapSine { sd }, sd),
    };
    (set.train(noise), noise_sd, set.tests(noise))
}
