//! Data of the linear regression in columns of a CSV file, and the coefficients that are shown.

use std::sync::LazyLock;

use nalgebra::{DMatrix, DVector};

use super::{MOST_DATA, MOST_WEIGHTS, subscripted};
use crate::targets::Folder;
use crate::targets::data::{self, Cells, Limits, Table};
use crate::targets::kit::shown::two;
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// What the intercept is called.
const INTERCEPT: &str = "intercept";

/// The parameters of the coefficients along x and y.
const SHOWN: [&str; 2] = ["shown_x", "shown_y"];

const PARAMS: [ParamSpec; 10] = [
    data::PATH,
    data::RESPONSE,
    data::PREDICTORS,
    ParamSpec::of(
        "intercept",
        "intercept",
        ParamType::Flag,
        DefaultValue::Flag(true),
        "Whether there is an intercept β₀, with the same prior as the other coefficients.",
    ),
    ParamSpec::of(
        data::STANDARDISE.key,
        "standardise",
        ParamType::Flag,
        DefaultValue::Flag(true),
        "Shift and scale every predictor and the response to mean 0 and standard deviation 1 (the root of the mean square, with \
         divisor N). The noise sd is then in standard deviations of the response. The axes say so.",
    ),
    coefficient(SHOWN[0], "coefficient along x"),
    coefficient(SHOWN[1], "coefficient along y"),
    data::DECIMAL,
    data::MISSING,
    data::SHA256,
];

const fn coefficient(key: &'static str, label: &'static str) -> ParamSpec {
    let help = "Which coefficient is drawn and counted along this axis: the name of its predictor, or its number k of βₖ, counted from 1 \
                in the list of predictors; 0 or intercept is the intercept. Unless it is set, one of the first two.";
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Absent, help).folded()
}

/// The kind of data.
pub(super) const CSV: KindSpec = KindSpec {
    name: "csv",
    label: "From a file",
    help: "Columns of a CSV file: a response and up to 64 predictors (63 with an intercept). Noise sd and prior stay as they are.",
    params: &PARAMS,
};

/// Symbols of the coefficients: β₀ to β₆₄.
static SYMBOLS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..=MOST_WEIGHTS).map(|number| subscripted('β', number)).collect());

/// Data, and two coefficients of their model.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// N × d.
    pub(super) features: DMatrix<f64>,
    pub(super) observations: DVector<f64>,
    /// The columns of the features that are shown.
    pub(super) shown: [usize; 2],
    /// The symbols of their coefficients.
    pub(super) symbols: [&'static str; 2],
    /// The same with the names of the predictors, as labels of axes.
    pub(super) names: [String; 2],
}

/// Reads the data. Errors are relative to the group.
pub(super) fn read(group: &Settings, folder: &Folder) -> Result<Given, Vec<ParamError>> {
    let (first, scaled) = (usize::from(!group.flag("intercept")), group.flag(data::STANDARDISE.key));
    let limits = Limits { predictors: MOST_WEIGHTS - (1 - first), rows: MOST_DATA };
    let Table { mut response, predictors } = data::read_table(group, folder, Cells::Number, limits)?;
    if scaled {
        let column = group.word(data::RESPONSE.key);
        response =
            data::scale(&response, column, group.word("path"), data::RESPONSE.key).map_err(|error| vec![error])?;
    }
    let dimension = predictors.len() + 1 - first;
    if dimension < 2 {
        let problem = "one predictor without intercept has one coefficient, and the plane shows two";
        return Err(vec![ParamError::new(
            data::PREDICTORS.key,
            problem,
            "two or more predictors, or intercept = true",
        )]);
    }
    // The name of coefficient number k, counted from `first`.
    let name =
        |k: usize| k.checked_sub(1).and_then(|index| predictors.get(index)).map_or(INTERCEPT, |p| p.name.as_str());
    let numbers = shown(group, first, dimension, name)?;
    let features = DMatrix::from_fn(response.len(), dimension, |row, column| {
        (column + first).checked_sub(1).and_then(|index| predictors.get(index)).map_or(1.0, |p| p.values[row])
    });
    let symbol = |k: usize| SYMBOLS.get(k).map_or("", String::as_str);
    Ok(Given {
        features,
        observations: DVector::from_vec(response),
        shown: numbers.map(|k| k - first),
        symbols: numbers.map(symbol),
        names: numbers.map(|k| data::coefficient(symbol(k), name(k), (scaled && k > 0).then_some(data::STANDARDISED))),
    })
}

/// The numbers of the two coefficients that are shown, of `dimension` counted from `first`.
fn shown<'a>(
    group: &Settings,
    first: usize,
    dimension: usize,
    name: impl Fn(usize) -> &'a str,
) -> Result<[usize; 2], Vec<ParamError>> {
    let numbers = first..first + dimension;
    let find = |axis: usize| {
        let word = group.word(SHOWN[axis]).trim();
        if word.is_empty() {
            return Ok(None);
        }
        let named: Vec<usize> = numbers.clone().filter(|k| name(*k) == word).collect();
        let counted = word.parse().ok().filter(|k| numbers.contains(k));
        match (&named[..], counted) {
            ([only], _) => Ok(Some(*only)),
            ([], Some(k)) => Ok(Some(k)),
            _ => {
                let problem = format!("there is no coefficient \"{}\"", excerpt(word));
                let names: Vec<String> = numbers.clone().map(|k| format!("\"{}\"", excerpt(name(k)))).collect();
                let allowed = format!("{}, or a number from {first} to {}", names.join(", "), first + dimension - 1);
                Err(ParamError::new(SHOWN[axis], problem, allowed))
            }
        }
    };
    match [find(0), find(1)] {
        [Ok(x), Ok(y)] => two([x, y], [first, first + 1]).ok_or_else(|| {
            vec![ParamError::new(SHOWN[1], "the same coefficient is drawn along both axes", "another coefficient")]
        }),
        both => Err(both.into_iter().filter_map(Result::err).collect()),
    }
}
