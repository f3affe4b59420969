//! Formulas in more than two coordinates, `x[1]` to `x[d]`: a model on which everything runs that works on vectors.
//!
//! Two coordinates are drawn. Nothing is integrated: what the density is like is not known, and said so.

mod model;
mod start;

use std::sync::{Arc, LazyLock};

use self::model::Written;
use self::start::Start;
use super::faults;
use crate::families::VECTORS;
use crate::formula::{Form, Formula, FormulaError, InVectors};
use crate::targets::kit::shown;
use crate::targets::kit::symbols::subscripted;
use crate::targets::{Projection, Target, TargetInfo, Vectors};
use base::math::{Bounds, Point};
use base::params::{DefaultValue, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Standard deviations to either side that the view shows.
const VIEW: f64 = 4.0;

/// The two coordinates that are drawn.
pub(super) const SHOWN: [ParamSpec; 2] =
    [shown("shown_x", "coordinate along x"), shown("shown_y", "coordinate along y")];

const fn shown(key: &'static str, label: &'static str) -> ParamSpec {
    let help = "Which of more than two coordinates is drawn and counted along this axis: x[3], or the name that a line of the formula gives it, \
                as in mu = x[3]. Unless it is set, the first or the second one.";
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Absent, help).folded()
}

/// Why the truth is not known.
const UNKNOWN: &str =
    "nothing is integrated for a formula in x[1], x[2], …; several long chains of NUTS that agree show what to expect";

/// Symbols of the coordinates.
static SYMBOLS: LazyLock<Vec<String>> = LazyLock::new(|| (1..=100).map(|number| subscripted('x', number)).collect());

/// Makes the target.
///
/// # Errors
/// If the formula gives p, has a support, or is no number wherever it was tried; if coordinates that are to be drawn do not exist.
pub(super) fn build(
    settings: &Settings,
    formula: &Formula,
    numbers: &[f64],
    form: Form,
) -> Result<Target, Vec<ParamError>> {
    if form == Form::Density {
        let problem = "p of many coordinates is too small for a number, and nothing shows that it is never negative";
        let allowed = "log-density or energy; exponentials as a logsumexp of their exponents";
        return Err(vec![ParamError::new("form", problem, allowed)]);
    }
    for key in ["support_x", "support_y"] {
        if settings.group(key).is_some_and(|group| group.kind.name != "everywhere") {
            let problem = "x[1], x[2], … have no support";
            let allowed = "kind = \"everywhere\"; for what is positive exp(x[1]) in the place of x[1], and + x[1] for the change of coordinates";
            return Err(vec![ParamError::new(key, problem, allowed)]);
        }
    }
    let in_formula = |error: FormulaError| vec![error.of_parameter("density", settings.word("density"))];
    let density = formula.in_vectors(numbers, form).map_err(in_formula)?;
    let rows = formula.rows_in_vectors(numbers, form).map_err(in_formula)?;
    let shown = shown_coordinates(settings, density.names())?;
    let Start { at, widths, mode, curvature } =
        start::start(&density).ok_or_else(|| vec![no_number(formula, numbers)])?;
    if start::never_falls(&density, &at, &widths) {
        let problem = "the density falls in no direction, however far out: it has no integral";
        let allowed = "log p, which goes to −∞ far out: ln(…) around a formula that gives p";
        return Err(vec![ParamError::new("density", problem, allowed)]);
    }
    let [x, y] = shown.map(|number| (at[number], VIEW * widths.sds[number]));
    let view = Bounds::new((x.0 - x.1, x.0 + x.1), (y.0 - y.1, y.0 + y.1));
    let axes = shown.map(|number| SYMBOLS.get(number).map_or("", String::as_str));
    let unknown = TargetInfo::unknown(axes, view, Point::new(x.0, y.0));
    let info = TargetInfo { unknown: Some(UNKNOWN.to_owned()), ..unknown };
    let model = Arc::new(Written::new(density, rows, (at, mode, curvature)));
    let projection = Projection::Coordinates(shown);
    Ok(Target::vectors(Vectors { model, projection, marginal: None }, info).in_family(&VECTORS))
}

/// The error of a formula without a value.
fn no_number(formula: &Formula, numbers: &[f64]) -> ParamError {
    if let Some(names) = formula.zero_divisor(numbers) {
        return faults::division_by_zero(formula, numbers, &names);
    }
    let problem =
        "the density is 0, or no number, at every point that was tried: at x = 0, and at others between -2 and 2";
    ParamError::new("density", problem, "a formula that is a number near 0: exp(x[1]) in the place of what is positive")
}

/// The numbers of the two coordinates that are drawn.
fn shown_coordinates(settings: &Settings, names: &[String]) -> Result<[usize; 2], Vec<ParamError>> {
    let find = |key: &str| match settings.word(key).trim() {
        "" => Ok(None),
        word => {
            names.iter().position(|name| name == word).or_else(|| numbered(word, names.len())).map(Some).ok_or_else(
                || {
                    let allowed =
                        names.iter().map(|name| format!("\"{}\"", excerpt(name))).collect::<Vec<_>>().join(", ");
                    ParamError::new(key, format!("there is no coordinate \"{}\"", excerpt(word)), allowed)
                },
            )
        }
    };
    match [find("shown_x"), find("shown_y")] {
        [Ok(x), Ok(y)] => shown::two([x, y], [0, 1]).ok_or_else(|| {
            let problem = "the same coordinate is drawn along both axes";
            vec![ParamError::new("shown_y", problem, "another coordinate")]
        }),
        both => Err(both.into_iter().filter_map(Result::err).collect()),
    }
}

/// The coordinate `x[3]`, also of one that has another name.
fn numbered(word: &str, count: usize) -> Option<usize> {
    let number: usize = word.strip_prefix("x[")?.strip_suffix(']')?.parse().ok()?;
    (1..=count).contains(&number).then(|| number - 1)
}

/// The parameters that change nothing: of a formula in the plane the coordinates that are drawn, of others what belongs to a support.
pub(super) fn idle(settings: &Settings) -> &'static [&'static str] {
    let is_default = |key| settings.group(key).is_none_or(|group| group.kind.name == "everywhere");
    match Formula::read(settings.word("density")).is_ok_and(|formula| formula.is_in_vectors()) {
        false => &["shown_x", "shown_y"],
        true if is_default("support_x") && is_default("support_y") => &["support_x", "support_y", "boundary"],
        true => &[],
    }
}

/// The log density at one point.
fn at_point(density: &InVectors, at: &[f64]) -> f64 {
    let mut value = [0.0];
    density.values(base::math::Simd::widest(), at, &mut value);
    if value[0] < f64::INFINITY { value[0] } else { f64::NEG_INFINITY }
}
