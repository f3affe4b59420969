//! Closed forms, products, and the table of stationary distributions.

use std::path::Path;

use approx::{assert_abs_diff_eq, assert_relative_eq};
use base::math::{Purpose, Stream};
use base::params::{Settings, Value, find_kind};
use models::targets::{self, TARGETS};

use super::*;
use crate::chain::Chain;
use crate::line::tests::section;
use crate::line::{DENSITY, Line, Transitions};
use crate::{Noise, divergences, long_run};

pub(super) fn density(kind: &str, parameters: &[(&str, Value)]) -> Arc<dyn Density> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for (key, value) in parameters {
        settings.set(key, value.clone()).unwrap();
    }
    let target = targets::build(&settings, Path::new(".")).unwrap();
    Arc::clone(target.density().unwrap())
}

fn plane(density: Arc<dyn Density>, half: f64, nodes: usize) -> Plane {
    Plane::new(density, Bounds::new((-half, half), (-half, half)), nodes, nodes).unwrap()
}

#[test]
fn moments_of_a_correlated_normal_follow_the_recursion() {
    let gaussian = density("gaussian", &[]);
    let plane = plane(Arc::clone(&gaussian), 9.0, 128);
    let step = Noise::LANGEVIN.step(0.1, true);
    let transition = PlaneTransition::new(&plane, step).unwrap();
    let center = gaussian.info().mean;
    let map = Matrix::identity() + gaussian.hessian(center) * step.alpha;
    let (mut mean, mut covariance) = (center + Point::new(0.3, -0.2), Matrix::identity());
    let mut masses = plane.normal(mean, 1.0);
    for _ in 0..60 {
        transition.push(&mut masses);
        mean = center + map * (mean - center);
        covariance = map * covariance * map.transpose() + Matrix::identity() * step.variance;
        let (found_mean, found) = plane.moments(&masses.nodes);
        assert_abs_diff_eq!(found_mean, mean, epsilon = 1e-12);
        assert_abs_diff_eq!(found, covariance, epsilon = 1e-11);
        assert_abs_diff_eq!(masses.nodes.iter().sum::<f64>() + masses.lost, 1.0, epsilon = 1e-13);
    }
}

#[test]
fn stationary_covariance_of_a_correlated_normal() {
    let gaussian = density("gaussian", &[("sd", Value::Pair([1.0, 0.6])), ("correlation", Value::Number(0.8))]);
    let plane = plane(gaussian, 8.0, 128);
    for (alpha, expected) in [
        (0.1, [1.062_090_483_619, 0.461_279_251_170, 0.447_051_482_059]),
        (0.01, [1.005_072_257_277, 0.479_902_300_020, 0.365_202_523_916]),
    ] {
        let transition = PlaneTransition::new(&plane, Noise::LANGEVIN.step(alpha, true)).unwrap();
        let found = long_run(&transition, &plane.truth().unwrap().nodes).unwrap();
        let (_, covariance) = plane.moments(&found.masses);
        for (found, expected) in [covariance.m11, covariance.m12, covariance.m22].into_iter().zip(expected) {
            assert_relative_eq!(found, expected, max_relative = 1e-10);
        }
    }
}

#[test]
fn the_adjoint_is_the_transpose() {
    let grid = density("gaussian-grid", &[]);
    let plane = Plane::new(grid, Bounds::new((-1.5, 1.5), (-1.25, 2.0)), 48, 64).unwrap();
    let transition = PlaneTransition::new(&plane, Noise::LANGEVIN.step(0.02, true)).unwrap();
    assert!(transition.ratio() > 1);
    let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
    let mut numbers = || (0..48 * 64).map(|_| stream.normal_pair().0).collect::<Vec<f64>>();
    let (masses, function) = (numbers(), numbers());
    let (mut moved, mut pulled) = (masses.clone(), [function.clone()]);
    transition.push_masses(&mut moved);
    transition.pull_functions(&mut pulled);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    assert_abs_diff_eq!(dot(&moved, &function), dot(&masses, &pulled[0]), epsilon = 1e-10);
}

