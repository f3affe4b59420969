//! Bayesian regression of any dimension: the posterior of the coefficients β of terms, and of ln σ, seen in the plane of two of them.
//!
//! yᵢ ~ p(y | xᵢᵀβ, σ), a normal, Student's t, Bernoulli or binomial with a logit, or Poisson with a logarithm. The columns of X are
//! [terms]: an intercept, columns of the data, expressions of them, indicators of factors, products. Every coefficient has a prior of its
//! own, and so has σ; chains move in (β, s) with s = ln σ.
//!
//! Under a normal likelihood with flat or normal priors of β everything is exact ([`exact`]): the posterior is a Gaussian given s, and s one
//! number to integrate over. Otherwise moments, quantiles and the normaliser come from weighted draws ([`weighted`]), and the density in the
//! plane from Laplace's method in the other coordinates ([`laplace_plane`]); what is not exact says so.
//!
//! Built-in data: speeds and stopping distances of fifty cars.

mod cars;
mod conditional;
mod exact;
mod expression;
mod laplace_plane;
mod likelihood;
mod model;
mod originals;
pub(super) mod priors;
mod reduced;
mod replicates;
mod rows;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod weighted;

use std::sync::{Arc, LazyLock};

use self::conditional::{Conditional, Fault};
use self::exact::{LOG_SIGMA, Regressed};
use self::laplace_plane::LaplacePlane;
use self::likelihood::{LIKELIHOOD, Likelihood};
use self::model::Posterior;
use self::originals::Originals;
use self::priors::{OF_COEFFICIENTS, Prior, Sigma};
use self::table::Given;
use self::weighted::Weighted;
use crate::families::COEFFICIENTS;
use crate::targets::kit;
use crate::targets::kit::scaled::mixture::Exact;
use crate::targets::kit::scaled::plane::{PlaneDensity, Shown};
use crate::targets::kit::symbols::subscripted;
use crate::targets::{Density, Folder, KnownQuantities, Sureness, Target, TargetEntry, Vectors, data};
use base::math::elementary::ln;
use base::math::{Matrix, Point};
use base::params::{DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Largest number of coefficients.
const MOST_COEFFICIENTS: usize = 100;

const COEFFICIENT_PARAMS: [ParamSpec; 2] = [
    ParamSpec::of(
        "term",
        "term",
        ParamType::Text,
        DefaultValue::Word("1"),
        "The term as it stands in the list, or intercept; of a factor all of its indicators, or one as column[level].",
    ),
    PRIOR,
];

const PRIOR: ParamSpec = ParamSpec::of(
    "prior",
    "prior",
    ParamType::Group(&OF_COEFFICIENTS),
    DefaultValue::Kind("flat"),
    "The prior of the coefficients, of each alike unless it has one of its own.",
)
.folded();

static COEFFICIENT: KindSpec = KindSpec {
    name: "coefficient",
    label: "Coefficient",
    help: "The prior of the coefficients of one term, in the place of that of all.",
    params: &COEFFICIENT_PARAMS,
};

const PARAMS: [ParamSpec; 10] = [
    table::DATA,
    table::RESPONSE,
    ParamSpec::of(
        terms::KEY,
        "terms",
        ParamType::Text,
        DefaultValue::Word("1, speed"),
        "What the response depends on, with commas between the terms: 1 for an intercept, columns, expressions such as log(x), x^2, a*b or \
         (x - mean(x))/sd(x), factor(c) for a column of levels, c == \"yes\" for one of them, a:b for products.",
    ),
    LIKELIHOOD,
    PRIOR,
    ParamSpec::of(
        "coefficient",
        "priors of single terms",
        ParamType::List(&COEFFICIENT),
        DefaultValue::Absent,
        "Priors of the coefficients of single terms, in the place of that of all.",
    )
    .folded(),
    ParamSpec::of(
        data::STANDARDISE.key,
        "standardise",
        ParamType::Flag,
        DefaultValue::Flag(true),
        "Shift and scale every term but the intercept and factors, and a response with noise, to mean 0 and standard deviation 1 (the root \
         of the mean square, with divisor N). Priors are then in these units.",
    )
    .folded(),
    ParamSpec::of(
        table::CENTRE,
        "centre",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Without standardise: shift every term but the intercept and factors to mean 0. The intercept is then the response where all of them \
         are at their means; slopes and priors keep the units of the file.",
    )
    .folded(),
    shown("shown_x", "coordinate along x"),
    shown("shown_y", "coordinate along y"),
];

const fn shown(key: &'static str, label: &'static str) -> ParamSpec {
    let help = "Which coordinate is drawn and counted along this axis: intercept, a term, column[level] of a factor, or log_sigma. Unless it \
                is set, one of the first two.";
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Absent, help).folded()
}

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "regression",
    label: "Regression",
    help: "Posterior of the coefficients of a regression with any terms: normal noise with known or unknown σ, Student's t, logistic or \
           Poisson, with a prior for every coefficient. It takes data of your own. Gradients can be estimated from minibatches.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { family: &COEFFICIENTS, idle, ..TargetEntry::new(SPEC, build) };

