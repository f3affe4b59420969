//! Closed forms, and the tables of the double well and of constant step sizes.

use std::sync::Arc;

use approx::{assert_abs_diff_eq, assert_relative_eq};

use super::*;
use crate::line::tests::{Normal, section};
use crate::line::{Line, Masses, Transitions};
use crate::modes::{Modes, second_eigenvalue_of_step};
use crate::{ErrorParts, Noise, divergences, run_moments};

#[test]
fn langevin_on_a_normal_has_powers_of_a_as_eigenvalues() {
    for alpha in [0.05, 0.3, 1.0] {
        let line = Line::new(Arc::new(Normal(1.0)), -14.0, 14.0, 256).unwrap();
        let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(alpha, true)).unwrap();
        let found = long_run(&transition, &line.truth().unwrap().nodes).unwrap();
        let a: f64 = 1.0 - alpha;
        assert_abs_diff_eq!(found.exit_rate(), 0.0, epsilon = 1e-12);
        assert_abs_diff_eq!(found.second.re, a, epsilon = 1e-9);
        let f = |f: &dyn Fn(f64) -> f64| line.nodes().iter().map(|&x| f(x)).collect::<Vec<f64>>();
        let masses = Masses { nodes: found.masses.clone(), lost: 0.0 };
        assert_relative_eq!(line.expectation(&masses, |x| x * x), 1.0 / (1.0 - alpha / 2.0), max_relative = 1e-11);
        let of_x = autocorrelation_time(&transition, &found.masses, &f(&|x| x)).unwrap();
        let of_square = autocorrelation_time(&transition, &found.masses, &f(&|x| x * x)).unwrap();
        assert_relative_eq!(of_x, (2.0 - alpha) / alpha, max_relative = 1e-9);
        assert_relative_eq!(of_square, (1.0 + a * a) / (1.0 - a * a), max_relative = 1e-9);
    }
}

#[test]
fn langevin_on_a_normal_has_more_powers() {
    let nodes = 192;
    for alpha in [0.05, 0.3, 0.5] {
        let line = Line::new(Arc::new(Normal(1.0)), -11.0, 11.0, nodes).unwrap();
        let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(alpha, true)).unwrap();
        let row = |node: usize| {
            let mut masses = vec![0.0; nodes];
            masses[node] = 1.0;
            transition.push_masses(&mut masses);
            masses
        };
        let rows: Vec<Vec<f64>> = (0..nodes).map(row).collect();
        let values = eigenvalues(&DMatrix::from_fn(nodes, nodes, |i, j| rows[i][j])).unwrap();
        for (value, power) in values[..8].iter().zip(0..) {
            assert_abs_diff_eq!(value.re, (1.0 - alpha).powi(power), epsilon = 1e-8);
            assert_abs_diff_eq!(value.im, 0.0, epsilon = 1e-8);
        }
    }
}

#[test]
fn gradient_noise_widens_a_normal() {
    let (alpha, lambda) = (0.043, 1.0 / 0.03);
    let line = Line::new(Arc::new(Normal(lambda)), -3.6, 3.6, 128).unwrap();
    let step = Noise { gradient_variance: 1.0, ..Noise::LANGEVIN }.step(alpha, true);
    let transition = Transitions::new(&line).step(step).unwrap();
    let found = long_run(&transition, &line.truth().unwrap().nodes).unwrap();
    let masses = Masses { nodes: found.masses, lost: 0.0 };
    let variance = line.expectation(&masses, |x| x * x);
    assert_relative_eq!(variance, 0.108_158_823_529, max_relative = 1e-11);
    let closed = (1.0 + 0.5 * alpha) / (lambda * (1.0 - 0.5 * alpha * lambda));
    assert_relative_eq!(variance, closed, max_relative = 1e-11);
}

/// α, half width of the box, E x², KL(q‖p), λ₂, IACT of x, exit per step, which has the rounding of a sum of masses; then errors.
const DOUBLE_WELL: [(f64, f64, [f64; 5], [f64; 5]); 6] = [
    (
        0.001,
        3.0,
        [0.832_075_338_3, 6.810_21e-6, 0.999_250_251_0, 2570.3043, f64::NAN],
        [1e-10, 1e-11, 1e-10, 1e-4, 0.0],
    ),
    (
        0.01,
        3.0,
        [0.825_814_088_0, 7.411_63e-4, 0.992_396_043_0, 251.734_130, f64::NAN],
        [1e-10, 1e-9, 1e-10, 1e-6, 0.0],
    ),
    (
        0.02,
        3.0,
        [0.818_252_849_6, 3.290_798e-3, 0.984_501_489_4, 122.513_751, f64::NAN],
        [1e-10, 1e-9, 1e-10, 1e-6, 0.0],
    ),
    (0.05, 0.0, [0.788_818_0, 0.029_135_0, 0.957_162, 42.946_19, 1.113e-12], [1e-7, 1e-7, 1e-6, 1e-5, 2e-14]),
    (0.1, 0.0, [0.756_92, 0.150_25, 0.856_959, f64::NAN, 2.975e-4], [1e-5, 1e-5, 1e-6, 0.0, 1e-7]),
    (0.2, 0.0, [0.7928, 0.1836, 0.5320, f64::NAN, 0.04807], [6e-5, 6e-5, 6e-5, 0.0, 6e-6]),
];

