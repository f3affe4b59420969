//! Integrals of a density: adaptive along one axis, of what is adaptive along the other (`adaptive.rs`).
//!
//! Kinks, edges and ridges that are slanted or bent cross a line in points, and along a line points are found by halving. What the
//! line integrals are as a function of their position is smooth but for few positions, which are found in the same way. So
//! it does not matter how a density lies in the plane. Upper bounds over boxes confirm that nothing lies between the nodes.

use rayon::prelude::*;

use super::adaptive::{Care, Integrated, Panel, integrate, nodes};
use super::field::{Field, sinh_cosh};
use super::line::FLOOR;
use super::plane::Plane;
use crate::targets::kit::poles::AXES;
use base::math::{Bounds, Matrix, Point};

/// The reach in t: sinh is 5 · 10¹² there.
const REACH: f64 = 30.0;

/// The same for heavy tails: 6 · 10⁵¹.
const FAR_REACH: f64 = 120.0;

/// A share at the ends that asks for the far reach.
const BEYOND: f64 = 1e-11;

/// The largest share of an integral that may lie in parts at the ends.
const AT_EDGE: f64 = 1e-7;

/// The largest sum of errors, as a share of the whole, of a result, and the largest share that bounds may not exclude.
pub(super) const MOST_ERROR: f64 = 1e-6;

/// The largest error of a moment, as a share of it: where tails are lost in rounding, no rule converges.
const MOMENT_ERROR: f64 = 1e-4;

/// Errors of a part, as shares of the whole, that are small enough: of a density on the line, of line integrals, and of a check.
const SHARES: [f64; 3] = [1e-12, 1e-10, 1e-8];

/// Mass that may be missed, as shares of the whole: on the line, and of line integrals.
const MISSED: [f64; 2] = [1e-9, 1e-8];

/// Parts at most, likewise.
const MOST_PARTS: [usize; 2] = [240, 600];

/// Instructions of a formula from which on there are fewer parts, and fewest parts.
const LONG: usize = 300;
const FEWEST_PARTS: usize = 60;

/// Bounds and parts of lines at most, about, in all.
pub(super) const EFFORT: usize = 700_000;

/// What integration finds.
#[derive(Clone, Debug)]
pub(super) struct Integrals {
    /// log ∫p.
    pub(super) log_normaliser: f64,
    /// Mean of θ; NaN along an axis with tails that are too heavy for it.
    pub(super) mean: Point,
    /// Covariance of θ; NaN where the tails along one of both axes are too heavy for it.
    pub(super) covariance: Matrix,
    /// The sum of all estimates of errors, as a share of the whole.
    pub(super) error: f64,
    /// The mass that bounds do not exclude, as a share of the whole.
    pub(super) hidden: f64,
    /// How far integrals reach.
    pub(super) reach: f64,
    /// The share of the mass beyond which there are no numbers for as much.
    pub(super) cut: f64,
    /// A share too large for an integral lies at the ends.
    pub(super) improper: bool,
    /// Along the first axis of the order: θ, density and mass of nodes.
    pub(super) marginal: Vec<[f64; 3]>,
    /// Where the density is not low, in θ, if axes are turned.
    pub(super) extent: Option<Bounds>,
    /// High points in z, one a part.
    pub(super) tops: Vec<Point>,
}

/// A high point of the density, with its width along each axis, in w.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) at: Point,
    pub(super) width: Point,
}

impl Integrals {
    /// Whether heavy tails were followed.
    pub(super) fn is_far(&self) -> bool {
        self.reach > REACH
    }
}

/// The integrals; `order` has the axis of lines' positions first, then that along the lines. Those with positions along y are a check
/// of the others.
pub(super) fn integrals(field: &Field<'_>, seeds: &[Seed], order: [usize; 2]) -> Integrals {
    let plane = |reach| {
        let mut plane = Plane::new(field, seeds, reach);
        (plane.order, plane.is_check) = (order, order[0] > 0);
        plane
    };
    let near = plane(REACH);
    let found = near.integrated();
    if found.1.iter().all(|share| *share <= BEYOND) {
        return near.finished(&found);
    }
    let far = plane(FAR_REACH);
    far.finished(&far.integrated())
}

