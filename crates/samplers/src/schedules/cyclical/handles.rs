//! Handles of the cyclical schedule: α₀ at the start of a cycle, the number of cycles at its end, β or D in the next one, and the minimum
//! at the end of one. Cycles that differ have no handle for their number.

use super::super::handle::{Course, HandleSpec, Moves, Spot, three_digits};
use super::uneven::{OneCycle, Uneven};
use super::{Exploration, in_whole_steps, is_uneven};
use base::params::Value;

/// α₀, the number of cycles, the length of the exploration stage in one of its two forms, and the minimum.
pub(super) const HANDLES: [HandleSpec; 5] = [
    HandleSpec::single("initial", "α₀", Moves::Up, initial_spot, initial_value),
    HandleSpec::single("cycles", "cycles", Moves::Along, cycles_spot, cycles_value),
    HandleSpec::single("exploration", "β", Moves::Along, share_spot, share_value),
    HandleSpec::single("exploration_steps", "D", Moves::Along, steps_spot, steps_value),
    HandleSpec::single("minimum", "minimum α", Moves::Up, minimum_spot, minimum_value),
];

/// The cycles that differ from each other, with the number of the first one under these settings.
fn uneven(course: &Course) -> Option<(Uneven, usize)> {
    let schedule = is_uneven(&course.settings)
        .then(|| Uneven::of(&course.settings, course.steps, Exploration::Fraction(0.0)).ok())
        .flatten()?;
    let number = schedule.first_from(course.from)?;
    Some((schedule, number))
}

/// Steps of a cycle, of equal ones.
fn length(course: &Course) -> f64 {
    if let Some(length) = course.settings.optional_count("cycle_steps") {
        return length.max(1) as f64;
    }
    let cycles = course.settings.count("cycles").max(1);
    if in_whole_steps(&course.settings) {
        course.steps.div_ceil(cycles) as f64
    } else {
        course.steps as f64 / cycles as f64
    }
}

/// Steps before the first cycle that begins under these settings, of equal ones.
fn begin(course: &Course) -> f64 {
    (course.from as f64 / length(course)).ceil() * length(course)
}

fn initial_spot(course: &Course, _: usize) -> Option<Spot> {
    if is_uneven(&course.settings) {
        let (schedule, number) = uneven(course)?;
        let OneCycle { start, peak, .. } = schedule.cycle_at(number);
        return (peak > schedule.minimum()).then_some(Spot { step: start + 1.0, alpha: peak });
    }
    Some(Spot { step: begin(course) + 1.0, alpha: course.alpha("initial") })
}

fn initial_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    if is_uneven(&course.settings) {
        let (schedule, number) = uneven(course)?;
        return course.number((to.alpha / schedule.share_of_peak(number)).max(schedule.minimum()));
    }
    course.number(to.alpha)
}

/// The last step of the first cycle under these settings, and the share of the way from the minimum to the peak that it keeps.
fn last_step(course: &Course) -> Option<(f64, f64, OneCycle)> {
    let (schedule, number) = uneven(course)?;
    let cycle = schedule.cycle_at(number);
    let step = (cycle.start + cycle.length).ceil().min(course.steps as f64);
    Some((step, 0.5 * falling((step - 1.0 - cycle.start) / cycle.length), cycle))
}

fn minimum_spot(course: &Course, _: usize) -> Option<Spot> {
    course.settings.optional_number("minimum")?;
    let minimum = course.alpha("minimum");
    let (step, kept, OneCycle { peak, .. }) = last_step(course)?;
    (peak > minimum).then_some(Spot { step, alpha: minimum + kept * (peak - minimum) })
}

fn minimum_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let (_, kept, OneCycle { peak, .. }) = last_step(course)?;
    course.number(((to.alpha - kept * peak) / (1.0 - kept)).min(course.alpha("initial")))
}

/// cos(π `phase`) + 1.
fn falling(phase: f64) -> f64 {
    libm::cos(std::f64::consts::PI * phase.min(1.0)) + 1.0
}

/// Cycles up to the end of the one that the next step belongs to.
fn ended(course: &Course) -> f64 {
    (course.from as f64 / length(course)).floor() + 1.0
}

/// Half-way up the jump at the end of that cycle.
fn cycles_spot(course: &Course, _: usize) -> Option<Spot> {
    if is_uneven(&course.settings) || course.settings.get("cycle_steps").is_some() {
        return None;
    }
    let (end, steps) = (ended(course) * length(course), course.steps as f64);
    // A cycle that is cut short does not tell its length.
    (end < steps + 0.5).then(|| Spot { step: end.min(steps), alpha: 0.5 * course.alpha("initial") })
}

fn cycles_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let steps = course.steps as f64;
    let wanted = (to.step / ended(course)).clamp(1.0, steps);
    let cycles = if in_whole_steps(&course.settings) {
        let wanted = wanted.round();
        // Several numbers of cycles can have the same length: the present one stays.
        if (wanted - length(course)).abs() < 0.5 { course.settings.number("cycles") } else { (steps / wanted).ceil() }
    } else {
        (steps / wanted).round()
    };
    Some(Value::Number(cycles.clamp(1.0, steps)))
}

/// The cycle in which the exploration stage has its handle: of equal ones the second, where it is apart from the others.
fn explored(course: &Course) -> Option<(OneCycle, f64)> {
    if is_uneven(&course.settings) {
        let (schedule, number) = uneven(course)?;
        return Some((schedule.cycle_at(number), schedule.minimum()));
    }
    let (begin, length) = (begin(course), length(course));
    let start = if begin + 2.0 * length <= course.steps as f64 { begin + length } else { begin };
    Some((OneCycle { start, length, peak: course.alpha("initial") }, 0.0))
}

/// The point of the curve so many cycles, and steps, after the start of that cycle.
fn after(course: &Course, share: f64, steps: f64) -> Option<Spot> {
    let (OneCycle { start, length, peak }, minimum) = explored(course)?;
    let steps = share * length + steps;
    Some(Spot { step: start + steps + 1.0, alpha: minimum + 0.5 * (peak - minimum) * falling(steps / length) })
}

fn share_spot(course: &Course, _: usize) -> Option<Spot> {
    let share = course.settings.number("exploration");
    if course.settings.get("exploration_steps").is_some() { None } else { after(course, share, 0.0) }
}

fn share_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let (OneCycle { start, length, .. }, _) = explored(course)?;
    let share = (to.step - 1.0 - start) / length;
    // The last step of a cycle samples.
    let most = (1000.0 * (1.0 - 1.0 / length)).floor() / 1000.0;
    Some(Value::Number(three_digits(share).clamp(0.0, most.max(0.0))))
}

fn steps_spot(course: &Course, _: usize) -> Option<Spot> {
    let steps = course.settings.optional_count("exploration_steps")?;
    after(course, 0.0, steps as f64)
}

fn steps_value(course: &Course, _: usize, to: Spot) -> Option<Value> {
    let (OneCycle { start, length, .. }, _) = explored(course)?;
    let steps = (to.step - 1.0 - start).round();
    let most = (length.ceil() - 1.0).max(0.0);
    Some(Value::Number(three_digits(steps).clamp(0.0, most)))
}
