//! Input of the measures of predictions.

use super::super::predictive::Weights;
use super::super::reference::Reference;
use super::super::{NO_DRAWS, Outcome};

/// The functions of draws at test data.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// What kind of data they are: `in` or `gap`.
    pub name: &'static str,
    /// f of all S draws at every datum, one datum after the other.
    pub f: Vec<f64>,
    /// y.
    pub targets: Vec<f64>,
}

/// Where draws come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Behind {
    /// Chains, with their draws in order: f at every probe, and every weight, one vector per chain each.
    Chains {
        /// By probe and chain.
        functions: Vec<Vec<Vec<f64>>>,
        /// By weight and chain.
        weights: Vec<Vec<Vec<f64>>>,
    },
    /// A fit, whose draws have no order.
    Fit,
}

/// What the measures of predictions are computed from.
#[derive(Clone, Debug)]
pub struct PredictionInput<'a> {
    /// f of all S draws at every probe of the reference.
    pub probes: &'a [Vec<f64>],
    /// The weights of the draws.
    pub weights: Weights<'a>,
    /// Test data.
    pub tests: &'a [Tested],
    /// σ, the standard deviation of the noise.
    pub noise_sd: f64,
    /// Where the draws come from.
    pub behind: &'a Behind,
    /// The reference, if there is one.
    pub reference: Option<&'a Reference>,
}

impl PredictionInput<'_> {
    /// What `value` makes of the test data with this name.
    pub(super) fn of_test(&self, name: &str, value: impl Fn(&Tested) -> f64) -> Outcome {
        if self.probes.first().is_none_or(Vec::is_empty) {
            return Err(NO_DRAWS);
        }
        let test = self.tests.iter().find(|test| test.name == name).ok_or(super::NO_TESTS)?;
        let value = value(test);
        if value.is_finite() { Ok(value) } else { Err(super::super::TOO_FAR_OUT) }
    }

    /// The draws at the probes.
    pub(super) fn drawn(&self) -> Result<&[Vec<f64>], &'static str> {
        if self.probes.first().is_none_or(Vec::is_empty) { Err(NO_DRAWS) } else { Ok(self.probes) }
    }
}
