//! The data of a regression: built in or read from a file, and made into the columns of X.

use nalgebra::DMatrix;

use super::cars;
use super::expression::{Expression, Source};
use super::likelihood::Likelihood;
use super::terms::{INTERCEPT, KEY, Levels, Terms};
use super::{MOST_COEFFICIENTS, wrong};
use crate::targets::Folder;
use crate::targets::data::{self, Cells};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Largest numbers of rows, and of numbers in X.
const MOST_ROWS: usize = 100_000;
const MOST_NUMBERS: usize = 4_000_000;

/// Levels of a factor at most.
const MOST_LEVELS: usize = 100;

static KINDS: [KindSpec; 3] = [
    KindSpec {
        name: "cars",
        label: "Stopping distances",
        help: "Speed (miles per hour) and distance (feet) of fifty cars of the 1920s that came to a stop (Ezekiel 1930).",
        params: &[],
    },
    data::TABLES[0],
    data::TABLES[1],
];

/// The parameter for the data.
pub(super) const DATA: ParamSpec = ParamSpec::of(
    "data",
    "data",
    ParamType::Group(&KINDS),
    DefaultValue::Kind("cars"),
    "The table behind the posterior, at most 100 000 rows. Response and terms name its columns.",
);

/// The parameter for the response.
pub(super) const RESPONSE: ParamSpec = ParamSpec::of(
    "response",
    "response",
    ParamType::Text,
    DefaultValue::Word("distance"),
    "The column that is explained, or an expression of columns such as log(earn). $2 is the second column, also without a name.",
);

/// The parameter that shifts columns to mean 0.
pub(super) const CENTRE: &str = "centre";

/// What becomes of the columns of X but the intercept and indicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scaling {
    /// They stay as they are.
    None,
    /// They are shifted to mean 0.
    Centre,
    /// They are shifted and scaled to mean 0 and standard deviation 1, and so is a response with noise.
    Standardise,
}

impl Scaling {
    fn of(settings: &Settings) -> Self {
        match (settings.flag(data::STANDARDISE.key), settings.flag(CENTRE)) {
            (true, _) => Self::Standardise,
            (false, true) => Self::Centre,
            (false, false) => Self::None,
        }
    }

    /// What axes say of such a column.
    pub(super) fn word(self) -> &'static str {
        if self == Self::Centre { "centred" } else { data::STANDARDISED }
    }

    /// The numbers of a column, and what was subtracted from them and what they were divided by.
    fn column(self, name: &str, values: Vec<f64>) -> Result<(Vec<f64>, Option<[f64; 2]>), ParamError> {
        match self {
            Self::None => Ok((values, None)),
            Self::Centre => {
                let [mean, _] = data::mean_and_unit(&values);
                Ok((values.iter().map(|value| value - mean).collect(), Some([mean, 1.0])))
            }
            Self::Standardise => {
                let scaled = data::scale(&values, name, "terms", KEY)?;
                Ok((scaled, Some(data::mean_and_unit(&values))))
            }
        }
    }
}

/// Data as a regression needs them.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// N × p.
    pub(super) x: DMatrix<f64>,
    /// Names of the coefficients, and of the terms that they belong to.
    pub(super) names: Vec<String>,
    pub(super) terms: Vec<String>,
    /// What became of the columns.
    pub(super) scaling: Scaling,
    /// Of columns that were standardised, the mean that was subtracted and the standard deviation that they were divided by; of those that
    /// were centred this is 1.
    pub(super) scaled: Vec<Option<[f64; 2]>>,
    /// The same of the response; none unless it was standardised.
    pub(super) of_response: Option<[f64; 2]>,
    pub(super) y: Vec<f64>,
    pub(super) m: Vec<f64>,
}

impl Given {
    pub(super) fn has_intercept(&self) -> bool {
        self.names.first().is_some_and(|name| name == INTERCEPT)
    }
}

/// Columns of numbers and of levels, all of one length.
type Columns = (Vec<Vec<f64>>, Vec<Levels>, usize);

