//! The data of a network: inputs x and targets y.

use super::{Layout, Likelihood, NetworkError};

/// N data: inputs and targets, datum by datum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observations {
    /// The coordinates of all x, datum by datum.
    pub inputs: Vec<f64>,
    /// The targets of all data, datum by datum: numbers, or labels from 0 on.
    pub targets: Vec<f64>,
}

impl Observations {
    /// The data with one input and one target each.
    #[must_use]
    pub fn pairs(inputs: Vec<f64>, targets: Vec<f64>) -> Self {
        Self { inputs, targets }
    }

    /// The data with two inputs and a label each.
    #[must_use]
    pub fn labelled(inputs: &[[f64; 2]], labels: Vec<f64>) -> Self {
        Self { inputs: inputs.as_flattened().to_vec(), targets: labels }
    }

    /// Whether these are data for a network; returns N.
    pub(super) fn check(&self, layout: &Layout, likelihood: Likelihood) -> Result<usize, NetworkError> {
        let inputs = layout.inputs();
        let targets = likelihood.targets(layout.outputs());
        let count = self.inputs.len() / inputs;
        if self.inputs.len() != count * inputs || self.targets.len() != count * targets || count > u32::MAX as usize {
            let (found_inputs, found_targets) = (self.inputs.len(), self.targets.len());
            return Err(NetworkError::Counts { inputs, targets, found_inputs, found_targets });
        }
        if let Some(index) = self.inputs.iter().position(|x| !x.is_finite()) {
            return Err(NetworkError::NotFinite { datum: index / inputs, value: self.inputs[index] });
        }
        let legal = |y: &f64| match likelihood {
            Likelihood::Gaussian { .. } => y.is_finite(),
            Likelihood::Bernoulli => is_label(*y, 2),
            Likelihood::Categorical => is_label(*y, layout.outputs()),
        };
        match self.targets.iter().position(|y| !legal(y)) {
            None => Ok(count),
            Some(index) => Err(NetworkError::Target { datum: index / targets, value: self.targets[index] }),
        }
    }
}

/// Whether `y` is one of the whole numbers from 0 to `classes` − 1.
fn is_label(y: f64, classes: usize) -> bool {
    (0..classes).map(|class| class as f64).any(|class| class.total_cmp(&y.abs()).is_eq() && y.is_sign_positive())
}
