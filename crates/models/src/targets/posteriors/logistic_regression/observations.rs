//! Data of the logistic regression: built in, generated, or read from a file.

use crate::targets::Folder;
use crate::targets::data::{self, Cells, Limits, Table};
use base::math::elementary::sigmoid;
use base::math::{Purpose, Stream};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Largest number of data: quadrature takes a few seconds for this many, in proportion to the number.
const MAX_DATA: usize = 100_000;

/// Logarithms of the doses, in log g/ml, and deaths among [`ANIMALS`].
const BIOASSAY: [(f64, usize); 4] = [(-0.86, 0), (-0.30, 1), (-0.05, 3), (0.73, 5)];

/// Animals at each dose.
const ANIMALS: usize = 5;

/// A model with an intercept and a slope, and one with two slopes.
const WITH_INTERCEPT: &str = "intercept-and-slope";
const SLOPES: &str = "two-slopes";

static COEFFICIENTS: [Choice; 2] = [
    Choice {
        name: WITH_INTERCEPT, label: "intercept, slope", help: "One predictor x and an intercept: β₀ + β₁x."
    },
    Choice { name: SLOPES, label: "two slopes", help: "Two predictors and no intercept: β₁x₁ + β₂x₂." },
];

const GENERATED: [ParamSpec; 4] = [
    data::size_param(
        Interval::closed(1.0, 1e5),
        15.0,
        "Number of data. More data make the posterior narrower and rounder.",
    ),
    ParamSpec::of(
        "coefficients",
        "coefficients",
        ParamType::Choice(&COEFFICIENTS),
        DefaultValue::Word(WITH_INTERCEPT),
        "The two coefficients of the model. Predictors are drawn from N(0, 1).",
    ),
    ParamSpec::of(
        "truth",
        "true coefficients",
        ParamType::Pair { legal: Interval::closed(-100.0, 100.0) },
        DefaultValue::Pair([1.0, 3.0]),
        "The coefficients with which the responses are drawn.",
    ),
    data::SEED,
];

/// The parameter that names the word for 1.
const ONE: &str = "one";

const FILE: [ParamSpec; 8] = [
    data::PATH,
    data::RESPONSE,
    data::PREDICTORS,
    data::STANDARDISE,
    ParamSpec::of(
        ONE,
        "counts as 1",
        ParamType::Text,
        DefaultValue::Word("1"),
        "The word in the response column that counts as 1, such as yes. All others must then be one other word, such as no. With 1, \
         responses are 0 and 1.",
    )
    .folded(),
    data::DECIMAL,
    data::MISSING,
    data::SHA256,
];

static KINDS: [KindSpec; 3] = [
    KindSpec {
        name: "bioassay",
        label: "Doses and deaths",
        help: "Deaths among five animals at each of four doses (Racine et al. 1986), against the logarithm of the dose in g/ml: a \
               textbook example of a skewed posterior.",
        params: &[],
    },
    KindSpec {
        name: "generated",
        label: "Drawn from the model",
        help: "Predictors drawn from N(0, 1), and responses drawn from the model at chosen true coefficients.",
        params: &GENERATED,
    },
    KindSpec {
        name: "csv",
        label: "From a file",
        help: "Columns of a CSV file: a response of zeros and ones, or of two words, and one or two predictors. One predictor comes \
               with an intercept, two without.",
        params: &FILE,
    },
];

/// The parameter for the data.
pub(super) const DATA: ParamSpec = ParamSpec::of(
    "data",
    "data",
    ParamType::Group(&KINDS),
    DefaultValue::Kind("bioassay"),
    "The data (x₁, y₁) … (x_N, y_N) behind the posterior, at most 100 000.",
);

/// The symbols of an intercept and a slope, and of two slopes.
const SYMBOLS: [[&str; 2]; 2] = [["β₀", "β₁"], ["β₁", "β₂"]];

/// What an intercept is called on its axis.
const INTERCEPT: &str = "intercept";

