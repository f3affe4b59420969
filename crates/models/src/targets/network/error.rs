//! What can be wrong with a network.

use thiserror::Error;

use super::{MOST_HIDDEN_LAYERS, MOST_UNITS};

/// What is wrong with the parts of a network.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NetworkError {
    /// The number of layers.
    #[error("a network has at most {MOST_HIDDEN_LAYERS} hidden layers between inputs and outputs; {0} sizes are given")]
    Layers(usize),
    /// The number of units in a layer.
    #[error("a layer has 1 to {MOST_UNITS} units, not {0}")]
    Units(usize),
    /// A standard deviation of the prior.
    #[error("a standard deviation of the prior is {0}; it has to be a positive number")]
    PriorSd(f64),
    /// The standard deviation of the noise.
    #[error("the standard deviation of the noise is {0}; it has to be a positive number")]
    NoiseSd(f64),
    /// A temperature.
    #[error("the temperature is {0}; it has to be a positive number")]
    Temperature(f64),
    /// The number of outputs does not fit the likelihood.
    #[error("the network has {found} outputs, the likelihood needs {needed}")]
    Outputs {
        /// The number of outputs.
        found: usize,
        /// How many there have to be, in words.
        needed: &'static str,
    },
    /// The numbers of inputs and targets do not fit together.
    #[error(
        "{found_inputs} inputs and {found_targets} targets are not data with {inputs} inputs and {targets} targets each"
    )]
    Counts {
        /// Inputs of a datum.
        inputs: usize,
        /// Targets of a datum.
        targets: usize,
        /// Inputs of all data.
        found_inputs: usize,
        /// Targets of all data.
        found_targets: usize,
    },
    /// An input is not a finite number.
    #[error("an input of datum {datum} is {value}")]
    NotFinite {
        /// The number of the datum, from 0.
        datum: usize,
        /// The input.
        value: f64,
    },
    /// A target is not a finite number, or not a label.
    #[error("the target of datum {datum} is {value}, which the likelihood does not allow")]
    Target {
        /// The number of the datum, from 0.
        datum: usize,
        /// The target.
        value: f64,
    },
}
