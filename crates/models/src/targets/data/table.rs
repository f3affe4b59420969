//! Data of regressions in a CSV file: a column of responses, and one or more of predictors.

use super::cells::Cells;
use super::header::WantedColumn;
use super::parse::{Column, parse};
use super::{column, file_of, too_many};
use crate::targets::Folder;
use base::params::{DefaultValue, ParamError, ParamSpec, ParamType, Settings, excerpt, printable};

/// Characters of the name of a predictor in the label of an axis, at most.
const LONGEST_NAME: usize = 20;

/// The parameter for the column of responses.
pub(in crate::targets) const RESPONSE: ParamSpec = column("response", "response", "1");

/// The parameter for the columns of predictors.
pub(in crate::targets) const PREDICTORS: ParamSpec = ParamSpec::of(
    "predictors",
    "predictors",
    ParamType::Text,
    DefaultValue::Word("2"),
    "Which columns are predictors, with commas between them: names in the first line, or numbers counted from 1. A column with a \
     comma in its name has only its number.",
);

/// Whether predictors are standardised.
pub(in crate::targets) const STANDARDISE: ParamSpec = ParamSpec::of(
    "standardise",
    "standardise",
    ParamType::Flag,
    DefaultValue::Flag(true),
    "Shift and scale every predictor to mean 0 and standard deviation 1 (the root of the mean square, with divisor N). The axes say so.",
);

/// What a table may be.
#[derive(Clone, Copy, Debug)]
pub(in crate::targets) struct Limits {
    /// Most predictors.
    pub(in crate::targets) predictors: usize,
    /// Most rows.
    pub(in crate::targets) rows: usize,
}

/// Responses with their predictors.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Table {
    /// A response per row.
    pub(in crate::targets) response: Vec<f64>,
    /// At least one predictor.
    pub(in crate::targets) predictors: Vec<Predictor>,
}

/// A predictor.
#[derive(Clone, Debug)]
pub(in crate::targets) struct Predictor {
    /// Its name in the first line, or `column 2` without one.
    pub(in crate::targets) name: String,
    /// A value per row.
    pub(in crate::targets) values: Vec<f64>,
}

/// The table in the file that `settings` name under `path`, `response` and `predictors`; its predictors are standardised where
/// they say so. Errors are at one of these keys.
pub(in crate::targets) fn read_table(
    settings: &Settings,
    folder: &Folder,
    response: Cells<'_>,
    limits: Limits,
) -> Result<Table, Vec<ParamError>> {
    let names = names(settings.word(PREDICTORS.key), limits.predictors).map_err(|error| vec![error])?;
    let file = file_of(settings, folder)?;
    let path = file.path;
    let predictors = names.iter().map(|name| WantedColumn { key: PREDICTORS.key, name, cells: Cells::Number });
    let response = WantedColumn { key: RESPONSE.key, name: settings.word(RESPONSE.key).trim(), cells: response };
    let mut columns =
        parse(&file, folder, &std::iter::once(response).chain(predictors).collect::<Vec<_>>())?.into_iter();
    let response = columns.next().ok_or_else(Vec::new)?;
    let predictors: Vec<Column> = columns.collect();
    check_columns(&response, &predictors, path).map_err(|error| vec![error])?;
    if response.values.len() > limits.rows {
        return Err(vec![too_many(settings, response.values.len(), limits.rows)]);
    }
    let scaled = settings.flag(STANDARDISE.key);
    let predictor = |column: Column| {
        let name = column.name.unwrap_or_else(|| format!("column {}", column.index + 1));
        let values = if scaled { scale(&column.values, &name, path, PREDICTORS.key)? } else { column.values };
        Ok(Predictor { name, values })
    };
    let predictors =
        predictors.into_iter().map(predictor).collect::<Result<_, ParamError>>().map_err(|error| vec![error])?;
    Ok(Table { response: response.values, predictors })
}

/// The names in a list with commas.
fn names(list: &str, most: usize) -> Result<Vec<&str>, ParamError> {
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    let allowed = || format!("1 to {most} names or numbers of columns with commas between them");
    if names.iter().any(|name| name.is_empty()) {
        let problem =
            if names.len() == 1 { "no column is named" } else { "a name is missing before or behind a comma" };
        return Err(ParamError::new(PREDICTORS.key, problem, allowed()));
    }
    if names.len() > most {
        let problem = format!("{} predictors are too many", names.len());
        return Err(ParamError::new(PREDICTORS.key, problem, allowed()));
    }
    Ok(names)
}

/// No column is used twice.
fn check_columns(response: &Column, predictors: &[Column], path: &str) -> Result<(), ParamError> {
    let wrong = |column: &Column, problem: &str| {
        let name = column.name.as_deref().map_or_else(String::new, |name| format!(" (\"{}\")", excerpt(name)));
        let problem = format!("column {}{name} of {path} is {problem}", column.index + 1);
        Err(ParamError::new(PREDICTORS.key, problem, "other columns, each of them once"))
    };
    for (number, column) in predictors.iter().enumerate() {
        if column.index == response.index {
            return wrong(column, "the response");
        }
        if predictors[..number].iter().any(|other| other.index == column.index) {
            return wrong(column, "named twice");
        }
    }
    Ok(())
}

/// What is said of a predictor that was shifted and scaled.
pub(in crate::targets) const STANDARDISED: &str = "standardised";

/// The label of an axis for the coefficient of a predictor: β₁ (age), or β₁ (age, standardised), with what was done to the predictor.
pub(in crate::targets) fn coefficient(symbol: &str, predictor: &str, scaled: Option<&str>) -> String {
    let name = match predictor.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", predictor[..end].trim_end()),
        None => predictor.to_owned(),
    };
    let scaled = scaled.map_or_else(String::new, |word| format!(", {word}"));
    format!("{symbol} ({}{scaled})", printable(&name))
}

/// The numbers of a column standardised; it must not be constant.
pub(in crate::targets) fn scale(values: &[f64], name: &str, path: &str, key: &str) -> Result<Vec<f64>, ParamError> {
    scale_by(values, values, (name, path, key))
}

/// What [`scale`] subtracts from the numbers of a column, and then divides by: their mean and their standard deviation with divisor N.
pub(in crate::targets) fn mean_and_unit(own: &[f64]) -> [f64; 2] {
    let count = own.len() as f64;
    let mean = own.iter().sum::<f64>() / count;
    let variance = own.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    [mean, if variance > 0.0 { variance.sqrt() } else { 1.0 }]
}

/// The same with mean and standard deviation of some of them, `own`.
pub(in crate::targets) fn scale_by(
    values: &[f64],
    own: &[f64],
    (name, path, key): (&str, &str, &str),
) -> Result<Vec<f64>, ParamError> {
    let (low, high) = own.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    if high > low {
        return Ok(standardised(values, own));
    }
    let problem = format!("{path}: \"{}\" is {low} on every line, which has no standard deviation", excerpt(name));
    Err(ParamError::new(key, problem, "a column with different numbers, or standardise = false"))
}

/// The numbers shifted and scaled so that `own` have mean 0 and standard deviation 1, with divisor N; equal ones only shifted.
fn standardised(values: &[f64], own: &[f64]) -> Vec<f64> {
    let [mean, sd] = mean_and_unit(own);
    values.iter().map(|value| (value - mean) / sd).collect()
}
