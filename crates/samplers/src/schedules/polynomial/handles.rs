//! Handles of the polynomial schedule, in either form: a, b and γ, or the first and the last step size and γ; and the
//! number of constant steps.

use super::super::handle::{Course, HandleSpec, Moves, Spot, three_digits};
use base::params::Value;

pub(super) const HANDLES: [HandleSpec; 7] = [
    HandleSpec::single("a", "a", Moves::Up, scale_spot, scale_value),
    HandleSpec::single("first", "α₀", Moves::Up, first_spot, |course, _, to| course.number(to.alpha)),
    HandleSpec::single("hold", "constant steps", Moves::Along, hold_spot, hold_value),
    HandleSpec::single("b", "b", Moves::Along, offset_spot, offset_value),
    HandleSpec::single("gamma", "γ", Moves::Up, end_spot, end_value),
    HandleSpec::single("gamma", "γ", Moves::Up, middle_spot, middle_value),
    HandleSpec::single("last", "last α", Moves::Up, last_spot, last_value),
];

/// Exponents that a handle can reach.
const EXPONENTS: (f64, f64) = (0.01, 100.0);

fn by_ends(course: &Course) -> bool {
    course.settings.get("first").is_some()
}

fn hold(course: &Course) -> f64 {
    course.settings.number("hold")
}

fn gamma(course: &Course) -> f64 {
    course.settings.number("gamma")
}

/// b + t at a step, where t counts from the first decreasing step and is at least 1.
fn base(course: &Course, step: f64) -> f64 {
    course.settings.number("b") + (step - hold(course)).max(1.0)
}

/// The point of the curve a (b + t)^−γ at a step.
fn on_curve(course: &Course, step: f64) -> Option<Spot> {
    let alpha = course.alpha("a") * libm::pow(base(course, step), -gamma(course));
    (!by_ends(course)).then_some(Spot { step, alpha })
}

fn scale_spot(course: &Course, _: usize) -> Option<Spot> {
    on_curve(course, course.first())
}

fn scale_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    course.number(to.alpha * libm::pow(base(course, course.first()), gamma(course)))
}

/// Steps with the first step size of end points.
fn held(course: &Course) -> f64 {
    hold(course).max(1.0)
}

/// The first step size belongs to the first step, and to all constant steps.
fn first_spot(course: &Course, _: usize) -> Option<Spot> {
    (by_ends(course) && course.from as f64 <= held(course))
        .then(|| Spot { step: (course.from as f64).max(1.0), alpha: course.alpha("first") })
}

fn hold_spot(course: &Course, _: usize) -> Option<Spot> {
    let step = hold(course);
    if by_ends(course) { Some(Spot { step, alpha: course.alpha("first") }) } else { on_curve(course, step) }
}

fn hold_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let most = (course.steps - 1) as f64;
    Some(Value::Number(three_digits(to.step.round()).clamp(0.0, most)))
}

/// b steps after the decrease has begun; with b below 1 there is nothing to see.
fn offset_spot(course: &Course, _: usize) -> Option<Spot> {
    let offset = course.settings.number("b");
    if offset >= 1.0 { on_curve(course, hold(course) + offset) } else { None }
}

fn offset_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    Some(Value::Number(three_digits((to.step - hold(course)).max(0.0))))
}

/// At the end of the run.
fn end_spot(course: &Course, _: usize) -> Option<Spot> {
    let end = course.steps as f64;
    if base(course, end) > 1.0 { on_curve(course, end) } else { None }
}

fn end_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let gamma = libm::log(course.alpha("a") / to.alpha) / libm::log(base(course, course.steps as f64));
    exponent(gamma)
}

fn exponent(gamma: f64) -> Option<Value> {
    let gamma = gamma.clamp(EXPONENTS.0, EXPONENTS.1);
    gamma.is_finite().then(|| Value::Number(three_digits(gamma)))
}

/// The step size half-way between the end points, for an exponent.
fn middle(course: &Course, gamma: f64) -> f64 {
    let ratio = course.settings.number("first") / course.settings.number("last");
    let rise = 0.5 * (libm::pow(ratio, 1.0 / gamma) - 1.0);
    course.alpha("first") * libm::pow(1.0 + rise, -gamma)
}

fn middle_spot(course: &Course, _: usize) -> Option<Spot> {
    let step = 0.5 * (held(course) + course.steps as f64);
    by_ends(course).then(|| Spot { step, alpha: middle(course, gamma(course)) })
}

/// The curve rises with the exponent, from one that falls at once to a straight line on a logarithmic axis.
fn middle_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    /// Halvings: more than the bits of a number.
    const HALVINGS: usize = 60;
    let (mut low, mut high) = EXPONENTS;
    for _ in 0..HALVINGS {
        let between = (low * high).sqrt();
        let alpha = middle(course, between);
        // With a small exponent the power overflows and the step size is 0.
        if alpha < to.alpha || !alpha.is_finite() { low = between } else { high = between }
    }
    exponent((low * high).sqrt())
}

fn last_spot(course: &Course, _: usize) -> Option<Spot> {
    by_ends(course).then(|| Spot { step: course.steps as f64, alpha: course.alpha("last") })
}

fn last_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    course.number(to.alpha)
}
