//! Arrows of a step: the parts of a step placed tip to tail, and their magnification when they are too small to be seen.

use crate::geometry::Part;
use base::math::Point;
use engine::session::StepParts;

/// Number of steps from which the typical size of a step is computed.
const RECENT: usize = 16;

/// A part of a step as an arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The part.
    pub part: Part,
    /// The tail of the arrow.
    pub from: Point,
    /// The tip of the arrow.
    pub to: Point,
}

/// The parts of a step, tip to tail from `from` on, in the order of [`Part::ALL`] and magnified `times`. Parts that are
/// zero are left out. The list ends before the first part that is not finite.
#[must_use]
pub fn tip_to_tail(from: Point, parts: [Point; 4], times: f64) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(parts.len());
    let mut at = from;
    for (part, displacement) in Part::ALL.into_iter().zip(parts) {
        let to = at + displacement * times;
        if !(to.x.is_finite() && to.y.is_finite()) {
            break;
        }
        if displacement != Point::zeros() {
            pieces.push(Piece { part, from: at, to });
        }
        at = to;
    }
    pieces
}

/// The position of `at` after a magnification by `times` about `centre`.
#[must_use]
pub fn enlarged(at: Point, centre: Point, times: f64) -> Point {
    centre + (at - centre) * times
}

/// Typical length of the largest part of a step: the root mean square over the last recorded steps. It changes little
/// from step to step, unlike the step itself.
#[must_use]
pub fn usual_length(parts: &[StepParts]) -> f64 {
    let recent = &parts[parts.len().saturating_sub(RECENT)..];
    let largest = |step: &StepParts| Part::ALL.map(|part| part.of(step).norm_squared()).into_iter().fold(0.0, f64::max);
    let squares = recent.iter().map(largest).filter(|square| square.is_finite());
    let (sum, count) = squares.fold((0.0, 0.0), |(sum, count), square| (sum + square, count + 1.0));
    f64::sqrt(sum / f64::max(count, 1.0))
}

/// Magnification of a step whose length on the screen is `length`: 1 if the step is at least `least` long, otherwise
/// the largest of 1, 2 or 5 times a power of ten with which the step is at most `wanted` long.
#[must_use]
pub fn magnification(length: f64, least: f64, wanted: f64) -> f64 {
    let most = wanted / length;
    if length >= least || most <= 1.0 || !most.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(most.log10().floor());
    let round = [5.0, 2.0, 1.0].into_iter().map(|factor| factor * power).find(|round| *round <= most * (1.0 + 1e-9));
    round.unwrap_or(1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn parts_are_placed_tip_to_tail_and_zeros_are_left_out() {
        let parts = [Point::zeros(), Point::new(1.0, 0.0), Point::zeros(), Point::new(0.0, -2.0)];
        let pieces = tip_to_tail(Point::new(3.0, 3.0), parts, 10.0);
        let drift = Piece { part: Part::Drift, from: Point::new(3.0, 3.0), to: Point::new(13.0, 3.0) };
        let injected = Piece { part: Part::InjectedNoise, from: drift.to, to: Point::new(13.0, -17.0) };
        assert_eq!(pieces, [drift, injected]);
        let lost = [parts[1], Point::new(f64::NAN, 0.0), parts[1], parts[1]];
        assert_eq!(tip_to_tail(Point::zeros(), lost, 1.0).len(), 1);
        assert_eq!(enlarged(Point::new(2.0, 1.0), Point::new(1.0, 1.0), 3.0), Point::new(4.0, 1.0));
    }

    #[test]
    fn factors_are_round_and_visible_steps_are_not_magnified() {
        let factor = |length| magnification(length, 20.0, 60.0);
        for (length, expected) in [(60.0, 1.0), (20.0, 1.0), (15.0, 2.0), (9.0, 5.0), (1.0, 50.0), (0.06, 1000.0)] {
            assert_relative_eq!(factor(length), expected, max_relative = 1e-12);
        }
        for length in [0.0, f64::NAN, f64::INFINITY] {
            assert_relative_eq!(factor(length), 1.0);
        }
    }

    #[test]
    fn the_typical_length_is_that_of_the_largest_part_of_the_last_steps() {
        let step = |drift: f64, noise: f64| StepParts {
            drift: Point::new(drift, 0.0),
            injected_noise: Point::new(0.0, noise),
            ..StepParts::default()
        };
        let steps: Vec<StepParts> = [step(100.0, 0.0)].into_iter().chain((0..16).map(|_| step(3.0, 4.0))).collect();
        assert_relative_eq!(usual_length(&steps), 4.0);
        assert!(usual_length(&[]) < 1e-300);
    }
}
