//! Figure 1 of Chen, Fox and Guestrin (2014): U(θ) = −2θ² + θ⁴, gradients with noise of standard deviation 2.
//!
//! Their program takes 50 steps of size 0.1 per draw, with friction C = 3 and V = 4: in the letters used here a = 0.3
//! and α = 0.01 for SGHMC, h = 0.1 and L = 50 for naive HMC. E θ² = 0.83275 (by quadrature), 0.829 with
//! SGHMC, 0.895 with naive HMC.

use super::super::{Adaptation, Gradient, Hmc, Method, Sghmc};
use super::Normal;
use super::distributions::{Estimate, Run};
use base::math::{Matrix, Point};
use models::targets::{Density, TargetInfo};

/// log p = 2θ² − θ⁴ on the line; of its [`TargetInfo`] only the dimension is used.
#[derive(Debug)]
struct Wells {
    line: Normal,
}

impl Density for Wells {
    fn info(&self) -> &TargetInfo {
        self.line.info()
    }

    fn log_density(&self, at: Point) -> f64 {
        let square = at.x * at.x;
        square * (2.0 - square)
    }

    fn gradient(&self, at: Point) -> Point {
        Point::new(4.0 * at.x * (1.0 - at.x * at.x), 0.0)
    }

    fn hessian(&self, at: Point) -> Matrix {
        Matrix::new(4.0 - 12.0 * at.x * at.x, 0.0, 0.0, 0.0)
    }
}

fn mean_square(method: &dyn Method, gradient: Gradient, alpha: f64, steps: (usize, usize)) -> Estimate {
    let target = Wells { line: Normal::new(1.0, 1) };
    let run = Run { method, target: &target, gradient, alpha, sd: 0.9, steps };
    run.estimates(|chains, chain| [chains.positions.axis(0)[chain] * chains.positions.axis(0)[chain]]).0[0]
}

/// Five standard errors of some 0.001, and half a unit of the last digit of each figure.
fn check(found: Estimate, expected: f64, digit: f64) {
    assert!(found.error < 0.004, "{found:?}");
    assert!((found.mean - expected).abs() < 5.0 * found.error + 0.5 * digit, "{found:?}, not {expected}");
}

#[test]
fn sghmc_corrects_the_bias_of_naive_hmc() {
    let noisy = Gradient::Noisy { variance: 4.0, compensate: false };
    let sghmc = Sghmc { friction: 0.3, friction_correction: true };
    check(mean_square(&sghmc, noisy, 0.01, (500, 10_000)), 0.829, 0.001);
    let naive = Hmc { leapfrog_steps: 50, metropolis: false, adaptation: Adaptation::default() };
    let naive = mean_square(&naive, noisy, 0.1, (10, 400));
    check(naive, 0.895, 0.001);
    let exact = Hmc { leapfrog_steps: 50, metropolis: true, adaptation: Adaptation::default() };
    let exact = mean_square(&exact, Gradient::Exact, 0.1, (10, 400));
    check(exact, 0.83275, 0.00001);
    assert!(naive.mean - exact.mean > 5.0 * naive.error, "the noise shows");
}
