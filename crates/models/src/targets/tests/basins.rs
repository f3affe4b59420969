//! Weights of modes against closed forms, an independent number and each other.

use super::super::Density;
use super::{ComponentNumbers, components, target};
use crate::targets::kit::modes::Surface;
use crate::targets::kit::quadrature::Lattice;
use base::math::{Matrix, Point, normal_cdf};

/// Accuracy of both integrations: seven-point rules in blocks 2.8 standard deviations wide.
const TOLERANCE: f64 = 1e-8;

fn mixture(entries: &[ComponentNumbers]) -> std::sync::Arc<dyn Density> {
    target("gaussian-mixture", &[("component", components(entries))])
}

/// A target as a surface over which a lattice can be laid.
struct Plain<'a>(&'a dyn Density);

impl Surface for Plain<'_> {
    fn log_density(&self, at: Point) -> f64 {
        self.0.log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        self.0.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.0.hessian(at)
    }
}

/// The weights of the modes of a target, by blocks of a lattice.
fn by_lattice(target: &dyn Density) -> Vec<f64> {
    let peaks: Vec<Point> = target.info().modes.iter().map(|mode| mode.at).collect();
    Lattice::survey(&Plain(target), 2, &peaks).basin_weights(&Plain(target), &peaks)
}

fn assert_weights(target: &dyn Density, expected: &[f64], tolerance: f64) {
    let weights: Vec<f64> = target.info().modes.iter().map(|mode| mode.weight).collect();
    assert_eq!(weights.len(), expected.len());
    for (weight, expected) in weights.iter().zip(expected) {
        assert!((weight - expected).abs() <= tolerance, "{weights:?}, expected {expected}");
    }
}

/// By Gauss–Legendre quadrature split along the bisector, computed elsewhere.
#[test]
fn the_posterior_of_the_quantiles() {
    assert_weights(target("bivariate-mixture", &[]).as_ref(), &[0.495_193, 0.504_807], 1e-6);
}

/// Two round Gaussians: the boundary of the basins is perpendicular to the line through the centres.
#[test]
fn two_round_gaussians_at_a_slant() {
    let along = Point::new(0.6, 0.8);
    let (gap, sds, shares) = (1.7, [0.5, 0.7], [0.3, 0.7]);
    let part = |share: f64, at: Point, sd: f64| (share, [at.x, at.y], [[sd * sd, 0.0], [0.0, sd * sd]]);
    let target = mixture(&[part(shares[0], Point::zeros(), sds[0]), part(shares[1], along * gap, sds[1])]);
    let modes = &target.info().modes;
    let edge = 0.5 * (modes[0].at + modes[1].at).dot(&along);
    let first = shares[0] * normal_cdf(edge / sds[0]) + shares[1] * normal_cdf((edge - gap) / sds[1]);
    assert!(first > 0.3 + 0.005, "the boundary cuts a visible share");
    assert_weights(target.as_ref(), &[first, 1.0 - first], TOLERANCE);
}

/// The three boundaries meet in the middle of the mass, and none lies along an axis.
#[test]
fn three_gaussians_in_a_regular_triangle() {
    let corner = |angle: f64| (1.0, [angle.cos(), angle.sin()], [[0.2, 0.0], [0.0, 0.2]]);
    let turn = std::f64::consts::TAU / 3.0;
    let target = mixture(&[0.3, 0.3 + turn, 0.3 + 2.0 * turn].map(corner));
    assert_weights(target.as_ref(), &[1.0 / 3.0; 3], TOLERANCE);
    assert_weights(target.as_ref(), &by_lattice(target.as_ref()), TOLERANCE);
}

/// Three modes of two components, one for each and one where they cross: a reflection exchanges the first two.
#[test]
fn crossed_gaussians() {
    let target = mixture(&[(1.0, [0.0, 0.0], [[1.0, 0.0], [0.0, 0.05]]), (1.0, [1.0, 1.0], [[0.05, 0.0], [0.0, 1.0]])]);
    let weights = by_lattice(target.as_ref());
    assert_eq!(weights.len(), 3);
    assert!((weights[0] - weights[1]).abs() < TOLERANCE);
    assert_weights(target.as_ref(), &weights, TOLERANCE);
}
