//! Expectations of a log density and its derivatives under a Gaussian q = N(m, LLᵀ), by Monte Carlo or by quadrature.
//!
//! Both are weighted sums Σ wₖ f(m + L ξₖ). For Monte Carlo the ξₖ are standard normals and all weights are 1/S. For
//! Gauss–Hermite quadrature they are the nodes of a product rule, which is exact for polynomials of a degree below 2n in
//! each coordinate. f is the log density with its derivatives: exact; with noise, which is added to the gradient at every
//! point and to nothing else; or from a minibatch, which is the same at all points of a step.

use std::f64::consts::TAU;
use std::sync::Arc;

use crate::methods::kit::gradient::batch_spread;
use crate::methods::kit::stepwise::Step;
use crate::methods::{Estimate, Gradient, Phase, Problem, TermValue, Told};
use base::math::elementary::ln;
use base::math::{Distribution, MOST_NODES, Matrix, Point, gauss_hermite};
use base::params::{DefaultValue, Interval, KindSpec, ParamSpec, ParamType, Settings};
use models::targets::{Data, Derivatives, Minibatch};

/// Largest number of draws per step, whose normals are drawn before the step.
const MOST_DRAWS: f64 = 1000.0;

const DRAWS: [ParamSpec; 1] = [ParamSpec::integer(
    "draws",
    "draws per step S",
    10.0,
    Interval::closed(1.0, MOST_DRAWS),
    (1.0, 100.0),
    "Number of draws from the approximation q per step. More draws give less noise, at a cost in proportion.",
)
.unit("draws")
.log()];

const NODES: [ParamSpec; 1] = [ParamSpec::integer(
    "nodes",
    "nodes",
    20.0,
    Interval::closed(2.0, MOST_NODES as f64),
    (2.0, MOST_NODES as f64),
    "Number of quadrature nodes along each axis. A log density that bends sharply within the width of q needs many.",
)];

/// The kinds of the `expectations` group.
pub static EXPECTATIONS: [KindSpec; 2] = [
    KindSpec {
        name: "monte-carlo",
        label: "Monte Carlo",
        help: "Means over draws from the approximation q: noisy, but unbiased.",
        params: &DRAWS,
    },
    KindSpec {
        name: "quadrature",
        label: "Quadrature",
        help: "Gauss–Hermite quadrature: no noise from draws, which shows the path of the method without that noise.",
        params: &NODES,
    },
];

/// The parameter that selects how expectations under q are taken.
pub(crate) const EXPECTATIONS_SPEC: ParamSpec = ParamSpec::of(
    "expectations",
    "expectations",
    ParamType::Group(&EXPECTATIONS),
    DefaultValue::Kind("monte-carlo"),
    "How expectations under the approximation q are computed: from a few draws, or by quadrature.",
)
.folded();

/// How expectations under a Gaussian are taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Expectations {
    /// Averages over `draws` ≥ 1 independent draws.
    MonteCarlo {
        /// S.
        draws: usize,
    },
    /// Gauss–Hermite quadrature.
    Quadrature {
        /// Nodes and weights along each axis.
        rule: Arc<[(f64, f64)]>,
    },
}

impl Expectations {
    /// Quadrature with `nodes` nodes along each axis.
    #[must_use]
    pub fn quadrature(nodes: usize) -> Self {
        Self::Quadrature { rule: gauss_hermite(nodes).into() }
    }

    /// Reads the `expectations` group of a run.
    pub(crate) fn of_run(settings: &Settings) -> Self {
        settings.group("expectations").map_or(Self::MonteCarlo { draws: 1 }, Self::from_settings)
    }

    /// Reads an `expectations` group.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        let count = |key| usize::try_from(settings.count(key)).unwrap_or(usize::MAX).max(1);
        match settings.kind.name {
            "quadrature" => Self::quadrature(count("nodes")),
            _ => Self::MonteCarlo { draws: count("draws") },
        }
    }

    /// Number of points in `dimension` dimensions.
    #[must_use]
    pub fn points(&self, dimension: usize) -> usize {
        match self {
            Self::MonteCarlo { draws } => *draws,
            Self::Quadrature { rule } if dimension == 1 => rule.len(),
            Self::Quadrature { rule } => rule.len() * rule.len(),
        }
    }

    /// Pairs of normals per step and chain with this gradient estimate: those of the draws, then those of the noise.
    pub(crate) fn vectors(&self, gradient: &Gradient) -> usize {
        self.drawn() + gradient.vectors() * self.points(2)
    }

    /// Whether expectations are free of noise with this gradient estimate.
    pub(crate) fn are_exact(&self, gradient: &Gradient) -> bool {
        self.drawn() == 0 && *gradient == Gradient::Exact
    }

    /// Tells the draws at which the values of a step were found, and the minibatch from which, if there is one.
    pub(crate) fn tell_draws(
        &self,
        told: &mut Told,
        problem: &Problem<'_>,
        (found, batch): (&Evaluations, Minibatch<'_>),
    ) {
        match self {
            Self::MonteCarlo { .. } => {
                told.tell(Phase::Noise, "ξ", TermValue::vectors(found.points.iter().map(|point| point.normal)));
            }
            Self::Quadrature { .. } => told.say(Phase::Noise, "the nodes of a rule in the place of draws"),
        }
        if let (Gradient::Minibatch { .. }, Some(data)) = (problem.gradient, problem.data()) {
            told.tell(Phase::Gradient, "batch", TermValue::indices(batch.iter(), batch.len(), data.len()));
        }
    }

    fn drawn(&self) -> usize {
        match self {
            Self::MonteCarlo { draws } => *draws,
            Self::Quadrature { .. } => 0,
        }
    }
}

