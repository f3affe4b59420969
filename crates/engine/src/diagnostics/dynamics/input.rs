//! What the measures of the newest step are made of.

use super::super::Outcome;
use base::math::Point;

/// What the readouts are computed from: the newest step, one entry per chain in every list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DynamicsInput {
    /// Step size α.
    pub alpha: f64,
    /// 1 or 2.
    pub dimension: usize,
    /// The step size from which on the method is unstable at the largest `curvature`.
    pub stability: Option<f64>,
    /// Displacements by the full gradient; empty before the first step.
    pub drift: Vec<Point>,
    /// Displacements by the error of the gradient estimate.
    pub gradient_noise: Vec<Point>,
    /// Displacements by the injected noise.
    pub injected_noise: Vec<Point>,
    /// Momenta, at unit mass; empty if the method has none.
    pub momenta: Vec<Point>,
}

/// Reason before the first step.
pub const NO_STEP: &str = "no step yet";

/// √ of the mean of the squared lengths.
///
/// # Errors
/// Without lengths, and if the value is not finite.
pub fn root_mean_square(lengths: &[Point]) -> Outcome {
    if lengths.is_empty() {
        return Err(NO_STEP);
    }
    let squares: f64 = lengths.iter().map(Point::norm_squared).sum();
    let value = (squares / lengths.len() as f64).sqrt();
    if value.is_finite() { Ok(value) } else { Err("the chains have left") }
}
