//! The box that shows a density, from its integrals, and a point in its middle.

use rayon::prelude::*;

use super::Written;
use super::adaptive::{Integrated, NODES, nodes};
use super::field::sinh_cosh;
use super::integral::Integrals;
use super::plane::Plane;
use crate::targets::Density;
use crate::targets::kit::poles::AXES;
use base::math::elementary::exp;
use base::math::{Bounds, Matrix, Point};

/// Depths of a view below the highest point of a marginal, without and with heavy tails, which are far longer than their centre is
/// wide, and the share of the mass beyond a view on each side (both chosen by eye: 95 % of a Cauchy distribution).
const VIEW_DEPTHS: [f64; 2] = [10.0, 5.0];
const VIEW_SHARES: [f64; 2] = [1e-4, 0.025];

/// Of lines with less than this share of the mass nothing is shown where axes are turned.
const SHOWN: f64 = 1e-5;

/// Points beside the mean, in standard deviations.
const ASIDE: [(f64, f64); 3] = [(0.5, 0.25), (-0.25, 0.5), (0.1, 0.05)];

/// The smallest box that shows the density well, from integrals in both orders.
pub(super) fn view(both: [&Integrals; 2]) -> Bounds {
    let ends = |axis: usize| {
        let heavy = usize::from(both[0].covariance[(axis, axis)].is_nan());
        let nodes = &both[axis].marginal;
        let highest = nodes.iter().map(|node| node[1]).fold(0.0, f64::max);
        let least = highest * libm::exp(-VIEW_DEPTHS[heavy]);
        let high = || nodes.iter().filter(|node| node[1] > least).map(|node| node[0]);
        let total: f64 = nodes.iter().map(|node| node[2]).sum();
        let quantile = |share: f64| {
            let mut sum = 0.0;
            let beyond = |node: &&[f64; 3]| {
                sum += node[2];
                sum > share * total
            };
            nodes.iter().find(beyond).map_or(0.0, |node| node[0])
        };
        let share = VIEW_SHARES[heavy];
        [high().fold(quantile(share), f64::min), high().fold(quantile(1.0 - share), f64::max)]
    };
    if let Some(extent) = both[0].extent {
        return extent;
    }
    let (x, y) = (ends(0), ends(1));
    Bounds { min: Point::new(x[0], y[0]), max: Point::new(x[1], y[1]) }
}

impl Plane<'_> {
    /// θ, density and mass of nodes along the first axis.
    pub(super) fn marginal(&self, found: &Integrated) -> Vec<[f64; 3]> {
        let axis = self.order[0];
        let mut all = Vec::with_capacity(found.parts.len() * NODES);
        for part in &found.parts {
            let shown: f64 = part.mass.iter().sum();
            if shown.is_nan() || shown <= 0.0 {
                continue;
            }
            for (t, mass) in nodes(part.from, part.to).into_iter().zip(part.mass) {
                let stretch = sinh_cosh(t)[1];
                all.push([self.field.theta(axis, t), mass / stretch, part.sums[0] * mass / shown]);
            }
        }
        all
    }

    /// The box in θ of all nodes where the density is not low.
    pub(super) fn extent(&self, found: &Integrated) -> Bounds {
        let field = self.field;
        let [along, across] = self.order;
        let relevant = found.parts.iter().filter(|part| part.sums[0] > SHOWN * found.sums[0]);
        let lines: Vec<f64> = relevant.flat_map(|part| nodes(part.from, part.to).into_iter().step_by(4)).collect();
        let shown = |t: &f64| {
            let stretch = sinh_cosh(*t)[1];
            let mut points = Vec::new();
            let line = self.line(*t);
            for part in line.between(&line.breaks).parts {
                for (other, mass) in nodes(part.from, part.to).into_iter().zip(part.mass) {
                    if mass > stretch * sinh_cosh(other)[1] * exp(-VIEW_DEPTHS[0]) {
                        let mut at = AXES[along] * field.z(along, *t);
                        at[across] = field.z(across, other);
                        points.push(field.turn * at);
                    }
                }
            }
            points
        };
        let shown: Vec<Vec<Point>> = lines.par_iter().map(shown).collect();
        let centre = field.turn * field.centre;
        let (mut min, mut max) = (centre, centre);
        for at in shown.iter().flatten() {
            (min, max) = (min.inf(at), max.sup(at));
        }
        Bounds { min, max }
    }
}

/// A point in the support less than a standard deviation beside the mean, or beside the middle of the view.
pub(super) fn beside_the_mean(bare: &Written, (mean, covariance): (Point, Matrix), view: Bounds) -> Option<Point> {
    let (middle, size) = (0.5 * (view.min + view.max), view.size());
    let or = |moment: f64, other: f64| if moment.is_finite() { moment } else { other };
    let centre = mean.zip_map(&middle, or);
    let sd = covariance.diagonal().map(f64::sqrt).zip_map(&(0.125 * size), or);
    let beside =
        ASIDE.iter().flat_map(|&(x, y)| [1.0, -1.0].map(|side| centre + sd.component_mul(&Point::new(x, y)) * side));
    beside.map(|at| if bare.info.dimension == 1 { Point::new(at.x, 0.0) } else { at }).find(|at| {
        bare.info.support.contains(*at)
            && bare.log_density(*at).is_finite()
            && bare.gradient(*at).iter().all(|slope| slope.is_finite())
    })
}
