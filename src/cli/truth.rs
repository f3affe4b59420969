//! What `check` says of the truth about a target: what is known of it, or why it is not known.

use serde_json::{Value as Json, json};

use base::params::printable;
use draw::words::numbers::significant;
use engine::diagnostics::Truth;
use models::targets::{Density, NO_MODES, Support, Target, is_pole};

/// Digits of what is known.
const DIGITS: usize = 6;

/// Modes of a density that is searched from which on there may be more than a search finds.
const MANY: usize = 12;

/// The normaliser, the moments and the number of modes of a target, or why they are not known.
pub fn in_words(target: &Target) -> String {
    let truth = Truth::of(target);
    if let Some(why) = truth.why_unknown() {
        return format!("not known: {}", printable(why));
    }
    let Some(density) = target.density() else {
        return "none: the target has no density in the plane".to_owned();
    };
    let info = target.info();
    let number = |value: f64| if value.is_finite() { significant(value, DIGITS) } else { "none found".to_owned() };
    let mut parts = vec![format!("known: log Z = {}", number(info.told_log_normaliser()))];
    let (mean, covariance) = info.told_moments();
    for axis in 0..info.dimension {
        let (name, variance) = (printable(target.axis_labels()[axis]), covariance[(axis, axis)]);
        parts.push(format!("{name}: mean {}, variance {}", number(mean[axis]), number(variance)));
    }
    if info.dimension == 2 {
        parts.push(format!("covariance {}", number(covariance.m12)));
    }
    parts.extend(modes(density.as_ref()));
    parts.extend(quantities(target));
    parts.extend(truth.lacks().map(|what| printable(what).into_owned()));
    parts.join("; ")
}

/// The same as numbers with all digits, `null` where there is none: normaliser, mean, covariance, and the quantities with names.
pub fn in_numbers(target: &Target) -> Json {
    let truth = Truth::of(target);
    if target.density().is_none() || !truth.is_known() {
        return Json::Null;
    }
    let info = target.info();
    let number = |value: f64| value.is_finite().then_some(value);
    let (mean, covariance) = info.told_moments();
    let axes = 0..info.dimension;
    let row = |axis: usize| (0..info.dimension).map(|other| number(covariance[(axis, other)])).collect::<Vec<_>>();
    let quantities = target.known_quantities().map(|known| {
        let of = |name: (usize, &String)| {
            let [mean, sd] = known.moments(name.0).map(number);
            json!({ "name": name.1, "mean": mean, "sd": sd })
        };
        known.names().iter().enumerate().map(of).collect::<Vec<_>>()
    });
    json!({
        "log_normaliser": number(info.told_log_normaliser()),
        "mean": axes.clone().map(|axis| number(mean[axis])).collect::<Vec<_>>(),
        "covariance": axes.map(row).collect::<Vec<_>>(),
        "quantities": quantities,
    })
}

/// Quantities with names whose mean and standard deviation are told at most.
const MOST_QUANTITIES: usize = 40;

/// Mean and standard deviation of all quantities with names, of which the two that are drawn are some.
fn quantities(target: &Target) -> Option<String> {
    let known = target.known_quantities()?;
    let one = |number: usize| {
        let [mean, sd] = known.moments(number).map(|value| significant(value, 4));
        format!("{} {mean} ± {sd}", printable(&known.names()[number]))
    };
    let count = known.names().len();
    let all: Vec<String> = (0..count.min(MOST_QUANTITIES)).map(one).collect();
    let more = if count > all.len() { format!(", and {} more", count - all.len()) } else { String::new() };
    Some(format!("means ± standard deviations: {}{more}", all.join(", ")))
}

