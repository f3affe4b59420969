//! Normalisers and moments against a quadrature of another kind than the one they come from.

use super::cases;
use super::quadrature::{everywhere, in_cell};
use base::math::{Matrix, Point};

/// The worst relative errors of normaliser and moments allowed. The densities fall below e⁻³⁰ at the boundary of the
/// box, and the rule has an error of (width of a panel/sd)¹⁰/10!, at most 1e-9 in these cases.
const TOLERANCE: f64 = 1e-8;

#[test]
fn normalisers_and_moments_agree_with_quadrature() {
    for (name, target) in cases() {
        let info = target.info();
        let (mut total, mut first, mut second) = (0.0, Point::zeros(), Matrix::zeros());
        for (at, weight) in everywhere(name, target.as_ref()) {
            let mass = weight * (target.log_density(at) - info.log_normaliser).exp();
            total += mass;
            first += (at - info.mean) * mass;
            second += (at - info.mean) * (at - info.mean).transpose() * mass;
        }
        let scale = info.covariance.trace();
        assert!((total - 1.0).abs() < TOLERANCE, "{name}: normaliser off by {}", total - 1.0);
        assert!(first.amax() < TOLERANCE * scale.sqrt(), "{name}: mean off by {first}");
        assert!((second - info.covariance).amax() < TOLERANCE * scale, "{name}: {second} {}", info.covariance);
    }
}

/// Also far out, where relative errors are compared; beyond 10⁻³⁰ densities fall too steeply for the rule.
#[test]
fn cells_in_closed_form_agree_with_quadrature() {
    let mut answered = 0;
    for (name, target) in cases() {
        let info = target.info();
        let edges = |axis: usize| {
            let (min, size) = (info.view.min[axis], info.view.size()[axis]);
            (0..=6).map(|edge| min + size * f64::from(edge) / 6.0).collect::<Vec<f64>>()
        };
        let (x, y) = (edges(0), edges(1));
        let Some(cells) = target.cell_probabilities(&x, &y) else { continue };
        answered += 1;
        assert_eq!(cells.len(), 36, "{name}");
        for (index, &probability) in cells.iter().enumerate() {
            let (column, row) = (index % 6, index / 6);
            let (x, y) = ((x[column], x[column + 1]), (y[row], y[row + 1]));
            let mass: f64 = in_cell(name, target.as_ref(), x, y, 60)
                .into_iter()
                .map(|(at, weight)| weight * (target.log_density(at) - info.log_normaliser).exp())
                .sum();
            let resolved = mass.max(probability) > 1e-30;
            assert!(
                !resolved || (probability - mass).abs() < TOLERANCE * mass,
                "{name}, cell {index}: {probability} {mass}"
            );
        }
    }
    assert!(answered >= 5, "{answered} targets know their cells");
}