impl Plane<'_> {
    /// The integrals, and the shares at the ends.
    fn integrated(&self) -> (Integrated, [f64; 5]) {
        let is_line = self.field.is_line();
        let level = usize::from(!is_line);
        let care = Care {
            controlled: &[(0, 100.0 * FLOOR), (3, 100.0 * FLOOR), (5, 100.0 * FLOOR)],
            share: SHARES[level + usize::from(self.is_check)],
            noise: Some(6),
            most: self.most(MOST_PARTS[level]),
            missed: [FLOOR, if self.is_check { f64::INFINITY } else { MISSED[level] }],
            cuts: 6,
            patience: 200,
            slow: !is_line,
            effort: EFFORT,
        };
        let found = integrate(self, &self.breaks(), care);
        let shares = self.at_ends(&found);
        (found, shares)
    }

    /// Parts at most, fewer of a long formula.
    fn most(&self, parts: usize) -> usize {
        let instructions = self.field.density.density.instructions()[0].max(LONG);
        (parts * LONG / instructions).max(FEWEST_PARTS)
    }

    fn finished(&self, (found, ends): &(Integrated, [f64; 5])) -> Integrals {
        let field = self.field;
        let sums = &found.sums;
        let (mass, cut) = (sums[0], self.cut(found));
        let [along, across] = self.order;
        let unit = [0, 1].map(|axis| self.unit(axis));
        // A moment is known if little of it lies at the ends, and if the second moment along its axis converges or has tails that are
        // too heavy: a mean that does not exist may cancel.
        let known = |end: usize, index: usize| {
            let (square_end, square) = if matches!(index, 1 | 3) { (3, 3) } else { (4, 5) };
            let converges = found.errors[square] <= MOMENT_ERROR * sums[square] || ends[square_end] > AT_EDGE;
            if ends[end] <= AT_EDGE && converges { sums[index] } else { f64::NAN }
        };
        let shift = [known(1, 1) / mass, known(2, 2) / mass];
        let squares = [known(3, 3) / mass - shift[0] * shift[0], known(4, 5) / mass - shift[1] * shift[1]];
        let cross = if (squares[0] + squares[1]).is_nan() { f64::NAN } else { sums[4] / mass - shift[0] * shift[1] };
        let mut mean = field.coordinates.to_theta(field.centre);
        let mut covariance = Matrix::zeros();
        for (axis, (shift, square)) in self.order.into_iter().zip(shift.into_iter().zip(squares)) {
            mean[axis] += shift * unit[axis];
            covariance[(axis, axis)] = square * unit[axis] * unit[axis];
        }
        if field.is_line() {
            (mean.y, covariance.m22) = (0.0, 0.0);
        } else {
            covariance[(along, across)] = cross * unit[0] * unit[1];
            covariance[(across, along)] = covariance[(along, across)];
        }
        if field.is_turned() {
            mean = field.turn * mean;
            covariance = field.turn * covariance * field.turn.transpose();
        }
        Integrals {
            log_normaliser: field.log_normaliser(mass),
            mean,
            covariance,
            error: (found.errors[0] + sums[6]) / mass + cut,
            cut,
            hidden: (found.hidden + sums[7]) / mass,
            reach: self.reach,
            improper: !(mass > 0.0 && mass.is_finite() && ends[0] <= AT_EDGE) || self.goes_on(),
            marginal: self.marginal(found),
            extent: field.is_turned().then(|| self.extent(found)),
            tops: self.tops(found),
        }
    }

    /// A high point of every part with mass.
    fn tops(&self, found: &Integrated) -> Vec<Point> {
        let is_relevant = |part: &&Panel| part.sums[0] > 1e-9 * found.sums[0];
        let parts: Vec<_> = found.parts.iter().filter(is_relevant).collect();
        let top = |part: &&Panel| {
            let masses = nodes(part.from, part.to).into_iter().zip(part.mass);
            let (t, _) = masses.max_by(|one, other| one.1.total_cmp(&other.1))?;
            let mut at = AXES[self.order[0]] * self.field.z(self.order[0], t);
            if !self.field.is_line() {
                let all = self.measured(t).parts;
                let masses = all.iter().flat_map(|part| nodes(part.from, part.to).into_iter().zip(part.mass));
                let stretched = masses.map(|(t, mass)| (t, mass / sinh_cosh(t)[1]));
                let (t, _) = stretched.max_by(|one, other| one.1.total_cmp(&other.1))?;
                at[self.order[1]] = self.field.z(self.order[1], t);
            }
            Some(self.field.turn * at)
        };
        parts.par_iter().filter_map(top).collect()
    }
}
