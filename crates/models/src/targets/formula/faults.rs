//! What is wrong with a written density, in words: its cause in the formula, where that shows.

use std::sync::Arc;

use super::peaks::{Peaks, starts};
use super::survey::NO_TOP;
use super::tails::last_power;
use super::{Written, narrow};
use crate::formula::{Evaluator, Form, Formula};
use crate::targets::TargetInfo;
use crate::targets::kit::poles::AXES;
use crate::targets::kit::transforms::open_surface;
use base::math::{Bounds, Point};
use base::params::ParamError;

/// Points along a side of the grid on which a density is never negative, and how far below 0, as a share of the highest value on it,
/// rounding may lead.
const SIDE: usize = 128;
const ROUNDING: f64 = 1e-9;

/// Boxes at most that are searched for a negative value.
const MOST_BOXES: usize = 2000;

/// Decimals at most of a number that is no power of ten.
const MOST_DECIMALS: usize = 12;

/// The power of the distance with which a density falls along a line that is taken for one without end.
const ENDLESS: f64 = -1.0;

/// The error of a search, with its cause if that shows in the formula.
pub(super) fn explained(
    error: ParamError,
    formula: &Formula,
    numbers: &[f64],
    form: Form,
    bare: &Written,
) -> ParamError {
    if let Some(names) = formula.zero_divisor(numbers) {
        return division_by_zero(formula, numbers, &names);
    }
    let others: &[(Form, &str)] = match form {
        Form::LogDensity => &[(Form::Energy, "energy or the other sign"), (Form::Density, "density")],
        Form::Energy => &[(Form::LogDensity, "log-density or the other sign")],
        Form::Density => &[],
    };
    let has_top = |form: Form| {
        let Ok(density) = formula.density(numbers, form) else { return false };
        let turned = Written { density, ..bare.clone() };
        let (surface, dimension) = (open_surface(Arc::new(turned.clone())), bare.info.dimension);
        let peaks = Peaks::find(&surface, dimension, &starts(&turned, &surface, &[]));
        peaks.is_some_and(|peaks| !peaks.is_on_endless_ridge(&surface, dimension))
    };
    match others.iter().find(|(form, _)| error.problem == NO_TOP && has_top(*form)) {
        Some((_, name)) => {
            let allowed = format!("{OTHER_FORM}{name}, with which it has one; else {}", error.allowed);
            ParamError { allowed, ..error }
        }
        None => error,
    }
}

/// How what is allowed begins where another form of the formula may be meant.
const OTHER_FORM: &str = "the form ";

/// The form, as scenario files call it, that is meant if what is allowed begins with another form.
#[must_use]
pub fn form_meant(error: &ParamError) -> Option<&'static str> {
    let form = error.allowed.strip_prefix(OTHER_FORM)?;
    ["density", "energy", "log-density"].into_iter().find(|name| form.starts_with(name))
}

/// The error of a divisor that is 0, with the numbers of the parameters in it.
pub(super) fn division_by_zero(formula: &Formula, numbers: &[f64], names: &[&str]) -> ParamError {
    let number = |name: &&str| formula.parameters().position(|known| known == *name).map(|index| numbers[index]);
    let values: Vec<String> = names.iter().filter_map(|name| Some(format!("{name} = {}", number(name)?))).collect();
    let (problem, allowed) = match &values[..] {
        [] => ("the formula divides by 0".to_owned(), "a divisor that is not 0".to_owned()),
        values => {
            let problem = format!("the formula divides by 0, since {}", values.join(", "));
            (problem, format!("another number for {}", names.join(" or ")))
        }
    };
    ParamError::new("density", problem, allowed)
}

/// The error of a density in the plane that is the same along x.
pub(super) fn without_x() -> ParamError {
    let problem = "x is not in the formula, so the density is the same everywhere along x";
    ParamError::new(
        "density",
        problem,
        "x in the place of y for a density on the line, a formula with x and y, or a support of x",
    )
}

