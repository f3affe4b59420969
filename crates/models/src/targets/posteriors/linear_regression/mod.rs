//! Bayesian linear regression: the posterior of d weights, which is a Gaussian, seen in the plane of two of them.
//!
//! wₖ ~ N(0, s²), yᵢ ~ N(xᵢᵀw, σ²) for i = 1 … N. With A = XᵀX/σ² + I/s² and b = Xᵀy/σ² the posterior is N(A⁻¹b, A⁻¹)
//! (Bishop 2006, "Pattern recognition and machine learning", section 3.3), so every method in d dimensions can be compared
//! with a closed form. The density in the plane is the marginal of the two weights, which is a Gaussian too;
//! its normaliser is the evidence p(y).
//!
//! Data. Of `generated` ones features are N(0, 1); those of one datum have the correlations ρ^|j−k|. The true weights are drawn from
//! the prior. Those of `csv` are columns of a file, with an intercept or without.

mod file;
mod model;

use std::sync::{Arc, LazyLock};

use self::model::Posterior;
use crate::targets::gallery::gaussian_mixture::{Component, GaussianMixture};
use crate::targets::kit::symbols::subscripted;
use crate::targets::{Density, EulerSteps, Folder, Projection, Target, TargetEntry, TargetInfo, Vectors, data};
use base::math::{Matrix, Point, Purpose, Simd, Stream};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Largest number of weights: a full gradient costs d² multiplications.
const MOST_WEIGHTS: usize = 64;

/// Largest number of data.
const MOST_DATA: usize = 10_000;

static DATA_KINDS: [KindSpec; 2] = [
    KindSpec {
        name: "generated",
        label: "Drawn from the model",
        help: "Features drawn from N(0, 1) with the chosen correlation, and observations of a function whose weights are drawn from the \
               prior.",
        params: &[],
    },
    file::CSV,
];

/// Parameters of generated data, which change nothing for those of a file.
const OF_GENERATED: [&str; 6] = ["dimension", "n", "correlation", "seed", "shown_x", "shown_y"];

const PARAMS: [ParamSpec; 9] = [
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&DATA_KINDS),
        DefaultValue::Kind("generated"),
        "The data (x₁, y₁) … (x_N, y_N) behind the posterior, at most 10 000.",
    ),
    ParamSpec::integer(
        "dimension",
        "weights d",
        10.0,
        Interval::closed(2.0, MOST_WEIGHTS as f64),
        (2.0, 50.0),
        "Number of weights, that is, of dimensions in which the chains move.",
    ),
    data::size_param(
        Interval::closed(1.0, MOST_DATA as f64),
        100.0,
        "Number of data. More data make the posterior narrower.",
    ),
    ParamSpec::number(
        "noise_sd",
        "noise sd σ",
        0.5,
        Interval::closed(1e-2, 1e2),
        (0.1, 3.0),
        "Standard deviation of the noise in the observations.",
    )
    .log(),
    ParamSpec::number(
        "prior_sd",
        "prior sd s",
        1.0,
        Interval::closed(1e-2, 1e2),
        (0.1, 10.0),
        "Standard deviation of every weight under the prior.",
    )
    .log()
    .folded(),
    ParamSpec::number(
        "correlation",
        "correlation ρ",
        0.5,
        Interval::closed(-0.999, 0.999),
        (-0.99, 0.99),
        "Correlation of neighbouring features. Near ±1 the posterior is long in some directions and narrow in others.",
    )
    .folded(),
    data::SEED.folded(),
    shown("shown_x", "weight along x", 1.0),
    shown("shown_y", "weight along y", 2.0),
];

/// The number of a weight that is drawn.
const fn shown(key: &'static str, label: &'static str, number: f64) -> ParamSpec {
    let help = "Which weight is drawn and counted along this axis, by its number from 1.";
    ParamSpec::integer(key, label, number, Interval::closed(1.0, MOST_WEIGHTS as f64), (1.0, 10.0), help).folded()
}

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "linear-regression",
    label: "Linear regression",
    help: "Posterior of the weights of a linear regression, a Gaussian in up to 64 dimensions, seen in the plane of two of \
           them. Everything about it is known, so it shows what a method does in many dimensions. It takes data of your own. Gradients \
           can be estimated from minibatches.",
    params: &PARAMS,
};

/// Data of a file have their own numbers of weights and observations.
fn idle_parameters(settings: &Settings) -> &'static [&'static str] {
    let is_generated = settings.group("data").is_none_or(|group| group.kind.name == "generated");
    if is_generated { &[] } else { &OF_GENERATED }
}

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { idle: idle_parameters, ..TargetEntry::new(SPEC, build) };

