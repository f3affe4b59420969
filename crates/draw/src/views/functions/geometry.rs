//! Functions behind draws: a regression's f at points along its input, for single weights, on average over draws, and exactly.

use std::sync::Arc;

use base::math::Point;
use engine::diagnostics::hmc_reference::Moments;
use models::targets::{Target, nodes};

pub use models::targets::{places, values};

/// Mean and variance of functions at every point, over weighted functions that come one by one (West 1979).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionMoments {
    weight: f64,
    mean: Vec<f64>,
    scatter: Vec<f64>,
}

impl FunctionMoments {
    /// Adds functions with these means and variances, at as many points as those before, with a weight above 0.
    pub fn add_spread(&mut self, means: &[f64], variances: &[f64], weight: f64) {
        self.add(means, weight);
        for (scatter, variance) in self.scatter.iter_mut().zip(variances) {
            *scatter += weight * variance;
        }
    }

    /// Adds the values of a function, at as many points as those before, with a weight above 0.
    pub fn add(&mut self, values: &[f64], weight: f64) {
        self.mean.resize(values.len(), 0.0);
        self.scatter.resize(values.len(), 0.0);
        self.weight += weight;
        for ((value, mean), scatter) in values.iter().zip(&mut self.mean).zip(&mut self.scatter) {
            let before = value - *mean;
            *mean += before * weight / self.weight;
            *scatter += weight * before * (value - *mean);
        }
    }

    /// The moments of functions with this mean and standard deviation at every point.
    #[must_use]
    pub fn of(moments: &[Moments]) -> Self {
        let mean = moments.iter().map(|moments| moments.mean).collect();
        Self { weight: 1.0, mean, scatter: moments.iter().map(|moments| moments.sd * moments.sd).collect() }
    }

    /// Whether there are no functions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }

    /// The mean at every point.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The standard deviation at a point: of the functions themselves, not an estimate for others.
    #[must_use]
    pub fn sd(&self, index: usize) -> f64 {
        self.scatter.get(index).map_or(0.0, |scatter| (scatter / self.weight).max(0.0).sqrt())
    }
}

/// Mean and variance of f under the posterior itself, by quadrature over the weights; `None` for a target without functions,
/// or one that cannot be integrated.
#[must_use]
pub fn exact_functions(target: &Arc<Target>) -> Option<FunctionMoments> {
    let (regression, density) = target.regression().zip(target.in_plane())?;
    let inputs = places(regression);
    let nodes = nodes(density);
    let mut moments = FunctionMoments::default();
    for node in &nodes.nodes {
        let weights: Point = nodes.coordinates.to_theta(node.z);
        moments.add(&values(regression, weights.as_slice(), &inputs), node.probability);
    }
    (!moments.is_empty()).then_some(moments)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base::params::{Settings, find_kind};
    use models::targets::{PLACES, TARGETS, build};

    fn sign() -> Arc<Target> {
        build(&Settings::defaults(find_kind(&TARGETS, "two-weight-sign").unwrap()), Path::new("")).unwrap()
    }

    #[test]
    fn moments_are_those_of_weighted_functions() {
        let mut moments = FunctionMoments::default();
        assert!(moments.is_empty());
        for (value, weight) in [(1.0, 1.0), (4.0, 2.0), (-2.0, 1.0)] {
            moments.add(&[value, 3.0], weight);
        }
        assert_eq!(moments.mean(), [1.75, 3.0]);
        // (0.75² + 2·2.25² + 3.75²)/4.
        assert!((moments.sd(0).powi(2) - 6.1875).abs() < 1e-14 && moments.sd(1).abs() < 1e-14);
        // Functions whose mean is the mean so far add their own variance alone.
        moments.add_spread(&[1.75, 3.0], &[0.5, 2.0], 2.0);
        assert!((moments.sd(0).powi(2) - (4.0 * 6.1875 + 2.0 * 0.5) / 6.0).abs() < 1e-14);
        assert!((moments.sd(1).powi(2) - 2.0 * 2.0 / 6.0).abs() < 1e-14);
    }

    /// f at x = 0 is 0, and the mean is an odd function; variances at 3 and at −3 are the stated 0.14466.
    #[test]
    fn exact_functions_are_odd() {
        let target = sign();
        let inputs = places(target.regression().unwrap());
        let exact = exact_functions(&target).unwrap();
        assert!((inputs[0] + 3.2).abs() < 1e-12 && inputs[PLACES / 2].abs() < 1e-12);
        assert!(exact.mean()[PLACES / 2].abs() < 1e-9 && exact.sd(PLACES / 2) < 1e-9);
        assert!((exact.mean()[0] + exact.mean()[PLACES - 1]).abs() < 1e-9);
        let near_three = inputs.iter().position(|x| (x - 3.0).abs() < 1e-9).unwrap();
        assert!((exact.mean()[near_three] - 1.346_929_555_7).abs() < 1e-9);
        assert!((exact.sd(near_three).powi(2) - 0.144_657_596_1).abs() < 1e-9);
    }
}
