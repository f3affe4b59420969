//! Newton's method with damping, towards maxima of functions of many variables.
//!
//! A step solves (P + μI) δ = g, with P minus the Hessian. The damping μ grows until the matrix is positive definite and the step is
//! good enough (K. Levenberg 1944; Nocedal and Wright 2006, "Numerical optimization", section 3.4).

use nalgebra::DMatrix;

use super::Cholesky;

/// How the damping of a step grows.
#[derive(Clone, Copy, Debug)]
pub struct Damping {
    /// The first μ.
    pub first: f64,
    /// The second μ at least.
    pub least: f64,
    /// By how much μ is multiplied.
    pub growth: f64,
    /// Values of μ at most.
    pub trials: usize,
}

/// The first step of which `accept` makes something, with its μ, if there is one; and the number of values of μ that were tried.
pub fn damped_step<T>(
    precision: &DMatrix<f64>,
    gradient: &[f64],
    damping: Damping,
    mut accept: impl FnMut(&[f64]) -> Option<T>,
) -> (Option<(T, f64)>, usize) {
    let mut mu = damping.first;
    for trial in 1..=damping.trials {
        let mut damped = precision.clone();
        for axis in 0..gradient.len() {
            damped[(axis, axis)] += mu;
        }
        let step = Cholesky::new(&damped).map(|factor| {
            let mut step = gradient.to_vec();
            factor.solve(&mut step);
            step
        });
        if let Some(accepted) = step.and_then(|step| accept(&step)) {
            return (Some((accepted, mu)), trial);
        }
        mu = (mu * damping.growth).max(damping.least);
    }
    (None, damping.trials)
}

/// A damped step of Newton's method from a point at this height that leads to one at least as high, with the height there; `None` if none does.
/// Coordinates are measured in `units`, so that the damping has no units.
pub fn step_uphill(
    (at, here): (&[f64], f64),
    (gradient, stiffness): (&[f64], &DMatrix<f64>),
    units: &[f64],
    damping: Damping,
    height: impl Fn(&[f64]) -> f64,
) -> Option<(Vec<f64>, f64)> {
    let size = units.len();
    let scaled = DMatrix::from_fn(size, size, |row, column| stiffness[(row, column)] * units[row] * units[column]);
    let pull: Vec<f64> = gradient.iter().zip(units).map(|(slope, unit)| slope * unit).collect();
    let (found, _) = damped_step(&scaled, &pull, damping, |step| {
        let next: Vec<f64> = at.iter().zip(step.iter().zip(units)).map(|(at, (step, unit))| at + step * unit).collect();
        let there = height(&next);
        (there >= here).then_some((next, there))
    });
    found.map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newton's step where the matrix is positive definite; elsewhere, and where no step is good enough, damping grows.
    #[test]
    fn damping_grows_until_a_step_is_good_enough() {
        let damping = Damping { first: 0.0, least: 0.5, growth: 4.0, trials: 5 };
        let take = |diagonal: [f64; 2], most: f64| {
            let matrix = DMatrix::from_row_slice(2, 2, &[diagonal[0], 0.0, 0.0, diagonal[1]]);
            damped_step(&matrix, &[4.0, 2.0], damping, |step| (step[0] <= most).then(|| [step[0], step[1]]))
        };
        assert_eq!(take([4.0, 1.0], 9.0), (Some(([1.0, 2.0], 0.0)), 1));
        assert_eq!(take([2.0, -1.0], 9.0), (Some(([1.0, 2.0], 2.0)), 3));
        assert_eq!(take([4.0, 1.0], 0.1), (None, 5));
    }
}
