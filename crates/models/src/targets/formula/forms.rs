//! What a formula looks like: a log density, a density or an energy, by its values near 0 and far out. A guess that takes no integral: it is
//! for what is said while somebody types.

use super::support;
use crate::formula::{Form, Formula};
use base::params::Settings;

/// How far from an end of the support, or from 0, values near are taken, and their number along an axis.
const NEAR: f64 = 8.0;
const POINTS: usize = 48;

/// How far out a coordinate is far.
const FAR: f64 = 1e4;

/// A density far out, or at an end of its support, as a share of its highest value near.
const GONE: f64 = 1e-2;

/// The form, as scenario files call it, that a formula with these numbers looks like, if it is not the one that the settings name. `None` also
/// where that is not clear, and of formulas with data or in coordinates with numbers.
#[must_use]
pub fn form_looked_like(formula: &Formula, numbers: &[f64], settings: &Settings) -> Option<&'static str> {
    if formula.columns().next().is_some() || formula.is_in_vectors() || formula.coordinates() == [false, false] {
        return None;
    }
    let dimension = 1 + usize::from(formula.coordinates()[1]);
    let support = support(settings, dimension).ok()?;
    // The formula as it is, without a logarithm.
    let given = formula.density(numbers, Form::LogDensity).ok()?;
    let axes =
        [0, 1].map(|axis| if axis < dimension { along(support.min[axis], support.max[axis]) } else { Axis::none() });
    let values = |x: &[f64], y: &[f64]| -> Vec<f64> {
        let all = x.iter().flat_map(|x| y.iter().map(|y| given.value(*x, *y)));
        // Where a formula has no value the density is 0.
        all.filter(|value| !value.is_nan()).collect()
    };
    let [x, y] = &axes;
    let near = values(&x.near, &y.near);
    if near.is_empty() {
        return None;
    }
    let [highest, lowest] =
        [near.iter().copied().fold(f64::NEG_INFINITY, f64::max), near.iter().copied().fold(f64::INFINITY, f64::min)];
    // Beyond in one coordinate or in both.
    let outside = |part: fn(&Axis) -> &[f64]| {
        [values(part(x), &y.near), values(&x.near, part(y)), values(part(x), part(y))].concat()
    };
    let (far, ends) = (outside(|axis| &axis.far), outside(|axis| &axis.ends));
    let is_gone = |value: &f64| (0.0..=GONE * highest).contains(value);
    let falls = if far.is_empty() { ends.iter().any(is_gone) } else { far.iter().all(is_gone) };
    let form = if lowest >= 0.0 && highest > 0.0 && highest.is_finite() && falls {
        "density"
    } else if far.is_empty() {
        return None;
    } else if far.iter().all(|value| *value < lowest.min(0.0)) {
        "log-density"
    } else if far.iter().all(|value| *value > highest.max(0.0)) {
        "energy"
    } else {
        return None;
    };
    (Form::of(form) != Form::of(settings.word("form"))).then_some(form)
}

/// Coordinates along an axis.
struct Axis {
    near: Vec<f64>,
    far: Vec<f64>,
    /// The ends of the support.
    ends: Vec<f64>,
}

impl Axis {
    /// That of a formula without this coordinate.
    fn none() -> Self {
        Self { near: vec![0.0], far: Vec::new(), ends: Vec::new() }
    }
}

fn along(min: f64, max: f64) -> Axis {
    let (from, to) = match (min.is_finite(), max.is_finite()) {
        (true, true) => (min, max),
        (true, false) => (min, min + 2.0 * NEAR),
        (false, true) => (max - 2.0 * NEAR, max),
        (false, false) => (-NEAR, NEAR),
    };
    let near = (0..POINTS).map(|point| from + (to - from) * (point as f64 + 0.5) / POINTS as f64).collect();
    let far = [(min, -FAR), (max, FAR)].into_iter().filter(|(end, _)| end.is_infinite()).map(|(_, far)| far).collect();
    let ends = [min, max].into_iter().filter(|end| end.is_finite()).collect();
    Axis { near, far, ends }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::TARGETS;
    use base::params::{Value, find_kind};

    /// What a text looks like in a form; x is between these ends, if there are any.
    fn looks(text: &str, form: &'static str, ends: Option<(f64, f64)>) -> Option<&'static str> {
        let mut settings = Settings::defaults(find_kind(&TARGETS, "formula").unwrap());
        settings.set("form", Value::Choice(form)).unwrap();
        if let Some((min, max)) = ends {
            let spec = settings.kind.param("support_x").unwrap();
            let base::params::ParamType::Group(kinds) = spec.ty else { unreachable!("a support is a group") };
            let kind = if max.is_finite() { "between" } else { "above" };
            let mut support = Settings::defaults(find_kind(kinds, kind).unwrap());
            support.set("min", Value::Number(min)).unwrap();
            if max.is_finite() {
                support.set("max", Value::Number(max)).unwrap();
            }
            settings.set("support_x", Value::Group(support)).unwrap();
        }
        let formula = Formula::read(text).unwrap();
        let numbers: Vec<f64> = formula.parameters().map(|_| 1.0).collect();
        form_looked_like(&formula, &numbers, &settings)
    }

    #[test]
    fn a_pasted_density_is_told_from_its_logarithm() {
        let positive = Some((0.0, f64::INFINITY));
        for (text, ends, form) in [
            ("exp(−x²/2)", None, "density"),
            ("exp(−(x² + y²)/(2s²))", None, "density"),
            ("1/(1 + x²)", None, "density"),
            ("0.3exp(−(x − 3)²) + 0.7exp(−(x + 3)²)", None, "density"),
            ("x exp(−x)", positive, "density"),
            ("x² * (1 − x)", Some((0.0, 1.0)), "density"),
            ("−x²/2 − y²/2", None, "log-density"),
            ("−ln(1 + x²)", None, "log-density"),
            ("ln(x) − x", positive, "log-density"),
            ("(x² + y²)/2", None, "energy"),
        ] {
            for now in ["log-density", "density", "energy"] {
                assert_eq!(looks(text, now, ends), (now != form).then_some(form), "{text} as {now}");
            }
        }
    }

    #[test]
    fn nothing_is_said_of_what_is_neither() {
        for text in ["exp(x)", "sin(x)", "3", "x", "x² − y²", "−(x[1]² + x[2]²)", "exp(−(x − y)²)"] {
            assert_eq!(looks(text, "log-density", None), None, "{text}");
        }
    }
}