/// Names of the weights as labels of axes: w₁ to w₆₄.
static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| (1..=MOST_WEIGHTS).map(|number| subscripted('w', number)).collect());

/// Makes the target.
///
/// # Errors
/// If data cannot be read, if a weight that is to be drawn does not exist or is drawn twice, or if the posterior is too narrow to
/// show.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let sds = [settings.number("noise_sd"), settings.number("prior_sd")];
    let made = match settings.group("data") {
        Some(group) if group.kind == &file::CSV => {
            let under =
                |errors: Vec<ParamError>| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>();
            let file::Given { features, observations, shown, symbols, names } =
                file::read(group, folder).map_err(under)?;
            let posterior = Posterior::new(features, observations, sds);
            posterior.and_then(|posterior| target(posterior, shown, symbols, names))
        }
        _ => {
            let shown = shown_weights(settings)?;
            let symbols = shown.map(|number| NAMES.get(number).map_or("", String::as_str));
            let posterior = generated(settings, sds);
            posterior.and_then(|posterior| target(posterior, shown, symbols, symbols.map(str::to_owned)))
        }
    };
    let narrow = || vec![ParamError::new("noise_sd", "the posterior is too narrow to show", "a larger number")];
    made.ok_or_else(narrow)
}

/// The posterior of generated data.
fn generated(settings: &Settings, sds: [f64; 2]) -> Option<Posterior> {
    let count = |key: &str| usize::try_from(settings.count(key)).unwrap_or(usize::MAX);
    let mut stream = Stream::derive(settings.count("seed"), Purpose::Data, 0, 0);
    Posterior::generated(count("dimension"), count("n"), sds, settings.number("correlation"), &mut stream)
}

/// The two weights that are shown, of generated data, from 0.
fn shown_weights(settings: &Settings) -> Result<[usize; 2], Vec<ParamError>> {
    let count = |key: &str| usize::try_from(settings.count(key)).unwrap_or(usize::MAX);
    let dimension = count("dimension");
    let numbers = [count("shown_x"), count("shown_y")];
    let beyond = ["shown_x", "shown_y"].into_iter().zip(numbers).filter(|(_, number)| *number > dimension);
    let error = |key: &str, number: usize| {
        ParamError::new(key, format!("there is no weight {number}"), format!("a whole number from 1 to {dimension}"))
    };
    let mut errors: Vec<ParamError> = beyond.map(|(key, number)| error(key, number)).collect();
    if numbers[0] == numbers[1] {
        errors.push(ParamError::new("shown_y", "the same weight is drawn along both axes", "another weight"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(numbers.map(|number| number - 1))
}

/// The target of a posterior, of which two weights are drawn with these symbols and labels.
fn target(posterior: Posterior, shown: [usize; 2], axes: [&'static str; 2], names: [String; 2]) -> Option<Target> {
    let [x, y] = shown;
    let (mean, covariance) = (posterior.mean(), posterior.covariance());
    let matrix = Matrix::new(covariance[(x, x)], covariance[(x, y)], covariance[(y, x)], covariance[(y, y)]);
    let marginal = GaussianMixture::new(vec![Component::new(1.0, Point::new(mean[x], mean[y]), matrix)?]);
    let info = TargetInfo { axes, log_normaliser: posterior.log_evidence(), ..marginal.info().clone() };
    let marginal: Arc<dyn Density> = Arc::new(Marginal { marginal, names, info: info.clone() });
    let (model, projection) = (Arc::new(posterior), Projection::Coordinates(shown));
    Some(Target::vectors(Vectors { model, projection, marginal: Some(marginal) }, info))
}

/// The marginal of two weights, times the evidence.
#[derive(Debug)]
struct Marginal {
    marginal: GaussianMixture,
    /// Labels of the axes.
    names: [String; 2],
    info: TargetInfo,
}

impl Density for Marginal {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn axis_labels(&self) -> [&str; 2] {
        self.names.each_ref().map(String::as_str)
    }

    fn log_density(&self, at: Point) -> f64 {
        self.marginal.log_density(at) + self.info.log_normaliser
    }

    fn gradient(&self, at: Point) -> Point {
        self.marginal.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.marginal.hessian(at)
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        self.marginal.gradients(simd, x, y, gx, gy);
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        self.marginal.euler(steps);
    }

    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        self.marginal.cell_probabilities(x, y)
    }

    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        self.marginal.exact_draw(stream)
    }
}