/// How many modes there are, and in how many places the density has no bound instead.
fn modes(target: &dyn Density) -> Vec<String> {
    let all = target.info().modes.len();
    let poles = target.info().modes.iter().filter(|mode| is_pole(target, mode.at)).count();
    let has_ends = target.info().support != Support::everywhere();
    let modes = match all - poles {
        // The highest point may be at an end.
        0 if target.is_searched() && has_ends => format!("{NO_MODES} found inside of the support"),
        0 if target.is_searched() => format!("{NO_MODES} found"),
        0 => NO_MODES.to_owned(),
        count if target.is_searched() && count > MANY => format!("{count} modes were found, perhaps of more"),
        // No search proves that there are no more.
        1 if target.is_searched() => "1 mode found".to_owned(),
        count if target.is_searched() => format!("{count} modes found"),
        1 => "1 mode".to_owned(),
        count => format!("{count} modes"),
    };
    match poles {
        0 => vec![modes],
        1 => vec![modes, "1 pole, where the density grows without bound".to_owned()],
        count => vec![modes, format!("{count} poles, where the density grows without bound")],
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use base::math::{Bounds, Matrix, Point};
    use engine::scenario;
    use models::targets::{Mode, TargetInfo};

    /// A density of which only this is known.
    #[derive(Debug)]
    struct Untold(TargetInfo, fn(Point) -> f64);

    fn gaussian(at: Point) -> f64 {
        -0.5 * at.norm_squared()
    }

    impl Density for Untold {
        fn info(&self) -> &TargetInfo {
            &self.0
        }

        fn log_density(&self, at: Point) -> f64 {
            (self.1)(at)
        }

        fn gradient(&self, at: Point) -> Point {
            -at
        }

        fn hessian(&self, _at: Point) -> Matrix {
            -Matrix::identity()
        }
    }

    fn told(target: &str) -> String {
        let text = format!("format = 1\n[target]\n{target}\n[[run]]\nname = \"a\"\nmethod = \"sgld\"\nsteps = 10\n");
        let experiment = scenario::read(&text, "truth.toml", Path::new("")).unwrap().build().unwrap();
        in_words(&experiment.spans[0].target)
    }

    #[test]
    fn what_is_known_is_told_with_its_numbers() {
        let gaussian = told("kind = \"formula\"\ndensity = \"-(x-1)^2/2 - (y+2)^2/8\"");
        assert_eq!(
            gaussian,
            "known: log Z = 2.53102; x: mean 1, variance 1; y: mean −2, variance 4; covariance 0; 1 mode found"
        );
        let line = told("kind = \"formula\"\ndensity = \"-x^2/2\"");
        assert_eq!(line, "known: log Z = 0.918939; x: mean 0, variance 1; 1 mode found");
        let two = told("kind = \"formula\"\ndensity = \"-(x^2-4)^2\"");
        assert!(two.ends_with("; 2 modes found"), "{two}");
        let closed = told("kind = \"gaussian\"");
        assert!(closed.ends_with("; 1 mode"), "{closed}");
    }

    #[test]
    fn what_does_not_exist_is_told_with_the_reason() {
        let cauchy = told("kind = \"formula\"\ndensity = \"-ln(1 + x^2)\"");
        assert!(
            cauchy.starts_with("known: log Z = 1.14473; x: mean none found, variance none found; 1 mode found; tails"),
            "{cauchy}"
        );
    }

    /// A pole, a tip and a top as narrow as 10⁻⁷, each with a mode at it.
    #[test]
    fn poles_are_no_modes() {
        let view = Bounds::new((-4.0, 4.0), (-4.0, 4.0));
        let at = Point::new(1.0, 0.0);
        let mode = Mode { at, weight: 1.0, covariance: Matrix::identity() };
        let info = TargetInfo { modes: vec![mode], ..TargetInfo::unknown(["x", "y"], view, Point::zeros()) };
        let told = |log_density: fn(Point) -> f64| modes(&Untold(info.clone(), log_density));
        let pole = told(|at| -0.9 * libm::log((at.x - 1.0).abs()) - at.norm_squared());
        assert_eq!(pole, ["no isolated modes", "1 pole, where the density grows without bound"]);
        assert_eq!(told(|at| -(at.x - 1.0).abs() - at.y.abs()), ["1 mode"]);
        assert_eq!(told(|at| -0.5e14 * (at.x - 1.0).powi(2) - at.y.abs()), ["1 mode"]);
    }

    #[test]
    fn where_nothing_is_known_there_is_a_reason() {
        let view = Bounds::new((-4.0, 4.0), (-4.0, 4.0));
        let info = TargetInfo::unknown(["x", "y"], view, Point::zeros());
        let in_words = |info| in_words(&Target::plane(Arc::new(Untold(info, gaussian))));
        assert_eq!(in_words(info.clone()), "not known: its normaliser is not known");
        let told_why = TargetInfo { unknown: Some("two rules\nof quadrature disagree".to_owned()), ..info };
        assert_eq!(in_words(told_why), "not known: two rules\\nof quadrature disagree");
        assert_eq!(told("kind = \"network\""), "none: the target has no density in the plane");
    }
}
