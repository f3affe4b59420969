//! Losses of weight vectors: what the surface of a plane is the height of.

use crate::words::word::Word;
use base::math::{Coords, Simd};
use base::params::ParamSpec;
use engine::diagnostics::weight_line::errors;
use engine::scenario::view::options;
use models::targets::network::{Likelihood, Network, Observations};
use models::targets::{Model, Target};

/// A loss of a weight vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Loss {
    /// −log p, the negative log density of the target.
    #[default]
    Posterior,
    /// The negative log likelihood of the data, at T = 1.
    Likelihood,
    /// That of test data.
    TestLikelihood,
    /// The error on the data: root mean square of y − f, or the share of wrong classes.
    Error,
    /// The error on test data.
    TestError,
}

/// In what two values of a loss are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// In nats, by their difference.
    Nats,
    /// In shares of data, by their difference.
    Shares,
    /// In units of the targets, by their ratio.
    Ratios,
}

impl Word for Loss {
    const SPEC: &'static ParamSpec = &options::SURFACE;
    const ALL: &'static [Self] =
        &[Self::Posterior, Self::Likelihood, Self::TestLikelihood, Self::Error, Self::TestError];
}

impl Loss {
    /// Its name in the window, for a network of this kind.
    #[must_use]
    pub fn label_for(self, network: &Network) -> &'static str {
        match self {
            Self::Error if is_regression(network) => "RMSE of the data",
            Self::TestError if is_regression(network) => "test RMSE",
            _ => self.label(),
        }
    }

    /// Whether it needs test data.
    #[must_use]
    pub fn needs_tests(self) -> bool {
        matches!(self, Self::TestLikelihood | Self::TestError)
    }

    /// In what its values are compared, for a network of this kind.
    #[must_use]
    pub fn scale(self, network: &Network) -> Scale {
        match self {
            Self::Posterior | Self::Likelihood | Self::TestLikelihood => Scale::Nats,
            Self::Error | Self::TestError if is_regression(network) => Scale::Ratios,
            Self::Error | Self::TestError => Scale::Shares,
        }
    }

    /// The losses of all weight vectors, given test data if there are some; NaN where one is needed that there is not.
    #[must_use]
    pub fn values(self, network: &Network, tests: Option<&Observations>, at: &Coords) -> Vec<f64> {
        let mut values = vec![f64::NAN; at.len()];
        let (simd, scratch) = (Simd::widest(), &mut Vec::new());
        match (self, tests) {
            (Self::Posterior, _) => network.log_densities(simd, at, scratch, &mut values),
            (Self::Likelihood, _) => network.log_likelihoods(simd, at, scratch, &mut values),
            (Self::TestLikelihood, Some(tests)) => {
                if let Ok(tested) = network.given(tests.clone()) {
                    tested.log_likelihoods(simd, at, scratch, &mut values);
                }
            }
            (Self::Error, _) => return errors(network, network.observations(), at),
            (Self::TestError, Some(tests)) => return errors(network, tests, at),
            (Self::TestLikelihood | Self::TestError, None) => {}
        }
        values.into_iter().map(|value| -value).collect()
    }
}

impl Scale {
    /// The values at which there are contours, given the lowest one.
    #[must_use]
    pub fn levels(self, lowest: f64) -> Vec<f64> {
        let above = self.steps().iter();
        above.map(|step| if self == Self::Ratios { lowest * step } else { lowest + step }).collect()
    }

    /// How far apart from the lowest value contours are: by what is added, or by the factor.
    #[must_use]
    pub fn steps(self) -> &'static [f64] {
        match self {
            Self::Nats => &[1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0],
            Self::Shares => &[0.01, 0.03, 0.1, 0.3],
            Self::Ratios => &[1.1, 1.3, 2.0, 3.0, 10.0, 30.0, 100.0],
        }
    }

    /// How light the colour of a value is, from 0 for the lowest one on: what the eye should see as equal steps is.
    #[must_use]
    pub fn lightness(self, value: f64, lowest: f64) -> f64 {
        match self {
            Self::Nats => (value - lowest).ln_1p(),
            Self::Shares => value - lowest,
            Self::Ratios => (value / lowest).ln(),
        }
    }
}

/// Data to test the predictions of a target with, if it has some: those at the inputs of the data.
#[must_use]
pub fn test_data(target: &Target) -> Option<&Observations> {
    target.tests().first().map(|tests| &tests.observations)
}

fn is_regression(network: &Network) -> bool {
    matches!(network.likelihood(), Likelihood::Gaussian { .. })
}
