//! Integrals of a density: adaptive along one axis, of what is adaptive along the other (`adaptive.rs`).
//!
//! Kinks, edges and ridges that are slanted or bent cross a line in points, and along a line points are found by halving. What the
//! line integrals are as a function of their place is smooth but for few places, which are found in the same way. So
//! it does not matter how a density lies in the plane. Upper bounds over boxes confirm that nothing lies between the nodes.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::adaptive::{Care, Integrand, Integrated, Part, integrate, nodes};
use super::field::{Field, mass, sinh_cosh};
use super::line::{FLOOR, Line, breaks};
use super::search::AXES;
use crate::math::{Bounds, Matrix, Point};

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

/// Boxes at most for a bound of a line integral.
const MOST_BOXES: usize = 200;

/// Bounds and parts of lines at most, about, in all.
pub(super) const EFFORT: usize = 700_000;

/// Seeds at most.
const MOST_SEEDS: usize = 64;

/// What line integrals are of: mass, first and second moments along and across, then error, hidden mass and what lies at the ends.
const SUMS: usize = 13;

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
    /// High places in z, one a part.
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

/// The integrals; `order` has the axis of lines' places first, then that along the lines. Those with places along y are a check
/// of the others.
pub(super) fn integrals(field: &Field<'_>, seeds: &[Seed], order: [usize; 2]) -> Integrals {
    let plane = |reach| Plane { order, is_check: order[0] > 0, ..Plane::new(field, seeds, reach) };
    let near = plane(REACH);
    let found = near.integrated();
    if found.1.iter().all(|share| *share <= BEYOND) {
        return near.finished(&found);
    }
    let far = plane(FAR_REACH);
    far.finished(&far.integrated())
}

/// Line integrals as a function of their place.
pub(super) struct Plane<'a> {
    pub(super) field: &'a Field<'a>,
    seeds: &'a [Seed],
    pub(super) order: [usize; 2],
    pub(super) reach: f64,
    /// Whether it is a check, with fewer digits and without bounds.
    is_check: bool,
    /// Bounds that were made, and parts of lines.
    effort: AtomicUsize,
}

impl<'a> Plane<'a> {
    /// With lines along y, that reach as far as the tails ask for.
    pub(super) fn new(field: &'a Field<'a>, seeds: &'a [Seed], reach: f64) -> Self {
        let seeds = &seeds[..seeds.len().min(MOST_SEEDS)];
        Self { field, seeds, order: [0, 1], reach, is_check: false, effort: AtomicUsize::new(0) }
    }
}

impl Plane<'_> {
    /// The parts of the line at t, some of which end at these θ.
    pub(super) fn parts(&self, at: f64, ends: &[f64]) -> Vec<Part> {
        let field = self.field;
        let mut line = self.line(at);
        let across = self.order[1];
        let in_t = |end: &f64| field.t(across, field.coordinates.from_theta(AXES[across] * *end)[across]);
        line.breaks.extend(ends.iter().map(in_t).filter(|t| t.abs() < self.reach));
        line.breaks.sort_by(f64::total_cmp);
        line.sums([0.0, f64::INFINITY]).parts
    }

    /// The density of t at a point of the line, of a density on the line.
    pub(super) fn mass(&self, at: f64) -> f64 {
        let heights = self.field.heights(&[Point::new(self.field.z(0, at), 0.0)]);
        mass(heights.first().copied().unwrap_or(f64::NEG_INFINITY), sinh_cosh(at)[1])
    }

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
            improper: !(mass > 0.0 && mass.is_finite() && ends[0] <= AT_EDGE),
            marginal: self.marginal(found),
            extent: field.is_turned().then(|| self.extent(found)),
            tops: self.tops(found),
        }
    }

    /// A high place of every part with mass.
    fn tops(&self, found: &Integrated) -> Vec<Point> {
        let is_relevant = |part: &&Part| part.sums[0] > 1e-9 * found.sums[0];
        let parts: Vec<_> = found.parts.iter().filter(is_relevant).collect();
        let top = |part: &&Part| {
            let places = nodes(part.from, part.to).into_iter().zip(part.mass);
            let (t, _) = places.max_by(|one, other| one.1.total_cmp(&other.1))?;
            let mut at = AXES[self.order[0]] * self.field.z(self.order[0], t);
            if !self.field.is_line() {
                let line = self.line(t);
                let all = line.integrated().parts;
                let places = all.iter().flat_map(|part| nodes(part.from, part.to).into_iter().zip(part.mass));
                let stretched = places.map(|(t, mass)| (t, mass / sinh_cosh(t)[1]));
                let (t, _) = stretched.max_by(|one, other| one.1.total_cmp(&other.1))?;
                at[self.order[1]] = self.field.z(self.order[1], t);
            }
            Some(self.field.turn * at)
        };
        parts.par_iter().filter_map(top).collect()
    }

    /// The θ of a width at the centre.
    pub(super) fn unit(&self, axis: usize) -> f64 {
        let unit = (self.field.theta(axis, 1.0) - self.field.theta(axis, 0.0)).abs();
        if unit > 0.0 { unit } else { 1.0 }
    }

    pub(super) fn line(&self, at: f64) -> Line<'_> {
        let [along, across] = self.order;
        let z = self.field.z(along, at);
        let is_near = |seed: &&Seed| (seed.at[along] - z).abs() <= 12.0 * seed.width[along];
        let near = self.seeds.iter().filter(is_near);
        let ends = near.flat_map(|seed| [-1.0, 1.0].map(|side| seed.at[across] + side * seed.width[across]));
        let breaks = breaks(self.reach, ends.map(|z| self.field.t(across, z)));
        let [sinh, stretch] = sinh_cosh(at);
        Line {
            field: self.field,
            order: self.order,
            at,
            z,
            stretch,
            far: 1.0 + sinh * sinh,
            breaks,
            unit: self.unit(across),
            is_check: self.is_check,
            effort: &self.effort,
        }
    }

    /// Places between which the first parts lie.
    pub(super) fn breaks(&self) -> Vec<f64> {
        let axis = self.order[0];
        let ends = self.seeds.iter().flat_map(|seed| [-1.0, 1.0].map(|side| seed.at[axis] + side * seed.width[axis]));
        breaks(self.reach, ends.map(|z| self.field.t(axis, z)))
    }
}

