//! The posterior of a probability: θ ~ Beta(a, b), xᵢ ~ Bernoulli(θ) for i = 1 … N.
//!
//! With S ones among the data it is Beta(A, B), A = a + S, B = b + N − S, and everything about it is known.
//! The log density is log prior + log likelihood with all constants, so its normaliser is the evidence:
//! ln B(A, B) − ln B(a, b). A and B must exceed 1, or the density has no mode inside (0, 1).
//!
//! Langevin steps know nothing of the edges of (0, 1). `boundary` says what happens there: `reflect` folds a
//! step back, `logit` lets the chain live on ln θ/(1−θ) with the Jacobian in density and gradient, `none` lets
//! it leave: outside, the log density is −∞ and the gradient formula is simply continued, as in code that
//! does not watch the edges; a chain that leaves is pushed further away.
//!
//! Counted data come in order, the ones first, then the zeros: whoever draws minibatches in cyclic order sees
//! the bias of sorted data, and random or shuffled order does not care.

use std::path::Path;
use std::sync::Arc;

use super::arithmetic::{Lanewise, Sweep, exp, ln, ln_gamma};
use super::{Boundary, Coordinates, Data, EulerSteps, Facts, Mode, Support, Target, data};
use crate::math::{Matrix, Point, Simd, Stream, Window};
use crate::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

const COUNT: Interval = Interval::closed(1.0, 1e6);

const COUNTS: [ParamSpec; 2] = [
    ParamSpec::integer(
        "ones",
        "ones",
        50.0,
        Interval::closed(0.0, 1e6),
        (0.0, 100.0),
        "How many of the N data are 1. In the order of the data the ones come first.",
    )
    .unit("data")
    .fixed(),
    data::size_param(COUNT, 100.0, "Number of data, ones and zeros together."),
];

static DATA_KINDS: [KindSpec; 2] = [
    KindSpec {
        name: "counts",
        label: "Counts",
        help: "A number of ones out of N data: only the counts matter to the posterior.",
        params: &COUNTS,
    },
    data::CSV,
];

static BOUNDARIES: [Choice; 3] = [
    Choice { name: "reflect", label: "reflect", help: "A step across 0 or 1 is folded back into the interval." },
    Choice {
        name: "logit",
        label: "logit",
        help: "The chain lives on ln θ/(1 − θ), which has no edges; density and gradient carry the Jacobian.",
    },
    Choice { name: "none", label: "none", help: "Nothing is done: a chain that steps across 0 or 1 leaves for good." },
];

const PARAMS: [ParamSpec; 3] = [
    ParamSpec::of(
        "prior",
        "prior [a, b]",
        ParamType::Pair { legal: Interval::closed(0.01, 1e4) },
        DefaultValue::Pair([5.0, 5.0]),
        "The prior Beta(a, b): as if a ones and b zeros had been seen before.",
    )
    .fixed(),
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&DATA_KINDS),
        DefaultValue::Kind("counts"),
        "The data x₁ … x_N, zeros and ones, at most 1 000 000.",
    )
    .fixed(),
    ParamSpec::of(
        "boundary",
        "at the edge",
        ParamType::Choice(&BOUNDARIES),
        DefaultValue::Word("reflect"),
        "What a chain does at 0 and 1, where the density ends but a Langevin step does not.",
    )
    .fixed(),
];

/// The description of this target.
pub const SPEC: KindSpec = KindSpec {
    name: "beta-posterior",
    label: "Probability of a coin",
    help: "Posterior of the probability θ of a one, with a Beta prior and data of zeros and ones: again a Beta \
           distribution, so the answer is known. One-dimensional, and confined to (0, 1), where plain Langevin steps \
           need help. Gradients can be estimated from minibatches.",
    params: &PARAMS,
};

/// Makes the target.
///
/// # Errors
/// If data cannot be read or are not zeros and ones, or if the posterior has no mode inside (0, 1).
pub fn build(settings: &Settings, folder: &Path) -> Result<Arc<dyn Target>, Vec<ParamError>> {
    let ones = read_data(settings, folder)
        .map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?;
    let boundary = match settings.word("boundary") {
        "logit" => Boundary::Logit,
        "none" => Boundary::Open,
        _ => Boundary::Reflect,
    };
    let target = BetaPosterior::new(settings.pair("prior"), ones, boundary);
    if target.shape[0] > 1.0 && target.shape[1] > 1.0 {
        return Ok(Arc::new(target));
    }
    let [a, b] = target.shape;
    let problem = format!("the posterior Beta({a}, {b}) has its mode at an edge");
    Err(vec![ParamError::new("prior", problem, "a + ones above 1 and b + zeros above 1")])
}