/// An error where the density has no width that can be drawn, with the point: it is too narrow there for its distance from 0, or, along a line
/// through it, never falls.
pub(super) fn can_be_shown(bare: &Written, info: &TargetInfo) -> Result<(), ParamError> {
    let (dimension, Bounds { min, max }) = (info.dimension, info.view);
    let Some(narrow) = info.narrow_axis().filter(|axis| *axis < dimension) else { return Ok(()) };
    let at = info.start;
    let axes = ["x", "y"];
    // A ridge along an axis is missed by rounding beside it.
    let points = [at, Point::new(at.x, 0.0), Point::new(0.0, at.y), Point::zeros()];
    let goes_on = |axis: usize| {
        let is_endless =
            |from: &&Point| [1.0, -1.0].iter().any(|side| last_power(bare, **from, AXES[axis] * *side) >= ENDLESS);
        points.iter().find(is_endless)
    };
    if dimension == 2
        && let Some((axis, from)) = (0..2).find_map(|axis| Some((axis, goes_on(axis)?)))
    {
        let other = 1 - axis;
        let problem = format!(
            "no integral was found: along {}, at {} = {}, the density does not fall, as far out as there are numbers",
            axes[axis],
            axes[other],
            if from[other].abs() < 5e-4 { "0".to_owned() } else { plain(from[other], 3) }
        );
        return Err(ParamError::new(
            "density",
            problem,
            "a density that falls along every line, or a support with bounds",
        ));
    }
    let (axis, middle) = (axes[narrow], rounded(0.5 * (min[narrow] + max[narrow])));
    let problem = format!(
        "the density is too narrow near {axis} = {middle} for this distance from 0: there are hardly any numbers within its width"
    );
    Err(ParamError::new(
        "density",
        problem,
        format!("the same nearer to 0: {axis} in the place of {axis} − {middle}, or a wider one"),
    ))
}

/// An error where a density is below 0 by more than rounding, over the view and as much around it: on a grid, and where bounds lead.
pub(super) fn never_negative(density: &Evaluator, info: &TargetInfo) -> Result<(), ParamError> {
    let rows = if info.dimension == 1 { 1 } else { SIDE };
    let (view, wide) = (info.view, info.view.size());
    let point = |index: usize| {
        let share = Point::new((index % SIDE) as f64 + 0.5, (index / SIDE) as f64 + 0.5) / SIDE as f64;
        let at = view.min - wide + (3.0 * wide).component_mul(&share);
        if rows == 1 { Point::new(at.x, 0.0) } else { at }
    };
    let points = (0..rows * SIDE).map(point).filter(|at| info.support.contains(*at));
    let values: Vec<(f64, Point)> = points.map(|at| (density.value(at.x, at.y), at)).collect();
    let highest = values.iter().map(|(value, _)| *value).fold(0.0, f64::max);
    let lowest = values.iter().filter(|(value, _)| *value < -ROUNDING * highest).min_by(|a, b| a.0.total_cmp(&b.0));
    let between = || {
        let (min, max) = (info.support.min.sup(&(view.min - wide)), info.support.max.inf(&(view.max + wide)));
        let over = if rows == 1 { Bounds::new((min.x, max.x), (0.0, 0.0)) } else { Bounds { min, max } };
        let at = narrow::below(density, over, -ROUNDING * highest, MOST_BOXES)?;
        Some((density.value(at.x, at.y), at))
    };
    let Some((value, at)) = lowest.copied().or_else(between) else { return Ok(()) };
    let at = if rows == 1 { format!("x = {:.3}", at.x) } else { format!("x = {:.3}, y = {:.3}", at.x, at.y) };
    let problem = format!("a density is never negative, and this one is {} at {at}", plain(value, 3));
    Err(ParamError::new(
        "density",
        problem,
        "max(0, …) around it, a support that ends where it does, or the form log-density",
    ))
}

/// A large number without digits that say nothing.
fn rounded(value: f64) -> String {
    let text = format!("{value:.9e}");
    text.parse().map_or(text, |short: f64| format!("{short:e}"))
}

/// A number with so many digits that are not 0, as a decimal.
pub(super) fn plain(value: f64, digits: i32) -> String {
    let least = libm::exp10(f64::from(digits - 1));
    let is_enough = |decimals: &usize| value.abs() * libm::exp10(*decimals as f64) >= least;
    match (0..=MOST_DECIMALS).find(is_enough) {
        Some(decimals) => format!("{value:.decimals$}"),
        None => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_count() {
        for (value, digits, text) in [
            (0.0073, 2, "0.0073"),
            (41.2, 2, "41"),
            (1234.0, 2, "1234"),
            (-2.5e-7, 3, "-0.000000250"),
            (-1e-15, 3, "-1.0e-15"),
        ] {
            assert_eq!(plain(value, digits), text);
        }
    }
}
