//! Distributions that chains start from, on the line.

use base::math::elementary::exp;

use super::{DENSITY, LEVELS, Line, Masses, Transitions};
use crate::padding::whole;
use crate::{Refusal, Step};

/// Intervals of the rule over the box of a uniform start, at least and at most.
const INTERVALS: [f64; 2] = [40_000.0, 4e6];

/// Spacings that s has to exceed for a normal to be seen by the nodes.
const LEAST_BLUR: f64 = 1.2;

/// Gauss's rule with three points on (0, 1): positions and weights.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

impl Line {
    /// Masses of a density given at the nodes, up to a factor, with the sum 1.
    ///
    /// # Errors
    /// If the values have no positive finite sum.
    pub fn masses_of(&self, density: impl Fn(f64) -> f64) -> Result<Masses, Refusal> {
        let values: Vec<f64> = self.nodes.iter().map(|&x| density(x)).collect();
        let sum: f64 = values.iter().sum();
        if !(sum.is_finite() && sum > 0.0) {
            return Err(Refusal::NotANumber { step: 0 });
        }
        Ok(Masses { nodes: values.iter().map(|value| value / sum).collect(), lost: 0.0 })
    }

    /// The target itself.
    ///
    /// # Errors
    /// If its density is no number anywhere.
    pub fn truth(&self) -> Result<Masses, Refusal> {
        let highest = self.nodes.iter().map(|&x| self.log_density(x)).fold(f64::NEG_INFINITY, f64::max);
        self.masses_of(|x| exp(self.log_density(x) - highest))
    }

    /// A normal distribution in closed form, normalised over the whole line: what is outside of the box is lost.
    #[must_use]
    pub fn normal(&self, mean: f64, variance: f64) -> Masses {
        let scale = self.spacing / (std::f64::consts::TAU * variance).sqrt();
        let mass = |&x: &f64| scale * exp(-0.5 * (x - mean) * (x - mean) / variance);
        let nodes: Vec<f64> = self.nodes.iter().map(mass).collect();
        let lost = 1.0 - nodes.iter().sum::<f64>();
        Masses { nodes, lost }
    }

    /// The distribution after the first step from one point: N(θ + α∇log p(θ), s²).
    ///
    /// # Errors
    /// If s is 0 or below 1.2 spacings, which the nodes do not show, or the gradient there is no number.
    pub fn after_point(&self, point: f64, step: Step) -> Result<Masses, Refusal> {
        let sd = step.variance.sqrt();
        let mean = point + step.alpha * self.target.gradient(point);
        if !(mean.is_finite() && sd.is_finite()) {
            return Err(Refusal::NotANumber { step: 1 });
        }
        if step.variance <= 0.0 {
            return Err(Refusal::STAYS_A_POINT);
        }
        if sd < LEAST_BLUR * self.spacing {
            let (low, high) = self.ends();
            let nodes = (LEAST_BLUR * (high - low) / sd.max(f64::MIN_POSITIVE)).ceil();
            return Err(Refusal::Narrow { alpha: step.alpha, nodes: whole(nodes.min(1e9)) });
        }
        Ok(self.normal(mean, step.variance))
    }

    /// The distribution after the first step from a uniform start on (`low`, `high`), which may exceed the grid.
    ///
    /// # Errors
    /// As [`Transitions::step`], if the interval has no width, and if the map stretches it too much.
    pub fn after_uniform(&self, low: f64, high: f64, step: Step) -> Result<Masses, Refusal> {
        if !(low.is_finite() && high.is_finite() && high > low) {
            return Err(Refusal::Unsuited("the start has no width"));
        }
        let transition = Transitions::new(self).step(step)?;
        let stretch = self.stretch(step.alpha);
        let sd = transition.blur() * self.spacing;
        let intervals = ((high - low) * stretch / (DENSITY * sd)).ceil().max(INTERVALS[0]);
        if intervals.is_nan() || intervals > INTERVALS[1] {
            let ratio = stretch / (DENSITY * transition.blur());
            return Err(Refusal::Stretch { alpha: step.alpha, ratio, most: LEVELS[LEVELS.len() - 1] });
        }
        let width = (high - low) / intervals;
        let points = (0..whole(intervals))
            .flat_map(|cell| GAUSS.map(|(at, weight)| (low + (cell as f64 + at) * width, weight / intervals)));
        Ok(transition.deposit(points, step.alpha))
    }
}
