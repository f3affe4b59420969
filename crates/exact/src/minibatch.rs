//! Gradients of minibatches on the line as a mixture of maps.
//!
//! A batch of n data drawn with replacement gives the estimate ∇ log prior + (N/n) Σ ∇ log p(xᵢ|θ). With n = 1 the chain takes one of N maps
//! with equal probability; with data of two kinds, as of a coin, the number of the first kind in a batch is binomial and there are n + 1 maps.
//! Both are exact: no Gaussian approximation. Batches that are shuffled or in order have a memory and are no chain of positions.

use std::sync::Arc;

use base::math::elementary::exp;
use base::math::{Point, ln_gamma};
use models::targets::{Data, Density};

use crate::chain::Chain;
use crate::line::{Line, Masses, Slope, Transition, Transitions};
use crate::{Refusal, Step};

/// Maps of a mixture at most.
const MOST_MAPS: usize = 256;

/// Maps with a smaller probability are left out.
const LEAST_WEIGHT: f64 = 1e-18;

/// The log posterior as it looks from a batch.
#[derive(Clone, Debug)]
struct Estimate {
    density: Arc<dyn Density>,
    /// Numbers of data, each with how often it counts.
    counts: Vec<(usize, f64)>,
}

impl Estimate {
    fn sum(&self, x: f64) -> models::targets::Derivatives {
        let at = Point::new(x, 0.0);
        match self.density.data() {
            Some(data) => {
                self.counts.iter().fold(data.prior(at), |sum, &(index, times)| sum + data.datum(at, index) * times)
            }
            None => models::targets::Derivatives::default(),
        }
    }
}

impl Slope for Estimate {
    fn log_density(&self, x: f64) -> f64 {
        self.density.log_density(Point::new(x, 0.0))
    }

    fn gradient(&self, x: f64) -> f64 {
        self.sum(x).gradient.x
    }

    fn curvature(&self, x: f64) -> f64 {
        self.sum(x).hessian.m11
    }
}

/// The chain of a posterior on the line with batches of `n` data drawn with replacement, on a grid.
#[derive(Debug)]
pub struct Batches {
    lines: Vec<(f64, Line)>,
}

/// One step of [`Batches`], a mixture of transitions.
#[derive(Debug)]
pub struct BatchStep<'a> {
    parts: Vec<(f64, Transition<'a>)>,
}

impl Batches {
    /// Batches of `n` ≥ 1 data.
    ///
    /// # Errors
    /// For a target without data, for batches of several data of more than two kinds, and as [`Line::new`].
    pub fn new(density: &Arc<dyn Density>, n: usize, low: f64, high: f64, nodes: usize) -> Result<Self, Refusal> {
        let data = density.data().ok_or(Refusal::Unsuited("a minibatch needs a target with data"))?;
        let kinds = kinds(data, low, high);
        let total = data.len() as f64;
        let maps: Vec<(f64, Vec<(usize, f64)>)> = match kinds[..] {
            _ if n == 0 => return Err(Refusal::Unsuited("a minibatch has at least one datum")),
            _ if n == 1 => kinds.iter().map(|&(index, count)| (count / total, vec![(index, total)])).collect(),
            [(index, _)] => vec![(1.0, vec![(index, total)])],
            [(first, count), (second, _)] => {
                let share = |ones: usize| total * ones as f64 / n as f64;
                let map = |ones: usize| vec![(first, share(ones)), (second, share(n - ones))];
                (0..=n).map(|ones| (binomial(n, ones, count / total), map(ones))).collect()
            }
            _ => {
                return Err(Refusal::Unsuited(
                    "batches of several different data have too many values; one datum has few",
                ));
            }
        };
        if maps.len() > MOST_MAPS {
            return Err(Refusal::Unsuited("there are too many different data for a mixture of maps"));
        }
        let line = |(weight, counts): (f64, Vec<(usize, f64)>)| {
            let slope = Arc::new(Estimate { density: Arc::clone(density), counts });
            Ok((weight, Line::new(slope, low, high, nodes)?))
        };
        let lines =
            maps.into_iter().filter(|(weight, _)| *weight > LEAST_WEIGHT).map(line).collect::<Result<_, _>>()?;
        Ok(Self { lines })
    }

    /// The grid.
    #[must_use]
    pub fn line(&self) -> Option<&Line> {
        self.lines.first().map(|(_, line)| line)
    }

    /// A step; the variance of its noise is that of the injected noise alone.
    ///
    /// # Errors
    /// As [`Transitions::step`].
    pub fn step(&self, step: Step) -> Result<BatchStep<'_>, Refusal> {
        let parts = self
            .lines
            .iter()
            .map(|(weight, line)| Ok((*weight, Transitions::new(line).step(step)?)))
            .collect::<Result<_, Refusal>>()?;
        Ok(BatchStep { parts })
    }

    /// The distribution after the first step from one point, with each map in its probability.
    ///
    /// # Errors
    /// As [`Line::after_point`].
    pub fn after_point(&self, point: f64, step: Step) -> Result<Masses, Refusal> {
        let mut sum = Masses { nodes: Vec::new(), lost: 0.0 };
        for (weight, line) in &self.lines {
            let part = line.after_point(point, step)?;
            sum.nodes.resize(part.nodes.len(), 0.0);
            sum.nodes.iter_mut().zip(&part.nodes).for_each(|(sum, mass)| *sum += weight * mass);
            sum.lost += weight * part.lost;
        }
        Ok(sum)
    }
}

