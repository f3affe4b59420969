//! The posterior of the two means of a mixture: the bimodal example of Welling and Teh, "Bayesian learning
//! via stochastic gradient Langevin dynamics" (2011), section 5.1.
//!
//! θ₁ ~ N(0, v₁), θ₂ ~ N(0, v₂), xᵢ ~ ½ N(θ₁, σ²) + ½ N(θ₁ + θ₂, σ²) for i = 1 … N; v₁ = 10, v₂ = 1, σ² = 2.
//! The log density is log prior + log likelihood with all constants, so its normaliser is the evidence.
//!
//! With d = xᵢ − θ₁ and the share r = 1/(1 + e⁻ᵘ), u = θ₂ (d − θ₂/2)/σ², of the second component, datum i
//! contributes −min(d², (d−θ₂)²)/2σ² + ln(1 + e^−|u|) to the log density and (d − r θ₂, r (d − θ₂))/σ² to the
//! gradient, neither of which overflows. There is no closed form; moments and modes come from quadrature.
//!
//! Data. Welling and Teh draw 100 data with θ = (0, 1). Whether the posterior then has two modes depends on the draw,
//! which they do not publish. The default `quantile100` is a sample without randomness: the quantiles (i − ½)/100 of
//! that distribution, in increasing order. `article` repeats a widespread error, which adds two halved normals instead
//! of choosing one of two normals.
//!
//! Sums over many data are computed from a [`summary`] of them, which is the same to rounding; minibatches have the data themselves.

mod conjugacy;
mod posterior;
mod summary;
mod sums;

use std::sync::Arc;

use self::posterior::Posterior;
use crate::targets::kit::cell_sampler::{CellSampler, Slack};
use crate::targets::kit::modes::{self, Surface};
use crate::targets::kit::quadrature::Lattice;
use crate::targets::{Boundary, Conjugacy, Data, Density, Folder, Support, Target, TargetEntry, TargetInfo, data};
use base::math::{Matrix, Point, Purpose, Simd, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// The bundled data: quantiles (i − ½)/100 of ½N(0, 2) + ½N(1, 2).
const QUANTILES: &str = include_str!("../../../../../../assets/data/wt_quantile100.csv");

/// Largest number of data.
const MAX_DATA: usize = 100_000;

const SIZE: Interval = Interval::closed(1.0, 100_000.0);
const VARIANCE: Interval = Interval::closed(1e-3, 1e4);

const GENERATED: [ParamSpec; 3] = [
    data::size_param(SIZE, 100.0, "Number of data. More data make the posterior narrower."),
    ParamSpec::of(
        "theta",
        "true θ",
        ParamType::Pair { legal: Interval::closed(-100.0, 100.0) },
        DefaultValue::Pair([0.0, 1.0]),
        "The parameters (θ₁, θ₂) from which the data are drawn: components at θ₁ and at θ₁ + θ₂.",
    ),
    data::SEED,
];

const ARTICLE: [ParamSpec; 2] =
    [data::size_param(SIZE, 100.0, "Number of data. More data make the posterior narrower."), data::SEED];

static DATA_KINDS: [KindSpec; 4] = [
    KindSpec {
        name: "quantile100",
        label: "100 quantiles",
        help: "The 100 quantiles of ½N(0, 2) + ½N(1, 2) in increasing order: data without randomness, whose posterior has \
               two modes.",
        params: &[],
    },
    KindSpec {
        name: "article",
        label: "Sum instead of mixture, N(0.5, 1)",
        help: "Data from N(0.5, 1), not from the model: a widespread error reads ½N(0, 2) + ½N(1, 2) as the sum of two \
               halved normals instead of a mixture. The posterior has a single mode near (0.5, 0).",
        params: &ARTICLE,
    },
    KindSpec {
        name: "generated",
        label: "Drawn from the model",
        help: "Data drawn from the model at chosen true parameters. Whether the posterior has one mode or two depends \
               on the draw.",
        params: &GENERATED,
    },
    data::CSV,
];

const PARAMS: [ParamSpec; 3] = [
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&DATA_KINDS),
        DefaultValue::Kind("quantile100"),
        "The data x₁ … x_N behind the posterior, at most 100 000.",
    ),
    ParamSpec::of(
        "prior_variance",
        "prior variances",
        ParamType::Pair { legal: VARIANCE },
        DefaultValue::Pair([10.0, 1.0]),
        "Variances of θ₁ and θ₂ under the prior, which has mean 0.",
    ),
    ParamSpec::number(
        "likelihood_variance",
        "component variance σ²",
        2.0,
        VARIANCE,
        (0.1, 10.0),
        "Variance of each of the two components of the mixture. A small variance makes the modes distant and deep.",
    )
    .log(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "bivariate-mixture",
    label: "Means of a mixture",
    help: "Posterior of the means of two overlapping Gaussians, θ₁ and θ₁ + θ₂, given data (Welling and Teh 2011). The \
           two can swap roles, which makes two ridges with a valley between them. Gradients can be estimated from \
           minibatches.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// If data cannot be read, are too many, or do not determine a posterior that can be integrated.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let variance = settings.number("likelihood_variance");
    let data = read_data(settings, variance, folder)
        .map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?;
    let posterior = Posterior::new(data, Point::from(settings.pair("prior_variance")), variance);
    let target = BivariateMixture::new(posterior);
    let flat = || {
        let problem = "the posterior of these data under these variances cannot be integrated";
        vec![ParamError::new("likelihood_variance", problem, "a variance nearer to that of the data")]
    };
    target.map(|target| Target::plane(Arc::new(target))).ok_or_else(flat)
}

