//! MCLMC: directions keep their length, the motion without noise is reversible, its bias is that of an independent program, and a line
//! is refused.

use super::super::{Gradient, Mclmc, Method, Splitting};
use super::{Normal, Numbers, Plan, close, init, one_step, plan, plane, stream};
use crate::schedules::Stage;
use base::math::{Coords, Point};

const SPLITTINGS: [Splitting; 2] = [Splitting::Leapfrog, Splitting::MinimalNorm];

/// A step without noise.
fn silent(h: f64) -> Plan<'static> {
    Plan { stage: Stage::Exploration { noise: false }, ..plan(h) }
}

fn still() -> Numbers {
    Numbers { first: vec![0.0], second: vec![0.0], ..Numbers::default() }
}

/// B for a time t is the solution of du/dt = (I − uuᵀ) ∇/(d − 1): in the plane the angle φ from the gradient follows tan(φ/2) ∝
/// exp(−t ‖∇‖). The step is so short that the chain stays where it is, and far out gradients are large.
#[test]
fn gradients_turn_directions_as_the_equation_of_motion_says() {
    let (lambda, h) = (3.0, 1e-9);
    let target = Normal::new(lambda, 2);
    for splitting in SPLITTINGS {
        let method = Mclmc { length: 1.0, splitting, warm_up: 0 };
        for (angle, far) in [0.3_f64, 1.5, 3.0].into_iter().flat_map(|angle| [(angle, 1e7), (angle, 5e8)]) {
            let mut chains = init(&method, &[Point::new(-far, 0.0)], h, [&[angle.cos()], &[angle.sin()]]);
            one_step(&method, &target, &Gradient::Exact, &silent(h), &still(), &mut chains);
            let found = chains.carried[0].get(0, 1).atan2(chains.carried[0].get(0, 0));
            close(found, 2.0 * ((0.5 * angle).tan() * (-h * lambda * far).exp()).atan(), 1e-12);
        }
    }
}

/// From the end with the reversed direction a path leads back to its start, and directions keep their length.
#[test]
fn paths_are_reversible() {
    let target = Normal::posterior(0.7, 2, vec![Point::new(1.0, -2.0), Point::new(0.5, 3.0)]);
    for splitting in SPLITTINGS {
        let method = Mclmc { length: 1.0, splitting, warm_up: 0 };
        let start = Point::new(0.4, -1.3);
        let mut chains = init(&method, &[start], 0.3, [&[0.6], &[-1.1]]);
        let first = chains.carried[0].point(0);
        close(first.norm(), 1.0, 1e-15);
        for _ in 0..25 {
            one_step(&method, &target, &Gradient::Exact, &silent(0.3), &still(), &mut chains);
            close(chains.carried[0].point(0).norm(), 1.0, 1e-14);
        }
        assert!((chains.position(0) - start).norm() > 0.1, "the path is no trifle");
        let back = -chains.carried[0].point(0);
        chains.carried[0].set_point(0, back);
        for _ in 0..25 {
            one_step(&method, &target, &Gradient::Exact, &silent(0.3), &still(), &mut chains);
        }
        // Errors of rounding grow along a path.
        assert!((chains.position(0) - start).amax() < 1e-9, "{splitting:?}: {}", chains.position(0));
        assert!((chains.carried[0].point(0) + first).amax() < 1e-9);
    }
}

/// The mean square of both coordinates on N(0, I), with the standard error over chains.
fn mean_square(method: Mclmc, h: f64) -> (f64, f64) {
    const CHAINS: usize = 256;
    const STEPS: usize = 4000;
    let target = Normal::new(1.0, 2);
    let mut numbers = stream(21);
    let pairs = |count: usize, numbers: &mut base::math::Stream| -> (Vec<f64>, Vec<f64>) {
        (0..count).map(|_| numbers.normal_pair()).unzip()
    };
    let (x, y) = pairs(CHAINS, &mut numbers);
    let starts: Vec<Point> = x.iter().zip(&y).map(|(x, y)| Point::new(*x, *y)).collect();
    let (first, second) = pairs(CHAINS, &mut numbers);
    let mut chains = init(&method, &starts, h, [&first, &second]);
    let mut sums = vec![0.0; CHAINS];
    for index in 0..STEPS {
        let (first, second) = pairs(CHAINS, &mut numbers);
        let numbers = Numbers { first, second, uniforms: Vec::new() };
        one_step(&method, &target, &Gradient::Exact, &plan(h), &numbers, &mut chains);
        if index >= 200 {
            for (chain, sum) in sums.iter_mut().enumerate() {
                *sum += 0.5 * chains.position(chain).norm_squared() / (STEPS - 200) as f64;
            }
        }
    }
    let mean = sums.iter().sum::<f64>() / CHAINS as f64;
    let variance = sums.iter().map(|sum| (sum - mean) * (sum - mean)).sum::<f64>() / (CHAINS - 1) as f64;
    (mean, (variance / CHAINS as f64).sqrt())
}