#[test]
fn the_double_well() {
    for (alpha, half, expected, digits) in DOUBLE_WELL {
        let half = if half > 0.0 { half } else { (1.0f64 + 0.5 / alpha).sqrt() };
        let line = Line::new(section("double-well", &[]), -half, half, 512).unwrap();
        let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(alpha, true)).unwrap();
        let truth = line.truth().unwrap().nodes;
        let found = long_run(&transition, &truth).unwrap();
        let masses = Masses { nodes: found.masses.clone(), lost: 0.0 };
        assert_abs_diff_eq!(line.expectation(&masses, |x| x * x), expected[0], epsilon = digits[0]);
        assert_abs_diff_eq!(divergences(&found.masses, &truth).kl, expected[1], epsilon = digits[1]);
        assert_abs_diff_eq!(found.second.re, expected[2], epsilon = digits[2]);
        if expected[3].is_finite() {
            let time = autocorrelation_time(&transition, &found.masses, line.nodes()).unwrap();
            assert_abs_diff_eq!(time, expected[3], epsilon = digits[3]);
        }
        if expected[4].is_finite() {
            assert_abs_diff_eq!(found.exit_rate(), expected[4], epsilon = digits[4]);
        }
    }
}

/// In wider boxes chains on their way out are counted, and some come back: the rate is that of divergence.
#[test]
fn chains_of_the_double_well_diverge() {
    for (half, square) in [(3.2, 0.759_82), (4.5, 0.761_61)] {
        let line = Line::new(section("double-well", &[]), -half, half, 1024).unwrap();
        let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(0.1, true)).unwrap();
        let found = long_run(&transition, &line.truth().unwrap().nodes).unwrap();
        assert_abs_diff_eq!(found.exit_rate(), 2.540_996e-4, epsilon = 1e-10);
        let masses = Masses { nodes: found.masses, lost: 0.0 };
        assert_abs_diff_eq!(line.expectation(&masses, |x| x * x), square, epsilon = 6e-6);
    }
}

#[test]
fn parts_of_the_error_of_a_run() {
    let half = 11.0f64.sqrt();
    let line = Line::new(section("double-well", &[]), -half, half, 512).unwrap();
    let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(0.05, true)).unwrap();
    let truth = line.truth().unwrap();
    let stationary = long_run(&transition, &truth.nodes).unwrap().masses;
    let first = line.after_point(1.0, Noise::LANGEVIN.step(0.05, true)).unwrap().nodes;
    let parts = |f: &dyn Fn(f64) -> f64| {
        let values: Vec<f64> = line.nodes().iter().map(|&x| f(x)).collect();
        let moments = run_moments(std::iter::repeat_n(&transition, 999), &first, &values);
        let (long, exact) = (dot(&stationary, &values), line.expectation(&truth, f));
        ErrorParts { bias: long - exact, transient: moments.mean - long, variance: moments.variance }
    };
    let of_square = parts(&|x| x * x);
    assert_abs_diff_eq!(of_square.bias, -0.043_927_446_7, epsilon = 2e-10);
    // What leaves counts as 0 from then on: 10⁻¹² in each step.
    assert_abs_diff_eq!(of_square.transient, 0.001_101_614_2, epsilon = 6e-10);
    assert_abs_diff_eq!(of_square.variance, 0.002_103_198_1, epsilon = 2e-10);
    assert_abs_diff_eq!(of_square.rmse(), 0.062_747_5, epsilon = 1e-7);
    let of_x = parts(&|x| x);
    assert_abs_diff_eq!(of_x.transient, 0.022_344_791_6, epsilon = 2e-10);
    assert_abs_diff_eq!(of_x.variance, 0.032_645_923_4, epsilon = 2e-10);
}

#[test]
fn chains_that_leave() {
    let half = 6.0f64.sqrt();
    let line = Line::new(section("double-well", &[]), -half, half, 512).unwrap();
    let step = Noise::LANGEVIN.step(0.1, true);
    let transition = Transitions::new(&line).step(step).unwrap();
    let mut masses = [line.after_point(1.0, step).unwrap()];
    (1..1000).for_each(|_| transition.push(&mut masses));
    assert_abs_diff_eq!(masses[0].lost, 0.2578, epsilon = 1e-4);
    assert_abs_diff_eq!(masses[0].lost + masses[0].nodes.iter().sum::<f64>(), 1.0, epsilon = 1e-12);
}

#[test]
fn constant_steps_forget_slowly() {
    let modes = Modes::nearest(&[-4.0, -2.0, 0.0, 2.0, 4.0]);
    let line = Line::new(section("gaussian-grid", &[]), -8.0, 8.0, 1024).unwrap();
    for (alpha, relaxation, digits, n) in [
        (0.06, 28.44, 6e-3, 50),
        (0.055, 81.71, 6e-3, 50),
        (0.05, 310.6, 6e-2, 50),
        (0.043, 2478.0, 0.6, 50),
        (0.04, 6088.0, 0.6, 100),
        (0.035, 26_851.0, 1.0, 200),
        (0.03, 116_438.0, 20.0, 50),
        (0.025, 4.98e5, 600.0, 200),
        (0.02, 2.10e6, 6500.0, 200),
    ] {
        let step = Noise::LANGEVIN.step(alpha, true);
        let after = |steps: usize| modes.matrix(&line, std::iter::repeat_n(step, steps)).unwrap();
        for steps in [n, 2 * n] {
            let second = second_eigenvalue_of_step(&after(steps), &after(2 * steps), steps as u64).unwrap();
            assert_abs_diff_eq!(-1.0 / second.ln(), relaxation, epsilon = digits);
        }
    }
}
