//! What the target says of the functions behind its weights: of a regression, or of a classification.

use super::target::Posterior;
use super::{Likelihood, Network, TestSet, labelled, measured};
use crate::targets::{Classification, Regression};
use base::math::{Bounds, Point};
use base::params::Value;

/// Inputs to show beyond the data on either side, as a share of their range.
const BEYOND: f64 = 0.35;

/// The inputs to show: an interval in x, or a square of points with two inputs.
pub(super) fn shown(network: &Network) -> Bounds {
    let inputs = &network.observations().inputs;
    let ends = |axis: usize| {
        let values = inputs.iter().skip(axis).step_by(network.layout().inputs());
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
    };
    let reach = |(low, high): (f64, f64)| (0.5 + BEYOND) * (high - low);
    let middle = |(low, high): (f64, f64)| 0.5 * (low + high);
    if network.layout().inputs() == 1 {
        let (x, reach) = (ends(0), reach(ends(0)));
        return Bounds::new((middle(x) - reach, middle(x) + reach), (0.0, 0.0));
    }
    let reach = reach(ends(0)).max(reach(ends(1)));
    let centre = Point::new(middle(ends(0)), middle(ends(1)));
    Bounds { min: centre - Point::repeat(reach), max: centre + Point::repeat(reach) }
}

impl Regression for Posterior {
    fn inputs(&self) -> &[f64] {
        &self.network.observations().inputs
    }

    fn observations(&self) -> &[f64] {
        &self.network.observations().targets
    }

    fn noise_sd(&self) -> f64 {
        if let Likelihood::Gaussian { sd } = self.network.likelihood() { sd } else { f64::NAN }
    }

    fn shown(&self) -> (f64, f64) {
        (self.shown.min.x, self.shown.max.x)
    }

    fn tests(&self) -> &[TestSet] {
        &self.tests
    }

    fn axes(&self) -> [&'static str; 2] {
        self.axes
    }

    fn with_data(&self, data: &[[f64; 2]]) -> Option<(&'static str, Value)> {
        Some(("data", measured::by_hand(data, Regression::noise_sd(self))?))
    }

    fn value(&self, weights: &[f64], x: f64) -> f64 {
        self.network.output(weights, &[x]).first().copied().unwrap_or(f64::NAN)
    }

    fn slopes(&self, weights: &[f64], x: f64) -> Option<Vec<f64>> {
        self.network.jacobian(weights, &[x]).into_iter().next()
    }
}

impl Classification for Posterior {
    fn inputs(&self) -> &[[f64; 2]] {
        self.network.observations().inputs.as_chunks().0
    }

    fn labels(&self) -> &[f64] {
        &self.network.observations().targets
    }

    fn classes(&self) -> usize {
        self.network.layout().outputs().max(2)
    }

    fn class_name(&self, class: usize) -> String {
        self.class_names.get(class).cloned().unwrap_or_else(|| class.to_string())
    }

    fn shown(&self) -> Bounds {
        self.shown
    }

    fn tests(&self) -> &[TestSet] {
        &self.tests
    }

    fn slopes(&self, weights: &[f64], input: [f64; 2]) -> Vec<(f64, Vec<f64>)> {
        self.network.output(weights, &input).into_iter().zip(self.network.jacobian(weights, &input)).collect()
    }

    fn with_data(&self, inputs: &[[f64; 2]], labels: &[f64]) -> Option<(&'static str, Value)> {
        (self.classes() == 2).then(|| labelled::drawn(inputs, labels)).flatten().map(|value| ("data", value))
    }
}