/// The probability of `ones` among n independent draws.
fn binomial(n: usize, ones: usize, probability: f64) -> f64 {
    let (n, k) = (n as f64, ones as f64);
    let ways = ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    let ln = base::math::elementary::ln;
    exp(ways + k * ln(probability) + (n - k) * ln(1.0 - probability))
}

/// Data with different gradients at three points: a number, and how many are of the kind.
fn kinds(data: &dyn Data, low: f64, high: f64) -> Vec<(usize, f64)> {
    let mut kinds: Vec<(usize, [u64; 3], f64)> = Vec::new();
    let points = [0.21, 0.5, 0.83].map(|share| Point::new(low + share * (high - low), 0.0));
    for index in 0..data.len() {
        let look = points.map(|at| data.datum_gradient(at, index).x.to_bits());
        match kinds.iter().position(|(_, known, _)| *known == look) {
            Some(kind) => kinds[kind].2 += 1.0,
            None if kinds.len() > MOST_MAPS => break,
            None => kinds.push((index, look, 1.0)),
        }
    }
    kinds.into_iter().map(|(index, _, count)| (index, count)).collect()
}

impl Chain for BatchStep<'_> {
    fn size(&self) -> usize {
        self.parts.first().map_or(0, |(_, part)| part.size())
    }

    fn place(&self, node: usize) -> [f64; 2] {
        self.parts.first().map_or([0.0; 2], |(_, part)| part.place(node))
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        let mut sum = vec![0.0; masses.len()];
        for (weight, part) in &self.parts {
            let mut moved = masses.clone();
            part.push_masses(&mut moved);
            sum.iter_mut().zip(&moved).for_each(|(sum, mass)| *sum += weight * mass);
        }
        *masses = sum;
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        let mut sums: Vec<Vec<f64>> = functions.iter().map(|function| vec![0.0; function.len()]).collect();
        for (weight, part) in &self.parts {
            let mut moved = functions.to_vec();
            part.pull_functions(&mut moved);
            for (sum, moved) in sums.iter_mut().zip(&moved) {
                sum.iter_mut().zip(moved).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        functions.iter_mut().zip(sums).for_each(|(function, sum)| *function = sum);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use approx::assert_abs_diff_eq;
    use base::params::{Settings, find_kind};
    use models::targets::{self, TARGETS};

    use super::*;
    use crate::{Section, long_run};

    #[test]
    fn batches_of_a_coin_widen_its_posterior() {
        let settings = Settings::defaults(find_kind(&TARGETS, "beta-posterior").unwrap());
        let target = targets::build(&settings, Path::new(".")).unwrap();
        let density = target.density().unwrap();
        let variances = |n: usize, half: f64, nodes: usize| {
            let batches = Batches::new(density, n, 0.5 - half, 0.5 + half, nodes).unwrap();
            let line = batches.line().unwrap();
            let step = batches.step(Step { alpha: 1e-4, variance: 2e-4 }).unwrap();
            let found = long_run(&step, &line.truth().unwrap().nodes).unwrap();
            let moment = |power: i32| -> f64 {
                line.nodes().iter().zip(&found.masses).map(|(x, mass)| (x - 0.5).powi(power) * mass).sum()
            };
            (moment(2), moment(4) / moment(2).powi(2))
        };
        assert_abs_diff_eq!(variances(10, 0.4, 256).0, 0.002_757_090_06, epsilon = 1e-11);
        // With one datum a chain comes near the ends of (0, 1), where steps throw it out: variances depend a little on the box.
        let (variance, kurtosis) = variances(1, 0.48, 256);
        assert_abs_diff_eq!(variance, 0.006_760_212_5, epsilon = 1e-10);
        assert_abs_diff_eq!(kurtosis, 3.02513, epsilon = 1e-5);
        assert!(matches!(Batches::new(density, 0, 0.1, 0.9, 64), Err(Refusal::Unsuited(_))));
        // The posterior itself, and steps with all data.
        let section = Arc::new(Section::new(Arc::clone(density), 0, Point::zeros()));
        let line = Line::new(section, 0.1, 0.9, 256).unwrap();
        let square = |nodes: &[f64]| -> f64 {
            line.nodes().iter().zip(nodes).map(|(x, mass)| (x - 0.5) * (x - 0.5) * mass).sum()
        };
        let truth = line.truth().unwrap().nodes;
        assert_abs_diff_eq!(square(&truth), 0.002_252_25, epsilon = 6e-9);
        let transition = Transitions::new(&line).step(Step { alpha: 1e-4, variance: 2e-4 }).unwrap();
        let found = long_run(&transition, &truth).unwrap();
        assert_abs_diff_eq!(square(&found.masses), 0.002_301_953_26, epsilon = 1e-11);
    }

    #[test]
    fn binomial_probabilities_add_up() {
        let sum: f64 = (0..=10).map(|ones| binomial(10, ones, 0.3)).sum();
        assert_abs_diff_eq!(sum, 1.0, epsilon = 1e-13);
        assert_abs_diff_eq!(binomial(10, 3, 0.3), 0.266_827_932, epsilon = 1e-9);
    }
}
