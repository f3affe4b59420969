//! Means of groups that come from a common distribution: yᵢ ~ N(θ_g(i), σᵢ²), θⱼ ~ N(μ, τ²), with σᵢ known.
//!
//! Chains move in (θ, μ, t) with t = ln τ, which is a funnel: the smaller τ, the narrower are the θ ([`centred`](PARAMETRISATION)); or in
//! (z, μ, t) with θⱼ = μ + τ zⱼ, which is none where data are few. Both are the same posterior, and report the same quantities. Given t all
//! but t is a Gaussian ([`given`]), so that everything is exact by quadrature over t.
//!
//! Built-in data: the effects of coaching in eight schools (D. Rubin 1981, J. Educ. Stat. 6; A. Gelman et al. 2013, "Bayesian Data Analysis",
//! section 5.5).

mod given;
mod model;
mod rows;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::given::{CENTRED, Hierarchy, STANDARDISED};
use self::model::{Datum, Posterior};
use super::regression::priors::{OF_COEFFICIENTS, OF_SIGMA, Prior, Sigma};
use crate::families::COEFFICIENTS;
use crate::targets::data;
use crate::targets::kit;
use crate::targets::kit::scaled::mixture::{Exact, GivenScale, Kind, Named};
use crate::targets::kit::scaled::nodes::Nodes;
use crate::targets::kit::scaled::plane::Shown;
use crate::targets::{Folder, Target, TargetEntry, Vectors};
use base::math::Point;
use base::math::elementary::ln;
use base::params::{Choice, DefaultValue, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt, printable};

/// Effects, their standard errors, and the schools.
const SCHOOLS: [(f64, f64, &str); 8] = [
    (28.0, 15.0, "A"),
    (8.0, 10.0, "B"),
    (-3.0, 16.0, "C"),
    (7.0, 11.0, "D"),
    (-1.0, 9.0, "E"),
    (1.0, 11.0, "F"),
    (18.0, 10.0, "G"),
    (12.0, 18.0, "H"),
];

const FILE: [ParamSpec; 7] = [
    data::PATH,
    data::RESPONSE,
    data::column("sd", "sd of the noise", "2"),
    data::column("group", "group", "3"),
    data::DECIMAL,
    data::MISSING,
    data::SHA256,
];

const ROWS: [ParamSpec; 6] =
    [data::PATH, data::RESPONSE, data::column("group", "group", "2"), data::DECIMAL, data::MISSING, data::SHA256];

const INLINE: [ParamSpec; 6] = [
    data::table("group,y,sd\na,1,1\nb,5,2\nc,2,1\n"),
    data::column(data::RESPONSE.key, "response", "y"),
    data::column("sd", "sd of the noise", "sd"),
    data::column("group", "group", "group"),
    data::DECIMAL,
    data::MISSING,
];

const INLINE_ROWS: [ParamSpec; 5] = [
    data::table("group,y\na,1\na,2\na,4\nb,5\nb,3\nb,6\nc,2\nc,1\nc,3\n"),
    data::column(data::RESPONSE.key, "response", "y"),
    data::column("group", "group", "group"),
    data::DECIMAL,
    data::MISSING,
];

static KINDS: [KindSpec; 5] = [
    KindSpec {
        name: "eight-schools",
        label: "Eight schools",
        help: "Effects of coaching on test results in eight schools, with their standard errors (Rubin 1981).",
        params: &[],
    },
    KindSpec {
        name: "csv",
        label: "From a file",
        help: "Rows of a CSV file: a response, the standard deviation of its noise, and the group that it belongs to; one row or more of each.",
        params: &FILE,
    },
    KindSpec {
        name: "csv-rows",
        label: "Rows of a file",
        help: "Rows of a CSV file: a response, and the group that it belongs to. A group counts with its mean and the standard error of this, \
               from the spread of its rows; two rows or more of each.",
        params: &ROWS,
    },
    KindSpec {
        name: "inline-rows",
        label: "Rows in the scenario",
        help: "The same in a table inside of the scenario, which then needs no file.",
        params: &INLINE_ROWS,
    },
    KindSpec {
        name: "inline",
        label: "In the scenario",
        help: "A response, the standard deviation of its noise and its group in each row of a table inside of the scenario.",
        params: &INLINE,
    },
];

static PARAMETRISATIONS: [Choice; 2] = [
    Choice {
        name: CENTRED,
        label: "centred",
        help: "Chains move in the means θ of the groups: a funnel where τ is small.",
    },
    Choice {
        name: STANDARDISED,
        label: "non-centred",
        help: "Chains move in z, with θ = μ + τ z: no funnel where data are few.",
    },
];

/// The parameter for the coordinates of chains.
const PARAMETRISATION: ParamSpec = ParamSpec::of(
    "parametrisation",
    "parametrisation",
    ParamType::Choice(&PARAMETRISATIONS),
    DefaultValue::Word(STANDARDISED),
    "The coordinates in which chains move. The posterior is the same.",
);