/// Standardised columns have mean 0 anyway.
fn idle(settings: &Settings) -> &'static [&'static str] {
    if settings.flag(data::STANDARDISE.key) { &[table::CENTRE] } else { &[] }
}

/// Symbols of the coefficients, β₀ to β₁₀₀, and of s.
static SYMBOLS: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..=MOST_COEFFICIENTS).map(|k| subscripted('β', k)).collect());
const LOG_SIGMA_SYMBOL: &str = "ln σ";

/// An error without a key of its own.
fn wrong(key: &str, problem: impl Into<String>, allowed: impl Into<String>) -> Vec<ParamError> {
    vec![ParamError::new(key, problem, allowed)]
}

/// Makes the target.
///
/// # Errors
/// If the data cannot be read or do not suit the likelihood, or the posterior is improper.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let likelihood = settings.group("likelihood").map_or(Likelihood::BernoulliLogit, Likelihood::of);
    let given = table::read(settings, folder, likelihood)?;
    let priors = priors(settings, &given)?;
    let (shown, symbols) = shown_coordinates(settings, &given, likelihood)?;
    let labels = shown.map(|number| label(&given, number));
    let originals = Originals::of(&given, matches!(likelihood.sigma(), Some(Sigma::Unknown(_))));
    let Given { x, names, y, m, .. } = given;
    let posterior = Posterior::new((x, names), (y, m), likelihood, priors).with_originals(originals);
    let (posterior, quantities, exact) = found(posterior)?;
    let posterior = Arc::new(posterior);
    let mode = crate::targets::Model::start(posterior.as_ref());
    let start = Point::new(mode[shown[0]], mode[shown[1]]);
    let lacks = match quantities.sureness() {
        Sureness::Exact => None,
        Sureness::Weighted(_) => Some(NOT_EXACT.to_owned()),
    };
    let plane = Shown { numbers: shown, symbols, labels, start, lacks };
    let projection = plane.projection();
    let marginal = marginal(&posterior, (quantities, exact), &mode, plane).ok_or_else(|| {
        let problem =
            "the density in the plane of these two coordinates cannot be computed: it is too narrow or too uneven";
        wrong(terms::KEY, problem, "other terms, or narrower priors")
    })?;
    let info = marginal.info().clone();
    Ok(Target::vectors(Vectors { model: posterior, projection, marginal: Some(marginal) }, info)
        .in_family(&COEFFICIENTS))
}

/// What of an approximate truth is not exact.
const NOT_EXACT: &str = "its density in the plane is Laplace's approximation in the other coordinates, and its moments are those of weighted draws";

/// What is found out about a posterior: its mode, what is known, and whether that is exact.
type About = (Posterior, Arc<dyn KnownQuantities>, Option<Arc<Exact<Regressed>>>);

