//! Integrals of a density along a line.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::adaptive::{Care, Integrand, Integrated, integrate};
use super::field::{Field, mass, sinh_cosh};
use crate::targets::kit::poles::AXES;
use base::math::Point;

/// Positions in t between which the first parts lie; after them comes the reach.
const BREAKS: [f64; 8] = [0.0, 1.0, 2.0, 3.5, 6.0, 10.0, 16.0, 24.0];

/// The error of a part, as a share of the whole, that is small enough; the second for a check of a result.
const SHARES: [f64; 2] = [1e-12, 1e-10];

/// An error that always is small enough, in units of the density and the width at the centre.
pub(super) const FLOOR: f64 = 1e-14;

/// Mass that may be missed, as a share of the whole; the second for a check of a result.
const MISSED: [f64; 2] = [1e-9, 1e-7];

/// Parts at most.
const MOST_PARTS: usize = 240;

/// Positions between which the first parts lie, in ascending order.
pub(super) fn breaks(reach: f64, more: impl Iterator<Item = f64>) -> Vec<f64> {
    let far = (1..).map(|step| 30.0 * f64::from(step)).take_while(|end| *end < reach);
    let mut all: Vec<f64> = BREAKS.into_iter().chain(far).chain([reach]).flat_map(|end| [end, -end]).collect();
    all.extend(more.filter(|end| end.abs() < reach));
    all.sort_by(f64::total_cmp);
    // Negative zero comes before zero.
    all.dedup_by(|one, other| (*one - *other).abs() < 1e-9 * one.abs().max(1e-3));
    all
}

/// The density along a line.
pub(super) struct Line<'a> {
    pub(super) field: &'a Field<'a>,
    pub(super) order: [usize; 2],
    /// The t and the z of its position.
    pub(super) at: f64,
    pub(super) z: f64,
    /// cosh t and 1 + sinh² t there.
    pub(super) stretch: f64,
    pub(super) far: f64,
    pub(super) breaks: Vec<f64>,
    /// The unit of distances along it.
    pub(super) unit: f64,
    pub(super) is_check: bool,
    /// What it costs is counted here, see [`EFFORT`](super::integral::EFFORT).
    pub(super) effort: &'a AtomicUsize,
}

impl Line<'_> {
    /// Mass, first and second moment along it.
    pub(super) fn integrated(&self) -> Integrated {
        self.sums(&self.breaks, [FLOOR / self.far, MISSED[usize::from(self.is_check)]])
    }

    /// The same between these positions, without confirmation.
    pub(super) fn between(&self, breaks: &[f64]) -> Integrated {
        self.sums(breaks, [0.0, f64::INFINITY])
    }

    /// The same, confirmed but for so much mass and such a share.
    fn sums(&self, breaks: &[f64], missed: [f64; 2]) -> Integrated {
        let floor = FLOOR / self.far;
        let care = Care {
            controlled: &[(0, floor), (2, FLOOR)],
            share: SHARES[usize::from(self.is_check)],
            noise: None,
            most: MOST_PARTS,
            missed,
            cuts: 4,
            patience: 24,
            slow: false,
            effort: usize::MAX,
        };
        integrate(self, breaks, care)
    }
}

impl Integrand for Line<'_> {
    fn count(&self) -> usize {
        3
    }

    fn values(&self, at: &[f64]) -> Vec<f64> {
        let [along, across] = self.order;
        let from = self.field.theta(across, 0.0);
        let turns: Vec<[f64; 2]> = at.iter().map(|t| sinh_cosh(*t)).collect();
        let (centre, scale) = (self.field.centre[across], self.field.scale[across]);
        let point = |[sinh, _]: &[f64; 2]| AXES[along] * self.z + AXES[across] * (centre + scale * sinh);
        let z: Vec<Point> = turns.iter().map(point).collect();
        let heights = self.field.heights(&z);
        let value = |(([_, cosh], z), height): ((&[f64; 2], &Point), f64)| {
            let mass = mass(height, self.stretch * cosh);
            let y = (self.field.coordinates.to_theta(*z)[across] - from) / self.unit;
            [mass, mass * y, mass * y * y]
        };
        turns.iter().zip(&z).zip(heights).flat_map(value).collect()
    }

    fn bound(&self, over: [f64; 2], enough: f64) -> f64 {
        self.effort.fetch_add(1, Ordering::Relaxed);
        let mut sides = [[self.at; 2]; 2];
        sides[self.order[1]] = over;
        self.field.bound(sides[0], sides[1], enough)
    }
}