/// The data that the settings name; errors are relative to `data`.
fn read_data(settings: &Settings, variance: f64, folder: &Folder) -> Result<Vec<f64>, Vec<ParamError>> {
    let Some(group) = settings.group("data") else { return Ok(quantiles()) };
    let mut stream = Stream::derive(group_seed(group), Purpose::Data, 0, 0);
    match group.kind.name {
        "article" => Ok((0..group.count("n")).map(|_| summed(&mut stream)).collect()),
        "generated" => {
            let [first, shift] = group.pair("theta");
            let sd = variance.sqrt();
            Ok((0..group.count("n")).map(|_| mixed(&mut stream, first, shift, sd)).collect())
        }
        "csv" => {
            let data = data::read(group, folder)?;
            if data.len() > MAX_DATA {
                return Err(vec![data::too_many(group, data.len(), MAX_DATA)]);
            }
            Ok(data)
        }
        _ => Ok(quantiles()),
    }
}

/// The seed of generated data; 0 for kinds that generate none.
fn group_seed(group: &Settings) -> u64 {
    if group.kind.param("seed").is_some() { group.count("seed") } else { 0 }
}

fn quantiles() -> Vec<f64> {
    QUANTILES.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

/// One datum of the model: either component with probability ½.
fn mixed(stream: &mut Stream, first: f64, shift: f64, sd: f64) -> f64 {
    let second = stream.uniform() < 0.5;
    let (normal, _) = stream.normal_pair();
    first + if second { shift } else { 0.0 } + sd * normal
}

/// One datum of the wrong model: ½ (√2 z) + ½ (√2 z′ + 1), which does not depend on the parameters.
fn summed(stream: &mut Stream) -> f64 {
    let (first, second) = stream.normal_pair();
    let root = std::f64::consts::SQRT_2;
    0.5 * (root * first) + 0.5 * (root * second + 1.0)
}

/// The posterior with its moments and modes.
#[derive(Debug)]
struct BivariateMixture {
    posterior: Posterior,
    info: TargetInfo,
    /// `None` where draws would be rejected too often.
    sampler: Option<CellSampler>,
}

impl BivariateMixture {
    /// `None` if no mode is found, or if it is too uneven for a lattice.
    fn new(posterior: Posterior) -> Option<Self> {
        let mut peaks = modes::peaks(&posterior, 2, &posterior.starts());
        if peaks.is_empty() {
            return None;
        }
        peaks.sort_by(|first, second| first.x.total_cmp(&second.x));
        let lattice = Lattice::survey(&posterior, 2, &peaks);
        if !lattice.is_resolved() {
            return None;
        }
        let weights = lattice.basin_weights(&posterior, &peaks);
        let (mean, covariance) = lattice.moments();
        let info = TargetInfo {
            dimension: 2,
            axes: ["θ₁", "θ₂"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: lattice.view(),
            modes: modes::laplace_modes(&posterior, 2, &peaks, &weights),
            log_normaliser: lattice.log_normaliser(),
            mean,
            covariance,
            start: Point::zeros(),
            unknown: None,
        };
        let above = Slack::above(posterior.largest_curvature(), lattice.cell_size());
        let sampler = CellSampler::new(&lattice, |_| above);
        Some(Self { posterior, info, sampler })
    }
}

impl Density for BivariateMixture {
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

    fn data(&self) -> Option<&dyn Data> {
        Some(&self.posterior)
    }

    fn conjugacy(&self) -> Option<&dyn Conjugacy> {
        Some(&self.posterior)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.sampler.as_ref()?.draw(stream, |at| self.posterior.log_density(at)))
    }

    fn prior_draw(&self, stream: &mut Stream) -> Option<Point> {
        let (first, second) = stream.normal_pair();
        let variance = self.posterior.prior_variance;
        Some(Point::new(first * variance.x.sqrt(), second * variance.y.sqrt()))
    }
}