/// N(m, LLᵀ) as the distribution of m + L ξ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    /// m.
    pub(crate) mean: Point,
    /// L, lower triangular with a positive diagonal; on the line all but its upper left entry are 0.
    pub(crate) root: Matrix,
}

impl Affine {
    /// From the mean and covariance of a distribution; `None` unless the covariance has a root in floating point.
    pub(crate) fn of(dimension: usize, distribution: &Distribution) -> Option<Self> {
        let (mean, covariance) = (distribution.mean(), distribution.covariance());
        let first = covariance.m11.sqrt();
        let planar = dimension > 1;
        let below = if planar { covariance.m21 / first } else { 0.0 };
        let second = if planar { (covariance.m22 - below * below).sqrt() } else { 0.0 };
        let numbers = [mean.x, mean.y, first, below, second];
        let sound = numbers.iter().all(|number| number.is_finite()) && first > 0.0 && (second > 0.0 || !planar);
        sound.then_some(Self { mean, root: Matrix::new(first, 0.0, below, second) })
    }

    /// m + L ξ.
    fn at(&self, normal: Point) -> Point {
        let Self { mean, root } = self;
        Point::new(mean.x + root.m11 * normal.x, mean.y + (root.m21 * normal.x + root.m22 * normal.y))
    }

    /// The log density at m + L ξ, without its −½‖ξ‖².
    fn log_density_of_mean(&self, dimension: usize) -> f64 {
        let second = if dimension > 1 { ln(self.root.m22) } else { 0.0 };
        -0.5 * dimension as f64 * ln(TAU) - ln(self.root.m11) - second
    }
}

/// A point under q with the values found there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluation {
    /// ξ.
    pub(crate) normal: Point,
    /// Its weight in expectations.
    pub(crate) weight: f64,
    /// m + L ξ.
    pub(crate) at: Point,
    /// log p̃, or an estimate.
    pub(crate) log_density: f64,
    /// The gradient of log p̃, or an estimate.
    pub(crate) gradient: Point,
}

/// Expectations of one step of one chain, with the buffers to compute them.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    /// The points with their weights.
    pub(crate) points: Vec<Evaluation>,
    /// The expectation of the log density and its derivatives; second derivatives only on request.
    pub(crate) total: Derivatives,
    /// The expectation of the log prior and its derivatives, with minibatches.
    pub(crate) prior: Derivatives,
    /// The expectations of log p(xᵢ|θ) and its derivatives for the data of the minibatch.
    pub(crate) data: Vec<Derivatives>,
    at: [Vec<f64>; 2],
    gradients: [Vec<f64>; 2],
}

