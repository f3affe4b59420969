//! Posteriors of the two weights of a small network, so that weight space and function space can both be seen whole.
//!
//! yᵢ ~ N(f(xᵢ; w₁, w₂), σ²) for i = 1 … N, with w₁, w₂ ~ N(0, s²) and σ known. The networks:
//!
//! - `two-weight-sign`: f = w₂ tanh(w₁x). The signs of both weights can change together: p(w) = p(−w), two modes.
//! - `two-weight-ridge`: the same at inputs so near 0 that only the product w₁w₂ is seen: a hyperbola with two branches.
//! - `two-weight-swap`: f = tanh(w₁x + 1) + tanh(w₂x + 1). The weights can be exchanged: p(w₁, w₂) = p(w₂, w₁).
//!
//! The log density is log prior + log likelihood with all constants, so its normaliser is the evidence. There is no closed
//! form; moments, modes and predictions come from quadrature.
//!
//! Data. Inputs are equally spaced, xᵢ = −c + 2c(i − ½)/N. The noise of `lattice` is σ Φ⁻¹(((m i) mod N + ½)/N) for
//! i = 0 … N − 1: quantiles in a fixed shuffled order, where m is the smallest number from 5 on without a common divisor
//! with N. The noise of `seeded` is random.

mod network;
mod posterior;

use std::sync::Arc;

