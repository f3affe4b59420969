//! Regressions: posteriors of the weights of a function, whose draws are functions.

use crate::params::Value;

/// A regression yᵢ = f(xᵢ; w) + noise of known standard deviation, behind a posterior of its weights w.
pub trait Regression: Send + Sync {
    /// The inputs x₁ … x_N.
    fn inputs(&self) -> &[f64];

    /// The observations y₁ … y_N, as many.
    fn observations(&self) -> &[f64];

    /// The standard deviation σ of the noise.
    fn noise_sd(&self) -> f64;

    /// The inputs to show, from and to: those of the data and some beyond.
    fn shown(&self) -> (f64, f64);

    /// Names of x and y as labels of axes, with their units.
    fn axes(&self) -> [&'static str; 2] {
        ["x", "y"]
    }

    /// The parameter of the target and the value of it with which its data are these (x, y), in the units of
    /// [`Self::inputs`] and [`Self::observations`]; `None` if they cannot be chosen freely.
    fn with_data(&self, _data: &[[f64; 2]]) -> Option<(&'static str, Value)> {
        None
    }

    /// f(x; w). Weights are in the order of the coordinates of the target.
    fn value(&self, weights: &[f64], x: f64) -> f64;
}
