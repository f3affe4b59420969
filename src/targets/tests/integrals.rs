//! Normalisers and moments against a quadrature of another kind than the one they come from.

use super::super::Target;
use super::cases;
use crate::math::{Matrix, Point};

/// Nodes and weights of the five-point Gauss–Legendre rule on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// The nodes of a composite rule on [min, max].
pub(super) fn rule(min: f64, max: f64, panels: u32) -> Vec<(f64, f64)> {
    let half = 0.5 * (max - min) / f64::from(panels);
    let middle = |panel: u32| min + half * (2.0 * f64::from(panel) + 1.0);
    (0..panels).flat_map(|panel| GAUSS.map(|(node, weight)| (middle(panel) + half * node, half * weight))).collect()
}

/// Nodes over a box of 1.8 views (on a line, of 4), or over the support.
fn nodes(target: &dyn Target, axis: usize) -> Vec<(f64, f64)> {
    let facts = target.facts();
    if axis >= facts.dimension {
        return vec![(0.0, 1.0)];
    }
    let views = if facts.dimension == 1 { 4.0 } else { 1.8 };
    let (middle, half) = (0.5 * (facts.view.min + facts.view.max)[axis], 0.5 * views * facts.view.size()[axis]);
    let (min, max) = (facts.support.min[axis], facts.support.max[axis]);
    if min.is_finite() && max.is_finite() {
        // Substituting s²(3 − 2s) for θ smoothes powers of θ and 1 − θ down to √θ at the edges.
        let substituted = |(s, weight): (f64, f64)| {
            (min + (max - min) * s * s * (3.0 - 2.0 * s), (max - min) * weight * 6.0 * s * (1.0 - s))
        };
        return rule(0.0, 1.0, 500).into_iter().map(substituted).collect();
    }
    rule(middle - half, middle + half, if facts.dimension == 1 { 500 } else { 80 })
}

/// The worst relative errors of normaliser and moments allowed. The densities fall below e⁻³⁰ at the edges of the
/// box, and the rule has an error of (width of a panel/sd)¹⁰/10!, at most 1e-9 in these cases.
const TOLERANCE: f64 = 1e-8;

#[test]
fn facts_agree_with_quadrature() {
    for (name, target) in cases() {
        let facts = target.facts();
        let (x, y) = (nodes(target.as_ref(), 0), nodes(target.as_ref(), 1));
        let (mut total, mut first, mut second) = (0.0, Point::zeros(), Matrix::zeros());
        for ((x, wx), (y, wy)) in x.iter().flat_map(|x| y.iter().map(move |y| (x, y))) {
            let at = Point::new(*x, *y);
            let mass = wx * wy * (target.log_density(at) - facts.log_normaliser).exp();
            total += mass;
            first += (at - facts.mean) * mass;
            second += (at - facts.mean) * (at - facts.mean).transpose() * mass;
        }
        let scale = facts.covariance.trace();
        assert!((total - 1.0).abs() < TOLERANCE, "{name}: normaliser off by {}", total - 1.0);
        assert!(first.amax() < TOLERANCE * scale.sqrt(), "{name}: mean off by {first}");
        assert!((second - facts.covariance).amax() < TOLERANCE * scale, "{name}: {second} {}", facts.covariance);
    }
}

/// Also far out, where it is the share that counts; beyond 10⁻³⁰ densities fall too steeply for the rule.
#[test]
fn cells_in_closed_form_agree_with_quadrature() {
    let mut answered = 0;
    for (name, target) in cases() {
        let facts = target.facts();
        let edges = |axis: usize| {
            let (min, size) = (facts.view.min[axis], facts.view.size()[axis]);
            (0..=6).map(|edge| min + size * f64::from(edge) / 6.0).collect::<Vec<f64>>()
        };
        let (x, y) = (edges(0), edges(1));
        let Some(cells) = target.cell_probabilities(&x, &y) else { continue };
        answered += 1;
        assert_eq!(cells.len(), 36, "{name}");
        for (index, &probability) in cells.iter().enumerate() {
            let (column, row) = (index % 6, index / 6);
            let along = |edges: &[f64], cell: usize| rule(edges[cell], edges[cell + 1], 60);
            let mut mass = 0.0;
            for (v, wv) in along(&y, row) {
                for (u, wu) in along(&x, column) {
                    mass += wu * wv * (target.log_density(Point::new(u, v)) - facts.log_normaliser).exp();
                }
            }
            let resolved = mass.max(probability) > 1e-30;
            assert!(
                !resolved || (probability - mass).abs() < TOLERANCE * mass,
                "{name}, cell {index}: {probability} {mass}"
            );
        }
    }
    assert!(answered >= 5, "{answered} targets know their cells");
}
