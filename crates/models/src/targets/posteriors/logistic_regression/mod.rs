//! Bayesian logistic regression with two coefficients, so that its posterior can be seen whole.
//!
//! yᵢ ∈ {0, 1} with P(yᵢ = 1) = σ(ηᵢ), σ(η) = 1/(1 + e^−η), and βₖ ~ N(0, sₖ²). There are an intercept and one predictor,
//! η = β₀ + β₁x, or two predictors, η = β₁x₁ + β₂x₂.
//!
//! The log density is log prior + log likelihood with all constants, so its normaliser is the evidence. With
//! u = (2y − 1) η datum i contributes ln σ(u) = min(u, 0) − ln(1 + e^−|u|) to it, σ(−u) (2y − 1) xᵢ to the gradient, and
//! −σ(u) σ(−u) xᵢxᵢᵀ to the Hessian, which is minus its Fisher information. So the density is log-concave, with one mode.
//! There is no closed form; moments and the mode come from quadrature. Where a line separates the classes the likelihood has no
//! maximum, and the prior alone keeps the posterior proper.
//!
//! Data. `bioassay`: deaths among five animals at each of four doses (Racine, Grieve, Flühler and Smith 1986, "Bayesian methods
//! in practice", Applied Statistics 35:93, table 1; Gelman et al. 2013, "Bayesian Data Analysis", section 3.7). So few data leave
//! a skewed posterior, far from a Gaussian. `generated`: predictors from N(0, 1), and responses of the model.

mod observations;
mod posterior;

use std::sync::Arc;

use self::observations::{DATA, Observed};
use self::posterior::Posterior;
use crate::targets::kit::cell_sampler::{CellSampler, Slack};
use crate::targets::kit::modes::{self, Surface};
use crate::targets::kit::quadrature::Lattice;
use crate::targets::kit::smooth_cells;
use crate::targets::{Boundary, Data, Density, EulerSteps, Folder, Support, Target, TargetEntry, TargetInfo};
use base::math::{Matrix, Point, Simd, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Data from which on the probabilities of cells are interpolated.
const MANY_DATA: usize = 500;

const PARAMS: [ParamSpec; 2] = [
    DATA,
    ParamSpec::of(
        "prior_sd",
        "prior sds s",
        ParamType::Pair { legal: Interval::closed(1e-2, 1e3) },
        DefaultValue::Pair([10.0, 25.0]),
        "Standard deviations of the two coefficients under the prior, which has mean 0. The wider the prior, the less it hides how \
         little few data say.",
    ),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "logistic-regression",
    label: "Logistic regression",
    help: "Posterior of the two coefficients of a logistic regression: how probable a one is, given a predictor or two. Few data \
           leave it skewed, far from a Gaussian. It takes data of your own. Gradients can be estimated from minibatches.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry::new(SPEC, build);

/// Makes the target.
///
/// # Errors
/// If data cannot be read, or do not determine a posterior that can be integrated.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let observed =
        settings.group("data").map_or_else(|| Ok(Observed::bioassay()), |group| Observed::read(group, folder));
    let Observed { predictors, responses, symbols, names } =
        observed.map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?;
    let posterior = Posterior::new(&predictors, &responses, Point::from(settings.pair("prior_sd")));
    let uneven = || {
        let problem =
            "the posterior of these data cannot be integrated: it is much narrower in one direction than in another";
        vec![ParamError::new("prior_sd", problem, "smaller sds, or predictors that are standardised")]
    };
    let target = LogisticRegression::new(posterior, symbols, names).ok_or_else(uneven)?;
    Ok(Target::plane(Arc::new(target)))
}

/// The posterior with its moments and its mode.
#[derive(Debug)]
struct LogisticRegression {
    posterior: Posterior,
    names: [String; 2],
    info: TargetInfo,
    /// `None` where draws would be rejected too often.
    sampler: Option<CellSampler>,
}

impl LogisticRegression {
    /// `None` if no mode is found, or if it is too uneven for a lattice.
    fn new(posterior: Posterior, symbols: [&'static str; 2], names: [String; 2]) -> Option<Self> {
        let peaks = modes::peaks(&posterior, 2, &[Point::zeros()]);
        if peaks.is_empty() {
            return None;
        }
        // Where the classes hardly overlap, the likelihood bends most on the edge of a wedge, and the mode is inside.
        let lattice = Lattice::survey_of_ridges(&posterior, 2, &peaks);
        if !lattice.is_resolved() {
            return None;
        }
        let weights = lattice.basin_weights(&posterior, &peaks);
        let (mean, covariance) = lattice.moments();
        let info = TargetInfo {
            dimension: 2,
            axes: symbols,
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
        // The density is log-concave.
        let size = lattice.cell_size();
        let slack = Slack::above(posterior.largest_curvature(), size).and_below(Point::zeros(), size);
        let sampler = CellSampler::new(&lattice, |_| slack);
        Some(Self { posterior, names, info, sampler })
    }
}

impl Density for LogisticRegression {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn axis_labels(&self) -> [&str; 2] {
        self.names.each_ref().map(String::as_str)
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

    /// Of many data, whose sums take long, by interpolation.
    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        if self.posterior.len() < MANY_DATA {
            return None;
        }
        let log = |at: Point| self.posterior.log_density(at) - self.info.log_normaliser;
        let mode = self.info.modes.first()?.at;
        let widths = self.posterior.hessian(mode).diagonal().map(|bend| 1.0 / (-bend).sqrt());
        smooth_cells::probabilities(&log, widths, x, y)
    }

    fn data(&self) -> Option<&dyn Data> {
        Some(&self.posterior)
    }

    fn narrows(&self) -> bool {
        true
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        Some(self.sampler.as_ref()?.draw(stream, |at| self.posterior.log_density(at)))
    }

    fn prior_draw(&self, stream: &mut Stream) -> Option<Point> {
        let (first, second) = stream.normal_pair();
        Some(Point::new(first, second).component_mul(&self.posterior.prior_sd()))
    }
}