fn found(posterior: Posterior) -> Result<About, Vec<ParamError>> {
    let conditional = conditional(&posterior)?;
    let is_proper = !posterior.priors.contains(&Prior::Flat);
    let is_exact = posterior.priors.iter().all(|prior| prior.stand_in().1);
    let from = start(&posterior, &conditional);
    if let Likelihood::Normal(sigma) = posterior.likelihood {
        let sigma = match sigma {
            Sigma::Known(sigma) => Err(sigma),
            Sigma::Unknown(prior) => Ok(prior),
        };
        let exact = exact::exact(conditional, sigma, (&posterior.names, is_proper))
            .map_err(|(problem, allowed)| wrong("likelihood.sigma", problem, allowed))?;
        // With hardly more data than coefficients the density in all of them is highest where σ is 0.
        let mode = weighted::mode(&posterior, from).ok_or_else(|| exact.centre());
        if is_exact {
            let exact = Arc::new(exact);
            return Ok((posterior.with(mode, exact.clone()), exact.clone(), Some(exact)));
        }
        let is_proper = is_proper && posterior.sigma.is_none_or(|prior| prior.is_proper());
        let weighted: Arc<dyn KnownQuantities> = Arc::new(Weighted::of_exact(&posterior, &exact, is_proper));
        return Ok((posterior.with(mode, weighted.clone()), weighted, None));
    }
    let mode = weighted::mode(&posterior, from).ok_or_else(no_mode)?;
    let is_proper = is_proper && posterior.sigma.is_none_or(|prior| prior.is_proper());
    let weighted: Arc<dyn KnownQuantities> =
        Arc::new(Weighted::around(&posterior, &mode, is_proper).ok_or_else(no_mode)?);
    Ok((posterior.with(Ok(mode), weighted.clone()), weighted, None))
}

fn no_mode() -> Vec<ParamError> {
    let problem = "the data leave the posterior open in some direction: a combination of terms separates the responses, or fits them all";
    wrong("prior", problem, "a proper prior, such as normal or student-t, or fewer terms")
}

/// The Gaussian of a normal likelihood with these data; of others it says whether the terms can be told apart.
fn conditional(posterior: &Posterior) -> Result<Conditional, Vec<ParamError>> {
    let stand_ins: Vec<_> = posterior.priors.iter().map(|prior| prior.stand_in().0).collect();
    Conditional::new(&posterior.x, &posterior.y, &stand_ins).map_err(|fault| match fault {
        Fault::Dependent(k) => {
            let name = excerpt(&posterior.names[k]);
            let problem =
                format!("\"{name}\" follows from the terms before it, and its prior is flat: nothing tells them apart");
            wrong(terms::KEY, problem, "without this term, or a proper prior for it")
        }
        Fault::TooFew => {
            let (n, p) = (posterior.y.len(), posterior.coefficients());
            wrong(
                terms::KEY,
                format!("{n} data do not determine {p} coefficients with flat priors"),
                "fewer terms, or proper priors",
            )
        }
    })
}

/// Where the search of the mode starts: least squares, or 0 where the response is no linear function.
fn start(posterior: &Posterior, conditional: &Conditional) -> Vec<f64> {
    let mut start = vec![0.0; posterior.size()];
    match posterior.likelihood {
        Likelihood::Normal(_) | Likelihood::StudentT(..) => {
            let sd = conditional.residual_sd().max(1e-3 * conditional.scale()).max(1e-9);
            let (means, _) = conditional.parts(ln(sd));
            let p = posterior.coefficients();
            (0..p).for_each(|k| start[k] = conditional.mean(k, &means));
            start[p..].fill(ln(sd));
        }
        Likelihood::PoissonLog => {
            let logs: Vec<f64> = posterior.y.iter().map(|y| ln(y + 0.5)).collect();
            let stand_ins: Vec<_> = posterior.priors.iter().map(|prior| prior.stand_in().0).collect();
            if let Ok(of_logs) = Conditional::new(&posterior.x, &logs, &stand_ins) {
                let (means, _) = of_logs.parts(0.0);
                (0..posterior.coefficients()).for_each(|k| start[k] = of_logs.mean(k, &means));
            }
        }
        Likelihood::BernoulliLogit => {}
    }
    start
}