use self::network::{Network, Product, Sum};
use self::posterior::Posterior;
use crate::targets::kit::cell_sampler::{CellSampler, Slack};
use crate::targets::kit::modes::{self, Surface};
use crate::targets::kit::quadrature::Lattice;
use crate::targets::network::{greatest_common_divisor, lattice_noise};
use crate::targets::{
    Behind, Boundary, Data, Density, EulerSteps, Folder, Support, Target, TargetEntry, TargetInfo, data,
};
use base::math::elementary::tanh;
use base::math::{Matrix, Point, Purpose, Simd, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Number of data unless it is changed.
const DATA: f64 = 12.0;

/// Coordinates, in standard deviations of the prior, from whose pairs modes are searched.
const START_COORDINATES: [f64; 5] = [-2.0, -0.7, 0.1, 0.8, 2.1];

const WEIGHTS: Interval = Interval::closed(-20.0, 20.0);

/// The parameters of even noise: number and reach of the inputs, and the function behind the data.
const fn lattice(reach: f64, truth: ParamSpec) -> [ParamSpec; 3] {
    [
        ParamSpec::integer(
            "n",
            "number of data N",
            DATA,
            Interval::closed(1.0, 500.0),
            (2.0, 100.0),
            "Number of data. More data make the posterior narrower.",
        )
        .log()
        .unit("data"),
        ParamSpec::number(
            "reach",
            "largest input",
            reach,
            Interval::closed(0.05, 10.0),
            (0.2, 3.0),
            "The inputs x are equally spaced from minus this number to this number. Where they reach further, tanh bends \
             and tells w₁ from w₂.",
        )
        .log(),
        truth,
    ]
}

/// The parameters of random noise: the same, and a seed.
const fn seeded([n, reach, truth]: [ParamSpec; 3]) -> [ParamSpec; 4] {
    [n, reach, truth, data::SEED]
}

const fn true_weights(weights: [f64; 2]) -> ParamSpec {
    ParamSpec::of(
        "weights",
        "true weights",
        ParamType::Pair { legal: WEIGHTS },
        DefaultValue::Pair(weights),
        "The weights (w₁, w₂) of the function behind the data.",
    )
}

const TRUE_SLOPE: ParamSpec = ParamSpec::number(
    "slope",
    "true slope",
    1.0,
    WEIGHTS,
    (-3.0, 3.0),
    "The line behind the data is y = slope · x. Only the product w₁w₂ shows in its slope.",
);

const fn data_kinds(lattice: &'static [ParamSpec], seeded: &'static [ParamSpec]) -> [KindSpec; 2] {
    [
        KindSpec {
            name: "lattice",
            label: "Even noise",
            help: "Noise at the quantiles of N(0, σ²) in a fixed shuffled order: data without randomness.",
            params: lattice,
        },
        KindSpec {
            name: "seeded",
            label: "Random noise",
            help: "Noise drawn from N(0, σ²). Another seed gives another data set.",
            params: seeded,
        },
    ]
}

static SIGN_LATTICE: [ParamSpec; 3] = lattice(1.5, true_weights([0.9, 1.2]));
static SIGN_SEEDED: [ParamSpec; 4] = seeded(lattice(1.5, true_weights([0.9, 1.2])));
static RIDGE_LATTICE: [ParamSpec; 3] = lattice(0.5, TRUE_SLOPE);
static RIDGE_SEEDED: [ParamSpec; 4] = seeded(lattice(0.5, TRUE_SLOPE));
static SWAP_LATTICE: [ParamSpec; 3] = lattice(1.5, true_weights([2.0, -1.0]));
static SWAP_SEEDED: [ParamSpec; 4] = seeded(lattice(1.5, true_weights([2.0, -1.0])));

static SIGN_DATA: [KindSpec; 2] = data_kinds(&SIGN_LATTICE, &SIGN_SEEDED);
static RIDGE_DATA: [KindSpec; 2] = data_kinds(&RIDGE_LATTICE, &RIDGE_SEEDED);
static SWAP_DATA: [KindSpec; 2] = data_kinds(&SWAP_LATTICE, &SWAP_SEEDED);

const fn params(prior_sd: f64, kinds: &'static [KindSpec]) -> [ParamSpec; 3] {
    [
        ParamSpec::number(
            "prior_sd",
            "prior sd s",
            prior_sd,
            Interval::closed(0.05, 20.0),
            (0.3, 3.0),
            "Standard deviation of both weights under the prior N(0, s²).",
        )
        .log(),
        ParamSpec::number(
            "noise_sd",
            "noise sd σ",
            0.3,
            Interval::closed(0.01, 10.0),
            (0.1, 1.0),
            "Standard deviation of the noise around the function. The data have this noise, and the posterior knows it.",
        )
        .log(),
        ParamSpec::of(
            "data",
            "data",
            ParamType::Group(kinds),
            DefaultValue::Kind("lattice"),
            "The data (x₁, y₁) … (x_N, y_N), at most 500.",
        ),
    ]
}

static SIGN_PARAMS: [ParamSpec; 3] = params(1.5, &SIGN_DATA);
static RIDGE_PARAMS: [ParamSpec; 3] = params(1.5, &RIDGE_DATA);
static SWAP_PARAMS: [ParamSpec; 3] = params(2.0, &SWAP_DATA);

/// The description of the network with two signs.
pub const SIGN: TargetEntry = TargetEntry::new(
    KindSpec {
        name: "two-weight-sign",
        label: "Two weights: signs",
        help: "Posterior of the weights of the network w₂ tanh(w₁x). Both signs can change together without a change of the \
           function, which makes two modes that predict the same. The tab Functions shows the function of every draw. \
           Gradients can be estimated from minibatches.",
        params: &SIGN_PARAMS,
    },
    build_sign,
);

/// The description of the network of which only the product of the weights is seen.
pub const RIDGE: TargetEntry = TargetEntry::new(
    KindSpec {
        name: "two-weight-ridge",
        label: "Two weights: ridge",
        help: "Posterior of the weights of the network w₂ tanh(w₁x) with inputs near 0, where it is the line w₁w₂x: the data \
           tell the product of the weights and little more, so the density is a ridge along a hyperbola with two branches. \
           Gradients can be estimated from minibatches.",
        params: &RIDGE_PARAMS,
    },
    build_ridge,
);

/// The description of the network whose weights can be exchanged.
pub const SWAP: TargetEntry = TargetEntry::new(
    KindSpec {
        name: "two-weight-swap",
        label: "Two weights: swap",
        help: "Posterior of the weights of the network tanh(w₁x + 1) + tanh(w₂x + 1). The hidden units can be exchanged without \
           a change of the function, which makes two modes that predict the same. Gradients can be estimated from \
           minibatches.",
        params: &SWAP_PARAMS,
    },
    build_swap,
);

/// Makes the target [`SIGN`].
///
/// # Errors
/// If the posterior is too uneven for quadrature.
fn build_sign(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let [first, second] = truth(settings);
    build(settings, Product, |x| second * tanh(first * x))
}

/// Makes the target [`RIDGE`].
///
/// # Errors
/// As [`build_sign`].
fn build_ridge(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let slope = settings.group("data").map_or(1.0, |group| group.number("slope"));
    build(settings, Product, |x| slope * x)
}

/// Makes the target [`SWAP`].
///
/// # Errors
/// As [`build_sign`].
fn build_swap(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let [first, second] = truth(settings);
    build(settings, Sum, |x| tanh(first * x + 1.0) + tanh(second * x + 1.0))
}

fn truth(settings: &Settings) -> [f64; 2] {
    settings.group("data").map_or([0.0; 2], |group| group.pair("weights"))
}

fn build<N: Network>(settings: &Settings, network: N, truth: impl Fn(f64) -> f64) -> Result<Target, Vec<ParamError>> {
    let (prior_sd, noise_sd) = (settings.number("prior_sd"), settings.number("noise_sd"));
    let (inputs, noise) = settings.group("data").map_or_else(Default::default, made);
    let observations = inputs.iter().zip(noise).map(|(x, z)| truth(*x) + noise_sd * z).collect();
    let posterior = Posterior::new(network, (inputs, observations), prior_sd, noise_sd);
    let uneven = || {
        let problem = "the posterior of these data cannot be integrated";
        vec![ParamError::new("noise_sd", problem, "a larger noise sd, or a smaller prior sd")]
    };
    let target = TwoWeight::new(posterior).ok_or_else(uneven)?;
    let behind = Behind::Function(target.posterior.clone());
    Ok(Target::plane(Arc::new(target)).with(behind))
}

/// The inputs that the settings of the data name, and their noise in standard deviations.
fn made(group: &Settings) -> (Vec<f64>, Vec<f64>) {
    let (n, reach) = (group.count("n"), group.number("reach"));
    let share = |index: u64| (index as f64 + 0.5) / n as f64;
    let inputs = (0..n).map(|index| -reach + 2.0 * reach * share(index)).collect();
    if group.kind.param("seed").is_some() {
        let mut stream = Stream::derive(group.count("seed"), Purpose::Data, 0, 0);
        return (inputs, (0..n).map(|_| stream.normal_pair().0).collect());
    }
    let count = usize::try_from(n).unwrap_or(usize::MAX);
    let multiplier = (5..).find(|multiplier| greatest_common_divisor(*multiplier, count) == 1).unwrap_or(1);
    (inputs, lattice_noise(count, multiplier, 0))
}

/// The posterior with its moments and modes.
#[derive(Debug)]
struct TwoWeight<N> {
    posterior: Arc<Posterior<N>>,
    info: TargetInfo,
    /// `None` where draws would be rejected too often.
    sampler: Option<CellSampler>,
}

impl<N: Network> TwoWeight<N> {
    /// `None` if no mode is found, or if it is too uneven for a lattice.
    fn new(posterior: Posterior<N>) -> Option<Self> {
        let sd = posterior.prior_sd();
        let pairs =
            START_COORDINATES.iter().flat_map(|first| START_COORDINATES.map(|second| Point::new(*first, second) * sd));
        let mut peaks = modes::peaks(&posterior, 2, &pairs.collect::<Vec<_>>());
        if peaks.is_empty() {
            return None;
        }
        peaks.sort_by(|first, second| first.x.total_cmp(&second.x));
        let lattice = Lattice::survey_of_ridges(&posterior, 2, &peaks);
        if !lattice.is_resolved() {
            return None;
        }
        let weights = lattice.basin_weights(&posterior, &peaks);
        let (mean, covariance) = lattice.moments();
        let info = TargetInfo {
            dimension: 2,
            axes: ["w₁", "w₂"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: lattice.view(),
            modes: modes::laplace_modes(&posterior, 2, &peaks, &weights),
            log_normaliser: lattice.log_normaliser(),
            mean,
            covariance,
            // Off the lines on which the gradient leads to a saddle.
            start: Point::new(sd, 0.5 * sd),
            unknown: None,
        };
        let size = lattice.cell_size();
        let sampler = CellSampler::new(&lattice, |cell| {
            Slack::above(posterior.largest_curvature(cell.corner, cell.corner + size), size)
        });
        Some(Self { posterior: Arc::new(posterior), info, sampler })
    }
}

impl<N: Network> Density for TwoWeight<N> {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        if self.info.support.contains(at) { self.posterior.log_density(at) } else { f64::NEG_INFINITY }
    }

    fn gradient(&self, at: Point) -> Point {
        self.posterior.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.posterior.hessian(at)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        self.posterior.gradients(simd, x, y, gx, gy);
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        self.posterior.euler(steps);
    }

    fn data(&self) -> Option<&dyn Data> {
        Some(self.posterior.as_ref())
    }

    fn narrows(&self) -> bool {
        true
    }

    fn conditional_draw(&self, axis: usize, at: Point, [_, normal]: [f64; 2]) -> Option<f64> {
        self.posterior.conditional_draw(axis, at, normal)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.sampler.as_ref()?.draw(stream, |at| self.posterior.log_density(at)))
    }

    fn prior_draw(&self, stream: &mut Stream) -> Option<Point> {
        let (first, second) = stream.normal_pair();
        Some(Point::new(first, second) * self.posterior.prior_sd())
    }
}