#[test]
fn a_product_in_the_plane_is_the_product_of_its_factors() {
    let step = Noise::LANGEVIN.step(0.07, true);
    let line = Line::new(section("gaussian-grid", &[]), -8.0, 8.0, 2048).unwrap();
    let factor = Transitions::new(&line).step(step).unwrap();
    let mut lines = [line.normal(0.3, 0.14), line.normal(-1.2, 0.14)];
    factor.push(&mut lines);
    let plane = plane(density("gaussian-grid", &[]), 4.0, 256);
    let moved = |density: f64| {
        let transition = PlaneTransition::with_density(&plane, step, density).unwrap();
        let mut masses = plane.normal(Point::new(0.3, -1.2), 0.14);
        transition.push(&mut masses);
        masses.nodes
    };
    // Masses of nine modes: squares whose sides are at faces of cells of both grids.
    let cells = |nodes: &[f64]| -> Vec<f64> {
        let rows: Vec<f64> = nodes.chunks(256).flat_map(crate::cell_masses).collect();
        let column = |x: usize| crate::cell_masses(&rows.iter().skip(x).step_by(256).copied().collect::<Vec<f64>>());
        let columns: Vec<Vec<f64>> = (0..256).map(column).collect();
        let side = |k: usize| 64 * k + 32..64 * k + 96;
        let square = |k: usize| columns[side(k % 3)].iter().map(|column| column[side(k / 3)].iter().sum::<f64>()).sum();
        (0..9).map(square).collect()
    };
    let [x, y] = [0, 1].map(|axis| line.cumulative(&lines[axis]));
    let between = |k: usize| (2.0 * k as f64 - 3.0, 2.0 * k as f64 - 1.0);
    let exact = |k: usize| {
        let ((left, right), (low, high)) = (between(k % 3), between(k / 3));
        x.between(left, right) * y.between(low, high)
    };
    let worst =
        |nodes: &[f64]| cells(nodes).iter().enumerate().map(|(k, mass)| (mass - exact(k)).abs()).fold(0.0, f64::max);
    let [found, rough] = [DENSITY, f64::INFINITY].map(|density| worst(&moved(density)));
    assert!(found < 2e-7, "{found}");
    assert!(rough > 1e-4, "{rough}");
}