/// The stated bias. The figures are of a program in NumPy that has the formulas of B with sinh and cosh, as in the paper, 4000 chains with
/// 20 000 steps, L = 1.5: variance 1.0176 ± 0.0003 at h = 0.5 and 1.0745 ± 0.0002 at h = 1 (leapfrog), 0.9902 ± 0.0002 at h = 1 (minimal
/// norm). At h = 0.05 none is seen. Five standard errors of both together.
#[test]
fn the_bias_is_that_of_an_independent_program() {
    let cases = [
        (Splitting::Leapfrog, 0.5, 1.0176, 0.0003),
        (Splitting::Leapfrog, 1.0, 1.0745, 0.0002),
        (Splitting::MinimalNorm, 1.0, 0.9902, 0.0002),
    ];
    for (splitting, h, expected, known) in cases {
        let (found, error) = mean_square(Mclmc { length: 1.5, splitting, warm_up: 0 }, h);
        let error = error.hypot(known);
        assert!(error < 0.003, "{error}");
        assert!((found - expected).abs() < 5.0 * error, "{splitting:?} {h}: {found}, not {expected} ± {error}");
        assert!((found - 1.0).abs() > 3.0 * error, "{splitting:?} {h}: the bias is seen");
    }
}

#[test]
fn a_line_is_refused() {
    let method = Mclmc { length: 1.0, splitting: Splitting::Leapfrog, warm_up: 0 };
    let on = |dimension| method.on(&plane(&Normal::new(1.0, dimension)));
    let error = on(1).unwrap_err();
    assert_eq!(error.path, "method");
    assert!(error.problem.contains("line"), "{error}");
    assert!(on(2).is_ok());
}

/// A direction of length 0 becomes the first axis, and directions in more dimensions have length 1.
#[test]
fn directions_begin_with_length_one() {
    let method = Mclmc { length: 1.0, splitting: Splitting::Leapfrog, warm_up: 0 };
    let chains = method.init(Coords::zeros(3, 2), 0.1, Coords::of(3, [&[0.0; 3][..], &[3.0, 4.0, 12.0]].into_iter()));
    assert_eq!(chains.carried[0].vector(0).collect::<Vec<_>>(), [1.0, 0.0, 0.0]);
    for (found, expected) in chains.carried[0].vector(1).zip([3.0 / 13.0, 4.0 / 13.0, 12.0 / 13.0]) {
        close(found, expected, 1e-15);
    }
}

/// Tuning on N(0, I) in the plane: L is its width, and the step size is that of BlackJAX 1.7.1 (`mclmc_find_L_and_step_size` without
/// preconditioning and without its third phase, eight keys of 4000 steps): 0.629 ± 0.013 with leapfrog, 1.014 ± 0.045 with the minimal norm.
/// Four standard errors of both together.
#[test]
fn tuned_chains_have_the_wanted_step_size_and_length() {
    const CHAINS: usize = 32;
    let (warm_up, h) = (3000, 0.05);
    let target = Normal::new(1.0, 2);
    for (splitting, expected, known) in [(Splitting::Leapfrog, 0.629, 0.013), (Splitting::MinimalNorm, 1.014, 0.045)] {
        let method = Mclmc { length: 0.3, splitting, warm_up };
        let mut numbers = stream(22);
        let mut pairs = || -> (Vec<f64>, Vec<f64>) { (0..CHAINS).map(|_| numbers.normal_pair()).unzip() };
        let (first, second) = pairs();
        let mut chains = init(&method, &[Point::zeros(); CHAINS], h, [&first, &second]);
        for _ in 0..warm_up {
            let (first, second) = pairs();
            let numbers = Numbers { first, second, uniforms: Vec::new() };
            one_step(&method, &target, &Gradient::Exact, &plan(h), &numbers, &mut chains);
        }
        let all = |of: &dyn Fn(usize) -> f64| (0..CHAINS).map(of).collect::<Vec<f64>>();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / CHAINS as f64;
        let steps = all(&|chain| h * chains.carried[1].get(chain, 1).exp());
        let found = mean(&steps);
        let squares: Vec<f64> = steps.iter().map(|step| (step - found) * (step - found)).collect();
        let error = (mean(&squares) / CHAINS as f64).sqrt().hypot(known);
        assert!((found - expected).abs() < 4.0 * error, "{splitting:?}: {found}, not {expected} ± {error}");
        let length = mean(&all(&|chain| chains.carried[1].get(chain, 4)));
        assert!((length - 2.0_f64.sqrt()).abs() < 0.1, "{length}");
    }
}
