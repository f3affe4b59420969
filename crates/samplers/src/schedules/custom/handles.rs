//! Handles of the custom schedule: one on every knot.

use super::super::handle::{Course, HandleSpec, Moves, Spot, three_digits};
use super::DEFAULT_ENDS;
use crate::schedules::MAX_STEPS;
use base::params::Value;

pub(super) const HANDLES: [HandleSpec; 1] = [HandleSpec {
    key: "knots",
    symbol: "α",
    moves: Moves::Both,
    count: |course| knots(course).len(),
    spot: |course, index| {
        let [step, value] = knots(course).get(index).copied()?;
        Some(Spot { step, alpha: value * course.unit() })
    },
    value: moved,
    added: Some(added),
    removed: Some(removed),
}];

/// The most knots that are added by hand.
const MOST: usize = 64;

/// The knots, also those that a schedule without knots has.
fn knots(course: &Course) -> Vec<[f64; 2]> {
    if course.settings.get("knots").is_some() {
        return course.settings.points("knots").to_vec();
    }
    vec![[1.0, DEFAULT_ENDS.0], [course.steps.max(2) as f64, DEFAULT_ENDS.1]]
}

/// A knot stays between its neighbours, at a whole step.
fn moved(course: &Course, index: usize, to: Spot) -> Option<Value> {
    let mut knots = knots(course);
    let before = index.checked_sub(1).map_or(0.0, |before| knots[before][0]);
    let after = knots.get(index + 1).map_or(MAX_STEPS + 1.0, |knot| knot[0]);
    let [step, value] = knots.get_mut(index)?;
    if to.alpha > 0.0 {
        *value = three_digits(to.alpha / course.unit());
    }
    let wanted = to.step.round().min(after - 1.0).max(before + 1.0);
    if wanted < after {
        *step = wanted;
    }
    Some(Value::Points(knots))
}

fn added(course: &Course, spot: Spot) -> Option<Value> {
    let mut knots = knots(course);
    let step = spot.step.round().max(1.0);
    let index = knots.partition_point(|knot| knot[0] < step);
    let free = knots.get(index).is_none_or(|knot| knot[0] > step);
    if !free || knots.len() >= MOST || spot.alpha <= 0.0 {
        return None;
    }
    knots.insert(index, [step, three_digits(spot.alpha / course.unit())]);
    Some(Value::Points(knots))
}

/// The last knot stays.
fn removed(course: &Course, index: usize) -> Option<Value> {
    let mut knots = knots(course);
    if knots.len() < 2 || index >= knots.len() {
        return None;
    }
    knots.remove(index);
    Some(Value::Points(knots))
}