impl Integrand for Plane<'_> {
    fn count(&self) -> usize {
        SUMS
    }

    fn values(&self, at: &[f64]) -> Vec<f64> {
        let field = self.field;
        let along = self.order[0];
        let (from, unit) = (field.theta(along, 0.0), self.unit(along));
        let away = |t: f64| (field.theta(along, t) - from) / unit;
        if field.is_line() {
            let z: Vec<Point> = at.iter().map(|t| Point::new(field.z(0, *t), 0.0)).collect();
            let heights = field.heights(&z);
            let value = |(t, height): (&f64, f64)| {
                let (mass, x) = (mass(height, sinh_cosh(*t)[1]), away(*t));
                let mut sums = [0.0; SUMS];
                (sums[0], sums[1], sums[3]) = (mass, mass * x, mass * x * x);
                sums
            };
            return at.iter().zip(heights).flat_map(value).collect();
        }
        let value = |t: &f64| {
            let line = self.line(*t);
            let found = line.integrated();
            self.effort.fetch_add(found.parts.len(), Ordering::Relaxed);
            let (x, [mass, y, yy]) = (away(*t), [found.sums[0], found.sums[1], found.sums[2]]);
            let mut ends = [0.0; 3];
            for part in found.parts.iter().filter(|part| self.is_end(self.order[1], part)) {
                ends.iter_mut().zip(&part.sums).for_each(|(end, sum)| *end += sum.abs());
            }
            let [end, end_y, end_yy] = ends;
            let error = found.errors[0];
            [
                mass,
                mass * x,
                y,
                mass * x * x,
                y * x,
                yy,
                error,
                found.hidden,
                end,
                end * x.abs(),
                end_y,
                end * x * x,
                end_yy,
            ]
        };
        let all: Vec<[f64; SUMS]> = at.par_iter().map(value).collect();
        all.into_iter().flatten().collect()
    }

    fn weight(&self, over: [f64; 2]) -> f64 {
        let far = sinh_cosh(over[0].abs().max(over[1].abs()))[0];
        1.0 + far * far
    }

    fn effort(&self) -> usize {
        self.effort.load(Ordering::Relaxed)
    }

    fn bound(&self, over: [f64; 2], enough: f64) -> f64 {
        if self.field.is_line() {
            return self.field.bound(over, [0.0; 2], enough);
        }
        let [along, across] = self.order;
        let width = self.field.z(along, over[1]) - self.field.z(along, over[0]);
        let limit = enough / (2.0 * self.reach);
        let of_box = |ends: [f64; 2]| {
            self.effort.fetch_add(1, Ordering::Relaxed);
            let mut sides = [over; 2];
            sides[across] = ends;
            self.field.bound(sides[0], sides[1], limit) * (ends[1] - ends[0])
        };
        let mut boxes: Vec<([f64; 2], f64)> = breaks(self.reach, std::iter::empty())
            .windows(2)
            .map(|ends| [ends[0], ends[1]])
            .map(|ends| (ends, of_box(ends)))
            .collect();
        // Boxes that are narrow across: only a narrower interval has a lower bound.
        let mut last = 0.0;
        loop {
            let total: f64 = last + boxes.iter().map(|of_box| of_box.1).sum::<f64>();
            if total <= enough || last > enough || boxes.is_empty() || boxes.len() > MOST_BOXES {
                return total;
            }
            let largest = (0..boxes.len()).max_by(|one, other| boxes[*one].1.total_cmp(&boxes[*other].1)).unwrap_or(0);
            let (ends, bound) = boxes.swap_remove(largest);
            if self.field.z(across, ends[1]) - self.field.z(across, ends[0]) < 0.125 * width {
                last += bound;
                continue;
            }
            let middle = 0.5 * (ends[0] + ends[1]);
            boxes.extend([[ends[0], middle], [middle, ends[1]]].map(|ends| (ends, of_box(ends))));
        }
    }
}
