//! Classifications: posteriors of the weights of a network that says how probable each class is at a point of the plane.

use super::network::TestSet;
use base::math::Bounds;
use base::params::Value;

/// A classification of points (x₁, x₂) behind a posterior of its weights: outputs f(x; w) are the logit of class 1 where there
/// are two classes, and C numbers whose softmax has the probabilities otherwise.
pub trait Classification: Send + Sync {
    /// The inputs of the N data.
    fn inputs(&self) -> &[[f64; 2]];

    /// The labels of the data, as many: the number of its class for each, from 0 on.
    fn labels(&self) -> &[f64];

    /// C, the number of classes, at least 2.
    fn classes(&self) -> usize;

    /// What a class is called where it is named: its label in a file, else its number.
    fn class_name(&self, class: usize) -> String {
        class.to_string()
    }

    /// The inputs to show: those of the data and some beyond, as wide as high.
    fn shown(&self) -> Bounds;

    /// Data to test predictions with; none unless the target has some.
    fn tests(&self) -> &[TestSet] {
        &[]
    }

    /// All outputs f at an input, each with its derivatives ∂f/∂w in the order of the coordinates.
    fn slopes(&self, weights: &[f64], input: [f64; 2]) -> Vec<(f64, Vec<f64>)>;

    /// The parameter of the target and the value of it with which its data are these; `None` if they cannot be chosen freely,
    /// or a class would be empty.
    fn with_data(&self, _inputs: &[[f64; 2]], _labels: &[f64]) -> Option<(&'static str, Value)> {
        None
    }
}

/// K, the number of outputs for this number of classes: 1 for two, and otherwise one for each.
#[must_use]
pub fn outputs_of(classes: usize) -> usize {
    if classes > 2 { classes } else { 1 }
}
