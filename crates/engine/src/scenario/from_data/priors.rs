//! Priors of a regression: the usual ones, those that a person chooses, and how they are told.

use base::params::{KindSpec, ParamType, Settings, Value, find_kind};
use models::targets::{ColumnKind, SheetColumn, TARGETS};

use super::terms::term;
use super::words::{comment, rounded};
use super::{Draft, Question};
use crate::scenario::write::{number_text, quote, value_text};

/// Standard deviations of priors in units of standardised data: wide enough for any effect that data can show.
const PRIOR_SD: f64 = 2.5;
const INTERCEPT_SD: f64 = 5.0;

/// Scale and degrees of freedom of the usual prior of σ.
const SIGMA_SCALE: f64 = 2.5;
const SIGMA_DF: f64 = 3.0;

/// What a prior is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorOf {
    /// The coefficients.
    Coefficients,
    /// The standard deviation of the noise.
    Sigma,
}

impl PriorOf {
    /// The kinds of priors that there are.
    #[must_use]
    pub fn kinds(self) -> &'static [KindSpec] {
        let within = |kinds: &'static [KindSpec], kind: &str, key: &str| -> &'static [KindSpec] {
            match find_kind(kinds, kind).and_then(|kind| kind.param(key)).map(|spec| spec.ty) {
                Some(ParamType::Group(kinds)) => kinds,
                _ => &[],
            }
        };
        match self {
            Self::Coefficients => within(&TARGETS, "regression", "prior"),
            Self::Sigma => within(within(&TARGETS, "regression", "likelihood"), "normal", "sigma"),
        }
    }

    /// The prior in a text such as `student-t,df=4,scale=1`; what is left out has the default of the kind.
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub fn parse(self, text: &str) -> Result<Settings, (String, String)> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let kind = find_kind(self.kinds(), name).ok_or_else(|| {
            let names: Vec<&str> = self.kinds().iter().map(|kind| kind.name).collect();
            (format!("there is no prior \"{name}\""), names.join(", "))
        })?;
        let mut prior = Settings::defaults(kind);
        let example = || format!("{} as in a file: {}", prior_keys(kind), in_text(&Settings::defaults(kind)));
        for part in parts {
            let number = part.split_once('=').and_then(|(key, value)| Some((key.trim(), value.trim().parse().ok()?)));
            let Some((key, number)) = number else {
                return Err((format!("\"{part}\" is no key with a number"), example()));
            };
            if kind.param(key).is_none() {
                return Err((format!("{name} has no \"{key}\""), example()));
            }
            prior.set(key, Value::Number(number)).map_err(|error| (error.problem, error.allowed))?;
        }
        Ok(prior)
    }
}

fn prior_keys(kind: &KindSpec) -> String {
    let keys: Vec<&str> = kind.params.iter().map(|spec| spec.key).collect();
    if keys.is_empty() { format!("{} alone", kind.name) } else { format!("{} with {}", kind.name, keys.join(", ")) }
}

/// A prior as [`PriorOf::parse`] reads it.
fn in_text(prior: &Settings) -> String {
    let numbers = prior.kind.params.iter().map(|spec| format!(",{}={}", spec.key, prior.number(spec.key)));
    std::iter::once(prior.kind.name.to_owned()).chain(numbers).collect()
}

/// The priors that a person has chosen; the usual ones where there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Priors {
    /// Of the coefficients.
    pub coefficients: Option<Settings>,
    /// Of σ.
    pub sigma: Option<Settings>,
}

impl Priors {
    /// What was chosen.
    #[must_use]
    pub fn chosen(&self, of: PriorOf) -> Option<&Settings> {
        match of {
            PriorOf::Coefficients => self.coefficients.as_ref(),
            PriorOf::Sigma => self.sigma.as_ref(),
        }
    }

    /// Chooses a prior, or the usual one.
    pub fn choose(&mut self, of: PriorOf, prior: Option<Settings>) {
        match of {
            PriorOf::Coefficients => self.coefficients = prior,
            PriorOf::Sigma => self.sigma = prior,
        }
    }
}

