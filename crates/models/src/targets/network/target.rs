//! The posterior of a network as a target: what can be set, and two of its weights as a plane.

use std::sync::{Arc, LazyLock, OnceLock};

use super::choices::{self, Given, sd};
use super::{Adam, Layout, Likelihood, Network, NetworkError, Prior, Temper, TestSet, adam, newton, predictions};
use crate::families::{CLASSES, FUNCTIONS};
use crate::targets::kit::symbols::subscripted;
use crate::targets::{
    Behind, Curvature, CurvatureError, Disturbance, Dropout, Folder, Functions, Minibatches, Model, Precision,
    Projection, Target, TargetEntry, TargetInfo, Vectors,
};
use base::math::{Bounds, Coords, Point, Simd};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

/// Largest number of hidden units in a layer.
const MOST_HIDDEN: f64 = 50.0;

/// Standard deviations of the prior to either side that the view shows.
const VIEW: f64 = 3.5;

/// The search for the mode whose curvature limits steps.
const SEARCH: Adam = Adam { steps: 4000, rate: 0.01 };

/// Newton steps after it, at most.
const NEWTON_STEPS: usize = 100;

const FAN_IN: [ParamSpec; 2] = [
    sd(
        "weight_sd",
        "σ of weights",
        2.0,
        "The sd of a weight is this divided by the root of the number of inputs of its unit.",
    ),
    sd("bias_sd", "σ of biases", 1.0, "Standard deviation of every bias."),
];

const UNIT: [ParamSpec; 1] = [sd("sd", "sd", 1.0, "Standard deviation of every weight and bias.")];

static PRIORS: [KindSpec; 2] = [
    KindSpec {
        name: "fan-in",
        label: "By fan-in",
        help: "Weights whose sd shrinks with the number of inputs of a unit, so that wide layers do not make steep functions.",
        params: &FAN_IN,
    },
    KindSpec { name: "unit", label: "Equal", help: "The same sd for all weights and biases.", params: &UNIT },
];

const PARAMS: [ParamSpec; 8] = [
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&choices::KINDS),
        DefaultValue::Kind("gap-sine"),
        "The data behind the posterior.",
    ),
    ParamSpec::integer(
        "hidden",
        "hidden units",
        10.0,
        Interval::closed(1.0, MOST_HIDDEN),
        (1.0, 20.0),
        "Number of units in the hidden layer, each a tanh.",
    )
    .primary(),
    ParamSpec::integer(
        "second_hidden",
        "in a second layer",
        0.0,
        Interval::closed(0.0, MOST_HIDDEN),
        (0.0, 20.0),
        "Number of units in a second hidden layer; 0 for none.",
    )
    .folded(),
    ParamSpec::of(
        "prior",
        "prior",
        ParamType::Group(&PRIORS),
        DefaultValue::Kind("fan-in"),
        "The prior of the weights, N(0, s²) each.",
    )
    .folded(),
    ParamSpec::number(
        "temperature",
        "temperature T",
        1.0,
        Interval::closed(1e-3, 1e3),
        (0.01, 10.0),
        "The posterior to the power 1/T: below 1 it is colder and narrower than Bayes' rule says.",
    )
    .log()
    .folded(),
    ParamSpec::of(
        "temper",
        "T divides",
        ParamType::Choice(&TEMPERED),
        DefaultValue::Word("posterior"),
        "What the temperature divides: log prior and log likelihood, or the log likelihood alone.",
    )
    .folded(),
    shown("shown_x", "weight along x", 1.0),
    shown("shown_y", "weight along y", 2.0),
];

static TEMPERED: [Choice; 2] = [
    Choice { name: "posterior", label: "both", help: "Log prior and log likelihood (Wenzel et al. 2020)." },
    Choice { name: "likelihood", label: "likelihood", help: "The log likelihood alone." },
];

/// The number of a weight that is drawn.
const fn shown(key: &'static str, label: &'static str, number: f64) -> ParamSpec {
    let help = "Which weight is drawn along this axis, by its number from 1: first the weights of the first layer, unit by unit, \
                then its biases, then the next layer.";
    ParamSpec::integer(key, label, number, Interval::closed(1.0, 1e4), (1.0, 31.0), help).folded()
}

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "network",
    label: "Neural network",
    help: "Posterior of the weights of a small neural network with tanh units, given data of a function or of classes. The canvas \
           shows two of the weights; what the draws say of the function is in the tab Functions, of classes in the tab Maps. The \
           exact posterior is not known.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { family: &FUNCTIONS, ..TargetEntry::new(SPEC, build) };

/// Names of weights as labels of axes: w₁, w₂, …
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| (1..=10_000).map(|number| subscripted('w', number)).collect());