/// The data that the settings name.
pub(super) fn read(settings: &Settings, folder: &Folder, likelihood: Likelihood) -> Result<Given, Vec<ParamError>> {
    let mut names = Vec::new();
    let expression = |key: &str, text: &str, names: &mut Vec<Source>| {
        let read = Expression::read(text, names);
        let read =
            read.map_err(|(problem, allowed)| wrong(key, format!("\"{}\": {problem}", excerpt(text)), allowed))?;
        match read.is_constant() {
            true => {
                Err(wrong(key, format!("\"{}\" has no column", excerpt(text)), "a column, or an expression of columns"))
            }
            false => Ok(read),
        }
    };
    let response = expression(RESPONSE.key, settings.word(RESPONSE.key), &mut names)?;
    let of_response = names.len();
    let trials_key = "likelihood.trials";
    let trials = match settings.group("likelihood").filter(|group| group.kind.param("trials").is_some()) {
        Some(group) if !group.word("trials").trim().is_empty() => {
            Some(expression(trials_key, group.word("trials"), &mut names)?)
        }
        _ => None,
    };
    let terms = Terms::read(settings.word(KEY), names).map_err(|error| vec![error])?;
    let (numbers, levels, rows) = columns(settings, folder, (&terms, of_response))?;
    let values = |key: &str, expression: &Expression| {
        let values = expression.values(&numbers, rows);
        match values.iter().position(|value| !value.is_finite()) {
            Some(row) => {
                Err(wrong(key, format!("it is not a number in row {}", row + 1), "finite numbers in every row"))
            }
            None => Ok(values),
        }
    };
    let mut y = values(RESPONSE.key, &response)?;
    let m = trials.as_ref().map_or_else(|| Ok(vec![1.0; rows]), |trials| values(trials_key, trials))?;
    check(likelihood, &y, &m)?;
    let made = terms.columns(&numbers, &levels, rows).map_err(|error| vec![error])?;
    let scaling = Scaling::of(settings);
    let is_scaled = scaling == Scaling::Standardise && likelihood.sigma().is_some();
    let of_response = is_scaled.then(|| data::mean_and_unit(&y));
    if of_response.is_some() {
        y = data::scale(&y, "the response", "data", RESPONSE.key).map_err(|error| vec![error])?;
    }
    let p = made.len() + usize::from(terms.intercept);
    if p == 0 || p > MOST_COEFFICIENTS || p * rows > MOST_NUMBERS {
        let problem = format!("{p} coefficients of {rows} rows are too many");
        return Err(wrong(
            KEY,
            problem,
            format!("1 to {MOST_COEFFICIENTS} coefficients, and at most {MOST_NUMBERS} numbers together"),
        ));
    }
    let (mut x, mut names, mut of_terms, mut scaled) =
        (Vec::with_capacity(p * rows), Vec::new(), Vec::new(), Vec::new());
    if terms.intercept {
        x.resize(rows, 1.0);
        names.push(INTERCEPT.to_owned());
        of_terms.push(INTERCEPT.to_owned());
        scaled.push(None);
    }
    for column in made {
        let own = if column.is_indicator { Scaling::None } else { scaling };
        let (values, of_column) = own.column(&column.name, column.values).map_err(|error| vec![error])?;
        x.extend(values);
        names.push(column.name);
        of_terms.push(terms.terms[column.term].name.clone());
        scaled.push(of_column);
    }
    Ok(Given { x: DMatrix::from_vec(rows, p, x), names, terms: of_terms, scaling, scaled, of_response, y, m })
}