impl Evaluations {
    /// Evaluates the log density and its derivatives at the points of one chain's step.
    pub(crate) fn fill(
        &mut self,
        problem: &Problem<'_>,
        expectations: &Expectations,
        distribution: &Affine,
        (step, chain): (&Step<'_>, usize),
        second: bool,
    ) {
        let dimension = problem.info.dimension;
        self.spread(dimension, expectations, distribution, |draw| normal(step, chain, draw));
        match (problem.gradient, problem.data()) {
            (Gradient::Minibatch { .. }, Some(data)) => self.evaluate_batch(data, step.batches.of(0, chain)),
            _ => self.evaluate(problem, second),
        }
        if let Gradient::Noisy { variance, .. } = *problem.gradient {
            let (sd, first) = (variance.sqrt(), expectations.drawn());
            for (number, point) in self.points.iter_mut().enumerate() {
                let noise = normal(step, chain, first + number) * sd;
                let noise = if dimension > 1 { noise } else { Point::new(noise.x, 0.0) };
                point.gradient += noise;
                self.total.gradient += noise * point.weight;
            }
        }
    }

    /// Lays out the points; `draw` returns a draw by its number.
    pub(crate) fn spread(
        &mut self,
        dimension: usize,
        expectations: &Expectations,
        distribution: &Affine,
        draw: impl Fn(usize) -> Point,
    ) {
        let point = |normal: Point, weight: f64| {
            let normal = if dimension > 1 { normal } else { Point::new(normal.x, 0.0) };
            Evaluation { normal, weight, at: distribution.at(normal), ..Evaluation::default() }
        };
        self.points.clear();
        match expectations {
            Expectations::MonteCarlo { draws } => {
                let weight = 1.0 / *draws as f64;
                self.points.extend((0..*draws).map(|number| point(draw(number), weight)));
            }
            Expectations::Quadrature { rule } if dimension == 1 => {
                self.points.extend(rule.iter().map(|(node, weight)| point(Point::new(*node, 0.0), *weight)));
            }
            Expectations::Quadrature { rule } => {
                let row = |(y, wy): &(f64, f64)| {
                    let (y, wy) = (*y, *wy);
                    rule.iter().map(move |(x, wx)| point(Point::new(*x, y), wx * wy))
                };
                self.points.extend(rule.iter().flat_map(row));
            }
        }
    }

    /// Evaluates the target itself.
    pub(crate) fn evaluate(&mut self, problem: &Problem<'_>, second: bool) {
        let Some(density) = problem.density else { return };
        let Self { points, total, data, at: [x, y], gradients: [gx, gy], .. } = self;
        for (buffer, axis) in [(&mut *x, 0), (&mut *y, 1)] {
            buffer.clear();
            buffer.extend(points.iter().map(|point| point.at[axis]));
        }
        for buffer in [&mut *gx, &mut *gy] {
            buffer.resize(points.len(), 0.0);
        }
        density.gradients(problem.simd, x, y, gx, gy);
        data.clear();
        *total = Derivatives::default();
        for (number, point) in points.iter_mut().enumerate() {
            point.log_density = density.log_density(point.at);
            point.gradient = Point::new(gx[number], gy[number]);
            let hessian = if second { density.hessian(point.at) } else { Matrix::zeros() };
            let found = Derivatives { log_density: point.log_density, gradient: point.gradient, hessian };
            *total = *total + found * point.weight;
        }
    }

    /// Estimates log prior + (N/n) Σ log p(xᵢ|θ) and its derivatives from a minibatch.
    fn evaluate_batch(&mut self, data: &dyn Data, batch: Minibatch<'_>) {
        let scale = data.len() as f64 / batch.len().max(1) as f64;
        self.prior = Derivatives::default();
        for point in &mut self.points {
            let prior = data.prior(point.at);
            self.prior = self.prior + prior * point.weight;
            (point.log_density, point.gradient) = (prior.log_density, prior.gradient);
        }
        self.data.clear();
        self.total = self.prior;
        for index in batch.iter() {
            let mut mean = Derivatives::default();
            for point in &mut self.points {
                let found = data.datum(point.at, index as usize);
                mean = mean + found * point.weight;
                point.log_density += found.log_density * scale;
                point.gradient += found.gradient * scale;
            }
            self.data.push(mean);
            self.total = self.total + mean * scale;
        }
    }

    /// The evidence lower bound E (log p̃ − log q) of the distribution with these points; `None` if the bound or its
    /// error is not finite.
    ///
    /// Monte Carlo averages the differences log p̃ − log q, which vary less the closer q is to p. The standard error
    /// has two parts, that of the draws and that of the minibatch, each from its own sample variance. What the two have
    /// in common counts twice, so the standard error is rather too large. It is infinite with a single draw or datum.
    pub(crate) fn elbo(
        &self,
        problem: &Problem<'_>,
        expectations: &Expectations,
        distribution: &Affine,
    ) -> Option<Estimate> {
        let base = distribution.log_density_of_mean(problem.info.dimension);
        let difference = |point: &Evaluation| point.log_density - (base - 0.5 * point.normal.norm_squared());
        let value: f64 = self.points.iter().map(|point| point.weight * difference(point)).sum();
        let of_draws = match expectations {
            Expectations::MonteCarlo { draws } => sample_variance(self.points.iter().map(difference)) / *draws as f64,
            Expectations::Quadrature { .. } => 0.0,
        };
        let variance = of_draws + self.batch_variance(problem);
        let single = self.points.len() == 1 || self.data.len() == 1;
        let known = value.is_finite() && (variance.is_finite() || single && !variance.is_nan());
        known.then(|| Estimate { value, standard_error: variance.sqrt() })
    }

    /// The variance of the estimate from the choice of the minibatch.
    fn batch_variance(&self, problem: &Problem<'_>) -> f64 {
        let (Gradient::Minibatch { size, order, .. }, Some(data)) = (*problem.gradient, problem.data()) else {
            return 0.0;
        };
        let spread = batch_spread(data.len(), size, order);
        // A minibatch of all data is no sample.
        if spread > 0.0 { spread * sample_variance(self.data.iter().map(|datum| datum.log_density)) } else { 0.0 }
    }
}

/// A pair of normals of a chain's step.
fn normal(step: &Step<'_>, chain: usize, pair: usize) -> Point {
    step.normals(pair).point(chain)
}

/// The sample variance, by Welford's (1962) recurrence; infinite for a sample of one.
fn sample_variance(sample: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut mean, mut scatter) = (0.0, 0.0, 0.0);
    for number in sample {
        count += 1.0;
        let before = number - mean;
        mean += before / count;
        scatter += before * (number - mean);
    }
    if count > 1.0 { scatter / (count - 1.0) } else { f64::INFINITY }
}
