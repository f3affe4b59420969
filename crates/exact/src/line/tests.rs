//! Relations and reference numbers of steps on the line.

use std::path::Path;
use std::sync::Arc;

use approx::{assert_abs_diff_eq, assert_relative_eq};
use base::math::{Point, Purpose, Stream};
use base::params::{Settings, Value, find_kind};
use models::targets::{self, TARGETS};

use super::*;
use crate::{Noise, Step};

/// The density of a kind of target with the given parameters, along x.
pub(crate) fn section(kind: &str, parameters: &[(&str, f64)]) -> Arc<dyn Slope> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for &(key, value) in parameters {
        settings.set(key, Value::Number(value)).unwrap();
    }
    let target = targets::build(&settings, Path::new(".")).unwrap();
    Arc::new(Section::new(Arc::clone(target.density().unwrap()), 0, Point::zeros()))
}

/// N(0, 1/λ).
pub(crate) struct Normal(pub f64);

impl Slope for Normal {
    fn log_density(&self, x: f64) -> f64 {
        -0.5 * self.0 * x * x
    }

    fn gradient(&self, x: f64) -> f64 {
        -self.0 * x
    }

    fn curvature(&self, _: f64) -> f64 {
        -self.0
    }
}

fn moments(line: &Line, masses: &Masses) -> (f64, f64) {
    let sum: f64 = masses.nodes.iter().sum();
    let mean = line.expectation(masses, |x| x) / sum;
    (mean, line.expectation(masses, |x| (x - mean) * (x - mean)) / sum)
}

#[test]
fn moments_of_a_gaussian_follow_the_recursion() {
    for (lambda, alpha, variance_of_gradient, half, nodes) in [
        (1.0 / 0.03, 0.01, 0.0, 1.7, 128),
        (1.0 / 0.03, 1e-4, 0.0, 1.7, 128),
        (1.0, 0.043, 1.0, 10.0, 128),
        (1.0, 1.3, 2.0, 30.0, 256),
    ] {
        let line = Line::new(Arc::new(Normal(lambda)), -half, half, nodes).unwrap();
        let step = Noise { gradient_variance: variance_of_gradient, ..Noise::LANGEVIN }.step(alpha, true);
        let transition = Transitions::new(&line).step(step).unwrap();
        let (mut mean, mut variance) = (0.1 / lambda.sqrt(), 1.0 / lambda);
        let mut masses = [line.normal(mean, variance)];
        for _ in 0..400 {
            transition.push(&mut masses);
            mean *= 1.0 - alpha * lambda;
            variance = (1.0 - alpha * lambda) * (1.0 - alpha * lambda) * variance + step.variance;
            let (found_mean, found) = moments(&line, &masses[0]);
            assert_abs_diff_eq!(found_mean, mean, epsilon = 1e-12);
            assert_relative_eq!(found, variance, max_relative = 1e-12);
            assert_abs_diff_eq!(masses[0].nodes.iter().sum::<f64>() + masses[0].lost, 1.0, epsilon = 1e-13);
        }
    }
}

#[test]
fn the_adjoint_is_the_transpose() {
    let line = Line::new(section("gaussian-grid", &[]), -8.0, 8.0, 128).unwrap();
    let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
    let mut numbers = || (0..128).map(|_| stream.normal_pair().0).collect::<Vec<f64>>();
    for alpha in [0.02, 0.05, 0.1] {
        let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(alpha, true)).unwrap();
        assert!(transition.sources() > 200, "{}", transition.sources());
        let (masses, function) = (numbers(), numbers());
        let mut moved = [Masses { nodes: masses.clone(), lost: 0.0 }];
        transition.push(&mut moved);
        let mut functions = [numbers(), function.clone()];
        transition.pull(&mut functions);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert_abs_diff_eq!(dot(&moved[0].nodes, &function), dot(&masses, &functions[1]), epsilon = 1e-11);
    }
}

/// Masses of the cells of the five centres of a coordinate of the 25 Gaussians.
fn modes(line: &Line, masses: &Masses) -> [f64; 5] {
    let cumulative = line.cumulative(masses);
    let ends = [-100.0, -3.0, -1.0, 1.0, 3.0, 100.0];
    std::array::from_fn(|j| cumulative.between(ends[j], ends[j + 1]))
}

/// Masses of modes after one and after three steps, by the trapezoidal rule over every intermediate position.
fn by_quadrature(target: &dyn Slope, mean: f64, start: f64, step: Step) -> [[f64; 5]; 2] {
    let spacing = 0.004;
    let points: Vec<f64> = (-1875..=1875).map(|i| f64::from(i) * spacing).collect();
    let moved: Vec<f64> = points.iter().map(|&x| x + step.alpha * target.gradient(x)).collect();
    let normal = |difference: f64, variance: f64| {
        (-0.5 * difference * difference / variance).exp() / (std::f64::consts::TAU * variance).sqrt()
    };
    let next = |density: &[f64]| -> Vec<f64> {
        let at = |&y: &f64| {
            let terms = moved.iter().zip(density).filter(|(m, _)| (*m - y).abs() < 9.0 * step.variance.sqrt());
            terms.map(|(m, density)| density * normal(y - m, step.variance) * spacing).sum()
        };
        points.iter().map(at).collect()
    };
    let ends = [-100.0, -3.0, -1.0, 1.0, 3.0, 100.0];
    let masses = |density: &[f64]| -> [f64; 5] {
        std::array::from_fn(|j| {
            let chance = |m: f64| {
                base::math::normal_cdf((ends[j + 1] - m) / step.variance.sqrt())
                    - base::math::normal_cdf((ends[j] - m) / step.variance.sqrt())
            };
            moved.iter().zip(density).map(|(&m, density)| density * chance(m) * spacing).sum()
        })
    };
    let first: Vec<f64> = points.iter().map(|x| normal(x - mean, start)).collect();
    [masses(&first), masses(&next(&next(&first)))]
}

#[test]
fn single_steps_of_25_gaussians() {
    let steps = |nodes: usize, density: f64| {
        let line = Line::new(section("gaussian-grid", &[]), -8.0, 8.0, nodes).unwrap();
        let step = Noise::LANGEVIN.step(0.07, true);
        let transition = Transitions::with_density(&line, density).step(step).unwrap();
        let mut masses = [line.normal(0.3, 0.14)];
        transition.push(&mut masses);
        let first = modes(&line, &masses[0]);
        transition.push(&mut masses);
        transition.push(&mut masses);
        [first, modes(&line, &masses[0])]
    };
    let exact = by_quadrature(&*section("gaussian-grid", &[]), 0.3, 0.14, Noise::LANGEVIN.step(0.07, true));
    let found = steps(2048, super::transition::DENSITY);
    let reference = [[0.133_982_88, 0.823_145_91, 0.028_293_57], [0.176_342_76, 0.541_853_88, 0.142_862_38]];
    for (k, digits) in [2e-8, 5e-8].into_iter().enumerate() {
        for j in 0..5 {
            assert_abs_diff_eq!(found[k][j], exact[k][j], epsilon = digits);
        }
        for j in 0..3 {
            assert_abs_diff_eq!(exact[k][j + 1], reference[k][j], epsilon = 2e-8);
        }
    }
    // Without refinement the sources are too far apart, and the test would fail.
    let coarse = steps(512, f64::INFINITY);
    assert!((coarse[0][2] - exact[0][2]).abs() > 1e-5, "{coarse:?}");
}
