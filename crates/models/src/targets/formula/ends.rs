//! What lies at the ends of an integral: tails that go on beyond its reach, beyond the largest numbers, or that are lost in rounding.

use super::adaptive::{Integrand, Integrated, Panel, nodes};
use super::field::sinh_cosh;
use super::plane::Plane;

/// Logarithms of distances from the end of a support between which there are numbers, and none beyond [`FARTHEST`](super::FARTHEST).
const LOG_FAR: [f64; 2] = [-590.0, 160.0];

/// Distances from the centre, in widths there, from which on a density that is suddenly 0 is lost in rounding, and the share of such a
/// distance from which on moments are looked at.
const LOST: f64 = 1e5;
const BEFORE: f64 = 0.5;

/// Shares of the reach, or of the logarithm of the last number, between which so much of a mass is left at least, if it goes on.
const WITHIN: [f64; 2] = [0.5, 0.9];
const FALLS: f64 = 0.9;

/// The power of the distance with which a tail falls at most that may go on.
const STEEPEST: f64 = 8.0;

impl Plane<'_> {
    /// Shares of mass, first and second moments that lie at the ends: those on the lines are in the sums from the eighth on.
    pub(super) fn at_ends(&self, found: &Integrated) -> [f64; 5] {
        let axis = self.order[0];
        let lost = self.lost(found);
        let is_lost = |part: &Panel| [part.from, part.to].iter().any(|t| !(lost[0]..=lost[1]).contains(&self.away(*t)));
        let mut shares: [f64; 5] = std::array::from_fn(|index| found.sums[8 + index]);
        for part in &found.parts {
            let of_moments = self.is_end(axis, part) || is_lost(part);
            for (share, index) in shares.iter_mut().zip([0, 1, 2, 3, 5]) {
                let counts = if index == 0 { self.is_at_reach(axis, part) } else { of_moments };
                *share += if counts { part.sums[index].abs() } else { 0.0 };
            }
        }
        for (share, index) in shares.iter_mut().zip([0, 1, 2, 3, 5]) {
            // First moments may cancel, also where there are none: they are compared with a width at the centre.
            let size = found.sums[if matches!(index, 1 | 2) { 0 } else { index }];
            *share = if *share > 0.0 { *share / size } else { 0.0 };
        }
        shares
    }

    /// Whether mass goes on to the end of the reach or of numbers, however small it is: that of 1/(1 + |x|) is the same in every part of t,
    /// and that of 1/x, on x > 0, in every part of ln x.
    pub(super) fn goes_on(&self) -> bool {
        let axis = self.order[0];
        let is_log = !self.field.coordinates.is_identity_along(axis);
        (0..2).any(|side| {
            let t_of = |share: f64| {
                let z = share * LOG_FAR[side];
                if is_log { self.field.t(axis, z) } else { [-share, share][side] * self.reach }
            };
            let mass = |share: f64| {
                let t = t_of(share);
                self.values(&[t])[0] / if is_log { sinh_cosh(t)[1] } else { 1.0 }
            };
            let [before, end] = WITHIN.map(mass);
            end > FALLS * before
        })
    }

    /// The distance from the centre along the first axis, in widths there.
    fn away(&self, t: f64) -> f64 {
        let axis = self.order[0];
        (self.field.theta(axis, t) - self.field.theta(axis, 0.0)) / self.unit(axis)
    }

    /// Distances on both sides beyond which moments are not known: before points far out from which on the density is 0, though it has
    /// fallen no faster than a power up to there. A difference of large numbers, such as ln(1 + 1/x²), is lost in rounding there, and its
    /// tail may go on.
    fn lost(&self, found: &Integrated) -> [f64; 2] {
        let of_part = |part: &Panel| nodes(part.from, part.to).map(|t| (self.away(t), sinh_cosh(t)[1]));
        let of_parts = found.parts.iter().flat_map(|part| of_part(part).into_iter().zip(part.mass));
        let all: Vec<(f64, f64)> = of_parts.map(|((away, stretch), mass)| (away, mass / stretch)).collect();
        [-1.0, 1.0].map(|side| {
            let beyond = |least: f64| {
                let there = all.iter().filter(move |(away, _)| side * away <= least);
                there.max_by(|one, other| (side * one.0).total_cmp(&(side * other.0)))
            };
            let positive = all.iter().filter(|(away, density)| side * away > LOST && *density > 0.0);
            let last = positive.max_by(|one, other| (side * one.0).total_cmp(&(side * other.0)));
            let Some(&(end, density)) = last else { return side * f64::INFINITY };
            let is_slow = beyond(BEFORE * side * end).is_some_and(|(away, before)| {
                *before > 0.0 && density > before * libm::pow((away / end).abs(), STEEPEST)
            });
            if is_slow { BEFORE * end } else { side * f64::INFINITY }
        })
    }

    /// Whether a part is at an end of the reach, or so far out that there are hardly larger numbers.
    pub(super) fn is_end(&self, axis: usize, part: &Panel) -> bool {
        self.is_far(axis, part) || self.is_at_reach(axis, part)
    }

    /// Whether it is at an end of the reach, and there are numbers beyond.
    pub(super) fn is_at_reach(&self, axis: usize, part: &Panel) -> bool {
        (part.from < 1e-6 - self.reach || part.to > self.reach - 1e-6) && !self.is_far(axis, part)
    }

    /// Where there are hardly larger or smaller numbers, in t, beyond the ends of the reach or not.
    pub(super) fn last_numbers(&self, axis: usize) -> [f64; 2] {
        if self.field.coordinates.is_identity_along(axis) {
            return [-1.0, 1.0].map(|side| side * f64::INFINITY);
        }
        LOG_FAR.map(|z| self.field.t(axis, z))
    }

    fn is_far(&self, axis: usize, part: &Panel) -> bool {
        let is_far = |t: &f64| !(LOG_FAR[0]..LOG_FAR[1]).contains(&self.field.z(axis, *t));
        !self.field.coordinates.is_identity_along(axis) && [part.from, part.to].iter().any(is_far)
    }

    /// The share of the mass along the first axis that is so far out that as much may lie beyond the largest and least numbers.
    pub(super) fn cut(&self, found: &Integrated) -> f64 {
        let axis = self.order[0];
        found.parts.iter().filter(|part| self.is_far(axis, part)).map(|part| part.sums[0]).sum::<f64>() / found.sums[0]
    }
}