/// The data that the settings name, whether each is a one; errors are relative to `data`.
fn read_data(settings: &Settings, folder: &Path) -> Result<Vec<bool>, Vec<ParamError>> {
    let Some(group) = settings.group("data") else { return Ok(Vec::new()) };
    if group.kind.name == data::CSV.name {
        return data::read_flags(group, folder);
    }
    let (ones, n) = (group.count("ones"), group.count("n"));
    if ones > n {
        let problem = format!("{ones} ones are more than the {n} data");
        return Err(vec![ParamError::new("ones", problem, format!("a whole number from 0 to n = {n}"))]);
    }
    Ok((0..n).map(|index| index < ones).collect())
}

/// The posterior.
#[derive(Clone, Debug)]
struct BetaPosterior {
    /// a and b of the prior.
    prior: [f64; 2],
    /// The data, each 0 or 1.
    data: Vec<f64>,
    /// A and B of the posterior.
    shape: [f64; 2],
    /// −ln B(a, b).
    log_constant: f64,
    facts: Facts,
}

#[expect(clippy::cast_precision_loss, reason = "at most a million data")]
impl BetaPosterior {
    fn new(prior: [f64; 2], flags: Vec<bool>, boundary: Boundary) -> Self {
        let ones = flags.iter().filter(|flag| **flag).count();
        let shape = [prior[0] + ones as f64, prior[1] + (flags.len() - ones) as f64];
        let data = flags.into_iter().map(|flag| if flag { 1.0 } else { 0.0 }).collect();
        let log_constant = -ln_beta(prior);
        let facts = facts(shape, log_constant, boundary);
        Self { prior, data, shape, log_constant, facts }
    }

    /// A and B as a minibatch has it: a + (N/n) ones and b + (N/n) zeros.
    #[inline(always)]
    fn estimated_shape(&self, batch: &[u32]) -> [f64; 2] {
        let ones: f64 = batch.iter().map(|&index| self.data[index as usize]).sum();
        let scale = self.data.len() as f64 / batch.len() as f64;
        [self.prior[0] + scale * ones, self.prior[1] + scale * (batch.len() as f64 - ones)]
    }

    /// What keeps chains inside, if anything does.
    fn confine(&self, steps: &EulerSteps<'_>) -> Option<Coordinates> {
        (self.facts.boundary == Boundary::Reflect).then_some(steps.coordinates)
    }
}

/// ln B(a, b).
fn ln_beta([a, b]: [f64; 2]) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// All facts are closed forms. The y range of the view holds the curve of the normalised density.
fn facts(shape: [f64; 2], log_constant: f64, boundary: Boundary) -> Facts {
    let [a, b] = shape;
    let sum = a + b;
    let mean = a / sum;
    let variance = mean * (b / sum) / (sum + 1.0);
    let mode = (a - 1.0) / (sum - 2.0);
    let peak = exp((a - 1.0) * ln(mode) + (b - 1.0) * ln(1.0 - mode) - ln_beta(shape));
    let laplace = mode * (1.0 - mode) / (sum - 2.0);
    Facts {
        dimension: 1,
        axes: ["θ", ""],
        support: Support { min: Point::new(0.0, f64::NEG_INFINITY), max: Point::new(1.0, f64::INFINITY) },
        boundary,
        view: Window::new((0.0, 1.0), (0.0, 1.15 * peak)),
        modes: vec![Mode { at: Point::new(mode, 0.0), weight: 1.0, covariance: Matrix::new(laplace, 0.0, 0.0, 0.0) }],
        log_normaliser: ln_beta(shape) + log_constant,
        mean: Point::new(mean, 0.0),
        covariance: Matrix::new(variance, 0.0, 0.0, 0.0),
        start: Point::new(0.5, 0.0),
    }
}

