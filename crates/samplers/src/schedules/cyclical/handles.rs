//! Handles of the cyclical schedule: α₀ at the start of a cycle, the number of cycles at its end, β or D in the next one.

use super::super::handle::{Course, HandleSpec, Moves, Spot, three_digits};
use base::params::Value;

/// α₀, the number of cycles, and the length of the exploration stage in one of its two forms.
pub(super) const HANDLES: [HandleSpec; 4] = [
    HandleSpec::single("initial", "α₀", Moves::Up, initial_spot, |course, _, to| course.number(to.alpha)),
    HandleSpec::single("cycles", "cycles", Moves::Along, cycles_spot, cycles_value),
    HandleSpec::single("exploration", "β", Moves::Along, share_spot, share_value),
    HandleSpec::single("exploration_steps", "D", Moves::Along, steps_spot, steps_value),
];

/// Whether cycles are a whole number of steps.
fn whole(course: &Course) -> bool {
    course.settings.word("rounding") != "exact"
}

/// Steps of a cycle.
fn length(course: &Course) -> f64 {
    let cycles = course.settings.count("cycles").max(1);
    if whole(course) { course.steps.div_ceil(cycles) as f64 } else { course.steps as f64 / cycles as f64 }
}

/// Steps before the first cycle that begins under these settings.
fn begin(course: &Course) -> f64 {
    (course.from as f64 / length(course)).ceil() * length(course)
}

fn initial_spot(course: &Course, _: usize) -> Option<Spot> {
    Some(Spot { step: begin(course) + 1.0, alpha: course.alpha("initial") })
}

/// Cycles up to the end of the one that the next step belongs to.
fn ended(course: &Course) -> f64 {
    (course.from as f64 / length(course)).floor() + 1.0
}

/// Half-way up the jump at the end of that cycle.
fn cycles_spot(course: &Course, _: usize) -> Option<Spot> {
    let (end, steps) = (ended(course) * length(course), course.steps as f64);
    // A cycle that is cut short does not tell its length.
    (end < steps + 0.5).then(|| Spot { step: end.min(steps), alpha: 0.5 * course.alpha("initial") })
}

fn cycles_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let steps = course.steps as f64;
    let wanted = (to.step / ended(course)).clamp(1.0, steps);
    let cycles = if whole(course) {
        let wanted = wanted.round();
        // Several numbers of cycles can have the same length: the present one stays.
        if (wanted - length(course)).abs() < 0.5 { course.settings.number("cycles") } else { (steps / wanted).ceil() }
    } else {
        (steps / wanted).round()
    };
    Some(Value::Number(cycles.clamp(1.0, steps)))
}

/// Steps before the cycle in which the exploration stage has its handle: the second, where it is apart from the others.
fn explored(course: &Course) -> f64 {
    let (begin, length) = (begin(course), length(course));
    if begin + 2.0 * length <= course.steps as f64 { begin + length } else { begin }
}

/// The point of the curve so many steps after the start of that cycle.
fn after(course: &Course, steps: f64) -> Spot {
    let share = (steps / length(course)).min(1.0);
    let alpha = 0.5 * course.alpha("initial") * (libm::cos(std::f64::consts::PI * share) + 1.0);
    Spot { step: explored(course) + steps + 1.0, alpha }
}

fn share_spot(course: &Course, _: usize) -> Option<Spot> {
    let share = course.settings.number("exploration");
    course.settings.get("exploration_steps").is_none().then(|| after(course, share * length(course)))
}

fn share_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let length = length(course);
    let share = (to.step - 1.0 - explored(course)) / length;
    // The last step of a cycle samples.
    let most = (1000.0 * (1.0 - 1.0 / length)).floor() / 1000.0;
    Some(Value::Number(three_digits(share).clamp(0.0, most.max(0.0))))
}

fn steps_spot(course: &Course, _: usize) -> Option<Spot> {
    let steps = course.settings.optional_count("exploration_steps")?;
    Some(after(course, steps as f64))
}

fn steps_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let steps = (to.step - 1.0 - explored(course)).round();
    let most = (length(course).ceil() - 1.0).max(0.0);
    Some(Value::Number(three_digits(steps).clamp(0.0, most)))
}
