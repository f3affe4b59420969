//! Basins: probabilities of the regions of all points that are nearer to one mode than to any other.
//!
//! A sum over nodes does not resolve the boundary between basins. So the plane is covered with blocks, and each block
//! is cut along the boundaries. Basins are convex, so the part of a block in a basin is a convex polygon, over which
//! the density is smooth. Polygons are cut into triangles, which are integrated by a Gauss–Legendre rule of a square
//! collapsed to the triangle (Duffy 1982, SIAM Journal on Numerical Analysis 19). A block whose four corners lie in one
//! basin lies in it, and is not cut.

use rayon::prelude::*;

use super::modes::nearest;
use base::math::Point;

/// Nodes and weights of the seven-point Gauss–Legendre rule on [0, 1]: nine digits of a normal distribution in blocks
/// that are [`BLOCK_SIZE`] wide.
pub(in crate::targets) const RULE: [(f64, f64); 7] = [
    (0.025_446_043_828_620_736, 0.064_742_483_084_434_85),
    (0.129_234_407_200_302_78, 0.139_852_695_744_638_33),
    (0.297_077_424_311_301_4, 0.190_915_025_252_559_47),
    (0.5, 0.208_979_591_836_734_7),
    (0.702_922_575_688_698_6, 0.190_915_025_252_559_47),
    (0.870_765_592_799_697_2, 0.139_852_695_744_638_33),
    (0.974_553_956_171_379_2, 0.064_742_483_084_434_85),
];

/// Largest side of a block, in the smallest standard deviations of the density.
pub(in crate::targets) const BLOCK_SIZE: f64 = 2.8;

/// A parallelogram with a corner and the two sides that start there.
#[derive(Clone, Copy, Debug)]
pub(in crate::targets) struct Block {
    /// A corner.
    pub(in crate::targets) corner: Point,
    /// The sides.
    pub(in crate::targets) sides: [Point; 2],
}

/// The share of the mass in `blocks` that lies in the basin of each of `modes`, for a density up to a constant.
pub(in crate::targets) fn shares(modes: &[Point], blocks: &[Block], density: impl Fn(Point) -> f64 + Sync) -> Vec<f64> {
    if modes.len() < 2 {
        return vec![1.0; modes.len()];
    }
    let of_blocks: Vec<Vec<(usize, f64)>> = blocks.par_iter().map(|block| block.masses(modes, &density)).collect();
    let mut masses = vec![0.0; modes.len()];
    // Added in the order of the blocks, so that the sums do not depend on the distribution of the work.
    for (mode, mass) in of_blocks.into_iter().flatten() {
        masses[mode] += mass;
    }
    let total: f64 = masses.iter().sum();
    masses.iter().map(|mass| mass / total).collect()
}

impl Block {
    /// The corners, in order around the block.
    fn corners(&self) -> [Point; 4] {
        let [first, second] = self.sides;
        [self.corner, self.corner + first, self.corner + first + second, self.corner + second]
    }

    /// The mass of the parts of the block that belong to the basins of modes, with their numbers.
    fn masses(&self, modes: &[Point], density: &impl Fn(Point) -> f64) -> Vec<(usize, f64)> {
        let corners = self.corners();
        let [mode, others @ ..] = corners.map(|corner| nearest(modes, corner));
        if others.iter().all(|other| *other == mode) {
            return vec![(mode, self.integral(density))];
        }
        let near = self.candidates(modes);
        let part = |&mode: &usize| (mode, polygon_integral(&basin_part(&corners, mode, &near, modes), density));
        near.iter().map(part).collect()
    }

    /// The modes that can be nearest to a point of the block: no point is further than the longer half-diagonal from
    /// the middle, so a mode further off than the nearest one plus twice that cannot be the nearest.
    fn candidates(&self, modes: &[Point]) -> Vec<usize> {
        let [first, second] = self.sides;
        let middle = self.corner + (first + second) / 2.0;
        let reach =
            (modes[nearest(modes, middle)] - middle).norm() + (first + second).norm().max((first - second).norm());
        (0..modes.len()).filter(|&mode| (modes[mode] - middle).norm() <= reach * (1.0 + 1e-9)).collect()
    }

    fn integral(&self, density: &impl Fn(Point) -> f64) -> f64 {
        let [first, second] = self.sides;
        let row = |(v, weight): (f64, f64)| {
            let start = self.corner + second * v;
            weight * RULE.map(|(u, weight)| weight * density(start + first * u)).iter().sum::<f64>()
        };
        first.perp(&second).abs() * RULE.map(row).iter().sum::<f64>()
    }
}

/// The part of a convex polygon that is nearer to `mode` than to any other of `among`; it may be empty.
fn basin_part(polygon: &[Point], mode: usize, among: &[usize], modes: &[Point]) -> Vec<Point> {
    let mut part = polygon.to_vec();
    for &other in among.iter().filter(|&&other| other != mode) {
        let (own, foreign) = (modes[mode], modes[other]);
        let middle = own + (foreign - own) / 2.0;
        part = clipped(&part, |point| (own - foreign).dot(&(point - middle)));
    }
    part
}

/// The part of a convex polygon in which an affine function is at least 0 (Sutherland and Hodgman 1974).
fn clipped(polygon: &[Point], inside: impl Fn(Point) -> f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let (at_from, at_to) = (inside(from), inside(to));
        if at_from >= 0.0 {
            kept.push(from);
        }
        if (at_from < 0.0) != (at_to < 0.0) {
            kept.push(from + (to - from) * (at_from / (at_from - at_to)));
        }
    }
    kept
}

/// The mass in a convex polygon.
fn polygon_integral(polygon: &[Point], density: &impl Fn(Point) -> f64) -> f64 {
    let Some((&apex, rest)) = polygon.split_first() else { return 0.0 };
    rest.windows(2).map(|side| triangle_integral(apex, side[0] - apex, side[1] - apex, density)).sum()
}

/// The mass in a triangle with two of its sides given: points are apex + u (first + v (second − first)), with area u.
fn triangle_integral(apex: Point, first: Point, second: Point, density: &impl Fn(Point) -> f64) -> f64 {
    let ray = |(v, weight): (f64, f64)| {
        let end = first + (second - first) * v;
        weight * RULE.map(|(u, weight)| weight * u * density(apex + end * u)).iter().sum::<f64>()
    };
    first.perp(&second).abs() * RULE.map(ray).iter().sum::<f64>()
}
