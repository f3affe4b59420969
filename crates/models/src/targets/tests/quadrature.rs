//! Quadrature for tests, of another kind than that of the targets: composite Gauss–Legendre rules, with nodes that
//! follow a thin density.

use super::super::Density;
use super::painted::seam;
use base::math::Point;

/// Nodes and weights of the five-point Gauss–Legendre rule on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// Standard deviations to either side: 10⁻³² of the mass is outside, and moments of heavier tails than those of a
/// Gaussian keep their digits.
const REACH: f64 = 12.0;

/// The nodes of a composite rule on [min, max].
pub(super) fn rule(min: f64, max: f64, panels: u32) -> Vec<(f64, f64)> {
    let half = 0.5 * (max - min) / f64::from(panels);
    let middle = |panel: u32| min + half * (2.0 * f64::from(panel) + 1.0);
    (0..panels).flat_map(|panel| GAUSS.map(|(node, weight)| (middle(panel) + half * node, half * weight))).collect()
}

/// The nodes of a rule whose panels end where those of a grid of lines do.
fn in_pieces(min: f64, max: f64, seam: f64) -> Vec<(f64, f64)> {
    let mut ends = vec![min];
    let mut next = (min / seam).floor();
    while next * seam < max {
        if next * seam > min {
            ends.push(next * seam);
        }
        next += 1.0;
    }
    ends.push(max);
    ends.windows(2).flat_map(|ends| rule(ends[0], ends[1], 1)).collect()
}

/// The axis, if any, given which the other coordinate is Gaussian, with a mean and width that depend on the position.
pub(super) fn base_axis(name: &str) -> Option<usize> {
    let any = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match name {
        _ if any(&["banana", "squiggle", "formula"]) => Some(0),
        _ if any(&["funnel", "precision", "normal-gamma"]) => Some(1),
        _ => None,
    }
}

fn along(base: usize, node: f64, other: f64) -> Point {
    if base == 0 { Point::new(node, other) } else { Point::new(other, node) }
}

/// Mean and standard deviation of the other coordinate, given one: from two derivatives, since its log density is a
/// parabola.
pub(super) fn conditional(target: &dyn Density, base: usize, node: f64) -> (f64, f64) {
    let at = along(base, node, 0.0);
    let (slope, curvature) = (target.gradient(at)[1 - base], target.hessian(at)[(1 - base, 1 - base)]);
    (-slope / curvature, (-curvature).sqrt().recip())
}

/// Nodes over the whole density.
pub(super) fn everywhere(name: &str, target: &dyn Density) -> Vec<(Point, f64)> {
    let info = target.info();
    if name.contains("donut") {
        return around(info.view.max.x);
    }
    let Some(base) = base_axis(name) else {
        return crossed(&over_view(name, target, 0), &over_view(name, target, 1));
    };
    let reach = REACH * info.covariance[(base, base)].sqrt();
    let low = (info.mean[base] - reach).max(info.support.min[base]);
    let high = (info.mean[base] + 1.5 * reach).min(info.support.max[base]);
    followed(target, base, (low, high, 500), (f64::NEG_INFINITY, f64::INFINITY))
}

/// Nodes on circles around 0, out to twice a distance: a ring has a kink in the middle. The angles are equidistant.
fn around(distance: f64) -> Vec<(Point, f64)> {
    let angles: Vec<f64> = (0..32).map(|number| f64::from(number) * std::f64::consts::TAU / 32.0).collect();
    let circle = |(radius, weight): (f64, f64)| {
        let share = weight * radius * std::f64::consts::TAU / 32.0;
        angles.iter().map(|angle| (Point::new(angle.cos(), angle.sin()) * radius, share)).collect::<Vec<_>>()
    };
    rule(0.0, 2.0 * distance, 400).into_iter().flat_map(circle).collect()
}

/// Nodes in a cell between the given ends; a one-dimensional target has no second coordinate.
pub(super) fn in_cell(
    name: &str,
    target: &dyn Density,
    x: (f64, f64),
    y: (f64, f64),
    panels: u32,
) -> Vec<(Point, f64)> {
    if let Some(seam) = seam(name) {
        return crossed(&in_pieces(x.0, x.1, seam), &in_pieces(y.0, y.1, seam));
    }
    match base_axis(name) {
        Some(0) => followed(target, 0, (x.0, x.1, 6 * panels), y),
        Some(_) => followed(target, 1, (y.0, y.1, panels), x),
        None if target.info().dimension == 1 => crossed(&rule(x.0, x.1, panels), &[(0.0, 1.0)]),
        None => crossed(&rule(x.0, x.1, panels), &rule(y.0, y.1, panels)),
    }
}

fn crossed(x: &[(f64, f64)], y: &[(f64, f64)]) -> Vec<(Point, f64)> {
    x.iter().flat_map(|(x, wx)| y.iter().map(move |(y, wy)| (Point::new(*x, *y), wx * wy))).collect()
}

/// Nodes along one axis, and for each of them nodes over the relevant range of the other.
fn followed(
    target: &dyn Density,
    base: usize,
    (low, high, panels): (f64, f64, u32),
    other: (f64, f64),
) -> Vec<(Point, f64)> {
    let mut nodes = Vec::new();
    for (node, weight) in rule(low, high, panels) {
        let (centre, sd) = conditional(target, base, node);
        let (low, high) = ((centre - REACH * sd).max(other.0), (centre + REACH * sd).min(other.1));
        if low < high {
            nodes.extend(rule(low, high, 40).into_iter().map(|(other, w)| (along(base, node, other), weight * w)));
        }
    }
    nodes
}

/// Nodes over a box of 1.8 views (on a line, of 4; with the tails of logits, of weights that saturate and of a gamma
/// distribution, of 3; of a hierarchy, of 6; of a logistic regression, of 8), or over the support.
fn over_view(name: &str, target: &dyn Density, axis: usize) -> Vec<(f64, f64)> {
    let info = target.info();
    if axis >= info.dimension {
        return vec![(0.0, 1.0)];
    }
    let line = info.dimension == 1;
    if let Some(seam) = seam(name) {
        // The background has two standard deviations in half a view.
        let reach = 4.0 * info.view.max[axis];
        return in_pieces(-reach, reach, seam);
    }
    let views = if line {
        4.0
    } else if name.contains("logistic") {
        // With few data the prior alone ends the tail, some 60 from the mean.
        8.0
    } else if name.contains("hierarchical") || name.contains("schools") {
        // The tail of ln τ to the left is an exponential.
        6.0
    } else if name.contains("logits") || name.contains("two-weight") || name.contains("strip") {
        3.0
    } else {
        1.8
    };
    let (middle, half) = (0.5 * (info.view.min + info.view.max)[axis], 0.5 * views * info.view.size()[axis]);
    let (min, max) = (info.support.min[axis], info.support.max[axis]);
    if min.is_finite() && max.is_finite() {
        // Substituting s²(3 − 2s) for θ smoothes powers of θ and 1 − θ down to √θ at the boundary.
        let substituted = |(s, weight): (f64, f64)| {
            (min + (max - min) * s * s * (3.0 - 2.0 * s), (max - min) * weight * 6.0 * s * (1.0 - s))
        };
        return rule(0.0, 1.0, if line { 500 } else { 150 }).into_iter().map(substituted).collect();
    }
    // The ends of a ridge are thin.
    let panels = match name {
        _ if name.contains("two-weight") => 700,
        _ if line => 500,
        _ if name.contains("logistic") || name.contains("hierarchical") || name.contains("schools") => 400,
        _ => 80,
    };
    rule((middle - half).max(min), middle + half, panels)
}
