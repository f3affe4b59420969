//! How the numbers of a step are written.

use crate::words::numbers;
use base::math::Point;
use samplers::methods::{Algorithm, Phase, Stop};

/// Digits of numbers.
const DIGITS: usize = 4;

/// The term of a formula that is about a phase, or a word in its place.
pub(super) fn term(algorithm: &Algorithm, phase: Phase) -> &'static str {
    let of_phase = algorithm.formulas.iter().flatten().find(|piece| piece.phase == Some(phase));
    of_phase.map_or(phase.name(), |piece| piece.text)
}

/// Why a tree of NUTS grows no further.
#[must_use]
pub fn why_stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Turn => "the ends turn towards each other",
        Stop::TurnWithin => "the ends of a part of the newest subtree turn towards each other",
        Stop::Divergence => "the energy error is above 1000",
        Stop::Depth => "the tree has its largest depth",
    }
}

pub(super) fn point(at: Point, dimension: usize) -> String {
    if dimension == 1 { short(at.x) } else { format!("({}, {})", short(at.x), short(at.y)) }
}

pub(super) fn short(number: f64) -> String {
    numbers::significant(number, DIGITS)
}