/// Priors of μ: flat and normal.
static OF_MU: [KindSpec; 2] = [OF_COEFFICIENTS[0], OF_COEFFICIENTS[1]];

/// Priors of τ: all of those of σ but a known one and 1/τ, which has no integral at 0.
static OF_TAU: [KindSpec; 6] = [OF_SIGMA[4], OF_SIGMA[3], OF_SIGMA[5], OF_SIGMA[6], OF_SIGMA[7], OF_SIGMA[1]];

const PARAMS: [ParamSpec; 6] = [
    ParamSpec::of(
        "data",
        "data",
        ParamType::Group(&KINDS),
        DefaultValue::Kind("eight-schools"),
        "Data of groups, at most 100 groups and 100 000 data.",
    ),
    PARAMETRISATION,
    ParamSpec::of(
        "mu",
        "prior of μ",
        ParamType::Group(&OF_MU),
        DefaultValue::Kind("normal"),
        "The prior of the common mean μ.",
    ),
    ParamSpec::of(
        "tau",
        "prior of τ",
        ParamType::Group(&OF_TAU),
        DefaultValue::Kind("half-cauchy"),
        "The prior of τ, the standard deviation of the means of groups; a density in τ > 0.",
    ),
    shown("shown_x", "coordinate along x"),
    shown("shown_y", "coordinate along y"),
];

const fn shown(key: &'static str, label: &'static str) -> ParamSpec {
    let help = "Which coordinate is drawn and counted along this axis: theta[group] or, in z, z[group]; mu; log_tau. Unless it is set, the \
                first group along x and log_tau along y.";
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Absent, help).folded()
}

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "hierarchical-normal",
    label: "Hierarchical normal",
    help: "Means of groups that come from a common normal distribution, whose mean μ and standard deviation τ are unknown: eight schools, or \
           groups of your own. It is a funnel in one of its two parametrisations. Everything about it is known.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { family: &COEFFICIENTS, ..TargetEntry::new(SPEC, build) };

fn wrong(key: &str, problem: impl Into<String>, allowed: impl Into<String>) -> Vec<ParamError> {
    vec![ParamError::new(key, problem, allowed)]
}

/// Makes the target.
///
/// # Errors
/// If data cannot be read, or the posterior is improper.
fn build(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let given = settings.group("data").and_then(|group| match group.kind.name {
        "csv" | "inline" => Some(rows::with_sd(group, folder)),
        "csv-rows" | "inline-rows" => Some(rows::in_groups(group, folder)),
        _ => None,
    });
    let of_data = |errors: Vec<ParamError>| errors.into_iter().map(|error| error.under("data")).collect::<Vec<_>>();
    let (data, labels) = given.map_or_else(|| Ok(schools()), |given| given.map_err(of_data))?;
    let hierarchy = hierarchy(settings, &data, labels.len());
    if hierarchy.tail() <= 0.0 {
        let problem = "the priors of μ and τ leave the posterior of τ improper: there are too few groups";
        return Err(wrong("tau", problem, "more groups, or a proper prior such as half-cauchy"));
    }
    let named = named(&hierarchy, &labels);
    let (numbers, symbols) = shown_coordinates(settings, &named.coordinates, hierarchy.is_standardised)?;
    let spread = spread(&hierarchy);
    let nodes = Nodes::new(&|t| hierarchy.log(t)[0], ln(spread), hierarchy.tail()).ok_or_else(|| {
        wrong("tau", "the posterior of τ has no end within reach", "another prior of τ, or other data")
    })?;
    let start = start(&hierarchy, spread);
    let is_proper = hierarchy.mu[1] > 0.0 && hierarchy.tau.is_proper();
    let labels = numbers.map(|number| printable(&named.coordinates[number]).into_owned());
    let exact = Arc::new(Exact::new(hierarchy.clone(), nodes, named, is_proper));
    let at = Point::new(start[numbers[0]], start[numbers[1]]);
    let plane = Shown { numbers, symbols, labels, start: at, lacks: None };
    let projection = plane.projection();
    let marginal = exact.plane(plane).ok_or_else(|| {
        wrong("shown_x", "the density in the plane of these two coordinates cannot be computed", "other coordinates")
    })?;
    let info = marginal.info().clone();
    let responses = data.iter().map(|datum| datum.y).collect();
    let model = Arc::new(Posterior { hierarchy, data, responses, start, quantities: exact });
    Ok(Target::vectors(Vectors { model, projection, marginal: Some(marginal) }, info).in_family(&COEFFICIENTS))
}

fn schools() -> (Vec<Datum>, Vec<String>) {
    let datum = |(group, (y, sd, _)): (usize, &(f64, f64, &str))| Datum { group, y: *y, variance: sd * sd };
    (SCHOOLS.iter().enumerate().map(datum).collect(), SCHOOLS.iter().map(|(_, _, name)| (*name).to_owned()).collect())
}

