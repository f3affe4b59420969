//! The plane as lines along one axis: their integrals as a function of their position.
//!
//! Of a density of independent coordinates every line is a multiple of the one through the centre, which is integrated once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::adaptive::{Integrand, Integrated, Panel};
use super::field::{Field, mass, sinh_cosh};
use super::integral::Seed;
use super::line::{Line, breaks};
use crate::targets::kit::poles::AXES;
use base::math::Point;

/// Boxes at most for a bound of a line integral.
const MOST_BOXES: usize = 200;

/// The share of a line's mass that is not cut into cells.
const NEGLIGIBLE: f64 = 1e-13;

/// Seeds at most.
const MOST_SEEDS: usize = 64;

/// What line integrals are of: mass, first and second moments along and across, then error, hidden mass and what lies at the ends.
const SUMS: usize = 13;

/// Line integrals as a function of their position.
pub(super) struct Plane<'a> {
    pub(super) field: &'a Field<'a>,
    seeds: &'a [Seed],
    pub(super) order: [usize; 2],
    pub(super) reach: f64,
    /// Whether it is a check, with fewer digits and without bounds.
    pub(super) is_check: bool,
    /// Bounds that were made, and parts of lines.
    effort: AtomicUsize,
    /// The line through the centre, of a density of independent coordinates.
    central: OnceLock<Option<Integrated>>,
}

impl<'a> Plane<'a> {
    /// With lines along y, that reach as far as the tails ask for.
    pub(super) fn new(field: &'a Field<'a>, seeds: &'a [Seed], reach: f64) -> Self {
        let seeds = &seeds[..seeds.len().min(MOST_SEEDS)];
        Self {
            field,
            seeds,
            order: [0, 1],
            reach,
            is_check: false,
            effort: AtomicUsize::new(0),
            central: OnceLock::new(),
        }
    }
}

impl Plane<'_> {
    /// The parts of the line at t, some of which end at these θ: those with mass.
    pub(super) fn parts(&self, at: f64, ends: &[f64]) -> Vec<Panel> {
        let field = self.field;
        let across = self.order[1];
        let in_t = |end: &f64| field.t(across, field.coordinates.from_theta(AXES[across] * *end)[across]);
        let mut cuts: Vec<f64> = ends.iter().map(in_t).collect();
        cuts.sort_by(f64::total_cmp);
        let (line, whole) = (self.line(at), self.measured(at));
        let least = NEGLIGIBLE * whole.sums[0];
        let cut = |part: Panel| {
            let inside = cuts.iter().copied().filter(|t| *t > part.from && *t < part.to);
            let breaks: Vec<f64> = [part.from].into_iter().chain(inside).chain([part.to]).collect();
            if breaks.len() == 2 || part.sums[0] <= least { vec![part] } else { line.between(&breaks).parts }
        };
        whole.parts.into_iter().flat_map(cut).collect()
    }

    /// Of a density of independent coordinates, the line through the centre, of which every other is a multiple.
    fn central(&self) -> Option<&Integrated> {
        let is_apart = !self.field.is_line() && self.field.density.density.is_apart();
        let found =
            || (is_apart && self.field.heights(&[self.field.centre])[0] > -1.0).then(|| self.line(0.0).integrated());
        self.central.get_or_init(found).as_ref()
    }

    /// How many times the line at t is that through the centre, if it is a multiple.
    pub(super) fn multiple(&self, t: f64) -> Option<f64> {
        self.central()?;
        let along = self.order[0];
        let mut at = self.field.centre;
        let centre = self.field.heights(&[at])[0];
        at[along] = self.field.z(along, t);
        Some(mass(self.field.heights(&[at])[0] - centre, sinh_cosh(t)[1]))
    }

    /// The integrals along the line at t.
    pub(super) fn measured(&self, t: f64) -> Integrated {
        let central = self.central().zip(self.multiple(t));
        central.map_or_else(|| self.line(t).integrated(), |(central, times)| central.times(times))
    }

    /// The density of t at a point of the line, of a density on the line.
    pub(super) fn mass(&self, at: f64) -> f64 {
        let heights = self.field.heights(&[Point::new(self.field.z(0, at), 0.0)]);
        mass(heights.first().copied().unwrap_or(f64::NEG_INFINITY), sinh_cosh(at)[1])
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
        let last = self.last_numbers(across).into_iter().filter(|t| t.is_finite());
        let breaks = breaks(self.reach, ends.map(|z| self.field.t(across, z)).chain(last));
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

    /// Positions between which the first parts lie.
    pub(super) fn breaks(&self) -> Vec<f64> {
        let axis = self.order[0];
        let ends = self.seeds.iter().flat_map(|seed| [-1.0, 1.0].map(|side| seed.at[axis] + side * seed.width[axis]));
        let last = self.last_numbers(axis).into_iter().filter(|t| t.is_finite());
        breaks(self.reach, ends.map(|z| self.field.t(axis, z)).chain(last))
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
            let found = self.measured(*t);
            if self.central().is_none() {
                self.effort.fetch_add(found.parts.len(), Ordering::Relaxed);
            }
            let (x, [mass, y, yy]) = (away(*t), [found.sums[0], found.sums[1], found.sums[2]]);
            let mut ends = [0.0; 3];
            for part in found.parts.iter().filter(|part| self.is_end(self.order[1], part)) {
                let first = usize::from(!self.is_at_reach(self.order[1], part));
                ends.iter_mut().zip(&part.sums).skip(first).for_each(|(end, sum)| *end += sum.abs());
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
        if let Some(central) = self.central() {
            let mass = central.sums[0] + central.errors[0] + central.hidden;
            let mut sides = [over; 2];
            sides[across] = [0.0; 2];
            return mass * self.field.bound(sides[0], sides[1], enough / mass);
        }
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