/// Makes the target.
///
/// # Errors
/// Weights that are to be drawn and do not exist, and numbers that are not legal together.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let count = |key: &str| usize::try_from(settings.count(key)).unwrap_or(usize::MAX);
    let Given { observations, inputs, likelihood, outputs, axes, class_names, tests } =
        choices::given(settings.group("data"), folder)
            .map_err(|errors| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>())?;
    let sizes: Vec<usize> =
        [inputs, count("hidden"), count("second_hidden"), outputs].into_iter().filter(|units| *units > 0).collect();
    let wrong =
        |key: &'static str| move |error: NetworkError| vec![ParamError::new(key, error.to_string(), "other numbers")];
    let layout = Layout::new(&sizes).map_err(wrong("hidden"))?;
    let weights = layout.dimension();
    let numbers = [count("shown_x"), count("shown_y")];
    let mut errors: Vec<ParamError> = Vec::new();
    for (key, number) in ["shown_x", "shown_y"].into_iter().zip(numbers) {
        if number > weights {
            let problem = format!("there is no weight {number}");
            errors.push(ParamError::new(key, problem, format!("a whole number from 1 to {weights}")));
        }
    }
    if numbers[0] == numbers[1] {
        errors.push(ParamError::new("shown_y", "the same weight is drawn along both axes", "another weight"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let network =
        Network::new(layout, prior(settings.group("prior")), likelihood, observations).map_err(wrong("data"))?;
    let temperature = settings.number("temperature");
    let temper = if settings.word("temper") == "likelihood" {
        Temper::Likelihood(temperature)
    } else {
        Temper::Posterior(temperature)
    };
    let network = network.tempered(temper).map_err(wrong("temperature"))?;
    let numbers = numbers.map(|number| number - 1);
    let info = plane(&network, numbers);
    let posterior = Arc::new(Posterior { tests, class_names, ..Posterior::new(network, axes) });
    let (behind, family) = match posterior.network.likelihood() {
        Likelihood::Gaussian { .. } => (Behind::Function(posterior.clone()), &FUNCTIONS),
        _ => (Behind::Classes(posterior.clone()), &CLASSES),
    };
    let vectors = Vectors { model: posterior, projection: Projection::Coordinates(numbers), marginal: None };
    Ok(Target::vectors(vectors, info).with(behind).in_family(family))
}

/// What is known of the plane of two weights.
fn plane(network: &Network, numbers: [usize; 2]) -> TargetInfo {
    let start = super::lattice_start(network.layout(), network.prior_sds());
    let pair = |values: &[f64]| Point::new(values[numbers[0]], values[numbers[1]]);
    let reach = pair(network.prior_sds()) * VIEW;
    let axes = numbers.map(|number| NAMES.get(number).map_or("", String::as_str));
    TargetInfo::unknown(axes, Bounds { min: -reach, max: reach }, pair(&start))
}

fn prior(group: Option<&Settings>) -> Prior {
    match group {
        Some(group) if group.kind.name == "unit" => Prior::unit(group.number("sd")),
        Some(group) => Prior::FanIn { weight: group.number("weight_sd"), bias: group.number("bias_sd") },
        None => Prior::FanIn { weight: 2.0, bias: 1.0 },
    }
}

/// The posterior of all weights.
#[derive(Debug)]
pub(super) struct Posterior {
    pub(super) network: Network,
    /// Data to test predictions with.
    pub(super) tests: Vec<TestSet>,
    /// What classes are called; none if by their numbers.
    pub(super) class_names: Vec<String>,
    /// Names of input and target of a regression.
    pub(super) axes: [&'static str; 2],
    /// The inputs to show.
    pub(super) shown: Bounds,
    mode: OnceLock<Vec<f64>>,
    curvature: OnceLock<Option<f64>>,
}

impl Posterior {
    fn new(network: Network, axes: [&'static str; 2]) -> Self {
        let shown = predictions::shown(&network);
        let (mode, curvature) = (OnceLock::new(), OnceLock::new());
        Self { network, tests: Vec::new(), class_names: Vec::new(), axes, shown, mode, curvature }
    }
}

/// The network, and what takes a while to find out about it.
impl Model for Posterior {
    fn dimension(&self) -> usize {
        Model::dimension(&self.network)
    }

    fn log_densities(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        self.network.log_densities(simd, at, memory, out);
    }

    fn gradients(&self, simd: Simd, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        self.network.gradients(simd, at, memory, out);
    }

    fn data(&self) -> usize {
        Model::data(&self.network)
    }

    fn estimates(&self, simd: Simd, at: &Coords, batches: Minibatches<'_>, memory: &mut Vec<f64>, out: &mut Coords) {
        self.network.estimates(simd, at, batches, memory, out);
    }

    fn hessian(&self, at: &[f64]) -> Option<nalgebra::DMatrix<f64>> {
        Model::hessian(&self.network, at)
    }

    fn curvatures(&self) -> &'static [Curvature] {
        self.network.curvatures()
    }

    fn precision(&self, at: &[f64], curvature: Curvature) -> Result<Precision, CurvatureError> {
        self.network.precision(at, curvature)
    }

    fn datum_variances(&self, at: &Coords, index: usize, memory: &mut Vec<f64>, out: &mut [f64]) {
        self.network.datum_variances(at, index, memory, out);
    }

    /// At the maximum that a search from the start finds; others differ somewhat.
    fn curvature(&self) -> Option<f64> {
        *self.curvature.get_or_init(|| {
            let spectrum = self.network.spectrum(self.mode()?)?;
            spectrum.eigenvalues.last().copied().filter(|largest| *largest > 0.0)
        })
    }

    fn mode(&self) -> Option<&[f64]> {
        Some(self.mode.get_or_init(|| {
            let near = adam(&self.network, &Model::start(&self.network), SEARCH);
            newton(&self.network, &near, NEWTON_STEPS).theta
        }))
    }

    fn start(&self) -> Vec<f64> {
        Model::start(&self.network)
    }

    fn disturbances(&self) -> Option<usize> {
        self.network.disturbances()
    }

    fn disturbed_gradients(
        &self,
        simd: Simd,
        at: &Coords,
        disturbance: Disturbance<'_>,
        memory: &mut Vec<f64>,
        out: &mut Coords,
    ) {
        self.network.disturbed_gradients(simd, at, disturbance, memory, out);
    }

    fn dropout_gradients(
        &self,
        simd: Simd,
        at: &Coords,
        dropout: Dropout<'_>,
        memory: &mut Vec<f64>,
        out: &mut Coords,
    ) {
        self.network.dropout_gradients(simd, at, dropout, memory, out);
    }

    fn scales(&self) -> Option<Vec<f64>> {
        self.network.scales()
    }

    fn functions(&self) -> Option<&dyn Functions> {
        self.network.functions()
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.network)
    }
}