impl Draft {
    /// Whether the regression has noise with a standard deviation σ.
    #[must_use]
    pub fn has_noise(&self) -> bool {
        matches!(self.question, Question::Linear | Question::Robust)
    }

    /// The usual prior for a response: of coefficients it is that of standardised columns, and of others by their ranges.
    #[must_use]
    pub fn usual_prior(&self, of: PriorOf, response: &SheetColumn) -> Option<Settings> {
        let (kind, numbers) = match of {
            PriorOf::Coefficients => {
                let sd = if self.standardise { PRIOR_SD } else { rounded(self.widest(response)) };
                ("normal", vec![("sd", sd)])
            }
            PriorOf::Sigma => {
                let unit = if self.standardise { 1.0 } else { range(response).map_or(1.0, |(low, high)| high - low) };
                ("half-student-t", vec![("df", SIGMA_DF), ("scale", rounded(SIGMA_SCALE * unit))])
            }
        };
        let mut prior = Settings::defaults(find_kind(of.kinds(), kind)?);
        for (key, number) in numbers {
            prior.set(key, Value::Number(number)).ok()?;
        }
        Some(prior)
    }

    /// The prior that holds for a response, and whether a person has chosen it.
    #[must_use]
    pub fn prior(&self, of: PriorOf, response: &SheetColumn) -> Option<(Settings, bool)> {
        let chosen = self.priors.chosen(of).cloned().map(|prior| (prior, true));
        chosen.or_else(|| self.usual_prior(of, response).map(|prior| (prior, false)))
    }

    /// What the numbers of a prior are measured in.
    #[must_use]
    pub fn unit_of_prior(&self, of: PriorOf) -> &'static str {
        match (of, self.question, self.standardise) {
            (PriorOf::Sigma, _, true) => "in standard deviations of the response",
            (PriorOf::Sigma, _, false) => "in units of the response",
            (_, Question::Logistic, true) => "in log odds for one standard deviation of a predictor",
            (_, Question::Logistic, false) => "in log odds for one unit of a predictor",
            (_, Question::Counts, true) => "in the logarithm of the mean for one standard deviation of a predictor",
            (_, Question::Counts, false) => "in the logarithm of the mean for one unit of a predictor",
            (.., true) => "in standard deviations of the response for one of a predictor",
            (.., false) => "in units of the response for one unit of a predictor",
        }
    }

    /// Ten times the range of a response with noise, or ten: by so much it, its log odds or its logarithm may change.
    fn widest(&self, response: &SheetColumn) -> f64 {
        let (low, high) = range(response).filter(|_| self.has_noise()).unwrap_or((0.0, 1.0));
        10.0 * (high - low).max(1e-3)
    }
}

/// What a prior means, in a sentence without its end.
#[must_use]
pub fn prior_in_words(prior: &Settings) -> String {
    let number = |key| prior.number(key);
    let around = |middle: f64| if middle.abs() > 0.0 { format!("around {middle}") } else { "around 0".to_owned() };
    let beyond = |width: f64| number_text(rounded(width));
    match prior.kind.name {
        "flat" => {
            "Every value counts alike: the data alone decide, and few data may leave the posterior without an end"
                .to_owned()
        }
        "flat-log" => "Every order of magnitude counts alike".to_owned(),
        "normal" => format!(
            "Effects {} that are rarely further away than {}",
            around(number("mean")),
            beyond(1.96 * number("sd"))
        ),
        "student-t" => format!(
            "Effects {}, half of them within about {}; a few may be large",
            around(number("mean")),
            beyond(0.7 * number("scale"))
        ),
        "cauchy" => format!(
            "Effects {}, half of them within {}; some may be very large",
            around(number("mean")),
            beyond(number("scale"))
        ),
        "laplace" => format!(
            "Most effects close {}, half of them within {}, as the lasso has it",
            around(number("mean")).replace("around", "to"),
            beyond(std::f64::consts::LN_2 * number("scale"))
        ),
        "known" => format!("The noise is {}, and is not estimated", number("value")),
        "half-normal" => format!("Noise that is rarely above {}", beyond(1.96 * number("scale"))),
        "half-cauchy" => format!("Noise below {} in half of all cases; it may be very large", beyond(number("scale"))),
        "half-student-t" => {
            format!("Noise below about {} in half of all cases; it may be larger", beyond(0.75 * number("scale")))
        }
        "exponential" => format!("Noise of {} on average", beyond(1.0 / number("rate"))),
        _ => prior.kind.help.trim_end_matches('.').to_owned(),
    }
}