/// The columns that the terms name, the first ones those of the response.
fn columns(
    settings: &Settings,
    folder: &Folder,
    (terms, of_response): (&Terms, usize),
) -> Result<Columns, Vec<ParamError>> {
    let key = |number: usize| if number < of_response { RESPONSE.key } else { KEY };
    let table = settings.group(DATA.key);
    let under = |errors: Vec<ParamError>| {
        let at = |error: ParamError| match table {
            Some(table) => data::of_table(table, error).map_or_else(|other| other, |of_table| of_table.under(DATA.key)),
            None => error,
        };
        errors.into_iter().map(at).collect::<Vec<_>>()
    };
    let Some(group) = table.filter(|group| group.kind.name != "cars") else {
        return built_in(terms, key);
    };
    let factors = terms.factors.iter().map(|name| (KEY, name.as_str(), Cells::Level(MOST_LEVELS)));
    let named = terms.numbers.iter().enumerate().map(|(number, source)| {
        let cells = source.word.as_deref().map_or(Cells::Measure, Cells::Is);
        (key(number), source.name.as_str(), cells)
    });
    let mut found = data::read_named(group, folder, &named.chain(factors).collect::<Vec<_>>()).map_err(under)?;
    let levels = found.split_off(terms.numbers.len());
    let numbers: Vec<Vec<f64>> = found.into_iter().map(|(values, _)| values).collect();
    for (number, (source, values)) in terms.numbers.iter().zip(&numbers).enumerate() {
        if let Some(word) = source.word.as_deref().filter(|_| values.iter().all(|value| *value < 0.5)) {
            let problem = format!("no row has \"{}\" in column \"{}\"", excerpt(word), excerpt(&source.name));
            return Err(wrong(key(number), problem, "a word of the column, as it stands there"));
        }
    }
    let rows = numbers.iter().chain(levels.iter().map(|(values, _)| values)).next().map_or(0, Vec::len);
    if rows > MOST_ROWS {
        return Err(under(vec![data::too_many(group, rows, MOST_ROWS)]));
    }
    Ok((numbers, levels, rows))
}

/// The same of the built-in data.
fn built_in(terms: &Terms, key: impl Fn(usize) -> &'static str) -> Result<Columns, Vec<ParamError>> {
    let find = |number: usize, name: &str| {
        cars::NAMES.iter().position(|known| *known == name).map(cars::column).ok_or_else(|| {
            let problem = format!("the data have no column \"{}\"", excerpt(name));
            wrong(key(number), problem, cars::NAMES.map(|name| format!("\"{name}\"")).join(" or "))
        })
    };
    let number_column = |number: usize, source: &Source| match &source.word {
        None => find(number, &source.name),
        Some(word) => {
            let problem = format!("column \"{}\" has numbers, and not \"{}\"", excerpt(&source.name), excerpt(word));
            Err(wrong(key(number), problem, "a comparison with a number, without quotation marks"))
        }
    };
    let numbers = terms
        .numbers
        .iter()
        .enumerate()
        .map(|(number, source)| number_column(number, source))
        .collect::<Result<Vec<_>, _>>()?;
    let level = |name: &String| -> Result<Levels, Vec<ParamError>> {
        let values = find(usize::MAX, name)?;
        let mut known: Vec<f64> = values.clone();
        known.sort_by(f64::total_cmp);
        known.dedup();
        let number = |value: &f64| known.partition_point(|level| level < value) as f64;
        Ok((values.iter().map(number).collect(), known.iter().map(f64::to_string).collect()))
    };
    let levels = terms.factors.iter().map(level).collect::<Result<Vec<_>, _>>()?;
    let rows = cars::column(0).len();
    Ok((numbers, levels, rows))
}

/// Whether responses are what a likelihood may give.
fn check(likelihood: Likelihood, y: &[f64], m: &[f64]) -> Result<(), Vec<ParamError>> {
    let is_count = |x: f64| x >= 0.0 && x.fract().abs() <= 0.0;
    let fits = |row: &usize| match likelihood {
        Likelihood::Normal(_) | Likelihood::StudentT(..) => true,
        Likelihood::BernoulliLogit => is_count(y[*row]) && is_count(m[*row]) && y[*row] <= m[*row],
        Likelihood::PoissonLog => is_count(y[*row]),
    };
    let Some(row) = (0..y.len()).find(|row| !fits(row)) else { return Ok(()) };
    let (value, number) = (y[row], row + 1);
    match likelihood {
        Likelihood::PoissonLog => {
            Err(wrong(RESPONSE.key, format!("{value} in row {number} is no count"), "whole numbers from 0 up"))
        }
        _ if m.iter().all(|m| (m - 1.0).abs() <= 0.0) => {
            let allowed = "0 and 1; an expression such as c == 2 or c == \"yes\" makes them, and trials name the column of binomial counts";
            Err(wrong(RESPONSE.key, format!("{value} in row {number} is neither 0 nor 1"), allowed))
        }
        _ => {
            let problem = format!("row {number} has {value} successes in {} trials", m[row]);
            Err(wrong(RESPONSE.key, problem, "whole numbers from 0 up, of successes at most that of the trials"))
        }
    }
}