/// Predictors, responses and the names of the coefficients.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Observed {
    /// What the coefficients are multiplied by.
    pub(super) predictors: Vec<[f64; 2]>,
    /// 0 or 1 each.
    pub(super) responses: Vec<f64>,
    /// Symbols of the coefficients.
    pub(super) symbols: [&'static str; 2],
    /// The same with what they belong to, as labels of axes.
    pub(super) names: [String; 2],
}

impl Observed {
    /// From data and the names of the predictors: of one beside an intercept, or of two.
    fn new((predictors, responses): (Vec<[f64; 2]>, Vec<f64>), named: &[&str], is_standardised: bool) -> Self {
        let (symbols, labels) = match *named {
            [first, second, ..] => (SYMBOLS[1], [(first, is_standardised), (second, is_standardised)]),
            [only] => (SYMBOLS[0], [(INTERCEPT, false), (only, is_standardised)]),
            [] => (SYMBOLS[0], [(INTERCEPT, false), ("", false)]),
        };
        let label = |axis: usize| {
            data::coefficient(symbols[axis], labels[axis].0, labels[axis].1.then_some(data::STANDARDISED))
        };
        Self { predictors, responses, symbols, names: [label(0), label(1)] }
    }

    /// Doses and deaths, animal by animal: at each dose those that died come first.
    pub(super) fn bioassay() -> Self {
        let animals = BIOASSAY.iter().flat_map(|(dose, deaths)| {
            (0..ANIMALS).map(|animal| ([1.0, *dose], if animal < *deaths { 1.0 } else { 0.0 }))
        });
        Self::new(animals.unzip(), &["log dose"], false)
    }

    /// The data that the settings of the group name. Errors are relative to it.
    pub(super) fn read(group: &Settings, folder: &Folder) -> Result<Self, Vec<ParamError>> {
        match group.kind.name {
            "generated" => Ok(Self::generated(group)),
            "csv" => Self::in_file(group, folder),
            _ => Ok(Self::bioassay()),
        }
    }

    fn generated(group: &Settings) -> Self {
        let mut stream = Stream::derive(group.count("seed"), Purpose::Data, 0, 0);
        let (truth, slopes) = (group.pair("truth"), group.word("coefficients") == SLOPES);
        let datum = |_| {
            let (first, second) = stream.normal_pair();
            let x = if slopes { [first, second] } else { [1.0, first] };
            let chance = sigmoid(x[0] * truth[0] + x[1] * truth[1]);
            (x, if stream.uniform() < chance { 1.0 } else { 0.0 })
        };
        let named: &[&str] = if slopes { &["x₁", "x₂"] } else { &["x"] };
        Self::new((0..group.count("n")).map(datum).unzip(), named, false)
    }

    fn in_file(group: &Settings, folder: &Folder) -> Result<Self, Vec<ParamError>> {
        let one = group.word(ONE).trim();
        let wrong = |problem: String| {
            vec![ParamError::new(ONE, problem, "a word of the response column, or 1 for responses 0 and 1")]
        };
        let cells = match one {
            "" => return Err(wrong("no word is named".to_owned())),
            "1" => Cells::Flag(Some(ONE)),
            one => Cells::Label(one),
        };
        let limits = Limits { predictors: 2, rows: MAX_DATA };
        let Table { response, predictors } = data::read_table(group, folder, cells, limits)?;
        if matches!(cells, Cells::Label(_)) && response.iter().all(|response| *response < 0.5) {
            return Err(wrong(format!("no response is \"{}\"", excerpt(one))));
        }
        let row = |row: usize| match &predictors[..] {
            [first, second, ..] => [first.values[row], second.values[row]],
            [only] => [1.0, only.values[row]],
            [] => [1.0, 0.0],
        };
        let named: Vec<&str> = predictors.iter().map(|predictor| predictor.name.as_str()).collect();
        let rows = (0..response.len()).map(row).collect();
        Ok(Self::new((rows, response), &named, group.flag(data::STANDARDISE.key)))
    }
}