/// The hierarchy of data: those of a group are as good as their mean, weighted by precisions, and a constant.
fn hierarchy(settings: &Settings, data: &[Datum], count: usize) -> Hierarchy {
    let mut sums = vec![[0.0; 2]; count];
    for datum in data {
        sums[datum.group][0] += datum.y / datum.variance;
        sums[datum.group][1] += 1.0 / datum.variance;
    }
    let groups: Vec<[f64; 2]> = sums.iter().map(|[sum, precision]| [sum / precision, 1.0 / precision]).collect();
    let log = |gap: f64, variance: f64| -0.5 * (gap * gap / variance + ln(std::f64::consts::TAU * variance));
    let of_data: f64 = data.iter().map(|datum| log(datum.y - groups[datum.group][0], datum.variance)).sum();
    let of_means: f64 = groups.iter().map(|[_, variance]| log(0.0, *variance)).sum();
    let mu = match settings.group("mu").map(Prior::of) {
        Some(Prior::Normal { mean, sd }) => [mean, 1.0 / (sd * sd)],
        _ => [0.0, 0.0],
    };
    let tau = match settings.group("tau").map(Sigma::of) {
        Some(Sigma::Unknown(prior)) => prior,
        _ => super::regression::priors::SigmaPrior::Flat,
    };
    let is_standardised = settings.word("parametrisation") == STANDARDISED;
    Hierarchy { groups, constant: of_data - of_means, mu, tau, is_standardised }
}

/// What is reported: the coordinates, τ, and θ where chains move in z.
fn named(hierarchy: &Hierarchy, labels: &[String]) -> Named {
    let named = |symbol: &str| labels.iter().map(|label| format!("{symbol}[{label}]")).collect::<Vec<_>>();
    let [own, other] = hierarchy.gaussians();
    let mut coordinates = named(if hierarchy.is_standardised { "z" } else { "theta" });
    coordinates.extend(["mu", "log_tau"].map(str::to_owned));
    let mut names = coordinates.clone();
    names.push("tau".to_owned());
    let mut kinds: Vec<Kind> = own.into_iter().map(Kind::Gaussian).collect();
    kinds.extend([Kind::Log, Kind::Exp]);
    if hierarchy.is_standardised {
        names.extend(named("theta"));
        kinds.extend(other.into_iter().map(Kind::Gaussian));
    }
    Named { coordinates, names, kinds }
}

/// A width of the means of groups: where the search of τ begins.
fn spread(hierarchy: &Hierarchy) -> f64 {
    let count = hierarchy.count() as f64;
    let mean = hierarchy.groups.iter().map(|[y, _]| y).sum::<f64>() / count;
    let squares: f64 = hierarchy.groups.iter().map(|[y, _]| (y - mean) * (y - mean)).sum();
    let noise = hierarchy.groups.iter().map(|[_, variance]| *variance).fold(f64::INFINITY, f64::min);
    (squares / count).max(0.01 * noise).sqrt()
}

/// Where chains start: at means of groups half-way to that of all, at the width of these.
fn start(hierarchy: &Hierarchy, spread: f64) -> Vec<f64> {
    let t = ln(spread);
    let at = hierarchy.at(t);
    let [own, _] = hierarchy.gaussians();
    own.into_iter().map(|k| hierarchy.mean(&at, k)).chain(std::iter::once(t)).collect()
}

/// Whether a coordinate has this name, or the one that it has in the other parametrisation: theta[A] is z[A] there, so that a scenario changes from one to
/// the other as it is.
fn is_named(name: &str, word: &str) -> bool {
    let group = |name: &str| ["theta[", "z["].iter().find_map(|start| name.strip_prefix(start).map(str::to_owned));
    name == word || group(name).is_some_and(|own| group(word) == Some(own))
}

/// The numbers of the two coordinates that are drawn, and their symbols.
fn shown_coordinates(
    settings: &Settings,
    names: &[String],
    is_standardised: bool,
) -> Result<([usize; 2], [&'static str; 2]), Vec<ParamError>> {
    let find = |key: &str| match settings.word(key).trim() {
        "" => Ok(None),
        word => names.iter().position(|name| is_named(name, word)).map(Some).ok_or_else(|| {
            let allowed = names.iter().map(|name| format!("\"{}\"", excerpt(name))).collect::<Vec<_>>().join(", ");
            ParamError::new(key, format!("there is no coordinate \"{}\"", excerpt(word)), allowed)
        }),
    };
    let numbers = match [find("shown_x"), find("shown_y")] {
        [Ok(x), Ok(y)] => kit::shown::two([x, y], [0, names.len() - 1])
            .ok_or_else(|| wrong("shown_y", "the same coordinate is drawn along both axes", "another coordinate"))?,
        both => return Err(both.into_iter().filter_map(Result::err).collect()),
    };
    let symbol = |number: usize| match number + 2 {
        next if next == names.len() => "μ",
        next if next > names.len() => "ln τ",
        _ if is_standardised => "z",
        _ => "θ",
    };
    Ok((numbers, numbers.map(symbol)))
}
