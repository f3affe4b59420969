//! Strokes drawn by hand over a plot of step sizes, turned into the knots of a curve.

use std::collections::BTreeMap;

use crate::geometry::simplified;

/// The most knots of a curve drawn by hand.
pub const MOST_KNOTS: usize = 64;

/// Digits of a step size.
const DIGITS: i32 = 3;

/// Tolerance tried first, in powers of ten of the step size; the length of the run counts as one.
const TOLERANCE: f64 = 0.01;

/// The curve through a stroke of points (step, step size) in the order in which they were drawn, for a run of `steps`
/// steps. Where the stroke turns back, the newest point of a step counts. Steps are whole numbers within the run and
/// increase; at most [`MOST_KNOTS`] knots stay. Knots of the curve `before` stay beside the stroke, as far as there is space.
#[must_use]
pub fn knots_of(stroke: &[[f64; 2]], before: &[[f64; 2]], steps: u64) -> Vec<[f64; 2]> {
    let last = steps.max(1) as f64;
    let legal = |point: &&[f64; 2]| point.iter().all(|number| number.is_finite()) && point[1] > 0.0;
    let mut newest = BTreeMap::new();
    for &[step, size] in stroke.iter().filter(legal) {
        let step = step.round().clamp(1.0, last);
        // Positive numbers have the same order as their bits.
        newest.insert(step.to_bits(), [step / last, size.log10()]);
    }
    let line: Vec<[f64; 2]> = newest.into_values().collect();
    let (Some(first), Some(end)) = (line.first(), line.last()) else { return before.to_vec() };
    let covered = first[0] * last - 0.5..end[0] * last + 0.5;
    let beside: Vec<[f64; 2]> = before.iter().copied().filter(|knot| !covered.contains(&knot[0])).collect();
    let most = MOST_KNOTS.saturating_sub(beside.len()).max(2);
    let mut tolerance = TOLERANCE;
    let mut kept = simplified(&line, tolerance);
    while kept.len() > most {
        tolerance *= 1.5;
        kept = simplified(&line, tolerance);
    }
    let drawn = kept.into_iter().map(|[share, power]| [(share * last).round(), rounded(10f64.powf(power))]);
    let mut knots: Vec<[f64; 2]> = drawn.chain(beside).collect();
    knots.sort_by(|one, other| one[0].total_cmp(&other[0]));
    knots.truncate(MOST_KNOTS);
    knots
}

/// A number in [`DIGITS`] digits.
fn rounded(value: f64) -> f64 {
    let power = 10f64.powi(DIGITS - 1 - exponent(value));
    let short = (value * power).round() / power;
    if short > 0.0 && short.is_finite() { short } else { value }
}

fn exponent(value: f64) -> i32 {
    value.log10().floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn increasing(knots: &[[f64; 2]]) -> bool {
        knots.windows(2).all(|pair| pair[0][0] < pair[1][0])
    }

    #[test]
    fn a_straight_stroke_on_a_logarithmic_axis_has_two_knots() {
        let stroke: Vec<[f64; 2]> =
            (0..200).map(|i| f64::from(i) / 199.0).map(|s| [1.0 + 999.0 * s, 10f64.powf(-1.0 - 2.0 * s)]).collect();
        assert_eq!(knots_of(&stroke, &[], 1000), [[1.0, 0.1], [1000.0, 0.001]]);
    }

    #[test]
    fn a_wild_stroke_has_at_most_64_knots_in_order_near_its_points() {
        let point = |i: u32| {
            let share = f64::from(i) / 4000.0;
            [5000.0 * share, 10f64.powf(-2.0 + (90.0 * share).sin() + 0.2 * (400.0 * share).sin())]
        };
        let stroke: Vec<[f64; 2]> = (0..=4000).map(point).collect();
        let knots = knots_of(&stroke, &[], 5000);
        assert!(knots.len() <= MOST_KNOTS && knots.len() > 30, "{}", knots.len());
        assert!(increasing(&knots));
        assert!(knots.iter().all(|knot| knot[0] >= 1.0 && knot[0].fract() == 0.0 && knot[1] > 0.0));
        let high = knots.iter().map(|knot| knot[1].log10()).fold(f64::MIN, f64::max);
        assert!((high + 0.8).abs() < 0.1, "the peaks stay: {high}");
    }

    #[test]
    fn where_a_stroke_turns_back_its_newest_points_count() {
        let stroke = [[10.0, 0.1], [50.0, 0.1], [90.0, 0.1], [50.0, 0.01], [49.0, 0.01]];
        let knots = knots_of(&stroke, &[], 100);
        assert!(increasing(&knots) && knots.contains(&[50.0, 0.01]), "{knots:?}");
    }

    #[test]
    fn knots_beside_the_stroke_stay() {
        let before = [[1.0, 0.5], [40.0, 0.4], [60.0, 0.3], [100.0, 0.2]];
        let knots = knots_of(&[[30.0, 0.1], [70.0, 0.1]], &before, 100);
        assert_eq!(knots, [[1.0, 0.5], [30.0, 0.1], [70.0, 0.1], [100.0, 0.2]]);
        assert_eq!(knots_of(&[], &before, 100), before);
        assert_eq!(knots_of(&[[f64::NAN, 0.1], [5.0, 0.0]], &before, 100), before);
    }
}