impl Target for BetaPosterior {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn log_density(&self, at: Point) -> f64 {
        if !self.facts.support.contains(Point::new(at.x, 0.0)) {
            return f64::NEG_INFINITY;
        }
        (self.shape[0] - 1.0) * ln(at.x) + (self.shape[1] - 1.0) * ln(1.0 - at.x) + self.log_constant
    }

    fn gradient(&self, at: Point) -> Point {
        Point::new(slope(self.shape, at.x), 0.0)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let (left, right) = (at.x, 1.0 - at.x);
        let curvature = -(self.shape[0] - 1.0) / (left * left) - (self.shape[1] - 1.0) / (right * right);
        Matrix::new(curvature, 0.0, 0.0, 0.0)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        simd.dispatch(Sweep { function: Slopes { shape: |_| self.shape, confine: None }, x, y, gx, gy });
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        let confine = self.confine(&steps);
        steps.through(Slopes { shape: |_| self.shape, confine });
    }

    fn data(&self) -> Option<&dyn Data> {
        Some(self)
    }

    /// X/(X + Y) with X ~ Gamma(A), Y ~ Gamma(B).
    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        let first = gamma(self.shape[0], stream);
        let second = gamma(self.shape[1], stream);
        Some(Point::new(first / (first + second), 0.0))
    }
}

impl Data for BetaPosterior {
    fn len(&self) -> usize {
        self.data.len()
    }

    fn prior_gradient(&self, at: Point) -> Point {
        Point::new(slope(self.prior, at.x), 0.0)
    }

    fn datum_gradient(&self, at: Point, index: usize) -> Point {
        let datum = self.data[index];
        Point::new(datum / at.x - (1.0 - datum) / (1.0 - at.x), 0.0)
    }

    /// The data enter only through the number of ones among them.
    #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
    fn batch_gradient(&self, at: Point, batch: &[u32]) -> Point {
        let ones: f64 = batch.iter().map(|&index| self.data[index as usize]).sum();
        Point::new(ones / at.x - (batch.len() as f64 - ones) / (1.0 - at.x), 0.0)
    }

    fn estimates(&self, simd: Simd, x: &[f64], y: &[f64], batch: &[u32], gx: &mut [f64], gy: &mut [f64]) {
        let shape = self.estimated_shape(batch);
        simd.dispatch(Sweep { function: Slopes { shape: |_| shape, confine: None }, x, y, gx, gy });
    }

    fn euler(&self, batches: &[u32], size: usize, steps: EulerSteps<'_>) {
        let confine = self.confine(&steps);
        let shape = |step: usize| self.estimated_shape(&batches[step * size..(step + 1) * size]);
        steps.through(Slopes { shape, confine });
    }
}

/// d/dθ of (a−1) ln θ + (b−1) ln(1−θ); the formula goes on outside (0, 1).
#[inline(always)]
fn slope([a, b]: [f64; 2], theta: f64) -> f64 {
    (a - 1.0) / theta - (b - 1.0) / (1.0 - theta)
}

/// The derivative at many points, for the A and B of each step; chains are folded back if need be.
struct Slopes<F> {
    shape: F,
    confine: Option<Coordinates>,
}

impl<F: Fn(usize) -> [f64; 2]> Lanewise for Slopes<F> {
    #[inline(always)]
    fn at<const L: usize>(&self, step: usize, x: &[f64; L], _y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let shape = (self.shape)(step);
        (x.map(|x| slope(shape, x)), [0.0; L])
    }

    #[inline(always)]
    fn confined<const L: usize>(&self, x: [f64; L], y: [f64; L]) -> ([f64; L], [f64; L]) {
        match self.confine {
            Some(coordinates) => (x.map(|x| coordinates.fold(Point::new(x, 0.0)).x), y),
            None => (x, y),
        }
    }
}

/// A draw from Gamma(shape, 1), shape ≥ 1 (Marsaglia and Tsang 2000, ACM TOMS 26).
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let (normal, _) = stream.normal_pair();
        let root = 1.0 + c * normal;
        let cube = root * root * root;
        if root > 0.0 && ln(stream.uniform()) < 0.5 * normal * normal + d - d * cube + d * ln(cube) {
            return d * cube;
        }
    }
}