/// A stationary distribution of unadjusted Langevin in the plane, and the error of the grid, which is of order 6.
struct Stationary {
    kind: &'static str,
    parameter: Option<(&'static str, f64)>,
    bounds: Bounds,
    nodes: usize,
    alpha: f64,
    /// Mean, covariance xx, xy, yy, KL(q‖p).
    values: [f64; 6],
    /// It has kinks, and four digits.
    total_variation: f64,
    /// λ₂.
    second: Option<f64>,
    error: f64,
}

impl Stationary {
    fn check(&self) {
        let parameters: Vec<(&str, Value)> =
            self.parameter.map(|(key, value)| (key, Value::Number(value))).into_iter().collect();
        let plane = Plane::new(density(self.kind, &parameters), self.bounds, self.nodes, self.nodes).unwrap();
        let transition = PlaneTransition::new(&plane, Noise::LANGEVIN.step(self.alpha, true)).unwrap();
        let truth = plane.truth().unwrap().nodes;
        let found = long_run(&transition, &truth).unwrap();
        let (mean, covariance) = plane.moments(&found.masses);
        let apart = divergences(&found.masses, &truth);
        let values = [mean.x, mean.y, covariance.m11, covariance.m12, covariance.m22, apart.kl];
        for (value, expected) in values.into_iter().zip(self.values) {
            assert_abs_diff_eq!(value, expected, epsilon = self.error);
        }
        assert_abs_diff_eq!(apart.total_variation, self.total_variation, epsilon = 6e-5);
        if let Some(second) = self.second {
            assert_abs_diff_eq!(found.second.re, second, epsilon = self.error);
        }
    }
}

fn of_banana(alpha: f64, values: [f64; 6], total_variation: f64) -> Stationary {
    let bounds = Bounds::new((-10.0, 10.0), (-6.0, 24.0));
    Stationary {
        kind: "banana",
        parameter: None,
        bounds,
        nodes: 240,
        alpha,
        values,
        total_variation,
        second: None,
        error: 1e-6,
    }
}

/// With 256 nodes an error of 7·10⁻⁶, with 360 of 10⁻⁶.
fn of_modes(alpha: f64, values: [f64; 6], total_variation: f64, second: f64) -> Stationary {
    Stationary {
        kind: "three-modes",
        parameter: Some(("separation", 4.0)),
        bounds: Bounds::new((-9.0, 9.0), (-9.0, 9.0)),
        nodes: 256,
        alpha,
        values,
        total_variation,
        second: Some(second),
        error: 7e-6,
    }
}

#[test]
fn stationary_distributions() {
    of_banana(0.05, [0.0, -0.020_894_3, 3.916_423, 0.0, 2.911_214, 0.001_375_20], 0.01403).check();
    of_modes(0.1, [-0.559_132, -0.628_053, 3.880_876, 0.546_565, 2.123_815, 0.031_143_8], 0.0914, 0.994_331_22).check();
    Stationary {
        kind: "donut",
        parameter: None,
        bounds: Bounds::new((-6.0, 6.0), (-6.0, 6.0)),
        nodes: 160,
        alpha: 0.05,
        values: [0.0, 0.0, 4.652_338_249, 0.0, 4.652_338_249, 0.029_931_187_71],
        total_variation: 0.07897,
        second: Some(0.994_401_270_2),
        error: 1e-7,
    }
    .check();
}

#[test]
#[ignore = "half a minute: docs/experiments.md"]
fn stationary_distributions_at_more_step_sizes() {
    of_banana(0.1, [0.0, -0.047_167, 3.811_343, 0.0, 2.791_887, 0.006_639_7], 0.02933).check();
    let values = [-0.457_986_9, -0.518_200_3, 3.819_120_4, 0.523_190_7, 2.330_860_6, 0.005_977_09];
    of_modes(0.05, values, 0.03796, 0.997_428_19).check();
}

#[test]
fn the_slowest_function_on_a_banana_is_odd_in_x() {
    let plane = Plane::new(density("banana", &[]), Bounds::new((-10.0, 10.0), (-6.0, 24.0)), 120, 120).unwrap();
    let transition = PlaneTransition::new(&plane, Noise::LANGEVIN.step(0.05, true)).unwrap();
    let truth = plane.truth().unwrap().nodes;
    let found = long_run(&transition, &truth).unwrap();
    let mut functions = [plane.nodes().map(|at| at.x).collect::<Vec<f64>>(), plane.nodes().map(|at| at.y).collect()];
    let centre = |function: &mut Vec<f64>| {
        let mean: f64 = function.iter().zip(&found.masses).map(|(value, mass)| value * mass).sum();
        function.iter_mut().for_each(|value| *value -= mean);
    };
    let norm = |f: &[f64]| f.iter().zip(&found.masses).map(|(value, mass)| value * value * mass).sum::<f64>().sqrt();
    let mut rates = [0.0; 2];
    for _ in 0..4000 {
        let before = [norm(&functions[0]), norm(&functions[1])];
        transition.pull_functions(&mut functions);
        functions.iter_mut().for_each(centre);
        rates = [norm(&functions[0]) / before[0], norm(&functions[1]) / before[1]];
    }
    // Another program, which begins with an even function, has the even one.
    assert_abs_diff_eq!(rates[0], found.second.re, epsilon = 1e-7);
    assert_abs_diff_eq!(rates[1], 0.995_372, epsilon = 3e-6);
    assert!(rates[0] > rates[1]);
}

#[test]
fn a_uniform_start_has_the_moments_of_the_closed_form() {
    let gaussian = density("gaussian", &[("sd", Value::Pair([1.0, 0.6])), ("correlation", Value::Number(0.8))]);
    let plane = plane(Arc::clone(&gaussian), 8.0, 128);
    let step = Noise::LANGEVIN.step(0.1, true);
    let masses = plane.after_uniform(Bounds::new((-2.0, 1.0), (-1.0, 2.0)), step).unwrap();
    let centre = gaussian.info().mean;
    let map = Matrix::identity() + gaussian.hessian(centre) * step.alpha;
    let (mean, covariance) = plane.moments(&masses.nodes);
    assert_abs_diff_eq!(mean, centre + map * (Point::new(-0.5, 0.5) - centre), epsilon = 1e-11);
    // The midpoint rule with 600 points has the variance 0.75 (1 − 600⁻²) of a side.
    let uniform = Matrix::identity() * (0.75 * (1.0 - 1.0 / 360_000.0));
    let expected = map * uniform * map.transpose() + Matrix::identity() * step.variance;
    assert_abs_diff_eq!(covariance, expected, epsilon = 1e-11);
    assert_abs_diff_eq!(masses.nodes.iter().sum::<f64>() + masses.lost, 1.0, epsilon = 1e-13);
}
