//! The bands around the mean of functions.

use super::geometry::FunctionMoments;

/// Standard deviations to either side that a band covers.
const BAND: f64 = 2.0;

/// Mean ± [`BAND`] standard deviations of f, or of y with noise.
pub(super) fn band(inputs: &[f64], moments: &FunctionMoments, noise: f64) -> Vec<[f64; 3]> {
    let edges = inputs.iter().zip(moments.mean()).enumerate();
    edges
        .map(|(index, (x, mean))| {
            let half = BAND * moments.sd(index).hypot(noise);
            [*x, mean - half, mean + half]
        })
        .collect()
}
