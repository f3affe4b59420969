//! Regressions: posteriors of the weights of a function, whose draws are functions.

use super::network::TestSet;
use base::params::Value;

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

    /// Data to test predictions with; none unless the target has some.
    fn tests(&self) -> &[TestSet] {
        &[]
    }

    /// f(x; w). Weights are in the order of the coordinates of the target.
    fn value(&self, weights: &[f64], x: f64) -> f64;

    /// ∂f(x; w)/∂w, in the order of the coordinates; `None` if it is not known.
    fn slopes(&self, _weights: &[f64], _x: f64) -> Option<Vec<f64>> {
        None
    }
}

/// Number of places along the input at which functions are drawn: they look smooth.
pub const PLACES: usize = 129;

/// Evenly spaced inputs over the range that a regression shows.
#[must_use]
pub fn places(regression: &dyn Regression) -> Vec<f64> {
    let (from, to) = regression.shown();
    (0..PLACES).map(|place| from + (to - from) * place as f64 / (PLACES - 1) as f64).collect()
}

/// f at these inputs for one vector of weights.
#[must_use]
pub fn values(regression: &dyn Regression, weights: &[f64], inputs: &[f64]) -> Vec<f64> {
    inputs.iter().map(|x| regression.value(weights, *x)).collect()
}