/// A prior as a table on one line.
fn written(of: PriorOf, prior: &Settings) -> String {
    value_text(Some(ParamType::Group(of.kinds())), &Value::Group(prior.clone()))
}

/// The entry of σ in a likelihood.
pub(super) fn sigma(draft: &Draft, response: &SheetColumn) -> String {
    let prior = draft.prior(PriorOf::Sigma, response);
    prior.map_or_else(String::new, |(prior, _)| format!("sigma = {}", written(PriorOf::Sigma, &prior)))
}

/// The lines of the priors: the chosen one, or weakly informative ones, of standardised terms alike, of others by the range of their columns.
pub(super) fn coefficients(draft: &Draft, response: &SheetColumn, predictors: &[&SheetColumn]) -> String {
    let Some((prior, is_chosen)) = draft.prior(PriorOf::Coefficients, response) else { return String::new() };
    let line = format!("prior = {}\n", written(PriorOf::Coefficients, &prior));
    if is_chosen && prior.kind.name == "flat" {
        return line;
    }
    let widest = draft.widest(response);
    let (low, high) = range(response).filter(|_| draft.has_noise()).unwrap_or((0.0, 0.0));
    let middle = 0.5 * (low + high);
    let intercept = match (draft.standardise, draft.has_noise()) {
        (true, true) => None,
        (true, false) => Some(normal(0.0, INTERCEPT_SD)),
        (false, _) => Some(normal(rounded(middle), rounded(widest + middle.abs()))),
    };
    let mut entries: Vec<String> =
        intercept.into_iter().map(|prior| format!("{{ term = \"intercept\", prior = {prior} }}")).collect();
    let mut text = match (is_chosen, draft.standardise) {
        (true, _) => comment(&format!("{}, {}.", prior_in_words(&prior), draft.unit_of_prior(PriorOf::Coefficients))),
        (false, true) => {
            comment(&format!("Weakly informative: of an effect of one standard deviation, N(0, {PRIOR_SD}²)."))
        }
        (false, false) => comment("Weakly informative, by the ranges of the columns."),
    };
    text += &line;
    if !is_chosen && !draft.standardise {
        for column in predictors {
            if let (Some((low, high)), Ok(term)) = (range(column), term(column, None)) {
                let sd = rounded(widest / (high - low).clamp(1e-3, 1e6));
                entries.push(format!("{{ term = {}, prior = {} }}", quote(&term), normal(0.0, sd)));
            }
        }
    }
    if entries.is_empty() { text } else { text + &format!("coefficient = [\n    {},\n]\n", entries.join(",\n    ")) }
}

/// The lines of the priors of groups, by the range of the response.
pub(super) fn of_groups(response: &SheetColumn) -> String {
    let (low, high) = range(response).unwrap_or((0.0, 1.0));
    let (middle, width) = (0.5 * (low + high), (high - low).max(1e-3));
    let prior = normal(rounded(middle), rounded(width));
    let scale = number_text(rounded(0.25 * width));
    comment("Weakly informative, by the range of the response: μ within it, τ of about its standard deviation or less.")
        + &format!("mu = {prior}\ntau = {{ kind = \"half-cauchy\", scale = {scale} }}\n")
}

/// A normal prior as a table on one line.
fn normal(mean: f64, sd: f64) -> String {
    format!("{{ kind = \"normal\", mean = {}, sd = {} }}", number_text(mean), number_text(sd))
}

/// The ends of a column of numbers.
fn range(column: &SheetColumn) -> Option<(f64, f64)> {
    match column.kind {
        ColumnKind::Numbers { low, high, .. } => Some((low, high)),
        _ => None,
    }
}