/// The prior of every coefficient.
fn priors(settings: &Settings, given: &Given) -> Result<Vec<Prior>, Vec<ParamError>> {
    let of = |settings: &Settings| settings.group("prior").map_or(Prior::Flat, Prior::of);
    let mut priors = vec![of(settings); given.names.len()];
    let mut errors = Vec::new();
    for entry in settings.list("coefficient") {
        let name = entry.word("term").split_whitespace().collect::<Vec<_>>().join(" ");
        let name = if name == "1" { terms::INTERCEPT } else { name.as_str() };
        let is_of = |k: &usize| given.names[*k] == name || given.terms[*k] == name;
        let of_term: Vec<usize> = (0..priors.len()).filter(is_of).collect();
        if of_term.is_empty() {
            let problem = format!("there is no term \"{}\"", excerpt(name));
            errors.push(ParamError::new("coefficient", problem, listed(&given.names)));
        }
        of_term.into_iter().for_each(|k| priors[k] = of(entry));
    }
    if errors.is_empty() { Ok(priors) } else { Err(errors) }
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{}\"", excerpt(name))).collect::<Vec<_>>().join(", ")
}

/// The numbers of the two coordinates that are drawn, and their symbols.
fn shown_coordinates(
    settings: &Settings,
    given: &Given,
    likelihood: Likelihood,
) -> Result<([usize; 2], [&'static str; 2]), Vec<ParamError>> {
    let names = exact::named(&given.names, matches!(likelihood.sigma(), Some(Sigma::Unknown(_)))).coordinates;
    if names.len() < 2 {
        return Err(wrong(
            terms::KEY,
            "one term with σ known has one coefficient, and the plane shows two",
            "two terms or more",
        ));
    }
    let find = |key: &str| {
        let word = settings.word(key).split_whitespace().collect::<Vec<_>>().join(" ");
        match word.as_str() {
            "" => Ok(None),
            word => {
                let wanted = if word == "1" { terms::INTERCEPT } else { word };
                let found = names.iter().position(|name| name == wanted).map(Some);
                let unknown = || format!("there is no coordinate \"{}\"", excerpt(word));
                found.ok_or_else(|| ParamError::new(key, unknown(), listed(&names)))
            }
        }
    };
    let numbers = match [find("shown_x"), find("shown_y")] {
        [Ok(x), Ok(y)] => kit::shown::two([x, y], [0, 1])
            .ok_or_else(|| wrong("shown_y", "the same coordinate is drawn along both axes", "another coordinate"))?,
        both => return Err(both.into_iter().filter_map(Result::err).collect()),
    };
    let first = usize::from(!given.has_intercept());
    let symbol = |number: usize| {
        if names[number] == LOG_SIGMA {
            LOG_SIGMA_SYMBOL
        } else {
            SYMBOLS.get(number + first).map_or("", String::as_str)
        }
    };
    Ok((numbers, numbers.map(symbol)))
}

/// The label of the axis of a coordinate.
fn label(given: &Given, number: usize) -> String {
    let first = usize::from(!given.has_intercept());
    match given.names.get(number) {
        Some(name) => {
            let symbol = SYMBOLS.get(number + first).map_or("", String::as_str);
            data::coefficient(symbol, name, given.scaled[number].map(|_| given.scaling.word()))
        }
        None => LOG_SIGMA_SYMBOL.to_owned(),
    }
}

/// The density in the plane.
fn marginal(
    posterior: &Arc<Posterior>,
    (quantities, exact): (Arc<dyn KnownQuantities>, Option<Arc<Exact<Regressed>>>),
    mode: &[f64],
    shown: Shown,
) -> Option<Arc<dyn Density>> {
    if let Some(exact) = exact {
        return exact.plane(shown);
    }
    let [x, y] = shown.numbers.map(|number| quantities.moments(number)[1]);
    let between = quantities.correlation(shown.numbers) * x * y;
    let covariance = Matrix::new(x * x, between, between, y * y);
    let surface = LaplacePlane::new(posterior, mode, shown.numbers, covariance)?;
    Some(Arc::new(PlaneDensity::new(surface, shown, quantities)?))
}
